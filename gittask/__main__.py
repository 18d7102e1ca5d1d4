"""``python -m gittask``."""

import sys

from gittask.cli import main

sys.exit(main())
