"""The data of `reservation demo`: an invented small town."""
