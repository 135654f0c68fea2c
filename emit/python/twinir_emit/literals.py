# SPDX-License-Identifier: MIT
"""Texts of constants: integers, floats in both styles, vectors.

Everything is integer arithmetic on bit patterns: no float of the host takes part. The decimal form is the one of
LLVM's APFloat with six digits, which first drops digits (truncating) and then rounds half up, so it is not printf's.
"""

from __future__ import annotations

from functools import lru_cache

from .types import Type

# scalar: (bits of the significand without the hidden one, bits of the exponent)
FORMATS: dict[str, tuple[int, int]] = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11)}
_DIGITS = 6
# APFloat's bound on the bits that six digits need: 196/59 is a little more than lg 10.
_ENOUGH_BITS = (_DIGITS * 196 + 58) // 59


def is_nan(scalar: str, bits: int) -> bool:
    mantissa, exponent = FORMATS[scalar]
    return bits >> mantissa & (1 << exponent) - 1 == (1 << exponent) - 1 and bits & (1 << mantissa) - 1 != 0


def _split(scalar: str, bits: int) -> tuple[int, int] | None:
    """|value| as (significand, power of two); None for infinity and NaN."""
    mantissa, exponent_bits = FORMATS[scalar]
    exponent = bits >> mantissa & (1 << exponent_bits) - 1
    fraction = bits & (1 << mantissa) - 1
    if exponent == (1 << exponent_bits) - 1:
        return None
    bias = (1 << exponent_bits - 1) - 1
    if exponent == 0:
        return fraction, 1 - bias - mantissa
    return fraction | 1 << mantissa, exponent - bias - mantissa


def _strip_zeros(digits: str, power: int) -> tuple[str, int]:
    kept = digits.rstrip("0")
    return kept, power + len(digits) - len(kept)


def _six_digits(significand: int, exponent: int) -> tuple[str, int]:
    """At most six decimal digits D and a power p with D * 10^p near significand * 2^exponent."""
    shift = (significand & -significand).bit_length() - 1
    significand >>= shift
    exponent += shift
    power = min(exponent, 0)
    significand = significand << exponent if exponent > 0 else significand * 5**-exponent
    spare = significand.bit_length() - _ENOUGH_BITS
    if spare > 0:
        dropped = spare * 59 // 196
        significand //= 10**dropped
        power += dropped
    digits, power = _strip_zeros(str(significand), power)
    if len(digits) > _DIGITS:
        power += len(digits) - _DIGITS
        rounded = int(digits[:_DIGITS]) + (digits[_DIGITS] >= "5")
        digits, power = _strip_zeros(str(rounded), power)
    return digits, power


def _nearest(scalar: str, digits: int, power: int) -> int:
    """Bits of the number nearest to digits * 10^power (ties to even), without a sign."""
    mantissa, exponent_bits = FORMATS[scalar]
    bias = (1 << exponent_bits - 1) - 1
    above = digits * 10**power if power > 0 else digits
    below = 10**-power if power < 0 else 1
    exponent = above.bit_length() - below.bit_length()
    if above << max(-exponent, 0) < below << max(exponent, 0):
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    shift = mantissa - exponent
    quotient, rest = divmod(above << max(shift, 0), below << max(-shift, 0))
    twice, whole = 2 * rest, below << max(-shift, 0)
    if twice > whole or (twice == whole and quotient & 1):
        quotient += 1
    if quotient < 1 << mantissa:
        return quotient
    return (exponent + bias - 1 << mantissa) + quotient


def _widen(bits: int) -> int:
    """The bits of an f32, without its sign, as those of the equal f64; a NaN keeps its payload and stays signalling."""
    exponent, fraction = bits >> 23, bits & 0x7FFFFF
    if exponent == 255:
        return 0x7FF << 52 | fraction << 29
    if exponent == 0 and fraction == 0:
        return 0
    if exponent == 0:
        shift = 24 - fraction.bit_length()
        fraction = fraction << shift & 0x7FFFFF
        exponent = 1 - shift
    return exponent + 896 << 52 | fraction << 29


