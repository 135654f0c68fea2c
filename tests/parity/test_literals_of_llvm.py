# SPDX-License-Identifier: MIT
"""The literals that each LLVM prints, one by one, against the Python printer."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import NO_PLUGINS, Plugin, plugin_paths
from kernels import flavor_table
from twinir_emit.literals import FORMATS, float_text, scalar_text
from twinir_emit.types import parse_type


@pytest.mark.skipif(not plugin_paths(), reason=NO_PLUGINS)
@pytest.mark.parametrize("path", plugin_paths(), ids=lambda path: path.stem)
def test_every_literal(path: Path) -> None:
    plugin = Plugin(path)
    style = flavor_table(plugin.name)["style"]["float"]
    seen = dict.fromkeys(FORMATS, 0)
    for line in plugin.literals():
        scalar, bits, text = line.split(" ", 2)
        kind = parse_type(scalar)
        assert kind is not None, line
        if scalar in FORMATS:
            seen[scalar] += 1
            ours = float_text.__wrapped__(scalar, int(bits, 16), style)
        else:
            ours = scalar_text(kind, int(bits, 16), style)
        assert ours == text, line
    assert all(count > 1000 for count in seen.values()), seen
