"""draftlift lifts MCP tool schemas from older JSON Schema drafts to 2020-12 without changing a verdict."""

__version__ = "0.1.0"

from draftlift.analysis import analyse
from draftlift.normalize import normalize

__all__ = ["__version__", "analyse", "normalize"]
