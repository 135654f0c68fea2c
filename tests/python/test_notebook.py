# SPDX-License-Identifier: MIT
"""The cells of the notebook run in their order, without Jupyter; those that plot need matplotlib."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
import twinir

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python" / "registers_and_error.ipynb"
SQUARE = ["f2x2", "f4x4", "f6x6"]


def cells(kind: str) -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    return [c for c in notebook["cells"] if c["cell_type"] == kind]


def is_plot(cell: dict[str, Any]) -> bool:
    return "plot" in cell["metadata"].get("tags", [])


def run(wanted: list[dict[str, Any]], names: dict[str, Any]) -> dict[str, Any]:
    for number, cell in enumerate(wanted):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    return names


@pytest.fixture(scope="module")
def ran() -> dict[str, Any]:
    if not any("gfx1250" in f.compiles for f in twinir.flavors()):
        pytest.skip("no installed LLVM makes code for gfx1250")
    return run([c for c in cells("code") if not is_plot(c)], {"__name__": "notebook"})


def test_registers_and_errors_are_what_the_notebook_is_about(ran: dict[str, Any]) -> None:
    registers = ran["registers"]
    assert len(registers) == 2 * 3 * 3
    for stage in ("K2", "K4"):
        by_tile = [registers[stage, tile, 1] for tile in SQUARE]
        assert by_tile == sorted(by_tile), f"{stage}: larger tiles take more registers"
    errors = [ran["error"][tile] for tile in SQUARE]
    assert errors == sorted(errors), "larger tiles lose more digits"
    assert all(ran["error"][t] < ran["goal"][t] for t in ran["error"])


def test_plots(ran: dict[str, Any]) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed: the cells that plot did not run")
    import matplotlib

    matplotlib.use("Agg")
    names = run([c for c in cells("code") if is_plot(c)], dict(ran))
    names["figure"].canvas.draw()
    names["plt"].close("all")


def test_nothing_that_was_printed_is_kept() -> None:
    assert all(c["outputs"] == [] and c["execution_count"] is None for c in cells("code"))
