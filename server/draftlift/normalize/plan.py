"""The notebook of one translation: operations, refusals, and where moved places went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Literal

from draftlift.change.moves import Moves
from draftlift.change.operations import InsertMember, MoveMembers, Operation, RemoveMember, RenameKey, ReplaceValue
from draftlift.change.refusal import Refusal
from draftlift.normalize.unused import awoken_references
from draftlift.schema.dialects import DRAFT_2020_12, Dialect
from draftlift.schema.survey import Reference, Survey
from draftlift.syntax.pointer import Pointer, decoded

Inert = Literal["refuse", "remove"]


class Plan:
    """Steps write into it; only ``normalize`` reads it out.

    What steps ask of the schema as a whole is worked out once, so that no question costs more than its answer.
    """

    def __init__(self, survey: Survey, inert: Inert, counting: frozenset[Pointer] = frozenset()) -> None:
        self.survey = survey
        self.dialect: Dialect = survey.dialect
        self.inert_mode = inert
        self.counting = counting
        self.operations: list[Operation] = []
        self.refusals: list[Refusal] = []
        self.renamed_anchors: dict[tuple[Pointer, str], str] = {}
        self.removed: set[Pointer] = set()
        self.moves = Moves()
        self._suffixes: dict[str, int] = {}

    # -- writing -----------------------------------------------------------------------------------------------------

    def refuse(self, reason: str, pointer: Pointer, message: str) -> None:
        """Note one cause that forbids the translation. ``message`` is one sentence."""
        keyword = next((token for token in reversed(pointer) if isinstance(token, str)), "")
        self.refusals.append(Refusal(reason, pointer, keyword, message))

    def rename(self, pointer: Pointer, new_key: str) -> None:
        """Rename a member; references through it follow."""
        self.operations.append(RenameKey(pointer, new_key))
        self.moves.rename(pointer, new_key)

    def replace(self, pointer: Pointer, value: Any) -> None:
        """Replace a scalar."""
        self.operations.append(ReplaceValue(pointer, value))

    def remove(self, pointer: Pointer) -> None:
        """Remove a member to which nothing refers."""
        self.operations.append(RemoveMember(pointer))
        self.removed.add(pointer)

    def insert(self, pointer: Pointer, key: str, value: Any, after: str) -> None:
        """Put a new member into the object at ``pointer``, behind the member ``after``."""
        self.operations.append(InsertMember(pointer, key, value, after))

    def move(self, pointer: Pointer, members: tuple[Pointer, ...], key: str) -> None:
        """Move members of a member of the object at ``pointer`` into a new member of it; references follow."""
        self.operations.append(MoveMembers(pointer, members, (key,)))
        for member in members:
            self.moves.carry(member, pointer, (key,))

    def inert(self, reason: str, pointer: Pointer, message: str, schema: dict[str, Any] | None = None) -> None:
        """A keyword that does nothing now and would do something in 2020-12: refuse, or take it out of the way.

        Taken out of the way means removed, or renamed ``x-…`` in its ``schema`` where a reference leads into it. Where
        another key would be no help, and so no schema is given, that is refused as well; and where the value is data, which
        under another key would be none.
        """
        if pointer in self.counting:
            return
        keyword = self.dialect.keywords.get(str(pointer[-1])) or DRAFT_2020_12.keywords.get(str(pointer[-1]))
        is_data = keyword is not None and keyword.applicator is None
        if self.inert_mode == "refuse" or ((schema is None or is_data) and self.is_referred_to(pointer)):
            self.refuse(reason, pointer, message)
        elif schema is not None and self.is_referred_to(pointer):
            new_key = f"x-{str(pointer[-1]).lstrip('$')}"
            while new_key in schema:
                new_key += "-"
            self.rename(pointer, new_key)
        else:
            self.remove(pointer)

    # -- asking ------------------------------------------------------------------------------------------------------

    def is_removed(self, pointer: Pointer) -> bool:
        """Whether a place goes away, by itself or with something around it."""
        return bool(self.removed) and any(pointer[:end] in self.removed for end in range(1, len(pointer) + 1))

    def is_referred_to(self, pointer: Pointer) -> bool:
        """Whether a local reference leads to this place or below it."""
        return pointer in self._referred

    def is_base_of_something(self, pointer: Pointer) -> bool:
        """Whether a reference stands at this place or below it, or an identifier below it."""
        return pointer in self._based

    def reference_at(self, pointer: Pointer) -> Reference | None:
        """What the reference keyword at ``pointer`` leads to."""
        return self._references.get(pointer)

    def is_only_name(self, name: str) -> bool:
        """Whether one subschema has this name, in whatever dialect's keyword, and no reference seeks it in vain."""
        return self._names[name] == 1

    def is_used_name(self, name: str) -> bool:
        """Whether a reference finds its place by this name."""
        return name in self._used_names

    def is_sought(self, fragment: str) -> bool:
        """Whether a reference that leads nowhere has this fragment."""
        return fragment in self._vain

    def new_name(self, stem: str) -> str:
        """A name that no subschema has and no reference seeks: the stem, with a number where it is taken."""
        name = stem
        number = self._suffixes.get(stem, 1)
        while name in self._names:
            number += 1
            name = f"{stem}-{number}"
        self._suffixes[stem] = number
        self._names[name] += 1
        return name

    @cached_property
    def recursion_name(self) -> str:
        """The name that takes the place of `$recursiveAnchor: true`, the same in all resources."""
        return self.new_name("recursion")

    @cached_property
    def awoken(self) -> dict[Pointer, Reference]:
        """The definitions in an ignored `$defs` that would have some validators of 2020-12 fail, and the reference why."""
        return awoken_references(self.survey)

    @cached_property
    def leads_away(self) -> bool:
        """Whether any reference leads to another document."""
        return any(reference.kind == "remote" for reference in self.survey.references)

    @cached_property
    def _referred(self) -> set[Pointer]:
        return prefixes(reference.target for reference in self.survey.references if reference.kind == "local")

    @cached_property
    def _based(self) -> set[Pointer]:
        id_keyword = self.dialect.id_keyword
        with_identifier = (
            place.pointer[:-1]
            for place in self.survey.places
            if place.pointer and isinstance(place.schema, dict) and isinstance(place.schema.get(id_keyword), str)
        )
        return prefixes((*(r.place.pointer for r in self.survey.references), *with_identifier))

    @cached_property
    def _references(self) -> dict[Pointer, Reference]:
        return {reference.pointer: reference for reference in self.survey.references}

    @cached_property
    def _used_names(self) -> set[str]:
        return {reference.anchor for reference in self.survey.references if reference.anchor is not None}

    @cached_property
    def _vain(self) -> set[str]:
        return {r.text.partition("#")[2] for r in self.survey.references if r.kind == "dangling"}

    @cached_property
    def _names(self) -> Counter[str]:
        """How often each name is had, or sought in vain."""
        names = Counter(name for _, name in self.survey.anchors)
        names.update({decoded(fragment) for fragment in self._vain})
        for keyword in ("$anchor", "$dynamicAnchor"):
            if keyword not in self.dialect.keywords:
                names.update(
                    place.schema[keyword]
                    for place in self.survey.places
                    if isinstance(place.schema, dict) and isinstance(place.schema.get(keyword), str)
                )
        return names


def prefixes(pointers: Iterable[Pointer]) -> set[Pointer]:
    """All pointers that lead to one of these or to something around it."""
    found: set[Pointer] = set()
    for pointer in pointers:
        for end in range(len(pointer), -1, -1):
            if pointer[:end] in found:
                break
            found.add(pointer[:end])
    return found
