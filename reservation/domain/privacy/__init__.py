"""Privacy: exports personal data, and erases personal data on request or after some years."""
