"""Floor 1: what knows nothing of this product."""
