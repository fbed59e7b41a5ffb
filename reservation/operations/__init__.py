"""Floor 4: declares operations with their fields, their answers and their documentation."""
