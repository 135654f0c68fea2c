# SPDX-License-Identifier: MIT
"""The program under test: $TWINIR_PROGRAM (a path), run with an environment of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "dsl" / "ops.def").is_file())
Result = subprocess.CompletedProcess[str]


def program() -> Path:
    path = os.environ.get("TWINIR_PROGRAM", "")
    if not path:
        pytest.skip("$TWINIR_PROGRAM does not name the program", allow_module_level=True)
    return Path(path).resolve()


@pytest.fixture
def twinir(tmp_path: Path) -> Callable[..., Result]:
    """Runs `twinir`; state and reproducers go to the test's own folder."""

    def run(*arguments: str, env: dict[str, str] | None = None, binary: bool = False, **more: object) -> Result:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("TWINIR", "XDG"))}
        clean |= {"XDG_STATE_HOME": str(tmp_path / "state")} | (env or {})
        command = [str(program()), *arguments]
        kept = {"capture_output": True, "text": not binary, "timeout": 120} | more
        result: Result = subprocess.run(command, check=False, env=clean, **kept)  # type: ignore[call-overload]
        return result

    return run
