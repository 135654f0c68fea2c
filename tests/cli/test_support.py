# SPDX-License-Identifier: MIT
"""`twinir support`, and that docs/support.md says the same about emitting and compiling."""

from __future__ import annotations

import json
from collections.abc import Callable

from conftest import ROOT, Result

Twinir = Callable[..., Result]
HEAD = ["family", "target", "LLVM", "emits", "compiles", "verified", "first problem"]


def rows_of(markdown: str) -> list[list[str]]:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines() if line.startswith("|")
    ]
    assert rows[0] == HEAD
    return rows[2:]


def test_the_document_is_up_to_date(twinir: Twinir) -> None:
    installed = {f["name"] for f in json.loads(twinir("list", "--json").stdout)["flavors"] if f["installed"]}
    now = [row[:5] for row in rows_of(twinir("support", "--no-verify", "--markdown").stdout)]
    then = [
        row[:5] for row in rows_of((ROOT / "docs" / "support.md").read_text(encoding="utf-8")) if row[2] in installed
    ]
    documented = {row[2] for row in then}
    assert documented, "no installed LLVM is in the document"
    assert [row for row in now if row[2] in documented] == then, "twinir support --markdown > docs/support.md"


def test_only_what_is_verified_says_so(twinir: Twinir) -> None:
    rows = json.loads(
        twinir("support", "--only", "saxpy", "--target", "gfx1250", "--flavor", "llvm22", "--json").stdout
    )["rows"]
    assert [row["verified"] for row in rows] == [{"good": 3, "all": 3}]
    assert rows[0]["executor"].startswith("22.")
    rows = json.loads(
        twinir(
            "support", "--only", "saxpy", "--target", "gfx1250", "--flavor", "llvm22", "--no-verify", "--json"
        ).stdout
    )["rows"]
    assert {row["verified"] for row in rows} == {"not run"}
