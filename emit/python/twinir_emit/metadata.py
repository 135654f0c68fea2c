# SPDX-License-Identifier: MIT
"""The numbered metadata nodes of a module, in the order in which the flavor's LLVM numbers them (clause C10)."""

from __future__ import annotations

from typing import Union

#: The operands of a node: texts ("i32 1"), or operands of a node of its own.
Operands = tuple[Union[str, "Operands"], ...]


class Metadata:
    """Gives numbers in the order of the calls; equal nodes are one, except the distinct ones of loops."""

    def __init__(self, preorder: bool) -> None:
        self._preorder = preorder  # a node gets its number before its operands do
        self._numbers: dict[Operands, int] = {}
        self._texts: list[str] = []

    def _reserve(self) -> int:
        self._texts.append("")
        return len(self._texts) - 1

    def node(self, operands: Operands) -> int:
        """The number of the node with these operands."""
        known = self._numbers.get(operands)
        if known is not None:
            return known
        number = self._reserve() if self._preorder else -1
        texts = [part if isinstance(part, str) else f"!{self.node(part)}" for part in operands]
        if number < 0:
            number = self._reserve()
        self._numbers[operands] = number
        self._texts[number] = "!{" + ", ".join(texts) + "}"
        return number

    def loop(self, option: str) -> int:
        """The number of a new distinct loop node with one option."""
        number = self._reserve() if self._preorder else -1
        operand = self.node((f'!"{option}"',))
        if number < 0:
            number = self._reserve()
        self._texts[number] = f"distinct !{{!{number}, !{operand}}}"
        return number

    def lines(self) -> list[str]:
        return [f"!{number} = {text}" for number, text in enumerate(self._texts)]
