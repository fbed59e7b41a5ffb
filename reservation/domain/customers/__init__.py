"""Customers: what each business records about the people who book there."""
