# SPDX-License-Identifier: MIT
"""Finds the repository from this file's own place and makes the emitter, the kit and the generators importable."""

import os
import sys
from pathlib import Path
from typing import Any

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "dsl" / "ops.def").is_file())
for folder in ("emit/python", "tests/kit", "tests/parity", "tests/property"):
    sys.path.insert(0, str(ROOT / folder))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(
        f"random tests: first seed {os.environ.get('TWINIR_TEST_SEED', '0')} ($TWINIR_TEST_SEED)"
    )
