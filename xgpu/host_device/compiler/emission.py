# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building vector code in the llvm dialect, and what a value is there.

A value that is the same in all lanes is a scalar (`Uniform`), one with known offsets a scalar base
(`Affine`), any other a vector of `width` lanes (`Lanes`). A `Builder` makes one from another where
an operation needs it, at the place where it builds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import erase_operation, insert_before
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.code import KernelBuilder
from xgpu.host_device.compiler.types import I1, I8, I32, I64, POINTER, bits, plain, vector_of

if TYPE_CHECKING:
    from collections.abc import Mapping


_MONOTONIC = 2  # of LLVM's orderings

Test = Callable[[], SSAValue]


class Uniform:
    __slots__ = ("value",)

    def __init__(self, value: SSAValue) -> None:
        self.value = value


class Affine:
    """`base` plus the offset of each lane; bytes for a pointer."""

    __slots__ = ("base", "offsets")

    def __init__(self, base: SSAValue, offsets: tuple[int, ...]) -> None:
        self.base = base
        self.offsets = offsets


class Lanes:
    __slots__ = ("value",)

    def __init__(self, value: SSAValue) -> None:
        self.value = value


class Row(NamedTuple):
    """What is known of a vector only at run time: where the scalar `holds` is true, or there is
    none, its lanes are `base` plus `offsets` (bytes for a pointer). An index of 32 bits that may
    wrap is one. `again` builds the vector where it is needed nevertheless, which is seldom: what
    stands before the branch is computed each time."""

    base: SSAValue
    offsets: tuple[int, ...]
    holds: SSAValue | None
    again: Callable[[], SSAValue]


