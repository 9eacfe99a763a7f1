"""What a rule is, what it sees and what it reports. Rules know values, pointers and places; never text or LSP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from draftlift.change.operations import Operation
from draftlift.schema.dialects import Dialect
from draftlift.schema.survey import Place, Reference, Survey
from draftlift.syntax.pointer import Pointer
from draftlift.syntax.tree import Node, Tree
from draftlift.text import Span
from draftlift.tools.model import Site

PAGES = "https://github.com/draftlift/draftlift/blob/main/docs"
"""Where the pages of rules (``rules/ID.md``) and reasons (``refusals/ID.md``) are."""

Revision = Literal["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
"""The revisions of MCP. They compare as text."""

LATEST: Revision = "2026-07-28"

Severity = Literal["error", "warning", "information", "hint"]
Token = Literal["key", "value", "position"]
Tag = Literal["deprecated", "unnecessary"]


@dataclass(frozen=True, slots=True)
class Translation:
    """A fix that translates the whole schema to 2020-12.

    ``assume`` reads an undeclared schema in that dialect; ``inert`` is the normalizer's; ``counting`` are places that
    shall come alive. Only a translation without ``assume`` and ``counting`` keeps every verdict.
    """

    inert: Literal["refuse", "remove"] = "refuse"
    assume: Dialect | None = None
    counting: frozenset[Pointer] = frozenset()


@dataclass(frozen=True, slots=True)
class Repair:
    """One way out that a rule offers.

    ``change`` is a translation of the schema, or operations on pointers from ``base``: the schema, or the object that
    holds it. ``asks_first`` marks a change of verdicts that an editor must have confirmed.
    """

    title: str
    change: Translation | tuple[Operation, ...]
    base: Literal["schema", "holder"] = "schema"
    preferred: bool = False
    asks_first: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """One finding before it has a place in the text. ``pointer`` leads from the schema's root; see also ``at``.

    ``at`` overrides which token is marked: that of the schema member itself (``field``), the tool's name (``name``), or
    a ready span of the text. ``severity`` and ``tags`` override the rule's own. ``site`` is for rules that look at a text
    as a whole: the schema that the report is about, if it is about one.
    """

    pointer: Pointer
    token: Token
    message: str
    repairs: tuple[Repair, ...] = ()
    severity: Severity | None = None
    tags: tuple[Tag, ...] = ()
    at: Literal["schema", "name"] | Span = "schema"
    related: tuple[tuple[Span, str], ...] = ()
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class TextView:
    """One text as the rules that look at all of it see it.

    ``shared`` are the YAML anchors whose text a translation would change, though their users want different text.
    """

    tree: Tree
    sites: Sequence[Site]
    shared: Sequence[Shared] = ()


class Shared(Protocol):
    """What a rule sees of such an anchor: ``aliases`` pairs each alias inside a schema with that schema's index."""

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def aliases(self) -> tuple[tuple[int, Node], ...]: ...  # noqa: D102


@dataclass(slots=True)
class View:
    """One schema as the rules see it.

    ``dialect`` is the declared one, 2020-12 where nothing is declared, and None where the declared one is unknown.
    ``refusals`` are the normalizer's: pointers, reason ids and sentences why the schema cannot be translated.
    ``has_value`` is False where the schema is missing. ``target`` is the revision of MCP that the author writes for.
    ``withheld`` says why the text cannot be edited, where that is all that stands in the way of a translation: the end of a
    sentence that begins 'this text cannot be edited here, because'. ``offers`` tells whether there is such a repair here: no
    translation is promised that there is none of. ``file`` is the root of the document that the schema is in.
    """

    site: Site
    value: Any
    has_value: bool
    declared: object
    dialect: Dialect | None
    survey: Survey | None
    translates: bool = False
    refusals: tuple[tuple[Pointer, str, str], ...] = field(default=())
    legacy: bool = False
    target: Revision = LATEST
    withheld: str | None = None
    offers: Callable[[Repair], bool] = lambda _: True
    file: Node | None = None
    _known: dict[str, Any] = field(default_factory=dict)

    def recall(self, name: str, find: Callable[[], Any]) -> Any:
        """What ``find`` gives, found out once: a schema may have a rule's finding at thousands of places."""
        if name not in self._known:
            self._known[name] = find()
        return self._known[name]

    @property
    def subject(self) -> str:
        """How a message begins: the tool by its name."""
        return subject(self.site)


def subject(site: Site) -> str:
    """How a message about a schema begins: the tool by its name."""
    return f"Tool `{site.tool}`" if site.tool is not None else "This request"


@dataclass(frozen=True, slots=True)
class Rule:
    """One defect. ``doc`` is its page: Markdown whose first line is a title and whose headings are fixed.

    Exactly one of the checks is given: ``check_schema`` sees one schema, ``check_keyword`` each occurrence of one of
    ``keywords`` in a place where a schema is meant, ``check_text`` a whole text. ``presence`` marks a rule whose finding
    stays true while the text around it is half-typed. ``dialect_rule`` marks those that also look at schemas in a model
    provider's shape.
    """

    id: str
    severity: Severity
    doc: str
    check_schema: Callable[[View], Iterator[Report]] | None = None
    check_keyword: Callable[[View, Place, str, Any], Iterator[Report]] | None = None
    check_text: Callable[[TextView], Iterator[Report]] | None = None
    keywords: tuple[str, ...] = ()
    presence: bool = False
    dialect_rule: bool = False

    @property
    def title(self) -> str:
        """The first line of the page, as one phrase."""
        return self.doc.strip().splitlines()[0].strip().rstrip(".")


def references(view: View, kind: Literal["dangling", "remote"]) -> Iterator[Reference]:
    """The references of one kind in a schema that was looked at to its end."""
    if view.survey is not None and view.survey.beyond_bounds is None:
        for reference in view.survey.references:
            if reference.kind == kind and not reference.place.data:
                yield reference


IGNORED = ("ref-sibling", "inert-keyword")
"""The reasons of a refusal that are about what the declared dialect ignores, so that it may go or come to count."""

TRANSLATE = Repair("Translate this schema to 2020-12", Translation(), preferred=True)


def translation(view: View) -> tuple[Repair, ...]:
    """The faithful translation, where there is one."""
    return (TRANSLATE,) if view.translates else ()
