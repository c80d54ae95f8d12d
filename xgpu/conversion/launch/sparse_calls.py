# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse gpu operations as calls of the runtime (cuSPARSE, and cuSPARSELt for 2:4 matrices).

A handle is a pointer; a token is the stream that the call is given last. Only operations with a
token and exactly one dependency are converted. Matrices of 2:4 sparsity, and dense ones that are
multiplied with such, live in memory of the caller whose size the library sets.
Source: MLIR 22.1 GPUToLLVMConversion.cpp; signatures: xgpu/core/support/abi.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ComplexType, IntegerType, i32, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.conversion.launch.builtin_types import integer_width
from xgpu.conversion.launch.runtime_calls import Asynchronous, end_token, single_dependency
from xgpu.conversion.launch.sparse_facts import is_2to4
from xgpu.conversion.launch.state import LaunchConversion, runtime_call
from xgpu.conversion.memref.descriptor import MemRefDescriptor
from xgpu.core.ir.errors import op_error
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm.builders import POINTER, alloca, constant, gep, index_constant, load

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AnyFloat, MemRefType
    from xdsl.ir import Operation

    from xgpu.core.ods.attributes import EnumAttr
    from xgpu.core.rewriting.driver import Rule
    from xgpu.dialects import gpu

#: cudaDataType by element type, and of a complex number by its parts' type.
_REAL = {"bf16": 14, "f16": 2, "f32": 0, "f64": 1, "i8": 3, "i16": 20, "i32": 10}
_COMPLEX = {"bf16": 15, "f16": 6, "f32": 4, "f64": 5, "i8": 7, "i16": 21, "i32": 11}
#: cusparseComputeType of cuSPARSELt.
_LT_COMPUTE = {"f16": 0, "i32": 1}
_DENSE_BYTES = 11032
_SPARSE_BYTES = 44104
_I8 = IntegerType(8)


def data_type(op: Operation, ty: Attribute) -> int:
    """What cuSPARSE calls an element type."""
    if isinstance(ty, ComplexType):
        code = _COMPLEX.get(str(cast("ComplexType[AnyFloat]", ty).element_type))
    else:
        code = _REAL.get(str(ty))
    if code is None:
        raise op_error(op, f"has an element type that cuSPARSE does not know: '{ty}'")
    return code


def index_type(ty: Attribute) -> int:
    """What cuSPARSE calls an index type: 16, 32 or 64 bits."""
    return {16: 1, 32: 2}.get(integer_width(ty) or 64, 3)


