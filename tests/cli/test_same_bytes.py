# SPDX-License-Identifier: MIT
"""The same input gives the same bytes, whatever the process looks like; nothing of the machine is in them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from conftest import ROOT, Result, program

Twinir = Callable[..., Result]


def variants(tmp_path: Path) -> list[tuple[dict[str, str], Path, list[str]]]:
    other = tmp_path / "other"
    other.mkdir()
    out = []
    for i in range(12):
        env = {
            "PYTHONHASHSEED": str(i * 977),
            "TZ": ("UTC", "Asia/Tokyo", "America/Lima")[i % 3],
            "LC_ALL": ("C", "de_DE.UTF-8", "C.UTF-8", "tr_TR.UTF-8")[i % 4],
            "HOME": str(other if i % 2 else tmp_path),
            "COLUMNS": str(40 + i),
        }
        still = shutil.which("setarch") if i % 2 else None
        out.append((env, other if i % 3 == 0 else Path("/"), [still, os.uname().machine, "-R"] if still else []))
    return out


def hashes(tmp_path: Path, *arguments: str) -> set[str]:
    found = set()
    for env, folder, before in variants(tmp_path):
        old = os.umask(0o077 if folder == Path("/") else 0o022)
        result = subprocess.run(
            [*before, str(program()), *arguments], env=os.environ | env, cwd=folder, capture_output=True, check=True
        )
        os.umask(old)
        found.add(hashlib.sha256(result.stdout).hexdigest())
    return found


def test_ir_text_of_both_emitters(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    cpp = hashes(tmp_path / "a", "emit", "transpose", "--engine", "cpp", "--flavor", "llvm22")
    python = hashes(tmp_path / "b", "emit", "transpose", "--engine", "python", "--flavor", "llvm22")
    assert len(cpp) == 1
    assert cpp == python


def test_code_object(tmp_path: Path, twinir: Twinir) -> None:
    assert len(hashes(tmp_path, "compile", "transpose", "--flavor", "llvm22", "-o", "-")) == 1
    data = twinir("compile", "transpose", "--flavor", "llvm22", "-o", "-", binary=True).stdout
    host = socket.gethostname()
    places = [str(ROOT), str(program().parent), str(tmp_path), "/tmp", "/home", "/root"]
    for word in places + [host] * (len(host) > 4):
        assert word.encode() not in data, word


def test_gate_with_one_and_many_threads(twinir: Twinir) -> None:
    def results(jobs: str) -> list[object]:
        report = json.loads(twinir("gate", "--no-codegen", "--json", "--only", "saxpy", "--jobs", jobs).stdout)
        return [flavor["results"] for flavor in report["flavors"]]

    assert results("1") == results("16")
