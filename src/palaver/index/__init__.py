"""Where it is found: rows and full text, derived from the ledger and free to delete.

Here belong the records that rows are read as, the one projection from lines to rows, the port of
the index and its adapters (`sqlite/`, `postgres/`), and what these share. SQL lives here, in `.sql`
files. Nothing here is the only copy of anything.
"""
