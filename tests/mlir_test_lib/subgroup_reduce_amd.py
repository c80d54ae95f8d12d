# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu.subgroup_reduce` on AMD's GPUs, where lanes read each other's registers (DPP).

A subgroup has 64 lanes. Four steps combine the 16 lanes of a row; rows are combined by a broadcast
of their last lane (until gfx9), or by an exchange of rows (since gfx10). Source: MLIR 22.1
SubgroupReduceLowering.cpp.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, IntegerAttr, IntegerType, UnitAttr, i1, i32
from xdsl.ir import Attribute

from xgpu.core import ods
from xgpu.core.ir.errors import op_error
from xgpu.transforms.gpu.rewrites import COMBINE

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern

SUBGROUP_SIZE = 64
_CHIP = re.compile(r"gfx(\d{1,2})[0-9a-f]{2}")
_ALL = 15


def amd_generation(target: str) -> int | None:
    """9 of `gfx942`, 10 of `gfx1030`; None if `target` is no chip of AMD's."""
    found = _CHIP.fullmatch(target)
    return None if found is None else int(found[1])


class _Reduction:
    """One reduction in the making."""

    def __init__(self, op: Operation, rw: GreedyRewriter, generation: int) -> None:
        self.rw = rw
        self.generation = generation
        self.value = op.operands[0]
        self.type = self.value.type
        kind: Any = op.properties["op"]
        self.name = COMBINE[kind.data][0 if isinstance(self.type, AnyFloat) else 1]

    def run(self, size: int) -> SSAValue:
        """The value reduced over clusters of `size` lanes."""
        for least, lanes in ((2, (1, 0, 3, 2)), (4, (2, 3, 0, 1))):
            if size >= least:
                order = ArrayAttr([IntegerAttr(lane, i32) for lane in lanes])
                self._combine(self.value, self._dpp("quad_perm", order))
        for least, mirror in ((8, "row_half_mirror"), (16, "row_mirror")):
            if size >= least:
                self._combine(self.value, self._dpp(mirror))
        if size >= 32:
            self._combine_rows(size)
        if size >= 64:
            self._combine_halves()
        return self.value

    def _combine_rows(self, size: int) -> None:
        if self.generation >= 10:
            ones = self._constant(-1)
            exchanged = self.rw.value(
                "rocdl.permlanex16",
                (self.value, self.value, ones, ones),
                self.type,
                {"fi": IntegerAttr(-1, i1), "boundControl": IntegerAttr(0, i1)},
            )
            self._combine(self.value, exchanged)
            return
        # The last lane of each even row goes to the odd row after it.
        self._combine(self.value, self._dpp("row_bcast_15", rows=0xA, bound=False))
        if size == 32:
            masks = {"and_mask": 0, "or_mask": 31, "xor_mask": 0}
            self.value = self.rw.value(
                "amdgpu.swizzle_bitmode",
                (self.value,),
                self.type,
                {name: IntegerAttr(mask, i32) for name, mask in masks.items()},
            )

    def _combine_halves(self) -> None:
        if self.generation >= 10:
            low, high = self._lane(31), self._lane(63)
            self._combine(low, high)
            return
        self._combine(self._dpp("row_bcast_31"), self.value)
        self.value = self._lane(63)

    def _combine(self, left: SSAValue, right: SSAValue) -> None:
        self.value = self.rw.value(self.name, (left, right), self.type)

    def _dpp(
        self,
        kind: str,
        argument: Attribute | None = None,
        *,
        rows: int = _ALL,
        bound: bool = True,
    ) -> SSAValue:
        return self.rw.value(
            "amdgpu.dpp",
            (self.value, self.value),
            self.type,
            {
                "kind": ods.enum("amdgpu.dpp_perm", kind),
                "permArgument": argument or UnitAttr(),
                "row_mask": IntegerAttr(rows, i32),
                "bank_mask": IntegerAttr(_ALL, i32),
                "bound_ctrl": IntegerAttr(-1 if bound else 0, i1),
            },
        )

    def _lane(self, number: int) -> SSAValue:
        lane = self._constant(number)
        return self.rw.value("rocdl.readlane", (self.value, lane), self.type)

    def _constant(self, value: int) -> SSAValue:
        return self.rw.value("arith.constant", (), i32, {"value": IntegerAttr(value, i32)})


def scalar_to_dpp(generation: int) -> Pattern:
    """The pattern for chips of `generation`: scalars in clusters of neighbours."""

    def rewrite(op: Any, rw: GreedyRewriter) -> bool:
        stride, stated = op.properties.get("cluster_stride"), op.properties.get("cluster_size")
        if stride is not None and stride.value.data != 1:
            return False
        if not isinstance(op.results[0].type, AnyFloat | IntegerType):
            return False
        size = SUBGROUP_SIZE if stated is None else stated.value.data
        if size > SUBGROUP_SIZE:
            raise op_error(op, f"cluster size {size} is greater than subgroup size {SUBGROUP_SIZE}")
        rw.replace(op, [_Reduction(op, rw, generation).run(size)])
        return True

    return rewrite
