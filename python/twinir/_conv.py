# SPDX-License-Identifier: MIT
"""A whole convolution over numpy arrays: planned, emitted and run on the host executor."""

from __future__ import annotations

import json
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._errors import make_error

#: The driver's name of each element type.
_COMMANDS = {"float16": "convfp16", "bfloat16": "convbfp16"}


@dataclass(frozen=True)
class Plan:
    """The steps of one convolution. `report` has problem, buffers and steps, as in `twinir conv --json`."""

    report: dict[str, Any]
    _plan: _core.Plan
    _choices: tuple[str, str]

    @property
    def workspace_bytes(self) -> int:
        """Bytes of memory between the kernels: transformed filter and input, products, exponents."""
        return int(self.report["workspace_bytes"])

    @property
    def kernels(self) -> list[str]:
        """Names of the kernels, in the order of their launches."""
        return [step["kernel"] for step in self.report["steps"]]

    @property
    def goal(self) -> tuple[float, float]:
        """How far outputs may be from the exact ones: max|out - ref| / max(max|ref|, 1), and relative L2 (docs/accuracy.md)."""
        return self._plan.goal(*self._choices)

    def __repr__(self) -> str:
        lines = [f"{self.report['problem']}: {self.report['engine']} on {self.report['target']}"]
        for s in self.report["steps"]:
            lines.append(f"  {s['step']:<4} {s['what']:<20} {s['kernel']} grid {s['grid']} block {s['block']}")
        return "\n".join(lines)


def plan_conv2d(
    x_shape: tuple[int, int, int, int],
    w_shape: tuple[int, int, int, int],
    *,
    dtype: str = "float16",
    padding: int | tuple[int, int] = 0,
    stride: int | tuple[int, int] = 1,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
    layout: str = "NCHW",
    tile: str = "f4x4",
    arch: str = "gfx1250",
    m: str = "f32",
    v_layout: str = "bin",
    prescale: str = "",
    workspace_limit: int | None = None,
    batch_split: int | None = None,
) -> Plan:
    """Plans what conv2d runs, for shapes as conv2d's arrays: x (N, C, H, W) and w (K, C/groups, Y, X), or those of "NHWC".

    padding, stride, dilation: pixels, one number or (vertical, horizontal). tile: outputs of a Winograd tile, f2x2 to
    f6x6 (sides 2, 4 and 6). arch: one of targets(). m: element type of the products, f32 or f16 (half the memory, larger
    errors). v_layout: outermost index of the transformed input, bin or tile. prescale: where exponents come from, none,
    split or fused; "" chooses by the types. workspace_limit: bytes, above which the batch is run in parts; batch_split:
    the number of parts. Raises twinir.Error TIR2xxx for what no engine serves: filters other than 3x3 (TIR2006), strides
    (TIR2007), element types (TIR2013).
    """
    if dtype not in _COMMANDS:
        raise make_error("TIR2013", f"element type {dtype}", "float16 or bfloat16", "convert the arrays")
    n, c, h, w = _extents(x_shape, layout, "x")
    k, c_group, y, x = _extents(w_shape, layout, "w")
    if c_group * groups != c:
        found = f"{c} channels in x, {c_group} in w and {groups} groups"
        raise make_error("TIR2010", found, "channels of x = channels of w * groups", "correct the shapes")
    command = (
        f"{_COMMANDS[dtype]} -n {n} -c {c} -H {h} -W {w} -k {k} -y {y} -x {x} -g {groups}"
        f"{_flags('-p', '-q', padding)}{_flags('-u', '-v', stride)}{_flags('-l', '-j', dilation)} -F 1"
    )
    plan = _core.Plan(command, tile, arch, m, v_layout, prescale, workspace_limit, batch_split)
    return Plan(json.loads(plan.json), plan, (tile, m))


def conv2d(
    x: np.ndarray[Any, Any],
    w: np.ndarray[Any, Any],
    *,
    layout: str = "NCHW",
    checked: bool = True,
    threads: int = 0,
    **choices: Any,
) -> np.ndarray[Any, Any]:
    """The convolution of x with w (cross-correlation), by Winograd kernels run on the host executor.

    layout "NCHW": x is N C H W, w is K C/groups Y X, the answer N K Ho Wo. layout "NHWC": x is N H W C, w is K Y X C/groups,
    the answer N Ho Wo K; this is the kernels' own. float16 or bfloat16 (ml_dtypes), the same for both; the answer has it too.
    Choices are those of plan_conv2d: padding, stride, dilation, groups, tile, arch, m, v_layout, prescale, workspace_limit,
    batch_split. checked: bounds, initialisation and races (slower). Raises twinir.Error TIR2xxx for problems that no engine
    serves, TIR5xxx for a fault in a kernel.
    """
    _check_array(x, "x")
    _check_array(w, "w")
    if x.dtype != w.dtype:
        raise make_error(
            "TIR2018", f"x of {x.dtype} and w of {w.dtype}", "the same element type", "convert one of them"
        )
    plan = plan_conv2d(_shape(x, "x"), _shape(w, "w"), dtype=x.dtype.name, layout=layout, **choices)
    order = (0, 2, 3, 1) if layout == "NCHW" else (0, 1, 2, 3)
    data = plan._plan.run(_bytes(x, order), _bytes(w, order), checked, threads)
    y = np.frombuffer(data, np.uint8).view(x.dtype).reshape(plan._plan.out_extents)
    return np.ascontiguousarray(y.transpose(0, 3, 1, 2)) if layout == "NCHW" else y.copy()


def _check_array(array: Any, name: str) -> None:
    if not isinstance(array, np.ndarray):
        raise make_error("TIR2018", f"{type(array).__name__} for {name}", "a numpy array", "numpy.asarray() makes one")
    if not array.dtype.isnative:
        found = f"{name} of big-endian {array.dtype.name}"
        raise make_error("TIR2013", found, "this machine's order of bytes", "convert it with astype()")


def _shape(array: np.ndarray[Any, Any], name: str) -> tuple[int, int, int, int]:
    if array.ndim != 4:
        raise make_error("TIR2008", f"{name} of {array.ndim} dimensions", "4", "reshape it")
    a, b, c, d = array.shape
    return a, b, c, d


def _bytes(array: np.ndarray[Any, Any], order: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(array.transpose(order)).reshape(-1).view(np.uint8)


def _extents(shape: tuple[int, int, int, int], layout: str, name: str) -> tuple[int, int, int, int]:
    """Batch or output channels, channels, height, width."""
    if len(shape) != 4:
        raise make_error("TIR2008", f"{name} of {len(shape)} dimensions", "4", "reshape it")
    if layout not in ("NCHW", "NHWC"):
        raise make_error("TIR2011", f"layout '{layout}'", "'NCHW' or 'NHWC'", "choose one of them")
    try:
        a, b, c, d = map(operator.index, shape)
    except TypeError:
        raise make_error("TIR2008", f"{name} of shape {shape}", "four whole numbers", "correct it") from None
    return (a, b, c, d) if layout == "NCHW" else (a, d, b, c)


def _flags(vertical: str, horizontal: str, value: int | tuple[int, int]) -> str:
    try:
        v, h = map(operator.index, value if isinstance(value, Sequence) else (value, value))
    except (TypeError, ValueError):
        found = f"{value!r:.40} for {vertical} and {horizontal} of the convolution"
        raise make_error("TIR2008", found, "a whole number, or two", "correct it") from None
    return f" {vertical} {v} {horizontal} {h}"
