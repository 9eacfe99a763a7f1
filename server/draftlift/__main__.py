"""``python -m draftlift`` is the ``draftlift`` command."""

import sys

from draftlift.cli import main

if __name__ == "__main__":
    sys.exit(main())
