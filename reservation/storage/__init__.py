"""Floor 1: the database, its connection, its transactions and the models of its tables."""
