# SPDX-License-Identifier: MIT
"""The independent Python emitter: kernel JSON and a flavor file to LLVM IR text, with the standard library only.

    from twinir_emit import emit, load_flavor
    text = emit(kernel_json, load_flavor("emit/flavors/llvm22.json"))

Raises Refusal, with a code of dsl/codes.def, for everything that is wrong with its input.
"""

from __future__ import annotations

from .errors import Refusal
from .flavor import Flavor, load_flavor
from .kernel import Kernel
from .module import module_text
from .reader import read
from .verify import verify

__all__ = ["Flavor", "Kernel", "Refusal", "emit", "load_flavor", "prepare"]


def prepare(kernel: str | bytes) -> Kernel:
    """A kernel that was read and verified: what emission for several flavors shares."""
    described = read(kernel)
    verify(described)
    return described


def emit(kernel: str | bytes | Kernel, flavor: Flavor) -> str:
    """The LLVM IR text of a kernel, or of one that was prepared, as the flavor's own LLVM prints it."""
    return module_text(kernel if isinstance(kernel, Kernel) else prepare(kernel), flavor)
