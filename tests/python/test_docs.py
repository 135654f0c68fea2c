# SPDX-License-Identifier: MIT
"""Generated pages are up to date, their examples work, their links lead somewhere, Python names have docstrings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import twinir
from twinir import _core, families

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "families"
WRITTEN = [*(ROOT / "docs" / "python").glob("*.md"), *PAGES.glob("*.md")]


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = str(Path(twinir.__file__).parents[1])
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["family_docs", "python_docs"])
def test_generated_pages_are_up_to_date(name: str) -> None:
    done = script(name, "--check")
    assert done.returncode == 0, done.stderr


def test_names_of_the_python_files_have_docstrings() -> None:
    bare = script("python_docs", "--missing").stdout.split()
    compiled = {"KernelBuilder", "Pointer", "Type", "Value", "Buffer"}
    assert [name for name in bare if name.partition(".")[0] not in compiled] == []


@pytest.mark.parametrize("family", families.names())
def test_example_of_a_family(family: str) -> None:
    """Its spec builds in Python; the command line emits the same kernel."""
    page = (PAGES / f"{family}.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(code[: code.index("kernel.check()")], names)
    kernel = names["kernel"]
    assert isinstance(kernel, twinir.Kernel)
    command = (
        page.split("```\ntwinir emit ")[1].split("\n")[0].replace("--engine both", "--engine python --flavor llvm22")
    )
    done = subprocess.run(
        [_core.places()["program"], "emit", *command.split()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == kernel.emit(22, engine="python")


@pytest.mark.parametrize("page", WRITTEN, ids=lambda p: p.stem)
def test_links(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"
