"""Floor 4 (see CONTRIBUTING): operations with their fields, answers and documentation."""
