"""The outbox, in which changes of bookings and accounts queue their messages."""
