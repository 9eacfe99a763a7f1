"""The language server. Nothing outside this package, and nothing that it imports of the core, knows pygls or LSP."""

from __future__ import annotations


def serve() -> None:
    """Serve one client on standard input and output until it says ``exit``.

    Raises SystemExit(1) where the client left without asking to shut down first, as LSP wants.
    """
    import gc

    gc.disable()
    from draftlift.lsp.lazy_lsprotocol import import_lsprotocol, settle_collector

    import_lsprotocol()
    from draftlift.lsp.server import build

    connection = build()
    settle_collector()
    if not connection.run():
        raise SystemExit(1)
