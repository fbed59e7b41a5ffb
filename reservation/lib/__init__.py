"""Floor 0: modules that do not depend on this product."""
