"""Searches for businesses, services, events and free times."""
