# SPDX-License-Identifier: MIT
"""Assembles the text of a module: what stands before, around and after the statements (docs/ir_text_contract.md)."""

from __future__ import annotations

from .emission import Emission
from .errors import Refusal
from .flavor import Call, Flavor
from .handlers import HANDLERS
from .kernel import Kernel, Param
from .metadata import Metadata

_CODE_OBJECT_VERSION = ("i32 1", '!"amdhsa_code_object_version"', "i32 600")  # behaviour 1: Error


class _Groups:
    """Attribute groups, numbered in the order of the functions; equal ones share a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def suffix(self, group: str) -> str:
        """ " #<n>" for a group, nothing for an empty one."""
        return f" #{self._numbers.setdefault(group, len(self._numbers))}" if group else ""

    def lines(self) -> list[str]:
        return [f"attributes #{number} = {{ {group} }}" for group, number in self._numbers.items()]


def check_flavor(kernel: Kernel, flavor: Flavor) -> None:
    """Refuses a kernel with an operation that the flavor lacks (clause C16)."""
    for op in kernel.ops:
        if flavor.lacks(op):
            raise Refusal(
                "TIR3001",
                f"operation '{op}' in kernel '{kernel.name}'",
                f"an operation that flavor {flavor.name} has",
                "choose a flavor that has it (docs/flavors.md), or a spec that does not need it",
            )


def module_text(kernel: Kernel, flavor: Flavor) -> str:
    """The text of a verified kernel."""
    check_flavor(kernel, flavor)
    metadata = Metadata(flavor.preorder)
    flags = metadata.node(_CODE_OBJECT_VERSION)
    work_group = metadata.node(tuple(f"i32 {extent}" for extent in kernel.block))
    body = Emission(kernel, flavor, metadata, HANDLERS).function()
    groups = _Groups()
    lines = _head(kernel, flavor)
    lines += _define(kernel, flavor, groups, work_group)
    lines += body.lines
    lines.append("}")
    for call in body.declared.values():
        lines += _declare(call, groups)
    lines += ["", *groups.lines(), "", f"!llvm.module.flags = !{{!{flags}}}", "", *metadata.lines(), ""]
    return "\n".join(lines)


def _head(kernel: Kernel, flavor: Flavor) -> list[str]:
    lines = [
        f"; ModuleID = '{kernel.name}'",
        f'source_filename = "{kernel.name}"',
        f'target datalayout = "{flavor.datalayout}"',
        f'target triple = "{flavor.triple(kernel.target)}"',
    ]
    if kernel.lds:
        lines.append("")
    for array in kernel.lds:
        kind = f"[{array.count} x {array.type.text}]"
        symbol = f"@{kernel.name}.{array.name}"
        lines.append(f"{symbol} = internal addrspace(3) global {kind} poison, align {array.align}")
    return lines


def _comment(attributes: str) -> list[str]:
    return ["", f"; Function Attrs: {attributes}"] if attributes else [""]


def _define(kernel: Kernel, flavor: Flavor, groups: _Groups, work_group: int) -> list[str]:
    comment, group = flavor.kernel_attributes(kernel.items, kernel.target, kernel.waves)
    params = ", ".join(_param(param, flavor) for param in kernel.params)
    head = f"define amdgpu_kernel void @{kernel.name}({params}){groups.suffix(group)}"
    return [*_comment(comment), f"{head} !reqd_work_group_size !{work_group} {{"]


def _param(param: Param, flavor: Flavor) -> str:
    return f"{param.type.text} {flavor.param_attributes(param.kind, param.align, param.deref)} %{param.name}"


def _declare(call: Call, groups: _Groups) -> list[str]:
    return [*_comment(call.comment), call.declare + groups.suffix(call.group)]
