# SPDX-License-Identifier: MIT
"""Recording and checking goldens in a git tree of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Result

Twinir = Callable[..., Result]


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def share(tmp_path: Path) -> Path:
    """A share folder in a clean git tree, with an empty golden folder."""
    folder = tmp_path / "tree"
    (folder / "golden").mkdir(parents=True)
    (folder / "golden" / ".keep").write_text("")
    (folder / "source.cpp").write_text("int x;\n")
    for name, source in (("flavors", "emit/flavors"), ("python", "emit/python")):
        (folder / name).symlink_to(ROOT / source)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "start")
    return folder


@pytest.fixture
def gated(twinir: Twinir, share: Path) -> Twinir:
    def run(*arguments: str) -> Result:
        return twinir(*arguments, env={"TWINIR_SHARE_DIR": str(share)})

    return run


FAMILY = ("--only", "saxpy", "--flavor", "llvm22")


def test_record_check_and_change(gated: Twinir, share: Path) -> None:
    assert gated("golden", "check", *FAMILY).returncode == 1
    recorded = gated("golden", "record", *FAMILY)
    assert recorded.returncode == 0, recorded.stderr
    assert "llvm22 saxpy: 18 added, 0 removed, 0 changed" in recorded.stdout
    shard = share / "golden" / "llvm22" / "saxpy.json"
    assert gated("golden", "check", *FAMILY).returncode == 0
    assert "0 of 1 shards written" in gated("golden", "record", *FAMILY).stdout  # the tree is dirty in golden only
    content = json.loads(shard.read_text())
    assert content["schema"] == "twinir-golden-1"
    case, digest = next(iter(content["cases"].items()))
    shard.write_text(shard.read_text().replace(digest, digest[::-1]))
    drift = gated("gate", "--no-codegen", *FAMILY)
    assert drift.returncode == 1
    assert f"DRIFT llvm22 {case}" in drift.stdout
    again = gated("golden", "record", *FAMILY)
    assert f"changed  {case}" in again.stdout
    assert json.loads(shard.read_text()) == content


def test_a_dirty_tree_is_refused(gated: Twinir, share: Path) -> None:
    (share / "source.cpp").write_text("int y;\n")
    refused = gated("golden", "record", *FAMILY)
    assert refused.returncode == 1
    assert "TIR6004" in refused.stderr
    assert "source.cpp" in refused.stderr
    assert not (share / "golden" / "llvm22").exists()
    assert gated("golden", "record", "--allow-dirty", *FAMILY).returncode == 0


def test_against_a_revision(gated: Twinir, share: Path) -> None:
    gated("golden", "record", *FAMILY)
    git(share, "add", ".")
    git(share, "commit", "-q", "-m", "goldens")
    shard = share / "golden" / "llvm22" / "saxpy.json"
    content = json.loads(shard.read_text())
    first, second = list(content["cases"])[:2]
    text = shard.read_text().replace(content["cases"][first], "0" * 64)
    text = "\n".join(line for line in text.splitlines() if second not in line) + "\n"
    shard.write_text(text)
    git(share, "commit", "-q", "-a", "-m", "other goldens")
    report = json.loads(gated("gate", "--no-codegen", "--json", "--against", "HEAD", *FAMILY).stdout)["against"]
    assert report["changed"] == [f"llvm22: {first}"]
    assert report["new"] == [f"llvm22: {second}"]
    assert report["unchanged"] == 16
    before = json.loads(gated("gate", "--no-codegen", "--json", "--against", "HEAD~1", *FAMILY).stdout)["against"]
    assert (before["changed"], before["new"], before["unchanged"]) == ([], [], 18)


def test_a_shard_that_cannot_be_written_is_an_error(gated: Twinir, share: Path) -> None:
    if os.geteuid() == 0:
        (share / "golden" / "llvm22").write_text("in the way")
    else:
        (share / "golden").chmod(0o500)
    result = gated("golden", "record", "--allow-dirty", *FAMILY)
    assert result.returncode == 1
    assert "TIR7002" in result.stderr
