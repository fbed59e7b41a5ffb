"""Removes the guards of the project one at a time and checks that a test fails.

`python -m tests.mutants [--part 0.1] [--seed N] [name…]`; the guards are in the .toml files.
"""
