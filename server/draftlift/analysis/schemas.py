"""One schema of a text, looked at, and what could be done about it."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from draftlift.change.operations import Operation, ReplaceValue
from draftlift.fixes.model import Applicability, Change, Fix, Proposal
from draftlift.normalize import Result, normalize
from draftlift.rules.base import TRANSLATE, Repair, Translation
from draftlift.schema.dialects import DRAFT_2020_12, Dialect, dialect_of_uri
from draftlift.schema.survey import Survey, survey
from draftlift.syntax.tree import NotJsonError, resolve, to_value
from draftlift.syntax.unknown import Unknown
from draftlift.tools.model import Site

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """One schema of the text, and what its translation would be.

    ``dialect`` is None where the declared one is unknown; ``survey`` and ``result`` are None where nothing usable
    stands. ``proposal`` is the translation that keeps every verdict, ``translation`` the same once it is proved;
    ``withheld`` says why it is not: the end of a sentence that begins 'this text cannot be edited here, because'.
    """

    site: Site
    value: Any
    declared: object
    dialect: Dialect | None
    survey: Survey | None
    result: Result | None
    broken: bool
    proposal: Proposal | None = None
    translation: Fix | None = None
    withheld: str | None = None
    proposed: dict[object, Proposal | None] = field(default_factory=dict, repr=False)
    """What was proposed for this schema, each worked out once: a schema may have the same way out at thousands of places."""

    def propose(self, repair: Repair) -> Proposal | None:
        """A way out as a proposal; None where the schema's text is broken, or there is no such translation."""
        if self.broken:
            return None
        if repair.change == Translation():
            return self.proposal
        key = (repair.title, repair.change, repair.base)
        if not _is_hashable(key):
            return self._proposal(repair)
        if key not in self.proposed:
            self.proposed[key] = self._proposal(repair)
        return self.proposed[key]

    def _proposal(self, repair: Repair) -> Proposal | None:
        change = repair.change
        if isinstance(change, tuple):
            applicability: Applicability = "changes-verdicts" if repair.asks_first else "takes-decision"
            return Proposal(repair.title, (self._change(change, repair.base),), applicability, repair.preferred)
        operations = self._translated(change)
        if operations is None:
            return None
        keeps = change.assume is None and not change.counting
        return Proposal(
            repair.title,
            (self._change(operations, "schema"),),
            ("keeps-verdicts" if change.inert == "refuse" else "takes-decision") if keeps else "changes-verdicts",
            repair.preferred,
            changes_shared=keeps,
        )

    def _translated(self, wanted: Translation) -> tuple[Operation, ...] | None:
        """The operations of a translation; None where there is none."""
        if self.site.node is None or not isinstance(self.value, dict):
            return None
        if wanted == Translation():
            result = self.result
        else:
            value, found = self.value, self.survey
            if wanted.assume is not None:
                value, found = {**value, "$schema": wanted.assume.uri}, None
            try:
                result = normalize(value, inert=wanted.inert, counting=wanted.counting, surveyed=found)
            except Exception:
                _log.exception("no translation of %s of %s", self.site.field, self.site.tool)
                return None
        if result is None or result.status != "translated":
            return None
        if wanted.assume is not None and (isinstance(self.declared, str) or "$schema" not in self.value):
            # The schema declares nothing, or 2020-12: what it says of its dialect is right afterwards.
            return tuple(op for op in result.operations if op != ReplaceValue(("$schema",), DRAFT_2020_12.uri))
        return result.operations

    def _change(self, operations: tuple[Operation, ...], base: str) -> Change:
        site = self.site
        if base == "holder" or site.node is None:
            return Change(site.document, site.pointer[:-1], site.holder, operations)
        return Change(site.document, site.pointer, resolve(site.node), operations)


def translation_of(schema: Schema) -> Proposal | None:
    """The translation that keeps every verdict, as a proposal, before anybody has asked for it."""
    return None if schema.broken else schema._proposal(TRANSLATE)


def look_at(site: Site, *, broken: bool) -> Schema:
    """A schema, surveyed and with what the normalizer says of it. ``broken``: its text has a syntax problem."""
    if site.node is None:
        return Schema(site, None, None, DRAFT_2020_12, None, None, broken)
    try:
        value = to_value(site.node, skip_missing=broken)
    except NotJsonError:
        return Schema(site, None, None, None, None, None, broken=True)
    declared = value.get("$schema") if isinstance(value, dict) else None
    dialect = DRAFT_2020_12 if not isinstance(declared, str | Unknown) else dialect_of_uri(declared)
    if dialect is None or not isinstance(value, dict):
        result = Result(value, "unsupported" if dialect is None else "unchanged")
        return Schema(site, value, declared, dialect, None, result, broken)
    try:
        found = survey(value, dialect)
        result = normalize(value, surveyed=found)
    except Exception:
        _log.exception("cannot look at %s of %s", site.field, site.tool)
        return Schema(site, value, declared, dialect, None, None, broken=True)
    return Schema(site, value, declared, dialect, found, result, broken)


def _is_hashable(key: Hashable) -> bool:
    try:
        hash(key)
    except TypeError:
        return False
    return True
