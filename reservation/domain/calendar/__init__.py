"""The slots of a business, and the times at which a visit can start."""
