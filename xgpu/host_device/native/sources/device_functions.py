# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel may ask of the device."""

from __future__ import annotations

from xgpu.host_device.abi.codes import (
    MISUSE_FREE,
    THROW_ASSERT,
    THROW_BOUNDS,
    THROW_DIVISION,
    THROW_OVERFLOW,
    THROW_PROGRAM,
    THROW_TRAP,
)
from xgpu.host_device.native.prelude import (
    Ptr,
    advance,
    atomic_store,
    copy_bytes,
    exchange_if,
    extern,
    i8,
    i16,
    i32,
    i64,
    ptr,
)
from xgpu.host_device.native.records import Block, Thread, Transfer
from xgpu.host_device.native.sources.guards import xgpu_fault_place, xgpu_throw
from xgpu.host_device.native.sources.libc import free, malloc


@extern
def xgpu_on_assert(t: Thread, message: ptr, file: ptr, line: i32, function: ptr) -> None: ...
@extern
def xgpu_on_printf(t: Thread, format: ptr, arguments: ptr) -> i32: ...


def xgpu_assertfail(
    t: Thread, message: ptr, file: ptr, line: i32, function: ptr, char_size: i64
) -> None:
    """A failed assertion: the thread ends (the caller sees to it), and no further block starts."""
    xgpu_on_assert(t, message, file, line, function)
    atomic_store(t.block.launch.error, 1)


def xgpu_assertfail_in_function(
    t: Thread, message: ptr, file: ptr, line: i32, function: ptr, char_size: i64
) -> None:
    """Likewise where the thread cannot end by returning: the whole cluster ends."""
    xgpu_assertfail(t, message, file, line, function, char_size)
    xgpu_throw(THROW_ASSERT)


def xgpu_stop() -> None:
    """End the host program that this thread runs."""
    xgpu_throw(THROW_PROGRAM)


@extern
def xgpu_on_misuse(t: Thread, kind: i32) -> None: ...


def misuse(t: Thread, kind: i32) -> None:
    """The kernel does what has no meaning: it fails, and the cluster of `t` ends."""
    xgpu_on_misuse(t, kind)
    xgpu_trap(t)


def xgpu_misuse(t: Thread, kind: i32) -> None:
    """For libraries beside this one."""
    misuse(t, kind)


def xgpu_kernel_division(
    kind: i32, file: ptr, line: i32, column: i32, x: i32, y: i32, z: i32
) -> None:
    """A division by zero (kind 0), or one whose result does not fit: where it is in the source, and
    the thread, whose x is -1 if it is not known."""
    place = xgpu_fault_place()
    place[3] = i64(file)
    place[4] = i64(line)
    place[5] = i64(column)
    place[6] = i64(x)
    place[7] = i64(y)
    place[8] = i64(z)
    xgpu_throw(i32(THROW_DIVISION) if kind == 0 else i32(THROW_OVERFLOW))


def xgpu_bounds_failed(
    b: Block,
    check: i32,
    thread: i32,
    lanes: i64,
    address: i64,
    step: i64,
    begin: i64,
    room: i64,
    bytes: i64,
) -> None:
    """An access outside of an array of the launch: the kernel ends before it."""
    w = b.worker
    w.miss = check
    w.miss_thread = thread
    w.miss_lanes = lanes
    w.miss_block = ptr(b)
    w.miss_address = address
    w.miss_step = step
    w.miss_begin = begin
    w.miss_room = room
    w.miss_bytes = bytes
    atomic_store(b.launch.error, 1)
    xgpu_throw(THROW_BOUNDS)


def xgpu_trap(t: Thread) -> None:
    atomic_store(t.block.launch.error, 1)
    xgpu_throw(THROW_TRAP)


def xgpu_vprintf(t: Thread, format: ptr, arguments: ptr) -> i32:
    return xgpu_on_printf(t, format, arguments)


# Before memory of the kernels' heap stands a word that says so, and room that aligns the memory.
HEAP_HEADER = 16
HEAP_MARK = 7020669130527863399


def xgpu_malloc(t: Thread, size: i64) -> ptr:
    if size < 0:  # more than there can be, and with the header a small number
        return ptr(0)
    memory = malloc(size + HEAP_HEADER)
    if i64(memory) == 0:
        return ptr(0)
    Ptr[i64](memory)[0] = i64(memory) ^ HEAP_MARK
    return advance(memory, HEAP_HEADER)


def xgpu_free(t: Thread, address: ptr) -> None:
    """Takes the word away, so that of two threads that free the same one finds it. Where it is not
    found nothing is written: that memory is not the kernel's."""
    if i64(address) == 0:
        return
    memory = advance(address, -HEAP_HEADER)
    if (i64(address) & 15) != 0:
        misuse(t, MISUSE_FREE)
    if not exchange_if(Ptr[i64](memory), i64(memory) ^ HEAP_MARK, i64(0)):
        misuse(t, MISUSE_FREE)
    free(memory)


def xgpu_transfer(x: Transfer) -> None:
    """Copy bytes, or fill with a value. Under a guard: a bad address is an error, not a crash."""
    if x.value_bytes == 0:
        copy_bytes(x.target, x.source, x.count)
    elif x.value_bytes == 1:
        bytes = Ptr[i8](x.target)
        for i in range(x.count):
            bytes[i] = i8(x.value)
    elif x.value_bytes == 2:
        halves = Ptr[i16](x.target)
        for i in range(x.count):
            halves[i] = i16(x.value)
    elif x.value_bytes == 4:
        words = Ptr[i32](x.target)
        for i in range(x.count):
            words[i] = i32(x.value)
    else:
        longs = Ptr[i64](x.target)
        for i in range(x.count):
            longs[i] = x.value
