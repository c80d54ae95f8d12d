# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What shares a stream is ordered, or never there together; and what can share one does."""

from __future__ import annotations

import itertools
import random

import pytest

from xgpu.conversion.async_tokens.streams import share
from xgpu.core.syntax import parse_module


def function(depth, random_number):
    """Text of work, some of it in branches of branches."""
    lines = []
    for _ in range(random_number.randint(1, 3)):
        if depth and random_number.random() < 0.5:
            lines.append("scf.if %p {")
            lines += function(depth - 1, random_number)
            lines.append("} else {")
            lines += function(depth - 1, random_number)
            lines.append("}")
        else:
            lines.append('"test.work"() : () -> ()')
    return lines


def works(lines):
    module = parse_module("func.func @f(%p: i1) {\n" + "\n".join(lines) + "\nreturn\n}")
    return [op for op in module.walk() if op.name == "test.work"]


def way(op):
    """The branches that `op` is in: pairs of an if and the number of its region."""
    found = {}
    while op is not None:
        block = op.parent
        parent = block.parent_op() if block is not None else None
        if parent is not None and parent.name == "scf.if":
            found[parent] = list(parent.regions).index(block.parent)
        op = parent
    return found


def exclude(a, b):
    mine, other = way(a), way(b)
    return any(mine[op] != other[op] for op in mine.keys() & other.keys())


def reached(successors):
    sets = [{i} for i in range(len(successors))]
    for u in reversed(range(len(successors))):
        for v in successors[u]:
            sets[u] |= sets[v]
    return sets


def blocks_of(ops):
    return [op.parent for op in ops]


@pytest.mark.parametrize("seed", range(40))
def test_what_shares_a_chain_is_ordered_or_excluded(seed):
    random_number = random.Random(seed)
    ops = works(function(3, random_number))
    count = len(ops)
    successors = [
        [
            v
            for v in range(u + 1, count)
            if not exclude(ops[u], ops[v]) and random_number.random() < 0.3
        ]
        for u in range(count)
    ]
    chains = share(blocks_of(ops), successors, list(range(count)))
    ordered = reached(successors)
    for a, b in itertools.combinations(range(count), 2):
        if chains[a] == chains[b]:
            assert b in ordered[a] or exclude(ops[a], ops[b]), (a, b, chains)
    assert sorted(set(chains)) == list(range(len(set(chains))))


def test_both_branches_share():
    work = '"test.work"() : () -> ()'
    ops = works(["scf.if %p {", work, work, "} else {", work, work, "}"])
    assert share(blocks_of(ops), [[], [], [], []], [0, 1, 2, 3]) == [0, 1, 0, 1]


def test_work_beside_a_branch_shares_with_neither():
    work = '"test.work"() : () -> ()'
    ops = works(["scf.if %p {", work, "} else {", work, "}", work])
    assert share(blocks_of(ops), [[], [], []], [0, 1, 2]) == [0, 0, 1]
    # Ordered behind one of them only, it may still run beside the other.
    assert share(blocks_of(ops), [[2], [], []], [0, 1, 0]) == [0, 1, 0]
