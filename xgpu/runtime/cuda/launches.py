# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of kernels from Python.

The parameters of a launch are written once, in the driver's own structure
(`PreparedLaunch`); a launch is then one call of `cuLaunchKernelEx` with the addresses of that and
of the arguments. `LaunchFunctions.launch` makes it in the right context, in a trace, and with the
words of an error. The same launch may be repeated by the call alone (`call_with`) while nothing
looks (`CudaDevice.is_watched`); what the driver refuses then goes to `launch`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import SupportsInt

from xgpu.core.support.demangle import demangled
from xgpu.runtime.cuda.driver import Driver, pointer_to
from xgpu.runtime.cuda.modules import Kernel
from xgpu.runtime.device import format_dims
from xgpu.runtime.launch_limits import (
    PORTABLE_CLUSTER,
    Dims,
    LaunchLimits,
    check_configuration,
)  # fmt: skip
from xgpu.runtime.session import Session

_I, _L = ctypes.c_uint32, ctypes.c_uint64
_NO_CLUSTER: Dims = (1, 1, 1)
_FIRST_WITH_CLUSTERS = 9  # compute capability

CLUSTER_DIMENSION, CLUSTER_POLICY = 4, 5  # CUlaunchAttributeID
CLUSTER_SPREAD = 1  # CUclusterSchedulingPolicy


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig of cuda.h, version 12.0."""

    _fields_ = (
        ("grid", _I * 3), ("block", _I * 3), ("shared", _I), ("stream", _L), ("attributes", _L),
        ("count", _I),
    )  # fmt: skip


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute of cuda.h: a value of up to 64 bytes."""

    _fields_ = (("id", _I), ("padding", _I), ("value", _I * 16))


class PreparedLaunch:
    """A kernel with the sizes and the stream of a launch; `doing` describes it in errors."""

    __slots__ = ("_attributes", "_given", "config", "doing", "kernel", "stream")

    def __init__(
        self, kernel: Kernel, grid: Dims, block: Dims, cluster: Dims | None, shared: int,
        stream: int, doing: str,
    ) -> None:  # fmt: skip
        self.kernel, self.stream, self.doing = kernel, stream, doing
        self.config = config = LaunchConfig()
        config.grid[:], config.block[:], config.shared, config.stream = grid, block, shared, stream
        self._attributes = (LaunchAttribute * 2)()
        if cluster is not None:
            size, policy = self._attributes
            size.id, size.value[:3] = CLUSTER_DIMENSION, cluster
            policy.id, policy.value[0] = CLUSTER_POLICY, CLUSTER_SPREAD
            config.attributes, config.count = ctypes.addressof(self._attributes), 2
        self._given = ctypes.byref(config), pointer_to(kernel.handle)

    def call_with(self, parameters: object, extra: object = None) -> tuple[object, ...]:
        """What `Driver.launch` is called with for arguments of which `parameters` points to an
        array of addresses."""
        return (*self._given, parameters, extra)


class LaunchFunctions:
    """The functions of launches of the cuda device."""

    session: Session
    _driver: Driver
    _call: Callable[..., SupportsInt]
    _operation: Callable[..., object]
    _attribute: Callable[..., int]
    _home: Callable[[int], int]
    _placed: Callable[[int], int]
    _kernel_on: Callable[[int, int], Kernel]

    def mgpuLaunchKernel(
        self, function: int, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
        shared: int, stream: int, parameters: int, extra: int, count: int,
    ) -> None:  # fmt: skip
        made = self.prepare_launch(function, (gx, gy, gz), (bx, by, bz), None, shared, stream)
        self.launch(made, ctypes.c_void_p(parameters), ctypes.c_void_p(extra))

    def mgpuLaunchClusterKernel(
        self, function: int, cx: int, cy: int, cz: int, gx: int, gy: int, gz: int,
        bx: int, by: int, bz: int, shared: int, stream: int, parameters: int, extra: int,
    ) -> None:  # fmt: skip
        grid, block, cluster = (gx, gy, gz), (bx, by, bz), (cx, cy, cz)
        made = self.prepare_launch(function, grid, block, cluster, shared, stream)
        self.launch(made, ctypes.c_void_p(parameters), ctypes.c_void_p(extra))

    def prepare_launch(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int, stream: int
    ) -> PreparedLaunch:
        """A launch of a kernel in the order of `stream` on the device that is chosen now. Raises
        `DeviceError` for what the device does not take."""
        stream = self._placed(stream)
        kernel = self._kernel_on(function, self._home(stream))
        doing = self._check(kernel, grid, block, cluster or _NO_CLUSTER, shared)
        return PreparedLaunch(kernel, grid, block, cluster, shared, stream, doing)

    def launch(self, prepared: PreparedLaunch, parameters: object, extra: object = None) -> None:
        """Launch with the arguments of `call_with`."""
        config, kernel = prepared.config, prepared.kernel

        def launch() -> None:
            result = self._driver.launch(*prepared.call_with(parameters, extra))
            self._driver.check(result, "cuLaunchKernelEx", prepared.doing)

        self._operation(
            demangled(kernel.name), "kernel", prepared.stream, launch,
            grid=[*config.grid], block=[*config.block],
        )  # fmt: skip
        self.session.create("launches")

    def _check(self, kernel: Kernel, grid: Dims, block: Dims, cluster: Dims, shared: int) -> str:
        """Check sizes, allow large clusters; what an error message says the launch is."""
        limits = self._limits(kernel.home)
        check_configuration(
            kernel.name, grid, block, cluster, kernel.static_shared, shared, limits
        )  # fmt: skip
        sizes = f"grid of {format_dims(*grid)} blocks of {format_dims(*block)} threads"
        doing = (
            f"kernel '{demangled(kernel.name)}': launch with {sizes}, {shared} bytes of dynamic "
            "workgroup memory"
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
