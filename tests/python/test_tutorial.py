# SPDX-License-Identifier: MIT
"""The tutorial does what it says: every block runs, and prints what the page shows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import twinir

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(twinir.__file__).parents[1]


@pytest.mark.skipif(
    not any(f.name == "llvm22" and f.installed for f in twinir.flavors()), reason="LLVM 22 is not installed"
)
def test_every_block_prints_what_the_page_shows(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    document = ROOT / "docs" / "python" / "tutorial.md"
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "run_document", document],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 20  # blocks
