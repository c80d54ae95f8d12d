# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a launch may ask of a device: one check, in the same words for every device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.demangle import demangled
from xgpu.core.support.gpu_limits import (
    MAX_BLOCK,
    MAX_GRID,
    MAX_STATIC_SHARED,
    MAX_THREADS,
)
from xgpu.runtime.device import format_dims

Dims = tuple[int, int, int]

#: Blocks of a cluster that every device with clusters takes; more must be asked for.
PORTABLE_CLUSTER = 8


@dataclass(frozen=True, slots=True)
class LaunchLimits:
    """Limits of a device. The defaults are those of compute capability 9.0 (CUDA C++ Programming
    Guide, technical specifications).

    `shared` is in bytes, static and dynamic; `cluster` in blocks, 1 where there are no clusters.
    """

    threads: int = MAX_THREADS
    block: Dims = MAX_BLOCK
    grid: Dims = MAX_GRID
    shared: int = 227 * 1024
    cluster: int = 16


def check_configuration(
    name: str, grid: Dims, block: Dims, cluster: Dims, static_shared: int, dynamic_shared: int,
    limits: LaunchLimits,
) -> None:  # fmt: skip
    """Raise `DeviceError` with the sizes and the limit for what the device would not take."""
    prefix = f"kernel '{demangled(name)}': invalid configuration"
    threads = block[0] * block[1] * block[2]
    if min(*grid, *block, *cluster) <= 0:
        raise DeviceError(
            f"{prefix}: grid of {format_dims(*grid)} blocks of {format_dims(*block)} threads: "
            "every size must be at least 1"
        )
    if threads > limits.threads:
        raise DeviceError(
            f"{prefix}: block of {format_dims(*block)} = {threads} threads, "
            f"the limit is {limits.threads}"
        )
    for what, sizes, most in (("block", block, limits.block), ("grid", grid, limits.grid)):
        for axis, size, limit in zip("xyz", sizes, most, strict=True):
            if size > limit:
                raise DeviceError(f"{prefix}: {what} size {axis} is {size}, the limit is {limit}")
    _check_cluster(prefix, grid, cluster, limits)
    if static_shared > MAX_STATIC_SHARED:
        raise DeviceError(
            f"{prefix}: {static_shared} bytes of static workgroup memory, the limit is "
            f"{MAX_STATIC_SHARED}"
        )
    shared = static_shared + dynamic_shared
    if dynamic_shared < 0 or shared > limits.shared:
        raise DeviceError(
            f"{prefix}: {shared} bytes of workgroup memory ({static_shared} static, "
            f"{dynamic_shared} dynamic), the limit is {limits.shared}"
        )


def check_block(name: str, block: Dims, said: tuple[str, Sequence[int]] | None) -> None:
    """Raise `DeviceError` for a size of blocks against which the kernel speaks: `said` are the
    attribute that does and its sizes, of which `nvvm.maxntid` is a limit for their product."""
    if said is None:
        return
    attribute, sizes = said[0].removeprefix("gpu."), said[1]
    name = demangled(name)
    x, y, z = (*sizes, 1, 1)[:3]
    given = format_dims(*block)
    if attribute == "nvvm.maxntid":
        if block[0] * block[1] * block[2] > x * y * z:
            raise DeviceError(
                f"kernel '{name}': invalid configuration: block of {given} threads, "
                f"'{attribute}' of the kernel allows {format_dims(x, y, z)}"
            )
    elif block != (x, y, z):
        raise DeviceError(
            f"kernel '{name}': invalid configuration: block of {given} threads, "
            f"'{attribute}' of the kernel says {format_dims(x, y, z)}"
        )


def _check_cluster(prefix: str, grid: Dims, cluster: Dims, limits: LaunchLimits) -> None:
    blocks = cluster[0] * cluster[1] * cluster[2]
    if blocks > limits.cluster:
        raise DeviceError(f"{prefix}: cluster of {blocks} blocks, the limit is {limits.cluster}")
    if any(g % c for g, c in zip(grid, cluster, strict=True)):
        raise DeviceError(
            f"{prefix}: grid of {format_dims(*grid)} blocks does not divide into clusters of "
            f"{format_dims(*cluster)}"
        )
