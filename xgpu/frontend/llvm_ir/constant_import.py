# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants as attributes, and as operations at the start of a function or an initializer.

A constant that a value of a function needs becomes an operation once a function, in the entry
block, behind those that were made before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FloatData,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    VectorType,
    i32,
)

from xgpu.core import ods
from xgpu.core.ir.elements import pack
from xgpu.core.ir.floats import from_bits
from xgpu.core.ir.locations import build
from xgpu.core.ir.splats import repeated
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.frontend.llvm_ir.lexer import decoded
from xgpu.frontend.llvm_ir.model import Constant, Instruction
from xgpu.frontend.llvm_ir.type_parser import is_float

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.dialects.builtin import AnyFloat
    from xdsl.ir import Attribute, SSAValue

    from xgpu.frontend.llvm_ir.body import Body


def scalar(constant: Constant) -> Attribute | None:
    """The attribute of a number, None for any other constant."""
    t = constant.type
    if constant.kind == "int":
        return IntegerAttr(constant.data, t)  # pyright: ignore
    if constant.kind == "float" and _has_attribute(t):
        return FloatAttr.new([FloatData(from_bits(constant.data, t)), t])  # pyright: ignore
    return None


def _has_attribute(t: Attribute) -> bool:
    """Whether numbers of type `t` have attributes: all but PowerPC's pairs of doubles."""
    return isinstance(t, IntegerType) or (is_float(t) and t.name != "llvm.ppc_fp128")


def shape_of(t: Attribute) -> TensorType | VectorType | None:
    """The type of the elements attribute of constants of type `t`, None if there is none: vectors
    of numbers, and arrays of numbers or of such vectors."""
    shape: list[int] = []
    is_array = isinstance(t, LLVMArrayType)
    while isinstance(t, LLVMArrayType):
        shape.append(t.size)
        t = t.element_type
    if isinstance(t, VectorType):
        if t.get_num_scalable_dims() or not _has_attribute(t.element_type):
            return None
        return VectorType(t.element_type, (*shape, t.get_shape()[0]))
    if not is_array or not _has_attribute(t):
        return None
    return TensorType(t, shape)


def as_attribute(constant: Constant) -> Attribute | None:
    """The attribute that says all of a constant, None where operations have to."""
    kind = constant.kind
    if kind in ("int", "float"):
        return scalar(constant)
    if kind == "string":
        return StringAttr(decoded(constant.data))
    if kind == "zero":
        return _zero(constant)
    if kind not in ("data", "aggregate"):
        return None
    shape = shape_of(constant.type)
    if shape is None:
        return None
    numbers = _numbers(constant)
    if numbers is None:
        return None
    return elements(shape, numbers)


def _zero(constant: Constant) -> Attribute | None:
    shape = shape_of(constant.type)
    if shape is None:
        return None
    return elements(shape, [0] if _count(shape) else [])


def _count(shape: TensorType | VectorType) -> int:
    count = 1
    for size in shape.get_shape():
        count *= size
    return count


def elements(shape: TensorType | VectorType, numbers: Sequence[int]) -> Attribute:
    """Dense elements of integers, or of the bits of floats; one number stands for all."""
    t = shape.get_element_type()
    values: Sequence[float] = numbers
    if not isinstance(t, IntegerType):
        values = [from_bits(n, cast("AnyFloat", t)) for n in numbers]
    count = _count(shape)
    if len(values) == 1 and count != 1:
        data = repeated(pack(values, t), count)
    else:
        data = pack(values, t)
    # xDSL's check knows no sizes of wide types.
    return build(DenseIntOrFPElementsAttr, type=shape, data=BytesAttr(data))


def _numbers(constant: Constant) -> list[int] | None:
    """The numbers of an aggregate, depth first; None if there is anything else in it."""
    found: list[int] = []
    pending = [constant]
    while pending:
        current = pending.pop()
        if current.kind == "aggregate":
            pending += reversed(current.operands)
        elif current.kind == "data":
            found += current.data
        elif current.kind in ("int", "float"):
            found.append(current.data)
        else:
            return None
    return found


