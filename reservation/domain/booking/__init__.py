"""Reservations, and the places that they hold."""
