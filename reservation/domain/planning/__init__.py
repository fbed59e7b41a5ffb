"""What an owner manages: the business, its team, services, weekly hours and events."""
