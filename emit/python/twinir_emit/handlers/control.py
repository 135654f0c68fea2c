# SPDX-License-Identifier: MIT
"""Structured regions: blocks, branches and phis (clauses C7 to C9)."""

from __future__ import annotations

from ..emission import Emission, Handler, label_line
from ..kernel import For, If, Stmt
from .calls import finish, intrinsic, overloaded

_NO_UNROLL = "llvm.loop.unroll.disable"


def _if(out: Emission, stmt: Stmt) -> None:
    assert isinstance(stmt, If)
    before, then, end = out.block, f"{stmt.name}.then", f"{stmt.name}.end"
    other = end if stmt.orelse is None else f"{stmt.name}.else"
    out.lines.append(f"  br {out.typed[stmt.args[0]]}, label %{then}, label %{other}")
    body_end = _arm(out, then, before, stmt.body, end)
    if stmt.orelse is None:
        out.start_block(end, before, body_end)
        return
    else_end = _arm(out, other, before, stmt.orelse, end)
    out.start_block(end, body_end, else_end)
    bare = out.bare
    for result in stmt.results:
        arms = f"[ {bare[result.body_value]}, %{body_end} ], [ {bare[result.else_value]}, %{else_end} ]"
        out.lines.append(f"  %{result.name} = phi {result.type.text} {arms}")
        out.define(result.name, result.type)


def _arm(out: Emission, label: str, before: str, body: list[Stmt], end: str) -> str:
    """Writes a branch of an `if`; gives the label of the block in which it ends."""
    out.start_block(label, before)
    out.statements(body)
    out.lines.append(f"  br label %{end}")
    return out.block


def _assert(out: Emission, stmt: Stmt) -> None:
    """A branch around a trap; its labels carry the assertion's name."""
    before, fail, end = out.block, f"{stmt.name}.fail", f"{stmt.name}.end"
    out.lines.append(f"  br {out.typed[stmt.args[0]]}, label %{end}, label %{fail}")
    out.start_block(fail, before)
    out.lines.append("  " + finish(out, overloaded(out, stmt), ()))
    out.lines.append(f"  br label %{end}")
    out.start_block(end, before, fail)


def _for(out: Emission, stmt: Stmt) -> None:
    assert isinstance(stmt, For)
    lines, name, before = out.lines, stmt.name, out.block
    head, body, end, condition = (f"{name}.{part}" for part in ("head", "body", "end", "cond"))
    counter = stmt.carry[0].name
    firsts = [out.bare[carry.init] for carry in stmt.carry]
    lines.append(f"  br label %{head}")
    head_line = out.start_block(head, before)
    for carry in stmt.carry:
        out.define(carry.name, out.type_of(carry.init))
    lines += [""] * len(stmt.carry)  # the phis: their second values are known after the body
    lines.append(f"  %{condition} = icmp slt {out.typed[counter]}, {out.bare[stmt.args[1]]}")
    lines.append(f"  br i1 %{condition}, label %{body}, label %{end}")
    out.start_block(body, head)
    out.statements(stmt.body)
    lines.append(f"  %{counter}.next = add {out.typed[counter]}, {out.bare[stmt.args[2]]}")
    loop = f", !llvm.loop !{out.metadata.loop(_NO_UNROLL)}" if stmt.flags else ""
    lines.append(f"  br label %{head}{loop}")
    latch = out.block
    lines[head_line] = label_line(head, (before, latch))
    nexts = [f"%{counter}.next", *(out.bare[carry.next] for carry in stmt.carry[1:])]
    for at, (carry, first, following) in enumerate(zip(stmt.carry, firsts, nexts), head_line + 1):
        kind = out.type_of(carry.name).text
        lines[at] = f"  %{carry.name} = phi {kind} [ {first}, %{before} ], [ {following}, %{latch} ]"
    out.start_block(end, head)


HANDLERS: dict[str, Handler] = {"if": _if, "for": _for, "assert": _assert, "trap": intrinsic}
