"""Bookings, and the places that bookings hold."""
