# SPDX-License-Identifier: MIT
"""The same input gives the same bytes, whatever the process looks like; nothing of the machine is in them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Result, program

Twinir = Callable[..., Result]


def german(tmp_path: Path) -> dict[str, str]:
    """Variables that make de_DE.UTF-8 (decimal commas) be found: as it is installed, else made by localedef."""
    folder = tmp_path / "locales"
    installed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.lower()
    if "de_de.utf8" in installed:
        return {}
    if shutil.which("localedef") is None:
        pytest.skip("no locale de_DE.UTF-8, and no localedef to make it")
    folder.mkdir(exist_ok=True)
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, check=False
    )
    if not (folder / "de_DE.UTF-8").exists():
        pytest.skip(f"no locale de_DE.UTF-8, and localedef cannot make it: {made.stderr!r}")
    return {"LOCPATH": str(folder)}


def test_the_locale_has_decimal_commas(tmp_path: Path) -> None:
    env = os.environ | german(tmp_path) | {"LC_ALL": "de_DE.UTF-8"}
    probe = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
    assert subprocess.check_output([sys.executable, "-c", probe], env=env, text=True).strip() == ","


def variants(tmp_path: Path, count: int = 12) -> list[tuple[dict[str, str], Path, list[str]]]:
    other = tmp_path / "other"
    other.mkdir()
    locales = german(tmp_path)
    out = []
    for i in range(count):
        env = {
            **locales,
            "PYTHONHASHSEED": str(i * 977),
            "TZ": ("UTC", "Asia/Tokyo", "America/Lima")[i % 3],
            "LC_ALL": ("C", "de_DE.UTF-8", "C.UTF-8", "tr_TR.UTF-8")[i % 4],
            "HOME": str(other if i % 2 else tmp_path),
            "COLUMNS": str(40 + i),
        }
        still = shutil.which("setarch") if i % 2 else None
        out.append((env, other if i % 3 == 0 else Path("/"), [still, os.uname().machine, "-R"] if still else []))
    return out


def hashes(tmp_path: Path, *arguments: str, count: int = 12) -> set[str]:
    found = set()
    for env, folder, before in variants(tmp_path, count):
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


@pytest.mark.parametrize(
    ("family", "target"),
    (
        ("transpose", "gfx1250"),
        ("saxpy", "gfx950"),
        ("block_sum", "gfx1150"),
        ("winograd_input", "gfx1250"),
        ("gemm", "gfx1250"),
    ),
)
def test_code_object(tmp_path: Path, twinir: Twinir, family: str, target: str) -> None:
    arguments = ("compile", family, "--target", target, "--flavor", "llvm22", "-o", "-")
    assert len(hashes(tmp_path, *arguments, count=4)) == 1
    data = twinir(*arguments, binary=True).stdout
    assert traces(data, str(tmp_path)) == []


def traces(data: bytes, *more: str) -> list[str]:
    """What names a machine, a place on it or a time."""
    host = socket.gethostname()
    words = [str(ROOT), str(program().parent), "/tmp", "/home", "/root", "/usr", "/build", *more]
    found = [word for word in words + [host] * (len(host) > 4) if word.encode() in data]
    times = rb"20\d\d-[01]\d-[0-3]\d|[0-2]\d:[0-5]\d:[0-5]\d|[A-Z][a-z]{2} [ 0-3]\d 20\d\d"
    return found + [match.decode() for match in re.findall(times, data)]


@pytest.mark.parametrize("planted", ("/tmp/x.ll", "2026-12-01", "07:30:01", "Dec  1 2026", str(ROOT)))
def test_a_trace_is_found(planted: str) -> None:
    assert traces(b"\x7fELF\0" + planted.encode() + b"\0")


def test_every_gate_case_in_other_processes(tmp_path: Path) -> None:
    """Hashes of all texts of both emitters: other hash seeds, places, locales, time zones; addresses fixed or not."""
    found = set()
    for env, folder, before in variants(tmp_path, 4):
        command = [*before, str(program()), "gate", "--no-codegen", "--json"]
        run = subprocess.run(command, env=os.environ | env, cwd=folder, capture_output=True, check=True)
        report = json.loads(run.stdout)
        assert report["cases"] > 500
        found.add(json.dumps([flavor["results"] for flavor in report["flavors"]]))
    assert len(found) == 1


def test_gate_with_one_and_many_threads(twinir: Twinir) -> None:
    def results(jobs: str) -> list[object]:
        report = json.loads(twinir("gate", "--no-codegen", "--json", "--only", "saxpy", "--jobs", jobs).stdout)
        return [flavor["results"] for flavor in report["flavors"]]

    assert results("1") == results("16")
