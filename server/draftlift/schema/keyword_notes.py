"""What each keyword means, in one sentence: data for hovers.

Sources: JSON Schema core and validation, draft-04 to 2020-12. ``THEN_AND_NOW`` has the keywords whose meaning or form
differs between dialects, with a test for the form where one name has two.
"""

from __future__ import annotations

from collections.abc import Mapping

MEANING: Mapping[str, str] = {
    "$schema": "names the dialect that the schema is written in; in MCP a schema without it is 2020-12",
    "$id": "gives the schema a URI of its own, against which references inside it are resolved",
    "id": "gives the schema a URI of its own in draft-04; later drafts call it `$id`",
    "$ref": "stands for the schema that it refers to",
    "$anchor": "gives the subschema a name that `#name` refers to",
    "$dynamicRef": "refers to a `$dynamicAnchor`, the outermost of that name on the way",
    "$dynamicAnchor": "is a name that `$dynamicRef` looks for from the outside in",
    "$recursiveRef": "refers to the outermost schema with `$recursiveAnchor`, in 2019-09 only",
    "$recursiveAnchor": "marks a schema that `$recursiveRef` may mean, in 2019-09 only",
    "$vocabulary": "says in a metaschema which keywords a dialect has",
    "$defs": "holds subschemas for reuse; asserts nothing",
    "definitions": "holds subschemas for reuse; asserts nothing, and is called `$defs` since 2019-09",
    "$comment": "is a note for people who edit the schema",
    "title": "is a short name for people and models",
    "description": "is an explanation for people and models",
    "default": "is the value meant when none is given; asserts nothing",
    "examples": "holds sample values; asserts nothing",
    "deprecated": "says that the value should not be used any more; asserts nothing",
    "readOnly": "says that the value is set by the other side; asserts nothing",
    "writeOnly": "says that the value is never given back; asserts nothing",
    "type": "demands one of these types",
    "enum": "demands one of these values",
    "const": "demands exactly this value",
    "multipleOf": "demands a multiple of this number",
    "maximum": "demands a number no larger than this",
    "minimum": "demands a number no smaller than this",
    "exclusiveMaximum": "demands a number smaller than this",
    "exclusiveMinimum": "demands a number larger than this",
    "maxLength": "demands no more characters than this",
    "minLength": "demands at least this many characters",
    "pattern": "demands that this regular expression matches somewhere",
    "format": "says what kind of string is meant; whether it is checked depends on the validator",
    "contentEncoding": "says how binary data is written as a string",
    "contentMediaType": "says what the string holds",
    "contentSchema": "describes what the decoded string holds; asserts nothing",
    "items": "is the schema of every item, or of those behind `prefixItems`",
    "prefixItems": "holds one schema for each position from the start of an array",
    "additionalItems": "rules the items behind an array of schemas in `items`",
    "unevaluatedItems": "rules the items that no other keyword has looked at",
    "contains": "demands an item that matches",
    "minContains": "is how many items must match `contains`",
    "maxContains": "is how many items may match `contains`",
    "maxItems": "demands no more items than this",
    "minItems": "demands at least this many items",
    "uniqueItems": "demands that no item comes twice",
    "properties": "holds a schema for each named property",
    "patternProperties": "holds a schema for properties whose names match a regular expression",
    "additionalProperties": "rules the properties that `properties` and `patternProperties` do not name",
    "unevaluatedProperties": "rules the properties that no other keyword has looked at",
    "propertyNames": "is a schema for the names of properties",
    "required": "names the properties that must be there",
    "maxProperties": "demands no more properties than this",
    "minProperties": "demands at least this many properties",
    "dependencies": "makes a property demand others, or a schema; split in two since 2019-09",
    "dependentRequired": "makes a property demand other properties",
    "dependentSchemas": "makes a property demand that the whole object matches a schema",
    "allOf": "demands that all of these schemas match",
    "anyOf": "demands that at least one of these schemas matches",
    "oneOf": "demands that exactly one of these schemas matches",
    "not": "demands that this schema does not match",
    "if": "chooses between `then` and `else`",
    "then": "applies where `if` matches",
    "else": "applies where `if` does not match",
}
"""Keyword -> what it does, to follow its name in a sentence."""

THEN_AND_NOW: Mapping[str, tuple[str, str]] = {
    "tuple": (
        "an array under `items` holds one schema for each position",
        "that is `prefixItems`, and `items` is one schema for the rest",
    ),
    "additionalItems": (
        "rules the items behind an array under `items`; elsewhere it has no effect",
        "is unknown; `items` does this beside `prefixItems`",
    ),
    "dependencies": (
        "maps a property to the names or the schema that it demands",
        "has no effect; `dependentRequired` takes the names, `dependentSchemas` the schemas",
    ),
    "flag": ("is a flag that makes the bound beside it exclusive", "is the exclusive bound itself, a number"),
    "id": ("gives the schema its URI", "is unknown; `$id` does this"),
    "$id": ("may carry a fragment, `#name` to name a place", "has none; `$anchor` names a place"),
    "$recursiveRef": ("refers to the outermost `$recursiveAnchor`", "is ignored; `$dynamicRef` does this"),
    "$recursiveAnchor": ("marks a schema for `$recursiveRef`", "must not be true or false; `$dynamicAnchor` does this"),
    "$ref": ("hides everything beside it", "applies together with what stands beside it"),
}
"""Keyword, or name of its old form -> what it is in the older dialect, and in 2020-12."""
