"""Migrations: they bring the database of an earlier version to schema.sql."""
