# SPDX-License-Identifier: MIT
"""The floats that versions of LLVM print differently: the text is the flavor's own, from both emitters, and LLVM reads
the same bits back. NaN constants are refused by both: their text differs between versions and their bits may not
survive; tests/numeric/literals_test.cpp makes the NaNs from integers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, PluginError, plugin_paths
from kernels import FLAVORS, flavor_table, stmt, text
from twinir_emit import Refusal, emit, load_flavor
from twinir_emit.literals import float_text

#: Type, bits, text of LLVM 19 to 22 ("hex"), text of LLVM 23 and later ("decimal").
VALUES = (
    ("f32", 0x3DCCCCCD, "0x3FB99999A0000000", "1.000000e-01"),  # 0.1
    ("f32", 0x3EAAAAAB, "0x3FD5555560000000", "f0x3EAAAAAB"),  # 1/3
    ("f32", 0x7F800000, "0x7FF0000000000000", "+inf"),
    ("f32", 0xFF800000, "0xFFF0000000000000", "-inf"),
    ("f32", 0x80000000, "-0.000000e+00", "-0.000000e+00"),
    ("f32", 0x00000001, "0x36A0000000000000", "1.401300e-45"),
    ("f32", 0x7F7FFFFF, "0x47EFFFFFE0000000", "f0x7F7FFFFF"),  # the largest
    ("f32", 0x3FA66666, "0x3FF4CCCCC0000000", "1.300000e+00"),  # as 1.3 a parse error up to 22
    ("f16", 0x2E66, "0xH2E66", "9.997550e-02"),
    ("f16", 0x7BFF, "0xH7BFF", "6.550400e+04"),
    ("bf16", 0x3DCD, "0xR3DCD", "1.000980e-01"),
)
NANS = (
    ("f32", "7fc00000"),
    ("f32", "7fa00000"),
    ("f32", "7fc00055"),
    ("f32", "ffc00000"),
    ("f16", "7e00"),
    ("bf16", "7fc0"),
)
IR_TYPE = {"f32": "float", "f16": "half", "bf16": "bfloat"}
plugins = pytest.mark.parametrize("path", plugin_paths() or [Path("none")], ids=lambda path: path.stem)
needs_plugins = pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)


def kernel() -> str:
    """Stores every value, each to its own place."""
    return text(
        *(
            line
            for i, (kind, bits, *_) in enumerate(VALUES)
            for line in (
                stmt("gep", "y", ["i32", f"{i:x}"], n=f"to{i}", t="p1", e=kind),
                stmt("store", [kind, f"{bits:x}"], f"to{i}", align=2),
            )
        )
    )


def stored(ir: str) -> list[str]:
    """The literals of the stores, in order."""
    return re.findall(r"store (?:float|half|bfloat) (\S+),", ir)


@needs_plugins
@plugins
def test_both_emitters_print_the_flavors_own_text_and_bits_survive(path: Path) -> None:
    plugin = Plugin(path)
    column = {"hex": 2, "decimal": 3}[flavor_table(plugin.name)["style"]["float"]]
    ours, theirs = emit(kernel(), load_flavor(str(FLAVORS / f"{plugin.name}.json"))), plugin.emit(kernel())
    assert ours == theirs
    assert stored(ours) == [row[column] for row in VALUES]
    assert plugin.reprint(ours) == ours
    as_integers = ours
    for (kind, bits, *_), literal in zip(VALUES, stored(ours)):
        width = 32 if kind == "f32" else 16
        cast = f"bitcast (i{width} {bits} to {IR_TYPE[kind]})"
        as_integers = as_integers.replace(f"store {IR_TYPE[kind]} {literal},", f"store {IR_TYPE[kind]} {cast},", 1)
    assert "bitcast" in as_integers
    assert plugin.reprint(as_integers) == ours  # LLVM folds the bits to the same literal


@pytest.mark.parametrize("row", VALUES, ids=lambda row: f"{row[0]} {row[1]:x}")
def test_the_printer_knows_both_styles(row: tuple[str, int, str, str]) -> None:
    """Also of a flavor that is not installed."""
    kind, bits, as_hex, as_decimal = row
    assert float_text.__wrapped__(kind, bits, "hex") == as_hex
    assert float_text.__wrapped__(kind, bits, "decimal") == as_decimal


@needs_plugins
@plugins
@pytest.mark.parametrize(("kind", "word"), NANS)
def test_nan_constants_are_refused_by_both(path: Path, kind: str, word: str) -> None:
    plugin = Plugin(path)
    bad = text(stmt("store", [kind, word], "y", align=2))
    with pytest.raises(Refusal) as ours:
        emit(bad, load_flavor(str(FLAVORS / f"{plugin.name}.json")))
    with pytest.raises(PluginError) as theirs:
        plugin.emit(bad)
    assert ours.value.code == theirs.value.code == "TIR1009"


@needs_plugins
@plugins
def test_a_decimal_that_is_not_exact_is_no_float_up_to_22(path: Path) -> None:
    plugin = Plugin(path)
    ir = plugin.emit(kernel()).replace("0x3FF4CCCCC0000000", "1.3").replace("1.300000e+00", "1.3")
    if flavor_table(plugin.name)["style"]["float"] == "hex":
        with pytest.raises(PluginError):
            plugin.reprint(ir)
    else:
        assert "1.300000e+00" in plugin.reprint(ir)
