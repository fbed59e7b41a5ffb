"""Accounts, and the form-based group of the specification."""
