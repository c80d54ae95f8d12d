# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each planted mistake is found, named and placed; the twin without it gives no report."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from access_cases import ACCESSES
from bounds_cases import BOUNDS, WRITTEN
from cluster_cases import CLUSTERS
from collective_cases import COLLECTIVES
from collective_cases import CORRECT as CORRECT_COLLECTIVES
from copy_cases import COPIES
from fence_cases import FENCES
from hand_written_cases import HAND_WRITTEN
from host_cases import HOST
from mbarrier_cases import MBARRIERS
from memory_cases import INIT, MEMORY
from pattern_cases import SHAPES
from planted import Planted
from product_cases import PRODUCTS
from race_cases import GLOBAL, SHARED
from story_cases import STORY
from stream_cases import STREAMS
from sync_cases import SYNC
from tensor_cases import TENSORS
from waiting_cases import CORRECT as CORRECT_WAITING
from waiting_cases import TWO_LOCKS, WAITING

import xgpu
from tests.support.some_cases import short

pytestmark = pytest.mark.sampled(2)

GROUPS = [
    MEMORY, INIT, SHARED, GLOBAL, SYNC, MBARRIERS, COPIES, HOST, STORY, HAND_WRITTEN, BOUNDS,
    WRITTEN, SHAPES, STREAMS, PRODUCTS, CLUSTERS, TENSORS, ACCESSES, COLLECTIVES, FENCES, WAITING,
]  # fmt: skip
CASES = [case for group in GROUPS for case in group]


def name_of(case: Planted) -> str:
    return case.name


def shown(group: list[Planted]) -> list[Planted]:
    """What runs without --long: of a group the first one of each kind."""
    kinds = [case.kind for case in group]
    return [case for place, case in enumerate(group) if case.kind not in kinds[:place]]


@pytest.mark.parametrize("case", [c for g in GROUPS for c in short(g, *shown(g))], ids=name_of)
def test_the_mistake_is_found_and_its_twin_is_not(case):
    problem = case.problem()
    assert problem is None, problem


@pytest.mark.parametrize("case", [*CORRECT_COLLECTIVES, *CORRECT_WAITING], ids=lambda c: c.name)
@pytest.mark.parametrize("schedules", short([0, 3], 0))
def test_what_is_no_mistake_gives_no_report(case, schedules):
    found = xgpu.sanitize(case.text(False), schedules=schedules)
    assert not found, found.text()


def test_blocks_take_turns_at_locks_in_other_orders():
    assert not xgpu.sanitize(TWO_LOCKS.text(True))
    # The first other order shows it: it does not depend on which thread the machine runs when.
    found = xgpu.sanitize(TWO_LOCKS.text(True), schedules=1)
    assert [f.kind for f in found] == ["sync"]
    assert TWO_LOCKS.sides() <= {side.line for f in found for side in f.sides}
    twin = xgpu.sanitize(TWO_LOCKS.text(False), schedules=4)
    assert not twin, twin.text()
