"""Floor 1 (see CONTRIBUTING): the database: connection, transactions, models of the tables."""
