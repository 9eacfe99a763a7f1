"""Between the core and LSP: what spans, findings and fixes become there. Only ``diagnostics_json`` writes ranges as well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from lsprotocol import types

from draftlift.analysis import Finding
from draftlift.lsp.documents import Document
from draftlift.lsp.session import Client
from draftlift.rules.base import PAGES, Severity
from draftlift.syntax.pointer import to_text
from draftlift.text import Edit, Span

SOURCE = "draftlift"
RULE_PAGE = PAGES + "/rules/{}.md"
MAX_DIAGNOSTICS = 1000

_SEVERITIES: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_TAGS = {"deprecated": types.DiagnosticTag.Deprecated, "unnecessary": types.DiagnosticTag.Unnecessary}
_ANNOTATION = "draftlift.changes-what-passes"


def to_range(document: Document, span: Span, client: Client) -> types.Range:
    """A span of the document's text as the client counts."""
    start = document.lines.position(span.start, client.encoding)
    end = document.lines.position(span.end, client.encoding)
    return types.Range(types.Position(*start), types.Position(*end))


def to_offset(document: Document, position: types.Position, client: Client) -> int:
    """A position of the client as an offset in the document's text."""
    return document.lines.offset(position.line, position.character, client.encoding)


def to_span(document: Document, range_: types.Range, client: Client) -> Span:
    """A range of the client as a span of the document's text."""
    start = to_offset(document, range_.start, client)
    return Span(start, max(start, to_offset(document, range_.end, client)))


def choose(findings: Sequence[Finding]) -> tuple[Sequence[int], list[int]]:
    """Which of the findings, given in text order, are shown, and which there is no room for: their indices.

    Where there are too many, the most severe are shown, of equal ones the first; one place is for ``to_note``.
    """
    if len(findings) <= MAX_DIAGNOSTICS:
        return range(len(findings)), []
    counts = Counter(finding.severity for finding in findings)
    room = MAX_DIAGNOSTICS - 1
    rooms: dict[Severity, int] = {}
    for severity in _SEVERITIES:
        rooms[severity] = min(counts[severity], room)
        room -= rooms[severity]
    shown: list[int] = []
    left_out: list[int] = []
    for index, finding in enumerate(findings):
        if rooms[finding.severity]:
            rooms[finding.severity] -= 1
            shown.append(index)
        else:
            left_out.append(index)
    return shown, left_out


def to_note(document: Document, first: Span, count: int, client: Client) -> types.Diagnostic:
    """What says that ``count`` findings are not shown, of which the ``first`` lies there."""
    return types.Diagnostic(
        range=to_range(document, first, client),
        message=f"{count} more findings in this file are not shown; `draftlift check` lists them all",
        severity=types.DiagnosticSeverity.Information,
        source=SOURCE,
    )


def to_diagnostics(document: Document, findings: tuple[Finding, ...], client: Client) -> list[types.Diagnostic]:
    """Findings as diagnostics, or as many of them as are shown and a note of how many more there are."""
    shown, left_out = choose(findings)
    diagnostics = [to_diagnostic(document, findings[index], client) for index in shown]
    if left_out:
        diagnostics.append(to_note(document, findings[left_out[0]].span, len(left_out), client))
    return diagnostics


def to_diagnostic(document: Document, finding: Finding, client: Client) -> types.Diagnostic:
    """A finding as a diagnostic."""
    related = None
    if finding.related and client.related_information:
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(document.uri, to_range(document, span, client)), sendable(message)
            )
            for span, message in finding.related
        ]
    said = to_plain_diagnostic(finding, client)
    return types.Diagnostic(
        range=to_range(document, finding.span, client),
        message=said["message"],
        severity=types.DiagnosticSeverity(said["severity"]),
        code=said["code"],
        code_description=types.CodeDescription(**said["codeDescription"]),
        source=said["source"],
        tags=[types.DiagnosticTag(tag) for tag in said.get("tags", ())] or None,
        related_information=related,
        data=said["data"],
    )


def to_plain_diagnostic(finding: Finding, client: Client) -> dict[str, Any]:
    """What a diagnostic says of a finding, as the JSON object it becomes; without its range, and what is related.

    Made in a tenth of the time of ``to_diagnostic``, for ``diagnostics_json``.
    """
    said: dict[str, Any] = {
        "message": sendable(finding.message),
        "severity": _SEVERITIES[finding.severity].value,
        "code": finding.rule,
        "codeDescription": {"href": RULE_PAGE.format(finding.rule)},
        "source": SOURCE,
    }
    tags = _tags(finding, client)
    if tags:
        said["tags"] = tags
    return {**said, "data": _data(finding)}


def _tags(finding: Finding, client: Client) -> list[int]:
    return [tag.value for name in finding.tags if (tag := _TAGS[name]) in client.tags]


def _data(finding: Finding) -> dict[str, object]:
    return {
        "pointer": sendable(to_text(finding.pointer)),
        "tool": sendable(finding.tool) if finding.tool is not None else None,
        "document": finding.document,
    }


def to_workspace_edit(
    document: Document, edits: Iterable[Edit], client: Client, *, asks_first: bool = False
) -> types.WorkspaceEdit:
    """Edits of one document, for its present version; to be confirmed by the user where ``asks_first``."""
    if not client.document_changes:
        return types.WorkspaceEdit(changes={document.uri: [_text_edit(document, edit, client) for edit in edits]})
    annotated = asks_first and client.change_annotations
    changes: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    for edit in edits:
        plain = _text_edit(document, edit, client)
        changes.append(types.AnnotatedTextEdit(_ANNOTATION, plain.range, plain.new_text) if annotated else plain)
    identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(identifier, changes)],
        change_annotations={_ANNOTATION: types.ChangeAnnotation("Changes what passes", needs_confirmation=True)}
        if annotated
        else None,
    )


def _text_edit(document: Document, edit: Edit, client: Client) -> types.TextEdit:
    return types.TextEdit(to_range(document, Span(edit.start, edit.end), client), edit.new_text)


def sendable(text: str) -> str:
    """A text with U+FFFD for lone surrogates: a schema may hold them as escapes, but no client can write them back."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def to_markup(markdown: str, client: Client) -> types.MarkupContent:
    """Markdown for a client that takes it, else what is left without its marks."""
    markdown = sendable(markdown)
    if client.markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markdown)
    text = re.sub(r"^```.*\n?", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]\n]+)\]\(([^)\s]+)\)", r"\1 (\2)", text)
    text = re.sub(r"^#+ ", "", text, flags=re.MULTILINE)
    return types.MarkupContent(types.MarkupKind.PlainText, text.replace("**", "").replace("`", ""))
