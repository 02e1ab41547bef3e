"""Vectors in `vectors.db`: what the embedding model made of the texts, and the search by meaning.

In the file a vector has sixteen bits for each dimension; in memory it has one bit for each, and
the first half of the key. A search compares bits, estimates, and reads only the best candidates.
"""

from palaver.index.vectors.store import VectorStore

__all__ = ["VectorStore"]
