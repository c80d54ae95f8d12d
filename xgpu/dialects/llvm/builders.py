# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building operations of the llvm dialect.

Functions build one operation with a builder. `LLVMBuilder` has the same as methods, takes numbers
as operands, and may keep constants at one place, for what builds whole functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, NoReturn, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Region

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.ir.integers import wrapped
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.builder import Builder
from xgpu.core.syntax.diagnostics import emit
from xgpu.dialects.llvm.attributes import DYNAMIC_INDEX, ICMP
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, LocationAttr, Operation, SSAValue

POINTER = LLVMPointerType()
VOID = LLVMVoidType()
INDEX = IndexType()
I1 = IntegerType(1)
I8 = IntegerType(8)

#: `noWrapFlags` of a getelementptr.
INBOUNDS_NUW = 7
#: `overflowFlags` of add, sub, mul, shl.
NSW, NUW = 1, 2


@lru_cache(maxsize=1024)
def integer(value: int, ty: Attribute) -> Attribute:
    """An integer attribute. Few different ones are made very often, and making one is slow."""
    return IntegerAttr(value, ty)  # pyright: ignore


@lru_cache(maxsize=256)
def _position(position: tuple[int, ...]) -> Attribute:
    return DenseArrayBase.from_list(i64, position)


@lru_cache(maxsize=256)
def _indices(raw: tuple[int, ...]) -> Attribute:
    return DenseArrayBase.from_list(i32, raw)


def constant(rw: Builder, value: int, ty: Attribute) -> SSAValue:
    """`llvm.mlir.constant(value : ty) : ty`"""
    return rw.value("llvm.mlir.constant", (), ty, {"value": integer(value, ty)})


def index_constant(rw: Builder, value: int, ty: Attribute) -> SSAValue:
    """`llvm.mlir.constant(value : index) : ty`, as descriptors have them."""
    return rw.value("llvm.mlir.constant", (), ty, {"value": integer(value, INDEX)})


def attribute_constant(rw: Builder, value: Attribute, ty: Attribute) -> SSAValue:
    return rw.value("llvm.mlir.constant", (), ty, {"value": value})


def poison(rw: Builder, ty: Attribute) -> SSAValue:
    return rw.value("llvm.mlir.poison", (), ty)


def undef(rw: Builder, ty: Attribute) -> SSAValue:
    return rw.value("llvm.mlir.undef", (), ty)


def zero(rw: Builder, ty: Attribute) -> SSAValue:
    return rw.value("llvm.mlir.zero", (), ty)


def extract(rw: Builder, aggregate: SSAValue, *position: int) -> SSAValue:
    """`llvm.extractvalue`"""
    return rw.value(
        "llvm.extractvalue",
        (aggregate,),
        element_type(aggregate.type, position),
        {"position": _position(position)},
    )


def insert(rw: Builder, aggregate: SSAValue, value: SSAValue, *position: int) -> SSAValue:
    """`llvm.insertvalue`"""
    return rw.value(
        "llvm.insertvalue",
        (aggregate, value),
        aggregate.type,
        {"position": _position(position)},
    )


def element_type(ty: Attribute, position: Sequence[int]) -> Attribute:
    """The type at `position` of a struct or array type."""
    for index in position:
        ty = (
            ty.body[index]
            if isinstance(ty, LLVMStructType)
            else cast("LLVMArrayType", ty).element_type
        )
    return ty


def gep(
    rw: Builder,
    base: SSAValue,
    element: Attribute,
    indices: Sequence[SSAValue | int],
    flags: int = 0,
    result_type: Attribute | None = None,
) -> SSAValue:
    """`llvm.getelementptr base[indices] : ..., element`"""
    raw = [index if isinstance(index, int) else DYNAMIC_INDEX for index in indices]
    return rw.value(
        "llvm.getelementptr",
        (base, *(index for index in indices if not isinstance(index, int))),
        base.type if result_type is None else result_type,
        {
            "elem_type": element,
            "noWrapFlags": integer(flags, i32),
            "rawConstantIndices": _indices(tuple(raw)),
        },
    )


def load(rw: Builder, pointer: SSAValue, ty: Attribute, **properties: Attribute) -> SSAValue:
    return rw.value("llvm.load", (pointer,), ty, properties)


def store(rw: Builder, value: SSAValue, pointer: SSAValue, **properties: Attribute) -> Operation:
    return rw.create("llvm.store", (value, pointer), (), properties)


def alloca(
    rw: Builder, count: SSAValue, element: Attribute, space: int = 0, alignment: int = 0
) -> SSAValue:
    properties: dict[str, Attribute] = {"elem_type": element}
    if alignment:
        properties["alignment"] = IntegerAttr(alignment, i64)
    return rw.value("llvm.alloca", (count,), LLVMPointerType(space), properties)


