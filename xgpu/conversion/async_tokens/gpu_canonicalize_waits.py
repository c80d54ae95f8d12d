# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-canonicalize-waits`: removes what waits for nothing.

    gpu.wait async, gpu.wait, launch [%t, %t]      -> what MLIR's canonicalization removes,
                                                      and dependencies that are there twice
    %b = launch async [%a]; launch [%a, %b]        -> launch [%b]
    gpu.wait [%a]; launch [%a]                     -> gpu.wait [%a]; launch
    %j = gpu.wait async [%a]                       -> %a
    %j = gpu.wait async [%a, %b]
    %k = gpu.wait async [%j, %c]                   -> %k = gpu.wait async [%a, %b, %c]
    joins that nothing uses, one after the other    -> nothing

A dependency goes only if the token graph says that all it implies is implied by the others, or
waited for by the host. So what is before what stays as it was: nothing becomes ordered that was
not, and two chains that may overlap still may. Rounds of it are run until nothing changes. xgpu's
own.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.ir import Operation, SSAValue

from xgpu.conversion.async_tokens.graph import TokenGraph, build
from xgpu.conversion.async_tokens.happens_before import FunctionOrder
from xgpu.conversion.async_tokens.points import (
    HostWait,
    Join,
    Return,
    Work,
    dependencies_of,
    set_dependencies,
)
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.gpu.ops import is_async_op


class GpuCanonicalizeWaits(Pass):
    name = "gpu-canonicalize-waits"
    summary = "Remove waits, joins and async dependencies that order nothing"

    def run(self, op: Operation, ctx: Context) -> None:
        while _round(build(op)):
            pass


def _round(graph: TokenGraph) -> bool:
    changed = False
    for function in graph.functions:
        order = graph.order(function)
        kept = [p.op for p in order.view.points if isinstance(p, Work | Join | HostWait)]
        changed |= _Function(order).simplify([op for op in kept if is_async_op(op)])
    return changed


class _Function:
    """The simplification of one function."""

    def __init__(self, order: FunctionOrder) -> None:
        self._order = order
        self._effects = 0
        for point in order.view.points:
            if isinstance(point, Join | HostWait | Return):
                self._effects |= point.bit
        #: All but the bits of what only waits.
        self._effects = ~self._effects
        self._changed = False

    def simplify(self, ops: Sequence[Operation]) -> bool:
        for op in ops:
            self._dependencies(op)
            if op.name == "gpu.wait":
                self._wait(op)
        for op in reversed(ops):
            # Uses are gone by now, where whole chains of joins were dead.
            if op.parent is not None and _is_dead(op):
                self._erase(op)
        return self._changed

    def _dependencies(self, op: Operation) -> None:
        old = list(dependencies_of(op))
        tokens = list(dict.fromkeys(old))
        if op.name == "gpu.wait" and op.results:
            tokens = list(dict.fromkeys(v for token in tokens for v in _opened(token)))
        point = self._order.view.of_op[op]
        if point not in self._order.start:
            return  # it is never reached
        tokens = self._needed(op, tokens, self._order.host[point])
        if tokens != old:
            set_dependencies(op, tokens)
            self._changed = True

    def _needed(self, op: Operation, tokens: list[SSAValue], host: int) -> list[SSAValue]:
        """`tokens` without those that others, or the host's waits, imply."""
        known: list[int | None] = []
        for token in tokens:
            bits = self._order.seen(token, op)
            known.append(bits & self._effects if self._order.is_exact(token, bits) else None)
        # Joins go first, so that what they join stays rather than they.
        joins_first = sorted(range(len(tokens)), key=lambda i: not _is_join(tokens[i]))
        behind = [host]
        for i in reversed(joins_first):
            behind.append(behind[-1] | (known[i] or 0))
        kept: set[int] = set()
        before = 0
        for count, i in enumerate(joins_first):
            bits = known[i]
            others = before | behind[len(joins_first) - 1 - count]
            if bits is None or bits & ~others:
                kept.add(i)
                before |= bits or 0
        return [tokens[i] for i in range(len(tokens)) if i in kept]

    def _wait(self, op: Operation) -> None:
        if not op.results:
            if not op.operands:
                self._erase(op)
            return
        if len(op.operands) == 1:
            op.results[0].replace_all_uses_with(op.operands[0])
            self._erase(op)

    def _erase(self, op: Operation) -> None:
        Rewriter(op).erase(op)
        self._changed = True


def _is_join(token: SSAValue) -> bool:
    return getattr(token.owner, "name", "") == "gpu.wait"


def _is_dead(op: Operation) -> bool:
    return op.name == "gpu.wait" and bool(op.results) and op.results[0].first_use is None


def _opened(token: SSAValue) -> list[SSAValue]:
    """The tokens that a join of one use joins; other tokens as they are."""
    owner = token.owner
    if _is_join(token) and len({use.operation for use in token.uses}) == 1:
        assert isinstance(owner, Operation)
        return list(owner.operands)
    return [token]
