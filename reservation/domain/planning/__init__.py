"""What an owner sets: the business, its weekly hours and its events."""
