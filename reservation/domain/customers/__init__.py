"""The records that each business has of its customers."""
