"""Proofs that nothing acknowledged is lost, doubled or reordered, and nothing erased is left.

Each proof has a size: small in `make test`, as large as promised in `make prove`. Each has planted
faults that it must catch: a proof that passes a broken ledger proves nothing.
"""
