# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifier of linalg.contract: what its indexing maps may say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ShapedType
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from xgpu.dialects import linalg


def _dimensions(map: AffineMap) -> list[int] | None:
    """The dimensions that are a map's results, each once; None if it is no such map."""
    found = [r.position for r in map.results if isinstance(r, AffineDimExpr)]
    if map.num_symbols or len(found) != len(map.results) or len(set(found)) != len(found):
        return None
    return found


def verify_contract(op: linalg.ContractOp) -> None:
    """Each dimension is one of both inputs that is summed up, or one of the output."""
    maps = [item.data for item in op.properties["indexing_maps"].data]
    if len(maps) != len(op.operands):
        return  # which the verifier of structured operations says
    loops = maps[0].num_dims
    used: list[list[int]] = []
    for map, operand in zip(maps, op.operands, strict=True):
        if map.num_dims != loops:
            raise error(op, "iteration spaces of provided affine_maps differ")
        dimensions = _dimensions(map)
        if dimensions is None:
            raise error(op, "provided affine_map is not a projected permutation")
        shaped = isinstance(operand.type, ShapedType)
        if isinstance(operand.type, ShapedType) and len(operand.type.get_shape()) != len(
            dimensions
        ):
            raise error(
                op, "ranks of shaped operand and results of corresponding affine_map differ"
            )
        if not shaped and dimensions:
            raise error(op, "affine_map specifies shaped access while operand has non-shaped type")
        used.append(dimensions)
    *inputs, output = used
    contracts = False
    for dimension in range(loops):
        count, is_output = sum(dimension in one for one in inputs), dimension in output
        if not count and not is_output:
            raise error(
                op, f"iteration space dim at index {dimension} not used to access any operand"
            )
        contracts |= count == 2 and not is_output
        if not is_output and count == 1:
            raise error(
                op,
                f"iteration space dim at index {dimension} is neither a contracting dim nor of "
                "parallel iteration type",
            )
    if not contracts:
        raise error(op, "'indexing_maps' do not specify a contracting dimension")