# --- operations ----------------------------------------------------------------------------------
def convert(body: Body, constant: Constant) -> SSAValue:
    """The operation of a constant whose parts have theirs, at the builder's place."""
    attribute = as_attribute(constant)
    if attribute is not None:
        return _create(body, "llvm.mlir.constant", constant.type, value=attribute)
    return _CONVERTERS.get(constant.kind, _unhandled)(body, constant)


def _create(body: Body, name: str, t: Attribute, **properties: Attribute) -> SSAValue:
    return body.builder.create(name, (), (t,), properties).results[0]


def _plain(name: str) -> Callable[[Body, Constant], SSAValue]:
    def convert(body: Body, constant: Constant) -> SSAValue:
        return _create(body, name, constant.type)

    return convert


def _global(body: Body, constant: Constant) -> SSAValue:
    symbol = body.context.symbol(constant.data)
    return _create(body, "llvm.mlir.addressof", constant.type, global_name=SymbolRefAttr(symbol))


def _local_equivalent(body: Body, constant: Constant) -> SSAValue:
    symbol = body.context.symbol(constant.operands[0].data)
    return _create(
        body, "llvm.dso_local_equivalent", constant.type, function_name=SymbolRefAttr(symbol)
    )


def _block_address(body: Body, constant: Constant) -> SSAValue:
    function, block = constant.data
    number = body.context.source.blocks[function][block].number
    tag = ods.attr_class("llvm.blocktag")
    address = ods.attr_class("llvm.blockaddress")
    symbol = SymbolRefAttr(body.context.symbol(function))
    return _create(
        body, "llvm.blockaddress", constant.type, block_addr=address(symbol, tag(number))
    )


def _aggregate(body: Body, constant: Constant) -> SSAValue:
    """One element after the other inserted into an undefined value."""
    t = constant.type
    whole = _create(body, "llvm.mlir.undef", t)
    in_vector = not isinstance(t, LLVMArrayType | LLVMStructType)
    for place, part in enumerate(constant.operands):
        value = body.values[part]
        if in_vector:
            index = _create(body, "llvm.mlir.constant", i32, value=IntegerAttr(place, i32))
            op = body.builder.create("llvm.insertelement", (whole, value, index), (t,))
        else:
            op = body.builder.create(
                "llvm.insertvalue", (whole, value), (t,), {"position": body.position((place,))}
            )
        whole = op.results[0]
    return whole


def _expression(body: Body, constant: Constant) -> SSAValue:
    """An expression is what the instruction of its name is."""
    opcode, flags, about = constant.data
    instruction = Instruction()
    instruction.opcode = opcode
    instruction.flags = list(flags)
    instruction.type = constant.type
    instruction.operands = list(constant.operands)
    instruction.extra = {"source": about, "mask": about}
    body.instruction(instruction)
    return body.values.pop(instruction)


def _zero_operation(body: Body, constant: Constant) -> SSAValue:
    return _create(body, "llvm.mlir.zero", constant.type)


_REASONS = {
    "ptrauth": " since ptrauth(...) is unsupported",
    "no_cfi": " since no_cfi is unsupported",
}


def _unhandled(body: Body, constant: Constant) -> SSAValue:
    reason = _REASONS.get(constant.kind, "")
    raise body.messages.unhandled("constant in", body.current, reason)


_CONVERTERS: dict[str, Callable[[Body, Constant], SSAValue]] = {
    "null": _plain("llvm.mlir.zero"),
    "zero": _zero_operation,
    "none": _plain("llvm.mlir.none"),
    "poison": _plain("llvm.mlir.poison"),
    "undef": _plain("llvm.mlir.undef"),
    "global": _global,
    "dso_local_equivalent": _local_equivalent,
    "blockaddress": _block_address,
    "aggregate": _aggregate,
    "expression": _expression,
}
