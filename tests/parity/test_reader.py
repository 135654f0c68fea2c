# SPDX-License-Identifier: MIT
"""Flavor 20: recorded from the LLVM inside llvmlite, and every text of it read by that LLVM."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

READER = ROOT / "emit" / "reader"
#: The LLVM 22 of another wheel, which scripts/setup puts beside the virtual environment: the recorder against a flavor
#: file that LLVM 22 itself recorded.
WHEEL_22 = ROOT / ".cache" / "llvmlite_22"


def skip_without(major: int, path: Path | None = None) -> None:
    """Skips when this interpreter has no llvmlite with that LLVM."""
    run = subprocess.run(
        [sys.executable, "-c", "import llvmlite.binding as llvm; print(llvm.llvm_version_info[0])"],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | ({"PYTHONPATH": str(path)} if path else {}),
    )
    if run.stdout.strip() != str(major):
        found = run.stdout.strip() or run.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"no llvmlite with LLVM {major} (scripts/setup installs it): {found}")


def record(seeds: Path, path: Path | None = None) -> str:
    env = os.environ | ({"PYTHONPATH": str(path)} if path else {})
    command = [sys.executable, str(READER / "record.py"), "--seeds", str(seeds)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout


def test_llvm20_is_as_recorded() -> None:
    skip_without(20)
    assert record(ROOT / "emit" / "flavors") == (ROOT / "emit" / "flavors" / "llvm20.json").read_text()


def test_the_flavor_itself_is_no_seed_that_counts(tmp_path: Path) -> None:
    skip_without(20)
    for name in ("llvm19", "llvm22"):
        (tmp_path / f"{name}.json").write_text((ROOT / "emit" / "flavors" / f"{name}.json").read_text())
    assert record(tmp_path) == (ROOT / "emit" / "flavors" / "llvm20.json").read_text()


def test_the_recorder_gives_what_llvm22_recorded_itself() -> None:
    skip_without(22, WHEEL_22)
    theirs = json.loads((ROOT / "emit" / "flavors" / "llvm22.json").read_text())
    ours = json.loads(record(ROOT / "emit" / "flavors", WHEEL_22))
    assert ours.pop("llvm").startswith("22.")
    assert theirs.pop("llvm").startswith("22.")
    assert ours == theirs
    assert [*ours["intrinsics"]] == [*theirs["intrinsics"]]


def test_a_seed_with_a_wrong_type_is_not_believed(tmp_path: Path) -> None:
    skip_without(20)
    table = json.loads((ROOT / "emit" / "flavors" / "llvm19.json").read_text())
    entry = table["intrinsics"]["barrier.wait"]
    entry["params"] = ["i64"]
    table["intrinsics"]["fabs"]["group"] = entry["group"] = "nounwind"
    (tmp_path / "llvm19.json").write_text(json.dumps(table))
    recorded = json.loads(record(tmp_path))["intrinsics"]
    assert recorded["barrier.wait"] is None
    real = json.loads((ROOT / "emit" / "flavors" / "llvm20.json").read_text())["intrinsics"]
    assert recorded["fabs"] == real["fabs"]


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    """The replies of a fresh reader."""
    frames = [json.dumps(request).encode() for request in requests]
    data = b"".join(struct.pack("<I", len(frame)) + frame for frame in frames)
    command = [sys.executable, "-I", "-B", str(READER / "serve.py")]
    out = subprocess.run(command, input=data, check=True, capture_output=True).stdout
    replies = []
    while out:
        length = struct.unpack("<I", out[:4])[0]
        replies.append(json.loads(out[4 : 4 + length]))
        out = out[4 + length :]
    return replies


def test_the_reader_says_what_it_is_and_refuses() -> None:
    skip_without(20)
    text = "; ModuleID = 'k'\nsource_filename = \"k\"\n\n@g = global half 0xH3C00\n"
    what, good, other, bad = ask(
        {"id": 1},
        {"id": 2, "text": text},
        {"id": 3, "text": text.replace("0xH3C00", "1.0")},
        {"id": 4, "text": "define i64 @k(i64 %a) {\n  %r = call i64 @llvm.amdgcn.mbcnt.lo(i64 %a)\n  ret i64 %r\n}\n"},
    )
    assert (what["flavor"], what["llvm"][:3]) == ("llvm20", "20.")
    assert good["text"] == text == other["text"]
    assert "refused" in bad


def gate(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    program = os.environ.get("TWINIR_PROGRAM") or pytest.skip("$TWINIR_PROGRAM does not name the program")
    env = os.environ | {"TWINIR_READER": sys.executable, "XDG_STATE_HOME": str(tmp_path)}
    command = [program, "gate", "--no-codegen", "--json", "--flavor", "llvm20", *arguments]
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=env)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)["flavors"][0] | {"status": run.returncode}


def test_every_text_of_llvm20_is_read(tmp_path: Path) -> None:
    skip_without(20)
    flavor = gate(tmp_path, "--require-both")
    assert flavor["status"] == 0
    assert (flavor["emitters"], flavor["reader"]) == (["Python"], "llvmlite 0.47.0")
    texts = [result for result in flavor["results"] if result["verdict"] == "NOT_RUN" and "code" not in result]
    assert len(texts) > 400
    assert {result["reprint"] for result in texts} == {"passed"}
    assert {result["golden"] for result in flavor["results"]} == {"MATCH"}


def test_one_changed_word_of_the_flavor_file_is_found_by_the_reader(tmp_path: Path) -> None:
    skip_without(20)
    share = tmp_path / "share"
    share.mkdir()
    for name, source in (("python", "emit/python"), ("reader", "emit/reader"), ("golden", "golden")):
        (share / name).symlink_to(ROOT / source)
    (share / "flavors").mkdir()
    text = (ROOT / "emit" / "flavors" / "llvm20.json").read_text()
    (share / "flavors" / "llvm20.json").write_text(text.replace("noundef readonly", "readonly noundef"))
    env = os.environ | {"TWINIR_SHARE_DIR": str(share), "TWINIR_READER": sys.executable}
    command = [os.environ["TWINIR_PROGRAM"], "gate", "--json", "--only", "saxpy", "--flavor", "llvm20"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=env)
    assert run.returncode == 1
    failed = [r for r in json.loads(run.stdout)["flavors"][0]["results"] if r["reprint"] == "failed"]
    assert failed
    assert failed[0]["problems"][0]["code"] == "TIR3004"