class Members:
    """The members of a struct that an operation delivers."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Emitted]) -> None:
        self.items = tuple(items)


#: What vectors of rows are made with.
_OF_ROWS = (
    "llvm.getelementptr", "llvm.sext", "llvm.zext", "llvm.add", "llvm.shufflevector",
    "llvm.insertelement",
)  # fmt: skip

_USUAL = DenseArrayBase.from_list(i32, [1 << 20, 1])

Emitted = Uniform | Affine | Lanes | Members


class Builder(KernelBuilder):
    """Appends to `block`. Constants go to the function's first block, once each."""

    integers = i64

    def __init__(self, region: Region, width: int) -> None:
        self.region = region
        self.width = width
        self.first = Block()
        region.add_block(self.first)
        super().__init__(block=self.first)
        #: Whether what is built may run where no thread does it: see `claims.kept`.
        self.is_speculative = False
        #: Of a condition: what computes whether it holds in any lane, and whether not in all, from
        #: scalars; None where that takes a look at the lanes.
        self.tests: dict[SSAValue, tuple[Test | None, Test | None]] = {}
        #: Vectors that scalars may say more of.
        self.rows: dict[SSAValue, Row] = {}

    # -- structure

    def new_block(self, types: Sequence[Attribute] = ()) -> Block:
        block = Block(arg_types=types)
        return block

    def enter(self, block: Block) -> None:
        """Puts `block` at the end of the function; from here on, append to it."""
        self.region.add_block(block)
        self.at_end(block)

    @contextmanager
    def speculation(self) -> Generator[None]:
        """Build meanwhile what may run where no thread does it."""
        before, self.is_speculative = self.is_speculative, True
        yield
        self.is_speculative = before

    def usually(self, condition: SSAValue, on: Block, otherwise: Block) -> None:
        """Go on at `on`, but where a condition fails that nearly always holds."""
        self.create(
            "llvm.cond_br", (condition, [], []), properties={"branch_weights": _USUAL},
            successors=(on, otherwise),
        )  # fmt: skip

    def drop_rows(self) -> None:
        """Take out the vectors of rows that are not used, and what only they are made of. LLVM
        would find them before it drops them, where they are built again, and use these."""
        left: list[SSAValue] = list(self.rows)
        self.rows.clear()
        while left:
            op = left.pop().owner
            if isinstance(op, Block) or op.parent is None or op.name not in _OF_ROWS:
                continue
            if all(result.first_use is None for result in op.results):
                left += op.operands
                erase_operation(op)

    def whichever(
        self,
        condition: SSAValue,
        then: Callable[[], SSAValue | None],
        otherwise: Callable[[], SSAValue | None],
    ) -> SSAValue | None:
        """Does one of two things, nearly always the first; the result of that one, if they have
        any."""
        sides = self.new_block(), self.new_block()
        after = self.new_block()
        self.usually(condition, *sides)
        result: SSAValue | None = None
        for side, build in zip(sides, (then, otherwise), strict=True):
            self.enter(side)
            value = build()
            if value is not None and result is None:
                result = after.insert_arg(value.type, 0)
            self.branch(after, () if value is None else (value,))
        self.enter(after)
        return result

    # -- constants

    def once(
        self,
        key: object,
        name: str,
        ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        found = self.constants.get(key)
        if found is None:
            op = ods.create(name, (), (ty,), properties)
            insert_before(self.first, op, None)
            found = self.constants[key] = op.results[0]
        return found

    def constant_vector(self, values: Sequence[int], ty: IntegerType) -> SSAValue:
        """A constant vector of integers of type `ty`."""
        key = ("vector", tuple(values), ty)
        found = self.constants.get(key)
        if found is None:
            width = ty.width.data
            wrapped = [_wrap(v, width) for v in values]
            whole = vector_of(ty, len(values))
            attr = DenseIntOrFPElementsAttr.from_list(
                cast("VectorType[IntegerType]", whole), wrapped
            )
            found = self.once(key, "llvm.mlir.constant", whole, {"value": attr})
        return found

    def all_lanes(self, value: bool = True, width: int = 0) -> SSAValue:
        return self.constant_vector([int(value)] * (width or self.width), I1)

    # -- integers, one operand a Python number

    def add(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return a if isinstance(b, int) and b == 0 else self.binary("add", a, b)

    def mul(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return a if isinstance(b, int) and b == 1 else self.binary("mul", a, b)

    def div(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return a if isinstance(b, int) and b == 1 else self.binary("udiv", a, b)

    def rem(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        return (
            self.integer(0, cast("IntegerType", a.type))
            if isinstance(b, int) and b == 1
            else self.binary("urem", a, b)
        )

    def select(self, condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        return then if then is otherwise else super().select(condition, then, otherwise)

    # -- memory

    def address(
        self,
        base: SSAValue,
        index: SSAValue | int,
        element: Attribute = I8,
        *,
        ty: Attribute | None = None,
    ) -> SSAValue:
        """`base + index * bytes of element`; a vector if either is one."""
        if isinstance(index, int) and index == 0:
            return base
        if ty is None:
            parts = (base,) if isinstance(index, int) else (base, index)
            wide = any(part.type.name == "vector" for part in parts)
            ty = vector_of(POINTER, self.width) if wide else POINTER
        return llvm.gep(self, base, element, [index], result_type=ty)

    def alloca(
        self, element: Attribute, count: int, alignment: int = claims.OWN_ALIGNMENT
    ) -> SSAValue:
        """Memory of the function, in its first block."""
        op = ods.create(
            "llvm.alloca", (self.integer(count, I64),), (POINTER,),
            {"elem_type": element, **claims.aligned(alignment)},
        )  # fmt: skip
        insert_before(self.first, op, None)
        return op.results[0]

    # -- lanes

    @staticmethod
    def lanes(ty: Attribute) -> int:
        return ty.get_shape()[0] if isinstance(ty, VectorType) else 1

    def splat(self, value: SSAValue, width: int = 0) -> SSAValue:
        width = width or self.width
        ty = vector_of(value.type, width)
        owner = value.owner
        if not isinstance(owner, Block) and owner.name in ("llvm.mlir.poison", "llvm.mlir.undef"):
            return self.poison(ty)
        first = self.value("llvm.insertelement", (self.poison(ty), value, self.integer(0, I32)), ty)
        return self.shuffle(first, [0] * width)

    def shuffle(self, value: SSAValue, lanes: Sequence[int]) -> SSAValue:
        """The lanes of one vector in another order."""
        ty = cast("VectorType", value.type)
        properties = {"mask": _numbers(tuple(lanes))}
        whole = vector_of(ty.element_type, len(lanes))
        return self.value("llvm.shufflevector", (value, self.poison(ty)), whole, properties)

    def shuffle_two(self, a: SSAValue, b: SSAValue, lanes: Sequence[int]) -> SSAValue:
        """Lanes of two vectors of one length: those of `b` come after those of `a`."""
        ty = cast("VectorType", a.type)
        properties = {"mask": _numbers(tuple(lanes))}
        whole = vector_of(ty.element_type, len(lanes))
        return self.value("llvm.shufflevector", (a, b), whole, properties)

    def extract(self, value: SSAValue, lane: SSAValue | int) -> SSAValue:
        ty = cast("VectorType", value.type)
        return self.value("llvm.extractelement", (value, self.operand(lane, I32)), ty.element_type)

    def as_lanes(self, value: Emitted) -> SSAValue:
        """A value of any kind as a vector."""
        if isinstance(value, Lanes):
            return value.value
        if isinstance(value, Uniform):
            return self.splat(value.value)
        assert isinstance(value, Affine)
        ty = value.base.type
        if ty.name == "llvm.ptr":
            return self.address(value.base, self.constant_vector(value.offsets, I64))
        offsets = self.constant_vector(value.offsets, cast("IntegerType", ty))
        owner = value.base.owner
        if not isinstance(owner, Block) and owner.name == "llvm.mlir.constant":
            number = cast("IntegerAttr", owner.properties["value"]).value.data
            numbers = [number + o for o in value.offsets]
            return self.constant_vector(numbers, cast("IntegerType", ty))
        return self.value("llvm.add", (self.splat(value.base), offsets), offsets.type)

    # -- masks: a vector of i1, or None for all lanes

    def any(self, mask: SSAValue) -> SSAValue:
        """Whether any lane of a mask is set."""
        test = self.tests.get(mask, (None, None))[0]
        if test is not None:
            return test()
        return self.icmp("ne", self.mask_bits(mask), 0)

    def mask_bits(self, mask: SSAValue) -> SSAValue:
        """The lanes of a mask as an integer, lane 0 in bit 0."""
        return self.value("llvm.bitcast", (mask,), IntegerType(self.lanes(mask.type)))

    def both(self, mask: SSAValue | None, condition: SSAValue) -> SSAValue:
        """The lanes of `mask` in which `condition` holds, which may be poison in all others."""
        if mask is None:
            return condition
        return self.select(mask, condition, self.all_lanes(False))

    def negated(self, condition: SSAValue) -> SSAValue:
        ty = condition.type
        ones = self.integer(1, I1)
        if ty.name == "vector":
            ones = self.all_lanes(width=self.lanes(ty))
        result = self.value("llvm.xor", (condition, ones), condition.type)
        test = self.tests.get(condition)
        if test is not None:
            self.tests[result] = (test[1], test[0])
        return result

    def either(self, a: SSAValue | None, b: SSAValue | None) -> SSAValue | None:
        return None if a is None or b is None else self.union(a, b)

    def union(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The lanes of both masks."""
        return a if a is b else self.value("llvm.or", (a, b), a.type)


@lru_cache(maxsize=1024)
def _numbers(values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(i32, values)


def _wrap(value: int, width: int) -> int:
    value &= (1 << width) - 1
    if width == 1:
        return value
    return value - (1 << width) if value >> (width - 1) else value


__all__ = ["Affine", "Builder", "Emitted", "Lanes", "Members", "Uniform", "bits", "plain"]


# -- What vectors have no instruction for: one lane after the other, in the order of the lanes.
#
# Operands that differ go through memory: the loop reads lane i's, does the operation, and writes
# its result. Under a mask the loop goes from set bit to set bit, so that a few lanes cost little.


def each_lane(
    b: Builder,
    mask: SSAValue | None,
    operands: Sequence[Emitted],
    results: Sequence[Attribute],
    body: Callable[[SSAValue, list[SSAValue]], Sequence[SSAValue]],
    *,
    is_short: bool = False,
) -> list[Emitted]:
    """Runs `body(lane, operands of that lane)` for each lane of `mask`; types of `results`.

    At least one lane of the mask must be set. A body that `is_short` is written out for each lane
    where all run.
    """
    if is_short and mask is None and not results:
        vectors = [o if isinstance(o, Uniform) else b.as_lanes(o) for o in operands]
        for lane in range(b.width):
            given = [v.value if isinstance(v, Uniform) else b.extract(v, lane) for v in vectors]
            body(b.integer(lane, I32), given)
        return []
    buffers = [spilled(b, o) for o in operands]
    outputs = [b.alloca(_stored(ty), b.width) for ty in results]
    loop, done = None, b.new_block()
    if mask is None:
        first: SSAValue = b.integer(0, I32)
        loop = b.new_block([I32])
    else:
        first = b.mask_bits(mask)
        loop = b.new_block([first.type])
    b.branch(loop, [first])
    b.enter(loop)
    state = loop.args[0]
    lane = state if mask is None else _lowest(b, state)
    index = b.cast("zext", lane, I64)
    given = [lane_of(b, buffer, index) for buffer in buffers]
    for output, value in zip(outputs, body(lane, given), strict=True):
        _write(b, value, output, index)
    if mask is None:
        following = b.add(state, 1)
        more = b.icmp("ult", following, b.width)
    else:
        following = b.binary("and", state, b.binary("sub", state, 1))
        more = b.icmp("ne", following, 0)
    b.cond_branch(more, loop, done, [following], [])
    b.enter(done)
    return [Lanes(_whole(b, o, ty)) for o, ty in zip(outputs, results, strict=True)]


def add_in_runs(
    b: Builder, mask: SSAValue | None, address: Emitted, value: Emitted, ty: Attribute,
    ordering: int,
) -> None:  # fmt: skip
    """Adds a float of each lane to memory, one lane after the other. Lanes that follow each other
    with the same address have one compare-and-swap, which stores what their additions give when no
    other thread comes between."""
    word = IntegerType(32 if ty == f32 else 64)
    places, values = spilled(b, address), spilled(b, value)
    bits = IntegerType(b.width)
    first = b.integer(-1, bits) if mask is None else b.mask_bits(mask)
    run, again, more = b.new_block([bits]), b.new_block([word]), b.new_block([bits, ty])
    swap, done = b.new_block([bits, ty]), b.new_block()

    def read(buffer: Uniform | tuple[SSAValue, Attribute], lanes: SSAValue) -> SSAValue:
        return lane_of(b, buffer, b.cast("zext", _lowest(b, lanes), I64))

    b.branch(run, [first])
    b.enter(run)
    begin = run.args[0]
    place = read(places, begin)
    relaxed = IntegerAttr(_MONOTONIC, I64)
    facts = {"ordering": relaxed, "alignment": IntegerAttr(word.width.data // 8, I64)}
    b.branch(again, [b.value("llvm.load", (place,), word, facts)])
    b.enter(again)
    old = again.args[0]
    b.branch(more, [begin, b.value("llvm.bitcast", (old,), ty)])
    b.enter(more)
    lanes, total = more.args
    total = b.value("llvm.fadd", (total, read(values, lanes)), ty)
    rest = b.binary("and", lanes, b.binary("sub", lanes, 1))
    is_more = b.icmp("ne", rest, 0)
    if isinstance(places, Uniform):
        b.cond_branch(is_more, more, swap, [rest, total], [rest, total])
    else:
        look = b.new_block()
        b.cond_branch(is_more, look, swap, [], [rest, total])
        b.enter(look)
        is_same = b.icmp("eq", read(places, rest), place)
        b.cond_branch(is_same, more, swap, [rest, total], [rest, total])
    b.enter(swap)
    rest, total = swap.args
    new = b.value("llvm.bitcast", (total,), word)
    orders: dict[str, Attribute] = {
        "success_ordering": IntegerAttr(ordering, I64), "failure_ordering": relaxed,
    }  # fmt: skip
    pair = b.value("llvm.cmpxchg", (place, old, new), LLVMStructType((word, I1)), orders)
    found, is_done = b.member(pair, 0), b.member(pair, 1)
    after = b.new_block()
    b.cond_branch(is_done, after, again, [], [found])
    b.enter(after)
    b.cond_branch(b.icmp("ne", rest, 0), run, done, [rest], [])
    b.enter(done)


def _lowest(b: Builder, bits: SSAValue) -> SSAValue:
    """The number of the lowest bit that is set, as an i32."""
    place = b.value(
        "llvm.intr.cttz", (bits,), bits.type, {"is_zero_poison": IntegerAttr(1, I1)}
    )  # fmt: skip
    width = cast("IntegerType", bits.type).width.data
    if width == 32:
        return place
    return b.cast("zext" if width < 32 else "trunc", place, I32)


def _stored(ty: Attribute) -> Attribute:
    """What a lane of type `ty` is in memory."""
    return I8 if isinstance(ty, IntegerType) and ty.width.data == 1 else ty


def spilled(b: Builder, value: Emitted) -> Uniform | tuple[SSAValue, Attribute]:
    """A value that differs, in memory; any other as it is."""
    if isinstance(value, Uniform):
        return value
    vector = b.as_lanes(value)
    whole = cast("VectorType", vector.type)
    element = whole.element_type
    if _stored(element) is not element:
        vector = b.value("llvm.zext", (vector,), vector_of(I8, b.width))
    place = b.alloca(_stored(element), b.width)
    b.store(vector, place)
    return place, element


def lane_of(b: Builder, buffer: Uniform | tuple[SSAValue, Attribute], index: SSAValue) -> SSAValue:
    """The lane `index`, an i64, of a value that was `spilled`."""
    if isinstance(buffer, Uniform):
        return buffer.value
    place, element = buffer
    stored = _stored(element)
    value = b.load(b.address(place, index, stored), stored)
    return value if stored is element else b.value("llvm.trunc", (value,), element)


def _write(b: Builder, value: SSAValue, place: SSAValue, index: SSAValue) -> None:
    stored = _stored(value.type)
    if stored is not value.type:
        value = b.value("llvm.zext", (value,), stored)
    b.store(value, b.address(place, index, stored))


def _whole(b: Builder, place: SSAValue, ty: Attribute) -> SSAValue:
    stored = _stored(ty)
    vector = b.load(place, vector_of(stored, b.width))
    return vector if stored is ty else b.value("llvm.trunc", (vector,), vector_of(ty, b.width))
