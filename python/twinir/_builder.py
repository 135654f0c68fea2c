# SPDX-License-Identifier: MIT
"""KernelBuilder: the builder of the C++ DSL with Python's blocks."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from . import _core
from ._errors import make_error
from ._kernel import Kernel

#: What an operand may be: a kernel value, or a number that takes the type of its neighbour.
Operand: TypeAlias = _core.Value | int | float


class Loop:
    """A loop with carried values: `i`, the values of this round, `next` for the next round, `results` afterwards."""

    def __init__(self, i: _core.Value, values: Sequence[_core.Value]) -> None:
        self.i = i
        self.values = tuple(values)
        self.results: tuple[_core.Value, ...] = ()
        self._next: tuple[_core.Value, ...] = ()

    def next(self, *values: _core.Value) -> None:
        """The carried values of the next round, one for each."""
        self._next = _checked(values)


def _checked(values: Sequence[Any]) -> tuple[_core.Value, ...]:
    """Values that are carried or given have types of their own, which numbers have not."""
    for v in values:
        if not isinstance(v, _core.Value):
            found = f"{v!r:.60} as a value that is given or carried"
            raise make_error("TIR1003", found, "a kernel value", "k.constant(type, number) makes one of a number")
    return tuple(values)


class KernelBuilder(_core.KernelBuilder):
    """A kernel under construction.

    Parameters: `name`; `arch`, for example "gfx1250" (see `twinir.targets()`); `workgroup`, the work-items of a group: a
    number, or up to three (x, y, z). Raises twinir.Error at the author's line: wrong types, names that are taken, blocks that
    are left open, use after finish().
    """

    def __init__(self, name: str, arch: str = "gfx1250", workgroup: int | Sequence[int] = 256) -> None:
        try:
            extents = [operator.index(e) for e in (workgroup if isinstance(workgroup, Sequence) else [workgroup])]
        except TypeError:
            extents = []
        if not 1 <= len(extents) <= 3 or any(not 0 < e < 1 << 16 for e in extents):
            raise make_error("TIR1004", f"the work-group {workgroup!r}", "1 to 3 positive extents", "give x, y and z")
        super().__init__(name, arch, [*extents, 1, 1][:3])

    def finish(self) -> Kernel:
        """Schedules, verifies and returns the kernel; the builder cannot be used afterwards."""
        definition = self._finish()
        return Kernel(definition, self._elements, self._lines)

    @contextmanager
    def if_(self, condition: _core.Value) -> Iterator[None]:
        """Runs the block where `condition` (i1) holds; twinir.Error TIR1003 for another type."""
        self._begin_if(condition)
        yield
        self._end_if([])

    @contextmanager
    def if_else(self, condition: _core.Value) -> Iterator[Otherwise]:
        """Both arms of an `if`: call `.otherwise()` between them, `.give(...)` in each for results.

        with k.if_else(x > 0) as arms:
            arms.give(x)
            arms.otherwise()
            arms.give(-x)
        y, = arms.results
        """
        self._begin_if(condition)
        arms = Otherwise(self)
        yield arms
        arms._close()

    @contextmanager
    def for_(
        self, low: Operand, high: Operand, step: Operand = 1, *, name: str = "i", unroll: bool = True
    ) -> Iterator[_core.Value]:
        """Runs the block for i = low, low + step, ... below high (signed; step positive), and gives i.

        i32 or i64, the same for all three. name: of i in the text; unroll=False tells LLVM not to unroll.
        """
        i = self._begin_for(low, high, step, [], name, unroll)[0]
        yield i
        self._end_for([])

    @contextmanager
    def loop(
        self,
        low: Operand,
        high: Operand,
        step: Operand = 1,
        *,
        carry: Sequence[_core.Value],
        name: str = "i",
        unroll: bool = True,
    ) -> Iterator[Loop]:
        """As for_, with values that are carried from round to round; `next` and `results` have the types of `carry`.

        with k.loop(0, n, carry=[zero]) as loop:
            loop.next(loop.values[0] + x[loop.i])
        total, = loop.results
        """
        i, *values = self._begin_for(low, high, step, list(_checked(carry)), name, unroll)
        loop = Loop(i, values)
        yield loop
        loop.results = tuple(self._end_for(list(loop._next)))


class Otherwise:
    """The two arms of `if_else`."""

    def __init__(self, kernel: KernelBuilder) -> None:
        self.results: tuple[_core.Value, ...] = ()
        self._kernel = kernel
        self._values: tuple[_core.Value, ...] = ()

    def give(self, *values: _core.Value) -> None:
        """The values of this arm, one for each result."""
        self._values = _checked(values)

    def otherwise(self) -> None:
        """Ends the first arm and begins the other."""
        self._kernel._begin_else(list(self._values))
        self._values = ()

    def _close(self) -> None:
        self.results = tuple(self._kernel._end_if(list(self._values)))
