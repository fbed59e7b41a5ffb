"""Privacy: what a person receives, and what is erased on request or after some years."""
