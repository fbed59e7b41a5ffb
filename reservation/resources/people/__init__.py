"""Accounts, and the operations that the specification calls form-based."""
