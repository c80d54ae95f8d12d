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
from copy_cases import COPIES
from hand_written_cases import HAND_WRITTEN
from host_cases import HOST
from mbarrier_cases import MBARRIERS
from memory_cases import INIT, MEMORY
from pattern_cases import SHAPES
from product_cases import PRODUCTS
from race_cases import GLOBAL, SHARED
from story_cases import STORY
from stream_cases import STREAMS
from sync_cases import SYNC
from tensor_cases import TENSORS

CASES = [
    *MEMORY, *INIT, *SHARED, *GLOBAL, *SYNC, *MBARRIERS, *COPIES, *HOST, *STORY, *HAND_WRITTEN,
    *BOUNDS, *WRITTEN, *SHAPES, *STREAMS, *PRODUCTS,
    *CLUSTERS, *TENSORS, *ACCESSES,
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_mistake_is_found_and_its_twin_is_not(case):
    problem = case.problem()
    assert problem is None, problem
