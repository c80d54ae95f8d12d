# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A host device with a module loaded from LLVM IR, and a way to launch kernels on numpy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from xgpu.host_device.compiler.compiler import compile_llvm
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.native.signals import caught_faults
from xgpu.runtime.session import Session


class Kernels:
    """A module on a device. `launch` takes arrays (passed as pointers), ints (i32) and floats
    (f32).
    """

    def __init__(self, source: str, opt_level: int = 2, **options: Any) -> None:
        self.session = Session()
        self.device = HostDevice(self.session, **options)
        code = compile_llvm(source, opt_level)
        buffer = ctypes.create_string_buffer(code, len(code))
        self.module = self.device.mgpuModuleLoad(ctypes.addressof(buffer), len(code))

    def function(self, name: str) -> int:
        text = ctypes.create_string_buffer(name.encode())
        return self.device.mgpuModuleGetFunction(self.module, ctypes.addressof(text))

    def launch(
        self, name: str, grid: Any, block: Any, *arguments: Any, shared: int = 0, stream: int = 0,
        cluster: tuple[int, int, int] | None = None,
    ) -> None:  # fmt: skip
        values: list[Any] = []
        for a in arguments:
            if isinstance(a, np.ndarray):
                values.append(ctypes.c_void_p(a.ctypes.data))
            elif isinstance(a, float):
                values.append(ctypes.c_float(a))
            else:
                values.append(ctypes.c_int32(a))
        pointers = (ctypes.c_void_p * max(len(values), 1))(*map(ctypes.addressof, values))
        g, b = _dims(grid), _dims(block)
        parameters = ctypes.addressof(pointers)
        if cluster is not None:
            self.device.mgpuLaunchClusterKernel(
                self.function(name), *cluster, *g, *b, shared, stream, parameters, 0
            )
        else:
            self.device.mgpuLaunchKernel(
                self.function(name), *g, *b, shared, stream, parameters, 0, len(values)
            )

    def run(self, *arguments: Any, **options: Any) -> None:
        """Launch and wait; a failure of the kernel is raised."""
        with caught_faults():
            self.launch(*arguments, **options)
            self.device.mgpuStreamSynchronize(options.get("stream", 0))
        if self.session.error is not None:
            raise self.session.error


def _dims(size: Any) -> tuple[int, int, int]:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    return (*sizes, *(1,) * (3 - len(sizes)))


@pytest.fixture
def kernels() -> Iterator[Callable[..., Kernels]]:
    made: list[Kernels] = []

    def make(source: str, opt_level: int = 2, **options: Any) -> Kernels:
        made.append(Kernels(source, opt_level, **options))
        return made[-1]

    yield make
    for k in made:
        k.device.close()
