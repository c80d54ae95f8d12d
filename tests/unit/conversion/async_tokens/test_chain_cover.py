# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chain covers against the size of the largest antichain, found by trying all."""

from __future__ import annotations

import itertools
import random

from xgpu.conversion.async_tokens.streams import minimum_chains


def _reachable(successors: list[list[int]]) -> list[set[int]]:
    reach: list[set[int]] = [set() for _ in successors]
    for u in reversed(range(len(successors))):
        for v in successors[u]:
            reach[u] |= {v} | reach[v]
    return reach


def _largest_antichain(reach: list[set[int]], nodes: list[int]) -> int:
    best = 0
    for mask in range(1 << len(nodes)):
        chosen = [node for i, node in enumerate(nodes) if mask >> i & 1]
        if len(chosen) > best and not any(
            b in reach[a] for a, b in itertools.combinations(chosen, 2)
        ):
            best = len(chosen)
    return best


def test_as_few_chains_as_there_are_unordered_nodes() -> None:
    draw = random.Random(1)
    for _ in range(400):
        count, density = draw.randint(1, 10), draw.random() / 2
        edges = [[v for v in range(u + 1, count) if draw.random() < density] for u in range(count)]
        covered = [draw.random() < 0.75 for _ in range(count)]
        reach = _reachable(edges)
        chains = minimum_chains(edges, covered)
        nodes = [i for i in range(count) if covered[i]]
        assert [chain >= 0 for chain in chains] == covered
        assert len({chains[i] for i in nodes}) == _largest_antichain(reach, nodes)
        for a, b in itertools.combinations(nodes, 2):
            assert chains[a] != chains[b] or b in reach[a]


def test_a_chain_may_lead_through_nodes_of_other_chains() -> None:
    # 0 -> 2 -> 3 and 1 -> 2 -> 4: two chains, one of which passes 2.
    assert len(set(minimum_chains([[2], [2], [3, 4], [], []], [True] * 5))) == 2


def test_without_that_a_chain_has_edges_only() -> None:
    assert len(set(minimum_chains([[2], [2], [3, 4], [], []], [True] * 5, through=False))) == 3
