# SPDX-License-Identifier: MIT
"""The steady loop of the GEMM as compiled for gfx1250: short enough for its matrix products, and modelled busy."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import asm_loop  # noqa: E402
import gemm_model  # noqa: E402

#: A product keeps its unit for 8 clocks, and a wave issues one instruction a clock.
LONGEST = 8
LARGE = "256x256, 8 waves"
STAGES = ("stages=3", "stages=4")
TYPES = [(f"in={a}", f"out={b}") for a, b in product(("f16", "bf16"), ("f32", "f16"))]


@cache
def assembly(*fields: str) -> str:
    program = os.environ.get("TWINIR_PROGRAM", "")
    if not program:
        pytest.skip("$TWINIR_PROGRAM does not name the program")
    try:
        return gemm_model.compile_tile(program, fields)
    except subprocess.CalledProcessError as error:
        if "TIR4006" in error.stderr:
            pytest.skip("no LLVM 22 plugin was built")
        raise


def tile(name: str) -> tuple[str, ...]:
    return tuple(field for field in gemm_model.TILES[name].split() if not field.startswith("stages"))


def fits(body: asm_loop.Body) -> bool:
    return len(body) <= LONGEST * asm_loop.counts(body)["matrix"]


@pytest.mark.parametrize("types", TYPES, ids="-".join)
@pytest.mark.parametrize("stages", STAGES)
@pytest.mark.parametrize("name", gemm_model.TILES)
def test_the_loop_hides_under_its_products(name: str, stages: str, types: tuple[str, str]) -> None:
    text = assembly(*tile(name), stages, *types)
    for spilled in ("vgpr_spill_count", "sgpr_spill_count", "private_segment_fixed_size"):
        assert asm_loop.metadata(text, spilled) == 0
    body = asm_loop.steady_loop(text)
    kinds = asm_loop.counts(body)
    assert kinds["matrix"] >= 8
    assert sum("load_async_to_lds" in i.op for i in body) == kinds["memory"] >= 8
    assert fits(body)


@pytest.mark.parametrize("types", ["in=f16", "in=bf16"])
def test_the_large_tile_keeps_the_matrix_units_busy(types: str) -> None:
    body = asm_loop.steady_loop(assembly(*tile(LARGE), "stages=3", types, "out=f32"))
    assert gemm_model.busy_share(body, waves=8) >= 0.85


def test_the_figures_written_down_are_these() -> None:
    written = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    for name, fields in gemm_model.TILES.items():
        assert gemm_model.row(name, assembly(*fields.split())) in written


def changed(body: asm_loop.Body, start: str, to: str) -> asm_loop.Body:
    out = [asm_loop.Instruction(to) if i.text.startswith(start) else i for i in body]
    assert out != body
    return out


def test_a_loop_that_is_too_long_is_seen() -> None:
    body = asm_loop.steady_loop(assembly(*tile("64x64, 4 waves"), "stages=4", "in=f16", "out=f32"))
    spare = LONGEST * asm_loop.counts(body)["matrix"] - len(body)
    more = [asm_loop.Instruction("v_mov_b32_e32 v0, v1")]
    assert fits(body + more * spare)
    assert not fits(body + more * (spare + 1))


def test_a_loop_that_waits_for_everything_is_seen() -> None:
    body = asm_loop.steady_loop(assembly(*tile(LARGE), "stages=3", "in=f16", "out=f32"))
    assert gemm_model.busy_share(changed(body, "s_wait_asynccnt", "s_wait_asynccnt 0x0"), waves=8) < 0.85
    assert gemm_model.busy_share([i for i in body if i.kind != "matrix"] + body[-1:], waves=8) == 0


ASSEMBLY = """
k:
  s_mov_b32 s0, 4
.LBB0_1:
  ds_load_b128 v[0:3], v9
  s_cbranch_vccz .LBB0_3
.LBB0_2:
  v_wmma_f32_16x16x32_f16 v[0:7], v[8:15] /*v[264:271]*/, v[16:23], v[0:7]
  global_load_async_to_lds_b128 v5 /*v261*/, v6, s[10:11] offset:4096
  s_cbranch_scc1 .LBB0_2 ; back
  s_mov_b32 s1, 0
.LBB0_3:
  v_dual_add_nc_u32 v1, s2, v3 :: v_dual_add_nc_u32 v2, s2, v4
  s_cbranch_scc1 .LBB0_1
  s_endpgm
.Lfunc_end0:
  .vgpr_count: 300
"""


def test_loops_and_registers_are_read() -> None:
    inner, outer = asm_loop.loops(ASSEMBLY)
    assert [i.kind for i in inner] == ["matrix", "memory", "branch"]
    assert len(outer) == 8
    assert asm_loop.steady_loop(ASSEMBLY) == inner
    assert inner[0].writes == tuple(range(8))
    assert set(inner[0].reads) == {*range(264, 272), *range(16, 24), *range(8)}
    assert inner[1].writes == () and inner[1].reads == (261, 6)
    both = outer[-2]
    assert (both.writes, both.reads) == ((1, 2), (3, 4))
    assert asm_loop.metadata(ASSEMBLY, "vgpr_count") == 300


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="no loop"):
        asm_loop.steady_loop("k:\n  s_endpgm\n")
    with pytest.raises(ValueError, match="no known class"):
        asm_loop.kind_of("q_add")
    with pytest.raises(ValueError, match="sgpr_count"):
        asm_loop.metadata(ASSEMBLY, "sgpr_count")
