# SPDX-License-Identifier: MIT
"""Errors: the code, what was found, what was expected, what to do, and the author's own line with a caret."""

from __future__ import annotations

import linecache
import os
import sys
from itertools import islice
from types import FrameType

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_SKIPPED = ("contextlib.py", "functools.py")
_GENERATED = ("types", "dataclasses", "twinir.families")  #: modules of what make_dataclass writes


class Error(Exception):
    """Something that the author of a kernel, or the caller, can put right.

    Attributes: code ("TIR1003"), found, expected, action, and file, line (None when no line of the author is on the stack).
    """

    __module__ = "twinir"  # its public name in tracebacks

    def __init__(
        self,
        code: str,
        found: str,
        expected: str,
        action: str,
        file: str | None = None,
        line: int | None = None,
        source: str = "",
    ) -> None:
        self.code = code
        self.found = found
        self.expected = expected
        self.action = action
        self.file = file
        self.line = line
        self._source = source
        super().__init__(f"{code}: found {found}; expected {expected}; to do: {action}{source}")

    def __reduce__(self) -> tuple[object, ...]:
        return Error, (self.code, self.found, self.expected, self.action, self.file, self.line, self._source)


class InternalError(Exception):
    """twinir itself is wrong; please report it."""

    __module__ = "twinir"


def make_error(code: str, found: str, expected: str, action: str) -> Error:
    """An error at the author's line: the innermost frame outside of this package."""
    frame = _author(sys._getframe(1))
    if frame is None:
        return Error(code, found, expected, action)
    file, line = frame.f_code.co_filename, frame.f_lineno
    return Error(code, found, expected, action, file, line, _quote(frame))


def make_error_at(code: str, found: str, expected: str, action: str, file: str, line: int) -> Error:
    """An error at a line of the author that has run before: nothing is known of its columns."""
    text = linecache.getline(file, line).rstrip("\n")
    return Error(code, found, expected, action, file, line, _place(file, line, text, None))


def make_internal_error(text: str) -> InternalError:
    return InternalError(text)


def author_locals() -> dict[str, object]:
    """The names where the author is: annotations may be text, and name what is local to a function."""
    frame = _author(sys._getframe(1))
    return {} if frame is None else dict(frame.f_locals)


def _author(frame: FrameType | None) -> FrameType | None:
    while frame is not None:
        file = frame.f_code.co_filename
        ours = file.startswith((_PACKAGE, "<frozen")) or frame.f_globals.get("__name__") in _GENERATED
        if not ours and os.path.basename(file) not in _SKIPPED:
            return frame
        frame = frame.f_back
    return None


def _quote(frame: FrameType) -> str:
    """The line, and a caret line below the expression where Python knows it (3.11 and later), else below the line."""
    number, file = frame.f_lineno, frame.f_code.co_filename
    text = linecache.getline(file, number, frame.f_globals).rstrip("\n")
    return _place(file, number, text, _columns(frame, text))


def _place(file: str, number: int, text: str, columns: tuple[int, int] | None) -> str:
    place = f"\n  {os.path.basename(file)}:{number}"
    if not text.strip():
        return place
    indent = len(text) - len(text.lstrip())
    start, end = columns or (indent, len(text))
    shown = text[indent:].expandtabs(1)
    return f"{place}: {shown}\n{' ' * (len(place) + 1 + start - indent)}{'^' * max(1, end - start)}"


def _columns(frame: FrameType, text: str) -> tuple[int, int] | None:
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None:
        return None
    first, last, start, end = next(islice(positions(), frame.f_lasti // 2, None))
    if first != last or start is None or end is None:
        return None
    data = text.encode()  # columns count bytes of UTF-8
    return len(data[:start].decode(errors="ignore")), len(data[:end].decode(errors="ignore"))
