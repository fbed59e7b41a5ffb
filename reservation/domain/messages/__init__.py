"""The outbox, and the delivery of its messages."""
