# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the driver: launches and tensor maps."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import NamedTuple

from xgpu.api.cuda_driver.header import (
    LaunchAttribute,
    LaunchConfig,
    Refused,
    Result,
    TensorMap,
    require,
)
from xgpu.api.cuda_driver.launches_again import Again
from xgpu.api.cuda_driver.modules import (
    MAX_DYNAMIC_SHARED,
    NON_PORTABLE_CLUSTER,
    Function,
    Kernel,
    resident,
)
from xgpu.api.cuda_driver.settings import DeviceAttribute
from xgpu.api.cuda_driver.state import KERNEL, Context, Driver, NodeWork, Part, Stream
from xgpu.api.cuda_driver.table import Needs, entry
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.abi.structs import ctypes_struct
from xgpu.host_device.device.launch import Launch
from xgpu.host_device.device.memory_functions import ELEMENT_BYTES, SWIZZLE_BYTES
from xgpu.runtime.cuda.graph_nodes import KernelNode
from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER, Dims, LaunchLimits

_WORD = ctypes.c_uint64
_LIMITS = LaunchLimits()
_ONE: Dims = (1, 1, 1)
_COOPERATIVE, _MOST_ATTRIBUTE = 2, 64
# A launch of no more threads takes less time than another thread to begin.
_QUICK_THREADS = 65536
# The array `extra`: pairs of one of these and a pointer.
_END, _BUFFER, _BUFFER_SIZE = 0, 1, 2


class Attributes(NamedTuple):
    """What the attributes of a launch ask for."""

    cluster: Dims = _ONE
    is_cooperative: bool = False


_PLAIN = Attributes()


def attributes_of(config: LaunchConfig) -> Attributes:
    """What a configuration asks for. Raises `Refused`."""
    if not config.count:
        return _PLAIN
    require(config.attributes, "a pointer is null")
    cluster, cooperative = _ONE, False
    for given in (LaunchAttribute * config.count).from_address(config.attributes):
        require(given.id <= _MOST_ATTRIBUTE, f"no attribute {given.id}")
        if given.id == CLUSTER_DIMENSION:
            cluster = (given.value[0], given.value[1], given.value[2])
        elif given.id == _COOPERATIVE:
            cooperative = bool(given.value[0])
    return Attributes(cluster, cooperative)


def check_launch(
    function: Function, grid: Dims, block: Dims, shared: int, asked: Attributes
) -> None:
    """Raise `Refused` for what the device does not take."""
    sizes = (grid, block, shared, asked)
    if sizes in function.accepted:
        return
    _check_sizes(function, grid, block, shared, asked)
    if len(function.accepted) >= _MOST_ACCEPTED:
        function.accepted.clear()
    function.accepted.add(sizes)


_MOST_ACCEPTED = 1024


def _check_sizes(
    function: Function, grid: Dims, block: Dims, shared: int, asked: Attributes
) -> None:
    threads = block[0] * block[1] * block[2]
    require(min(*grid, *block) > 0, "every size must be at least 1")
    fits = all(b <= most for b, most in zip(block, _LIMITS.block, strict=True))
    require(fits and threads <= _LIMITS.threads, f"a block of {threads} threads")
    require(all(g <= most for g, most in zip(grid, _LIMITS.grid, strict=True)), "the grid")
    require(shared <= function.values[MAX_DYNAMIC_SHARED], f"{shared} bytes of shared memory")
    require(threads <= function.max_threads, f"the kernel takes {function.max_threads} threads")
    if asked.cluster != _ONE:
        _check_cluster(function, grid, asked.cluster)
    if asked.is_cooperative:
        known = function.context.device.attributes
        room = resident(function, threads, shared) * known[DeviceAttribute.MULTIPROCESSOR_COUNT]
        require(
            grid[0] * grid[1] * grid[2] <= room, f"at most {room} blocks at a time",
            Result.COOPERATIVE_LAUNCH_TOO_LARGE,
        )  # fmt: skip


