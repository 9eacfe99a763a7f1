"""Start the language server with the packages that came with the extension.

Run with ``python -I``: the packages beside this file come first, and the interpreter's own only where it has an
accelerator that no universal extension can carry (PyYAML's libyaml, for YAML files three times as fast).
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "libs"))

from draftlift.cli import main

sys.exit(main(["serve", *sys.argv[1:]]))
