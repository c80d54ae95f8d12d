# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches from Python in one call of machine code, for callers who launch the same kernel with
the same sizes many times: all that the driver is told lies in a record, made once.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.runtime.cuda.direct_text import CONTEXT_ENTRIES, direct_text
from xgpu.runtime.cuda.driver import Driver
from xgpu.runtime.cuda.gate import Gate
from xgpu.runtime.cuda.graph_call import GRAPH_CALL, GraphCall, graph_call_text
from xgpu.runtime.cuda.object_launch import (
    INTERPRETER,
    OBJECT_LAUNCH,
    RECORD_LAUNCH,
    Expected,
    Layout,
    object_launch,
    object_text,
    record_launch,
    record_text,
)
from xgpu.runtime.cuda.structures import (
    CLUSTER_DIMENSION,
    CLUSTER_POLICY,
    CLUSTER_SPREAD,
    DirectRecord,
    LaunchAttribute,
    LaunchConfig,
)
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER, Dims

if TYPE_CHECKING:
    from llvmlite.binding.orcjit import ResourceTracker


_LAUNCHES = (*CONTEXT_ENTRIES, "cuLaunchKernel", "cuLaunchKernelEx")
_GRAPH_ENTRIES = (*CONTEXT_ENTRIES, "cuGraphLaunch", "cuStreamQuery")
_FOR_RECORDS = (
    "PyLong_AsUnsignedLongLong", "PyLong_FromLong", "PyEval_SaveThread", "PyEval_RestoreThread",
)  # fmt: skip
_MOST = 2**31  # sizes below go into the driver's 32 bits
_numbers = itertools.count()


class DirectLaunches:
    """`launch(address of a record)` is 0 where the driver took the launch. If not, `CudaDevice`
    does it again, in the right context, or has the words for what is wrong; so it does always
    while `context` is 0 or the record's gate is closed. Raises `CudaError` where the driver has no
    such entry points.
    """

    def __init__(self, driver: Driver) -> None:
        #: The context that has to be current.
        self.context = ctypes.c_uint64(0)
        #: Closed when the device is: graphs are launched no more.
        self.gate = Gate()
        self._driver = driver
        text = direct_text() + record_text()
        self._tracker = self._linked(text, RECORD_LAUNCH, _LAUNCHES, _FOR_RECORDS)
        self.launch: Callable[[int], int] = record_launch(self._tracker[RECORD_LAUNCH])
        self._objects: ResourceTracker | None = None
        self._graphs: ResourceTracker | None = None

    def _linked(
        self, text: str, exported: str, entries: tuple[str, ...], others: tuple[str, ...]
    ) -> ResourceTracker:
        from llvmlite import binding

        from xgpu.host_device.native.library import native_library
        from xgpu.runtime.cuda.native import machine_code

        builder = binding.JITLibraryBuilder().add_object_img(machine_code(text))
        for entry in entries:
            builder.import_symbol(entry, self._driver.entry(entry))
        for name in others:
            function = getattr(ctypes.pythonapi, name)  # what the process has, memcmp too
            builder.import_symbol(name, ctypes.cast(function, ctypes.c_void_p).value or 0)
        builder.export_symbol(exported)
        return builder.link(native_library().jit, f"xgpu.cuda.direct.{next(_numbers)}")

    def record(
        self, function: int, grid: Dims, block: Dims, cluster: Dims | None, shared: int,
        stream: int, parameters: int, gate: Gate,
    ) -> DirectRecord | None:  # fmt: skip
        """What `launch` takes the address of; None for sizes that need more than one call.
        `parameters` is the address of an array of addresses, `shared` in bytes, `gate` that of the
        kernel's module.
        """
        if not 0 <= max(*grid, *block, shared) < _MOST or min(*grid, *block, shared) < 0:
            return None
        made = DirectRecord()
        made.gate = gate.address
        made.gate_kept = gate
        if cluster is not None:
            if cluster[0] * cluster[1] * cluster[2] > PORTABLE_CLUSTER:
                return None
            made.kept = _clustered(grid, block, cluster, shared, stream)
            made.config = ctypes.addressof(made.kept[0])
        made.context = ctypes.addressof(self.context)
        made.function, made.parameters, made.stream = function, parameters, stream
        made.grid[:], made.block[:], made.shared = grid, block, shared
        return made

    def object_launch(
        self, record: DirectRecord, words: bytes, expected: Sequence[Expected], unlent: bool,
        layout: Layout,
    ) -> Callable[..., bool]:  # fmt: skip
        """The launch of `record` with other arguments each time."""
        if self._objects is None:
            text = direct_text() + object_text(layout)
            self._objects = self._linked(text, OBJECT_LAUNCH, _LAUNCHES, INTERPRETER)
        return object_launch(
            self._objects[OBJECT_LAUNCH], record, words, expected, layout.array_type, unlent
        )

    def graph_call(
        self, context: int, stream: int, words: bytes, expected: Sequence[Expected], layout: Layout
    ) -> GraphCall:
        """Calls of a function that launches a graph; see `GraphCall`."""
        if self._graphs is None:
            others = (*INTERPRETER, "PyLong_FromLong", "memcmp")
            text = graph_call_text(layout)
            self._graphs = self._linked(text, GRAPH_CALL, _GRAPH_ENTRIES, others)
        return GraphCall(
            self._graphs[GRAPH_CALL], context, stream, words, expected, layout.array_type, self.gate
        )


def _clustered(
    grid: Dims, block: Dims, cluster: Dims, shared: int, stream: int
) -> tuple[LaunchConfig, ctypes.Array[LaunchAttribute]]:
    """What a launch with clusters is told, and the attributes that it points to."""
    attributes = (LaunchAttribute * 2)()
    attributes[0].id, attributes[0].value[:3] = CLUSTER_DIMENSION, cluster
    attributes[1].id, attributes[1].value[0] = CLUSTER_POLICY, CLUSTER_SPREAD
    config = LaunchConfig()
    config.grid[:], config.block[:], config.shared = grid, block, shared
    config.stream, config.attributes = stream, ctypes.addressof(attributes)
    config.count = len(attributes)
    return config, attributes
