"""The searches of customers."""
