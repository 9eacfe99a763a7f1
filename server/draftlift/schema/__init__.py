"""JSON Schema as data: the dialects, where subschemas and references of a schema are, and what keywords mean."""
