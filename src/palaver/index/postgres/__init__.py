"""The index in PostgreSQL: the rows of many users, each in a book of their own."""
