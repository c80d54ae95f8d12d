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
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.construction import insert_before
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.types import (
    DYNAMIC,
    I1,
    I8,
    I32,
    I64,
    POINTER,
    bits,
    plain,
    vector_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
    from xdsl.ir import LocationAttr, Operation


Test = Callable[[], SSAValue]

_ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


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


class Members:
    """The members of a struct that an operation delivers."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Emitted]) -> None:
        self.items = tuple(items)


Emitted = Uniform | Affine | Lanes | Members


class Builder:
    """Appends to `block`. Constants go to the function's first block, once each."""

    def __init__(self, region: Region, width: int) -> None:
        self.region = region
        self.width = width
        self.first = Block()
        region.add_block(self.first)
        self.block = self.first
        self.location: LocationAttr | None = None
        #: Whether what is built may run where no thread does it: see `claims.kept`.
        self.is_speculative = False
        self._constants: dict[object, SSAValue] = {}
        #: Of a condition: what computes whether it holds in any lane, and whether not in all, from
        #: scalars; None where that takes a look at the lanes.
        self.tests: dict[SSAValue, tuple[Test | None, Test | None]] = {}

    # -- structure

    def new_block(self, types: Sequence[Attribute] = ()) -> Block:
        block = Block(arg_types=types)
        return block

    def enter(self, block: Block) -> None:
        """Puts `block` at the end of the function; from here on, append to it."""
        self.region.add_block(block)
        self.block = block

    def create(
        self,
        name: str,
        operands: Sequence[SSAValue | list[SSAValue]] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
    ) -> Operation:
        op = ods.create(
            name, operands, result_types, dict(properties) if properties else None,
            successors=successors, location=self.location,
        )  # fmt: skip
        insert_before(self.block, op, None)
        return op

    def value(
        self,
        name: str,
        operands: Sequence[SSAValue | list[SSAValue]],
        ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        return self.create(name, operands, (ty,), properties).results[0]

    def branch(self, target: Block, operands: Sequence[SSAValue] = ()) -> None:
        self.create("llvm.br", operands, successors=(target,))

    def cond_branch(
        self,
        condition: SSAValue,
        then: Block,
        otherwise: Block,
        then_operands: Sequence[SSAValue] = (),
        else_operands: Sequence[SSAValue] = (),
    ) -> None:
        self.create(
            "llvm.cond_br", (condition, list(then_operands), list(else_operands)),
            successors=(then, otherwise),
        )  # fmt: skip

    @contextmanager
    def speculation(self) -> Generator[None]:
        """Build meanwhile what may run where no thread does it."""
        before, self.is_speculative = self.is_speculative, True
        yield
        self.is_speculative = before

    # -- constants

    def _constant(
        self,
        key: Sequence[Attribute | int | str | tuple[int, ...]],
        name: str,
        ty: Attribute,
        properties: dict[str, Attribute] | None,
    ) -> SSAValue:
        found = self._constants.get(key)
        if found is None:
            op = ods.create(name, (), (ty,), properties)
            insert_before(self.first, op, None)
            found = self._constants[key] = op.results[0]
        return found

    def integer(self, value: int, ty: IntegerType = i64) -> SSAValue:
        key = ("int", value, ty)
        found = self._constants.get(key)
        if found is None:
            width = ty.width.data
            value &= (1 << width) - 1
            if width > 1 and value >> (width - 1):
                value -= 1 << width
            attr = IntegerAttr(value, ty)
            found = self._constant(key, "llvm.mlir.constant", ty, {"value": attr})
        return found

    def vector(self, values: Sequence[int], ty: IntegerType) -> SSAValue:
        """A constant vector of integers of type `ty`."""
        key = ("vector", tuple(values), ty)
        found = self._constants.get(key)
        if found is None:
            width = ty.width.data
            wrapped = [_wrap(v, width) for v in values]
            whole = vector_of(ty, len(values))
            attr = DenseIntOrFPElementsAttr.from_list(
                cast("VectorType[IntegerType]", whole), wrapped
            )
            found = self._constant(key, "llvm.mlir.constant", whole, {"value": attr})
        return found

    def zero(self, ty: Attribute) -> SSAValue:
        return self._constant(("zero", ty), "llvm.mlir.zero", ty, None)

    def poison(self, ty: Attribute) -> SSAValue:
        return self._constant(("poison", ty), "llvm.mlir.poison", ty, None)

    def real(self, value: float, ty: AnyFloat) -> SSAValue:
        attr = FloatAttr(value, ty)
        return self._constant(("real", attr), "llvm.mlir.constant", ty, {"value": attr})

    def all_lanes(self, value: bool = True, width: int = 0) -> SSAValue:
        return self.vector([int(value)] * (width or self.width), I1)

    # -- integers, one operand a Python number

    def _operand(self, value: SSAValue | int, like: Attribute) -> SSAValue:
        return self.integer(value, cast("IntegerType", like)) if isinstance(value, int) else value

    def binary(self, name: str, a: SSAValue | int, b: SSAValue | int) -> SSAValue:
        like = cast("SSAValue", b).type if isinstance(a, int) else a.type
        a, b = self._operand(a, like), self._operand(b, like)
        return self.value(f"llvm.{name}", (a, b), a.type)

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

    def icmp(self, predicate: str, a: SSAValue, b: SSAValue | int) -> SSAValue:
        like = a.type
        a, b = self._operand(a, like), self._operand(b, like)
        ty = vector_of(I1, self.lanes(a.type)) if a.type.name == "vector" else I1
        properties = {"predicate": IntegerAttr(_ICMP.index(predicate), i64)}
        return self.value("llvm.icmp", (a, b), ty, properties)

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return a if a is b else self.value("llvm.select", (condition, a, b), a.type)

    def cast(self, name: str, value: SSAValue, ty: Attribute) -> SSAValue:
        return value if value.type == ty else self.value(f"llvm.{name}", (value,), ty)

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
        operands: list[SSAValue] = [base]
        raw = index if isinstance(index, int) else DYNAMIC
        if not isinstance(index, int):
            operands.append(index)
        elif index == 0:
            return base
        if ty is None:
            wide = any(o.type.name == "vector" for o in operands)
            ty = vector_of(POINTER, self.width) if wide else POINTER
        properties = {
            "elem_type": element,
            "noWrapFlags": IntegerAttr(0, i32),
            "rawConstantIndices": _numbers((raw,)),
        }
        return self.value("llvm.getelementptr", operands, ty, properties)

    def load(self, address: SSAValue, ty: Attribute, alignment: int = 0) -> SSAValue:
        """`alignment` is what the program claims of an access of its own: see `claims.access`."""
        return self.value("llvm.load", (address,), ty, claims.access(address, ty, alignment))

    def store(self, value: SSAValue, address: SSAValue, alignment: int = 0) -> None:
        """See `load`."""
        properties = claims.access(address, value.type, alignment)
        self.create("llvm.store", (value, address), (), properties)

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

    def member(self, value: SSAValue, index: int, ty: Attribute) -> SSAValue:
        """A member of a struct."""
        properties = {"position": DenseArrayBase.from_list(i64, [index])}
        return self.value("llvm.extractvalue", (value,), ty, properties)

    def extract(self, value: SSAValue, lane: SSAValue | int) -> SSAValue:
        ty = cast("VectorType", value.type)
        return self.value("llvm.extractelement", (value, self._operand(lane, I32)), ty.element_type)

    def insert(self, vector: SSAValue, value: SSAValue, lane: SSAValue | int) -> SSAValue:
        return self.value(
            "llvm.insertelement", (vector, value, self._operand(lane, I32)), vector.type
        )

    def as_lanes(self, value: Emitted) -> SSAValue:
        """A value, of whatever form, as a vector."""
        if isinstance(value, Lanes):
            return value.value
        if isinstance(value, Uniform):
            return self.splat(value.value)
        assert isinstance(value, Affine)
        ty = value.base.type
        if ty.name == "llvm.ptr":
            return self.address(value.base, self.vector(value.offsets, I64))
        offsets = self.vector(value.offsets, cast("IntegerType", ty))
        owner = value.base.owner
        if not isinstance(owner, Block) and owner.name == "llvm.mlir.constant":
            number = cast("IntegerAttr", owner.properties["value"]).value.data
            return self.vector([number + o for o in value.offsets], cast("IntegerType", ty))
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
        from xdsl.dialects.builtin import IntegerType

        return self.value("llvm.bitcast", (mask,), IntegerType(self.lanes(mask.type)))

    def both(self, mask: SSAValue | None, condition: SSAValue) -> SSAValue:
        """The lanes of `mask` in which `condition` holds, which may be poison in all others."""
        if mask is None:
            return condition
        return self.select(mask, condition, self.all_lanes(False))

    def negated(self, condition: SSAValue) -> SSAValue:
        ty = condition.type
        ones = self.all_lanes() if ty.name == "vector" else self.integer(1, I1)
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
