"""Floor 1: modules that do not depend on this product."""
