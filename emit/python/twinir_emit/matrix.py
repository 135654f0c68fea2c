# SPDX-License-Identifier: MIT
"""The types of the matrix operations: a second statement of the table in dsl/matrix.cpp."""

from __future__ import annotations

from .ops import EIGHT_BIT_PAIRS
from .types import type_of

# gfx1150 and gfx1201 take the bits of bf16; numbers of 8 bits are packed into integers.
_FRAGMENTS: dict[tuple[str, ...], tuple[str, str]] = {
    ("wmma.f32.16x16x32.f16", "wmma.f32.16x16x16.f16"): ("v16f16", "v8f32"),
    ("wmma.f32.16x16x32.bf16",): ("v16bf16", "v8f32"),
    ("wmma.f32.16x16x16.bf16",): ("v16i16", "v8f32"),
    ("wmma.i32.16x16x16.iu8",): ("v4i32", "v8i32"),
    ("wmma.f32.16x16x16.f16.gfx12",): ("v8f16", "v8f32"),
    ("wmma.f32.16x16x16.bf16.gfx12",): ("v8i16", "v8f32"),
    tuple(f"wmma.f32.16x16x16.{pair}" for pair in EIGHT_BIT_PAIRS): ("v2i32", "v8f32"),
    ("wmma.i32.16x16x16.iu8.gfx12",): ("v2i32", "v8i32"),
    tuple(f"wmma.f32.16x16x64.{pair}" for pair in EIGHT_BIT_PAIRS): ("v8i32", "v8f32"),
    ("wmma.i32.16x16x64.iu8",): ("v8i32", "v8i32"),
    ("mfma.f32.32x32x16.f16",): ("v8f16", "v16f32"),
    ("mfma.f32.32x32x16.bf16",): ("v8bf16", "v16f32"),
    tuple(f"mfma.f32.32x32x16.{pair}" for pair in EIGHT_BIT_PAIRS): ("i64", "v16f32"),
    ("mfma.f32.16x16x32.f16",): ("v8f16", "v4f32"),
    ("mfma.f32.16x16x32.bf16",): ("v8bf16", "v4f32"),
    ("mfma.i32.32x32x32.i8",): ("v4i32", "v16i32"),
}
#: Types of the fragments and of the sums, by operation.
MATRIX_SHAPES = {op: (type_of(a), type_of(c)) for ops, (a, c) in _FRAGMENTS.items() for op in ops}
