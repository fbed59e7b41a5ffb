"""Floor 3 (see CONTRIBUTING): translates between HTTP and the domain."""
