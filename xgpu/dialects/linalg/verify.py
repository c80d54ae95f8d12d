# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of linalg: what all structured operations must satisfy, and each in particular."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.linalg import verify_matmul, verify_winograd
from xgpu.dialects.linalg.contraction import NAMED, verify_contraction_body
from xgpu.dialects.linalg.named_ops import OPS
from xgpu.dialects.linalg.structure import (
    MATMULS,
    indexing_maps,
    inputs,
    is_structured,
    iterator_types,
    outputs,
    rank_of,
    scalar_type,
    shape_of,
)
from xgpu.dialects.linalg.verify_contract import verify_contract
from xgpu.dialects.linalg.verify_packing import verify_pack, verify_softmax, verify_unpack
from xgpu.dialects.linalg.verify_shapes import (
    verify_broadcast,
    verify_map,
    verify_reduce,
    verify_transpose,
)

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue
    from xdsl.ir.affine import AffineMap

    from xgpu.dialects import linalg


def _structured(op: linalg.ExpOp | linalg.FillOp | linalg.GenericOp | linalg.MatmulOp) -> None:
    """Maps, iterators, shapes and region of a structured operation agree."""
    if {"tensor", "memref"} <= {value.type.name for value in op.operands}:
        raise op_error(op, "expected to have pure tensor or buffer semantics")
    regions = op.regions
    if len(regions) != 1 or len(regions[0].blocks) != 1:
        raise op_error(op, "expects to have 1 region with 1 block")
    maps, iterators = indexing_maps(op), iterator_types(op)
    if len(maps) != len(op.operands):
        raise op_error(
            op,
            f"expected the number of indexing_map ({len(maps)}) to be equal to the number of "
            f"input/output operands ({len(op.operands)})",
        )
    for index, (operand, map_) in enumerate(zip(op.operands, maps, strict=True)):
        if map_.num_symbols:
            raise op_error(op, f"unexpected symbols in indexing_map #{index}")
        if map_.num_dims != len(iterators):
            raise op_error(
                op,
                f"expected indexing_map #{index} to have {len(iterators)} dim(s) to match the "
                "number of loops",
            )
        if len(map_.results) != rank_of(operand):
            raise op_error(
                op,
                f"expected operand #{index} rank ({rank_of(operand)}) to match the result rank of "
                f"indexing_map ({len(map_.results)})",
            )
    _verify_shapes(op, maps, len(iterators))
    _verify_region(op)


def _quoted(value: SSAValue) -> str:
    return f"'{shown(value.type)}'"


