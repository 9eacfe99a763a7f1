"""draftlift lifts MCP tool schemas from older JSON Schema drafts to 2020-12 without changing a verdict."""

__version__ = "0.1.0"
