# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-gpu-to-nvvm`: a gpu.module's functions to the llvm and nvvm dialects; ids and sizes as
special registers, and subgroup matrices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    Signedness,
    UnitAttr,
    VectorType,
    f16,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.memref_descriptor import element_pointer
from xgpu.conversion.to_llvm import INDEX_BITWIDTH, dialect_rules
from xgpu.core import ods
from xgpu.core.ods.table_files import own_dialects
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.core.rewriting.type_converter import UNKNOWN
from xgpu.core.syntax.verify import verify_op
from xgpu.dialects import gpu
from xgpu.dialects.gpu.attributes import MMAMatrixType
from xgpu.dialects.gpu.syntax import attributions
from xgpu.dialects.llvm.builders import (
    attribute_constant,
    binary,
    comparison_type,
    constant,
    extract,
    index_constant,
    insert,
    poison,
)
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xgpu.conversion.llvm_types import LLVMConversion, LLVMTypeConverter


# --- wmma to nvvm --------------------------------------------------------------------------------
# Subgroup matrices as nvvm.wmma: a matrix is the struct of the fragments that a lane holds.
#
# Source: MLIR 22.1 WmmaOpsToNvvm.cpp, NVVMDialect.cpp (inferMMAType); PTX ISA, wmma.


_FRAGMENTS = {"AOp": "a", "BOp": "b", "COp": "c"}
#: Element type -> the (m, n, k) that PTX has.
_SHAPES_16 = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
_SHAPES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "f16": _SHAPES_16,
    "f32": _SHAPES_16,
    "s8": _SHAPES_16,
    "u8": _SHAPES_16,
    "s32": _SHAPES_16,
    "tf32": ((16, 16, 8),),
    "f64": ((8, 8, 4),),
}


def element_kind(ty: MMAMatrixType) -> str:
    """The PTX type of the elements: nvvm.mma_type's keyword."""
    element = ty.element_type
    if isinstance(element, Float16Type):
        return "f16"
    if isinstance(element, Float32Type):
        return "f32" if ty.operand == "COp" else "tf32"
    if isinstance(element, Float64Type):
        return "f64"
    if isinstance(element, IntegerType) and element.width.data == 8:
        return "u8" if element.signedness.data is Signedness.UNSIGNED else "s8"
    return "s32"


def fragment_type(ty: MMAMatrixType) -> Attribute:
    """What a lane holds of a matrix: a struct, or one f64."""
    kind = element_kind(ty)
    is_accumulator = ty.operand == "COp"
    if kind == "f16":
        return LLVMStructType([VectorType(f16, [2])] * (4 if is_accumulator else 8))
    if kind == "f32":
        return LLVMStructType([f32] * 8)
    if kind == "f64":
        return LLVMStructType([f64] * 2) if is_accumulator else f64
    if kind == "tf32":
        return LLVMStructType([i32] * 4)
    if kind == "s32":
        return LLVMStructType([i32] * 8)
    parallel = ty.shape[0] if ty.operand == "AOp" else ty.shape[1]
    return LLVMStructType([i32] * {16: 2, 8: 1, 32: 4}.get(parallel, 1))


def _third_dimension(ty: MMAMatrixType, kind: str) -> tuple[int, int, int]:
    """(m, n, k) of the wmma shape that has a fragment of this type."""
    first, second = ty.shape
    for m, n, k in _SHAPES[kind]:
        shape = {"AOp": (m, k), "BOp": (k, n), "COp": (m, n)}[ty.operand]
        if shape == (first, second):
            return m, n, k
    raise NoMatch("wmma has no such shape")


def _shape(m: int, n: int, k: int) -> dict[str, Attribute]:
    return {key: IntegerAttr(value, i32) for key, value in (("m", m), ("n", n), ("k", k))}


def _layout(is_transposed: bool) -> Attribute:
    return ods.enum("nvvm.mma_layout", "col" if is_transposed else "row")


