# SPDX-License-Identifier: MIT
"""The emitter keeps up: measured against the reading of the same JSON, so that a slow machine does not fail it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from kernels import FLAVORS, flavor_names, stmt, text
from twinir_emit import emit, load_flavor

#: emit takes about 9 times as long as json.loads alone; more than this means that something got slow.
LIMIT = 16


def best(function: Callable[[], object], rounds: int = 25) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def transform(count: int) -> str:
    """A straight-line kernel like a Winograd transform: addresses, loads, arithmetic, stores."""
    body = []
    for i in range(count):
        body += [
            stmt("gep", "y", ["i32", f"{i:x}"], n=f"g{i}", t="p1", e="f32", f=["inbounds"]),
            stmt("load", f"g{i}", n=f"l{i}", t="f32", f=["nontemporal"], align=4),
            stmt("fmul", f"l{i}", ["f32", f"{0x40000000 + (i % 20 << 16):x}"], n=f"m{i}", t="f32", f=["contract"]),
            stmt("fma", f"l{i}", f"m{i}", "f32", n=f"r{i}", t="f32"),
            stmt("store", f"r{i}", f"g{i}", align=4),
        ]
    return text(*body)


def test_speed() -> None:
    kernel = transform(160)
    flavor = load_flavor(str(FLAVORS / f"{flavor_names()[-1]}.json"))
    reading, whole = best(lambda: json.loads(kernel)), best(lambda: emit(kernel, flavor))
    assert whole < LIMIT * reading, f"{whole * 1e3:.2f} ms against {reading * 1e3:.2f} ms for the JSON alone"
