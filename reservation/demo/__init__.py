"""The invented small town of `reservation demo`."""
