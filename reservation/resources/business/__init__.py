"""Businesses, and what their owners set: services, weekly hours, events."""
