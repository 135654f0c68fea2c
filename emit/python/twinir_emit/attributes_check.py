# SPDX-License-Identifier: MIT
"""Checks on what a statement says beside its operands: flags and attributes."""

from __future__ import annotations

from functools import lru_cache

from .constants_check import Trouble
from .errors import shown
from .ops import Op

_MAX_ALIGN = 4096
#: What `good_alignment` accepts, in words.
ALIGNMENTS = f"a power of two from 1 to {_MAX_ALIGN}"

_RANGES: dict[str, tuple[int, int]] = {
    "byte": (0, 3),
    "word": (0, 1),
    "flags": (0, 0xFFFFFFFF),
    "aux": (0, 0x7FFFFFFF),
    "offset": (0, 0x7FFFFF),
    "count": (0, 63),
    "priority": (0, 3),
    "signed_a": (0, 1),
    "signed_b": (0, 1),
}
#: Of one operation; a global load of gfx950 has 12 bits for a positive offset.
_OWN_RANGES: dict[tuple[str, str], tuple[int, int]] = {
    ("classify", "mask"): (0, 0x3FF),
    ("sched.barrier", "mask"): (0, 0x7FF),
    **{(f"load.lds.{width}", "offset"): (0, 0xFFF) for width in ("b32", "b96", "b128")},
}
_WORDS: dict[str, str] = {
    "order": "monotonic acquire release acq_rel",
    "scope": "workgroup agent wavefront system",
    "register": "v s",
}
_FENCE_ORDERS = "acquire release acq_rel"  # a monotonic fence would order nothing
_PREDICATES: dict[str, str] = {
    "icmp": "eq ne ugt uge ult ule sgt sge slt sle",
    "fcmp": "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno",
}


def good_alignment(align: object) -> bool:
    """Is it one that every object can promise?"""
    return isinstance(align, int) and 1 <= align <= _MAX_ALIGN and align & (align - 1) == 0


@lru_cache(maxsize=4096)
def check_words(op: Op, flags: tuple[str, ...], attributes: tuple[int | str | None, ...]) -> Trouble | None:
    """The first fault in the flags and attributes of a statement."""
    if flags not in op.flag_sets:
        expected = f"once each, in this order: {' '.join(op.flags)}" if op.flags else "no flag"
        return "TIR1013", f"flags {shown(flags)} on '{op.name}'", expected, "correct the flags"
    for key, value in zip(op.attributes, attributes):
        trouble = _attribute(op, key, value)
        if trouble is not None:
            return trouble
    return None


def _attribute(op: Op, key: str, value: int | str | None) -> Trouble | None:
    if value is None:
        return "TIR1013", f"no attribute '{key}' on '{op.name}'", f"'{' '.join(op.attributes)}'", "give exactly these"
    if key == "align":
        return None if good_alignment(value) else _alignment(op, value)
    words = _PREDICATES[op.name] if key == "pred" else _WORDS.get(key)
    if key == "order" and op.name == "fence":
        words = _FENCE_ORDERS
    if words is not None:
        good, expected = value in words.split(), f"one of {words}"
    else:
        low, high = _OWN_RANGES.get((op.name, key)) or _RANGES[key]
        good, expected = isinstance(value, int) and low <= value <= high, f"{low} to {high}"
    return None if good else ("TIR1013", f"{key} {shown(value)} on '{op.name}'", expected, "correct it")


def _alignment(op: Op, value: int | str) -> Trouble:
    code = "TIR1007" if isinstance(value, int) else "TIR1013"
    return code, f"alignment {shown(value)} of '{op.name}'", ALIGNMENTS, "correct the alignment"
