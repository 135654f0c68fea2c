# SPDX-License-Identifier: MIT
"""Both emitters against each other."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from ._errors import Error, make_error
from ._toolchain import Flavor, emit, find_flavor, flavors


@dataclass(frozen=True)
class Verdict:
    """What came of one flavor: "identical", "python alone" (its LLVM is not installed) or "refused alike"."""

    flavor: str
    verdict: str
    sha256: str  #: of the text; empty when it was refused
    code: str  #: of the refusal


@dataclass(frozen=True)
class Check:
    """What `Kernel.check` found, by flavor; it raises when emitters differ."""

    kernel: str
    verdicts: tuple[Verdict, ...]

    def __repr__(self) -> str:
        rows = [f"{v.flavor:<8} {v.verdict:<14} {v.sha256[:16] or v.code}" for v in self.verdicts]
        return "\n".join([self.kernel, *rows])


def check(name: str, kernel_json: str, chosen: int | str | Sequence[int | str] | None) -> Check:
    chosen = [chosen] if isinstance(chosen, (int, str)) else chosen
    wanted = [find_flavor(f) for f in chosen] if chosen is not None else [f for f in flavors() if f.file]
    return Check(name, tuple(_check(name, kernel_json, f) for f in wanted))


def _attempt(kernel_json: str, flavor: Flavor, engine: str) -> str | Error:
    try:
        return emit(kernel_json, flavor, engine)
    except Error as error:
        if error.code.startswith(("TIR1", "TIR3001")):
            return error
        raise


def _check(name: str, kernel_json: str, flavor: Flavor) -> Verdict:
    python = _attempt(kernel_json, flavor, "python")
    if not flavor.installed:
        return _verdict(flavor, "python alone", python)
    cpp = _attempt(kernel_json, flavor, "cpp")
    if isinstance(python, Error) and isinstance(cpp, Error) and python.code == cpp.code:
        return _verdict(flavor, "refused alike", python)
    if python != cpp:
        raise make_error(
            "TIR6007",
            f"two answers for kernel '{name}' on {flavor.name}:\n{_difference(str(cpp), str(python))}",
            "the same bytes from both emitters",
            "report it with the kernel's JSON",
        )
    return _verdict(flavor, "identical", python)


def _verdict(flavor: Flavor, verdict: str, answer: str | Error) -> Verdict:
    if isinstance(answer, Error):
        return Verdict(flavor.name, verdict, "", answer.code)
    return Verdict(flavor.name, verdict, hashlib.sha256(answer.encode()).hexdigest(), "")


def _difference(cpp: str, python: str) -> str:
    lines = difflib.unified_diff(cpp.splitlines(), python.splitlines(), "C++", "Python", lineterm="", n=2)
    return "\n".join(list(lines)[:20])
