# SPDX-License-Identifier: MIT
# Written by scripts/stubs; change python/bind instead.
"""The compiled part of twinir; use the package."""

from __future__ import annotations

import collections.abc
import typing

import numpy
import typing_extensions

Operand: typing.TypeAlias = Value | int | float
Memory: typing.TypeAlias = typing_extensions.Buffer | numpy.ndarray[typing.Any, typing.Any]

class Type:
    """
    Type of a kernel value: a scalar, or a vector of 2 to 32 of them.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __init__(self, name: str) -> None: ...
    def __repr__(self) -> str: ...
    def vec(self, lanes: int) -> Type:
        """
        The vector type of so many elements.
        """
    @property
    def bits(self) -> int:
        """
        Bits of the whole type.
        """
    @property
    def bytes(self) -> int:
        """
        Bytes in memory.
        """
    @property
    def is_float(self) -> bool:
        """
        Is it a float, or a vector of floats?
        """
    @property
    def is_int(self) -> bool:
        """
        Is it an integer, or a vector of integers?
        """
    @property
    def lanes(self) -> int:
        """
        Elements of a vector; 1 for a scalar.
        """
    @property
    def scalar(self) -> Type:
        """
        Type of an element.
        """

class Value:
    """
    A value of one kernel. Python's operators describe operations on it.
    """

    __hash__: typing.ClassVar[None]  # type: ignore[assignment]
    def __abs__(self) -> Value: ...
    def __add__(self, other: Operand) -> Value: ...
    def __and__(self, other: Operand) -> Value: ...
    def __bool__(self) -> typing.NoReturn: ...
    def __eq__(self, other: Operand) -> Value:  # type: ignore[override]
        ...
    def __float__(self) -> typing.NoReturn: ...
    def __floordiv__(self, other: Operand) -> Value: ...
    def __ge__(self, other: Operand) -> Value: ...
    def __getitem__(self, index: int) -> Value:
        """
        Element of a vector.
        """
    def __gt__(self, other: Operand) -> Value: ...
    def __index__(self) -> typing.NoReturn: ...
    def __int__(self) -> typing.NoReturn: ...
    def __invert__(self) -> Value: ...
    def __iter__(self) -> typing.NoReturn: ...
    def __le__(self, other: Operand) -> Value: ...
    def __lshift__(self, other: Operand) -> Value: ...
    def __lt__(self, other: Operand) -> Value: ...
    def __mod__(self, other: Operand) -> Value: ...
    def __mul__(self, other: Operand) -> Value: ...
    def __ne__(self, other: Operand) -> Value:  # type: ignore[override]
        ...
    def __neg__(self) -> Value: ...
    def __or__(self, other: Operand) -> Value: ...
    def __radd__(self, other: Operand) -> Value: ...
    def __rand__(self, other: Operand) -> Value: ...
    def __repr__(self) -> str: ...
    def __rfloordiv__(self, other: Operand) -> Value: ...
    def __rlshift__(self, other: Operand) -> Value: ...
    def __rmod__(self, other: Operand) -> Value: ...
    def __rmul__(self, other: Operand) -> Value: ...
    def __ror__(self, other: Operand) -> Value: ...
    def __rrshift__(self, other: Operand) -> Value: ...
    def __rshift__(self, other: Operand) -> Value: ...
    def __rsub__(self, other: Operand) -> Value: ...
    def __rtruediv__(self, other: Operand) -> Value: ...
    def __rxor__(self, other: Operand) -> Value: ...
    def __sub__(self, other: Operand) -> Value: ...
    def __truediv__(self, other: Operand) -> Value: ...
    def __xor__(self, other: Operand) -> Value: ...
    @property
    def type(self) -> Type:
        """
        Type of the value.
        """

class Pointer:
    """
    A pointer to elements of one type in global, LDS or constant memory; offsets count elements.
    """
    def __add__(self, index: Operand) -> Pointer:
        """
        The pointer so many elements on.
        """
    def __getitem__(self, index: Operand) -> Value:
        """
        Loads an element.
        """
    def __repr__(self) -> str: ...
    def __setitem__(self, index: Operand, value: Operand) -> None:
        """
        Stores an element, or a vector from there on.
        """
    def as_type(self, type: Type) -> Pointer:
        """
        The same address as a pointer to another type.
        """
    def atomic_add(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element += value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_and(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element &= value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_compare(
        self, index: Operand, expected: Operand, desired: Operand, scope: str = "agent", order: str = "monotonic"
    ) -> Value:
        """
        Stores `desired` where the element equals `expected`; gives the old value.
        """
    def atomic_exchange(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element = value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_fadd(
        self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic", *, coarse: bool = False
    ) -> Value:
        """
        element += value for floats; coarse: the host did not allocate the memory fine-grained. Gives the old value.
        """
    def atomic_fmax(
        self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic", *, coarse: bool = False
    ) -> Value:
        """
        element = maximum for floats; coarse: the host did not allocate the memory fine-grained. Gives the old value.
        """
    def atomic_fmin(
        self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic", *, coarse: bool = False
    ) -> Value:
        """
        element = minimum for floats; coarse: the host did not allocate the memory fine-grained. Gives the old value.
        """
    def atomic_or(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element |= value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_smax(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element = signed maximum, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_smin(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element = signed minimum, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_sub(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element -= value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_umax(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element = unsigned maximum, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_umin(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element = unsigned minimum, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def atomic_xor(self, index: Operand, value: Operand, scope: str = "agent", order: str = "monotonic") -> Value:
        """
        element ^= value, in one step among `scope` (wavefront workgroup agent system); gives the old value.
        """
    def load(self, index: Operand, type: Type | None = None, *, align: int = 0, non_temporal: bool = False) -> Value:
        """
        A value of `type` (default: the element's) at element `index`; align in bytes, 0: the size of a scalar of `type`.
        """
    def load_if(
        self, condition: Operand, index: Operand, otherwise: Operand, type: Type | None = None, *, align: int = 0
    ) -> Value:
        """
        As load; `otherwise` where the condition does not hold, and nothing is read there.
        """
    def shifted(self, index: Operand) -> Pointer:
        """
        As +, but the address may lie outside the object until a further offset brings it back.
        """
    def store(self, index: Operand, value: Operand, *, align: int = 0, non_temporal: bool = False) -> None:
        """
        Writes a value at element `index`.
        """
    def store_if(self, condition: Operand, index: Operand, value: Operand, *, align: int = 0) -> None:
        """
        Stores where the condition holds.
        """
    @property
    def address(self) -> Value:
        """
        The address, as a value.
        """
    @property
    def element(self) -> Type:
        """
        Type of the elements.
        """

class Buffer:
    """
    A raw buffer resource: the hardware checks every access against its size. Offsets count bytes.
    """
    def load(self, type: Type, offset: Operand, uniform: Operand = 0) -> Value:
        """
        A value at byte `offset` plus the wave-uniform byte offset `uniform`; zeros when out of range.
        """
    def store(self, offset: Operand, value: Operand, uniform: Operand = 0) -> None:
        """
        Writes nothing when out of range.
        """

class KernelDef:
    """
    A finished kernel, immutable.
    """

    __hash__: typing.ClassVar[None]  # type: ignore[assignment]
    @staticmethod
    def from_json(text: str) -> KernelDef:
        """
        Reads and verifies kernel JSON.
        """
    def __eq__(self, other: object, /) -> bool: ...
    @property
    def block(self) -> tuple[int, int, int]: ...
    @property
    def json(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def params(self) -> list[dict[str, str]]: ...
    @property
    def target(self) -> str: ...
    @property
    def text(self) -> str: ...

class KernelBuilder:
    """
    A kernel under construction.
    """
    def __init__(self, name: str, arch: str, block: collections.abc.Sequence[int]) -> None: ...
    def _begin_else(self, values: collections.abc.Sequence[Value]) -> None: ...
    def _begin_for(
        self,
        low: Operand,
        high: Operand,
        step: Operand,
        first: collections.abc.Sequence[Value],
        name: str,
        unroll: bool,
        /,
    ) -> list[Value]: ...
    def _begin_if(self, condition: Operand) -> None: ...
    def _end_for(self, next: collections.abc.Sequence[Value]) -> list[Value]: ...
    def _end_if(self, values: collections.abc.Sequence[Value]) -> list[Value]: ...
    def _finish(self) -> KernelDef: ...
    def arg(self, name: str, type: Type) -> Value:
        """
        A parameter passed by value.
        """
    def assert_that(self, condition: Operand, name: str) -> None:
        """
        Reported by the host executor (TIR5014) where the condition does not hold; on a device the wave ends.
        """
    def async_load(self, source: Pointer, destination: Pointer, bytes: int, offset: int = 0) -> None:
        """
        Copies 4, 8 or 16 bytes from global to LDS without registers.
        """
    def ballot(self, condition: Operand) -> Value:
        """
        One bit per lane, as i32 or, on targets with 64 lanes, i64.
        """
    def barrier(self) -> None:
        """
        Every item of the group arrives, and sees the group's writes from before.
        """
    def barrier_signal(self) -> None:
        """
        Arrives at the group's barrier and goes on.
        """
    def barrier_wait(self) -> None:
        """
        Waits until every item of the group has signalled.
        """
    def bits(self, type: Type, words: collections.abc.Sequence[int]) -> Value:
        """
        A constant by its bit patterns: one word, or one for each lane.
        """
    def bpermute(self, byte: Operand, value: Operand) -> Value:
        """
        The i32 `value` of lane byte / 4, modulo the wave; 0 from a lane that is off.
        """
    def buffer(self, pointer: Pointer, bytes: Operand) -> Buffer:
        """
        A buffer resource over [pointer, pointer + bytes).
        """
    def constant(self, type: Type, number: Operand) -> Value:
        """
        A constant; a splat for vectors.
        """
    def constant_in(self, name: str, type: Type, *, align: int = 0, dereferenceable: int = 0) -> Pointer:
        """
        A pointer to constant memory.
        """
    def fence(self, order: str, scope: str) -> None:
        """
        Orders memory: acquire release acq_rel; workgroup agent wavefront system.
        """
    def flat_item(self) -> Value:
        """
        Work-item of the group as one number, x fastest.
        """
    def global_id(self, dimension: int = 0) -> Value:
        """
        workgroup * block + workitem.
        """
    def global_in(self, name: str, type: Type, *, align: int = 0, dereferenceable: int = 0) -> Pointer:
        """
        A global pointer that the kernel only reads.
        """
    def global_inout(self, name: str, type: Type, *, align: int = 0, dereferenceable: int = 0) -> Pointer:
        """
        A global pointer that the kernel reads and writes.
        """
    def global_out(self, name: str, type: Type, *, align: int = 0, dereferenceable: int = 0) -> Pointer:
        """
        A global pointer that the kernel only writes.
        """
    def global_size(self, dimension: int = 0) -> Value:
        """
        num_groups * block.
        """
    def lane(self) -> Value:
        """
        Lane of the wave.
        """
    def lds(self, name: str, type: Type, count: int, *, align: int = 16) -> Pointer:
        """
        An array of `count` elements in the group's LDS.
        """
    def let(self, name: str, value: Operand) -> Value:
        """
        Gives a value a name in the text; a taken name gets a number.
        """
    def load_lds(self, source: Pointer, base: Pointer, bytes: int, offset: int = 0) -> None:
        """
        gfx950: copies 4, 12 or 16 bytes from global to LDS byte base + bytes * lane; `base` is uniform.
        """
    def mma(self, a: Operand, b: Operand, c: Operand) -> Value:
        """
        a * b + c on the target's matrix fragments of f16 or bf16 (docs/matrix.md).
        """
    def mma_of(self, a: Operand, b: Operand, c: Operand, of_a: str, of_b: str, side: int = 0) -> Value:
        """
        a * b + c on fragments of `of_a` and `of_b` (docs/matrix.md); `side` rows and columns, 0: the largest.
        """
    def num_groups(self, dimension: int = 0) -> Value:
        """
        Groups of the launch.
        """
    def opaque(self, value: Operand, uniform: bool = False) -> Value:
        """
        A copy that the optimiser cannot see through.
        """
    def pin(self, value: Operand) -> Value:
        """
        Computes the value here, not where it is first used.
        """
    def poison(self, type: Type) -> Value:
        """
        A value that must not be used; the executor reports a use.
        """
    def readfirstlane(self, value: Operand) -> Value:
        """
        The value of the first active lane, uniform.
        """
    def readlane(self, value: Operand, lane: Operand) -> Value:
        """
        The value of lane `lane`: the same number in every lane, of a lane that is active.
        """
    def return_if(self, condition: Operand) -> None:
        """
        Ends the work-item where the condition holds; only at the top level, and not before a barrier.
        """
    def sched_barrier(self, mask: int = 0) -> None:
        """
        Instructions do not move across, but those of `mask` (bits of LLVM's amdgcn.sched.barrier; 0: none).
        """
    def setprio(self, priority: int) -> None:
        """
        Wave priority, 0 to 3.
        """
    def trap(self) -> None:
        """
        A place that must not be reached.
        """
    def wait_async(self, pending: int) -> None:
        """
        Waits until at most so many of the wave's copies are pending.
        """
    def wait_load_lds(self, pending: int) -> None:
        """
        Waits until at most so many of the wave's load_lds are pending.
        """
    def wave(self) -> Value:
        """
        Index of the wave in its group, uniform.
        """
    def waves_per_eu(self, waves: int) -> None:
        """
        Register hint: at least so many waves per SIMD.
        """
    def workgroup(self, dimension: int = 0) -> Value:
        """
        Group in the grid.
        """
    def workitem(self, dimension: int = 0) -> Value:
        """
        Work-item in its group.
        """
    def zero(self, type: Type) -> Value:
        """
        0 of the type, in every element.
        """
    @property
    def _elements(self) -> dict[str, Type]: ...
    @property
    def _lines(self) -> dict[str, tuple[str, int]]: ...
    @property
    def arch(self) -> str:
        """
        Target, for example "gfx1250".
        """
    @property
    def block(self) -> tuple[int, int, int]:
        """
        Work-items of a group, as (x, y, z).
        """

class CompilePool:
    """
    Warm worker processes that compile; what LLVM does not survive ends a worker only.
    """
    def __init__(self) -> None: ...
    def compile(self, flavor: str, kernel: str, text: str, arch: str, opt: int, form: str) -> tuple[bytes, str]: ...

class LoadedKernel:
    """
    A kernel compiled for this machine.
    """
    def run(
        self, grid: collections.abc.Sequence[int], arguments: dict[str, typing.Any], threads: int, lane_order: int
    ) -> dict[str, typing.Any]: ...

class HostExecutor:
    """
    Runs the IR text of a kernel on this machine.
    """
    def __init__(self) -> None: ...
    def load(self, definition: KernelDef, text: str, checked: bool) -> LoadedKernel: ...
    @property
    def flavor(self) -> str: ...

class Plan:
    """
    The steps of one convolution.
    """
    def __init__(
        self,
        command: str,
        tile: str,
        arch: str,
        m: str,
        v_layout: str,
        prescale: str,
        workspace_limit: int | None,
        batch_split: int | None,
    ) -> None: ...
    def goal(self, tile: str, m: str) -> tuple[float, float]: ...
    def run(self, x: Memory, f: Memory, checked: bool, threads: int) -> bytes: ...
    @property
    def json(self) -> str: ...
    @property
    def out_extents(self) -> tuple[int, int, int, int]: ...

def add(a: Operand, b: Operand, *, nuw: bool = False, nsw: bool = False) -> Value:
    """
    With the promise that it does not wrap, unsigned (nuw) or signed (nsw); a broken promise gives poison.
    """

def bf8_to_f32(packed: Operand, byte: int) -> Value:
    """
    Byte 0 to 3 of an i32 (fp8: e4m3, bf8: e5m2) to f32, on targets that have it.
    """

def bitcast(a: Operand, type: Type) -> Value:
    """
    The same bits as another type of the same size.
    """

def bitfield(a: Operand, low: int, width: int) -> Value:
    """
    `width` bits of a from bit `low`, extended with zeros.
    """

def bitreverse(a: Operand) -> Value:
    """
    The bits in reverse order.
    """

def canonicalize(a: Operand) -> Value:
    """
    The canonical form: quiet NaN.
    """

def ceil(a: Operand) -> Value:
    """
    Rounded towards plus infinity.
    """

def compare(predicate: str, a: Operand, b: Operand) -> Value:
    """
    Any predicate of icmp or fcmp by its name.
    """

def concat(a: Operand, b: Operand) -> Value:
    """
    All elements of a, then all of b.
    """

def contract(a: Operand, b: Operand, c: Operand) -> Value:
    """
    a * b + c that the code generator may contract.
    """

def copysign(a: Operand, b: Operand) -> Value:
    """
    Magnitude of a with the sign of b.
    """

def ctlz(a: Operand) -> Value:
    """
    Leading zero bits; the width for 0.
    """

def ctpop(a: Operand) -> Value:
    """
    Number of one bits.
    """

def cttz(a: Operand) -> Value:
    """
    Trailing zero bits; the width for 0.
    """

def emit(flavor: str, kernel_json: str) -> str: ...
def exp2(a: Operand) -> Value:
    """
    2 to the power a (f16, f32).
    """

def extract(a: Operand, b: Operand) -> Value:
    """
    Element b (a kernel value of i32) of the vector a.
    """

def f32_to_bf8(a: Operand, b: Operand, packed: Operand, word: int) -> Value:
    """
    Two f32 into half `word` of the i32 `packed`, on targets that have it.
    """

def f32_to_fp8(a: Operand, b: Operand, packed: Operand, word: int) -> Value:
    """
    Two f32 into half `word` of the i32 `packed`, on targets that have it.
    """

def fabs(a: Operand) -> Value:
    """
    The sign bit cleared.
    """

def family_build(family: str, spec: str, arch: str) -> KernelDef: ...
def family_complete(family: str, spec: str) -> str: ...
def family_fields(family: str) -> str: ...
def family_gate(family: str, arch: str) -> list[str]: ...
def family_kernel_name(family: str, spec: str) -> str: ...
def family_launch(family: str, spec: str, command: str) -> str: ...
def family_names() -> list[tuple[str, str]]: ...
def family_refusals(family: str, spec: str, arch: str) -> list[tuple[str, str, str, str]]: ...
def flavors() -> list[dict[str, typing.Any]]: ...
def floor(a: Operand) -> Value:
    """
    Rounded towards minus infinity.
    """

def fma(a: Operand, b: Operand, c: Operand) -> Value:
    """
    a * b + c with one rounding.
    """

def fp8_to_f32(packed: Operand, byte: int) -> Value:
    """
    Byte 0 to 3 of an i32 (fp8: e4m3, bf8: e5m2) to f32, on targets that have it.
    """

def fpcast(a: Operand, type: Type) -> Value:
    """
    Float to another float type, to the nearest, ties to even.
    """

def fptosi(a: Operand, type: Type) -> Value:
    """
    Float to signed integer, towards zero; poison out of range.
    """

def fptosi_sat(a: Operand, type: Type) -> Value:
    """
    Float to signed integer, towards zero, saturating; NaN gives 0.
    """

def fptoui(a: Operand, type: Type) -> Value:
    """
    Float to unsigned integer, towards zero; poison out of range.
    """

def fptoui_sat(a: Operand, type: Type) -> Value:
    """
    Float to unsigned integer, towards zero, saturating; NaN gives 0.
    """

def frexp_exp(a: Operand) -> Value:
    """
    Exponent for frexp_mant, as i32 (i16 for f16).
    """

def frexp_mant(a: Operand) -> Value:
    """
    Significand in [0.5, 1).
    """

def ftrunc(a: Operand) -> Value:
    """
    Rounded towards zero.
    """

def insert(a: Operand, b: Operand, c: Operand) -> Value:
    """
    Vector a with element c (i32) replaced by b.
    """

def is_inf(a: Operand) -> Value:
    """
    i1: is it an infinity?
    """

def is_nan(a: Operand) -> Value:
    """
    i1: is it a NaN?
    """

def ldexp(a: Operand, b: Operand) -> Value:
    """
    a * 2**b, b of i32.
    """

def log2(a: Operand) -> Value:
    """
    Logarithm to base 2 (f16, f32).
    """

def lshr(a: Operand, b: Operand) -> Value:
    """
    a >> b with zeros; b below the width.
    """

def maximumnum(a: Operand, b: Operand) -> Value:
    """
    Larger; ignores NaN, -0 < +0 (IEEE 754-2019).
    """

def maxnum(a: Operand, b: Operand) -> Value:
    """
    Larger; the other operand when one is NaN (IEEE 754-2008).
    """

def minimumnum(a: Operand, b: Operand) -> Value:
    """
    Smaller; ignores NaN, -0 < +0 (IEEE 754-2019).
    """

def minnum(a: Operand, b: Operand) -> Value:
    """
    Smaller; the other operand when one is NaN (IEEE 754-2008).
    """

def mul(a: Operand, b: Operand, *, nuw: bool = False, nsw: bool = False) -> Value:
    """
    With the promise that it does not wrap, unsigned (nuw) or signed (nsw); a broken promise gives poison.
    """

def places() -> dict[str, str]: ...
def rcp(a: Operand) -> Value:
    """
    1 / a, the hardware's approximation (1 ulp in f32).
    """

def reduce_add(a: Operand) -> Value:
    """
    Sum of the elements of a vector, as a tree of pairs.
    """

def reduce_max(a: Operand) -> Value:
    """
    Largest element of a vector.
    """

def reduce_min(a: Operand) -> Value:
    """
    Smallest element of a vector.
    """

def refuse_host_control(found: str, action: str) -> typing.NoReturn: ...
def rint(a: Operand) -> Value:
    """
    Rounded to the nearest, ties to even.
    """

def rsq(a: Operand) -> Value:
    """
    1 / sqrt(a), the hardware's approximation (1 ulp in f32).
    """

def select(a: Operand, b: Operand, c: Operand) -> Value:
    """
    b where the condition a holds, else c.
    """

def sext(a: Operand, type: Type) -> Value:
    """
    Extends an integer with the sign.
    """

def shuffle(a: Operand, b: Operand, mask: collections.abc.Sequence[int]) -> Value:
    """
    Elements of a, then b, in the order of the mask; -1 for one that does not matter.
    """

def sitofp(a: Operand, type: Type) -> Value:
    """
    Signed integer to the nearest float.
    """

def slice(a: Operand, first: int, count: int) -> Value:
    """
    `count` elements from element `first` on; a scalar when count is 1.
    """

def smax(a: Operand, b: Operand) -> Value:
    """
    Signed maximum.
    """

def smin(a: Operand, b: Operand) -> Value:
    """
    Signed minimum.
    """

def smulh(a: Operand, b: Operand) -> Value:
    """
    High 32 bits of the product of two signed i32.
    """

def splat(a: Operand, lanes: int) -> Value:
    """
    A vector of `lanes` equal elements.
    """

def sqrt(a: Operand) -> Value:
    """
    Square root, correctly rounded.
    """

def sub(a: Operand, b: Operand, *, nuw: bool = False, nsw: bool = False) -> Value:
    """
    With the promise that it does not wrap, unsigned (nuw) or signed (nsw); a broken promise gives poison.
    """

def summary(code: str) -> str: ...
def targets() -> list[str]:
    """
    Names of the GPUs that kernels can be written for.
    """

def trunc(a: Operand, type: Type) -> Value:
    """
    Drops high bits of an integer.
    """

def udiv(a: Operand, b: Operand) -> Value:
    """
    Unsigned quotient; b must not be 0.
    """

def uge(a: Operand, b: Operand) -> Value:
    """
    Unsigned a >= b.
    """

def ugt(a: Operand, b: Operand) -> Value:
    """
    Unsigned a > b.
    """

def uitofp(a: Operand, type: Type) -> Value:
    """
    Unsigned integer to the nearest float.
    """

def ule(a: Operand, b: Operand) -> Value:
    """
    Unsigned a <= b.
    """

def ult(a: Operand, b: Operand) -> Value:
    """
    Unsigned a < b.
    """

def umax(a: Operand, b: Operand) -> Value:
    """
    Unsigned maximum.
    """

def umin(a: Operand, b: Operand) -> Value:
    """
    Unsigned minimum.
    """

def umulh(a: Operand, b: Operand) -> Value:
    """
    High 32 bits of the product of two unsigned i32.
    """

def urem(a: Operand, b: Operand) -> Value:
    """
    Unsigned remainder; b must not be 0.
    """

def vec(type: Type, lanes: int) -> Type:
    """
    The vector type of `lanes` elements of `type`.
    """

def vector_of(elements: collections.abc.Sequence[Value]) -> Value:
    """
    A vector of these elements.
    """

def wave_all(condition: Operand) -> Value:
    """
    i1, uniform: does the condition hold in all active lanes?
    """

def wave_any(condition: Operand) -> Value:
    """
    i1, uniform: does the condition hold in any active lane?
    """

def wave_exclusive_scan(value: Operand, how: str = "add") -> Value:
    """
    The values of the lanes below this one as one; the first lane has the neutral value.
    """

def wave_inclusive_scan(value: Operand, how: str = "add") -> Value:
    """
    The values of the lanes up to and with this one as one; how: add, min or max.
    """

def wave_reduce(value: Operand, how: str = "add") -> Value:
    """
    All lanes' values as one, in every lane; how: add, min or max. Every lane must be active.
    """

def wave_shuffle(value: Operand, lane: Operand) -> Value:
    """
    The value of lane `lane`, modulo the wave; each lane may ask for another one.
    """

def wave_shuffle_down(value: Operand, distance: int) -> Value:
    """
    The value of the lane `distance` above; the lane's own where there is none.
    """

def wave_shuffle_up(value: Operand, distance: int) -> Value:
    """
    The value of the lane `distance` below; the lane's own where there is none.
    """

def wave_shuffle_xor(value: Operand, mask: int) -> Value:
    """
    The value of the lane whose number differs in the bits of `mask`.
    """

def write_file(path: str, text: str) -> None: ...
def zext(a: Operand, type: Type) -> Value:
    """
    Extends an integer with zeros.
    """

bf16: Type
f16: Type
f32: Type
f64: Type
i1: Type
i16: Type
i32: Type
i64: Type
i8: Type
version: str = "0.1.0"
