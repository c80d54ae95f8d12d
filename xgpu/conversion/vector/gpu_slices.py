# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-gpu`: which operations become matrix operations, and preparing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core.ir.constants import constant_value, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.op_info import traits_of
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects import vector
from xgpu.dialects.memref_layout import strides_and_offset
from xgpu.dialects.vector.syntax import is_minor_identity
from xgpu.transforms.vector.transfers import READ, WRITE, Transfer, create_read, transpose

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# --- gpu slices ----------------------------------------------------------------------------------
# convert-vector-to-gpu: which operations become matrix operations.
#
# All that a `vector.contract` gets its vectors from and gives them to, over loops; if one of them
# has no counterpart on matrices, none of them is converted. Source: MLIR 22.1 VectorToGPU.cpp.


#: gpu.mma_element_wise of operations on vectors.
ELEMENTWISE = {
    "arith.addf": "addf",
    "arith.addi": "addi",
    "arith.divf": "divf",
    "arith.divsi": "divs",
    "arith.divui": "divu",
    "arith.extf": "extf",
    "arith.maximumf": "maxf",
    "arith.minimumf": "minf",
    "arith.mulf": "mulf",
    "arith.muli": "muli",
    "arith.negf": "negatef",
    "arith.subf": "subf",
    "arith.subi": "subi",
}
CONTRACT = "vector.contract"
SLICE = "vector.extract_strided_slice"
_EXTENSIONS = ("arith.extsi", "arith.extui")

Supported = Callable[[Operation], bool]


def rank_of(value: SSAValue) -> int:
    kind = cast("VectorType", value.type)
    return len(kind.get_shape()) if kind.name == "vector" else 0


def users(op: Operation) -> list[Operation]:
    """Those that use a result of `op`."""
    return [use.operation for result in op.results for use in result.uses]


# --- matrices ------------------------------------------------------------------------------------
def matmul_maps(*shapes: tuple[int, int]) -> tuple[AffineMap, ...]:
    """Maps of three dimensions to two: (0, 2) is (d0, d1, d2) -> (d0, d2)."""
    return tuple(AffineMap(3, 0, tuple(AffineDimExpr(d) for d in shape)) for shape in shapes)


def contract_maps(op: Operation) -> tuple[AffineMap, ...]:
    return tuple(
        attr.data for attr in cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"]).data
    )


def is_matmul(op: Operation) -> bool:
    """Whether the iterators of a contract are two parallel ones and a reduction."""
    op = cast("vector.ContractOp", op)
    kinds = [kind.data for kind in op.properties["iterator_types"].data]
    return kinds == ["parallel", "parallel", "reduction"]


def is_transposed_map(affine_map: AffineMap) -> bool:
    """Whether the results are the last two dimensions, swapped, or the last and a broadcast."""
    results, dims = affine_map.results, affine_map.num_dims
    return (
        len(results) == 2
        and results[0] == AffineDimExpr(dims - 1)
        and (isinstance(results[1], AffineConstantExpr) or results[1] == AffineDimExpr(dims - 2))
    )


def row_stride(kind: Attribute, permutation: AffineMap) -> int | None:
    """The distance between rows in memory; None if it is unknown or rows are not contiguous."""
    if not isinstance(kind, MemRefType):
        return 0
    rank = len(kind.get_shape())
    if rank < 2:
        return 0
    layout = strides_and_offset(kind)
    if layout is None or layout[0][-1] != 1:
        return None
    at = rank
    for expr in permutation.results:
        if isinstance(expr, AffineConstantExpr):
            if expr.value != 0:
                return None
            continue
        if not isinstance(expr, AffineDimExpr):
            return None
        at = min(at, expr.position)
    if at + 1 >= rank:
        # A broadcast of rows: the step from one to the next is not used.
        at = rank - 2
    return layout[0][at]


def _has_contiguous_rows(transfer: Transfer) -> bool:
    """Whether memory is a memref whose last dimension is contiguous; other strides may vary."""
    if not isinstance(transfer.base.type, MemRefType):
        return False
    layout = strides_and_offset(transfer.base.type)
    return layout is not None and bool(layout[0]) and layout[0][-1] == 1


def _read(op: Operation, use_nvgpu: bool) -> bool:
    read = Transfer(op)
    if read.mask is not None or read.has_out_of_bounds_dim() or read.rank != 2:
        return False
    if use_nvgpu:
        return _has_contiguous_rows(read)
    if row_stride(read.base.type, read.map) is None:
        return False
    element = read.vector_type.element_type
    # The sign of 8-bit integers is that of the one extension of them.
    if element == IntegerType(8) and (
        len(uses := users(op)) != 1 or uses[0].name not in _EXTENSIONS
    ):
        return False
    last = AffineDimExpr(read.map.num_dims - 1)
    broadcast = AffineMap(read.map.num_dims, 0, (AffineConstantExpr(0), last))
    return is_minor_identity(read.map) or read.map == broadcast or is_transposed_map(read.map)


