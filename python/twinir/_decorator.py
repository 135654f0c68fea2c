# SPDX-License-Identifier: MIT
"""`@twinir.kernel`: a kernel from a function whose annotations are its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from ._builder import KernelBuilder
from ._errors import author_locals, make_error


class Param:
    """A pointer parameter as an annotation: In[f32], Out[f32], InOut[f32], ConstantIn[f32]."""

    def __init__(self, kind: str, element: _core.Type, align: int = 0) -> None:
        self.kind = kind
        self.element = element
        self.align = align

    def declare(self, k: KernelBuilder, name: str) -> _core.Pointer:
        make = {
            "In": k.global_in,
            "Out": k.global_out,
            "InOut": k.global_inout,
            "ConstantIn": k.constant_in,
        }[self.kind]
        return make(name, self.element, align=self.align)


class _Kind:
    """In, Out and so on; the index is the type of an element, or that and an alignment in bytes."""

    def __init__(self, kind: str, what: str) -> None:
        self._kind = kind
        self.__doc__ = (
            f"A pointer parameter that the kernel {what}, as an annotation: {kind}[f32], or with an alignment in bytes "
            f"that the caller promises {kind}[f32, 16]."
        )

    def __getitem__(self, element: _core.Type | tuple[_core.Type, int]) -> Any:
        kind, align = element if isinstance(element, tuple) and len(element) == 2 else (element, 0)
        if not isinstance(kind, _core.Type) or not isinstance(align, int):
            expected = f"{self._kind}[f32] or {self._kind}[f32, 16]"
            raise make_error("TIR1003", f"{self._kind}[{element!r}]", expected, "name the type of an element")
        return Param(self._kind, kind, align)

    def __repr__(self) -> str:
        return f"twinir.{self._kind}"


In = _Kind("In", "only reads")
Out = _Kind("Out", "only writes")
InOut = _Kind("InOut", "reads and writes")
ConstantIn = _Kind("ConstantIn", "reads from constant memory")


def kernel(
    function: Callable[..., None] | None = None,
    *,
    arch: str = "gfx1250",
    workgroup: int | Sequence[int] = 256,
    name: str | None = None,
    waves_per_eu: int = 0,
) -> Any:
    """Makes a Kernel from a function: its first argument is the builder, the others are the kernel's parameters.

    arch: one of targets(); workgroup: work-items of a group, a number or up to three; name: the function's by default;
    waves_per_eu: a register hint, at least so many waves per SIMD.

    @twinir.kernel(arch="gfx1250", workgroup=256)
    def saxpy(k, x: In[f32], y: InOut[f32], a: f32, n: i32):
        with k.for_(k.global_id(), n, k.global_size()) as i:
            y[i] = fma(a, x[i], y[i])

    The function runs once, here. Raises twinir.Error at the line of the function that is wrong.
    """
    if function is None:
        return lambda f: kernel(f, arch=arch, workgroup=workgroup, name=name, waves_per_eu=waves_per_eu)
    if not inspect.isfunction(function):
        raise make_error("TIR1003", f"{function!r:.60}", "a function", "decorate a def")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        found = f"'{function.__name__}', which is async or yields"
        raise make_error("TIR1003", found, "a plain function, which runs to its end", "write def, without yield")
    k = KernelBuilder(name or function.__name__, arch, workgroup)
    if waves_per_eu:
        k.waves_per_eu(waves_per_eu)
    function(k, *[_declare(k, p) for p in _parameters(function)])
    return k.finish()


def _parameters(function: Callable[..., None]) -> list[inspect.Parameter]:
    try:
        signature = inspect.signature(function, locals=author_locals(), eval_str=True)
    except NameError as error:
        found = f"an annotation of '{function.__name__}' with a name that is not there ({error})"
        raise make_error("TIR1003", found, "names of this module or of the function around it", "correct it") from None
    parameters = list(signature.parameters.values())
    if not parameters:
        raise make_error(
            "TIR1003", f"'{function.__name__}' without arguments", "the builder first", "write def f(k, ...)"
        )
    return parameters[1:]


def _declare(k: KernelBuilder, parameter: inspect.Parameter) -> _core.Value | _core.Pointer:
    kind = parameter.annotation
    if parameter.kind not in {parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD}:
        found = f"'{parameter.name}', which is {parameter.kind.description}"
        raise make_error("TIR1003", found, "parameters that are named one by one", "name each parameter")
    if isinstance(kind, Param):
        return kind.declare(k, parameter.name)
    if isinstance(kind, _core.Type):
        return k.arg(parameter.name, kind)
    shown = "no annotation" if kind is inspect.Parameter.empty else f"the annotation {kind!r}"
    expected = "In[f32], Out[f32], InOut[f32], ConstantIn[f32], or a type such as f32"
    raise make_error("TIR1003", f"{shown} on parameter '{parameter.name}'", expected, "annotate it")
