# SPDX-License-Identifier: MIT
"""The kernel families that ship with twinir: their specs by reflection, their kernels and launches.

>>> from twinir import families
>>> families.names()
>>> spec = families.winograd_input(tile="f4x4", vec=2)
>>> spec.build("gfx1250").compile().vgprs

Each family is a frozen dataclass with the fields of its C++ spec: same names, defaults and checks
(`help(families.saxpy)`); only names that Python keeps for itself end in an underscore (`families.gemm(in_="bf16")`).
"""

from __future__ import annotations

import dataclasses
import json
import keyword
import operator
from typing import Any, ClassVar

from . import _core
from ._errors import Error, make_error
from ._kernel import Kernel


@dataclasses.dataclass(frozen=True)
class Spec:
    """A spec of a family. Fields cannot be changed: make another one, for example with dataclasses.replace."""

    family: ClassVar[str] = ""

    def __post_init__(self) -> None:
        _core.family_complete(self.family, self._json)

    @property
    def _json(self) -> str:
        fields = {f.metadata["name"]: getattr(self, f.name) for f in dataclasses.fields(self)}
        try:
            return json.dumps(fields, default=operator.index, allow_nan=False)  # numpy's integers are integers
        except (TypeError, ValueError) as error:
            raise make_error(
                "TIR2003", f"{fields} ({error})", "numbers, texts and truth values", "correct it"
            ) from None

    @property
    def kernel_name(self) -> str:
        """The family and every field."""
        return _core.family_kernel_name(self.family, self._json)

    def refusals(self, arch: str = "gfx1250") -> list[Error]:
        """Everything that is wrong with it on a GPU; empty: `build` will succeed."""
        return [Error(*d) for d in _core.family_refusals(self.family, self._json, arch)]

    def build(self, arch: str = "gfx1250") -> Kernel:
        """The kernel for a GPU; raises the first of `refusals` (twinir.Error TIR2xxx)."""
        return Kernel(_core.family_build(self.family, self._json, arch))

    def launch(self, problem: str) -> dict[str, Any]:
        """How a stage of a convolution ("convfp16 -n 1 -c 64 ...") is launched: {"grid", "block", "arguments"}.

        grid: work-groups, block: work-items of one, arguments: the numbers by name; the pointers are the caller's.
        Raises twinir.Error TIR2011 for families that are no stage.
        """
        answer: dict[str, Any] = json.loads(_core.family_launch(self.family, self._json, problem))
        return answer


def names() -> list[str]:
    """Every family."""
    return [name for name, _ in _core.family_names()]


def gate_specs(family: str, arch: str = "gfx1250") -> list[Spec]:
    """The specs that the gate builds for a GPU, those that are no baked kernels."""
    made = find(family)
    known = {f.metadata["name"]: f.name for f in dataclasses.fields(made)}
    specs = [json.loads(text) for text in _core.family_gate(family, arch)]
    return [made(**{known[n]: v for n, v in spec.items()}) for spec in specs if set(spec) <= known.keys()]


def find(name: str) -> type[Spec]:
    """The spec class of a family; twinir.Error TIR2001 when there is none."""
    if name not in names():
        raise make_error("TIR2001", f"family '{name}'", "one of " + ", ".join(names()), "choose one of these")
    if name not in _made:
        _made[name] = _make(name)
    return _made[name]


_made: dict[str, type[Spec]] = {}


def _make(name: str) -> type[Spec]:
    rows = json.loads(_core.family_fields(name))
    fields = [(_attribute(r["name"]), type(r["default"]), _field(r)) for r in rows]
    made = dataclasses.make_dataclass(name, fields, bases=(Spec,), frozen=True, namespace={"family": name})
    made.__module__ = __name__
    lines = [f"{_attribute(r['name'])} = {r['default']!r}: {r['doc']} ({r['allowed']})" for r in rows]
    made.__doc__ = "\n".join([dict(_core.family_names())[name], "", *lines])
    return made


def _attribute(name: str) -> str:
    """Fields that are Python's words (`in`) get an underscore."""
    return f"{name}_" if keyword.iskeyword(name) else name


def _field(row: dict[str, Any]) -> Any:
    return dataclasses.field(default=row["default"], metadata={"name": row["name"]})


def __getattr__(name: str) -> Any:
    if name.startswith("_") or name not in names():
        raise AttributeError(f"module {__name__!r} has no family {name!r}; there are {', '.join(names())}")
    return find(name)


def __dir__() -> list[str]:
    return [*names(), "Spec", "find", "gate_specs", "names"]
