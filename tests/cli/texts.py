"""Texts that more than one test of the command line needs."""

from __future__ import annotations

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
OLD = '{"name": "a", "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}\n'
NEW = OLD.replace(DRAFT_07, "https://json-schema.org/draft/2020-12/schema")
REFUSED = OLD.replace('"type"', '"properties": {"x": {"$ref": "#", "minLength": 1}}, "type"')
NULL = '{"name": "n", "inputSchema": null}\n'
LATIN_1 = b'{"name": "caf\xe9", "inputSchema": null}'