class _Arguments:
    """The arguments of one call, collected in order; `stream` goes last."""

    __slots__ = ("op", "rw", "stream", "values")

    def __init__(
        self, op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> None:
        self.op = cast("Operation", op)
        self.rw = rw
        self.stream = single_dependency(op, rw)
        self.values: list[SSAValue] = list(operands[1:])

    def pointer(self, i: int) -> SSAValue:
        """The allocated pointer of the memref that is operand `i` behind the dependency."""
        return MemRefDescriptor(self.rw, self.values[i]).allocated()

    def element(self, i: int) -> Attribute:
        return cast("MemRefType", self.op.operands[1 + i].type).element_type

    def number(self, value: int) -> SSAValue:
        return constant(self.rw, value, i32)

    def mode(self, name: str) -> SSAValue:
        attribute = cast("EnumAttr | None", self.op.properties.get(name))
        return self.number(0 if attribute is None else attribute.value)

    def compute_type(self) -> SSAValue:
        return self.number(data_type(self.op, self.op.properties["computeType"]))

    def call(self, name: str, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        return runtime_call(self.rw, name, [*arguments, self.stream])

    def done(self, *results: SSAValue) -> list[SSAValue]:
        end_token(self.op, self.rw)
        return [*results, self.stream]


def _own_memory(a: _Arguments, size: int) -> SSAValue:
    """Memory on the stack for an object of cuSPARSELt."""
    count = index_constant(a.rw, size, a.rw.types.index)
    memory = alloca(a.rw, count, _I8, alignment=16)
    return a.rw.value("llvm.bitcast", (memory,), POINTER)


# --- dense tensors -----------------------------------------------------------------------------
def lower_create_dn_tensor(
    op: gpu.CreateDnTensorOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    pointer = a.pointer(0)
    kind = a.number(data_type(op, a.element(0)))
    sizes = a.values[1:]
    if len(sizes) not in (1, 2):
        raise NoMatch("Only 1D and 2D tensors are supported")
    if len(sizes) == 1:
        (handle,) = a.call("mgpuCreateDnVec", [sizes[0], pointer, kind])
    elif id(op.results[0]) in rw.state.dense_of_2to4:
        handle = _own_memory(a, _DENSE_BYTES)
        a.call("mgpuCreateCuSparseLtDnMat", [handle, *sizes, pointer, kind])
    else:
        (handle,) = a.call("mgpuCreateDnMat", [*sizes, pointer, kind])
    return a.done(handle)


def lower_destroy_dn_tensor(
    op: gpu.DestroyDnTensorOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    tensor = op.dn_tensor
    if getattr(tensor.owner, "name", "") != "gpu.create_dn_tensor":
        raise NoMatch("expected the tensor to come from gpu.create_dn_tensor")
    if len(cast("gpu.CreateDnTensorOp", tensor.owner).dims) == 1:
        name = "mgpuDestroyDnVec"
    elif id(tensor) in rw.state.dense_of_2to4:
        name = "mgpuDestroyCuSparseLtDnMat"
    else:
        name = "mgpuDestroyDnMat"
    a.call(name, [a.values[0]])
    return a.done()


# --- sparse matrices ---------------------------------------------------------------------------
def _lower_create(name: str, sizes: int, index_arrays: int) -> Rule:
    """`sizes` numbers, then index arrays, then the elements; a code for each type that differs."""

    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        arrays = range(sizes, sizes + index_arrays + 1)
        pointers = [a.pointer(i) for i in arrays]
        # Coordinates are all of one type; positions have their own.
        coded = arrays[:-1] if name in ("Csr", "Csc", "Bsr") else arrays[-2:-1]
        codes = [a.number(index_type(a.element(i))) for i in coded]
        codes.append(a.number(data_type(a.op, a.element(arrays[-1]))))
        return a.done(*a.call(f"mgpuCreate{name}", [*a.values[:sizes], *pointers, *codes]))

    return rule


def lower_create_2to4(
    op: gpu.Create2to4SpmatOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    pointer = a.pointer(2)
    kind = a.number(data_type(op, a.element(2)))
    handle = _own_memory(a, _SPARSE_BYTES)
    a.call("mgpuCusparseLtCreate2To4SpMat", [handle, *a.values[:2], pointer, kind])
    return a.done(handle)


def lower_destroy_sp_mat(
    op: gpu.DestroySpMatOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    name = "mgpuDestroyCuSparseLtSpMat" if is_2to4(op.spmat) else "mgpuDestroySpMat"
    a.call(name, [a.values[0]])
    return a.done()


def lower_get_size(
    op: gpu.SpmatGetSizeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    index = rw.types.index
    buffer = alloca(rw, index_constant(rw, 3, index), i64, alignment=16)
    members = [gep(rw, buffer, POINTER, [index_constant(rw, i, index)]) for i in range(3)]
    a.call("mgpuSpMatGetSize", [a.values[0], *members])
    return a.done(*(load(rw, member, i64) for member in members))


def lower_set_csr_pointers(
    op: gpu.SetCsrPointersOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    a.call("mgpuSetCsrPointers", [a.values[0], *(a.pointer(i) for i in (1, 2, 3))])
    return a.done()


# --- products ----------------------------------------------------------------------------------
def _lower_buffer_size(name: str, modes: tuple[str, ...]) -> Rule:
    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        numbers = [a.mode(mode) for mode in modes]
        if a.op.name == "gpu.spmm_buffer_size" and is_2to4(
            cast("gpu.SpmmBufferSizeOp", op).spmat_a
        ):
            return _lower_lt_buffer_size(a, numbers)
        kind = a.compute_type()
        return a.done(*a.call(f"mgpu{name}BufferSize", [*numbers, *a.values, kind]))

    return rule


def _lower_lt_buffer_size(a: _Arguments, modes: list[SSAValue]) -> list[SSAValue]:
    """cuSPARSELt needs three buffers: the sizes come back through memory."""
    op, rw, index = a.op, a.rw, a.rw.types.index
    matrix = cast("gpu.Create2to4SpmatOp", cast("gpu.SpmmBufferSizeOp", op).spmat_a.owner)
    flag = a.number(matrix.prune_flag.value)
    ty = op.properties["computeType"]
    code = _LT_COMPUTE.get(str(ty))
    if code is None:
        raise op_error(op, f"has a compute type that cuSPARSELt does not know: '{ty}'")
    kind = a.number(code)
    buffer = alloca(rw, index_constant(rw, 3, index), POINTER, alignment=16)
    a.call("mgpuCuSparseLtSpMMBufferSize", [buffer, *modes, *a.values, kind, flag])
    rest = [gep(rw, buffer, POINTER, [index_constant(rw, i, index)]) for i in (1, 2)]
    return a.done(*(load(rw, member, i64) for member in (buffer, *rest)))


def _lower_product(name: str, modes: tuple[str, ...]) -> Rule:
    def rule(
        op: Asynchronous, operands: Sequence[SSAValue], rw: LaunchConversion
    ) -> list[SSAValue]:
        a = _Arguments(op, operands, rw)
        numbers = [a.mode(mode) for mode in modes]
        kind = a.compute_type()
        if a.op.name == "gpu.spmm" and is_2to4(cast("gpu.SpmmOp", op).spmat_a):
            if len(a.values) != 6:
                raise NoMatch("expected three buffers")
            buffers = [a.pointer(i) for i in (3, 4, 5)]
            a.call("mgpuCuSparseLtSpMM", [*a.values[:3], *buffers])
        else:
            if len(a.values) < 4:
                raise NoMatch("expected a buffer")
            a.call(f"mgpu{name}", [*numbers, *a.values[:3], kind, a.pointer(3)])
        return a.done()

    return rule


# --- products of two sparse matrices -----------------------------------------------------------
def lower_create_descr(
    op: gpu.SpgemmCreateDescrOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    return a.done(*a.call("mgpuSpGEMMCreateDescr", []))


def lower_destroy_descr(
    op: gpu.SpgemmDestroyDescrOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    a.call("mgpuSpGEMMDestroyDescr", [a.values[0]])
    return a.done()


def lower_spgemm(
    op: gpu.SpgemmWorkEstimationOrComputeOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    kind, modes = a.compute_type(), [a.mode("modeA"), a.mode("modeB")]
    kind_of_call = op.kind
    buffer = a.pointer(5)
    name = (
        "mgpuSpGEMMWorkEstimation"
        if kind_of_call.data == "WORK_ESTIMATION"
        else "mgpuSpGEMMCompute"
    )
    arguments = [a.values[0], *modes, *a.values[1:4], kind, a.values[4], buffer]
    return a.done(*a.call(name, arguments))


def lower_spgemm_copy(
    op: gpu.SpgemmCopyOp, operands: Sequence[SSAValue], rw: LaunchConversion
) -> list[SSAValue]:
    a = _Arguments(op, operands, rw)
    kind, modes = a.compute_type(), [a.mode("modeA"), a.mode("modeB")]
    a.call("mgpuSpGEMMCopy", [a.values[0], *modes, *a.values[1:4], kind])
    return a.done()


_BOTH = ("modeA", "modeB")
RULES: dict[str, Rule] = {
    "gpu.create_dn_tensor": lower_create_dn_tensor,
    "gpu.destroy_dn_tensor": lower_destroy_dn_tensor,
    "gpu.create_coo": _lower_create("Coo", 3, 2),
    "gpu.create_coo_aos": _lower_create("CooAoS", 3, 1),
    "gpu.create_csr": _lower_create("Csr", 3, 2),
    "gpu.create_csc": _lower_create("Csc", 3, 2),
    "gpu.create_bsr": _lower_create("Bsr", 5, 2),
    "gpu.create_2to4_spmat": lower_create_2to4,
    "gpu.destroy_sp_mat": lower_destroy_sp_mat,
    "gpu.spmat_get_size": lower_get_size,
    "gpu.set_csr_pointers": lower_set_csr_pointers,
    "gpu.spmv_buffer_size": _lower_buffer_size("SpMV", ("modeA",)),
    "gpu.spmv": _lower_product("SpMV", ("modeA",)),
    "gpu.spmm_buffer_size": _lower_buffer_size("SpMM", _BOTH),
    "gpu.spmm": _lower_product("SpMM", _BOTH),
    "gpu.sddmm_buffer_size": _lower_buffer_size("SDDMM", _BOTH),
    "gpu.sddmm": _lower_product("SDDMM", _BOTH),
    "gpu.spgemm_create_descr": lower_create_descr,
    "gpu.spgemm_destroy_descr": lower_destroy_descr,
    "gpu.spgemm_work_estimation_or_compute": lower_spgemm,
    "gpu.spgemm_copy": lower_spgemm_copy,
}
