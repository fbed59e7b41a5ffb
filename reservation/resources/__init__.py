"""Floor 5: a class for each path, and a file for each noun of the API."""
