# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous reads of a stage are over before the stage is given back.

A product of the tensor cores or a bulk store reads its tile while the threads go on. A wait for it
orders one warp only, so it has to come before the barrier that tells the others, never behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i32, i64

from xgpu.core import ods
from xgpu.kernels.circular.plan import BULK

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.plan import Plan

_FENCE = "nvvm.fence.proxy"
_COMMITS = {
    "nvvm.wgmma.commit.group.sync.aligned": "product",
    "nvvm.cp.async.bulk.commit.group": "bulk store",
    # Commits its group itself.
    "nvgpu.warpgroup.mma": "product",
}
_WAITS = {
    "nvvm.wgmma.wait.group.sync.aligned": "product",
    "nvvm.cp.async.bulk.wait_group": "bulk store",
}


def drain(rw: Rewriter, plan: Plan, in_flight: int) -> bool:
    """Waits, where an iteration has computed, for what still reads stages that are given back: all
    but the last `in_flight` iterations. Whether there was anything to wait for."""
    waited = False
    kinds = {
        access.means
        for op in plan.schedule.computes
        for access in plan.schedule.accesses_of(op)
        if access.means in ("product", "bulk store") and access.root in plan.schedule.buffers
    }
    for kind in sorted(kinds):
        groups, open_ = _groups(plan.schedule.computes, kind)
        allowed = in_flight * groups if groups is not None else 0
        if open_ is not None and open_ <= allowed:
            continue
        waited = True
        if kind == "product":
            properties = {"group": IntegerAttr(allowed, i64)}
            rw.create("nvvm.wgmma.wait.group.sync.aligned", (), (), properties)
        else:
            rw.create(
                "nvvm.cp.async.bulk.wait_group",
                (),
                (),
                {"group": IntegerAttr(allowed, i32), "read": UnitAttr()},
            )
    return waited


def fence(rw: Rewriter, plan: Plan) -> None:
    """What threads wrote into a stage is behind them before the copy engine fills it again."""
    filled = {root for group in plan.of_kind(BULK) for root in group.buffers()}
    wrote = False
    for op in plan.schedule.computes:
        if any(inner.name == _FENCE for inner in op.walk()):
            wrote = False
        elif any(a.kind == "write" and a.root in filled for a in plan.schedule.accesses_of(op)):
            wrote = True
    if wrote:
        kind = ods.enum("nvvm.proxy_kind", "async.shared")
        space = ods.enum("nvvm.shared_space", "cta")
        rw.create(_FENCE, (), (), {"kind": kind, "space": space})


def _groups(computes: list[Operation], kind: str) -> tuple[int | None, int | None]:
    """How many groups an iteration commits, and how many of all may be open where it ends; None
    where that depends on more than the body."""
    committed, open_ = 0, None
    for op in computes:
        for inner in op.walk():
            if _COMMITS.get(inner.name) == kind:
                if op.regions:
                    return None, None
                committed += 1
                open_ = None if open_ is None else open_ + 1
            if inner.name == "nvgpu.warpgroup.mma" and kind == "product":
                waited = inner.properties.get("waitGroup")
                open_ = waited.value.data if isinstance(waited, IntegerAttr) else 1
            if _WAITS.get(inner.name) == kind and not op.regions:
                group = inner.properties["group"]
                assert isinstance(group, IntegerAttr)
                open_ = group.value.data
    return committed, open_
