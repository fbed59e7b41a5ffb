"""Accounts and the form-based group."""
