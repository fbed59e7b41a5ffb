"""The database: connections, transactions and models (floor 1 in CONTRIBUTING)."""
