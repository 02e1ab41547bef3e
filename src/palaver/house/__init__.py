"""The house: every room, built from the settings and handed to the rooms that need it."""

from palaver.house.furnishing import House, furnish
from palaver.house.ground import Ground

__all__ = ["Ground", "House", "furnish"]
