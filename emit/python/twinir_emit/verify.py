# SPDX-License-Identifier: MIT
"""The verifier: what passes can be emitted for every flavor that has its operations.

Refuses at the first fault, with the 1xxx codes of dsl/codes.def. The order: names and limits of the kernel, its
parameters, its LDS, then the statements depth first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .attributes_check import ALIGNMENTS, check_words, good_alignment
from .constants_check import CONSTANT_CHECKS
from .errors import Refusal, shown
from .kernel import Constant, For, If, Kernel, LdsArray, Operand, Param, Result, Stmt
from .rules import fault_of
from .targets import find_target
from .types import Type, type_of

_MAX_NAME = 200
_RESERVED_KERNELS = frozenset(("llvm",))  # its LDS arrays would be LLVM's own globals (@llvm.used)
_MAX_EXTENT = 65536
_P3 = type_of("p3")


class Verifier:
    """Checks one kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._names: set[str] = {"entry"}  # taken, for the whole kernel
        self._scope: dict[str, Type] = {}  # what may be used here
        self._order: list[str] = []  # the scope's names, innermost last
        self._target = find_target("gfx1250")

    def run(self) -> None:
        kernel = self._kernel
        self._check_name(kernel.name, "kernel")
        if kernel.name in _RESERVED_KERNELS:
            self._fail("TIR1002", "a reserved name", "names that LLVM has no meaning for", "rename the kernel")
        self._target = find_target(kernel.target)
        self._work_group()
        for param in kernel.params:
            self._param(param)
        self._lds()
        self._region(kernel.body)

    # -- refusals

    def _fail(self, code: str, found: str, expected: str, action: str) -> NoReturn:
        raise Refusal(code, f"{found} in kernel '{self._kernel.name}'", expected, action)

    @staticmethod
    def _check_name(name: str, what: str) -> None:
        if not (name.isidentifier() and name.isascii() and len(name) <= _MAX_NAME):  # [A-Za-z_][A-Za-z0-9_]*
            expected = "[A-Za-z_][A-Za-z0-9_]* of 1 to 200 characters"
            raise Refusal("TIR1001", f"{what} name {shown(name)} of {len(name)} characters", expected, "rename it")

    # -- the kernel

    def _work_group(self) -> None:
        block = self._kernel.block
        if all(1 <= extent <= _MAX_EXTENT for extent in block) and self._kernel.items <= self._target.max_items:
            return
        found = "a work-group of {}x{}x{} items".format(*block)
        expected = f"1 to {self._target.max_items} items on {self._target.name}"
        self._fail("TIR1004", found, expected, "choose a smaller block")

    def _param(self, param: Param) -> None:
        kind = param.type
        self._define(param.name, kind, "parameter")
        if param.kind == "value":
            good = kind.is_number and kind.scalar != "i1"
        else:
            good = kind.name == "p1" or (kind.name == "p4" and param.kind == "in")
        if not good:
            found = f"parameter '{param.name}' of type {kind.name} as {param.kind}"
            expected = "a number by value, a p1 as in, out or inout, or a p4 as in"
            self._fail("TIR1003", found, expected, "change the parameter")
        if param.kind != "value":
            self._alignment(param.align, f"parameter '{param.name}'")

    def _alignment(self, align: int, what: str) -> None:
        if not good_alignment(align):
            self._fail("TIR1007", f"alignment {align} of {what}", ALIGNMENTS, "correct the alignment")

    def _lds(self) -> None:
        names: set[str] = set()
        total = 0
        for array in self._kernel.lds:
            self._check_name(array.name, "LDS array")
            if array.name in names:
                found = f"a second LDS array '{array.name}'"
                self._fail("TIR1002", found, "names that differ", "rename one of them")
            names.add(array.name)
            self._lds_array(array)
            total = -(-total // array.align) * array.align + array.count * array.type.bytes
            if total > self._target.lds_bytes:
                expected = f"at most {self._target.lds_bytes} bytes on {self._target.name}"
                self._fail("TIR1005", f"{total} bytes of LDS", expected, "use smaller tiles or fewer stages")
            self._scope["@" + array.name] = _P3

    def _lds_array(self, array: LdsArray) -> None:
        self._alignment(array.align, f"LDS array '{array.name}'")
        if array.count < 1 or not array.type.is_number or array.type.width < 8:
            found = f"{array.count} elements of {array.type.name} in LDS array '{array.name}'"
            self._fail("TIR1017", found, "one or more integers or floats of 8 bits or more", "correct the array")

    # -- names and scopes

    def _take(self, name: str, what: str) -> None:
        names = self._names
        # [A-Za-z_][A-Za-z0-9_]*
        if name in names or not (name.isidentifier() and name.isascii() and len(name) <= _MAX_NAME):
            self._check_name(name, what)
            self._fail("TIR1002", f"a second or reserved name '{name}'", "names that differ", "rename one of them")
        names.add(name)

    def _define(self, name: str, kind: Type, what: str) -> None:
        self._take(name, what)
        self._scope[name] = kind
        self._order.append(name)

    def _leave(self, mark: int) -> None:
        for name in self._order[mark:]:
            del self._scope[name]
        del self._order[mark:]

    def _operand(self, operand: Operand) -> Type:
        if isinstance(operand, Constant):
            if operand.fault:
                self._bad_constant(operand)
            return operand.type
        kind = self._scope.get(operand)
        if kind is None:
            self._unknown(operand)
        return kind

    def _unknown(self, name: str) -> NoReturn:
        if not name:
            self._fail("TIR1015", "an empty name for an operand", "a value or a constant", "correct the operand")
        found = f"value {shown(name, 200)} used outside the region in which it exists"
        expected = "a value that is defined before, in this region or around it"
        self._fail("TIR1006", found, expected, "define it there, or carry it as a result")

    def _bad_constant(self, constant: Constant) -> NoReturn:
        found = f"a constant of type {constant.type.name} with {len(constant.words)} words"
        expected = "a number type and one word that fits it, or one per lane when they differ"
        self._fail(constant.fault, found, expected, "correct the constant")

    # -- statements

    def _region(self, body: list[Stmt]) -> None:
        mark = len(self._order)
        for stmt in body:
            self._statement(stmt)
        self._leave(mark)

    def _statement(self, stmt: Stmt) -> None:
        op = stmt.op
        if op.feature and op.feature not in self._target.features:
            expected = f"an operation that {self._target.name} has"
            self._fail("TIR1010", f"operation '{op.name}'", expected, "choose another target or another way")
        scope = self._scope
        try:
            types = [scope[x] if x.__class__ is str else self._operand(x) for x in stmt.args]
        except KeyError as missing:
            self._unknown(missing.args[0])
        if op.attributes or stmt.flags:
            trouble = check_words(op, stmt.flags, stmt.attributes)
            if trouble is not None:
                self._fail(*trouble)
        region = _REGIONS.get(op.name)
        if region is not None:
            region(self, stmt, types)
            return
        self._types(stmt, types)
        if stmt.type is not None:
            self._define(stmt.name, stmt.type, "value")
        elif stmt.name:
            self._fail("TIR1014", f"a name {shown(stmt.name)} without a result", "no name", "remove it")

    def _types(self, stmt: Stmt, types: list[Type]) -> None:
        op = stmt.op
        fault = fault_of(op, stmt.type, stmt.element, stmt.lanes, *types)
        if fault is not None:
            self._fail("TIR1003", *fault, "convert the operands")
        check = CONSTANT_CHECKS.get(op.name)
        if check is not None:
            trouble = check(stmt, types)
            if trouble is not None:
                self._fail(*trouble)

    # -- regions

    def _for(self, stmt: Stmt, types: list[Type]) -> None:
        assert isinstance(stmt, For)
        self._types(stmt, types)
        self._take(stmt.name, "label")
        if not stmt.carry:
            found, expected = "a loop without a counter", "the counter as the first carried value"
            self._fail("TIR1014", found, expected, "add it")
        inits = [self._operand(carry.init) for carry in stmt.carry]
        counter = stmt.carry[0]
        if counter.init != stmt.args[0] or counter.next != counter.name + ".next":
            found = "a loop counter that is not [name, lower bound, name.next]"
            self._fail("TIR1014", found, "that form", "correct it")
        for carry, kind in zip(stmt.carry, inits):
            self._define(carry.name, kind, "carried value")
        mark = len(self._order)
        for inner in stmt.body:
            self._statement(inner)
        for carry, kind in zip(stmt.carry[1:], inits[1:]):
            self._same(self._operand(carry.next), kind, f"the next value of '{carry.name}'")
        self._leave(mark)

    def _if(self, stmt: Stmt, types: list[Type]) -> None:
        assert isinstance(stmt, If)
        self._types(stmt, types)
        self._take(stmt.name, "label")
        if stmt.results and stmt.orelse is None:
            expected = "an else branch that gives the other values"
            self._fail("TIR1014", "an if with results but no else", expected, "add it")
        self._arm(stmt.body, stmt.results, lambda result: result.body_value)
        self._arm(stmt.orelse or [], stmt.results, lambda result: result.else_value)
        for result in stmt.results:
            self._define(result.name, result.type, "result")

    def _assert(self, stmt: Stmt, types: list[Type]) -> None:
        self._types(stmt, types)
        self._take(stmt.name, "label")

    def _arm(self, body: list[Stmt], results: list[Result], value: Callable[[Result], Operand]) -> None:
        mark = len(self._order)
        for inner in body:
            self._statement(inner)
        for result in results:
            self._same(self._operand(value(result)), result.type, f"a value of result '{result.name}'")
        self._leave(mark)

    def _same(self, have: Type, want: Type, what: str) -> None:
        if have is not want:
            self._fail("TIR1003", f"{what} of type {have.name}", f"type {want.name}", "convert the value")


_REGIONS = {"for": Verifier._for, "if": Verifier._if, "assert": Verifier._assert}


def verify(kernel: Kernel) -> None:
    """Refuses a kernel that cannot be emitted."""
    Verifier(kernel).run()
