"""The settings of an owner: the business, its services, its weekly hours and its events."""
