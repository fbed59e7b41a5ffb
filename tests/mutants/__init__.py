"""Removes the guards of the project one by one and checks that a test fails without each.

`python -m tests.mutants [--part 0.1] [--seed N] [name…]`; the .toml files list the guards.
"""
