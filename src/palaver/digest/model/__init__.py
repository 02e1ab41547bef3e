"""The maker that asks a model: what it is asked, how its answer is checked, and when it rests."""

from palaver.digest.model.asking import Writer, Written
from palaver.digest.model.breaker import Breaker
from palaver.digest.model.maker import ModelDigest

__all__ = ["Breaker", "ModelDigest", "Writer", "Written"]