def _check_cluster(function: Function, grid: Dims, cluster: Dims) -> None:
    has_clusters = function.context.device.attributes[DeviceAttribute.CLUSTER_LAUNCH]
    require(has_clusters, "the device has no clusters")
    require(min(cluster) > 0, "every size must be at least 1")
    blocks = cluster[0] * cluster[1] * cluster[2]
    most = _LIMITS.cluster if function.values[NON_PORTABLE_CLUSTER] else PORTABLE_CLUSTER
    divides = all(g % c == 0 for g, c in zip(grid, cluster, strict=True))
    require(blocks <= most and divides, f"a cluster of {blocks}", Result.INVALID_CLUSTER_SIZE)


def prepared(
    context: Context, given: Function, grid: Dims, block: Dims, shared: int, parameters: int,
    extra: int, asked: Attributes,
) -> Launch:  # fmt: skip
    """A launch with its arguments copied. Raises `Refused`."""
    function = given.of(context)
    require(function.context is context, "another context's kernel", Result.INVALID_HANDLE)
    if function.info.cluster and asked.cluster == _ONE:
        x, y, z = (*function.info.cluster, 1, 1)[:3]
        asked = asked._replace(cluster=(x, y, z))
    check_launch(function, grid, block, shared, asked)
    if context.driver.launched is not None:
        code = function.module.code
        context.driver.launched[code.name, function.name] = code.text
    kept: ctypes.Array[ctypes.c_uint64] | None = None
    if function.info.parameter_sizes and not parameters:
        require(extra, "the kernel takes parameters, and there are none")
        kept = _pointers(function, extra)
        parameters = ctypes.addressof(kept)
    try:
        made = Launch(function.kernel, (grid, block, asked.cluster, shared), parameters)
    except DeviceError as problem:
        context.driver.say(f"error: {problem}")
        raise Refused(Result.INVALID_IMAGE, str(problem)) from None
    made.is_cooperative = asked.is_cooperative
    return made


def _pointers(function: Function, extra: int) -> ctypes.Array[ctypes.c_uint64]:
    """Pointers to the parameters in a buffer that has all of them."""
    buffer = size = at = 0
    while (kind := _WORD.from_address(extra + at).value) != _END:
        value = _WORD.from_address(extra + at + 8).value
        require(kind in (_BUFFER, _BUFFER_SIZE) and value, f"{kind} in the array of options")
        if kind == _BUFFER:
            buffer = value
        else:
            size = _WORD.from_address(value).value
        at += 16
    offsets = function.offsets()
    require(buffer, "no buffer of parameters")
    require(size >= offsets[-1] + function.info.parameter_sizes[-1], "the buffer is too small")
    return (_WORD * len(offsets))(*(buffer + offset for offset in offsets))


class KernelWork(NodeWork):
    kind = KERNEL

    def __init__(
        self, context: Context, function: Function, launch: Launch, asked: Attributes,
        given: KernelNode | None = None,
    ) -> None:  # fmt: skip
        super().__init__(None, context.number)
        self.context, self.function, self.launch, self.asked = context, function, launch, asked
        self.given: KernelNode = self._described() if given is None else given

    def _described(self) -> KernelNode:
        made, record = KernelNode(), self.launch.record
        made.function = self.function.handle
        made.grid[:] = record.grid_x, record.grid_y, record.grid_z
        made.block[:] = record.block_x, record.block_y, record.block_z
        made.shared = record.dynamic_shared
        made.parameters = ctypes.addressof(self.launch.parameters)
        return made

    def parts(self) -> Sequence[Part]:
        launch, host = self.launch.again(), self.context.host
        host.session.create("launches")
        return ((launch.name, lambda: host.run_launch(launch), launch),)


def launch(
    context: Context, given: Function, grid: Dims, block: Dims, shared: int, stream: Stream,
    parameters: int, extra: int, asked: Attributes,
) -> None:  # fmt: skip
    require(stream.context is context, "another context's stream", Result.INVALID_HANDLE)
    function = given.of(context)
    made = prepared(context, function, grid, block, shared, parameters, extra, asked)
    if stream.capture is not None:
        stream.capture.add(stream, KernelWork(context, function, made, asked))
        return
    enqueue_launch(context, stream, made)
    key = (*grid, *block, shared), stream, asked
    if key not in function.repeated and made.prototype.is_quick and parameters:
        again = Again.of(context, stream, made)
        if again is not None:
            if len(function.repeated) >= _MOST_REPEATED:
                function.repeated.clear()
            function.repeated[key] = [again]


