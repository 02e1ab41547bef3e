"""The maker that asks a model: what it is asked, how its answer is checked, and when it rests."""
