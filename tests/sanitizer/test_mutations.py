# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each barrier, arrival, wait, fence and commit of the correct twins dropped in turn: it is missed
where something depends on it, and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mutations import Mutant, moved, mutants, showing
from some_cases import long_first

import xgpu

sys.path.insert(0, str(Path(__file__).parent))
from test_planted import CASES

#: Programs that do the same without the operation. Most are barriers behind which each thread uses
#: what it wrote itself, and waits behind which a thread ends; nobody waits for what is not
#: initialized, or what is invalidated is not used again. One is a mistake that is not seen:
#: `not_waited_for_before_the_copy_back` releases host memory that a copy still writes.
_NOTHING_DEPENDS_ON_IT = frozenset(
    (
        "shared_one_behind:32",
        "shared_in_the_neighbour:30",
        "shared_unwritten:30",
        "atomic_on_unwritten:31",
        "shared_of_the_block_before:34",
        "barrier_in_a_branch:33",
        "half_of_the_block_waits_elsewhere:34",
        "barrier_with_too_few:32",
        "mbarrier_with_too_few_arrivals:44",
        "wait_for_a_phase_too_far:42",
        "wait_for_a_phase_too_far:44",
        "phase_waited_for_twice:42",
        "phase_waited_for_twice:45",
        "arrive_before_init:41",
        "expects_bytes_that_never_come:46",
        "no_barrier_behind_init:42",
        "invalidated_while_others_wait:42",
        "invalidated_while_others_wait:45",
        "wait_for_the_wrong_barrier:53",
        "cp_async_overwrites_what_is_read:47",
        "cp_async_over_the_end:44",
        "cp_async_over_the_end:45",
        "released_beside_the_kernel:51",
        "copied_to_the_host_half_written:52",
        "not_waited_for_before_the_copy_back:54",
        "token_in_shared_memory:48",
        "token_in_shared_memory:87",
        "epilogue_from_minus_one:44",
        "epilogue_from_minus_one:45",
        "epilogue_from_minus_one:46",
        "epilogue_from_minus_one:48",
        "invalidated_too_early:80",
        "invalidated_too_early:81",
        "atomic_behind_in_shared:31",
        "every_second_is_written:33",
        "fewer_rounds_with_a_barrier:35",
        "the_other_half_of_an_array:30",
        "written_by_the_wrong_side:37",
        "tile_filled_again_in_a_loop:43",
        # What follows orders too, or nobody uses a peer's memory any more.
        "peer_reads_before_the_cluster_barrier:52",
        "peer_reads_before_the_cluster_barrier:53",
        "peer_by_ptx_before_the_cluster_barrier:55",
        "peer_by_ptx_before_the_cluster_barrier:56",
        "relaxed_arrival_orders_nothing:53",
        "relaxed_arrival_orders_nothing:54",
        "barrier_of_the_block_for_a_cluster:53",
        "barrier_of_the_block_for_a_cluster:54",
        "multicast_without_a_cluster_barrier:63",
        "multicast_without_a_cluster_barrier:74",
        "multicast_without_a_cluster_barrier:75",
        "multicast_that_is_not_waited_for:75",
        "multicast_that_is_not_waited_for:76",
        "copy_between_blocks_that_is_not_waited_for:57",
        "copy_between_blocks_that_is_not_waited_for:79",
        "copy_between_blocks_that_is_not_waited_for:80",
        # One warp gives columns back that it alone has used; each thread reads what it wrote.
        "tensor_memory_that_nobody_wrote:56",
        "columns_allocated_anew:60",
        "stmatrix_in_ptx_over_what_is_read:46",
        # A barrier of the block follows the arrivals of all threads, and ends the phase as well.
        "mbarrier_initialized_again:42",
        "mbarrier_initialized_again:50",
    )
)
_PARTS = 24


def _all() -> list[Mutant]:
    """Hand-written loops have mutations of their own (`tests/circular`)."""
    from hand_written_cases import HAND_WRITTEN

    cases = [c for c in CASES if not any(c is other for other in HAND_WRITTEN)]
    return [m for c in cases for m in mutants(c.name, c.text(False))]


def check(mutant: Mutant) -> str | None:
    """What is wrong with what is said of a mutant."""
    found = bool(xgpu.sanitize(mutant.text, filename=mutant.name))
    if found == (mutant.title not in _NOTHING_DEPENDS_ON_IT):
        return None
    return f"{mutant.title}: {'found' if found else 'not found'} without '{mutant.line}'"


def test_some_operations_that_order() -> None:
    problems = [p for p in map(check, _all()[:: 4 * _PARTS]) if p is not None]
    assert not problems, "\n".join(problems)


def check_moved(mutant: Mutant) -> str | None:
    """What is wrong with what is said of a mutant whose operation is elsewhere: if nothing, it does
    the same in other orders."""
    if xgpu.sanitize(mutant.text, filename=mutant.name):
        return None
    found = xgpu.sanitize(showing(mutant.text), filename=mutant.name, schedules=6)
    if found or found.difference is None:
        return None
    return f"{mutant.title}: {found.difference}"


def _all_moved() -> list[Mutant]:
    names = {m.name for m in _all()}
    cases = [c for c in CASES if c.name in names]
    found = [m for c in cases for m in moved(c.name, c.text(False))]
    # A token that is waited for before it is made.
    return [m for m in found if "gpu.wait" not in m.line]


@pytest.mark.long
def test_some_operations_elsewhere() -> None:
    problems = [p for p in map(check_moved, _all_moved()[:: 4 * _PARTS]) if p is not None]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("part", long_first(range(_PARTS), 3))
def test_all_operations_elsewhere(part: int) -> None:
    problems = [p for p in map(check_moved, _all_moved()[part::_PARTS]) if p is not None]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("part", long_first(range(_PARTS), 3))
def test_all_operations_that_order(part: int) -> None:
    problems = [p for p in map(check, _all()[part::_PARTS]) if p is not None]
    assert not problems, "\n".join(problems)
