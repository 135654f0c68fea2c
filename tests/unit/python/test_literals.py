# SPDX-License-Identifier: MIT
"""Literals: fixed facts of LLVM's printer (trial 20 of the public reports), and exact round trips."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinir_emit.literals import FORMATS, constant_text, float_text, int_text, is_nan, mask_text
from twinir_emit.types import parse_type, type_of

FACTS = [
    # scalar, bits, LLVM 19 to 22, LLVM 23 and later
    ("f32", 0x3DCCCCCD, "0x3FB99999A0000000", "1.000000e-01"),  # 0.1f
    ("f32", 0x3EAAAAAB, "0x3FD5555560000000", "f0x3EAAAAAB"),  # 1/3f
    ("f32", 0x7F800000, "0x7FF0000000000000", "+inf"),
    ("f32", 0xFF800000, "0xFFF0000000000000", "-inf"),
    ("f32", 0x80000000, "-0.000000e+00", "-0.000000e+00"),
    ("f32", 0x00000000, "0.000000e+00", "0.000000e+00"),
    ("f32", 0x00000001, "0x36A0000000000000", "1.401300e-45"),  # 1.4e-45f
    ("f32", 0x7F7FFFFF, "0x47EFFFFFE0000000", "f0x7F7FFFFF"),  # FLT_MAX
    ("f32", 0x40490FDB, "0x400921FB60000000", "f0x40490FDB"),  # pi
    ("f32", 0x3FC00000, "1.500000e+00", "1.500000e+00"),
    ("f32", 0xC0000000, "-2.000000e+00", "-2.000000e+00"),
    ("f16", 0x2E66, "0xH2E66", "9.997550e-02"),
    ("f16", 0x7BFF, "0xH7BFF", "6.550400e+04"),  # 65504
    ("f16", 0x3C00, "0xH3C00", "1.000000e+00"),
    ("f16", 0x7C00, "0xH7C00", "+inf"),
    ("f16", 0x8000, "0xH8000", "-0.000000e+00"),
    ("bf16", 0x3DCD, "0xR3DCD", "1.000980e-01"),
    ("bf16", 0x3F80, "0xR3F80", "1.000000e+00"),
    ("f64", 0x3FF0000000000000, "1.000000e+00", "1.000000e+00"),
    ("f64", 0x3FB999999999999A, "1.000000e-01", "1.000000e-01"),
    ("f64", 0x00FFFFFFFFFFFFFF, "0xFFFFFFFFFFFFFF", "f0x00FFFFFFFFFFFFFF"),  # not padded before 23
    ("f64", 0x0000000000000123, "1.437730e-321", "1.437730e-321"),
    ("f64", 0xFFF0000000000000, "0xFFF0000000000000", "-inf"),
    ("f32", 0x7FC00000, "0x7FF8000000000000", "+qnan"),
    ("f32", 0x7FA00000, "0x7FF4000000000000", "+snan(0x200000)"),
    ("f32", 0x7FC00055, "0x7FF8000AA0000000", "+nan(0x55)"),
    ("f32", 0xFFC00000, "0xFFF8000000000000", "-qnan"),
    ("f32", 0xFF800101, "0xFFF0002020000000", "-snan(0x101)"),
    ("f32", 0x7FFFFFFF, "0x7FFFFFFFE0000000", "+nan(0x3FFFFF)"),  # capitals
    ("f16", 0x7E00, "0xH7E00", "+qnan"),
    ("f16", 0xFC01, "0xHFC01", "-snan(0x1)"),
    ("bf16", 0xFFC1, "0xRFFC1", "-nan(0x1)"),
    ("bf16", 0x7F81, "0xR7F81", "+snan(0x1)"),
    ("f64", 0xFFF8000000000000, "0xFFF8000000000000", "-qnan"),
    ("f64", 0x7FF0000000000001, "0x7FF0000000000001", "+snan(0x1)"),
]


@pytest.mark.parametrize("scalar, bits, old, new", FACTS)
def test_facts(scalar: str, bits: int, old: str, new: str) -> None:
    assert float_text(scalar, bits, "hex") == old
    assert float_text(scalar, bits, "decimal") == new


@pytest.mark.parametrize(
    "scalar, bits", [("f32", 0x7FC00000), ("f32", 0x7FA00000), ("f32", 0x7FC00055), ("f16", 0x7E00), ("bf16", 0xFFC1)]
)
def test_nan(scalar: str, bits: int) -> None:
    assert is_nan(scalar, bits)
    assert not is_nan(scalar, bits & ~((1 << FORMATS[scalar][0]) - 1))


def value_of(scalar: str, bits: int) -> Fraction:
    """The number, by the definition of the format."""
    mantissa, exponent_bits = FORMATS[scalar]
    fraction, exponent = bits & (1 << mantissa) - 1, bits >> mantissa & (1 << exponent_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    scale = Fraction(2) ** ((exponent or 1) - bias - mantissa)
    significand = fraction if exponent == 0 else fraction + (1 << mantissa)
    return (-1 if bits >> mantissa + exponent_bits else 1) * significand * scale


def rounds_to(number: Fraction, scalar: str, bits: int) -> bool:
    """Is `bits` the nearest of its format to the number, ties to even?"""
    magnitude = bits & ~(1 << sum(FORMATS[scalar]))
    here = abs(value_of(scalar, magnitude))
    low = here - value_of(scalar, magnitude - 1) if magnitude else here
    high = value_of(scalar, magnitude + 1) - here
    error = abs(number) - here
    edge = error in (-low / 2, high / 2)
    return (-low / 2 < error < high / 2) or (edge and magnitude % 2 == 0)


def read(scalar: str, text: str) -> tuple[str, int | Fraction]:
    """What a text says: bits of some format, or an exact decimal."""
    if found := re.fullmatch(r"([+-])(?:qnan|(s?)nan\(0x([1-9A-F][0-9A-F]*)\))", text):
        sign, signalling, payload = found.groups()
        exponent = ((1 << FORMATS[scalar][1]) - 1) << FORMATS[scalar][0]
        quiet = 0 if signalling else 1 << FORMATS[scalar][0] - 1
        return scalar, (sign == "-") << sum(FORMATS[scalar]) | exponent | quiet | int(payload or "0", 16)
    if text in ("+inf", "-inf"):
        return scalar, {"+": 0, "-": 1}[text[0]] << sum(FORMATS[scalar]) | ((1 << FORMATS[scalar][1]) - 1) << FORMATS[
            scalar
        ][0]
    for prefix, kind in (("0xH", "f16"), ("0xR", "bf16"), ("f0x", scalar), ("0x", "f64")):
        if text.startswith(prefix):
            return kind, int(text[len(prefix) :], 16)
    return "decimal", Fraction(text)


FLOATS = st.sampled_from(sorted(FORMATS)).flatmap(
    lambda scalar: st.tuples(st.just(scalar), st.integers(0, (1 << sum(FORMATS[scalar]) + 1) - 1))
)
SHORT = st.tuples(st.just("f32"), st.integers(0, 255), st.integers(0, 63), st.integers(0, 1)).map(
    lambda p: (p[0], p[3] << 31 | p[1] << 23 | p[2] << 17)
)


def nan(scalar: str, bits: int, set_bit: int) -> tuple[str, int]:
    """A NaN with the sign and payload of `bits`, and one bit of the payload set."""
    mantissa, exponent = FORMATS[scalar]
    return scalar, bits | (1 << exponent) - 1 << mantissa | 1 << set_bit % mantissa


NANS = st.tuples(FLOATS, st.integers(0, 51)).map(lambda p: nan(*p[0], p[1]))


def widened(bits: int) -> int:
    """The double that LLVM up to 22 writes for a float NaN: the payload moves up."""
    return bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29


@settings(max_examples=1500, deadline=None)
@given(st.one_of(FLOATS, SHORT, NANS), st.sampled_from(["hex", "decimal"]))
def test_a_text_reads_back_to_its_bits(number: tuple[str, int], style: str) -> None:
    scalar, bits = number
    text = float_text(scalar, bits, style)
    kind, read_back = read(scalar, text)
    infinite = bits & ~(1 << sum(FORMATS[scalar])) == ((1 << FORMATS[scalar][1]) - 1) << FORMATS[scalar][0]
    if kind == "decimal":
        assert isinstance(read_back, Fraction)
        assert re.fullmatch(r"-?\d\.\d{6}e[+-]\d{2,3}", text)
        assert text.startswith("-") == bool(bits >> sum(FORMATS[scalar]))
        assert rounds_to(read_back, scalar, bits)
    elif kind == scalar:
        assert read_back == bits
    else:  # a float as the double of the same value
        assert (kind, scalar) == ("f64", "f32")
        assert isinstance(read_back, int)
        assert read_back >> 63 == bits >> 31
        if is_nan(scalar, bits):
            assert read_back == widened(bits)
        else:
            assert infinite or value_of("f64", read_back) == value_of("f32", bits)


def test_every_half_and_bfloat_has_a_short_decimal() -> None:
    for scalar in ("f16", "bf16"):
        for bits in range(1 << 16):
            text = float_text(scalar, bits, "decimal")
            assert not text.startswith("f0x"), (scalar, hex(bits))
            if is_nan(scalar, bits):
                assert read(scalar, text) == (scalar, bits)
        for bits in range(0, 1 << 15, 37):
            text = float_text(scalar, bits, "decimal")
            assert is_nan(scalar, bits) or text == "+inf" or rounds_to(Fraction(text), scalar, bits)


@given(st.sampled_from([8, 16, 32, 64]), st.data())
def test_integers_are_signed(width: int, data: st.DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << width) - 1))
    value = int(int_text(bits, width))
    assert value % (1 << width) == bits
    assert -(1 << width - 1) <= value < 1 << width - 1


CONSTANTS = [
    ("i1", (0,), "false", "false"),
    ("i1", (1,), "true", "true"),
    ("i8", (0xFF,), "-1", "-1"),
    ("i64", (1 << 63,), "-9223372036854775808", "-9223372036854775808"),
    ("v4i32", (7,), "<i32 7, i32 7, i32 7, i32 7>", "splat (i32 7)"),
    ("v2i1", (1,), "<i1 true, i1 true>", "splat (i1 true)"),
    ("v2i1", (1, 0), "<i1 true, i1 false>", "<i1 true, i1 false>"),
    ("v4i32", (0,), "zeroinitializer", "zeroinitializer"),
    ("v2f32", (0,), "zeroinitializer", "zeroinitializer"),
    ("v2f32", (1 << 31,), "<float -0.000000e+00, float -0.000000e+00>", "splat (float -0.000000e+00)"),
    ("v2f16", (0x3C00, 0), "<half 0xH3C00, half 0xH0000>", "<half 0xH3C00, half 0xH0000>"),
    ("v2f16", (0x7E00,), "<half 0xH7E00, half 0xH7E00>", "splat (half 0xH7E00)"),
    ("v2f32", (0x7FA00000, 0), *["<float 0x7FF4000000000000, float 0.000000e+00>"] * 2),
    ("v4f32", (), "poison", "poison"),
    ("f32", (), "poison", "poison"),
]


@pytest.mark.parametrize("kind, words, plain, splat", CONSTANTS)
def test_constants(kind: str, words: tuple[int, ...], plain: str, splat: str) -> None:
    assert constant_text(type_of(kind), words, "hex", splat=False) == plain
    assert constant_text(type_of(kind), words, "hex", splat=True) == splat


def test_masks() -> None:
    assert mask_text((0, 0)) == "<2 x i32> zeroinitializer"
    assert mask_text((-1, -1, -1)) == "<3 x i32> poison"
    assert mask_text((3, 3)) == "<2 x i32> <i32 3, i32 3>"
    assert mask_text((-1, 0)) == "<2 x i32> <i32 poison, i32 0>"


@pytest.mark.parametrize(
    "name, text",
    [
        ("i1", "i1"),
        ("bf16", "bfloat"),
        ("v8f16", "<8 x half>"),
        ("p8", "ptr addrspace(8)"),
        ("v32f64", "<32 x double>"),
    ],
)
def test_types(name: str, text: str) -> None:
    assert type_of(name).text == text
    assert type_of(name) is parse_type(name)
    assert type_of(name).name == name


@pytest.mark.parametrize(
    "name", ["", "v1f32", "v33f32", "v08f32", "v8", "void", "f8", "v4", "vf32", "v2v2f32", "F32", "v2f32 "]
)
def test_no_types(name: str) -> None:
    assert parse_type(name) is None