def _evaluate(expr: AffineExpr, dims: Sequence[int]) -> int:
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineConstantExpr):
        return expr.value
    assert isinstance(expr, AffineBinaryOpExpr)
    a, b = _evaluate(expr.lhs, dims), _evaluate(expr.rhs, dims)
    if expr.kind is AffineBinaryOpKind.Add:
        return a + b
    if expr.kind is AffineBinaryOpKind.Mul:
        return a * b
    if b == 0:
        return 0
    if expr.kind is AffineBinaryOpKind.FloorDiv:
        return a // b
    return -(-a // b) if expr.kind is AffineBinaryOpKind.CeilDiv else a % b


def _verify_shapes(op: Operation, maps: Sequence[AffineMap], loops: int) -> None:
    sizes: dict[int, int] = {}
    for operand, map_ in zip(op.operands, maps, strict=True):
        for size, result in zip(shape_of(operand) or (), map_.results, strict=True):
            if isinstance(result, AffineDimExpr):
                sizes.setdefault(result.position, size)
    if len(sizes) != loops:
        listed = ", ".join(str(r) for m in maps for r in m.results)
        dims = ", ".join(f"d{i}" for i in range(loops))
        raise op_error(op, f"invalid indexing maps are non-invertible: (({dims}) -> ({listed}))")
    if any(size < 0 for size in sizes.values()):
        return
    last = [max(sizes[i] - 1, 0) for i in range(loops)]
    first = [0] * loops
    for index, (operand, map_) in enumerate(zip(op.operands, maps, strict=True)):
        for dim, (found, result) in enumerate(
            zip(shape_of(operand) or (), map_.results, strict=True)
        ):
            # As the reference: an extent that is not known, or empty, is not looked at.
            if found <= 0 or 0 in sizes.values():
                continue
            low, high = _evaluate(result, first), _evaluate(result, last)
            if min(low, high) < 0:
                names = ", ".join(f"d{i}" for i in range(loops))
                listed = ", ".join(str(r) for r in map_.results)
                raise op_error(
                    op,
                    f"unexpected result less than 0 at expression #{dim} in ({names}) -> "
                    f"({listed})",
                )
            wanted = max(low, high) + 1
            where = f"inferred input/output operand #{index} has shape's dimension #{dim} to be "
            if isinstance(result, AffineDimExpr):
                if wanted != found:
                    raise op_error(op, f"{where}{wanted}, but found {found}")
            elif wanted > found:
                raise op_error(op, f"{where}greater than or equal to {wanted}, but found {found}")


def _verify_region(op: Operation) -> None:
    block = op.regions[0].blocks[0]
    if len(block.args) != len(op.operands):
        raise op_error(
            op,
            "expected as many non-induction variable region arguments as the number of "
            "input/output operands",
        )
    for index, (operand, argument) in enumerate(zip(op.operands, block.args, strict=True)):
        if scalar_type(operand) != argument.type:
            raise op_error(
                op,
                f"expected type of bb argument #{index} ({_quoted(argument)}) to match element or "
                f"self type of the corresponding operand ('{shown(scalar_type(operand))}')",
            )


def _fill(op: linalg.FillOp) -> None:
    if (len(inputs(op)), len(outputs(op))) != (1, 1):
        return  # which is wrong for any structured operation
    value, output = op.operands
    if value.type.name in ("memref", "tensor"):
        raise error(op, "expected op with scalar input")
    if scalar_type(value) != scalar_type(output):
        raise op_error(
            op,
            f"expected fill value type ({_quoted(value)}) to match output element type "
            f"('{shown(scalar_type(output))}')",
        )


def _yield(op: linalg.YieldOp) -> None:
    parent = op.parent_op()
    if parent is None or not is_structured(parent):
        if parent is not None and parent.name.startswith("linalg."):
            return
        raise op_error(op, "expected parent op with LinalgOp interface")
    outs = outputs(parent)
    if len(op.operands) != len(outs):
        raise op_error(
            op,
            f"expected number of yield values ({len(op.operands)}) to match the number of inits / "
            f"outs operands of the enclosing LinalgOp ({len(outs)})",
        )
    for index, (value, output) in enumerate(zip(op.operands, outs, strict=True)):
        if value.type != scalar_type(output):
            raise op_error(
                op,
                f"type of yield operand {index + 1} ({_quoted(value)}) doesn't match the element "
                f"type of the enclosing {parent.name} op ('{shown(scalar_type(output))}')",
            )


def _index(op: linalg.IndexOp) -> None:
    parent = cast("linalg.GenericOp | None", op.parent_op())
    if parent is None or not is_structured(parent):
        raise op_error(op, "expected parent op with LinalgOp interface")
    dim, loops = op.dim.value.data, len(iterator_types(parent))
    if dim >= loops:
        raise op_error(
            op,
            f"expected dim ({dim}) to be lower than the number of loops ({loops}) of the "
            "enclosing LinalgOp",
        )


def _contraction(op: linalg.MatmulOp) -> None:
    _structured(op)
    verify_contraction_body(op)


VERIFY = {
    "linalg.broadcast": verify_broadcast,
    "linalg.contract": verify_contract,
    "linalg.fill": _fill,
    "linalg.index": _index,
    "linalg.map": verify_map,
    "linalg.pack": verify_pack,
    "linalg.reduce": verify_reduce,
    "linalg.softmax": verify_softmax,
    "linalg.transpose": verify_transpose,
    "linalg.unpack": verify_unpack,
    "linalg.winograd_filter_transform": verify_winograd.verify_filter,
    "linalg.winograd_input_transform": verify_winograd.verify_input,
    "linalg.winograd_output_transform": verify_winograd.verify_output,
    "linalg.yield": _yield,
    **verify_matmul.MATMUL_VERIFY,
}
VERIFY_REGIONS = {
    **dict.fromkeys((*OPS, *MATMULS, "linalg.contract", "linalg.elementwise"), _structured),
    "linalg.generic": _structured,
    **dict.fromkeys(NAMED, _contraction),
}
