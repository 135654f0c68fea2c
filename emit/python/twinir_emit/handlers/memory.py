# SPDX-License-Identifier: MIT
"""Addresses, loads and stores, buffer resources, asynchronous copies."""

from __future__ import annotations

from ..emission import Emission, Handler
from ..kernel import Gep, Stmt
from .calls import finish, immediate_text, intrinsic, misfit, overloaded

# The metadata of each flag: in the order of LLVM's kind numbers (clause C10).
_FLAG_NODES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("invariant", "invariant.load", ()),
    ("nontemporal", "nontemporal", ("i32 1",)),
    ("coarse", "amdgpu.no.fine.grained.memory", ()),
)


def attachments(out: Emission, flags: tuple[str, ...]) -> str:
    """`, !nontemporal !2`"""
    parts = [f", !{kind} !{out.metadata.node(node)}" for flag, kind, node in _FLAG_NODES if flag in flags]
    return "".join(parts)


def _gep(out: Emission, stmt: Stmt) -> str:
    assert isinstance(stmt, Gep)
    assert stmt.element is not None
    base, index = stmt.args
    flag = " inbounds" if stmt.flags else ""
    return f"getelementptr{flag} {stmt.element.text}, {out.typed[base]}, {out.typed[index]}"


def _load(out: Emission, stmt: Stmt) -> str:
    assert stmt.type is not None
    text = f"load {stmt.type.text}, {out.typed[stmt.args[0]]}, align {stmt.attributes[0]}"
    return text + attachments(out, stmt.flags) if stmt.flags else text


def _store(out: Emission, stmt: Stmt) -> str:
    value, pointer = stmt.args
    text = f"store {out.typed[value]}, {out.typed[pointer]}, align {stmt.attributes[0]}"
    return text + attachments(out, stmt.flags) if stmt.flags else text


def _rsrc(out: Emission, stmt: Stmt) -> str:
    """make.buffer.rsrc with stride 0; the record count is widened first where the flavor wants i64 (clause C13)."""
    call = overloaded(out, stmt)
    base, records = stmt.args
    if len(call.params) != 4:
        misfit(out, stmt)
    _, stride_kind, records_kind, flags_kind = call.params
    count = out.typed[records]
    if records_kind != "i32":
        name = f"%{stmt.name}.n"
        out.lines.append(f"  {name} = zext {count} to {records_kind}")
        count = f"{records_kind} {name}"
    stride, flags = immediate_text(out, stmt, stride_kind, 0), immediate_text(out, stmt, flags_kind, stmt.attributes[0])
    return finish(out, call, (out.typed[base], stride, count, flags))


_COPIED_BYTES = {"load.lds.b32": 4, "load.lds.b96": 12, "load.lds.b128": 16}


def _load_lds(out: Emission, stmt: Stmt) -> str:
    """global.load.lds: pointer, LDS base, bytes of a lane, offset, cache policy."""
    call = overloaded(out, stmt)
    if len(call.params) != 5:
        misfit(out, stmt)
    values = (_COPIED_BYTES[stmt.op.name], *stmt.attributes)
    immediates = [immediate_text(out, stmt, kind, value) for kind, value in zip(call.params[2:], values)]
    return finish(out, call, [*(out.typed[operand] for operand in stmt.args), *immediates])


def _wait_load_lds(out: Emission, stmt: Stmt) -> str:
    """s.waitcnt of gfx9: vmcnt in bits 0 to 3 and 14 to 15, the other counters at their greatest (no wait)."""
    call = overloaded(out, stmt)
    (count,) = stmt.attributes
    if len(call.params) != 1 or not isinstance(count, int):
        misfit(out, stmt)
    return finish(out, call, [immediate_text(out, stmt, call.params[0], 0x0F70 | count & 15 | count >> 4 << 14)])


HANDLERS: dict[str, Handler] = {
    "gep": _gep,
    "load": _load,
    "store": _store,
    "rsrc": _rsrc,
    "buffer.load": intrinsic,
    "buffer.store": intrinsic,
    **dict.fromkeys(("async.load.b32", "async.load.b64", "async.load.b128", "wait.async"), intrinsic),
    **dict.fromkeys(_COPIED_BYTES, _load_lds),
    "wait.load.lds": _wait_load_lds,
}
