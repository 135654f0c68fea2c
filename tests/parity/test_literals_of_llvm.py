# SPDX-License-Identifier: MIT
"""The literals that each LLVM prints, one by one, against the Python printer; NaNs also back through LLVM's reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, plugin_paths
from kernels import flavor_table
from twinir_emit.literals import FORMATS, float_text, is_nan, scalar_text
from twinir_emit.types import type_of


def check_that_nans_come_back(plugin: Plugin, scalar: str, found: list[tuple[int, str]]) -> None:
    """LLVM reads the bits of every NaN: as literals and as bits of integers they are one module."""
    name, width = type_of(scalar).text, type_of(scalar).width
    literals = ", ".join(f"{name} {text}" for _, text in found)
    casts = ", ".join(f"{name} bitcast (i{width} {bits} to {name})" for bits, _ in found)
    start = f"@g = constant [{len(found)} x {name}] ["
    printed = plugin.reprint(f"{start}{literals}]\n")
    assert printed == plugin.reprint(f"{start}{casts}]\n")
    assert printed.endswith(f"{start}{literals}]\n")


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
def test_every_literal(path: Path) -> None:
    plugin = Plugin(path)
    style = flavor_table(plugin.name)["style"]["float"]
    seen = dict.fromkeys(FORMATS, 0)
    nans: dict[str, list[tuple[int, str]]] = {scalar: [] for scalar in FORMATS}
    for line in plugin.literals():
        scalar, word, text = line.split(" ", 2)
        kind, bits = type_of(scalar), int(word, 16)
        if scalar in FORMATS:
            seen[scalar] += 1
            ours = float_text.__wrapped__(scalar, bits, style)
            if is_nan(scalar, bits):
                nans[scalar].append((bits, text))
        else:
            ours = scalar_text(kind, bits, style)
        assert ours == text, line
    assert all(count > 1000 for count in seen.values()), seen
    assert (len(nans["f16"]), len(nans["bf16"])) == (2 * 1023, 2 * 127)
    assert min(len(nans["f32"]), len(nans["f64"])) > 500  # LLVM takes quadratic time in them: they hash alike
    for scalar, found in nans.items():
        check_that_nans_come_back(plugin, scalar, found)
