"""Floor 3: translates between HTTP and the domain."""
