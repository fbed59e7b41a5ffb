"""What customers search."""
