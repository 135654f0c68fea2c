# SPDX-License-Identifier: MIT
"""The table of handlers: one per operation of dsl/ops.def, each from the file of its group."""

from __future__ import annotations

from ..emission import Handler
from . import atomics, compare, control, convert, floats, integer, memory, sync, vector, wave

_GROUPS = (integer, floats, compare, convert, vector, wave, memory, atomics, sync, control)

HANDLERS: dict[str, Handler] = {name: handler for group in _GROUPS for name, handler in group.HANDLERS.items()}
assert len(HANDLERS) == sum(len(group.HANDLERS) for group in _GROUPS), "an operation has two handlers"
