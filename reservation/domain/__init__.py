"""The business logic, independent of HTTP. See "The floors" in CONTRIBUTING.md."""
