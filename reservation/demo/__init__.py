"""A package of its own: the small town that `reservation demo` makes."""