def _decimal(negative: bool, digits: str, power: int) -> str:
    exponent = power + len(digits) - 1
    sign = "-" if negative else ""
    return f"{sign}{digits[0]}.{digits[1:]:0<6}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _short(scalar: str, bits: int, read_as: str, wanted: int) -> str | None:
    """The decimal text of a finite number, when it reads back as `wanted` in format `read_as`."""
    parts = _split(scalar, bits)
    negative = bool(bits >> sum(FORMATS[scalar]))
    if parts is None:
        return None
    if parts[0] == 0:
        return "-0.000000e+00" if negative else "0.000000e+00"
    digits, power = _six_digits(*parts)
    if _nearest(read_as, int(digits), power) != wanted:
        return None
    return _decimal(negative, digits, power)


def _hex_style(scalar: str, bits: int) -> str:
    """LLVM 19 to 22: half and bfloat always in hex, float as a double, decimal when that is exact enough."""
    if scalar == "f16":
        return f"0xH{bits:04X}"
    if scalar == "bf16":
        return f"0xR{bits:04X}"
    sign = bits >> sum(FORMATS[scalar])
    magnitude = bits & ~(1 << sum(FORMATS[scalar]))
    double = _widen(magnitude) if scalar == "f32" else magnitude
    text = _short(scalar, bits, "f64", double)
    return text if text is not None else f"0x{sign << 63 | double:X}"


def _special(scalar: str, bits: int) -> str:
    """An infinity or a NaN as LLVM 23 and later print it; the payload is what lies below the quiet bit."""
    mantissa = FORMATS[scalar][0]
    sign = "-" if bits >> sum(FORMATS[scalar]) else "+"
    if not is_nan(scalar, bits):
        return sign + "inf"
    payload = bits & (1 << mantissa - 1) - 1
    if not bits >> mantissa - 1 & 1:
        return f"{sign}snan(0x{payload:X})"
    return f"{sign}nan(0x{payload:X})" if payload else sign + "qnan"


def _decimal_style(scalar: str, bits: int) -> str:
    """LLVM 23 and later: decimal when it reads back in its own type, else the bits."""
    sign_bit = sum(FORMATS[scalar])
    if _split(scalar, bits) is None:
        return _special(scalar, bits)
    text = _short(scalar, bits, scalar, bits & ~(1 << sign_bit))
    return text if text is not None else f"f0x{bits:0{(sign_bit + 1) // 4}X}"


@lru_cache(maxsize=65536)
def float_text(scalar: str, bits: int, style: str) -> str:
    """The text of a float; style is "hex" or "decimal"."""
    return _hex_style(scalar, bits) if style == "hex" else _decimal_style(scalar, bits)


def int_text(bits: int, width: int) -> str:
    """Signed decimal; i1 as true and false."""
    if width == 1:
        return "true" if bits else "false"
    return str(bits - (1 << width) if bits >> width - 1 else bits)


def scalar_text(scalar: Type, bits: int, style: str) -> str:
    """The text of one lane, without its type."""
    return float_text(scalar.name, bits, style) if scalar.is_float else int_text(bits, scalar.width)


def constant_text(kind: Type, words: tuple[int, ...], style: str, splat: bool) -> str:
    """A constant without its type: one word for a scalar or a splat, else one per lane; none is poison."""
    if not words:
        return "poison"
    element = kind.element
    if kind.lanes == 1:
        return scalar_text(element, words[0], style)
    if not any(words):
        return "zeroinitializer"
    if len(words) == 1:
        one = f"{element.text} {scalar_text(element, words[0], style)}"
        return f"splat ({one})" if splat else "<" + ", ".join([one] * kind.lanes) + ">"
    return "<" + ", ".join(f"{element.text} {scalar_text(element, w, style)}" for w in words) + ">"


def mask_text(mask: tuple[int, ...]) -> str:
    """A shuffle mask with its type."""
    kind = f"<{len(mask)} x i32>"
    if all(m == 0 for m in mask):
        return kind + " zeroinitializer"
    if all(m == -1 for m in mask):
        return kind + " poison"
    return f"{kind} <" + ", ".join("i32 poison" if m == -1 else f"i32 {m}" for m in mask) + ">"
