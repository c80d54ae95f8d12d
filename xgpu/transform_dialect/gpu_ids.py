# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ids of blocks, warp groups, warps, threads and lanes for the iterations of an scf.forall.

A builder takes the loop's sizes (ordered by mapping id) and the sizes of the grid or block, and
gives for each loop its id, and predicates that pick the processors which take part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr, i1, i64
from xdsl.ir import SSAValue

from xgpu.core import ods
from xgpu.core.ir import affine
from xgpu.dialects.affine.index_math import apply, as_value, product, strides
from xgpu.dialects.affine.maps import Mixed, symbol
from xgpu.dialects.affine.maps import constant as literal
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xdsl.ir.affine import AffineExpr

    from xgpu.core.rewriting.rewriter import Rewriter

_INDEX = IndexType()
_ULT, _NE = 6, 1
#: Ids of the mapping attributes from here on are linear.
LINEAR = 3
MAX_LINEAR = 10
WARPS_IN_GROUP = 4
MASK_BITS = 64

TOO_FEW = (
    "Trying to map to fewer GPU threads than loop iterations but overprovisioning is not yet "
    "supported. Try additional tiling before mapping or map to more threads."
)


class Ids:
    """Ids by relative mapping index, predicates, and what is wrong, if anything."""

    __slots__ = ("ids", "predicates", "problem")

    def __init__(
        self, ids: Sequence[SSAValue], predicates: Sequence[SSAValue], problem: str = ""
    ) -> None:
        self.ids = ids
        self.predicates = predicates
        self.problem = problem


class IdBuilder:
    """Makes ids for one kind of mapping attribute."""

    def __init__(self, kind: str, *, linear: bool, warp_size: int, mask: int | None) -> None:
        self.kind = kind
        self.linear = linear or kind == "gpu.lane"
        self.mask = mask
        self.warp_size = warp_size
        self.op = "gpu.block_id" if kind == "gpu.block" else "gpu.thread_id"
        self.multiplicity = {"gpu.warp": 1, "gpu.warpgroup": WARPS_IN_GROUP}.get(
            kind, 0
        ) * warp_size
        self.multiplicity = self.multiplicity or 1

    @property
    def mapping_ids(self) -> range:
        """The mapping ids that complete a mapping."""
        return range(LINEAR, MAX_LINEAR + 1) if self.linear else range(LINEAR)

    def build(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        if self.kind == "gpu.lane":
            return self._lanes(rw, sizes, basis)
        if self.linear:
            return self._linear(rw, sizes, basis)
        return self._three_dimensional(rw, sizes, basis)

    # --- kinds -------------------------------------------------------------------------------
    def _three_dimensional(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        ids = self._raw_ids(rw)
        first = apply(rw, affine.floordiv(symbol(0), literal(self.multiplicity)), [ids[0]])
        scaled = [as_value(rw, first), *ids[1:]]
        active = [sizes[0] * self.multiplicity, *sizes[1:]]
        predicates, problem = _predicates(rw, ids, active, basis)
        return Ids(scaled, predicates, problem)

    def _linear(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        if self.mask is not None and product(basis) > MASK_BITS * self.multiplicity:
            return Ids(
                (),
                (),
                f"mask representation too short to capture all physical ids: {MASK_BITS}",
            )
        physical = self._linear_id(rw, basis)
        scaled: Mixed = apply(
            rw, affine.floordiv(symbol(0), literal(self.multiplicity)), [physical]
        )
        wide: SSAValue | None = None
        if self.mask is not None:
            wide = rw.value("arith.index_castui", [as_value(rw, scaled)], i64)
            logical = self._logical_id(rw, wide)
            scaled = rw.value("arith.index_castui", [logical], _INDEX)
        ids = _delinearized(rw, scaled, sizes)
        if wide is not None:
            return Ids(ids, [self._is_active(rw, wide)])
        predicates, problem = _predicates(
            rw, [physical], [product(sizes) * self.multiplicity], [product(basis)]
        )
        return Ids(ids, predicates, problem)

    def _lanes(self, rw: Rewriter, sizes: Sequence[int], basis: Sequence[int]) -> Ids:
        physical = self._linear_id(rw, basis)
        lane = as_value(rw, apply(rw, affine.mod(symbol(0), literal(self.warp_size)), [physical]))
        ids = _delinearized(rw, lane, sizes)
        predicates, problem = _predicates(rw, [lane], [product(sizes)], [self.warp_size])
        return Ids(ids, predicates, problem)

    # --- parts -------------------------------------------------------------------------------
    def _raw_ids(self, rw: Rewriter) -> list[SSAValue]:
        return [rw.value(self.op, (), _INDEX, {"dimension": ods.enum("gpu.dim", d)}) for d in "xyz"]

    def _linear_id(self, rw: Rewriter, basis: Sequence[int]) -> SSAValue:
        x, y, z = self._raw_ids(rw)
        expr = affine.add(
            affine.add(symbol(0), affine.mul(symbol(1), literal(basis[0]))),
            affine.mul(symbol(2), literal(basis[0] * basis[1])),
        )
        return as_value(rw, apply(rw, expr, [x, y, z]))

    def _logical_id(self, rw: Rewriter, physical: SSAValue) -> SSAValue:
        """How many active processors come before this one."""
        mask, one = _i64(rw, self.mask or 0), _i64(rw, 1)
        bit = rw.value("arith.shli", [one, physical], i64)
        below = rw.value("arith.subi", [bit, one], i64)
        return rw.value("math.ctpop", [rw.value("arith.andi", [mask, below], i64)], i64)

    def _is_active(self, rw: Rewriter, physical: SSAValue) -> SSAValue:
        mask, one = _i64(rw, self.mask or 0), _i64(rw, 1)
        bit = rw.value("arith.shli", [one, physical], i64)
        own = rw.value("arith.andi", [mask, bit], i64)
        return _compare(rw, _NE, own, _i64(rw, 0))


def _i64(rw: Rewriter, value: int) -> SSAValue:
    signed = value - (1 << 64) if value >= 1 << 63 else value
    return rw.value("arith.constant", (), i64, {"value": IntegerAttr(signed, i64)})


def _compare(rw: Rewriter, predicate: int, left: SSAValue, right: SSAValue) -> SSAValue:
    properties: dict[str, IntegerAttr] = {"predicate": IntegerAttr(predicate, i64)}
    return rw.value("arith.cmpi", [left, right], i1, properties)


def _delinearized(rw: Rewriter, linear: Mixed, sizes: Sequence[int]) -> list[SSAValue]:
    """The indices of `linear` in a space of `sizes` whose first dimension runs fastest."""
    rest: AffineExpr = symbol(0)
    found: list[AffineExpr] = []
    for stride in strides(list(reversed(sizes))):
        found.append(affine.floordiv(rest, literal(stride)))
        rest = affine.mod(rest, literal(stride))
    return [as_value(rw, apply(rw, expr, [linear])) for expr in reversed(found)]


def _predicates(
    rw: Rewriter, ids: Sequence[SSAValue], active: Sequence[int], available: Sequence[int]
) -> tuple[list[SSAValue], str]:
    predicates: list[SSAValue] = []
    for value, wanted, there in zip(ids, active, available, strict=True):
        if wanted > there:
            return [], TOO_FEW
        if wanted < there:
            predicates.append(_compare(rw, _ULT, value, index_constant(rw, wanted)))
    return predicates, ""
