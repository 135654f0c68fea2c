# SPDX-License-Identifier: MIT
"""Value types of the kernel JSON ("f32", "v8f16", "p1") and their texts in LLVM IR."""

from __future__ import annotations

import re

# name: (text in LLVM IR, bits)
_SCALARS: dict[str, tuple[str, int]] = {
    "i1": ("i1", 1),
    "i8": ("i8", 8),
    "i16": ("i16", 16),
    "i32": ("i32", 32),
    "i64": ("i64", 64),
    "f16": ("half", 16),
    "bf16": ("bfloat", 16),
    "f32": ("float", 32),
    "f64": ("double", 64),
    "p1": ("ptr addrspace(1)", 64),
    "p3": ("ptr addrspace(3)", 32),
    "p4": ("ptr addrspace(4)", 64),
    "p8": ("ptr addrspace(8)", 128),
}
_INTS = frozenset(("i1", "i8", "i16", "i32", "i64"))
_FLOATS = frozenset(("f16", "bf16", "f32", "f64"))
_POINTERS = frozenset(("p1", "p3", "p4"))
_VECTOR = re.compile(r"v([2-9]|[12][0-9]|3[0-2])([a-z]+[0-9]+)", re.ASCII)


class Type:
    """A scalar, or a vector of 2 to 32 scalars. There is one object per type: compare with `is`."""

    __slots__ = (
        "bits",
        "element",
        "is_float",
        "is_int",
        "is_pointer",
        "lanes",
        "name",
        "scalar",
        "text",
        "width",
    )

    def __init__(self, scalar: str, lanes: int) -> None:
        text, width = _SCALARS[scalar]
        self.name = scalar if lanes == 1 else f"v{lanes}{scalar}"  # also LLVM's mangled form
        self.text = text if lanes == 1 else f"<{lanes} x {text}>"
        self.scalar = scalar
        self.lanes = lanes
        self.width = width  # bits of one lane
        self.bits = width * lanes
        self.is_int = scalar in _INTS
        self.is_float = scalar in _FLOATS
        self.is_pointer = scalar in _POINTERS  # to memory; a buffer resource (p8) is none
        self.element: Type = self if lanes == 1 else vector(scalar, 1)

    @property
    def is_number(self) -> bool:
        return self.is_int or self.is_float

    @property
    def bytes(self) -> int:
        """Bytes in memory; i1 has no memory form and gives 0."""
        return self.width // 8 * self.lanes

    def with_scalar(self, scalar: str) -> Type:
        return vector(scalar, self.lanes)

    def __repr__(self) -> str:
        return f"Type({self.name})"


_known: dict[str, Type] = {}


def vector(scalar: str, lanes: int) -> Type:
    """The type of `lanes` scalars; a scalar itself for one lane."""
    name = scalar if lanes == 1 else f"v{lanes}{scalar}"
    found = _known.get(name)
    if found is None:
        found = _known[name] = Type(scalar, lanes)
    return found


def parse_type(name: str) -> Type | None:
    """The type of a canonical name, None for anything else."""
    found = _known.get(name)
    if found is not None:
        return found
    if name in _SCALARS:
        return vector(name, 1)
    match = _VECTOR.fullmatch(name)
    if match is None or match[2] not in _SCALARS:
        return None
    return vector(match[2], int(match[1]))


def type_of(name: str) -> Type:
    """The type of a name that is known to be right."""
    found = parse_type(name)
    assert found is not None, name
    return found
