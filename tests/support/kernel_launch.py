# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of an MLIR module on the host device, launched on numpy arrays from Python."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from xgpu.api.memory import span_of
from xgpu.driver import compiler
from xgpu.host_device.compiler.objects import MAGIC, write_object
from xgpu.host_device.device.arrays import ArrayFacts, KnownArrays
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.modules import Kernel, KernelStrategies
from xgpu.host_device.device.operations import Stream
from xgpu.host_device.device.prototypes import copy_parameters
from xgpu.host_device.native.signals import caught_faults
from xgpu.runtime.session import Session


def host_object(text: str, opt_level: int = 2, relaxed_floats: bool = False) -> bytes:
    """The only kernel module of a program, compiled for the host."""
    return lowered_object(compiler.parse(text), opt_level, relaxed_floats)


def lowered_object(module: Any, opt_level: int = 2, relaxed_floats: bool = False) -> bytes:
    """Likewise of a module, which is changed."""
    options = "relaxed-float-atomics=1" if relaxed_floats else ""
    compiler.lower(
        module, chip=compiler.HOST_CHIP, format="host", opt_level=opt_level, options=options
    )
    (data,) = compiler.device_code(module).values()
    return data


def at_level(data: bytes, opt_level: int) -> bytes:
    """An object to be compiled at another level: passes do not ask for it, only LLVM does."""
    start = len(MAGIC) + 8
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    manifest = json.loads(data[start:end])
    return write_object({**manifest, "opt_level": opt_level}, data[end:].decode())


class _Given(NamedTuple):
    """What a launch gets; it must live as long as there are launches."""

    words: tuple[int, ...]
    pointers: ctypes.Array[ctypes.c_void_p]
    kept: object


class Launcher:
    """A host object on a device; `strategies` tells which strategy kernels got."""

    def __init__(
        self, data: bytes, strategy: str = "auto", *, strategies: KernelStrategies | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        self.strategies: list[str] = []
        #: Bytes of dynamic workgroup memory that launches ask for.
        self.shared = 0
        #: Blocks of a cluster, where launches ask for one.
        self.cluster: tuple[int, int, int] | None = None
        self.session = Session()
        chosen = strategies or KernelStrategies(
            strategy, lambda chosen: self.strategies.append(str(chosen))
        )
        self.device = HostDevice(self.session, strategies=chosen, **options)
        buffer = ctypes.create_string_buffer(data, len(data))
        self.module = self.device.mgpuModuleLoad(ctypes.addressof(buffer), len(data))

    def launch(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
        """Launch and wait. An array becomes a memref with dynamic sizes."""
        with caught_faults():
            self.prepared(kernel, grid, block, *arguments)()

    def prepared(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> Callable[[], None]:
        """What launches and waits as a host program does, with all that can be done before done."""
        given, cluster = self._given(kernel, grid, block, arguments), self.cluster
        self.device.arrays.set(_facts(a) for a in arguments if isinstance(a, np.ndarray))

        def run() -> None:
            if cluster is None:
                self.device.mgpuLaunchKernel(*given.words)
            else:
                self.device.mgpuLaunchClusterKernel(given.words[0], *cluster, *given.words[1:-1])
            self.device.mgpuStreamSynchronize(0)
            if self.session.error is not None:
                raise self.session.error

        return run

    def beside(self, launches: Sequence[tuple[Any, ...]]) -> None:
        """Launch each on a stream of its own, and then wait for all."""
        given = [self._given(*launch[:3], launch[3:]) for launch in launches]
        streams = [self.device.mgpuStreamCreate() for _ in launches]
        for one, stream in zip(given, streams, strict=True):
            function, *sizes = one.words
            sizes[7] = stream
            self.device.mgpuLaunchKernel(function, *sizes)
        for stream in streams:
            self.device.mgpuStreamSynchronize(stream)
            self.device.mgpuStreamDestroy(stream)
        if self.session.error is not None:
            raise self.session.error

    def at_once(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> Callable[[], None]:
        """Likewise as `kernel[grid, block](...)` on arrays of the host does, which waits."""
        given = self._given(kernel, grid, block, arguments)
        configuration = (_dims(grid), _dims(block), (1, 1, 1), self.shared)
        kept = self.device.kernel(given.words[0])
        stream = Stream(0)
        known, words = self._known(kept, arguments, given)
        again = self.device.repeated(stream, Launch(kept, configuration, 0, words, known))

        def run() -> None:
            if again is None or not again():
                _ = given  # until here
                launch = Launch(kept, configuration, 0, words, known)
                self.device.enqueue(
                    stream, kernel, lambda: self.device.run_launch(launch), launch, quick=True
                )
            if self.session.error is not None:
                raise self.session.error

        return run

    def _known(
        self, kernel: Kernel, arguments: Any, given: _Given
    ) -> tuple[KnownArrays | None, Any]:
        """The arrays among the arguments, and pointers with those to their bounds behind them."""
        if not kernel.module.has_bounds:
            return None, given.pointers
        known = KnownArrays()
        known.set(_facts(a) for a in arguments if isinstance(a, np.ndarray))
        return known, copy_parameters(kernel, ctypes.addressof(given.pointers), known.bounds_of)[0]

    def _given(self, kernel: str, grid: Any, block: Any, arguments: Any) -> _Given:
        name = ctypes.create_string_buffer(kernel.encode())
        function = self.device.mgpuModuleGetFunction(self.module, ctypes.addressof(name))
        values: list[Any] = []
        for argument in arguments:
            values += _descriptor(argument) if isinstance(argument, np.ndarray) else [argument]
        pointers = (ctypes.c_void_p * max(len(values), 1))(*map(ctypes.addressof, values))
        words = (
            function, *_dims(grid), *_dims(block), self.shared, 0, ctypes.addressof(pointers), 0,
            len(values),
        )  # fmt: skip
        return _Given(words, pointers, (arguments, values))

    @property
    def strategy(self) -> str:
        """The strategy that the kernel got last, and why: what the line of
        `--print-kernel-strategies` says between the sizes of the blocks and the module."""
        told = re.fullmatch(
            r"(?:\S+: )?kernel '.+', blocks of [^:]+: (.+?)(?: \(in gpu\.module '.+'\))?",
            self.strategies[-1],
        )
        assert told is not None, self.strategies[-1]
        return told[1]

    def close(self) -> None:
        self.device.close()


def _facts(array: Any) -> ArrayFacts:
    begin = array.ctypes.data
    strides = tuple(s // array.itemsize for s in array.strides)
    low, high = span_of(array.shape, strides, array.itemsize)
    extent = (begin + low, begin + high)
    return ArrayFacts("an array", "memref", begin, array.shape, strides, array.itemsize, extent)


def _descriptor(array: Any) -> list[Any]:
    pointer = ctypes.c_void_p(array.ctypes.data)
    strides = [s // array.itemsize for s in array.strides]
    words = [0, *array.shape, *strides]
    return [pointer, pointer, *(ctypes.c_int64(w) for w in words)]


def _dims(size: Any) -> tuple[int, int, int]:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    return (*sizes, *(1,) * (3 - len(sizes)))
