"""The language server. Nothing outside this package, and nothing that it imports of the core, knows pygls or LSP."""

from __future__ import annotations


def serve() -> None:
    """Serve one client on standard input and output until it says ``exit``.

    Raises SystemExit(1) where the client left without asking to shut down first, as LSP wants.
    """
    import gc

    # Half of the start is the import of lsprotocol's 500 classes: none of that is garbage, now or later.
    gc.disable()
    from draftlift.lsp.server import build

    connection = build()
    gc.freeze()
    gc.set_threshold(300_000, 20, 1000)  # an analysis makes many objects, and no cycles
    gc.enable()
    if not connection.run():
        raise SystemExit(1)
