"""Migrates a database of an earlier version to schema.sql."""
