"""Bookings, and the places that they hold."""
