# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""convert-vector-to-scf, lower-scalable: writes of transposed scalable vectors become loops.

The loop goes along the scalable dimension and writes one row, of a fixed size, at a time.
Source: MLIR 22.1 VectorToSCF.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.vector.scf_1d import vscale_multiple
from xgpu.conversion.vector.scf_bounds import Options, moved_indices
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.ops import vector_type
from xgpu.dialects.vector.syntax import is_minor_identity, minor_identity
from xgpu.transforms.scf.builders import for_loop
from xgpu.transforms.vector.transfers import (
    WRITE,
    Transfer,
    create_write,
    extract,
    without_leading_dims,
)

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def patterns(options: Options) -> dict[str, tuple[Pattern, ...]]:
    """The pattern, for writes."""

    def lower(op: Operation, rw: GreedyRewriter) -> bool:
        return _lower(op, rw, options)

    return {WRITE: (lower,)}


def _mask_sizes(rw: GreedyRewriter, mask: SSAValue | None) -> list[SSAValue] | None:
    """The sizes of the region that is not masked, none without a mask; None: unknown."""
    if mask is None:
        return []
    owner = mask.owner
    if not isinstance(owner, Operation):
        return None
    if owner.name == "vector.create_mask":
        return list(owner.operands)
    if owner.name != "vector.constant_mask":
        return None
    sizes: list[SSAValue] = []
    flags = scalable_dims(mask.type)
    for size, scalable in zip(owner.properties["mask_dim_sizes"].get_values(), flags, strict=True):  # type: ignore[attr-defined]
        value = index_constant(rw, size)
        sizes.append(vscale_multiple(rw, value) if scalable else value)
    return sizes


def _lower(op: Operation, rw: GreedyRewriter, options: Options) -> bool:
    write = Transfer(op)
    if write.on_tensor and not options.lower_tensors:
        return False
    if tuple(scalable_dims(write.vector_type)) != (True, False):
        return False
    dims = write.map.num_dims
    if dims != 2 or not is_minor_identity(write.map) or not write.in_bounds[0]:
        return False
    transposition = write.vector.owner
    if not isinstance(transposition, Operation) or transposition.name != "vector.transpose":
        return False
    if tuple(transposition.properties["permutation"].get_values()) != (1, 0):  # type: ignore[attr-defined]
        return False
    owner = write.mask.owner if write.mask is not None else None
    if write.mask is not None and not (
        isinstance(owner, Operation)
        and owner.name in ("vector.create_mask", "vector.constant_mask")
    ):
        return False
    sizes = _mask_sizes(rw, write.mask)
    assert sizes is not None
    rows, count = write.shape
    slices = [extract(rw, transposition.operands[0], at) for at in range(count)]
    lower = index_constant(rw, 0)
    upper = sizes[0] if sizes else vscale_multiple(rw, index_constant(rw, rows))
    step = index_constant(rw, 1)
    kind = without_leading_dims(write.vector_type)
    mask: SSAValue | None = None
    if sizes:
        mask = rw.value("vector.create_mask", sizes[1:], vector_type(i1, [count], [False]))

    def body(iv: SSAValue, carried: list[SSAValue]) -> list[SSAValue]:
        indices = moved_indices(rw, write, iv)
        elements = [extract(rw, part, iv) for part in slices]
        row = rw.value("vector.from_elements", elements, kind)
        new = create_write(
            rw,
            row,
            carried[0] if carried else write.base,
            indices,
            minor_identity(dims, 1),
            write.in_bounds[1:],
            mask,
        )
        return list(new.results)

    inits = [write.base] if write.on_tensor else []
    loop = for_loop(rw, lower, upper, step, inits, body)
    rw.replace(op, loop.results)
    return True
