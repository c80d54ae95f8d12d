# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of an MLIR module on the host device, launched on numpy arrays from Python."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from xgpu.backend.host.objects import MAGIC, write_object
from xgpu.driver import compiler
from xgpu.runtime.host_device.device import HostDevice
from xgpu.runtime.host_device.kernel_forms import KernelForms
from xgpu.runtime.session import Session
from xgpu.runtime.signals import caught_faults


def host_object(text: str, opt_level: int = 2) -> bytes:
    """The only kernel module of a program, compiled for the host."""
    return lowered_object(compiler.parse(text), opt_level)


def lowered_object(module: Any, opt_level: int = 2) -> bytes:
    """Likewise of a module, which is changed."""
    compiler.lower(module, chip=compiler.HOST_CHIP, format="host", opt_level=opt_level)
    (data,) = compiler.device_code(module).values()
    return data


def at_level(data: bytes, opt_level: int) -> bytes:
    """An object to be compiled at another level: passes do not ask for it, only LLVM does."""
    start = len(MAGIC) + 8
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    manifest = json.loads(data[start:end])
    return write_object({**manifest, "opt_level": opt_level}, data[end:].decode())


class Launcher:
    """A host object on a device; `forms` tells which form kernels got."""

    def __init__(
        self, data: bytes, form: str = "auto", *, forms: KernelForms | None = None, **options: Any
    ) -> None:
        self.forms: list[str] = []
        #: Bytes of dynamic workgroup memory that launches ask for.
        self.shared = 0
        #: Blocks of a cluster, where launches ask for one.
        self.cluster: tuple[int, int, int] | None = None
        self.session = Session()
        chosen = forms or KernelForms(form, self.forms.append)
        self.device = HostDevice(self.session, forms=chosen, **options)
        buffer = ctypes.create_string_buffer(data, len(data))
        self.module = self.device.mgpuModuleLoad(ctypes.addressof(buffer), len(data))

    def launch(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
        """Launch and wait. An array becomes a memref with dynamic sizes."""
        with caught_faults():
            self.prepared(kernel, grid, block, *arguments)()

    def prepared(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> Callable[[], None]:
        """What launches and waits, with all that can be done before done."""
        name = ctypes.create_string_buffer(kernel.encode())
        function = self.device.mgpuModuleGetFunction(self.module, ctypes.addressof(name))
        values: list[Any] = []
        for argument in arguments:
            values += _descriptor(argument) if isinstance(argument, np.ndarray) else [argument]
        pointers = (ctypes.c_void_p * max(len(values), 1))(*map(ctypes.addressof, values))
        given = (
            function, *_dims(grid), *_dims(block), self.shared, 0, ctypes.addressof(pointers), 0,
            len(values),
        )  # fmt: skip
        cluster = self.cluster
        # The pointers must live as long as the launches.
        kept = (arguments, values, pointers)

        def run() -> None:
            assert kept
            if cluster is None:
                self.device.mgpuLaunchKernel(*given)
            else:
                self.device.mgpuLaunchClusterKernel(function, *cluster, *given[1:-1])
            self.device.mgpuStreamSynchronize(0)
            if self.session.error is not None:
                raise self.session.error

        return run

    def close(self) -> None:
        self.device.close()


def _descriptor(array: Any) -> list[Any]:
    pointer = ctypes.c_void_p(array.ctypes.data)
    strides = [s // array.itemsize for s in array.strides]
    words = [0, *array.shape, *strides]
    return [pointer, pointer, *(ctypes.c_int64(w) for w in words)]


def _dims(size: Any) -> tuple[int, int, int]:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    return (*sizes, *(1,) * (3 - len(sizes)))
