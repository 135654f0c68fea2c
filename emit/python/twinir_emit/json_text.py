# SPDX-License-Identifier: MIT
"""JSON text to checked values. Whatever does not fit is refused with TIR1014, never with another exception."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from .errors import Refusal, shown

INT32 = (-(1 << 31), (1 << 31) - 1)
_INT64 = (-(1 << 63), (1 << 63) - 1)


def refuse(found: str, expected: str) -> NoReturn:
    raise Refusal("TIR1014", found, expected, "write the kernel with TwinIR, or see docs/kernel_json.md")


def _no_float(text: str) -> NoReturn:
    refuse(f"the number {shown(text)}", "integers; floats are written as bits")


def _no_doubles(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        refuse("a key twice in one object", "every key once")


_decoder = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)
_doubles_finder = json.JSONDecoder(object_pairs_hook=_no_doubles)


def decode(text: str) -> Any:
    """The value of a JSON text; keys that stand twice are `check_keys`'s."""
    try:
        value = _decoder.decode(text)
        if "\\u" in text:  # half of a surrogate pair is no text
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except (ValueError, RecursionError) as error:
        refuse(f"text that is no JSON ({type(error).__name__})", "a kernel in JSON")


def check_keys(text: str, keys: int) -> None:
    """Refuses keys that stand twice in one object; `keys` is the number of different ones, over all objects.

    Every key has a colon, so as many colons as different keys leave no room for a double.
    """
    if text.count(":") != keys:
        _doubles_finder.decode(text)


def members(value: Any, keys: tuple[str, ...], what: str) -> dict[str, Any]:
    """An object that has exactly these keys."""
    if not isinstance(value, dict):
        refuse(f"{shown(value)} for {what}", "an object")
    for key in keys:
        if key not in value:
            refuse(f'no key "{key}" in {what}', "the key to be there")
    if len(value) != len(keys):
        refuse(f"unknown keys {shown(sorted(set(value) - set(keys)))} in {what}", "only the keys of the schema")
    return value


def text_of(value: Any, what: str) -> str:
    if not isinstance(value, str):
        refuse(f"{shown(value)} for {what}", "a string")
    return value


def int_of(value: Any, what: str, low: int = _INT64[0], high: int = _INT64[1]) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        refuse(f"{shown(value)} for {what}", f"an integer from {low} to {high}")
    return value


def list_of(value: Any, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        refuse(f"{shown(value)} for {what}", "a list" if length is None else f"a list of {length}")
    return value
