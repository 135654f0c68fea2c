# SPDX-License-Identifier: MIT
"""The one exception that a caller sees: a refusal with a stable code."""

from __future__ import annotations


class Refusal(Exception):
    """Says what was found, what was expected and what to do; `code` is stable ("TIR1004")."""

    def __init__(self, code: str, found: str, expected: str, action: str) -> None:
        super().__init__(code, found, expected, action)
        self.code = code
        self.found = found
        self.expected = expected
        self.action = action

    def __str__(self) -> str:
        return f"{self.code}: found {self.found}; expected {self.expected}; to do: {self.action}"

    def as_dict(self) -> dict[str, str]:
        """The form in which a worker and a plugin report it."""
        return {"code": self.code, "found": self.found, "expected": self.expected, "action": self.action}


def shown(value: object, limit: int = 60) -> str:
    """A short printable form of anything that was found, the same on every machine."""
    text = ascii(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
