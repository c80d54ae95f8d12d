# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `cuda_functions`, in the language of the native library
(`xgpu.host_device.native.language`)."""

from __future__ import annotations

from xgpu.driver.cuda_functions import (
    ATTRIBUTE_BYTES,
    ATTRIBUTE_VALUE,
    CONFIG_ATTRIBUTES,
    CONFIG_BLOCK,
    CONFIG_BYTES,
    CONFIG_COUNT,
    CONFIG_GRID,
    CONFIG_SHARED,
    CONFIG_STREAM,
    CONTEXT,
    FILL_BYTES,
    FILL_HEIGHT,
    FILL_SIZE,
    FILL_TARGET,
    FILL_VALUE,
    FILL_WIDTH,
    GRAPH,
    KERNEL_BLOCK,
    KERNEL_BYTES,
    KERNEL_FUNCTION,
    KERNEL_GRID,
    KERNEL_PARAMETERS,
    KERNEL_SHARED,
    LAUNCHES,
    NODE_EXECUTABLE,
    NODE_HANDLE,
    NODE_PARAMETERS,
    NODE_STORAGE,
    NODE_WORDS,
    POLLS,
)
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_add,
    copy_bytes,
    extern,
    i1,
    i8,
    i16,
    i32,
    i64,
    lshr,
    ptr,
    stack,
    ule,
    zero_bytes,
    zext32,
    zext64,
)
from xgpu.runtime.cuda.launches import CLUSTER_DIMENSION, CLUSTER_POLICY, CLUSTER_SPREAD
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER

MOST = 2147483647  # of a size that the driver takes as 32 bits


@extern
def cuda_words() -> Ptr[i64]: ...


# -- the driver: 0 is success


@extern
def cuCtxGetCurrent(context: ptr) -> i32: ...


@extern
def cuLaunchKernelEx(
    config: ptr, function: ptr, parameters: ptr | None, extra: ptr | None
) -> i32: ...


@extern
def cuStreamSynchronize(stream: i64) -> i32: ...


@extern
def cuStreamQuery(stream: i64) -> i32: ...


@extern
def cuStreamWaitEvent(stream: i64, event: ptr, flags: i32) -> i32: ...


@extern
def cuEventRecord(event: ptr, stream: i64) -> i32: ...


@extern
def cuEventSynchronize(event: ptr) -> i32: ...


@extern
def cuEventQuery(event: ptr) -> i32: ...


@extern
def cuMemcpyAsync(target: ptr, source: ptr, size: i64, stream: i64) -> i32: ...


# C's convention wants narrow integers to fill a register of 32 bits.
@extern
def cuMemsetD8Async(target: ptr, value: i32, count: i64, stream: i64) -> i32: ...


@extern
def cuMemsetD16Async(target: ptr, value: i32, count: i64, stream: i64) -> i32: ...


@extern
def cuMemsetD32Async(target: ptr, value: i32, count: i64, stream: i64) -> i32: ...


@extern
def cuGraphExecKernelNodeSetParams(executable: ptr, node: ptr, parameters: ptr) -> i32: ...


@extern
def cuGraphExecMemsetNodeSetParams(
    executable: ptr, node: ptr, parameters: ptr, context: ptr
) -> i32: ...


@extern
def cuGraphLaunch(executable: ptr, stream: i64) -> i32: ...


@extern
def memcmp(one: ptr, other: ptr, size: i64) -> i32: ...


# -- the functions in Python


@extern
def python_mgpuLaunchKernel(
    function: ptr, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64, shared: i32,
    stream: i64, parameters: ptr | None, extra: ptr | None, count: i64,
) -> None: ...  # fmt: skip


@extern
def python_mgpuLaunchClusterKernel(
    function: ptr, cx: i64, cy: i64, cz: i64, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64,
    shared: i32, stream: i64, parameters: ptr | None, extra: ptr | None,
) -> None: ...  # fmt: skip


@extern
def python_mgpuStreamSynchronize(stream: i64) -> None: ...


@extern
def python_mgpuStreamWaitEvent(stream: i64, event: ptr) -> None: ...


@extern
def python_mgpuEventRecord(event: ptr, stream: i64) -> None: ...


@extern
def python_mgpuEventSynchronize(event: ptr) -> None: ...


@extern
def python_mgpuMemcpy(target: ptr, source: ptr, size: i64, stream: i64) -> None: ...


@extern
def python_mgpuMemset8(target: ptr, value: i32, count: i64, stream: i64) -> None: ...


@extern
def python_mgpuMemset16(target: ptr, value: i32, count: i64, stream: i64) -> None: ...


@extern
def python_mgpuMemset32(target: ptr, value: i32, count: i64, stream: i64) -> None: ...


@extern
def python_mgpuGraphExecKernelSetParams(
    executable: ptr, node: ptr, function: ptr, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64,
    shared: i32, parameters: ptr | None, count: i64, size: i64,
) -> None: ...  # fmt: skip


@extern
def python_mgpuGraphExecMemsetSetParams(
    executable: ptr, node: ptr, target: ptr, value: i64, width: i32, values: i64
) -> None: ...


@extern
def python_mgpuGraphLaunch(executable: ptr, stream: i64) -> None: ...


# -- launches


def is_ready() -> i1:
    """Whether the driver may be called as things are."""
    context = cuda_words()[CONTEXT]
    if context == 0:
        return False
    place = Ptr[i64](stack(8))
    place[0] = 0
    return cuCtxGetCurrent(place) == 0 and place[0] == context


def set_sizes(sizes: Ptr[i32], x: i64, y: i64, z: i64) -> None:
    sizes[0] = i32(x)
    sizes[1] = i32(y)
    sizes[2] = i32(z)


def set_config(
    config: ptr, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64, shared: i32,
    stream: i64,
) -> None:  # fmt: skip
    zero_bytes(config, CONFIG_BYTES)
    set_sizes(Ptr[i32](advance(config, 4 * CONFIG_GRID)), gx, gy, gz)
    set_sizes(Ptr[i32](advance(config, 4 * CONFIG_BLOCK)), bx, by, bz)
    Ptr[i32](config)[CONFIG_SHARED] = shared
    Ptr[i64](config)[CONFIG_STREAM] = stream


def has_launched(config: ptr, function: ptr, parameters: ptr | None, extra: ptr | None) -> i1:
    if cuLaunchKernelEx(config, function, parameters, extra) != 0:
        return False
    atomic_add(Ptr[i64](advance(cuda_words(), 8 * LAUNCHES)), 1)
    return True


def mgpuLaunchKernel(
    function: ptr, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64, shared: i32,
    stream: i64, parameters: ptr | None, extra: ptr | None, count: i64,
) -> None:  # fmt: skip
    config = stack(CONFIG_BYTES)
    if ule(gx | gy | gz | bx | by | bz, MOST) and is_ready():
        set_config(config, gx, gy, gz, bx, by, bz, shared, stream)
        if has_launched(config, function, parameters, extra):
            return
    python_mgpuLaunchKernel(
        function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra, count
    )


def mgpuLaunchClusterKernel(
    function: ptr, cx: i64, cy: i64, cz: i64, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64,
    shared: i32, stream: i64, parameters: ptr | None, extra: ptr | None,
) -> None:  # fmt: skip
    """Clusters of these sizes, which are to be spread."""
    config = stack(CONFIG_BYTES)
    attributes = stack(2 * ATTRIBUTE_BYTES)
    fits = ule(cx | cy | cz | gx | gy | gz | bx | by | bz, MOST)
    if fits and ule(cx * cy * cz, PORTABLE_CLUSTER) and is_ready():
        set_config(config, gx, gy, gz, bx, by, bz, shared, stream)
        zero_bytes(attributes, 2 * ATTRIBUTE_BYTES)
        first = Ptr[i32](attributes)
        first[0] = CLUSTER_DIMENSION
        set_sizes(Ptr[i32](advance(first, 4 * ATTRIBUTE_VALUE)), cx, cy, cz)
        second = Ptr[i32](advance(attributes, ATTRIBUTE_BYTES))
        second[0] = CLUSTER_POLICY
        second[ATTRIBUTE_VALUE] = CLUSTER_SPREAD
        Ptr[i64](config)[CONFIG_ATTRIBUTES] = i64(attributes)
        Ptr[i32](config)[CONFIG_COUNT] = 2
        if has_launched(config, function, parameters, extra):
            return
    python_mgpuLaunchClusterKernel(
        function, cx, cy, cz, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra
    )


# -- streams and events. While Python waits, these only find that all is over.


def mgpuStreamSynchronize(stream: i64) -> None:
    if is_ready():
        polls = cuda_words()[POLLS] != 0
        if (cuStreamQuery(stream) if polls else cuStreamSynchronize(stream)) == 0:
            return
    python_mgpuStreamSynchronize(stream)


def mgpuEventSynchronize(event: ptr) -> None:
    if is_ready():
        polls = cuda_words()[POLLS] != 0
        if (cuEventQuery(event) if polls else cuEventSynchronize(event)) == 0:
            return
    python_mgpuEventSynchronize(event)


def mgpuStreamWaitEvent(stream: i64, event: ptr) -> None:
    if not is_ready() or cuStreamWaitEvent(stream, event, 0) != 0:
        python_mgpuStreamWaitEvent(stream, event)


def mgpuEventRecord(event: ptr, stream: i64) -> None:
    if not is_ready() or cuEventRecord(event, stream) != 0:
        python_mgpuEventRecord(event, stream)


# -- memory


def mgpuMemcpy(target: ptr, source: ptr, size: i64, stream: i64) -> None:
    if not is_ready() or cuMemcpyAsync(target, source, size, stream) != 0:
        python_mgpuMemcpy(target, source, size, stream)


def mgpuMemset8(target: ptr, value: i8, count: i64, stream: i64) -> None:
    if not is_ready() or cuMemsetD8Async(target, zext32(value), count, stream) != 0:
        python_mgpuMemset8(target, zext32(value), count, stream)


def mgpuMemset16(target: ptr, value: i16, count: i64, stream: i64) -> None:
    if not is_ready() or cuMemsetD16Async(target, zext32(value), count, stream) != 0:
        python_mgpuMemset16(target, zext32(value), count, stream)


def mgpuMemset32(target: ptr, value: i32, count: i64, stream: i64) -> None:
    if not is_ready() or cuMemsetD32Async(target, value, count, stream) != 0:
        python_mgpuMemset32(target, value, count, stream)


# -- graphs: a node's record is a `graph_nodes.NodeRecord`, an executable graph the address of its
# handle, 0 while it has to be made anew. What is set to what it was is not set again.


def put(record: Ptr[i64], at: i64, value: i64) -> i64:
    """Write a word; 1 if it was another one."""
    if record[at] == value:
        return 0
    record[at] = value
    return 1


def mgpuGraphExecKernelSetParams(
    executable: ptr, node: ptr, function: ptr, gx: i64, gy: i64, gz: i64, bx: i64, by: i64, bz: i64,
    shared: i32, parameters: ptr | None, count: i64, size: i64,
) -> None:  # fmt: skip
    params = stack(KERNEL_BYTES)
    cell = Ptr[i64](executable)
    record = Ptr[i64](node)
    can_change = cell[0] != 0 and record[NODE_HANDLE] != 0
    if can_change and ule(gx | gy | gz | bx | by | bz, MOST) and is_ready():
        changes = put(record, NODE_EXECUTABLE, i64(executable))
        changes += put(record, NODE_WORDS, i64(function))
        changes += put(record, NODE_WORDS + 1, gx)
        changes += put(record, NODE_WORDS + 2, gy)
        changes += put(record, NODE_WORDS + 3, gz)
        changes += put(record, NODE_WORDS + 4, bx)
        changes += put(record, NODE_WORDS + 5, by)
        changes += put(record, NODE_WORDS + 6, bz)
        changes += put(record, NODE_WORDS + 7, i64(shared))
        changes += put(record, NODE_WORDS + 8, size)
        if count != 0:  # the array of the parameters may not be read where there are none
            given = ptr(Ptr[i64](parameters)[0])
            stored = ptr(record[NODE_STORAGE])
            if memcmp(stored, given, size) != 0:
                copy_bytes(stored, given, size)
                changes += 1
        if changes == 0:
            return
        zero_bytes(params, KERNEL_BYTES)
        Ptr[i64](params)[KERNEL_FUNCTION] = i64(function)
        set_sizes(Ptr[i32](advance(params, 4 * KERNEL_GRID)), gx, gy, gz)
        set_sizes(Ptr[i32](advance(params, 4 * KERNEL_BLOCK)), bx, by, bz)
        Ptr[i32](params)[KERNEL_SHARED] = shared
        Ptr[i64](params)[KERNEL_PARAMETERS] = record[NODE_PARAMETERS]
        if cuGraphExecKernelNodeSetParams(ptr(cell[0]), ptr(record[NODE_HANDLE]), params) == 0:
            return
    python_mgpuGraphExecKernelSetParams(
        executable, node, function, gx, gy, gz, bx, by, bz, shared, parameters, count, size
    )


def mgpuGraphExecMemsetSetParams(
    executable: ptr, node: ptr, target: ptr, value: i64, width: i32, values: i64
) -> None:
    params = stack(FILL_BYTES)
    cell = Ptr[i64](executable)
    record = Ptr[i64](node)
    can_change = cell[0] != 0 and record[NODE_HANDLE] != 0
    if can_change and values != 0 and ule(width, 4) and is_ready():
        changes = put(record, NODE_EXECUTABLE, i64(executable))
        changes += put(record, NODE_WORDS, i64(target))
        changes += put(record, NODE_WORDS + 1, value)
        changes += put(record, NODE_WORDS + 2, zext64(width))
        changes += put(record, NODE_WORDS + 3, values)
        if changes == 0:
            return
        zero_bytes(params, FILL_BYTES)
        Ptr[i64](params)[FILL_TARGET] = i64(target)
        Ptr[i32](params)[FILL_VALUE] = i32(value & lshr(i64(-1), 64 - 8 * zext64(width)))
        Ptr[i32](params)[FILL_SIZE] = width
        Ptr[i64](params)[FILL_WIDTH] = values
        Ptr[i64](params)[FILL_HEIGHT] = 1
        handle = ptr(record[NODE_HANDLE])
        context = ptr(cuda_words()[CONTEXT])
        if cuGraphExecMemsetNodeSetParams(ptr(cell[0]), handle, params, context) == 0:
            return
    python_mgpuGraphExecMemsetSetParams(executable, node, target, value, width, values)


def mgpuGraphLaunch(executable: ptr, stream: i64) -> None:
    handle = Ptr[i64](executable)[0]
    if handle != 0 and is_ready():
        cuda_words()[GRAPH] = i64(executable)
        if cuGraphLaunch(ptr(handle), stream) == 0:
            return
    python_mgpuGraphLaunch(executable, stream)
