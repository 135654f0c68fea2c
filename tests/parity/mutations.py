# SPDX-License-Identifier: MIT
"""Damages a kernel: one small random change to its JSON, which may or may not leave it valid."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

_INTS = (0, -1, 1, 3, 7, 17, 64, 4096, 8192, 1024, 1 << 31, 1 << 40, 1 << 63, -(1 << 63), (1 << 63) - 1, 1 << 70)
_STRINGS = (
    *("", "entry", "a.b", "9x", "é", "x y", "@s0", "@nope", "i.next", "tid", "poison", "v", "A" * 200, "A" * 201),
    *("eq", "olt", "release", "system", "acquire", "s", "in", "value", "out", "nsw", "contract", "exact", "\x00"),
    *(
        "i1",
        "i8",
        "i32",
        "i64",
        "f16",
        "bf16",
        "f32",
        "f64",
        "p1",
        "p3",
        "p4",
        "p8",
        "v4f16",
        "v33f32",
        "v1i32",
        "void",
    ),
    *("v2p1", "v8f32", "v32i1", "0", "1", "01", "ff", "FF", "ffffffffffffffff", "10000000000000000", "7fc00000", "-1"),
    *("gfx950", "gfx1150", "gfx1201", "gfx9999", "add", "shl", "udiv", "extract", "wmma.f32.16x16x32.f16", "fence"),
    *("workitem.x", "if", "for", "store", "barrier.signal", "cvt.f32.fp8", "no.op", "shuffle", "gep", "fma", "fcmp"),
)
_OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    1.5,
    [],
    {},
    [[]],
    ["f32", "0"],
    ["i32", "20"],
    ["i1", "1"],
    ["f16", "7e00"],
    ["p1", "0"],
)
_KEYS = (
    "op",
    "n",
    "t",
    "e",
    "a",
    "f",
    "align",
    "mask",
    "carry",
    "results",
    "body",
    "else",
    "pred",
    "aux",
    "order",
    "x",
)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _places(inner)


def _other_value(rng: random.Random, value: Any, pool: list[Any]) -> Any:
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(_OTHERS)
    if kind < 4:
        return copy.deepcopy(rng.choice(pool))
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice((*_INTS, value + 1, value - 1, -value))
    return rng.choice(_STRINGS)


def mutate(text: str, seed: int) -> str:
    """The kernel with one change: a value replaced, a key or entry removed, doubled, moved or added."""
    rng = random.Random(seed)
    kernel = json.loads(text)
    places = list(_places(kernel))
    container, key = rng.choice(places)
    kind = rng.randrange(10)
    if kind < 5:
        pool = [c[k] for c, k in rng.sample(places, min(20, len(places))) if type(c[k]) is type(container[key])]
        container[key] = _other_value(rng, container[key], pool or [container[key]])
    elif kind < 7:
        del container[key]
    elif kind == 7 and isinstance(container, list):
        container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[key]))
    elif kind == 8 and isinstance(container, list) and len(container) > 1:
        other = rng.randrange(len(container))
        container[key], container[other] = container[other], container[key]
    elif isinstance(container, dict):
        container[rng.choice(_KEYS)] = rng.choice((*_OTHERS, *_INTS, *_STRINGS))
    else:
        container.append(copy.deepcopy(rng.choice(_OTHERS)))
    return json.dumps(kernel, separators=(",", ":"), ensure_ascii=rng.randrange(2) == 0)