_MOST_REPEATED = 64


def _launched_again(
    context: Context, given: Function | Kernel, sizes: tuple[int, ...], stream: Stream,
    asked: Attributes, parameters: int, handle: int,
) -> bool:  # fmt: skip
    """Make a launch with few steps, if one with these sizes was made before; False if nothing was
    done. `handle` is the stream's in the call, below zero where machine code may not make it."""
    known = given.of(context).repeated.get((sizes, stream, asked))
    if not known or not parameters or stream.capture is not None:
        return False
    try:
        again = known.pop()  # another thread has none meanwhile
    except IndexError:
        return False
    try:
        if not again(context, stream, parameters):
            return False
        if handle >= 0 and asked is _PLAIN:
            again.note(given.handle, handle, sizes)
        return True
    finally:
        known.append(again)


def _launch_again(context: Context, per_thread: bool, given: tuple[int, ...]) -> bool:
    """`cuLaunchKernel` with few steps; False leaves it, and all that is wrong, to what follows."""
    handles = context.driver.handles
    function, handle = handles.get(given[0]), given[8]
    if handle > 2:
        stream = handles.get(handle)
    else:
        stream = context.default_stream(handle == 2 or (per_thread and handle == 0))
    if not isinstance(function, (Function, Kernel)) or not isinstance(stream, Stream):
        return False
    is_ours = stream.context is context
    if not is_ours:
        return False
    known_as = -1 if per_thread else handle
    return _launched_again(context, function, given[1:8], stream, _PLAIN, given[9], known_as)


def enqueue_launch(context: Context, stream: Stream, made: Launch) -> None:
    host = context.host
    prototype, record = made.prototype, made.record
    # One that waits for no others always ends: it may run in this thread.
    threads = record.block_x * record.block_y * record.block_z * prototype.groups
    quick = prototype.is_independent and threads <= _QUICK_THREADS and host.sanitizer is None
    host.session.create("launches")
    stream.enqueue(made.name, lambda: host.run_launch(made), made, quick=quick)


@entry(
    "cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, "
    "unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, "
    "unsigned int shared, CUstream stream, void *parameters[]?, void *extra[]?)", since=4000,
    at_first=_launch_again,
)  # fmt: skip
def launch_kernel(
    context: Context, function: Function, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
    shared: int, stream: Stream, parameters: int, extra: int,
) -> None:  # fmt: skip
    launch(context, function, (gx, gy, gz), (bx, by, bz), shared, stream, parameters, extra, _PLAIN)


@entry(
    "cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, "
    "unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, "
    "unsigned int shared, CUstream stream, void *parameters[]?)", since=9000,
)  # fmt: skip
def launch_cooperative(
    context: Context, function: Function, gx: int, gy: int, gz: int, bx: int, by: int, bz: int,
    shared: int, stream: Stream, parameters: int,
) -> None:  # fmt: skip
    launch(
        context, function, (gx, gy, gz), (bx, by, bz), shared, stream, parameters, 0,
        Attributes(is_cooperative=True),
    )  # fmt: skip


def _declare_launch_with(per_thread: bool) -> None:
    """`cuLaunchKernelEx` has its stream in a structure."""
    symbol = "cuLaunchKernelEx_ptsz" if per_thread else "cuLaunchKernelEx"

    @entry(
        f"{symbol}(const CUlaunchConfig *config, CUfunction function, void *parameters[]?, "
        "void *extra[]?)", since=11060,
    )  # fmt: skip
    def launch_with(
        context: Context, config: LaunchConfig, function: Function, parameters: int, extra: int
    ) -> None:
        asked = attributes_of(config)
        (gx, gy, gz), (bx, by, bz) = config.grid, config.block
        stream = stream_of(context, config.stream, per_thread)
        sizes = (gx, gy, gz, bx, by, bz, config.shared)
        is_ours, known_as = stream.context is context, -1 if per_thread else config.stream or 0
        if is_ours and _launched_again(
            context, function, sizes, stream, asked, parameters, known_as
        ):
            return
        launch(
            context, function, (gx, gy, gz), (bx, by, bz), config.shared, stream, parameters,
            extra, asked,
        )  # fmt: skip


