"""Floor 4: one class for each path, one file for each noun of the API."""
