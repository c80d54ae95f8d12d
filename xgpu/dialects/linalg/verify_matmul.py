# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of the indexing maps that matrix products may be given: transposed operands, and
operands that are broadcast along what their maps leave out. Messages are MLIR's.

The loops are (m, n, k), or (batch, m, n, k).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.errors import error, op_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
    from xdsl.ir import Operation

_Dims = tuple[int, ...]

#: The loops that each map of a product without maps has.
_MATMUL: tuple[_Dims, ...] = ((0, 2), (2, 1), (0, 1))
_BATCH: dict[str, tuple[_Dims, ...]] = {
    "linalg.batch_matmul": ((0, 1, 3), (0, 3, 2), (0, 1, 2)),
    "linalg.batch_reduce_matmul": ((0, 1, 3), (0, 3, 2), (1, 2)),
}
#: What the left and the right operand of a batch may be broadcast to.
_BROADCASTS: tuple[tuple[_Dims, ...], ...] = (((3,), (0, 3), (1, 3)), ((3,), (0, 3), (3, 2)))


def _dims(affine_map: AffineMap) -> _Dims | None:
    """The loops that a map gives, None if it gives anything else."""
    found = [r.position if isinstance(r, AffineDimExpr) else None for r in affine_map.results]
    return None if None in found else tuple(d for d in found if d is not None)


def _given(op: Operation, usual: tuple[_Dims, ...]) -> list[_Dims | None] | None:
    """The loops of the maps that an operation was given, None if they are the usual ones."""
    maps = cast("ArrayAttr[AffineMapAttr] | None", op.properties.get("indexing_maps"))
    if maps is None:
        return None
    found = [_dims(part.data) for part in maps.data]
    return None if tuple(found) == usual else found


def verify_matmul(op: Operation) -> None:
    given = _given(op, _MATMUL)
    for dims, usual in zip(given or (), _MATMUL[:2], strict=False):
        if dims is None or not set(dims) <= set(usual):
            raise op_error(op, "Unexpected dim expression in map result.")
        if len(dims) < len(usual) and dims != (2,):
            raise op_error(op, "Invalid broadcast requested, should be (d2).")
    _expect_permutations(op, given)


def verify_batch(op: Operation) -> None:
    given = _given(op, _BATCH[op.name])
    if given is None:
        return
    if len(given) != 3:
        raise op_error(op, "Indexing_map attribute must have 3 affine maps.")
    *usual, output = _BATCH[op.name]
    for dims, wanted, broadcasts in zip(given, usual, _BROADCASTS, strict=False):
        if dims is None or not set(dims) <= set(wanted):
            raise op_error(
                op,
                "Unexpected result dim expression (outside the set of default result dims).",
            )
        if len(dims) > 3:
            raise op_error(op, "no. of result dim expressions exceeds 3.")
        if len(dims) < 3:
            if dims not in broadcasts:
                raise op_error(op, "Invalid broadcast requested.")
        elif dims[0] != 0:
            raise op_error(op, "Invalid batch dimension expression.")
    _verify_output(op, given[2], output)
    _expect_permutations(op, given)


def _verify_output(op: Operation, given: _Dims | None, output: _Dims) -> None:
    maps = cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
    count = len(maps.data[2].data.results)
    if count != len(output):
        raise op_error(op, f"expects {len(output)} dims, but got ({count}).")
    if given != output:
        raise op_error(op, "Invalid output map result dimension.")


def _expect_permutations(op: Operation, given: list[_Dims | None] | None) -> None:
    for dims in given or ():
        if dims is not None and len(set(dims)) != len(dims):
            raise error(op, "expected indexing maps to be projected permutations")


MATMUL_VERIFY = {"linalg.matmul": verify_matmul, **dict.fromkeys(_BATCH, verify_batch)}
