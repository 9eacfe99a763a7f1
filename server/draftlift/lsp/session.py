"""What one connection knows: the client and its abilities, the settings, the open documents."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from lsprotocol import types
from pygls.capabilities import get_capability

from draftlift.analysis.pieces import Pieces
from draftlift.config import Section
from draftlift.lsp.connection import Connection
from draftlift.lsp.documents import Document
from draftlift.lsp.trials import Trials
from draftlift.lsp.workspace import Workspace
from draftlift.text import Encoding

_QUERY = re.compile(r"[?#]")


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can take. Nothing, until it has said so."""

    encoding: Encoding = "utf-16"
    markdown: bool = False
    pulls_diagnostics: bool = False
    registers_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    related_information: bool = False
    tags: frozenset[int] = frozenset()
    document_changes: bool = False
    change_annotations: bool = False
    resolves_edits: bool = False
    disabled_actions: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False
    shows_progress: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities, encoding: Encoding) -> Client:
        """The client that announced these capabilities; ``encoding`` is the one agreed on."""

        def can(name: str) -> bool:
            return bool(get_capability(capabilities, name, False))

        formats = get_capability(capabilities, "text_document.hover.content_format", None) or ()
        tags = get_capability(capabilities, "text_document.publish_diagnostics.tag_support.value_set", None) or ()
        if can("text_document.diagnostic"):
            tags = (
                *tags,
                *(get_capability(capabilities, "text_document.diagnostic.tag_support.value_set", None) or ()),
            )
        resolved = get_capability(capabilities, "text_document.code_action.resolve_support.properties", None) or ()
        document_changes = can("workspace.workspace_edit.document_changes")
        return cls(
            encoding=encoding,
            markdown=types.MarkupKind.Markdown in formats[:1],
            pulls_diagnostics=can("text_document.diagnostic"),
            registers_diagnostics=can("text_document.diagnostic.dynamic_registration"),
            refreshes_diagnostics=can("workspace.diagnostics.refresh_support"),
            related_information=can("text_document.publish_diagnostics.related_information")
            or can("text_document.diagnostic.related_information"),
            tags=frozenset(tags),
            document_changes=document_changes,
            change_annotations=document_changes and can("workspace.workspace_edit.change_annotation_support"),
            resolves_edits="edit" in resolved and can("text_document.code_action.data_support"),
            disabled_actions=can("text_document.code_action.disabled_support"),
            configuration=can("workspace.configuration"),
            registers_configuration=can("workspace.did_change_configuration.dynamic_registration"),
            registers_watched_files=can("workspace.did_change_watched_files.dynamic_registration"),
            shows_progress=can("window.work_done_progress"),
        )


@dataclass(slots=True)
class Session:
    """The state of one connection.

    ``section`` are the settings outside of all folders, ``sections`` those of each folder of the workspace, by its URI.
    ``settled`` is set once the settings are known, or the client is slow to tell; before that nothing is said of any
    document. ``complaints`` are what was said of wrong settings.
    """

    connection: Connection
    client: Client = field(default_factory=Client)
    section: Section = field(default_factory=Section)
    sections: dict[str, Section] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    workspace: Workspace = field(default_factory=Workspace)
    trials: Trials = field(default_factory=Trials)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    complaints: set[str] = field(default_factory=set)

    def pieces(self, document: Document) -> Pieces | None:
        """What is known of a document as it stands; None where its language is not ours, the settings leave it out, or
        draftlift failed at it.
        """
        return None if self.leaves_out(document) else document.pieces(self.section_of(document.uri)[0].rules)

    def leaves_out(self, document: Document) -> bool:
        """Whether the settings leave a document out."""
        section, name = self.section_of(document.uri)
        return name is not None and not section.files.takes(name)

    async def document(self, uri: str) -> Document | None:
        """An open document about which ``pieces`` answers at once; waits for it."""
        document = self.documents.get(uri)
        if document is not None:
            await document.ready(lambda: self.section_of(uri)[0].rules)
        return self.documents.get(uri)

    def section_of(self, uri: str) -> tuple[Section, str | None]:
        """The settings for a document, and its name in its folder; None where it is no file."""
        folder = self.folder_of(uri)
        if folder is not None:
            return self.sections[folder], unquote(uri[len(_with_slash(folder)) :])
        return self.section, _path_of_file(uri)

    def folder_of(self, uri: str) -> str | None:
        """The innermost folder of the workspace that a document is in; None outside of all."""
        return max((folder for folder in self.sections if uri.startswith(_with_slash(folder))), key=len, default=None)


def _path_of_file(uri: str) -> str | None:
    """What a URI says of a file's path, without slashes in front; None of what is no file. No URI is too strange."""
    scheme, colon, rest = _QUERY.split(uri, maxsplit=1)[0].partition(":")
    if not colon or scheme.lower() != "file":
        return None
    if rest.startswith("//"):
        _, _, rest = rest[2:].partition("/")
    return unquote(rest).lstrip("/")


def _with_slash(uri: str) -> str:
    return uri if uri.endswith("/") else uri + "/"
