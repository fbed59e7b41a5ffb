"""Accounts: passwords, sessions and limits."""
