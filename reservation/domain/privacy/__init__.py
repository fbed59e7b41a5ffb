"""Exports and erases personal data."""
