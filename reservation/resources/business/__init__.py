"""Businesses, with their services, weekly hours, events and free times."""
