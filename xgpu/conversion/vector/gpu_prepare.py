# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-gpu: contracts get the maps that matrix operations have.

Operands that are the other way round are transposed, and a transpose of what was read becomes part
of the read's permutation map. Source: MLIR 22.1 VectorToGPU.cpp, NVGPU/Utils.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, VectorType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap

from xgpu.conversion.vector.gpu_slices import (
    CONTRACT,
    contract_maps,
    defining,
    is_matmul,
    matmul_maps,
)
from xgpu.transforms.vector.transfers import READ, Transfer, create_read, transpose

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector

_M, _N, _K = 0, 1, 2
_EXTENSIONS = ("arith.extf", "arith.extsi", "arith.extui")


def patterns(use_nvgpu: bool) -> dict[str, tuple[Pattern, ...]]:
    """The patterns for `gpu.subgroup_mma_*`, or for `nvgpu.mma.sync`."""
    rhs = (_N, _K) if use_nvgpu else (_K, _N)
    wanted = ((_M, _K), rhs, (_M, _N))

    def contract(op: Operation, rw: GreedyRewriter) -> bool:
        return _contract(op, rw, wanted)

    return {CONTRACT: (contract,), "vector.transpose": (_transpose,)}


def _contract(op: Operation, rw: GreedyRewriter, wanted: tuple[tuple[int, int], ...]) -> bool:
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
    extension = defining(source, *_EXTENSIONS)
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
