"""Floor 0 (see CONTRIBUTING): modules that do not depend on this product."""
