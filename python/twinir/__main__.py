# SPDX-License-Identifier: MIT
"""The program `twinir` of this package: `twinir ...` or `python -m twinir ...`."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from . import _core


def main() -> NoReturn:
    """Becomes the program, with this process's arguments."""
    program = _core.places()["program"]
    os.execv(program, ["twinir", *sys.argv[1:]])


if __name__ == "__main__":
    main()
