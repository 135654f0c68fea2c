# SPDX-License-Identifier: MIT
"""Float arithmetic."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Stmt
from .calls import intrinsic
from .integer import binary


def _fneg(out: Emission, stmt: Stmt) -> str:
    return f"fneg {out.typed[stmt.args[0]]}"


_INTRINSICS = (
    *("minnum", "maxnum", "minimumnum", "maximumnum", "copysign"),
    *("fabs", "floor", "ceil", "ftrunc", "rint", "sqrt", "rsq", "rcp", "exp2", "log2", "canonicalize"),
    *("frexp.mant", "fma"),
)

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv"), binary),
    "fneg": _fneg,
    **dict.fromkeys(_INTRINSICS, intrinsic),
    "frexp.exp": intrinsic,
    "ldexp": intrinsic,
}
