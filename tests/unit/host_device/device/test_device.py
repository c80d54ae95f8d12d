# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams, memory, limits and errors of the host device."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from xgpu.core.ir.errors import DeviceError
from xgpu.core.support.abi import FUNCTIONS
from xgpu.host_device.device import communication
from xgpu.host_device.device.device import HostDevice
from xgpu.host_device.device.operations import Order
from xgpu.runtime.session import Session

LOOP = """
define ptx_kernel void @{name}(ptr %out, i32 %n) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""
SPIN = (
    LOOP.format(name="spin")
    + """
@small = internal addrspace(3) global [16 x i8] undef, align 16
define ptx_kernel void @touch(ptr %out) {
  store i8 1, ptr addrspace(3) @small
  ret void
}
"""
)


def test_many_launches_keep_a_constant_number_of_things(kernels):
    """Seven thousand launches without a wait: the queue is bounded, and so is memory."""
    import gc

    from xgpu.host_device.device.operations import Operation

    k = kernels(SPIN)
    d = k.device
    stream = d.mgpuStreamCreate()
    event = d.mgpuEventCreate()
    other = d.mgpuStreamCreate()
    out = np.zeros(1, np.int32)

    def burst(count):
        for _ in range(count):
            k.launch("spin", 1, 1, out, 1, stream=stream)
            d.mgpuEventRecord(event, stream)
            d.mgpuStreamWaitEvent(other, event)
            d.mgpuMemFreeAsync(d.mgpuMemAllocAsync(64, stream), stream)

    burst(7000)
    alive = sum(isinstance(o, Operation) for o in gc.get_objects())
    d.mgpuStreamSynchronize(other)
    assert alive < 4000
    counts = k.session.counts
    assert (counts["streams"].peak, counts["events"].peak) == (2, 1)
    assert counts["bytes"].peak <= 64 * 1500


MEET = """
define ptx_kernel void @{name}(ptr %count) {{
  %old = atomicrmw add ptr %count, i32 1 seq_cst
  br label %loop
loop:
  %now = load atomic i32, ptr %count seq_cst, align 4
  %both = icmp sge i32 %now, 2
  br i1 %both, label %done, label %loop
done:
  ret void
}}
"""


@pytest.mark.parametrize("names", [("one", "one"), ("one", "other")])
def test_kernels_in_two_streams_run_at_the_same_time(kernels, names):
    """Neither ends before the other has started: they hang where one runs after the other, or is
    compiled after it.
    """
    k = kernels(MEET.format(name="one") + MEET.format(name="other"))
    d = k.device
    count = np.zeros(1, np.int32)
    streams = [d.mgpuStreamCreate(), d.mgpuStreamCreate()]
    for name, stream in zip(names, streams, strict=True):
        k.launch(name, 1, 1, count, stream=stream)
    for stream in streams:
        d.mgpuStreamSynchronize(stream)
    assert count[0] == 2


def test_event_orders_streams(kernels):
    k = kernels(SPIN)
    d = k.device
    k.session.start_trace()
    first, second = d.mgpuStreamCreate(), d.mgpuStreamCreate()
    event = d.mgpuEventCreate()
    out = np.zeros(1, np.int32)
    target = np.zeros(1, np.int32)
    k.launch("spin", 1, 1, out, 20_000_000, stream=first)
    d.mgpuEventRecord(event, first)
    d.mgpuStreamWaitEvent(second, event)
    d.mgpuMemcpy(target.ctypes.data, out.ctypes.data, 4, second)
    d.mgpuStreamSynchronize(second)
    assert target[0] == 20_000_000 - 1
    assert [e["name"] for e in k.session.events if e["tid"]] == ["spin", "memcpy"]


@pytest.mark.parametrize("registered", [False, True])
def test_copy_of_host_memory_is_done_when_the_call_returns(kernels, registered):
    """As with CUDA, unless the memory was registered."""
    k = kernels(SPIN)
    d = k.device
    stream = d.mgpuStreamCreate()
    out = np.zeros(1, np.int32)
    source = np.array([7], np.int32)
    address = d.mgpuMemAlloc(4, 0, 0)
    if registered:
        d.mgpuMemHostRegister(source.ctypes.data, 4)
    k.launch("spin", 1, 1, out, 500_000_000, stream=stream)
    d.mgpuMemcpy(address, source.ctypes.data, 4, stream)
    assert (int(out[0]) == 500_000_000 - 1) is not registered
    d.mgpuStreamSynchronize(stream)
    assert ctypes.c_int32.from_address(address).value == 7


def test_accounting_shows_what_leaks(kernels):
    k = kernels(SPIN)
    d = k.device
    stream = d.mgpuStreamCreate()
    d.mgpuStreamCreate()
    d.mgpuEventDestroy(d.mgpuEventCreate())
    kept = d.mgpuMemAlloc(100, stream, 1)
    d.mgpuMemFree(d.mgpuMemAlloc(28, stream, 0), stream)
    d.mgpuStreamSynchronize(stream)
    d.mgpuStreamDestroy(stream)
    assert kept
    assert k.session.leaks() == {"streams": 1, "bytes": 100}
    assert "streams            2          1          1          2" in k.session.report()


def test_small_copies_with_nothing_to_wait_for_are_done_at_once(kernels):
    """As CUDA's from memory that is not registered: MLIR's TMA programs launch without waiting."""
    k = kernels(SPIN)
    d = k.device
    stream = d.mgpuStreamCreate()
    source, target = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    d.mgpuMemcpy(target.ctypes.data, source.ctypes.data, 32, stream)
    assert target.tolist() == source.tolist()
    out = np.zeros(1, np.int32)
    k.launch("spin", 1, 1, out, 50_000_000, stream=stream)
    d.mgpuMemset32(out.ctypes.data, 7, 1, stream)
    d.mgpuStreamSynchronize(stream)
    assert out[0] == 7


def test_memset_and_memcpy():
    session = Session()
    d = HostDevice(session)
    stream = d.mgpuStreamCreate()
    address = d.mgpuMemAlloc(32, stream, 0)
    d.mgpuMemset32(address, 0x01020304, 4, stream)
    d.mgpuMemset16(address + 16, -2, 4, stream)
    d.mgpuMemset8(address + 24, 7, 8, stream)
    back = np.zeros(32, np.uint8)
    d.mgpuMemcpy(back.ctypes.data, address, 32, stream)
    d.mgpuStreamSynchronize(stream)
    assert back.tolist() == [4, 3, 2, 1] * 4 + [254, 255] * 4 + [7] * 8
    d.close()


@pytest.mark.parametrize(
    ("grid", "block", "shared", "message"),
    [
        (1, 2048, 0, "block of 2048 x 1 x 1 = 2048 threads, the limit is 1024"),
        (1, (1, 1, 65), 0, "block size z is 65, the limit is 64"),
        ((1, 70000), 1, 0, "grid size y is 70000, the limit is 65535"),
        (0, 1, 0, "grid of 0 x 1 x 1 blocks of 1 x 1 x 1 threads: every size must be at least 1"),
        (1, 1, 300000, "300016 bytes of workgroup memory (16 static, 300000 dynamic)"),
    ],
)
def test_impossible_configurations(kernels, grid, block, shared, message):
    k = kernels(SPIN)
    with pytest.raises(DeviceError, match="kernel 'touch': invalid configuration") as caught:
        k.launch("touch", grid, block, np.zeros(1, np.int32), shared=shared)
    assert message in str(caught.value)


def test_clusters_must_divide_the_grid(kernels):
    k = kernels(SPIN)
    with pytest.raises(DeviceError, match="does not divide into clusters of 2 x 1 x 1"):
        k.launch("touch", 3, 1, np.zeros(1, np.int32), cluster=(2, 1, 1))


def test_out_of_memory_and_bad_frees():
    d = HostDevice(Session(), memory=1000)
    address = d.mgpuMemAlloc(900, 0, 0)
    with pytest.raises(DeviceError, match=r"out of memory: gpu.alloc of 200 bytes, 900 of 1000"):
        d.mgpuMemAlloc(200, 0, 0)
    d.mgpuMemFree(address, 0)
    with pytest.raises(DeviceError, match=r"of 900 bytes of gpu.alloc, which have been released"):
        d.mgpuMemFree(address, 0)
    d.close()


def test_memory_whose_release_waits_is_not_released_again(kernels):
    k = kernels(SPIN)
    d = k.device
    address, stream = d.mgpuMemAlloc(64, 0, 0), d.mgpuStreamCreate()
    k.launch("spin", 1, 1, np.zeros(1, np.int32), 50_000_000, stream=stream)
    d.mgpuMemFreeAsync(address, stream)
    for free in (d.mgpuMemFreeAsync, d.mgpuMemFree):
        with pytest.raises(DeviceError, match=r"gpu.dealloc of 64 bytes of gpu.alloc, whose rel"):
            free(address, stream)
    d.mgpuStreamSynchronize(stream)
    d.mgpuStreamDestroy(stream)


def test_stream_used_after_destruction():
    d = HostDevice(Session())
    stream = d.mgpuStreamCreate()
    d.mgpuStreamDestroy(stream)
    with pytest.raises(DeviceError, match="not a live stream"):
        d.mgpuStreamSynchronize(stream)
    with pytest.raises(DeviceError, match="not a live stream"):
        d.mgpuStreamDestroy(stream)
    d.close()


def test_first_error_is_kept_and_later_calls_are_skipped():
    session = Session()
    session.location = lambda: "a.mlir:3:5"
    d = HostDevice(session, memory=1000)
    allocate = d.callback(FUNCTIONS["mgpuMemAlloc"])
    assert not allocate(5000, 0, 0)
    assert session.flag.value == 1
    session.location = lambda: "a.mlir:9:9"
    assert not allocate(1, 0, 0)
    assert not d.callback(FUNCTIONS["mgpuStreamCreate"])()
    assert session.counts["streams"].created == 0
    assert str(session.error).startswith("a.mlir:3:5: error: out of memory: gpu.alloc of 5000")
    d.close()


def test_unknown_kernel_names_those_that_exist(kernels):
    with pytest.raises(DeviceError, match="no kernel 'nope' in the module; it has: spin, touch"):
        kernels(SPIN).function("nope")


@pytest.mark.parametrize(
    ("image", "kind"),
    [(b"//\n.version 8.0\n.target sm_90\n", "PTX"), (b"\x7fELF....", "a cubin")],
)
def test_code_for_a_gpu_is_refused_with_the_remedy(image, kind):
    d = HostDevice(Session())
    data = ctypes.create_string_buffer(image)
    with pytest.raises(DeviceError, match=f"is {kind}.*no GPU.*cubin-format=host"):
        d.mgpuModuleLoad(ctypes.addressof(data), len(image))
    d.close()


def test_unsupported_function_of_the_abi():
    session = Session()
    d = HostDevice(session)
    assert not d.callback(FUNCTIONS["mgpuCreateCoo"])(*[0] * 9)
    assert "mgpuCreateCoo is not supported on the host device" in str(session.error)
    d.close()


def test_many_streams_reuse_their_threads():
    import threading

    session = Session()
    d = HostDevice(session)
    before = threading.active_count()
    for _ in range(200):
        stream = d.mgpuStreamCreate()
        d.mgpuStreamSynchronize(stream)
        d.mgpuStreamDestroy(stream)
    assert threading.active_count() - before <= 2
    assert session.counts["streams"].alive == 0
    d.close()


def test_clusters_share_barriers_and_memory(kernels):
    """Each block of a pair writes into the other's workgroup memory (mapa, barrier.cluster)."""
    k = kernels("""
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare ptr @llvm.nvvm.mapa(ptr, i32)
@word = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @pair(ptr %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %peer = xor i32 %rank, 1
  %there = call ptr @llvm.nvvm.mapa(ptr addrspacecast (ptr addrspace(3) @word to ptr), i32 %peer)
  store i32 %b, ptr %there
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %v = load i32, ptr addrspace(3) @word
  %at = getelementptr i32, ptr %out, i32 %b
  store i32 %v, ptr %at
  ret void
}""")
    out = np.zeros(8, np.int32)
    k.run("pair", 8, 1, out, cluster=(2, 1, 1))
    np.testing.assert_array_equal(out, np.arange(8) ^ 1)


def test_orders_of_ranks_forward_all_that_an_order_is_asked():
    asked = {
        name for name in vars(Order) if not name.startswith("_") and callable(vars(Order)[name])
    }
    assert len(asked) > 8
    assert asked <= vars(communication._Told).keys()
