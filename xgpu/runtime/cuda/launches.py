# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches on the cuda device, where machine code leaves them to Python: for a trace, for the
words of an error, for devices beside the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import SupportsInt

from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.modules import Kernel
from xgpu.runtime.device import format_dims
from xgpu.runtime.launch_limits import (
    PORTABLE_CLUSTER,
    Dims,
    LaunchLimits,
    check_configuration,
)  # fmt: skip
from xgpu.runtime.session import Session

_NO_CLUSTER: Dims = (1, 1, 1)
_FIRST_WITH_CLUSTERS = 9  # compute capability


class LaunchFunctions:
    """The functions of launches of the cuda device."""

    session: Session
    _driver: Driver
    _call: Callable[..., SupportsInt]
    _operate: Callable[..., object]
    _attribute: Callable[..., int]
    _home: Callable[[int], int]
    _placed: Callable[[int], int]
    _kernel_on: Callable[[int, int], Kernel]

    def mgpuLaunchKernel(
        self, function: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
        shared: int, stream: int, parameters: int, extra: int, count: int,
    ) -> None:  # fmt: skip
        stream = self._placed(stream)
        kernel = self._kernel_on(function, self._home(stream))
        grid, block = (gx, gy, gz), (bx, by, bz)
        doing = self._check(kernel, grid, block, _NO_CLUSTER, shared)
        self._operate(
            kernel.name, "kernel", stream,
            "cuLaunchKernel", kernel.handle, *grid, *block, shared, stream, parameters, extra,
            doing=doing, grid=[*grid], block=[*block],
        )  # fmt: skip
        self.session.create("launches")

    def mgpuLaunchClusterKernel(
        self, function: int, cx: int, cy: int, cz: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, stream: int, parameters: int, extra: int,
    ) -> None:  # fmt: skip
        stream = self._placed(stream)
        kernel = self._kernel_on(function, self._home(stream))
        grid, block, cluster = (gx, gy, gz), (bx, by, bz), (cx, cy, cz)
        doing = self._check(kernel, grid, block, cluster, shared)
        bindings = self._driver.bindings
        config = bindings.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = grid
        config.blockDimX, config.blockDimY, config.blockDimZ = block
        config.sharedMemBytes = shared
        config.hStream = bindings.CUstream(stream)
        config.attrs = self._cluster_attributes(cluster)
        config.numAttrs = len(config.attrs)
        self._operate(
            kernel.name, "kernel", stream,
            "cuLaunchKernelEx", config, kernel.handle, parameters, extra,
            doing=doing, grid=[*grid], block=[*block],
        )  # fmt: skip
        self.session.create("launches")

    def _cluster_attributes(self, cluster: Dims) -> list[object]:
        bindings = self._driver.bindings
        sizes, spread = bindings.CUlaunchAttribute(), bindings.CUlaunchAttribute()
        kinds = bindings.CUlaunchAttributeID
        sizes.id = kinds.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        dim = sizes.value.clusterDim
        dim.x, dim.y, dim.z = cluster
        spread.id = kinds.CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
        spread.value.clusterSchedulingPolicyPreference = (
            bindings.CUclusterSchedulingPolicy.CU_CLUSTER_SCHEDULING_POLICY_SPREAD
        )
        return [sizes, spread]

    def _check(self, kernel: Kernel, grid: Dims, block: Dims, cluster: Dims, shared: int) -> str:
        """Check sizes, allow large clusters; what an error message says the launch is."""
        limits = self._limits(kernel.home)
        check_configuration(
            kernel.name, grid, block, cluster, kernel.static_shared, shared, limits
        )  # fmt: skip
        sizes = f"grid of {format_dims(*grid)} blocks of {format_dims(*block)} threads"
        doing = (
            f"kernel '{kernel.name}': launch with {sizes}, {shared} bytes of dynamic workgroup "
            "memory"
        )
        if cluster[0] * cluster[1] * cluster[2] > PORTABLE_CLUSTER:
            kind = self._driver.bindings.CUfunction_attribute
            attribute = kind.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
            arguments = (kernel.handle, attribute, 1)
            self._call("cuFuncSetAttribute", *arguments, doing=doing, on=kernel.home)
        return doing

    def _limits(self, on: int) -> LaunchLimits:
        """Those sizes of grids and blocks that differ between devices are asked for."""
        has_clusters = self._attribute("COMPUTE_CAPABILITY_MAJOR", on) >= _FIRST_WITH_CLUSTERS
        return LaunchLimits(
            threads=self._attribute("MAX_THREADS_PER_BLOCK", on),
            shared=self._attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", on),
            cluster=LaunchLimits().cluster if has_clusters else 1,
        )
