# SPDX-License-Identifier: MIT
"""A wheel of the tree that is built, installed into an environment of its own outside of it, and used there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TWINIR_BUILD_DIR", ROOT / "build" / "release"))


def run(*command: object, cwd: Path) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("TWINIR", "PYTHON", "XDG"))}
    clean["XDG_STATE_HOME"] = str(cwd / "state")
    words = [str(c) for c in command]
    ran = subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="twinir-wheel-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def wheel(outside: Path) -> Path:
    make = [ROOT / "scripts" / "wheel", "--build", BUILD, "--python", sys.executable]
    printed = run(*make, outside / "dist", cwd=outside)
    return Path(printed.strip())


def test_contents(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        package = {n.removeprefix("twinir/") for n in names if n.startswith("twinir/")}
        wanted = ["__init__.py", "py.typed", "_core.pyi", "bin/twinir", "share/twinir/flavors/llvm22.json"]
        wanted += ["share/twinir/python/twinir_emit/__init__.py", "share/twinir/golden/llvm22/saxpy.json"]
        assert not [name for name in wanted if name not in package]
        assert any(name.startswith("_core.cpython-") for name in package)
        assert not [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".a", ".hpp"))]
        assert all(n.startswith(("twinir/", "twinir-")) for n in names), names
        assert archive.getinfo("twinir/bin/twinir").external_attr >> 16 & 0o111
        for name in names:
            data = archive.read(name)
            for path in (ROOT, BUILD):
                assert str(path).encode() + b"/" not in data, f"{name} names {path}"
        metadata = archive.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode()
    assert "Requires-Dist: numpy" in metadata and "License-Expression: MIT" in metadata


def test_installed(wheel: Path, outside: Path) -> None:
    venv = outside / "venv"
    run(sys.executable, "-m", "venv", venv, cwd=outside)
    python = venv / "bin" / "python"
    run(python, "-m", "pip", "-q", "--disable-pip-version-check", "install", wheel, cwd=outside)
    here = outside / "packaged.py"
    shutil.copy(Path(__file__).with_name("packaged.py"), here)
    assert f"{venv}/lib" in run(python, here, cwd=outside)
