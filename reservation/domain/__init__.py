"""The business logic, independent of HTTP: floor 2 (see CONTRIBUTING.md)."""