_declare_launch_with(False)
_declare_launch_with(True)


def stream_of(context: Context, handle: int, per_thread: bool) -> Stream:
    """The stream behind a handle in a structure. Raises `Refused`."""
    if handle > 2:
        return context.driver.find(handle, Stream)
    return context.default_stream(handle == 2 or (per_thread and handle == 0))


# -- tensor maps


_MOST_RANK, _MOST_BOX = 5, 256
_TILED = "CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, "


@entry(
    f"cuTensorMapEncodeTiled({_TILED}const cuuint64_t sizes[], const cuuint64_t strides[]?, "
    "const cuuint32_t box[], const cuuint32_t steps[], CUtensorMapInterleave interleave, "
    "CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)",
    needs=Needs.INIT, since=12000,
)  # fmt: skip
def encode_tiled(
    driver: Driver, map: TensorMap, kind: int, rank: int, address: int, sizes: int, strides: int,
    box: int, steps: int, interleave: int, swizzle: int, promotion: int, fill: int,
) -> None:  # fmt: skip
    require(1 <= rank <= _MOST_RANK, f"a rank of {rank}")
    require(kind < len(ELEMENT_BYTES), f"no type {kind}")
    # The map may lie anywhere: the driver's documentation wants 64 bytes, but cuda.core keeps its
    # maps in objects of Python, which are aligned at 16.
    require(interleave <= 2 and promotion <= 3 and fill <= 1, "an enumeration")
    require(address % (32 if interleave == 2 else 16) == 0, "alignment of the address")
    if interleave or swizzle >= len(SWIZZLE_BYTES):
        driver.say("error: cuTensorMapEncodeTiled: this interleaving or swizzle is not supported")
        raise Refused(Result.NOT_SUPPORTED)
    bytes = ELEMENT_BYTES[kind]
    extents = list((_WORD * rank).from_address(sizes))
    boxes = list((ctypes.c_uint32 * rank).from_address(box))
    require(rank == 1 or strides, "a pointer is null")
    distances = list((_WORD * (rank - 1)).from_address(strides)) if rank > 1 else []
    steps_given = list((ctypes.c_uint32 * rank).from_address(steps))
    require(all(0 < e <= 1 << 32 for e in extents), f"sizes {extents}")
    require(all(s % 16 == 0 and s < 1 << 40 for s in distances), f"strides {distances}")
    require(all(0 < b <= _MOST_BOX for b in boxes), f"a box of {boxes}")
    require(all(0 < s <= 8 for s in steps_given), f"steps of elements {steps_given}")
    require(boxes[0] * bytes % 16 == 0, "rows of the box are multiples of 16 bytes")
    row = boxes[0] * bytes
    require(not swizzle or row <= SWIZZLE_BYTES[swizzle], f"rows of {row} bytes are swizzled")
    if any(step != 1 for step in steps_given[1:]):
        driver.say("error: cuTensorMapEncodeTiled: steps between elements are not supported")
        raise Refused(Result.NOT_SUPPORTED)
    encoded = ctypes_struct("TensorMap")()
    encoded.base, encoded.rank = address, rank
    encoded.element_bytes, encoded.element_type = bytes, kind
    encoded.swizzle, encoded.fill = swizzle, fill
    for i in range(rank):
        encoded.sizes[i], encoded.box[i] = extents[i], boxes[i]
    for i, distance in enumerate(distances):
        encoded.strides[i] = distance
    ctypes.memset(ctypes.addressof(map), 0, ctypes.sizeof(map))
    ctypes.memmove(ctypes.addressof(map), ctypes.addressof(encoded), ctypes.sizeof(encoded))


@entry("cuTensorMapReplaceAddress(CUtensorMap *map, void *address)", needs=Needs.INIT, since=12000)
def replace_address(driver: Driver, map: TensorMap, address: int) -> None:
    require(address % 16 == 0, "alignment of the address")
    ctypes_struct("TensorMap").from_address(ctypes.addressof(map)).base = address
