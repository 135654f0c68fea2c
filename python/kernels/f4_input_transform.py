# SPDX-License-Identifier: MIT
"""The input transform of Winograd's F(4x4, 3x3), V = BT d B, as it was first written: the Python half of a pair.

Its C++ port is instances/winograd/input.cpp (family winograd_input, the register path without exponents), and

    twinir parity pair python/kernels/f4_input_transform.py:build winograd_input/winograd_input_f4x4_f16_vf16_none_v4_b256

proves that both are the same kernel to the byte. One work-item transforms one 6 x 6 tile of `VEC` channels. BT comes from
the points 0, +-2/3, +-3/2 (instances/winograd/matrices.hpp); its rows are scaled by powers of two so that V fits f16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

import twinir
from twinir import Value, f16, f32, fma, fpcast, i8, i32, i64, lshr, select, ult, umulh, zext

VEC, BLOCK = 4, 256  # channels of a work-item, work-items of a group
M, N = 4, 6  # outputs and inputs of a tile in one direction
BINS = N * N
ELEMENT_BYTES = 2  # of x and V
OUT_OF_RANGE = -64  # an offset that no buffer has: loads give 0

Line = Mapping[int, Value] | Sequence[Value]  # the values of a row or column that are needed
Rows = Callable[[Line, float], list[Value]]

#: The integer arguments, after the pointers. "d/" is a divisor: `d`'s multiplier d_m and shift d_s (docs/magic_division.md).
ARGUMENTS = [
    "tiles",
    "tiles_y",
    "tiles_x",
    "dil_h",
    "dil_w",
    "tiles_y/",
    "tiles_x/",
    "dil_h/",
    "dil_w/",
    "h",
    "w",
    "pad_h",
    "pad_w",
    "pixel",
    "c",
    "channel_bytes",
    "x_bytes",
    "v_bytes",
    "bin_stride",
    "row_stride",
    "chunks",
    "chunks/",
]


def outer(x: Line, first: int, s: float) -> list[Value]:
    """Row 0 or 5 of BT, times s: x0 - 97/36 x2 + x4, from `first` on."""
    return [fma(x[first + 4], s, fma(x[first + 2], -97 / 36 * s, x[first] * s))]


def pair(x: Line, p: float, q2: float, s: float) -> list[Value]:
    """The rows of the points p and -p, times s: they differ in the sign of their odd part. q2: the other points, squared."""
    even = fma(x[2], -q2 * s, x[4] * s)
    odd = fma(x[1], -q2, x[3])
    return [fma(odd, p * s, even), fma(odd, -p * s, even)]


#: BT by groups of rows: the inputs a group needs, its power of two, and its rows.
GROUPS: list[tuple[tuple[int, ...], float, Rows]] = [
    ((0, 2, 4), 1 / 8, lambda x, s: outer(x, 0, s)),
    ((1, 2, 3, 4), 1 / 8, lambda x, s: pair(x, 2 / 3, 9 / 4, s)),
    ((1, 2, 3, 4), 1 / 4, lambda x, s: pair(x, 3 / 2, 4 / 9, s)),
    ((1, 3, 5), 1 / 8, lambda x, s: outer(x, 1, s)),
]


class InputTransform:
    """The kernel while it is written."""

    def __init__(self) -> None:
        name = f"winograd_input_f4x4_f16_vf16_none_v{VEC}_b{BLOCK}"
        self.k = k = twinir.KernelBuilder(name, "gfx1250", BLOCK)
        self.x = k.global_in("x", f16, align=VEC * ELEMENT_BYTES)
        self.v = k.global_out("v", f16, align=16)
        self.a = SimpleNamespace()
        for word in ARGUMENTS:
            for name in (f"{word[:-1]}_m", f"{word[:-1]}_s") if word.endswith("/") else (word,):
                setattr(self.a, name, k.arg(name, i32))

    def quotient(self, dividend: Value, divisor: str) -> Value:
        """dividend / divisor without a division."""
        return lshr(umulh(dividend << 1, getattr(self.a, f"{divisor}_m")), getattr(self.a, f"{divisor}_s"))

    def first(self, line: Value, direction: str) -> Value:
        """The first pixel of a tile: in a dilated image, run line / dilation of the interleaved image line % dilation."""
        dilation = getattr(self.a, f"dil_{direction}")
        run = self.quotient(line, f"dil_{direction}")
        start: Value = (line - run * dilation) + run * (dilation * M) - getattr(self.a, f"pad_{direction}")
        return start

    def group(self, pointer: twinir.Pointer, group_bytes: Value, size: Value) -> twinir.Buffer:
        """A buffer over the part of this group of channels."""
        offset = zext(self.k.workgroup(1), i64) * zext(group_bytes, i64)
        return self.k.buffer(pointer.as_type(i8).shifted(offset).as_type(f16), size)

    def build(self) -> twinir.Kernel:
        k, a = self.k, self.a
        item = k.let("id", k.global_id())
        tile = k.let("tile", self.quotient(item, "chunks"))
        k.return_if(tile >= a.tiles)
        self.channel = k.let("channel", (item - tile * a.chunks) * VEC)
        row = self.quotient(tile, "tiles_x")
        image = self.quotient(row, "tiles_y")
        self.top, self.left = self.first(row - image * a.tiles_y, "h"), self.first(tile - row * a.tiles_x, "w")
        corner = ((image * a.h + self.top) * a.w + self.left) * a.pixel + self.channel * ELEMENT_BYTES
        self.source = self.group(self.x, a.channel_bytes, a.x_bytes - k.workgroup(1) * a.channel_bytes)
        self.target = self.group(self.v, a.bin_stride * BINS, a.v_bytes)
        self.offset = tile * a.row_stride + self.channel * ELEMENT_BYTES
        self.bin: Value | int = 0
        for inputs, scale, rows in GROUPS:
            # Opaque: a load of another group of rows is a load of its own, or the whole tile would stay in registers.
            columns = self.vertical(inputs, rows, k.opaque(corner))
            for row_of_tile in zip(*columns):
                self.horizontal(row_of_tile, scale)
            k.sched_barrier()
        return k.finish()

    def vertical(self, inputs: Sequence[int], rows: Rows, corner: Value) -> list[list[Value]]:
        """A group of rows of BT times the tile, column by column; the loads of the next column are in flight."""
        columns: list[list[Value]] = []
        pixels = self.load(inputs, corner, 0)
        for x in range(N):
            column, pixels = pixels, self.load(inputs, corner, x + 1) if x + 1 < N else {}
            columns.append([self.k.pin(value) for value in rows({y: fpcast(p, f32) for y, p in column.items()}, 1)])
            self.k.sched_barrier()
        return columns

    def load(self, inputs: Sequence[int], corner: Value, x: int) -> dict[int, Value]:
        """The pixels of column x in these rows; 0 outside of the image."""
        a = self.a
        out: dict[int, Value] = {}
        for y in inputs:
            inside = ult(self.top + a.dil_h * y, a.h) & (ult(self.left + a.dil_w * x, a.w) & (self.channel < a.c))
            offset = corner + a.w * a.pixel * a.dil_h * y + a.pixel * a.dil_w * x
            out[y] = self.k.pin(
                self.source.load(f16.vec(VEC), select(inside, offset, self.k.constant(i32, OUT_OF_RANGE)))
            )
        return out

    def horizontal(self, row: Sequence[Value], vertical_scale: float) -> None:
        """A row times B, scaled by both powers of two; its bins go to V one after the other."""
        for _, scale, rows in GROUPS:
            for value in rows(row, scale * vertical_scale):
                self.target.store(self.offset, fpcast(value, f16), self.bin)
                self.bin = self.a.bin_stride if isinstance(self.bin, int) else self.bin + self.a.bin_stride


def build() -> twinir.Kernel:
    return InputTransform().build()
