# SPDX-License-Identifier: MIT
"""The operation set: a second statement of dsl/ops.def, compared with it by a test."""

from __future__ import annotations

from itertools import combinations

#: Numbers of A and of B: fp8 is OCP e4m3, bf8 OCP e5m2.
EIGHT_BIT_PAIRS = ("fp8.fp8", "fp8.bf8", "bf8.fp8", "bf8.bf8")

# (name, type rule, attributes, flags in printed order, feature the target must have)
_ROWS = (
    # integer
    ("add", "int_binary", "", "nuw nsw", ""),
    ("sub", "int_binary", "", "nuw nsw", ""),
    ("mul", "int_binary", "", "nuw nsw", ""),
    ("udiv", "int_binary", "", "exact", ""),
    ("sdiv", "int_binary", "", "exact", ""),
    ("urem", "int_binary", "", "", ""),
    ("srem", "int_binary", "", "", ""),
    ("and", "int_binary", "", "", ""),
    ("or", "int_binary", "", "", ""),
    ("xor", "int_binary", "", "", ""),
    ("shl", "int_binary", "", "nuw nsw", ""),
    ("lshr", "int_binary", "", "exact", ""),
    ("ashr", "int_binary", "", "exact", ""),
    ("umin", "int_binary", "", "", ""),
    ("umax", "int_binary", "", "", ""),
    ("smin", "int_binary", "", "", ""),
    ("smax", "int_binary", "", "", ""),
    ("ctpop", "int_unary", "", "", ""),
    ("ctlz", "int_unary", "", "", ""),
    ("cttz", "int_unary", "", "", ""),
    ("bitreverse", "int_unary", "", "", ""),
    # float
    ("fadd", "float_binary", "", "contract", ""),
    ("fsub", "float_binary", "", "contract", ""),
    ("fmul", "float_binary", "", "contract", ""),
    ("fdiv", "float_binary", "", "contract", ""),
    ("minnum", "float_binary", "", "", ""),
    ("maxnum", "float_binary", "", "", ""),
    ("minimumnum", "float_binary", "", "", ""),
    ("maximumnum", "float_binary", "", "", ""),
    ("copysign", "float_binary", "", "", ""),
    ("fneg", "float_unary", "", "", ""),
    ("fabs", "float_unary", "", "", ""),
    ("floor", "float_unary", "", "", ""),
    ("ceil", "float_unary", "", "", ""),
    ("ftrunc", "float_unary", "", "", ""),
    ("rint", "float_unary", "", "", ""),
    ("sqrt", "float_unary", "", "", ""),
    ("rsq", "hw_float_unary", "", "", ""),
    ("rcp", "hw_float_unary", "", "", ""),
    ("exp2", "float_unary", "", "", ""),
    ("log2", "float_unary", "", "", ""),
    ("canonicalize", "float_unary", "", "", ""),
    ("frexp.mant", "hw_float_unary", "", "", ""),
    ("frexp.exp", "frexp_exp", "", "", ""),
    ("fma", "float_ternary", "", "", ""),
    ("ldexp", "ldexp", "", "", ""),
    # compare
    ("icmp", "icmp", "pred", "", ""),
    ("fcmp", "fcmp", "pred", "", ""),
    ("select", "select", "", "", ""),
    ("classify", "classify", "mask", "", ""),
    # convert
    ("trunc", "int_narrow", "", "", ""),
    ("zext", "int_widen", "", "", ""),
    ("sext", "int_widen", "", "", ""),
    ("fptrunc", "float_narrow", "", "", ""),
    ("fpext", "float_widen", "", "", ""),
    ("fptoui", "float_to_int", "", "", ""),
    ("fptosi", "float_to_int", "", "", ""),
    ("fptoui.sat", "float_to_int", "", "", ""),
    ("fptosi.sat", "float_to_int", "", "", ""),
    ("uitofp", "int_to_float", "", "", ""),
    ("sitofp", "int_to_float", "", "", ""),
    ("bitcast", "bitcast", "", "", ""),
    ("cvt.f32.fp8", "fp8_unpack", "byte", "", "fp8"),
    ("cvt.f32.bf8", "fp8_unpack", "byte", "", "fp8"),
    ("cvt.pk.fp8.f32", "fp8_pack", "word", "", "fp8"),
    ("cvt.pk.bf8.f32", "fp8_pack", "word", "", "fp8"),
    # vector
    ("extract", "extract", "", "", ""),
    ("insert", "insert", "", "", ""),
    ("shuffle", "shuffle", "", "", ""),
    # id
    ("workitem.x", "id", "", "", ""),
    ("workitem.y", "id", "", "", ""),
    ("workitem.z", "id", "", "", ""),
    ("workgroup.x", "id", "", "", ""),
    ("workgroup.y", "id", "", "", ""),
    ("workgroup.z", "id", "", "", ""),
    ("mbcnt.lo", "mbcnt", "", "", ""),
    ("mbcnt.hi", "mbcnt", "", "", ""),
    ("implicit.args", "implicit_args", "", "", ""),
    # memory
    ("gep", "gep", "", "inbounds", ""),
    ("load", "load", "align", "invariant nontemporal", ""),
    ("store", "store", "align", "nontemporal", ""),
    ("rsrc", "rsrc", "flags", "", ""),
    ("buffer.load", "buffer_load", "aux", "", ""),
    ("buffer.store", "buffer_store", "aux", "", ""),
    # atomics
    *(
        (f"atomic.{op}", "atomic_int", "order scope", "", "")
        for op in ("add", "sub", "umin", "umax", "smin", "smax", "and", "or", "xor")
    ),
    ("atomic.exchange", "atomic_exchange", "order scope", "", ""),
    ("atomic.compare", "atomic_compare", "order scope", "", ""),
    ("atomic.fadd", "atomic_float", "order scope", "coarse", ""),
    ("atomic.fmin", "atomic_float", "order scope", "coarse", ""),
    ("atomic.fmax", "atomic_float", "order scope", "coarse", ""),
    # async
    ("async.load.b32", "async_load", "offset aux", "", "async"),
    ("async.load.b64", "async_load", "offset aux", "", "async"),
    ("async.load.b128", "async_load", "offset aux", "", "async"),
    ("wait.async", "no_operands", "count", "", "async"),
    ("load.lds.b32", "async_load", "offset aux", "", "load_lds"),
    ("load.lds.b96", "async_load", "offset aux", "", "load_lds"),
    ("load.lds.b128", "async_load", "offset aux", "", "load_lds"),
    ("wait.load.lds", "no_operands", "count", "", "load_lds"),
    # sync
    ("barrier", "no_operands", "", "", ""),
    ("barrier.signal", "no_operands", "", "", "split_barrier"),
    ("barrier.wait", "no_operands", "", "", "split_barrier"),
    ("fence", "no_operands", "order scope", "", ""),
    # wave
    ("readfirstlane", "readfirstlane", "", "", ""),
    ("readlane", "readlane", "", "", ""),
    ("bpermute", "bpermute", "", "", ""),
    ("ballot.b32", "ballot", "", "", "wave32"),
    ("ballot.b64", "ballot", "", "", "wave64"),
    # matrix
    ("wmma.f32.16x16x32.f16", "matrix", "", "", "wmma_16x16x32"),
    ("wmma.f32.16x16x32.bf16", "matrix", "", "", "wmma_16x16x32"),
    ("wmma.f32.16x16x16.f16", "matrix", "", "", "wmma_16x16x16"),
    ("wmma.f32.16x16x16.bf16", "matrix", "", "", "wmma_16x16x16"),
    ("mfma.f32.32x32x16.f16", "matrix", "", "", "mfma_32x32x16"),
    ("mfma.f32.32x32x16.bf16", "matrix", "", "", "mfma_32x32x16"),
    *((f"mfma.f32.32x32x16.{pair}", "matrix", "", "", "mfma_32x32x16") for pair in EIGHT_BIT_PAIRS),
    ("mfma.f32.16x16x32.f16", "matrix", "", "", "mfma_16x16x32"),
    ("mfma.f32.16x16x32.bf16", "matrix", "", "", "mfma_16x16x32"),
    ("mfma.i32.32x32x32.i8", "matrix", "", "", "mfma_32x32x32"),
    ("wmma.i32.16x16x16.iu8", "matrix", "signed_a signed_b", "", "wmma_16x16x16"),
    ("wmma.f32.16x16x16.f16.gfx12", "matrix", "", "", "wmma_gfx12"),
    ("wmma.f32.16x16x16.bf16.gfx12", "matrix", "", "", "wmma_gfx12"),
    *((f"wmma.f32.16x16x16.{pair}", "matrix", "", "", "wmma_gfx12") for pair in EIGHT_BIT_PAIRS),
    ("wmma.i32.16x16x16.iu8.gfx12", "matrix", "signed_a signed_b", "", "wmma_gfx12"),
    *((f"wmma.f32.16x16x64.{pair}", "matrix", "", "", "wmma_16x16x64") for pair in EIGHT_BIT_PAIRS),
    ("wmma.i32.16x16x64.iu8", "matrix", "signed_a signed_b", "", "wmma_16x16x64"),
    # scheduling
    ("opaque", "opaque", "register", "", ""),
    ("sched.barrier", "no_operands", "mask", "", ""),
    ("setprio", "no_operands", "priority", "", ""),
    # diagnosis
    ("assert", "assert_", "", "", ""),
    ("trap", "no_operands", "", "", ""),
    # control
    ("if", "if_", "", "", ""),
    ("for", "for_", "", "nounroll", ""),
)

_COMMON_KEYS = ("op", "n", "t", "a", "f")
_EXTRA_KEYS = {
    "gep": ("e",),
    "shuffle": ("mask",),
    "if": ("results", "body", "else"),
    "for": ("carry", "body"),
}


class Op:
    """One operation; there is one object per operation."""

    __slots__ = ("attributes", "feature", "flag_sets", "flags", "keys", "name", "rule")

    def __init__(self, name: str, rule: str, attributes: str, flags: str, feature: str) -> None:
        self.name = name
        self.rule = rule
        self.attributes = tuple(attributes.split())
        self.flags = tuple(flags.split())
        self.feature = feature
        #: every selection of flags, in their order
        self.flag_sets = frozenset(chosen for n in range(len(self.flags) + 1) for chosen in combinations(self.flags, n))
        #: the keys that a statement of this operation may have
        self.keys = frozenset((*_COMMON_KEYS, *self.attributes, *_EXTRA_KEYS.get(name, ())))

    def __repr__(self) -> str:
        return f"Op({self.name})"


OPS: dict[str, Op] = {row[0]: Op(*row) for row in _ROWS}
