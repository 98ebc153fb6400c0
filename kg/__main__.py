"""`python -m kg`: the `kg` command where the script is not on the path."""

import sys

from kg.cli import command

sys.exit(command())
