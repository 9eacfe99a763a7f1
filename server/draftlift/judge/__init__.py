"""Verdicts of a validator: the only room that knows ``jsonschema``."""
