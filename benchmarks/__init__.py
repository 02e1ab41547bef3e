"""Benchmarks: each compares two things in one run and reports the ratio, because timings are noisy.

`make bench` runs all of them; `python -m benchmarks append start` runs some.
"""