def _write(op: Operation, use_nvgpu: bool) -> bool:
    write = Transfer(op)
    return (
        bool(write.map.results)
        and write.mask is None
        and not write.has_out_of_bounds_dim()
        and write.rank == 2
        and (
            _has_contiguous_rows(write)
            if use_nvgpu
            else row_stride(write.base.type, write.map) is not None
        )
        and is_minor_identity(write.map)
    )


def _contract(op: Operation, use_nvgpu: bool) -> bool:
    parent = op.parent_op()
    if (parent is not None and parent.name == "vector.mask") or not is_matmul(op):
        return False
    rhs = (1, 2) if use_nvgpu else (2, 1)
    return contract_maps(op) == matmul_maps((0, 2), rhs, (0, 1))


def _constant(op: Operation, use_nvgpu: bool) -> bool:
    return rank_of(op.results[0]) == 2 and splat_value(constant_value(op)) is not None


def _broadcast(op: Operation, use_nvgpu: bool) -> bool:
    return rank_of(op.results[0]) == 2 and isinstance(op.operands[0].type, AnyFloat)


def _extension(op: Operation, use_nvgpu: bool) -> bool:
    """Extensions of integers that were read are part of the contract."""
    return defining(op.operands[0], READ) is not None and all(
        user.name == CONTRACT for user in users(op)
    )


def _strided_slice(op: Operation, use_nvgpu: bool) -> bool:
    if not use_nvgpu:
        return False
    contract = next((user for user in users(op) if user.name == CONTRACT), None)
    if contract is None:
        return False
    lhs, rhs, acc = contract.operands[:3]
    result = op.results[0]
    if result is lhs:
        return False
    return result.type == (rhs.type if result is rhs else acc.type)


_SUPPORTED: dict[str, Callable[[Operation, bool], bool]] = {
    READ: _read,
    WRITE: _write,
    CONTRACT: _contract,
    SLICE: _strided_slice,
    "arith.constant": _constant,
    "arith.extsi": _extension,
    "arith.extui": _extension,
    "vector.broadcast": _broadcast,
}


def is_supported(op: Operation, use_nvgpu: bool) -> bool:
    """Whether `op` has a counterpart on matrices."""
    if op.name in ("scf.for", "scf.yield"):
        return True
    check = _SUPPORTED.get(op.name)
    return check(op, use_nvgpu) if check is not None else op.name in ELEMENTWISE


# --- slices --------------------------------------------------------------------------------------
def _gives_vector(op: Operation) -> bool:
    return any(result.type.name == "vector" for result in op.results)


def _takes_vector(op: Operation) -> bool:
    return any(value.type.name == "vector" for value in op.operands)


def _backward(op: Operation, found: dict[Operation, None]) -> None:
    """What defines the operands of `op`, and so on."""
    if not _gives_vector(op) or "IsolatedFromAbove" in traits_of(op.name):
        return
    for value in op.operands:
        owner = value.owner
        source = owner.parent_op() if isinstance(owner, Block) else owner
        if source is not None and source not in found:
            _backward(source, found)
    found[op] = None


def _forward(op: Operation, found: dict[Operation, None]) -> None:
    """What uses the results of `op`, and so on, and what is in it."""
    if not _takes_vector(op):
        return
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if inner not in found:
                    _forward(inner, found)
    for user in users(op):
        if user not in found:
            _forward(user, found)
    found[op] = None


def _slice(start: Operation) -> list[Operation]:
    """All that has to be converted along with `start`."""
    found: dict[Operation, None] = {start: None}
    pending = [start]
    while pending:
        op = pending.pop(0)
        part: dict[Operation, None] = {}
        _backward(op, part)
        part.pop(op, None)
        if op.name == "scf.for":
            # Only what uses the values, not all of the body.
            for value in (*op.results, *op.regions[0].blocks[0].args[1:]):
                for use in value.uses:
                    _forward(use.operation, part)
        else:
            _forward(op, part)
        for other in part:
            if other not in found:
                found[other] = None
                pending.append(other)
    return list(found)


def _is_start(op: Operation, use_nvgpu: bool) -> bool:
    """Whether `op` asks for matrices: a product of them, or a sum of whole ones."""
    if op.name == CONTRACT:
        return True
    # Numbers are none, though MLIR begins with them too, to find then that it cannot convert them.
    return op.name in ELEMENTWISE and rank_of(op.results[0]) > 0


def operations_to_convert(root: Operation, use_nvgpu: bool) -> list[Operation]:
    """The operations in `root` that become matrix operations, definitions before uses."""
    chosen: set[Operation] = set()
    for start in root.walk():
        if start in chosen or not _is_start(start, use_nvgpu):
            continue
        part = _slice(start)
        if all(is_supported(op, use_nvgpu) for op in part):
            chosen.update(part)
    return [op for op in root.walk() if op in chosen]


# --- gpu prepare ---------------------------------------------------------------------------------
# convert-vector-to-gpu: contracts get the maps that matrix operations have.
#
# Operands that are the other way round are transposed, and a transpose of what was read becomes
# part of the read's permutation map. Source: MLIR 22.1 VectorToGPU.cpp, NVGPU/Utils.


_M, _N, _K = 0, 1, 2
_PREPARED_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")


