"""Modules that do not depend on this product (floor 0 in CONTRIBUTING)."""
