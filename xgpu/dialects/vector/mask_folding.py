# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masked accesses whose mask is known: all of it is accessed, or nothing.

Source: MLIR 22.1 VectorOps.cpp, the masked operations' folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.constants import int_of, splat_value
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.builders import start
from xgpu.dialects.vector.shapes import defining

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType, VectorType
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def is_all(mask: SSAValue) -> bool | None:
    """True if every bit of `mask` is known to be set, False if none is; None if unknown."""
    op = mask.owner
    if not isinstance(op, Operation):
        return None
    kind = cast("VectorType", mask.type)
    if op.name == "arith.constant":
        value = splat_value(op.properties["value"])
        return None if value is None else bool(value)
    if op.name == "vector.constant_mask":
        sizes = cast("DenseArrayBase[IntegerType]", op.properties["mask_dim_sizes"])
        known = list(sizes.get_values())
        if tuple(known) == (tuple(kind.get_shape()) or (1,)):
            return True
        return False if all(size <= 0 for size in known) else None
    if op.name == "vector.create_mask":
        return _created(op, kind)
    return None


def _created(op: Operation, kind: VectorType) -> bool | None:
    flags = scalable_dims(kind)
    full = True
    for operand, size, scalable in zip(
        op.operands, kind.get_shape() or (1,), flags or (False,), strict=True
    ):
        known = int_of(operand)
        if known is not None and known <= 0:
            return False
        full = full and known is not None and not scalable and known >= size
    return True if full else None


def fold_create_mask(op: Operation, rw: GreedyRewriter) -> bool:
    """A mask of known sizes is a constant one."""
    ty = cast("VectorType", op.results[0].type)
    sizes: list[int] = []
    for operand, extent, scalable in zip(
        op.operands, ty.get_shape() or (1,), scalable_dims(ty) or (False,), strict=True
    ):
        known = int_of(operand)
        if known is None:
            # A multiple of vscale must be all there may be.
            if (_vscales(operand) or 0) < extent:
                return False
            known = extent
        elif scalable and known > 0:
            return False
        sizes.append(min(max(known, 0), extent))
    # Nothing counts in one dimension: nothing at all does.
    if 0 in sizes:
        sizes = [0] * len(sizes)
    start(op, rw)
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, sizes)}
    rw.replace(op, [rw.value("vector.constant_mask", (), ty, properties)])
    return True


def _vscales(value: SSAValue) -> int | None:
    """How many times `vector.vscale` a value is, if that is known."""
    op = defining(value, "arith.muli", "vector.vscale")
    if op is None or op.name == "vector.vscale":
        return None if op is None else 1
    for one, other in (op.operands, reversed(op.operands)):
        if defining(one, "vector.vscale") is not None:
            return int_of(other)
    return None


def _access(op: Operation) -> dict[str, Attribute]:
    return {k: v for k, v in op.properties.items() if k in ("alignment", "nontemporal")}


def fold_load(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.maskedload, vector.expandload"""
    base, *indices, mask, passthru = op.operands
    known = is_all(mask)
    if known is None:
        return False
    start(op, rw)
    if known:
        kind = op.results[0].type
        rw.replace(op, [rw.value("vector.load", (base, *indices), kind, _access(op))])
    else:
        rw.replace(op, [passthru])
    return True


def fold_store(op: Operation, rw: GreedyRewriter) -> bool:
    """vector.maskedstore, vector.compressstore"""
    base, *indices, mask, value = op.operands
    known = is_all(mask)
    if known is None:
        return False
    start(op, rw)
    if known:
        rw.create("vector.store", (value, base, *indices), (), _access(op))
    rw.erase(op)
    return True


def fold_gather(op: Operation, rw: GreedyRewriter) -> bool:
    *_, mask, passthru = op.operands
    if is_all(mask) is not False:
        return False
    rw.replace(op, [passthru])
    return True


def fold_scatter(op: Operation, rw: GreedyRewriter) -> bool:
    mask = op.operands[-2]
    if is_all(mask) is not False:
        return False
    rw.replace(op, list(op.operands[:1]) if op.results else [])
    return True


def slice_of_mask(op: vector.ExtractStridedSliceOp, rw: GreedyRewriter) -> bool:
    """A slice of a constant mask is a constant mask."""
    mask = op.operands[0].owner
    if not isinstance(mask, Operation) or mask.name != "vector.constant_mask":
        return False
    attrs = op.properties
    strides = [s.value.data for s in attrs["strides"].data]
    if any(stride != 1 for stride in strides):
        return False
    offsets = [o.value.data for o in attrs["offsets"].data]
    sizes = [s.value.data for s in attrs["sizes"].data]
    property_ = cast("DenseArrayBase[IntegerType]", mask.properties["mask_dim_sizes"])
    known = list(property_.get_values())
    new = [max(0, min(o + s, k) - o) for o, s, k in zip(offsets, sizes, known, strict=False)]
    new.extend(known[len(new) :])
    # Nothing counts in one dimension: nothing at all does.
    if 0 in new:
        new = [0] * len(new)
    start(op, rw)
    properties = {"mask_dim_sizes": DenseArrayBase.from_list(i64, new)}
    rw.replace(op, [rw.value("vector.constant_mask", (), op.results[0].type, properties)])
    return True


def transpose_twice(op: Operation, rw: GreedyRewriter) -> bool:
    """A transpose of a transpose is one."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != "vector.transpose":
        return False
    outer = cast("DenseArrayBase[IntegerType]", op.properties["permutation"])
    first = cast("DenseArrayBase[IntegerType]", inner.properties["permutation"])
    places = list(first.get_values())
    start(op, rw)
    permutation = DenseArrayBase.from_list(i64, [places[p] for p in outer.get_values()])
    rw.replace(
        op,
        [
            rw.value(
                "vector.transpose",
                (inner.operands[0],),
                op.results[0].type,
                {"permutation": permutation},
            )
        ],
    )
    return True


#: Masked accesses, by name.
ACCESSES = {
    "vector.compressstore": (fold_store,),
    "vector.expandload": (fold_load,),
    "vector.gather": (fold_gather,),
    "vector.maskedload": (fold_load,),
    "vector.maskedstore": (fold_store,),
    "vector.scatter": (fold_scatter,),
}

#: What passes that lower vectors do of this.
MASK_PATTERNS = {
    **ACCESSES,
    "vector.extract_strided_slice": (slice_of_mask,),
    "vector.transpose": (transpose_twice,),
}
