"""With DRAFTLIFT_PURE=1 in the environment every test reads YAML by the pure parser, as where libyaml is missing."""

from __future__ import annotations

import os

from draftlift.syntax import yaml_reader

if os.environ.get("DRAFTLIFT_PURE") == "1":
    yaml_reader._libyaml_parser = lambda: None
