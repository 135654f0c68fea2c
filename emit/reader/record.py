# SPDX-License-Identifier: MIT
"""Records the flavor file of the LLVM inside llvmlite: `python record.py --seeds emit/flavors [-o FILE]`.

Flavor files of other LLVMs (the seeds) say which names and types to try, oldest LLVM first; the LLVM that is recorded
decides which of them it has, and everything that is written was printed by it. Attributes are taken off a declaration
before it is asked: LLVM puts on those that it knows the intrinsic by. The form is that of `twinir flavor record`
(emit/flavors/README.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

import wheel
from forms import Fault, between, printed_function
from intrinsics import record_intrinsic
from twinir_emit.flavor import Flavor
from twinir_emit.targets import TARGETS
from wheel import NotAccepted, reprint

Json = dict[str, Any]
_ALIGN, _BYTES = "4096", "123456789"
_PARAM = {"value": "i32"}


def load_seeds(folder: Path) -> list[Json]:
    """The flavor files of a folder, oldest first."""
    files = sorted(folder.glob("llvm*.json"))
    return [json.loads(file.read_text(encoding="ascii")) for file in files]


def first_accepted(forms: list[str], ask: Callable[[str], Any]) -> Any:
    """What the first form that LLVM accepts gives."""
    refusals = []
    for form in dict.fromkeys(forms):
        try:
            return ask(form)
        except NotAccepted as refusal:
            refusals.append(f"{form}: {refusal}")
    raise Fault("no seed fits: " + "; ".join(refusals))


def record_kernel(group: str) -> Json:
    text = reprint(f"define amdgpu_kernel void @k(i32 %p) #0 {{\n  ret void\n}}\nattributes #0 = {{ {group} }}\n")
    _, comment, attributes = printed_function(text)
    return {"comment": comment, "group": attributes}


def record_param(kind: str, attributes: str) -> str:
    given = attributes.replace("{align}", _ALIGN).replace("{deref}", _BYTES)
    pointer = _PARAM.get(kind, "ptr addrspace(1)")
    text = reprint(f"define amdgpu_kernel void @k({pointer} {given} %p) {{\n  ret void\n}}\n")
    printed = between(text, f"@k({pointer} ", " %p)")
    return printed.replace(f"align {_ALIGN}", "align {align}").replace(_BYTES, "{deref}")


def record_params(seeds: list[Json]) -> Json:
    def asking(kind: str) -> Callable[[str], str]:
        return lambda attributes: record_param(kind, attributes)

    return {kind: first_accepted([seed["params"][kind] for seed in seeds], asking(kind)) for kind in seeds[0]["params"]}


def metadata_order() -> str:
    """Whichever numbers a text gives, LLVM prints its own."""
    orders = set()
    for node, word in (("0", "1"), ("1", "0")):
        nodes = {node: f"distinct !{{!{node}, !{word}}}", word: '!{!"x"}'}
        lines = "".join(f"!{number} = {nodes[number]}\n" for number in ("0", "1"))
        orders.add("postorder" if "\n!1 = distinct" in reprint(f"!m = !{{!{node}}}\n{lines}") else "preorder")
    if len(orders) != 1:
        raise Fault("this LLVM keeps the metadata numbers of a text")
    return orders.pop()


def record_style() -> Json:
    half = between(reprint("@g = global half 1.0\n"), "@g = global half ", "\n")
    if half not in ("0xH3C00", "1.000000e+00"):
        raise Fault(f"an unknown form of float literal: {half}")
    vector = reprint("@g = global <4 x i32> <i32 7, i32 7, i32 7, i32 7>\n")
    return {
        "float": "hex" if half == "0xH3C00" else "decimal",
        "splat": "splat (i32 7)" in vector,
        "metadata": metadata_order(),
    }


def record_targets(seeds: list[Json]) -> Json:
    def accepted(triple: str) -> str:
        wheel.machine(triple)
        return triple

    targets = {}
    for name in sorted(TARGETS):
        triple = first_accepted([seed["targets"][name]["triple"] for seed in seeds], accepted)
        targets[name] = {"known": wheel.knows(triple, name), "triple": triple}
    return targets


def record_flavor(seeds: list[Json]) -> str:
    """The flavor file: the same LLVM and seeds give the same bytes."""
    targets = record_targets(seeds)
    layout = str(wheel.machine(targets[min(targets)]["triple"]).target_data)
    kernels = {
        form: first_accepted([seed["kernel"][form]["group"] for seed in seeds], record_kernel)
        for form in seeds[0]["kernel"]
    }
    sections = {
        "datalayout": layout,
        "targets": targets,
        "style": record_style(),
        "kernel": kernels,
        "params": record_params(seeds),
    }
    head = dump({"schema": "twinir-flavor-1", "flavor": wheel.FLAVOR, "llvm": wheel.VERSION})[:-1]
    parts = [head, *(f',\n"{key}":{dump(value)}' for key, value in sections.items())]
    lines = [f"\n{dump(op)}:{dump(record_intrinsic(op, seeds))}" for op in seeds[0]["intrinsics"]]
    text = "".join(parts) + ',\n"intrinsics":{' + ",".join(lines) + "}}\n"
    Flavor(json.loads(text))  # refuses what does not fit the format
    return text


def dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def main() -> int:
    parser = argparse.ArgumentParser(description=f"Records the flavor file of LLVM {wheel.VERSION} ({wheel.WHEEL}).")
    parser.add_argument("--seeds", required=True, type=Path, help="folder with flavor files of other LLVMs")
    parser.add_argument("-o", dest="out", type=Path, help="file to write (standard output when left out)")
    options = parser.parse_args()
    text = record_flavor(load_seeds(options.seeds))
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
