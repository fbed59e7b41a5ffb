"""Floor 2: the business logic, independent of HTTP."""