def preparing_patterns(use_nvgpu: bool) -> dict[str, tuple[Pattern, ...]]:
    """The patterns for `gpu.subgroup_mma_*`, or for `nvgpu.mma.sync`."""
    rhs = (_N, _K) if use_nvgpu else (_K, _N)
    wanted = ((_M, _K), rhs, (_M, _N))

    def contract(op: Operation, rw: GreedyRewriter) -> bool:
        return _prepare_contract(op, rw, wanted)

    return {CONTRACT: (contract,), "vector.transpose": (_transpose,)}


def _prepare_contract(
    op: Operation, rw: GreedyRewriter, wanted: tuple[tuple[int, int], ...]
) -> bool:
    """Swaps and transposes the factors."""
    if not is_matmul(op):
        return False
    maps = contract_maps(op)
    final = matmul_maps(*wanted)
    if maps == final:
        return False
    lhs, rhs, acc = op.operands[:3]
    lhs_map, rhs_map, acc_map = maps
    rows, columns = _M, _N
    if acc_map == matmul_maps((_N, _M))[0]:
        # A transposed result is the product of the transposed factors, the other way round.
        lhs, rhs, lhs_map, rhs_map = rhs, lhs, rhs_map, lhs_map
        rows, columns = _N, _M
    elif acc_map != final[2]:
        return False
    rename = {_M: rows, _N: columns, _K: _K}
    lhs_final, rhs_final = (tuple(rename[d] for d in shape) for shape in wanted[:2])
    straight = matmul_maps(lhs_final, rhs_final)  # type: ignore[arg-type]
    crossed = matmul_maps(lhs_final[::-1], rhs_final[::-1])  # type: ignore[arg-type]
    if lhs_map not in (straight[0], crossed[0]) or rhs_map not in (straight[1], crossed[1]):
        return False
    if rhs_map == crossed[1]:
        rhs = transpose(rw, rhs, (1, 0))
    if lhs_map == crossed[0]:
        lhs = transpose(rw, lhs, (1, 0))
    properties = dict(op.properties)
    properties["indexing_maps"] = ArrayAttr([AffineMapAttr(m) for m in final])
    rw.replace_with(op, CONTRACT, [lhs, rhs, acc], [op.results[0].type], properties)
    return True


def _transpose(op: vector.TransposeOp, rw: GreedyRewriter) -> bool:
    """The transpose of what was read, and perhaps extended, is a read with another map."""
    source, kind = op.operands[0], op.results[0].type
    extension = defining(source, *_PREPARED_EXTENSIONS)
    if extension is not None:
        source = extension.operands[0]
        inner = cast("VectorType", source.type)
        kind = VectorType(inner.element_type, list(kind.get_shape()))
    read_op = cast("vector.TransferReadOp | None", defining(source, READ))
    if read_op is None:
        return False
    read = Transfer(read_op)
    if not read.map.results or read.mask is not None or read.has_out_of_bounds_dim():
        return False
    order = op.permutation.get_values()
    permutation = AffineMap(read.map.num_dims, 0, tuple(read.map.results[p] for p in order))
    assert read.padding is not None
    value = create_read(
        rw, kind, read.base, read.indices, read.padding, permutation, read.in_bounds
    )
    if extension is not None:
        value = rw.value(extension.name, [value], op.results[0].type, dict(extension.properties))
    rw.replace(op, [value])
    return True


# --- gpu loops -----------------------------------------------------------------------------------
# convert-vector-to-gpu: loops carry matrices besides the vectors, which nothing needs then.


class NoMatrix(Exception):
    """A vector that is needed as a matrix was not converted to one."""


class Matrices(dict[SSAValue, SSAValue]):
    """The matrix, or the fragment of one, for each vector."""

    def __missing__(self, vector: SSAValue) -> SSAValue:
        raise NoMatrix


def convert_for(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """Replaces a loop by one that carries the matrices as well; its yield follows later."""
    inits = list(op.operands[3:])
    mapped = [at for at, value in enumerate(inits) if value in matrices]
    extra = [matrices[inits[at]] for at in mapped]
    body = op.detach_region(op.regions[0])
    types = [value.type for value in (*inits, *extra)]
    loop = rw.create(
        "scf.for", [*op.operands, *extra], types, dict(op.properties), dict(op.attributes), [body]
    )
    block = body.blocks[0]
    for value in extra:
        block.insert_arg(value.type, len(block.args))
    count = len(inits)
    for place, at in enumerate(mapped):
        matrices[loop.results[at]] = loop.results[count + place]
        matrices[block.args[1 + at]] = block.args[1 + count + place]
    rw.replace(op, loop.results[:count])


def convert_yield(op: Operation, rw: Rewriter, matrices: Matrices) -> None:
    """Yields the matrices; instead of their vectors, those that came in, so that they are dead."""
    loop = op.parent_op()
    assert loop is not None
    values = list(op.operands)
    extra: list[SSAValue] = []
    for at, value in enumerate(op.operands):
        if value in matrices:
            values[at] = loop.operands[3 + at]
            extra.append(matrices[value])
    rw.create("scf.yield", [*values, *extra])
    rw.erase(op)
