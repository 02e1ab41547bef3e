"""What was said: lines in append-only streams, and the proof that none of them was lost.

Here belong the line format, the hash chain, the ports of the ledger and its adapters
(`files/` for a home on disk, `memory` for tests and trials), and verification.
Nothing here knows how a line is shown, found or answered.
"""
