"""``draftlift fix --diff``: what sample values say of each schema that the patch changes."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from draftlift.analysis import Analysis
from draftlift.judge.outcome import Trial
from draftlift.judge.process import Judge

_START_S = 20.0
_LIMIT_S = 1.0
_MOST_S = 5.0


class Trials:
    """Tries out what one command changes, for ``most_s`` in all."""

    def __init__(self, most_s: float = _MOST_S) -> None:
        self._judge = Judge()
        self._left_s = most_s
        self._has_said = False

    def lines(self, name: str, before: Analysis, after: Analysis) -> Iterator[str]:
        """A line for each schema that is another one in the text called ``name`` afterwards."""
        changed = list(_changed(before, after))
        if changed and self._left_s > 0:
            self._judge.warm(_START_S)
        for number, (where, trial) in enumerate(changed):
            if self._left_s <= 0:
                if not self._has_said:
                    self._has_said = True
                    yield (
                        f"{name}: {len(changed) - number} more changed schemas are not tried out, nor those of later "
                        "files, since trying out took long"
                    )
                return
            began = monotonic()
            outcome = self._judge.agree(trial, min(_LIMIT_S, self._left_s))
            self._left_s -= monotonic() - began
            if outcome is not None:
                yield f"{name}: {where}: {outcome.sentence}"

    def close(self) -> None:
        """End what was started."""
        self._judge.close()


def _changed(before: Analysis, after: Analysis) -> Iterator[tuple[str, Trial]]:
    """The schemas that changed, by the name of their place."""
    now = {(schema.site.document, schema.site.pointer): schema.value for schema in after.schemas}
    for schema in before.schemas:
        translated = now.get((schema.site.document, schema.site.pointer))
        if schema.dialect is not None and isinstance(schema.value, dict) and translated != schema.value:
            where = f"{schema.site.tool}: {schema.site.field}" if schema.site.tool else schema.site.field
            yield where, Trial(schema.value, translated, schema.dialect)
