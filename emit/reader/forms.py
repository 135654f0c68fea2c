# SPDX-License-Identifier: MIT
"""Pieces of printed IR, and the fault of a recording."""

from __future__ import annotations


class Fault(Exception):
    """What LLVM printed does not fit the form of a flavor file: nothing is recorded."""


def between(text: str, start: str, end: str) -> str:
    """The text between two marks; empty when the first is not there."""
    return text.partition(start)[2].partition(end)[0]


def printed_function(text: str) -> tuple[str, str, str]:
    """Of the only function of a module: its first line up to the attribute group, the comment on its attributes and
    the content of its group."""
    kind = "declare " if "\ndeclare " in text else "define "
    line = kind + between(text, "\n" + kind, "\n")
    if line.endswith(" {"):
        line = line[:-2]
    head, mark, _ = line.rpartition(" #")
    comment, group = between(text, "; Function Attrs: ", "\n"), between(text, "attributes #0 = { ", " }\n")
    return head if mark else line, comment, group


def split_params(params: str) -> list[str]:
    """Splits a list of parameters at the commas that are outside brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(params):
        depth += (letter in "(<") - (letter in ")>")
        if letter == "," and depth == 0:
            parts.append(params[start:at].strip())
            start = at + 1
    return [*parts, params[start:].strip()] if params else []
