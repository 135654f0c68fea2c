# SPDX-License-Identifier: MIT
"""The LLVM inside the Python wheel llvmlite, as a reader of texts: it shares no code with the emitters.

It serves a flavor that no distribution packages (LLVM 20). llvmlite 0.46 and 0.47 hold LLVM 20.1.8, 0.48 to 0.50
LLVM 22.1.0.
"""

from __future__ import annotations

import subprocess
import sys

import llvmlite
import llvmlite.binding as llvm

VERSION = ".".join(map(str, llvm.llvm_version_info))
FLAVOR = f"llvm{llvm.llvm_version_info[0]}"
WHEEL = f"llvmlite {llvmlite.__version__}"

_ASK_TARGET = """
import sys, llvmlite.binding as llvm
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
llvm.Target.from_triple(sys.argv[1]).create_target_machine(cpu=sys.argv[2])
"""


class NotAccepted(Exception):
    """LLVM's parser or verifier refuses a text; the words are LLVM's."""


def reprint(text: str) -> str:
    """The text as this LLVM prints it again; NotAccepted when it does not parse or verify."""
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise NotAccepted(str(error).strip()) from None
    first = text.partition("\n")[0]
    if first.startswith("; ModuleID = '") and first.endswith("'"):
        module.name = first[len("; ModuleID = '") : -1]
    return str(module)


def machine(triple: str) -> llvm.TargetMachine:
    """NotAccepted when there is no back end for the triple."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        return llvm.Target.from_triple(triple).create_target_machine()
    except RuntimeError as error:
        raise NotAccepted(str(error).strip()) from None


def knows(triple: str, target: str) -> bool:
    """Can this LLVM generate code for the target? It says so on stderr only, so a process of its own is asked."""
    run = subprocess.run(
        [sys.executable, "-c", _ASK_TARGET, triple, target], check=True, capture_output=True, text=True
    )
    return "is not a recognized processor" not in run.stderr
