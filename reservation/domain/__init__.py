"""Floor 2: what the product does. It knows no HTTP."""
