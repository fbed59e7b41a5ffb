"""The outbox, in which changes of bookings queue their messages."""
