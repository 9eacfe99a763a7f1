"""Why a schema is left alone: the closed catalogue of reasons.

Each reason's text is one page: ``draftlift explain ID``, the hover and the page under ``docs/`` show it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """One entry of the catalogue. All texts are Markdown; ``frees`` says what the author can do."""

    id: str
    title: str
    why: str
    example: str
    frees: str


_ALL = (
    Reason(
        "ref-sibling",
        "A keyword beside `$ref` would come alive",
        "Drafts 04, 06 and 07 ignore everything beside `$ref`; 2020-12 applies it. Translating the schema as it stands "
        "would make it stricter, and removing the keyword drops something you may have meant.",
        '```json\n{"$ref": "#/definitions/Name", "maxLength": 5}\n```',
        "Decide what you meant: remove the keyword (nothing changes for anybody), or keep it and let it count "
        "(some values that pass today will fail).",
    ),
    Reason(
        "inert-keyword",
        "A keyword the declared draft does not know would come alive",
        "The declared draft has no such keyword and ignores it, or gives its value another form; 2020-12 enforces it. "
        "Translating the schema as it stands could change which values pass. An unused definition under `$defs` is named "
        "where it would be looked at, and is no schema or refers to one that is not at hand.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#", "dependentRequired": {"card": ["zip"]}}\n```',
        "Decide what you meant: remove the keyword (nothing changes for anybody), or keep it and let it count.",
    ),
    Reason(
        "nested-dialect",
        "A subschema declares another dialect",
        "Its keywords follow other rules than the rest of the schema, and converting the rest without it would make "
        "the halves disagree.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#",\n'
        ' "properties": {"c": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}}\n```',
        "Write the whole schema in one dialect and remove the inner `$schema`.",
    ),
    Reason(
        "malformed-keyword",
        "A keyword's value is not what its draft demands",
        "The schema is invalid in the dialect it declares, so it has no agreed meaning that a translation could keep.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": "none"}\n```',
        "Correct the value; the translation is offered again at once.",
    ),
    Reason(
        "not-a-schema",
        "Something other than a schema stands where a schema must be",
        "A schema is an object (from draft-06 on also `true` or `false`). Validators disagree about anything else, "
        "so there is no meaning to keep.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"age": "integer"}}\n```',
        'Write a schema in its place, such as `{"type": "integer"}`.',
    ),
    Reason(
        "limit-without-bound",
        "A draft-04 exclusive flag has no bound to act on",
        "In draft-04 `exclusiveMinimum: true` only sharpens a `minimum` beside it. Without that bound there is no "
        "number to carry over, and dropping the flag would hide the mistake.",
        '```json\n{"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": true}\n```',
        "Add the `minimum` or `maximum` that was meant, or remove the flag.",
    ),
    Reason(
        "identifier-fragment",
        "An identifier carries a fragment that 2020-12 has no form for",
        "2020-12 forbids fragments in `$id`. A plain `#name` becomes an `$anchor`, but a subschema's own URI with a "
        "fragment, or a pointer as a name, cannot be carried over without changing what references mean.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#",\n'
        ' "definitions": {"row": {"$id": "https://example.com/row#row"}}}\n```',
        "Split it by hand into `$id` and `$anchor`, or remove the fragment.",
    ),
    Reason(
        "identifier-out-of-place",
        "An identifier stands where the declared draft sees no schema",
        "The draft does not honour an identifier here, 2020-12 would, and then references inside would be resolved "
        "against another base. The same is said of a reference that only such an identifier could serve: some validators "
        "look for identifiers everywhere and find it.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#",\n'
        ' "$defs": {"a": {"$id": "https://example.com/a"}}}\n```',
        "Move the subschema under `definitions`, or remove its identifier.",
    ),
    Reason(
        "ambiguous-anchor",
        "Two subschemas have the same name",
        "Which of the two a reference means is not defined in any draft. The same holds of an identifier that two have, also "
        "where one of them is ignored, such as beside a `$ref`: some validators look there, and some give up at the second.",
        '```json\n{"definitions": {"a": {"$id": "#x"}, "b": {"$id": "#x"}}}\n```',
        "Give one of them another name.",
    ),
    Reason(
        "reference-into-data",
        "A reference leads into data or a list of names that would have to change",
        "The value is used as data (in `enum`, `const`, `default` or the like), or as the names that `properties` and its "
        "like hold, and as a schema at once. As a schema it needs rewriting, as the other it must stay.",
        '```json\n{"default": {"items": [{}]}, "properties": {"a": {"$ref": "#/default"}}}\n```',
        "Put a copy of the schema under `definitions` and refer to that.",
    ),
    Reason(
        "reference-out-of-place",
        "A reference leads to where 2020-12 sees no schema",
        "2020-12 does not know the keyword that the reference leads into, as the old draft did, and there the reference "
        "would be undefined: some validators follow it, others refuse the schema.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#", "additionalItems": {"type": "string"},\n'
        ' "properties": {"a": {"$ref": "#/additionalItems"}}}\n```',
        "Move the subschema under `definitions` and refer to it there.",
    ),
    Reason(
        "dangling-reference",
        "A reference that leads nowhere would lead somewhere else",
        "It resolves to nothing now and would resolve to something after the translation. Or its index has a leading "
        "zero, such as `/allOf/00`: by the letter it leads nowhere, but some validators follow it.",
        '```json\n{"items": [{}], "properties": {"a": {"$ref": "#/prefixItems/0"}}}\n```',
        "Correct the reference; the translation is offered again at once.",
    ),
    Reason(
        "unknown-document",
        "A reference leads to a document whose dialect nobody declares",
        "A file named by a relative path is read in the dialect of the schema that refers to it, unless it declares its "
        "own. Changing this schema could change how that file is read, and draftlift never fetches or opens it.",
        '```json\n{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "common.json#/definitions/Name"}\n```',
        "Copy what you refer to into this schema; MCP clients must not fetch it anyway.",
    ),
    Reason(
        "recursion-leaves-document",
        "A recursive reference may lead into another document",
        "`$recursiveRef` looks through every schema on the way, and one of them is in a document that stays 2019-09.",
        '```json\n{"$recursiveAnchor": true, "allOf": [{"$ref": "https://example.com/tree"}]}\n```',
        "Copy the other document into this schema.",
    ),
    Reason(
        "contains-evaluates",
        "It is not agreed whether `contains` evaluates items",
        "`unevaluatedItems` looks at what `contains` matches. By the letter of 2019-09 such items are not evaluated, in "
        "2020-12 they are, and most validators read 2019-09 like 2020-12. A translation could keep the verdicts of the "
        "one kind or of the other, not of both.",
        '```json\n{"$schema": "https://json-schema.org/draft/2019-09/schema",\n'
        ' "contains": {"const": 1}, "unevaluatedItems": false}\n```',
        "Say with `items` what the other items may be, instead of `unevaluatedItems`; or declare 2020-12 if items that "
        "match `contains` shall count as evaluated.",
    ),
    Reason(
        "unknown-value",
        "A value has a tag that only its application knows",
        "A tag of YAML such as `!include` stands for something that another program puts there: a schema in any dialect, "
        "or anything else. draftlift does not guess what that is, nor whether it would have to change.",
        "```yaml\n$schema: http://json-schema.org/draft-07/schema#\nproperties: !include properties.yaml\n```",
        "Translate what the application makes of the file, or write the value in its place.",
    ),
    Reason(
        "too-large",
        "The schema is deeper or larger than draftlift looks",
        "draftlift stops at 300 levels and 500,000 subschemas, so that no schema can make it hang.",
        "A schema nested more than 300 JSON Pointer tokens deep.",
        "Break the schema up with `$ref`.",
    ),
)

REASONS: dict[str, Reason] = {reason.id: reason for reason in _ALL}
"""Every reason there is, by id, in the order of the documentation."""
