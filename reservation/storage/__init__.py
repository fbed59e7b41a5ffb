"""Floor 1: the connection to the database, transactions, and the models of the tables."""
