# SPDX-License-Identifier: MIT
"""The package's types, style and stubs; every public name is documented."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import twinir

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str) -> None:
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_mypy(tmp_path: Path) -> None:
    run(sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", str(tmp_path), "python")


@pytest.mark.parametrize("folder", ["python", "tests/python"])
def test_ruff(folder: str) -> None:
    run(sys.executable, "-m", "ruff", "check", "--no-cache", folder)


def test_stubs_are_those_of_the_extension() -> None:
    if sys.prefix != str(ROOT / ".cache" / "venv") and "TWINIR_BUILD_DIR" not in os.environ:
        pytest.skip("another Python: scripts/stubs uses that of scripts/setup")
    run(str(ROOT / "scripts" / "stubs"), "--check")


def test_public_names_are_documented() -> None:
    assert sorted(twinir.__all__) == sorted(set(twinir.__all__))
    for name in twinir.__all__:
        item = getattr(twinir, name)
        if isinstance(item, type) or callable(item):
            assert item.__doc__, name
        for member, value in vars(item).items() if isinstance(item, type) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                said = [line for line in (value.__doc__ or "").splitlines() if "->" not in line and line.strip()]
                assert said, f"{name}.{member} has no docstring"
