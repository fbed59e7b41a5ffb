"""Backups of all rows to one file, and restores from such a file."""
