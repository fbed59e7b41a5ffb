"""Backups: all rows of a database as one file, and the restore from that file."""
