"""The index in SQLite: rows and full text in one file of the home."""
