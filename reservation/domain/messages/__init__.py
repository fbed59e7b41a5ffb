"""The texts of the messages in the outbox, and their delivery."""
