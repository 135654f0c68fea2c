# SPDX-License-Identifier: MIT
"""emit/processors.def is what scripts/processors reads from LLVM 22's header."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEADER = Path("/usr/lib/llvm-22/include/llvm/BinaryFormat/ELF.h")


def test_the_table_of_processors_is_as_recorded() -> None:
    if not HEADER.is_file():
        pytest.skip(f"no {HEADER} (llvm-22-dev)")
    command = [sys.executable, str(ROOT / "scripts" / "processors"), str(HEADER)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert run.stdout == (ROOT / "emit" / "processors.def").read_text()
    assert 'TWINIR_PROCESSOR(0x49, "gfx1250")' in run.stdout


def test_a_header_without_the_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ELF.h").write_text("  EF_AMDGPU_MACH_AMDGCN_GFX1250 = 0x049,\n")
    command = [sys.executable, str(ROOT / "scripts" / "processors"), str(tmp_path / "ELF.h")]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 1
