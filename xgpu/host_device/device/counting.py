# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that count what their kernels do, while a profile asks for it.

The first launch of a kernel with its sizes runs code with counters (`compiler.counting`), in the
strategy that the kernel has. Later ones run as ever, and say how long that takes.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import TYPE_CHECKING

from xgpu.core.support.forks import new_lock
from xgpu.host_device.compiler.counting import COUNTERS
from xgpu.host_device.compiler.kernel_cache import KernelCode
from xgpu.host_device.device.modules import THREADS, HostModule, Kernel
from xgpu.host_device.device.prototypes import prototype_of
from xgpu.runtime.work import Access, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xgpu.host_device.compiler.counting import BlockWork, Gather
    from xgpu.host_device.compiler.objects import KernelInfo, Specialized
    from xgpu.host_device.device.launch import Launch
    from xgpu.host_device.device.modules import Dims
    from xgpu.host_device.device.prototypes import Configuration

    #: Runs a launch; what went wrong, or None.
    Run = Callable[[Launch], str | None]


class CountingModule(HostModule):
    """A loaded module whose kernels count. It has the variables of the `original`, which stays as
    it is."""

    def __init__(self, original: HostModule) -> None:
        vars(self).update(vars(original))
        self._original = original
        self._source = KernelCode(original._source.text, original.has_bounds)
        self._source.is_cached = False
        self._source.source.count()
        self._checks, self._thread_checks, self._trackers = {}, [], []
        self._threads = None
        self._is_divided = False
        self._suspending = set()
        self._lock = new_lock()
        self.chosen = {}
        self.kernels = {name: Kernel(self, k.info) for name, k in original.kernels.items()}
        words = 2 * len(self._source.source.work)
        self.variables = {**original.variables, COUNTERS: 8 * words} if words else self.variables
        #: By kernel, block, and whether the grid is small.
        self._gathers: dict[tuple[str, Dims, bool], Sequence[Gather]] = {}
        #: Held while a launch runs, to which all is added up that is counted meanwhile.
        self._alone = new_lock()

    def prepared(self, name: str) -> Kernel:
        """A kernel, with the code that holds the counters: a launch does not wait for it."""
        if COUNTERS in self.variables:
            self.variable(COUNTERS)
        return self.kernels[name]

    def _variable(self, name: str) -> int:
        return self._thread_code()[name] if name == COUNTERS else self._original.variable(name)

    def _thread_source(self) -> KernelCode:
        return self._source

    def _shared_variables(self) -> dict[str, int]:
        return {name: self._original.variable(name) for name in self._original.variables}

    def _specialized(self, info: KernelInfo, block: Dims, is_small: bool) -> Specialized | None:
        self._original.kernels[info.name].entry(block, is_small)
        strategy = self._original.chosen[info.name, block, is_small]
        self.chosen[info.name, block, is_small] = strategy
        if strategy == THREADS:
            return None
        found = self._source.specialized(info.name, block, self._opt_level, is_small, strategy)
        self._gathers[info.name, block, is_small] = tuple(found.gathers)
        return found

    def run(self, launch: Launch, act: Run) -> str | None:
        """Runs a launch of a kernel of this module, whose `work` is known then."""
        work = self._source.source.work
        if not work:
            failure = act(launch)
            launch.work = Work()
            return failure
        kind = ctypes.c_uint64 * (2 * len(work))
        with self._alone:
            words = kind.from_address(self.variable(COUNTERS))
            words[:] = [0] * len(words)
            failure = act(launch)
            found = list(words)
        record = launch.record
        block = (record.block_x, record.block_y, record.block_z)
        is_small = record.grid_x * record.block_x < 1 << 31
        gathers = self._gathers.get((launch.name, block, is_small), ())
        launch.work = _added_up(work, found[::2], found[1::2], gathers)
        return failure


def _added_up(
    work: Sequence[BlockWork], threads: Sequence[int], lanes: Sequence[int],
    gathers: Sequence[Gather],
) -> Work:  # fmt: skip
    """What a launch did, by how many threads executed each block, and in how many lanes."""
    accesses: Counter[tuple[str, str]] = Counter()
    for gather in gathers:
        if threads[gather.mark]:
            accesses[gather.kind, gather.location] += threads[gather.mark]

    def total(name: str, counts: Sequence[int]) -> int:
        return sum(getattr(w, name) * n for w, n in zip(work, counts, strict=True))

    return Work(
        floats=total("floats", threads), doubles=total("doubles", threads),
        loaded=total("loaded", threads), stored=total("stored", threads),
        shared=total("shared", threads), operations=total("operations", threads),
        lanes=total("operations", lanes),
        gathers=tuple(Access(*what, n) for what, n in accesses.most_common()),
    )  # fmt: skip


class LaunchCounts:
    """Which launches count: the first one of a kernel with its sizes."""

    def __init__(self) -> None:
        self._counted: set[tuple[Kernel, Configuration]] = set()
        self._modules: dict[HostModule, CountingModule] = {}
        self._lock = new_lock()

    def prepare(self, kernel: Kernel, configuration: Configuration) -> None:
        """Makes the code that a launch is going to need, if it is going to count."""
        if (kernel, configuration) not in self._counted:
            with self._lock:
                prototype_of(self._module(kernel).prepared(kernel.info.name), configuration)

    def run(self, launch: Launch, act: Run) -> str | None:
        """Runs a launch by `act`, or code in its place that counts; what went wrong, or None."""
        kernel = launch.kernel
        with self._lock:
            key = kernel, launch.configuration
            if key in self._counted:
                module = None
            else:
                self._counted.add(key)
                module = self._module(kernel)
        if module is None:
            return act(launch)
        counting = launch.with_code_of(module.prepared(kernel.info.name))
        failure = module.run(counting, act)
        launch.take_outcome(counting)
        return failure

    def _module(self, kernel: Kernel) -> CountingModule:
        found = self._modules.get(kernel.module)
        if found is None:
            found = self._modules[kernel.module] = CountingModule(kernel.module)
        return found
