"""Floor 5 (see CONTRIBUTING): a class for each path, and a file for each noun of the API."""
