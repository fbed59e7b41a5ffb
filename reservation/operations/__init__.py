"""Floor 5: the declaration of an operation: its fields, its answers and its document."""
