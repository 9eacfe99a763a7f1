"""The rules, in the order of the documentation. To add one: write its file, list it here, write its test file."""

from __future__ import annotations

from draftlift.rules import (
    additional_items,
    boolean_exclusive_limit,
    boolean_property,
    definitions,
    dependencies,
    dialect_spelling,
    draft04_id,
    duplicate_key,
    enum_names,
    id_fragment,
    inert_keyword,
    input_schema_not_object,
    invalid_schema,
    json_syntax,
    legacy_dialect,
    missing_input_schema,
    nested_dialect,
    null_input_schema,
    output_schema_not_object,
    recursive_ref,
    ref_sibling_ignored,
    remote_ref,
    required_not_array,
    root_type_not_object,
    shared_anchor,
    translation_refused,
    tuple_items,
    unresolved_ref,
    unsupported_dialect,
    yaml_syntax,
)
from draftlift.rules.base import Rule

_ALL: tuple[Rule, ...] = (
    missing_input_schema.RULE,
    null_input_schema.RULE,
    input_schema_not_object.RULE,
    root_type_not_object.RULE,
    output_schema_not_object.RULE,
    boolean_property.RULE,
    legacy_dialect.RULE,
    translation_refused.RULE,
    unsupported_dialect.RULE,
    dialect_spelling.RULE,
    nested_dialect.RULE,
    tuple_items.RULE,
    additional_items.RULE,
    dependencies.RULE,
    boolean_exclusive_limit.RULE,
    draft04_id.RULE,
    id_fragment.RULE,
    recursive_ref.RULE,
    ref_sibling_ignored.RULE,
    inert_keyword.RULE,
    definitions.RULE,
    unresolved_ref.RULE,
    remote_ref.RULE,
    required_not_array.RULE,
    invalid_schema.RULE,
    enum_names.RULE,
    duplicate_key.RULE,
    shared_anchor.RULE,
    json_syntax.RULE,
    yaml_syntax.RULE,
)

RULES: dict[str, Rule] = {rule.id: rule for rule in _ALL}
"""Every rule, by id."""

SCHEMA_RULES = tuple(rule for rule in _ALL if rule.check_schema is not None)
TEXT_RULES = tuple(rule for rule in _ALL if rule.check_text is not None)
KEYWORD_RULES: dict[str, list[Rule]] = {}
"""The rules that look at a keyword, by its name."""
for _rule in _ALL:
    for _keyword in _rule.keywords:
        KEYWORD_RULES.setdefault(_keyword, []).append(_rule)