def binary(
    rw: Builder, name: str, left: SSAValue, right: SSAValue, overflow: int | None = None
) -> SSAValue:
    """An operation `llvm.<name>` of two values of the same type as its result."""
    properties = None if overflow is None else {"overflowFlags": integer(overflow, i32)}
    return rw.value(f"llvm.{name}", (left, right), left.type, properties)


def icmp(rw: Builder, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
    return rw.value(
        "llvm.icmp",
        (left, right),
        comparison_type(left.type),
        {"predicate": integer(ICMP.index(predicate), i64)},
    )


def comparison_type(ty: Attribute) -> Attribute:
    """i1, or a vector of i1 of the shape of `ty`."""
    if isinstance(ty, VectorType):
        return VectorType(I1, ty.shape, ty.scalable_dims)
    return I1


def branch(rw: Builder, target: Block, operands: Sequence[SSAValue] = ()) -> Operation:
    return rw.create("llvm.br", operands, successors=(target,))


def cond_branch(
    rw: Builder,
    condition: SSAValue,
    then: Block,
    otherwise: Block,
    then_operands: Sequence[SSAValue] = (),
    else_operands: Sequence[SSAValue] = (),
    weights: Attribute | None = None,
) -> Operation:
    return rw.create(
        "llvm.cond_br",
        (condition, list(then_operands), list(else_operands)),
        properties=None if weights is None else {"branch_weights": weights},
        successors=(then, otherwise),
    )


def call(
    rw: Builder,
    callee: str | Attribute | None,
    operands: Sequence[SSAValue],
    result: Attribute | None,
    properties: Mapping[str, Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> Operation:
    """A call of the function of that name, or with None of the first operand.

    `result` is None or void for no result.
    """
    types = () if result is None or result == VOID else (result,)
    all_properties = {"op_bundle_sizes": _indices(()), **(properties or {})}
    if callee is not None:
        all_properties["callee"] = SymbolRefAttr(callee) if isinstance(callee, str) else callee
    return rw.create("llvm.call", (list(operands), ()), types, all_properties, attributes)


def memcpy(rw: Builder, target: SSAValue, source: SSAValue, size: SSAValue) -> Operation:
    return rw.create(
        "llvm.intr.memcpy", (target, source, size), (), {"isVolatile": IntegerAttr(0, I1)}
    )


def select(rw: Builder, condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
    return rw.value("llvm.select", (condition, then, otherwise), then.type)


# --- whole functions -------------------------------------------------------------------------


class LLVMBuilder(Builder):
    """Builds operations of the llvm dialect. Where an operand may be a number, it becomes a
    constant of the other operand's type.

    Constants are built at the insertion point; subclasses keep them at one place, once each
    (`constants`, `once`).
    """

    #: The type of a number where none is given.
    integers: ClassVar[IntegerType] = i32

    def __init__(
        self,
        anchor: Operation | None = None,
        *,
        block: Block | None = None,
        location: LocationAttr | None = None,
    ) -> None:
        super().__init__(anchor, block=block, location=location)
        #: What `once` keeps, by key.
        self.constants: dict[object, SSAValue] = {}

    def once(
        self,
        key: object,
        name: str,
        ty: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """An operation without operands that is the same wherever it stands."""
        return self.value(name, (), ty, properties)

    def integer(self, value: int, ty: IntegerType | None = None) -> SSAValue:
        ty = self.integers if ty is None else ty
        found = self.constants.get(("int", value, ty))
        if found is not None:
            return found
        width = ty.width.data
        value = wrapped(value, width) if width > 1 else value & 1
        properties = {"value": integer(value, ty)}
        return self.once(("int", value, ty), "llvm.mlir.constant", ty, properties)

    def real(self, value: float, ty: Attribute) -> SSAValue:
        """A float, or a vector of nothing else."""
        if isinstance(ty, VectorType):
            whole = cast("VectorType[AnyFloat]", ty)
            values = [value] * ty.get_shape()[0]
            attr: Attribute = DenseIntOrFPElementsAttr.from_list(whole, values)
        else:
            attr = FloatAttr(value, cast("AnyFloat", ty))
        return self.once(("real", attr), "llvm.mlir.constant", ty, {"value": attr})

    def zero(self, ty: Attribute) -> SSAValue:
        return self.once(("zero", ty), "llvm.mlir.zero", ty)

    def poison(self, ty: Attribute) -> SSAValue:
        return self.once(("poison", ty), "llvm.mlir.poison", ty)

    def operand(self, value: SSAValue | int, like: Attribute) -> SSAValue:
        """A value, or a number of type `like` as one."""
        return self.integer(value, cast("IntegerType", like)) if isinstance(value, int) else value

    def binary(self, name: str, a: SSAValue | int, b: SSAValue | int) -> SSAValue:
        like = _type_of(a, b)
        return binary(self, name, self.operand(a, like), self.operand(b, like))

    def icmp(self, predicate: str, a: SSAValue | int, b: SSAValue | int) -> SSAValue:
        like = _type_of(a, b)
        return icmp(self, predicate, self.operand(a, like), self.operand(b, like))

    def select(self, condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        return select(self, condition, then, otherwise)

    def cast(self, name: str, value: SSAValue, ty: Attribute) -> SSAValue:
        """`llvm.<name>`: trunc, zext, bitcast, fpext ..; nothing if the type is the same."""
        return value if value.type == ty else self.value(f"llvm.{name}", (value,), ty)

    def member(self, value: SSAValue, index: int) -> SSAValue:
        """A member of a struct."""
        return extract(self, value, index)

    def intrinsic(
        self, name: str, operands: Sequence[SSAValue], ty: Attribute | None = None
    ) -> SSAValue:
        """`llvm.intr.<name>`; the result is of the first operand's type if no other is given."""
        return self.value(f"llvm.intr.{name}", operands, operands[0].type if ty is None else ty)

    def pack(self, ty: LLVMStructType, members: Sequence[SSAValue]) -> SSAValue:
        """A struct of these members."""
        whole = self.poison(ty)
        for at, member in enumerate(members):
            whole = insert(self, whole, member, at)
        return whole

    def element(self, vector: SSAValue, index: int) -> SSAValue:
        ty = cast("VectorType", vector.type)
        at = self.integer(index)
        return self.value("llvm.extractelement", (vector, at), ty.element_type)

    def vector(self, ty: VectorType, elements: Sequence[SSAValue]) -> SSAValue:
        whole = self.poison(ty)
        for at, element in enumerate(elements):
            operands = (whole, element, self.integer(at))
            whole = self.value("llvm.insertelement", operands, ty)
        return whole

    def branch(self, target: Block, operands: Sequence[SSAValue] = ()) -> None:
        branch(self, target, operands)

    def cond_branch(
        self,
        condition: SSAValue,
        then: Block,
        otherwise: Block,
        then_operands: Sequence[SSAValue] = (),
        else_operands: Sequence[SSAValue] = (),
    ) -> Operation:
        return cond_branch(self, condition, then, otherwise, then_operands, else_operands)


def _type_of(a: SSAValue | int, b: SSAValue | int) -> Attribute:
    """The type of the one of two operands that is no number."""
    return cast("SSAValue", b if isinstance(a, int) else a).type


# --- symbols ---------------------------------------------------------------------------------


def symbol_table(op: Operation) -> Operation:
    """The nearest operation around `op` (or `op` itself) that holds symbols."""
    current: Operation | None = op
    while current is not None:
        if current.name in ("builtin.module", "gpu.module"):
            return current
        current = current.parent_op()
    raise ValueError("no symbol table around the operation")


def function_attributes(name: str, ty: LLVMFunctionType) -> dict[str, Attribute]:
    return {"sym_name": StringAttr(name), "function_type": ty}


def declare(
    rw: Builder,
    table: Operation,
    name: str,
    arguments: Sequence[Attribute],
    result: Attribute,
    *,
    variadic: bool = False,
) -> Operation:
    """The function `name` of `table`, declared at its start if it is not there."""
    # A symbol table is searched once for each name, not once for each use.
    cache = getattr(rw, "cache", None)
    if cache is not None:
        known = cache.get((id(table), name))
        if known is not None:
            return known

    ty = LLVMFunctionType(tuple(arguments), result, variadic=variadic)
    found = lookup(table, name)
    if found is not None:
        if found.name != "llvm.func":
            raise error(found, f"expected '{name}' to be an llvm.func, but found {found.name}")
        if (existing := found.properties.get("function_type")) != ty:
            _refuse(
                rw,
                found,
                f"redefinition of reserved function '{name}' of different type '{existing}' is "
                "prohibited",
            )
        if cache is not None:
            cache[id(table), name] = found
        return found
    function = ods.create(
        "llvm.func",
        properties=function_attributes(name, ty),
        regions=(Region(),),
        location=table.location,
    )
    block = table.regions[0].blocks[0]
    if block.first_op is None:
        block.add_op(function)
    else:
        block.insert_op_before(function, block.first_op)
    if cache is not None:
        cache[id(table), name] = function
    return function


def _refuse(rw: Builder, op: Operation, message: str) -> NoReturn:
    """Reports that a function cannot be declared. A conversion goes on with the next operation."""
    from xgpu.core.rewriting.driver import Conversion, NoMatch

    refusal = error(op, message)
    if not isinstance(rw, Conversion):
        raise refusal
    for diagnostic in refusal.diagnostics:
        emit(diagnostic)
    raise NoMatch(message)


def reference(op: Operation) -> SymbolRefAttr:
    """A reference to the symbol that `op` defines."""
    name = op.properties["sym_name"]
    assert isinstance(name, StringAttr)
    return SymbolRefAttr(name)
