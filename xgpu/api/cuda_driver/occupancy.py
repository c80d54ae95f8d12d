# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: how many blocks and clusters of a kernel a device holds."""

from __future__ import annotations

import ctypes

from xgpu.api.cuda_driver import settings
from xgpu.api.cuda_driver.header import LaunchConfig, Result, require
from xgpu.api.cuda_driver.launches import attributes_of
from xgpu.api.cuda_driver.modules import (
    MAX_DYNAMIC_SHARED,
    NON_PORTABLE_CLUSTER,
    Function,
    resident,
)
from xgpu.api.cuda_driver.settings import DeviceAttribute
from xgpu.api.cuda_driver.state import Context
from xgpu.api.cuda_driver.table import entry
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER, LaunchLimits

_WORD = ctypes.c_uint64
_LIMITS = LaunchLimits()


@entry(
    "cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, "
    "size_t shared)", since=6050,
)  # fmt: skip
def active_blocks(context: Context, function: Function, threads: int, shared: int) -> int:
    require(threads > 0, f"blocks of {threads} threads")
    return resident(function.of(context), threads, shared)


@entry(
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, "
    "int threads, size_t shared, unsigned int flags)", since=7000,
)  # fmt: skip
def active_blocks_with(
    context: Context, function: Function, threads: int, shared: int, flags: int
) -> int:
    require(flags <= 1, f"flags are {flags}")
    return active_blocks(context, function, threads, shared)


def _best_block(
    context: Context, given: Function, shared_of: int, shared: int, limit: int
) -> tuple[int, int]:
    """The smallest grid that fills the device, and the size of its blocks."""
    function = given.of(context)
    ask = ctypes.CFUNCTYPE(_WORD, ctypes.c_int32)(shared_of) if shared_of else None
    most = min(function.max_threads, limit or function.max_threads)
    best = (0, 0, 0)
    for threads in range(most - most % 32 or most, 0, -32):
        used = ask(threads) if ask is not None else shared
        blocks = resident(function, threads, used)
        best = max(best, (blocks * threads, threads, blocks))
    _, threads, blocks = best
    return blocks * context.device.attributes[DeviceAttribute.MULTIPROCESSOR_COUNT], threads


@entry(
    "cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, "
    "CUoccupancyB2DSize shared_of, size_t shared, int limit)", since=6050,
)  # fmt: skip
def best_block(
    context: Context, function: Function, shared_of: int, shared: int, limit: int
) -> tuple[int, int]:
    require(limit >= 0, f"a limit of {limit} threads")
    return _best_block(context, function, shared_of, shared, limit)


@entry(
    "cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function, "
    "CUoccupancyB2DSize shared_of, size_t shared, int limit, unsigned int flags)", since=7000,
)  # fmt: skip
def best_block_with(
    context: Context, function: Function, shared_of: int, shared: int, limit: int, flags: int
) -> tuple[int, int]:
    require(flags <= 1, f"flags are {flags}")
    return best_block(context, function, shared_of, shared, limit)


@entry(
    "cuOccupancyAvailableDynamicSMemPerBlock(size_t *size, CUfunction function, int blocks, "
    "int threads)", since=10020,
)  # fmt: skip
def available_shared(context: Context, given: Function, blocks: int, threads: int) -> int:
    require(blocks > 0 and threads > 0, "sizes must be positive")
    known, function = context.device.attributes, given.of(context)
    require(blocks <= resident(function, threads, 0), "so many blocks do not fit")
    each = known[DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR] // blocks - settings.KIB
    # No more than a launch may ask for, which `cuFuncSetAttribute` sets.
    most = min(each - function.info.static_shared, function.values[MAX_DYNAMIC_SHARED])
    return max(most, 0)


@entry(
    "cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function, "
    "const CUlaunchConfig *config)", since=11070,
)  # fmt: skip
def best_cluster(context: Context, given: Function, config: LaunchConfig) -> int:
    _check_clusters(context)
    function = given.of(context)
    return _LIMITS.cluster if function.values[NON_PORTABLE_CLUSTER] else PORTABLE_CLUSTER


@entry(
    "cuOccupancyMaxActiveClusters(int *count, CUfunction function, const CUlaunchConfig *config)",
    since=11070,
)  # fmt: skip
def active_clusters(context: Context, given: Function, config: LaunchConfig) -> int:
    _check_clusters(context)
    function = given.of(context)
    x, y, z = config.block
    cx, cy, cz = attributes_of(config).cluster
    require(min(x, y, z, cx, cy, cz) > 0, "every size must be at least 1")
    blocks = resident(function, x * y * z, config.shared)
    multiprocessors = context.device.attributes[DeviceAttribute.MULTIPROCESSOR_COUNT]
    return max(blocks * multiprocessors // (cx * cy * cz), int(blocks > 0))


def _check_clusters(context: Context) -> None:
    has_clusters = context.device.attributes[DeviceAttribute.CLUSTER_LAUNCH]
    require(has_clusters, "the device has no clusters", Result.NOT_SUPPORTED)
