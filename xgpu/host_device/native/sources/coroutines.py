# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker's share of a launch whose threads, or warps, are coroutines (see `scheduler`)."""

from __future__ import annotations

from xgpu.host_device.native.prelude import advance, i64, zero_bytes
from xgpu.host_device.native.records import LAUNCH_WARPS, Worker
from xgpu.host_device.native.sources.scheduler import (
    block_threads,
    cluster_blocks,
    make_room,
    next_cluster,
    shared_window,
)
from xgpu.host_device.native.sources.thread_orders import run_ordered
from xgpu.host_device.native.sources.thread_scheduler import run_group, run_warps


def xgpu_work_in_turns(w: Worker) -> None:
    """Run blocks of a launch until there are none left, or the launch has failed."""
    if not make_room(w):
        return
    launch = w.launch
    size = i64(cluster_blocks(launch))
    total = block_threads(launch) * cluster_blocks(launch)
    shared_bytes = shared_window(launch.shared_bytes)
    while next_cluster(w):
        for rank in range(size):
            zero_bytes(advance(w.shared, rank * shared_bytes), i64(launch.static_shared))
        if launch.suspending == LAUNCH_WARPS:
            run_warps(w, total)
        elif launch.order != 0:
            run_ordered(w, total)
        else:
            run_group(w, total)
