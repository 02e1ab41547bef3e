"""The index in PostgreSQL: for many users on many machines."""
