# SPDX-License-Identifier: MIT
"""The floats that versions of LLVM print differently: the text is the flavor's own, from both emitters, and LLVM reads
the same bits back, those of NaNs too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, PluginError, plugin_paths
from kernels import FLAVORS, flavor_table, stmt, text
from test_reader import ask, skip_without
from twinir_emit import emit, load_flavor
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
    ("f32", 0x7FC00000, "0x7FF8000000000000", "+qnan"),
    ("f32", 0x7FA00000, "0x7FF4000000000000", "+snan(0x200000)"),
    ("f32", 0x7FC00055, "0x7FF8000AA0000000", "+nan(0x55)"),
    ("f32", 0xFFC00000, "0xFFF8000000000000", "-qnan"),
    ("f32", 0x7F800001, "0x7FF0000020000000", "+snan(0x1)"),
    ("f32", 0xFF800101, "0xFFF0002020000000", "-snan(0x101)"),
    ("f32", 0xFFFFFFFF, "0xFFFFFFFFE0000000", "-nan(0x3FFFFF)"),
    ("f16", 0x7E00, "0xH7E00", "+qnan"),
    ("f16", 0x7C01, "0xH7C01", "+snan(0x1)"),
    ("f16", 0xFD01, "0xHFD01", "-snan(0x101)"),
    ("f16", 0xFFFF, "0xHFFFF", "-nan(0x1FF)"),
    ("bf16", 0x7FC0, "0xR7FC0", "+qnan"),
    ("bf16", 0xFFC1, "0xRFFC1", "-nan(0x1)"),
    ("bf16", 0x7FA0, "0xR7FA0", "+snan(0x20)"),
    ("f64", 0x7FF8000000000000, "0x7FF8000000000000", "+qnan"),
    ("f64", 0xFFF8000000000055, "0xFFF8000000000055", "-nan(0x55)"),
    ("f64", 0x7FF0000000000001, "0x7FF0000000000001", "+snan(0x1)"),
    ("f64", 0xFFFFFFFFFFFFFFFF, "0xFFFFFFFFFFFFFFFF", "-nan(0x7FFFFFFFFFFFF)"),
)
#: Vectors: the constant, one lane of LLVM 19 to 22, one lane of LLVM 23 and later; a splat, or that lane before a 1.
VECTORS = (
    (["v2f32", "7fa00000"], "float 0x7FF4000000000000", "float +snan(0x200000)"),
    (["v8f16", "fe01"], "half 0xHFE01", "half -nan(0x1)"),
    (["v2bf16", "7f81"], "bfloat 0xR7F81", "bfloat +snan(0x1)"),
    (["v2f64", "fff0000000000001"], "double 0xFFF0000000000001", "double -snan(0x1)"),
    (["v2f32", "7fc00055", "3f800000"], "float 0x7FF8000AA0000000, float 1.0", "float +nan(0x55), float 1.0"),
    (["v2f16", "7d00", "3c00"], "half 0xH7D00, half 0xH3C00", "half +snan(0x100), half 1.0"),
)
WIDTH = {"f32": 32, "f16": 16, "bf16": 16, "f64": 64}
IR_TYPE = {"f32": "float", "f16": "half", "bf16": "bfloat", "f64": "double"}
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
    return re.findall(r"store (?:float|half|bfloat|double) (\S+),", ir)


def from_integers(ir: str) -> str:
    """The same stores, each of an integer's bits."""
    for (kind, bits, *_), literal in zip(VALUES, stored(ir)):
        cast = f"bitcast (i{WIDTH[kind]} {bits} to {IR_TYPE[kind]})"
        ir = ir.replace(f"store {IR_TYPE[kind]} {literal},", f"store {IR_TYPE[kind]} {cast},", 1)
    assert ir.count("bitcast") == len(VALUES)
    return ir


@needs_plugins
@plugins
def test_both_emitters_print_the_flavors_own_text_and_bits_survive(path: Path) -> None:
    plugin = Plugin(path)
    column = {"hex": 2, "decimal": 3}[flavor_table(plugin.name)["style"]["float"]]
    ours, theirs = emit(kernel(), load_flavor(str(FLAVORS / f"{plugin.name}.json"))), plugin.emit(kernel())
    assert ours == theirs
    assert stored(ours) == [row[column] for row in VALUES]
    assert plugin.reprint(ours) == ours
    assert plugin.reprint(from_integers(ours)) == ours  # LLVM folds the bits to the same literal


@pytest.mark.parametrize("row", VALUES, ids=lambda row: f"{row[0]} {row[1]:x}")
def test_the_printer_knows_both_styles(row: tuple[str, int, str, str]) -> None:
    """Also of a flavor that is not installed."""
    kind, bits, as_hex, as_decimal = row
    assert float_text.__wrapped__(kind, bits, "hex") == as_hex
    assert float_text.__wrapped__(kind, bits, "decimal") == as_decimal


def test_the_llvm_in_the_wheel_reads_the_same_bits() -> None:
    """Flavor 20 has no plugin."""
    skip_without(20)
    ir = emit(kernel(), load_flavor(str(FLAVORS / "llvm20.json")))
    assert stored(ir) == [row[2] for row in VALUES]
    (read, folded) = ask({"id": 1, "text": ir}, {"id": 2, "text": from_integers(ir)})
    assert read["text"] == folded["text"] == ir


@needs_plugins
@plugins
@pytest.mark.parametrize("row", VECTORS, ids=lambda row: " ".join(row[0]))
def test_nans_in_vectors(path: Path, row: tuple[list[str], str, str]) -> None:
    plugin = Plugin(path)
    style = flavor_table(plugin.name)["style"]
    constant, *lanes = row
    source = text(stmt("store", constant, "y", align=2))
    ir = plugin.emit(source)
    assert ir == emit(source, load_flavor(str(FLAVORS / f"{plugin.name}.json"))) == plugin.reprint(ir)
    lane = lanes[style["float"] == "decimal"]
    count = int(constant[0][1])
    if len(constant) == 2:
        lane = f"splat ({lane})" if style["splat"] else "<" + ", ".join([lane] * count) + ">"
    assert re.search(rf"store <\d x \w+> <?{re.escape(lane)}", ir), ir


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
