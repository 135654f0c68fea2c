# SPDX-License-Identifier: MIT
"""Launches on the host executor: Python's arrays as the memory of a kernel."""

from __future__ import annotations

import itertools
import linecache
import operator
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._errors import make_error


@dataclass(frozen=True)
class Launch:
    """What a launch did."""

    work_items: int  #: that ran
    ms: float  #: milliseconds on this machine, which say nothing about a GPU
    checks: int  #: accesses that were checked


_NAME = re.compile(r"%([A-Za-z_][A-Za-z0-9_]*)")

#: numpy's names of the element types; those of ml_dtypes are there when that package is.
_NAMES = {
    "f16": {"float16"},
    "bf16": {"bfloat16"},
    "f32": {"float32"},
    "f64": {"float64"},
    "i8": {"int8", "uint8", "bool", "float8_e4m3fn", "float8_e5m2"},
    "i16": {"int16", "uint16"},
    "i32": {"int32", "uint32"},
    "i64": {"int64", "uint64"},
}


def bind(
    params: Sequence[Mapping[str, str]],
    elements: Mapping[str, _core.Type],
    args: Sequence[Any],
    named: Mapping[str, Any],
) -> dict[str, Any]:
    """The bytes or the number of every parameter."""
    values = _by_name(params, args, named)
    bound = {p["name"]: _argument(p, values[p["name"]], elements.get(p["name"])) for p in params}
    _refuse_overlaps({p["name"]: p["kind"] for p in params}, bound)
    return bound


def _refuse_overlaps(kinds: Mapping[str, str], bound: Mapping[str, Any]) -> None:
    """What a kernel writes is its alone: the emitted code relies on it (noalias)."""
    arrays = [n for n in bound if kinds[n] != "value"]
    for one, other in itertools.combinations(arrays, 2):
        if {kinds[one], kinds[other]} != {"in"} and np.may_share_memory(bound[one], bound[other]):
            raise make_error(
                "TIR5002",
                f"'{one}' and '{other}' in the same memory",
                "memory of its own for what the kernel writes",
                "copy one of them, or use one InOut parameter",
            )


def launch(
    kernel: _core.LoadedKernel,
    values: Mapping[str, Any],
    lines: Mapping[str, tuple[str, int]],
    grid: int | Sequence[int],
    threads: int,
    lane_order: int,
) -> Launch:
    report = kernel.run(_extents(grid), dict(values), threads, lane_order)
    if report["faults"]:
        raise _fault(report["faults"], lines)
    return Launch(report["work_items"], report["ms"], report["checks"])


def _extents(grid: int | Sequence[int]) -> tuple[int, int, int]:
    try:
        given: Sequence[Any] = grid if isinstance(grid, (Sequence, np.ndarray)) else [grid]
        extents = [operator.index(e) for e in given]
    except TypeError:
        extents = []
    if not 1 <= len(extents) <= 3 or any(not 0 < e < 1 << 31 for e in extents):
        raise make_error("TIR5002", f"the grid {grid!r}", "1 to 3 positive numbers of work-groups", "correct it")
    x, y, z = [*extents, 1, 1][:3]
    return x, y, z


def _by_name(params: Sequence[Mapping[str, str]], args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    names = [p["name"] for p in params]
    values = dict(zip(names, args))
    twice = [n for n in named if n in values]
    unknown = [n for n in named if n not in names]
    values.update(named)
    missing = [n for n in names if n not in values]
    if len(args) > len(names) or twice or unknown or missing:
        found = f"{len(args)} arguments and {sorted(named)}"
        raise make_error("TIR5002", found, f"one for each of {', '.join(names)}", "correct the arguments")
    return values


def _argument(param: Mapping[str, str], value: Any, element: _core.Type | None) -> Any:
    if param["kind"] == "value":
        return _number(param, value)
    array = _array(param, value)
    if not array.dtype.isnative:
        found = f"an array of big-endian {array.dtype.name} for '{param['name']}'"
        raise make_error("TIR5002", found, "this machine's order of bytes", "convert it with astype()")
    if element is not None and array.dtype.name not in _NAMES.get(repr(element.scalar), set()):
        found = f"an array of {array.dtype.name} for '{param['name']}'"
        raise make_error("TIR5002", found, f"elements of {element.scalar!r}", _conversion(array, element))
    if param["kind"] == "in":
        return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if not array.flags.c_contiguous or not array.flags.writeable:
        what = "contiguous" if array.flags.writeable else "writable"
        found = f"an array for '{param['name']}' that is not {what}"
        raise make_error("TIR5002", found, "one that the kernel can write", "copy it (numpy.ascontiguousarray)")
    return array.reshape(-1).view(np.uint8)


def _conversion(array: np.ndarray[Any, Any], element: _core.Type) -> str:
    if repr(element.scalar) == "bf16" and array.dtype == np.uint16:
        return "view(ml_dtypes.bfloat16) if these are the bits, else astype()"
    return "convert it with astype()"


def _number(param: Mapping[str, str], value: Any) -> Any:
    kind = param["type"]
    if kind.startswith("v"):
        found = f"parameter '{param['name']}' of type {kind}"
        raise make_error("TIR5002", found, "scalars and pointers", "give the elements as parameters of their own")
    try:
        if "f" in kind:
            return float(value)
        number = int(value.__index__())
    except (TypeError, ValueError, AttributeError):
        found = f"{type(value).__name__} for '{param['name']}'"
        raise make_error("TIR5002", found, f"a number of type {kind}", "convert it") from None
    bits = int(kind.removeprefix("i"))
    unsigned = bits == 1 or isinstance(value, np.unsignedinteger)
    low, high = (0, (1 << bits) - 1) if unsigned else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    if not low <= number <= high:
        found = f"{number} for '{param['name']}'"
        raise make_error("TIR5002", found, f"{low} to {high} ({kind})", "correct it, or pass an unsigned type of numpy")
    return number if number < 1 << (bits - 1) or bits == 1 else number - (1 << bits)  # its bits


def _array(param: Mapping[str, str], value: Any) -> np.ndarray[Any, Any]:
    try:
        if isinstance(value, np.ndarray):
            return value
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(memoryview(value))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        found = f"{type(value).__name__} for '{param['name']}' ({error})"
        raise make_error("TIR5002", found, "an array on the CPU", "pass a numpy array") from None


def _fault(faults: Sequence[Mapping[str, Any]], lines: Mapping[str, tuple[str, int]]) -> Exception:
    first = faults[0]
    x, y, z = first["group"]
    where = f"work-group {x},{y},{z} item {first['item']} (wave {first['wave']} lane {first['lane']})"
    others = sorted({f["code"] for f in faults[1:]})
    more = f"; also {', '.join(others)}" if others else ""
    line = _author_line(first["ir"], lines)
    found = f"{first['found']} at {where}, {first['count']} times, in `{first['ir'].strip()}`{line}{more}"
    return make_error(first["code"], found, first["expected"], first["action"])


def _author_line(ir: str, lines: Mapping[str, tuple[str, int]]) -> str:
    """The author's line of an instruction: of its result, else of its last operand that has one (a store's address)."""
    names = _NAME.findall(ir)
    if "=" not in ir:
        names.reverse()
    for name in names:
        if name in lines:
            file, number = lines[name]
            text = linecache.getline(file, number).strip()
            return f" ({os.path.basename(file)}:{number}: {text})"
    return ""
