"""The slots of a business, and which starts are free."""
