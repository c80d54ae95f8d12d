# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains that can share a stream because some of their points exclude each other.

What is in different branches of an `scf.if` is never there together. So two chains are as good as
one if each point of the one is ordered with, or excludes, each of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation

#: Operations of whose regions at most one is executed.
_BRANCHES = frozenset(("affine.if", "scf.if", "scf.index_switch"))

#: Relations between more points than this are not built: they grow with the square.
_MOST = 4000


def share(
    blocks: Sequence[Block | None], successors: Sequence[Sequence[int]], chains: list[int]
) -> list[int]:
    """The chain of each point, where those that can be one are one.

    `blocks` has the block of each point that is to have a chain.
    """
    excluded = _excluded(blocks)
    if not excluded or len(blocks) > _MOST:
        return chains
    related = _ordered(successors)
    for index, others in excluded.items():
        related[index] |= others
    count = max(chains, default=-1) + 1
    members = [0] * count
    good = [-1] * count
    for index, chain in enumerate(chains):
        if chain >= 0:
            members[chain] |= 1 << index
            good[chain] &= related[index]
    into = list(range(count))
    for chain in range(count):
        for other in range(chain):
            if into[other] == other and not members[chain] & ~good[other]:
                into[chain] = other
                members[other] |= members[chain]
                good[other] &= good[chain]
                break
    kept = {chain: i for i, chain in enumerate(dict.fromkeys(into))}
    return [kept[into[chain]] if chain >= 0 else -1 for chain in chains]


def _ordered(successors: Sequence[Sequence[int]]) -> list[int]:
    """For each node the set (as bits) of those before and behind it, and itself."""
    before = [1 << i for i in range(len(successors))]
    for u, targets in enumerate(successors):
        for v in targets:
            before[v] |= before[u]
    after = [1 << i for i in range(len(successors))]
    for u in range(len(successors) - 1, -1, -1):
        for v in successors[u]:
            after[u] |= after[v]
    return [b | a for b, a in zip(before, after, strict=True)]


def _excluded(blocks: Sequence[Block | None]) -> dict[int, int]:
    """For points in branches the set (as bits) of those in the other branches."""
    inside: dict[Operation, dict[int, int]] = {}
    branches: dict[int, list[tuple[Operation, int]]] = {}
    for index, inner in enumerate(blocks):
        block = inner
        while block is not None:
            op, region = block.parent_op(), block.parent
            if op is None or region is None:
                break
            if op.name in _BRANCHES:
                number = next(i for i, r in enumerate(op.regions) if r is region)
                masks = inside.setdefault(op, {})
                masks[number] = masks.get(number, 0) | 1 << index
                branches.setdefault(index, []).append((op, number))
            block = op.parent
    excluded: dict[int, int] = {}
    for index, found in branches.items():
        for op, number in found:
            for other, mask in inside[op].items():
                if other != number:
                    excluded[index] = excluded.get(index, 0) | mask
    return excluded