def _kind(kind: str) -> Attribute:
    return ods.enum("nvvm.mma_type", kind)


def lower_load(
    op: gpu.SubgroupMmaLoadMatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.results[0].type
    properties = op.properties
    kind = element_kind(ty)
    shape = _shape(*_third_dimension(ty, kind))
    memref_type = cast("MemRefType", op.operands[0].type)
    pointer = element_pointer(rw, rw.types, memref_type, operands[0], operands[1:], flags=0)
    leading = index_constant(rw, properties["leadDimension"].value.data, i32)
    return [
        rw.value(
            "nvvm.wmma.load",
            (pointer, leading),
            fragment_type(ty),
            {
                **shape,
                "layout": _layout("transpose" in properties),
                "eltype": _kind(kind),
                "frag": ods.enum("nvvm.mma_frag", _FRAGMENTS[ty.operand]),
            },
        )
    ]


def _members(rw: Rewriter, value: SSAValue) -> list[SSAValue]:
    if not isinstance(value.type, LLVMStructType):
        return [value]
    return [extract(rw, value, i) for i in range(len(value.type.body))]


def lower_store(
    op: gpu.SubgroupMmaStoreMatrixOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    ty = op.src.type
    properties = op.properties
    kind = element_kind(ty)
    shape = _shape(*_third_dimension(ty, kind))
    values = _members(rw, operands[0])
    memref_type = cast("MemRefType", op.operands[1].type)
    pointer = element_pointer(rw, rw.types, memref_type, operands[1], operands[2:], flags=0)
    leading = index_constant(rw, properties["leadDimension"].value.data, i32)
    rw.create(
        "nvvm.wmma.store",
        (pointer, *values, leading),
        (),
        {**shape, "layout": _layout("transpose" in properties), "eltype": _kind(kind)},
    )
    return []


def lower_compute(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    a, _, c = (operand.type for operand in op.operands)
    values = [member for operand in operands for member in _members(rw, operand)]
    source, target = element_kind(a), element_kind(c)  # pyright: ignore
    m, k = a.shape  # pyright: ignore
    n = c.shape[1]  # pyright: ignore
    if (m, n, k) not in _SHAPES[source]:
        raise NoMatch("wmma has no such shape")
    properties = op.properties
    return [
        rw.value(
            "nvvm.wmma.mma",
            values,
            fragment_type(c),  # pyright: ignore
            {
                **_shape(m, n, k),
                "layoutA": _layout("a_transpose" in properties),
                "layoutB": _layout("b_transpose" in properties),
                "eltypeA": _kind(source),
                "eltypeB": _kind(target),
            },
        )
    ]


def lower_constant(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """Every member is the value; of f16, a vector of two of them."""
    ty = fragment_type(op.results[0].type)  # pyright: ignore
    (value,) = operands
    if not isinstance(ty, LLVMStructType):
        return [value]
    if isinstance(ty.body[0], VectorType):
        vector = poison(rw, ty.body[0])
        for i in range(ty.body[0].get_shape()[0]):
            position = constant(rw, i, i32)
            vector = rw.value("llvm.insertelement", (vector, value, position), ty.body[0])
        value = vector
    matrix = poison(rw, ty)
    for i in range(len(ty.body)):
        matrix = insert(rw, matrix, value, i)
    return [matrix]


_BINARY = {
    "addf": "fadd",
    "mulf": "fmul",
    "subf": "fsub",
    "divf": "fdiv",
    "addi": "add",
    "muli": "mul",
    "subi": "sub",
    "divs": "sdiv",
    "divu": "udiv",
}
_FCMP = {"olt": 4, "ogt": 2, "uno": 14}


def lower_elementwise(
    op: gpu.SubgroupMmaElementwiseOp, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    ty = fragment_type(op.results[0].type)  # pyright: ignore
    kind = op.properties["opType"]
    if not isinstance(ty, LLVMStructType):
        return [_apply(rw, kind.data, list(operands), ty)]
    result = poison(rw, ty)
    for i, member in enumerate(ty.body):
        values = [extract(rw, operand, i) for operand in operands]
        result = insert(rw, result, _apply(rw, kind.data, values, member), i)
    return [result]


def _apply(rw: Conversion, kind: str, values: list[SSAValue], ty: Attribute) -> SSAValue:
    if kind in _BINARY:
        name = _BINARY[kind]
        overflow = 0 if name in ("add", "sub", "mul") else None
        return binary(rw, name, values[0], values[1], overflow)
    if kind in ("minf", "maxf"):
        return _min_max(rw, values[0], values[1], is_min=kind == "minf")
    if kind == "negatef":
        return rw.value("llvm.fneg", (values[0],), ty)
    if kind == "negates":
        return binary(rw, "sub", constant(rw, 0, ty), values[0], 0)
    if kind == "extf":
        return rw.value("llvm.fpext", (values[0],), ty)
    raise NoMatch("unsupported op")


def _min_max(rw: Conversion, left: SSAValue, right: SSAValue, *, is_min: bool) -> SSAValue:
    """The smaller (greater) of two; NaN if either is, as arith.minimumf has it."""

    def compare(predicate: str) -> SSAValue:
        return rw.value(
            "llvm.fcmp",
            (left, right),
            comparison_type(left.type),
            {"predicate": IntegerAttr(_FCMP[predicate], IntegerType(64))},
        )

    def select(condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        return rw.value("llvm.select", (condition, then, otherwise), then.type)

    chosen = select(compare("olt" if is_min else "ogt"), left, right)
    unordered = compare("uno")
    return select(
        unordered,
        attribute_constant(rw, _nan(cast("AnyFloat | VectorType[AnyFloat]", left.type)), left.type),
        chosen,
    )


def _nan(ty: AnyFloat | VectorType[AnyFloat]) -> Attribute:
    # A vector's constant is known by the value of each of its elements.
    return FloatAttr(float("nan"), ty.element_type if isinstance(ty, VectorType) else ty)


WMMA_RULES = {
    "gpu.subgroup_mma_load_matrix": lower_load,
    "gpu.subgroup_mma_store_matrix": lower_store,
    "gpu.subgroup_mma_compute": lower_compute,
    "gpu.subgroup_mma_constant_matrix": lower_constant,
    "gpu.subgroup_mma_elementwise": lower_elementwise,
}


# --- gpu to nvvm ---------------------------------------------------------------------------------
# `convert-gpu-to-nvvm`: a gpu.module's functions to the llvm and nvvm dialects.


# --- index to nvvm -------------------------------------------------------------------------------
# gpu ids and sizes as special registers.
#
#     %0 = gpu.thread_id x   =>   %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
#                                 %1 = llvm.sext %0 : i32 to i64
#
# The range comes from `upper_bound`, or from the sizes that the function knows.
# Source: MLIR 22.1 IndexIntrinsicsOpLowering.h.


WARP_SIZE = 32

#: Operation -> register, what of the function bounds it, whether it is a size.
_REGISTERS: dict[str, tuple[str, str | None, bool]] = {
    "gpu.thread_id": ("tid", "known_block_size", False),
    "gpu.block_dim": ("ntid", "known_block_size", True),
    "gpu.block_id": ("ctaid", "known_grid_size", False),
    "gpu.grid_dim": ("nctaid", "known_grid_size", True),
    "gpu.cluster_id": ("clusterid", None, False),
    "gpu.cluster_dim": ("nclusterid", None, True),
    "gpu.cluster_block_id": ("cluster.ctaid", "known_cluster_size", False),
    "gpu.cluster_dim_blocks": ("cluster.nctaid", "known_cluster_size", True),
}


def lower_index(op: Operation, operands: Sequence[SSAValue], rw: LLVMConversion) -> list[SSAValue]:
    """See the module's docstring."""
    register, bound, is_size = _REGISTERS[op.name]
    dimension = cast("gpu.DimAttr", op.properties["dimension"])
    bounds = None
    upper = cast("IntegerAttr | None", op.properties.get("upper_bound"))
    limit = upper.value.data if upper is not None else None
    if limit is None and bound is not None:
        limit = _known_size(op, bound, "xyz".index(dimension.data))
    if limit is not None:
        bounds = _range(1, limit + 1) if is_size else _range(0, limit)
    name = f"nvvm.read.ptx.sreg.{register}.{dimension.data}"
    return [_as_index(rw, _read(rw, name, bounds))]


def _known_size(op: Operation, name: str, dimension: int) -> int | None:
    """The size in `dimension` that the function around `op` states."""
    function = op.parent_op()
    while function is not None and function.name not in ("gpu.func", "llvm.func", "func.func"):
        function = function.parent_op()
    if function is None:
        return None
    sizes = function.properties.get(name) or function.attributes.get(f"gpu.{name}")
    if not isinstance(sizes, DenseArrayBase):
        return None
    return int(sizes.get_values()[dimension])


def lower_lane_id(
    op: gpu.LaneIdOp, operands: Sequence[SSAValue], rw: LLVMConversion
) -> list[SSAValue]:
    upper = op.properties.get("upper_bound")
    limit = WARP_SIZE if upper is None else upper.value.data
    return [_as_index(rw, _read(rw, "nvvm.read.ptx.sreg.laneid", _range(0, limit)))]


def _range(lower: int, upper: int) -> Attribute:
    return ods.attr_class("llvm.constant_range")(i32.width.data, lower, upper)  # pyright: ignore


def _read(rw: LLVMConversion, name: str, bounds: Attribute | None) -> SSAValue:
    return rw.value(name, (), i32, {} if bounds is None else {"range": bounds})


def _as_index(rw: LLVMConversion, value: SSAValue) -> SSAValue:
    index = rw.types.index
    if index.width.data > 32:
        return rw.value("llvm.sext", (value,), index)
    if index.width.data < 32:
        return rw.value("llvm.trunc", (value,), index)
    return value


INDEX_RULES = {**dict.fromkeys(_REGISTERS, lower_index), "gpu.lane_id": lower_lane_id}


# --- gpu to nvvm ---------------------------------------------------------------------------------
# convert-gpu-to-nvvm: a gpu.module's functions to the llvm and nvvm dialects.
#
# First gpu's own rewrites (all_reduce, global_id, 64-bit shuffles, ...), then one conversion with
# the rules of gpu and of every dialect that has a conversion to llvm, math excepted: on the device
# it is libdevice. Source: MLIR 22.1 LowerGpuOpsToNVVMOps.cpp.


#: gpu's memory spaces as NVVM's address spaces. Private memory is the stack, space 0.
ADDRESS_SPACES = {"global": 1, "workgroup": 3, "private": 0}


class ConvertGpuOpsToNVVMOps(Pass):
    """Lowers a gpu.module to llvm and nvvm operations."""

    name = "convert-gpu-to-nvvm"
    summary = "Generate NVVM operations for gpu operations"
    anchor = "gpu.module"
    options = (
        INDEX_BITWIDTH,
        Option("has-redux", bool, False, "Target gpu supports redux"),
        Option(
            "use-bare-ptr-memref-call-conv",
            bool,
            False,
            "Replace memref arguments in GPU functions with bare pointers.",
        ),
        Option("allow-pattern-rollback", bool, True, "Accepted for MLIR's sake."),
        Option("allowed-dialects", list, (), "Run conversion patterns of only these dialects"),
    )

    index_bitwidth: int
    has_redux: bool
    use_bare_ptr_memref_call_conv: bool
    allowed_dialects: tuple[str, ...]

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.gpu.rewrites import apply_gpu_rewrites
        from xgpu.transforms.gpu.subgroup_reduce import device_patterns
        from xgpu.transforms.vector.elements import unroll_from_elements

        for child in _children(op):
            if child.name == "func.func":
                child.attributes["llvm.emit_c_interface"] = UnitAttr()
        patterns = device_patterns(has_redux=self.has_redux)
        apply_gpu_rewrites(op, {**patterns, "vector.from_elements": (unroll_from_elements,)})
        types = self.types(op)
        verifies = _has_buffers_in_other_spaces(op, types)
        convert(op, self._rules(op), types, illegal=is_illegal_on_device)
        if verifies:
            # Descriptors of such buffers are wrong; a folder removes them, and LLVM has no place.
            verify_op(op)

    def types(self, op: Operation) -> LLVMTypeConverter:
        """The type converter for device code."""
        from xgpu.conversion.llvm_types import LLVMTypeConverter, index_width

        types = LLVMTypeConverter(
            self.index_bitwidth or index_width(op), bare_pointers=self.use_bare_ptr_memref_call_conv
        )
        prepare_types(types)
        return types

    def _rules(self, op: Operation) -> Mapping[str, Rule]:
        from xgpu.conversion.gpu import functions_to_nvvm
        from xgpu.conversion.scalar import arith_to_llvm

        rules: dict[str, Rule] = dialect_rules(op, self.allowed_dialects, without=("math",))
        if not self.allowed_dialects or "arith" in self.allowed_dialects:
            rules.update(arith_to_llvm.F8_RULES)
        rules.update(device_rules())
        rules.update(WMMA_RULES)
        if self.has_redux:
            rules.update(functions_to_nvvm.REDUX_RULES)
        return rules


def _has_buffers_in_other_spaces(module: Operation, types: LLVMTypeConverter) -> bool:
    """Whether a function has workgroup or private buffers whose types name another address space
    than that in which they are allocated."""
    from xgpu.conversion.gpu import functions_to_nvvm

    for function in _children(module):
        if function.name != "gpu.func":
            continue
        workgroup, private = attributions(function)
        for buffers, space in ((workgroup, functions_to_nvvm.WORKGROUP_SPACE), (private, 0)):
            for buffer in buffers:
                if types.address_space(cast("MemRefType", buffer.type)) != space:
                    return True
    return False


def prepare_types(types: LLVMTypeConverter) -> None:
    """Teaches a type converter the memory spaces and types of device code."""
    types.memory_spaces.append(_address_space)
    types.add(partial(_convert_gpu_type, types))


def device_rules() -> dict[str, Rule]:
    """Rules for gpu operations in kernels, and for math by way of libdevice."""
    from xgpu.conversion.gpu import functions_to_nvvm
    from xgpu.conversion.scalar import math_to_calls
    from xgpu.conversion.scalar.math_to_llvm import NORMAL, is_class

    return {
        "math.isnormal": is_class(NORMAL),  # no function of libdevice says it
        **math_to_calls.LIBDEVICE_RULES,
        **INDEX_RULES,
        **functions_to_nvvm.RULES,
    }


def _children(op: Operation) -> list[Operation]:
    return [child for region in op.regions for block in region.blocks for child in block.ops]


def is_illegal_on_device(op: Operation) -> bool:
    name = op.name
    if name.startswith("gpu."):
        return name not in ("gpu.module", "gpu.yield")
    return name in ("func.func", "cf.assert") or name.partition(".")[0] in own_dialects()


def _address_space(attribute: Attribute) -> int | None:
    if attribute.name == "gpu.address_space":
        return ADDRESS_SPACES[attribute.data]  # pyright: ignore
    return None


def _convert_gpu_type(types: LLVMTypeConverter, ty: Attribute) -> Attribute:
    if isinstance(ty, MMAMatrixType):
        return fragment_type(ty)
    return UNKNOWN
