"""Vectors in PostgreSQL, with pgvector: sixteen bits for each dimension.

Of a user with few, all are compared. A user with many has a graph (HNSW) of their vectors alone, so
that nobody else's are in the way.
"""

from palaver.index.postgres.vectors.graph import Graphs
from palaver.index.postgres.vectors.store import PostgresVectors

__all__ = ["Graphs", "PostgresVectors"]
