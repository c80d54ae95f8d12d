# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-llvm`: first vectors in terms of simpler ones, then the llvm dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    StringAttr,
    UnitAttr,
    VectorType,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.llvm_types import LLVMTypeConverter
from xgpu.conversion.memref_descriptor import MemRefDescriptor, element_pointer
from xgpu.conversion.to_llvm import string_pointer
from xgpu.conversion.vector import elements_to_llvm as vector_elements_to_llvm
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.memref_layout import strided_form
from xgpu.dialects.vector import fold
from xgpu.dialects.vector.builders import merge

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import vector


# --- memory to llvm ------------------------------------------------------------------------------
# Vectors from and to memory, in the llvm dialect: loads, stores, gathers, scatters.
#
# Alignment is that of the memref's element, or of the vector (`use-vector-alignment`).
# Source: MLIR 22.1 ConvertVectorToLLVM.cpp.


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


MEMORY_RULES: dict[str, Rule] = {
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


# --- print to llvm -------------------------------------------------------------------------------
# vector.print of scalars, punctuation and texts as calls of the runtime's print functions.
#
# Vectors are taken apart by `convert-vector-to-scf` before. Source: MLIR 22.1
# ConvertVectorToLLVM.cpp, PrintCallHelper.cpp.


_PUNCTUATION = {
    "close": "printClose",
    "open": "printOpen",
    "comma": "printComma",
    "newline": "printNewline",
}
_FLOATS = {"f32": "printF32", "f64": "printF64", "f16": "printF16", "bf16": "printBF16"}


def _module(op: Operation) -> Operation:
    current: Operation | None = op
    while current is not None and current.name != "builtin.module":
        current = current.parent_op()
    if current is None:
        raise NoMatch("not inside of a module")
    return current


def _call(op: Operation, rw: Conversion, name: str, operands: Sequence[SSAValue]) -> None:
    types = [value.type for value in operands]
    function = llvm.declare(rw, _module(op), name, types, llvm.VOID)
    llvm.call(rw, llvm.reference(function), operands, None)


def lower_print(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    module = cast("ModuleOp", _module(op))
    if operands:
        _print_scalar(op, rw, op.operands[0].type, operands[0])
    text = cast("StringAttr | None", op.properties.get("stringLiteral"))
    if isinstance(text, StringAttr):
        pointer = string_pointer(rw, module, "vector_print_str", text.data)
        _call(op, rw, "printString", [pointer])
        return ()
    punctuation = cast("vector.PunctuationAttr", op.properties["punctuation"])
    name = _PUNCTUATION.get(punctuation.data)
    if name is not None:
        _call(op, rw, name, [])
    return ()


def _print_scalar(op: Operation, rw: Conversion, ty: Attribute, value: SSAValue) -> None:
    if isinstance(ty, VectorType):
        raise NoMatch("vectors are taken apart by convert-vector-to-scf")
    if ty.name in _FLOATS:
        if ty.name in ("f16", "bf16"):
            value = rw.value("llvm.bitcast", [value], i16)  # its bits
        _call(op, rw, _FLOATS[ty.name], [value])
    elif isinstance(ty, IndexType):
        _call(op, rw, "printU64", [value])
    elif isinstance(ty, IntegerType) and ty.width.data <= 64:
        _print_integer(op, rw, ty, value)
    else:
        raise NoMatch(f"there is no function that prints {ty}")


def _print_integer(op: Operation, rw: Conversion, ty: IntegerType, value: SSAValue) -> None:
    """In 64 bits. A boolean is always 0 or 1."""
    unsigned = ty.signedness.data is Signedness.UNSIGNED
    width = ty.width.data
    if width < 64:
        extend = "arith.extui" if unsigned or width == 1 else "arith.extsi"
        value = rw.value(extend, [value], i64)
    _call(op, rw, "printU64" if unsigned else "printI64", [value])


PRINT_RULES: dict[str, Rule] = {"vector.print": lower_print}


# --- vector to llvm ------------------------------------------------------------------------------
# `convert-vector-to-llvm`: first vectors in terms of simpler ones, then the llvm dialect.
#
# The rules are by topic in `vector_*_to_llvm.py`.


RULES: dict[str, Rule] = {
    **vector_elements_to_llvm.RULES,
    **MEMORY_RULES,
    **PRINT_RULES,
}


class ConvertVectorToLLVMPass(Pass):
    """Lowers vector to the llvm dialect."""

    name = "convert-vector-to-llvm"
    summary = "Lower the operations from the vector dialect into the LLVM dialect"
    options = (
        Option(
            "reassociate-fp-reductions",
            bool,
            False,
            "Allows llvm to reassociate floating-point reductions for speed",
        ),
        Option(
            "force-32bit-vector-indices",
            bool,
            True,
            "Allows compiler to assume vector indices fit in 32-bit if that yields faster code",
        ),
        Option(
            "use-vector-alignment",
            bool,
            False,
            "Use the preferred alignment of a vector type in load/store operations instead of "
            "the alignment of the element type of the memref",
        ),
        Option(
            "vector-contract-lowering",
            str,
            "dot",
            "How vector.contract is lowered",
            ("dot", "llvmintr", "outerproduct", "parallelarith"),
        ),
        Option(
            "vector-transpose-lowering",
            str,
            "eltwise",
            "How vector.transpose is lowered",
            ("eltwise", "llvmintr", "shuffle1d", "shuffle16x16"),
        ),
    )

    reassociate_fp_reductions: bool
    force_32bit_vector_indices: bool
    use_vector_alignment: bool
    vector_contract_lowering: str
    vector_transpose_lowering: str

    def run(self, op: Operation, ctx: Context) -> None:
        self._simplify(op)
        types = LLVMTypeConverter()
        types.reassociate_reductions = self.reassociate_fp_reductions
        types.vector_indices_32bit = self.force_32bit_vector_indices
        types.vector_alignment = self.use_vector_alignment
        convert(op, RULES, types, known=("llvm", "arith", "memref"))

    def _simplify(self, op: Operation) -> None:
        """Vectors of several dimensions by those of one."""
        from xgpu.core.rewriting.greedy import apply_patterns
        from xgpu.transforms.vector import contraction, elements, shapes, transfer_lowering

        patterns = merge(
            fold.MASK_PATTERNS,
            shapes.BROADCAST_PATTERNS,
            contraction.matrix_patterns(
                self.vector_contract_lowering, self.vector_transpose_lowering
            ),
            contraction.patterns(self.vector_contract_lowering),
            contraction.OUTER_PRODUCT_PATTERNS,
            elements.MASK_PATTERNS,
            shapes.SHAPE_PATTERNS,
            transfer_lowering.TRANSFER_PATTERNS,
            elements.materialization(indices_32bit=self.force_32bit_vector_indices),
            shapes.SLICE_PATTERNS,
            elements.ELEMENT_PATTERNS,
        )
        apply_patterns(op, patterns)
