# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors from and to memory, in the llvm dialect: loads, stores, gathers, scatters.

Alignment is that of the memref's element, or of the vector (`use-vector-alignment`).
Source: MLIR 22.1 ConvertVectorToLLVM.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref.descriptor import MemRefDescriptor, element_pointer
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.memref.layout import strided_form

if TYPE_CHECKING:
    from xdsl.dialects.builtin import MemRefType

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.core.rewriting.driver import Conversion, Rule


def preferred_alignment(ty: Attribute) -> int:
    """The alignment in bytes that LLVM's default data layout prefers for a type."""
    if isinstance(ty, IntegerType):
        width = ty.width.data
        return next((n for n in (1, 2, 4) if width <= 8 * n), 8)
    if isinstance(ty, VectorType):
        count = 1
        for extent in ty.get_shape():
            count *= extent
        element = ty.element_type
        bits = element.bitwidth if isinstance(element, FixedBitwidthType) else 64
        size = max(1, -(-count * bits // 8))
        return 1 << (size - 1).bit_length()
    if isinstance(ty, AnyFloat):
        return -(-ty.bitwidth // 8) if ty.bitwidth != 80 else 16
    return 8  # pointers and aggregates


def alignment_of(rw: Conversion, op: Operation, vector: Attribute, memref: Attribute) -> int:
    """The alignment that the operation states, or that its types give."""
    memref = cast("MemRefType", memref)
    stated = op.properties.get("alignment")
    if isinstance(stated, IntegerAttr) and stated.value.data:
        return stated.value.data
    types = cast("LLVMTypeConverter", rw.types)
    if types.vector_alignment:
        return preferred_alignment(rw.convert_type(vector))
    return preferred_alignment(rw.convert_type(memref.element_type))


def _one_dimensional(ty: Attribute) -> None:
    if cast("VectorType", ty).get_num_dims() > 1:
        raise NoMatch("only 1-D vectors can be lowered to LLVM")


def _pointer(
    op: Operation, rw: Conversion, memref: SSAValue, value: SSAValue, indices: Sequence[SSAValue]
) -> SSAValue:
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", memref.type)
    return element_pointer(rw, types, ty, value, indices, flags=0)


def _is_nontemporal(op: Operation) -> bool:
    value = op.properties.get("nontemporal")
    return isinstance(value, IntegerAttr) and bool(value.value.data)


def _access_properties(op: Operation, alignment: int) -> dict[str, Attribute]:
    properties: dict[str, Attribute] = {"alignment": IntegerAttr(alignment, i64)}
    if _is_nontemporal(op):
        properties["nontemporal"] = UnitAttr()
    return properties


def lower_load(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = op.results[0].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[0].type)
    result = rw.convert_type(ty)
    pointer = _pointer(op, rw, op.operands[0], operands[0], operands[1:])
    return [llvm.load(rw, pointer, result, **_access_properties(op, alignment))]


def lower_store(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = op.operands[0].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[1].type)
    pointer = _pointer(op, rw, op.operands[1], operands[1], operands[2:])
    llvm.store(rw, operands[0], pointer, **_access_properties(op, alignment))
    return ()


def _alignment_property(alignment: int) -> dict[str, Attribute]:
    return {"alignment": IntegerAttr(alignment, i32)}


def lower_maskedload(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = op.results[0].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[0].type)
    memref, *indices, mask, passthru = operands
    pointer = _pointer(op, rw, op.operands[0], memref, indices)
    return [
        rw.value(
            "llvm.intr.masked.load",
            (pointer, mask, passthru),
            rw.convert_type(ty),
            _alignment_property(alignment),
        )
    ]


def lower_maskedstore(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty: Attribute = op.operands[-1].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[0].type)
    memref, *indices, mask, value = operands
    pointer = _pointer(op, rw, op.operands[0], memref, indices)
    rw.create("llvm.intr.masked.store", (value, pointer, mask), (), _alignment_property(alignment))
    return ()


def _element_pointers(
    op: Operation, rw: Conversion, memref: SSAValue, indices: Sequence[SSAValue], steps: SSAValue
) -> SSAValue:
    """A vector of pointers: the base address moved by each element of `steps`."""
    types = cast("LLVMTypeConverter", rw.types)
    ty = cast("MemRefType", op.operands[0].type)
    form = strided_form(ty)
    if form is None or (form[0] and form[0][-1] != 1) or types.address_space(ty) is None:
        raise NoMatch("memref type not supported")
    base = _pointer(op, rw, op.operands[0], memref, indices)
    vector = cast("VectorType", steps.type)
    pointers = VectorType(base.type, vector.shape, vector.scalable_dims)
    element = rw.convert_type(ty.element_type)
    return llvm.gep(rw, base, element, [steps], 0, pointers)


def lower_gather(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    if not hasattr(op.operands[0].type, "memory_space"):
        raise NoMatch("expected a memref")
    ty: Attribute = op.results[0].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[0].type)
    memref, *indices, steps, mask, passthru = operands
    pointers = _element_pointers(op, rw, memref, indices, steps)
    return [
        rw.value(
            "llvm.intr.masked.gather",
            (pointers, mask, passthru),
            rw.convert_type(ty),
            _alignment_property(alignment),
        )
    ]


def lower_scatter(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    if not hasattr(op.operands[0].type, "memory_space"):
        raise NoMatch("expected a memref")
    ty: Attribute = op.operands[-1].type
    _one_dimensional(ty)
    alignment = alignment_of(rw, op, ty, op.operands[0].type)
    memref, *indices, steps, mask, value = operands
    pointers = _element_pointers(op, rw, memref, indices, steps)
    rw.create(
        "llvm.intr.masked.scatter", (value, pointers, mask), (), _alignment_property(alignment)
    )
    return ()


def _parameter_attributes(op: Operation, name: str, count: int, at: int) -> dict[str, Attribute]:
    """An alignment that the operation states, as an attribute of the intrinsic's pointer."""
    stated = op.properties.get("alignment")
    if not isinstance(stated, IntegerAttr):
        return {}
    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr

    align = DictionaryAttr({"llvm.align": IntegerAttr(stated.value.data, i64)})
    return {name: ArrayAttr([align if i == at else DictionaryAttr({}) for i in range(count)])}


def lower_expandload(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    memref, *indices, mask, passthru = operands
    pointer = _pointer(op, rw, op.operands[0], memref, indices)
    result = rw.convert_type(op.results[0].type)
    properties = _parameter_attributes(op, "arg_attrs", 3, 0)
    operands = (pointer, mask, passthru)
    return [rw.value("llvm.intr.masked.expandload", operands, result, properties)]


def lower_compressstore(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    memref, *indices, mask, value = operands
    pointer = _pointer(op, rw, op.operands[0], memref, indices)
    properties = _parameter_attributes(op, "arg_attrs", 3, 1)
    rw.create("llvm.intr.masked.compressstore", (value, pointer, mask), (), properties)
    return ()


def _contiguous_strides(ty: MemRefType) -> list[int] | None:
    """The strides of a memref without gaps and with static strides, else None."""
    form = strided_form(ty)
    if form is None:
        return None
    strides = [stride for stride in form[0] if stride is not None]
    if len(strides) != len(form[0]) or (strides and strides[-1] != 1):
        return None
    shape = ty.get_shape()
    for i in range(len(shape) - 1):
        if strides[i] != strides[i + 1] * shape[i + 1]:
            return None
    return strides


def lower_type_cast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    source_type = cast("MemRefType", op.operands[0].type)
    target_type = cast("MemRefType", op.results[0].type)
    if -1 in source_type.get_shape() or -1 in target_type.get_shape():
        raise NoMatch("expected static shapes")
    strides = _contiguous_strides(target_type)
    if strides is None or _contiguous_strides(source_type) is None:
        raise NoMatch("expected contiguous memrefs")
    source = MemRefDescriptor(rw, operands[0])
    target = MemRefDescriptor.poison(rw, rw.convert_type(target_type))
    target.set_allocated(source.allocated())
    target.set_aligned(source.aligned())
    target.set_offset(llvm.index_constant(rw, 0, i64))
    for i, (extent, stride) in enumerate(zip(target_type.get_shape(), strides, strict=True)):
        target.set_size(i, llvm.index_constant(rw, extent, i64))
        target.set_stride(i, llvm.index_constant(rw, stride, i64))
    return [target.value]


RULES: dict[str, Rule] = {
    "vector.compressstore": lower_compressstore,
    "vector.expandload": lower_expandload,
    "vector.gather": lower_gather,
    "vector.load": lower_load,
    "vector.maskedload": lower_maskedload,
    "vector.maskedstore": lower_maskedstore,
    "vector.scatter": lower_scatter,
    "vector.store": lower_store,
    "vector.type_cast": lower_type_cast,
}
