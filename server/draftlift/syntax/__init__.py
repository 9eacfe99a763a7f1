"""Layer 1: texts become positioned trees. Nothing here knows about schemas, and no reader ever raises."""

from draftlift.syntax.tree import Language, Tree


def read(text: str, language: Language) -> Tree:
    """The tree of a text in its language."""
    if language == "json":
        from draftlift.syntax import json_reader  # noqa: PLC0415

        return json_reader.read(text)
    from draftlift.syntax import yaml_reader  # noqa: PLC0415  # only who has YAML pays for its parsers

    return yaml_reader.read(text)
