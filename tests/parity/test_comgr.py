# SPDX-License-Identifier: MIT
"""Flavor 22 through AMD's code object manager: the same code, and the check can fail."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from conftest import ROOT

CHECK = ROOT / "scripts" / "comgr" / "check"


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = os.environ.get("TWINIR_PROGRAM") or pytest.skip("$TWINIR_PROGRAM does not name the program")
    command = [sys.executable, str(CHECK), "--program", program, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def skip_without_comgr() -> None:
    if not list((ROOT / ".cache" / "comgr").glob("root/usr/lib/*/libamd_comgr.so.3")):
        pytest.skip("no libamd_comgr.so.3 (scripts/comgr/prefix .cache/comgr)")


def test_without_the_library_it_says_so(tmp_path: object) -> None:
    result = check("--prefix", str(tmp_path))
    assert result.returncode == 3
    assert result.stdout.startswith("SKIP: no libamd_comgr.so.3 in ")


def test_the_same_code() -> None:
    skip_without_comgr()
    result = check()
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == 7
    assert all(line.endswith("the same .text .rodata .note") for line in lines)


def test_another_text_gives_other_code() -> None:
    skip_without_comgr()
    result = check("--spoil", "saxpy")
    assert result.returncode == 1
    assert "differs in .text" in result.stdout


def test_families_that_are_not_checked_are_refused() -> None:
    assert check("no_such_family").returncode == 2
