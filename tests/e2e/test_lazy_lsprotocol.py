"""Classes of the protocol that are made when they are first used are those of a plain import, whoever uses them first."""

from __future__ import annotations

import subprocess
import sys

import pytest

LAZILY = "from draftlift.lsp.lazy_lsprotocol import import_lsprotocol; import_lsprotocol()"
PLAINLY = "import lsprotocol.types"

SAID = """
import json, attrs
from lsprotocol import types
from pygls.protocol import default_converter
converter = default_converter()
for name, class_ in sorted(dict(types.ALL_TYPES_MAP).items()):
    if isinstance(class_, type) and attrs.has(class_):
        attrs.resolve_types(class_, dict(types.ALL_TYPES_MAP), {})
        print(name, [(f.name, str(f.type), f.default, f.kw_only, bool(f.validator)) for f in attrs.fields(class_)])
message = {"jsonrpc": "2.0", "id": 1, "method": "textDocument/codeAction", "params": {
    "textDocument": {"uri": "a:b"}, "range": {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 4}},
    "context": {"diagnostics": [], "only": ["quickfix", "of our own"], "triggerKind": 2}, "workDoneToken": 7}}
read = converter.structure(message, types.CodeActionRequest)
print(read.params.range.end.line, read.params.context.trigger_kind, json.dumps(converter.unstructure(read)))
"""

AT_ONCE = """
import sys, threading, attrs
from lsprotocol import types
sys.setswitchinterval(1e-6)
attrs.validators.set_disabled(True)
classes = [c for c in dict(types.ALL_TYPES_MAP).values() if isinstance(c, type) and "__attrs_attrs__" in vars(c)]
begin = threading.Barrier(4)
wrong = []
def use(number):
    begin.wait()
    for class_ in classes:
        try:
            if number % 2:
                fields = attrs.fields(class_)
            else:
                class_(**{f: None for f in class_.__annotations__})
                fields = attrs.fields(class_)
            if any(isinstance(field.type, str) for field in fields) or "ForwardRef" in str([f.type for f in fields]):
                wrong.append(f"{class_.__name__}: not resolved")
        except Exception as error:
            wrong.append(f"{class_.__name__}: {error!r}")
threads = [threading.Thread(target=use, args=[number]) for number in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(classes) > 300, wrong)
"""

OTHERWISE = {
    "lsprotocol asks for no lazy classes": "import attrs, attr; attrs.define, attr.define = attr.s, None",
    "attrs keeps fields elsewhere": "import draftlift.lsp.lazy_lsprotocol as lazy; lazy._FIELDS = '__fields__'",
    "attrs cannot make a class without slots": "import attrs; define = attrs.define\n"
    "def other(*classes, slots=True, **options):\n"
    "    if not slots: raise TypeError('slots')\n"
    "    return define(*classes, **options)\n"
    "attrs.define = other",
    "lsprotocol resolves types itself": "import lsprotocol; import types; hooks = types.ModuleType('lsprotocol._hooks')\n"
    "import sys; sys.modules['lsprotocol._hooks'] = lsprotocol._hooks = hooks",
}


def run(*lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_class_is_that_of_a_plain_import() -> None:
    assert run(LAZILY, SAID) == run(PLAINLY, SAID)


def test_threads_that_use_classes_first_at_the_same_time_find_them_whole() -> None:
    assert run(LAZILY, AT_ONCE) == "True []\n"


@pytest.mark.parametrize("other", OTHERWISE.values(), ids=OTHERWISE.keys())
def test_where_the_inside_is_another_the_import_is_the_plain_one(other: str) -> None:
    is_plain = "import attrs; from lsprotocol import types; print(types.TextDocumentIdentifier('a') == types.TextDocumentIdentifier('a'))"
    assert run(LAZILY, is_plain) == "False\n"
    assert run(other, LAZILY, is_plain) == "True\n"


def test_what_is_imported_already_stays() -> None:
    assert run(PLAINLY, LAZILY, "from lsprotocol import types; print(types.Position(1, 2))") == "1:2\n"
