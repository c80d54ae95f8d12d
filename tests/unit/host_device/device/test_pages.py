# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the host device: what is not there cannot be used, and is named."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import random
import re
from threading import Thread

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.device import memory
from xgpu.host_device.device import pages as module
from xgpu.host_device.device.pages import ALIGNMENT, Pages
from xgpu.host_device.native.signals import caught_faults


def run(body, sizes="%c64", opt_level=2):
    text = f"""
func.func @main() {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1000 = arith.constant 1000 : index
  %d = gpu.alloc ({sizes}) : memref<?xf32>
{body}
  return
}}"""
    return xgpu.run(text, device="host", opt_level=opt_level)


def launch(index):
    return f"""
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {{
    %one = arith.constant 1.0 : f32
    %i = arith.addi %t, {index} : index
    memref.store %one, %d[%i] : memref<?xf32>
    gpu.terminator
  }}"""


@pytest.mark.parametrize("opt_level", [0, 2])
def test_use_after_release(opt_level):
    body = "  gpu.dealloc %d : memref<?xf32>" + launch("%c0")
    message = (
        r"-:\d+:\d+: error: kernel 'main_kernel': illegal memory access in block \(0, 0, 0\): "
        r"0x[0-9a-f]+ lies in memory that gpu.dealloc has released$"
    )
    with pytest.raises(DeviceError, match=message):
        run(body, opt_level=opt_level)


_WORKGROUP = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %i = arith.addi %t, %n : index
      %f = arith.constant 1.0 : f32
      memref.store %f, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %n = arith.constant DISTANCE : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : index)
    return
  }
}
"""


@pytest.mark.parametrize(
    ("distance", "says"), [(1024, r"\d+ bytes behind"), (60000, "behind"), (-1, "4 bytes before")]
)
def test_use_beside_workgroup_memory(distance, says):
    for _ in range(2):  # the second launch finds the memory as the first one left it
        with pytest.raises(DeviceError, match=rf"{says} \d+ bytes of workgroup memory$"):
            xgpu.run(_WORKGROUP.replace("DISTANCE", str(distance)), device="host")


@pytest.mark.parametrize("opt_level", [0, 2])
def test_use_before_the_beginning(opt_level):
    """Of whole pages: else there is some room before."""
    body = "  %c4096 = arith.constant 4096 : index\n  %below = arith.constant -64 : index\n"
    body += "  %e = gpu.alloc (%c4096) : memref<?xf32>\n" + launch("%below").replace("%d[", "%e[")
    with pytest.raises(DeviceError, match=r"lies 256 bytes before 16384 bytes of gpu.alloc$"):
        run(body, opt_level=opt_level)


def test_kernels_cannot_leave_what_the_program_has_allocated():
    host = "  %h = memref.alloc(%c1000) : memref<?xi64>\n"
    host += "  %any = memref.cast %h : memref<?xi64> to memref<*xi64>\n"
    host += "  gpu.host_register %any : memref<*xi64>\n"
    body = host + launch("%c1000").replace("%d[%i] : memref<?xf32>", "%h[%i] : memref<?xi64>")
    body = body.replace("%one = arith.constant 1.0 : f32", "%one = arith.constant 1 : i64")
    with pytest.raises(DeviceError, match=r"lies \d+ bytes behind 8000 bytes of memref.alloc$"):
        run(body)


@pytest.mark.parametrize(("target", "source"), [("%far", "%h"), ("%h", "%far")])
@pytest.mark.parametrize("size", ["64", "5000"])
def test_copies_fit_both_sides(target, source, size):
    """A copy of 70 numbers more than one side has, whether that is the device's or the host's."""
    for small in ("%d", "%h"):
        count = int(size) + 70
        body = f"""
  %n = arith.constant {size} : index
  %more = arith.constant {count} : index
  %dev = gpu.alloc ({"%n" if small == "%d" else "%more"}) : memref<?xf32>
  %host = memref.alloc({"%n" if small == "%h" else "%more"}) : memref<?xf32>
  %view = memref.reinterpret_cast {"%dev" if small == "%d" else "%host"} to offset: [0],
      sizes: [%more], strides: [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  gpu.memcpy TARGET, SOURCE : TARGET_TYPE, SOURCE_TYPE
"""
        other = "%host" if small == "%d" else "%dev"
        names = {"%far": ("%view", "memref<?xf32, strided<[1]>>"), "%h": (other, "memref<?xf32>")}
        body = body.replace("TARGET_TYPE", names[target][1]).replace(
            "SOURCE_TYPE", names[source][1]
        )
        body = body.replace("TARGET", names[target][0]).replace("SOURCE", names[source][0])
        does = "writes" if target == "%far" else "reads"
        message = rf"gpu.memcpy {does} {4 * count} bytes, 280 bytes over the end of an allocation"
        with pytest.raises(DeviceError, match=message):
            run(body)


def test_use_behind_the_end():
    with pytest.raises(DeviceError, match=r"lies \d+ bytes behind 256 bytes of gpu.alloc$"):
        run(launch("%c64"))
    body = "  %c250 = arith.constant 250 : index\n  %e = gpu.alloc (%c250) : memref<?xf32>\n"
    with pytest.raises(DeviceError, match=r"lies \d+ bytes behind 1000 bytes of gpu.alloc$"):
        run(body + launch("%c1000").replace("%d[", "%e["))


def test_allocations_are_apart_aligned_and_end_at_their_guard():
    pages, seed = Pages(), random.Random(1)
    live: dict[int, int] = {}
    for _ in range(2000):
        if live and seed.random() < 0.5:
            address = seed.choice(list(live))
            size = live.pop(address)
            expected = bytes([address >> 8 & 255]) * size
            assert ctypes.string_at(address, size) == expected, "something else wrote there"
            pages.release(address, at_once=seed.random() < 0.3)
        else:
            size = seed.choice([1, 255, 256, 257, 4096, 5000, 100_000])
            address = pages.allocate(size)
            assert address % ALIGNMENT == 0
            ctypes.memset(address, address >> 8 & 255, size)
            live[address] = size
    ordered = sorted(live.items())
    assert all(a + n <= b for (a, n), (b, _) in itertools.pairwise(ordered))
    for address, size in live.items():
        end = address + -(-size // ALIGNMENT) * ALIGNMENT
        assert pages.describe(address) == ""
        assert re.fullmatch(
            rf"0x{end:x} lies \d+ bytes behind {size} bytes of gpu.alloc", pages.describe(end)
        )


def test_released_memory_rests_before_it_serves_again():
    pages = Pages()
    addresses = [pages.allocate(64) for _ in range(8)]
    for address in addresses:
        pages.release(address)
        assert pages.describe(address).endswith("lies in memory that gpu.dealloc has released")
    again = [pages.allocate(64) for _ in range(6)]
    assert again[:4] == addresses[:4]  # the oldest first
    assert not set(again[4:]) & set(addresses), "four stay at rest"


def test_large_released_memory_serves_at_once():
    pages = Pages()
    address = pages.allocate(5 << 20)
    pages.release(address)
    assert pages.describe(address).endswith("lies in memory that gpu.dealloc has released")
    assert pages.allocate(5 << 20) == address


def test_released_memory_goes_back_to_the_system(monkeypatch):
    monkeypatch.setattr(module, "_MOST_BYTES", 1 << 20)
    pages = Pages()
    addresses = [pages.allocate(300_000) for _ in range(10)]
    for address in addresses:
        pages.release(address)
    assert pages._idle_bytes <= 1 << 20
    assert len(pages._regions) == len(pages._begins) == 3
    assert pages.describe(addresses[0]) == ""


def stores(address):
    """Store a number at an address, whatever is there; whether that went well."""
    try:
        with caught_faults():
            memory.transfer(address, 0, 1, 7, 4)
    except DeviceError:
        return False
    return True


def test_memory_behind_allocations_is_there_when_it_is_used():
    """More of them than the table has entries at first."""
    pages, unit = Pages(), 1 << 16
    addresses = [pages.allocate(256, is_apart=True, unit=unit) for _ in range(700)]
    end = unit - mmap.PAGESIZE + 256  # from the beginning of an allocation
    for address in addresses[::7]:
        assert stores(address + end - 4)
        assert not stores(address + end)
        assert pages.describe(address + end).endswith(
            f"{end - 256} bytes behind 256 bytes of gpu.alloc"
        )
    for i, address in enumerate(addresses):
        words = f"memory {end - 260} bytes behind 256 bytes of gpu.alloc"
        assert pages.use_behind(address) == ("" if i % 7 else words)
        assert pages.use_behind(address) == ""  # it is said once
    for address in addresses:
        pages.release(address)
        assert not stores(address + end - 4), "memory that is released"
        assert pages.describe(address + end - 4).endswith("gpu.dealloc has released")


def test_memory_behind_an_allocation_that_serves_again():
    """It is as it was at first: what was stored there is lost, and its use is said again."""
    pages, unit = Pages(), 1 << 16
    for _ in range(3):
        address = pages.allocate(256, is_apart=True, unit=unit)
        assert ctypes.c_uint32.from_address(address).value == 0
        assert pages.use_behind(address) == ""
        assert stores(address + 512)
        pages.release(address, at_once=True)
        again = pages.allocate(256, is_apart=True, unit=unit)
        assert again == address
        assert stores(address + 516)
        assert pages.use_behind(address) == "memory 260 bytes behind 256 bytes of gpu.alloc"
        assert ctypes.c_uint32.from_address(address + 512).value == 0
        pages.release(address, at_once=True)


def test_what_the_system_does_not_have():
    assert Pages().allocate(1 << 60) == 0


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize(
    ("index", "says"), [("%c1", "0 bytes behind 252"), ("%below", "4 bytes before 252")]
)
def test_a_store_that_misses_by_little(index, says, opt_level):
    """By less than fills the pages of an allocation: reported when the kernel is over."""
    body = "  %c63 = arith.constant 63 : index\n  %below = arith.constant -1 : index\n"
    body += "  %e = gpu.alloc (%c63) : memref<?xf32>\n"
    body += launch(index).replace("%d[", "%e[")
    body = body.replace("(%sx = %c64", "(%sx = %c63")
    with pytest.raises(DeviceError, match=rf"kernel 'main_kernel': a store {says} bytes of gpu.al"):
        run(body, opt_level=opt_level)


def test_a_store_that_misses_by_more_is_told_when_the_memory_is_released():
    body = "  %far = arith.constant -600 : index\n" + launch("%far")
    body += "  gpu.dealloc %d : memref<?xf32>\n"
    with pytest.raises(DeviceError, match=r"^-:\d+:6: error: a store 2400 bytes before 256 bytes"):
        run(body)


def test_a_store_beside_small_memory_of_the_program():
    """It must not reach what the process's heap has there."""
    body = "  %h = memref.alloc(%c64) : memref<?xf32>\n"
    body += "  %any = memref.cast %h : memref<?xf32> to memref<*xf32>\n"
    body += "  gpu.host_register %any : memref<*xf32>\n" + launch("%c1").replace("%d[", "%h[")
    body += "  memref.dealloc %h : memref<?xf32>\n"
    line = 7 + body.count("\n")
    says = rf"^-:{line}:6: error: a store 0 bytes behind 256 bytes of memref.alloc, which is rele"
    with pytest.raises(DeviceError, match=says):
        run(body)


def test_what_the_rest_of_the_pages_holds():
    pages = Pages()
    for size in (1, 255, 256, 4096, 5000):
        address = pages.allocate(size, is_apart=True)
        ctypes.memset(address, 0, size)
        assert pages.trespass(address) == ""
        region = pages._live[address]
        for at in (region.begin, address - 1, address + size, region.guard - 1):
            if region.begin <= at < region.guard and not address <= at < address + size:
                ctypes.memset(at, 7, 1)
                where = (
                    f"{address - at} bytes before"
                    if at < address
                    else (f"{at - address - size} bytes behind")
                )
                assert pages.trespass(address) == f"a store {where} {size} bytes of gpu.alloc"
                assert pages.trespass(address) == "", "it is said once"


@pytest.mark.parametrize("width", [0, 1, 2, 4, 8])
def test_large_transfers_take_several_threads(width, monkeypatch):
    """Of any size, what is behind it stays, and an address in another thread may be bad."""
    monkeypatch.setattr(memory, "_PART", 3 * mmap.PAGESIZE)
    monkeypatch.setattr(memory.os, "sched_getaffinity", lambda _: range(8))
    started = []
    monkeypatch.setattr(memory, "Thread", lambda **given: started.append(1) or Thread(**given))
    step = max(width, 1)
    size = 50_007
    source = np.random.default_rng(1).integers(0, 256, size * step, np.uint8)
    target = np.full(size * step + 1, 7, np.uint8)
    value = 0x1122334455667788
    memory.transfer(target.ctypes.data, source.ctypes.data if not width else 0, size, value, width)
    filled = np.frombuffer(value.to_bytes(8, "little")[:width] * size, np.uint8)
    np.testing.assert_array_equal(target[:-1], filled if width else source)
    assert target[-1] == 7
    assert len(started) == 3
    more = size + 1000 // step  # the last part comes to the page behind the memory
    source = np.zeros(more * step, np.uint8)
    where = module.pages().allocate(size * step)
    message = r"gpu\.mem(cpy|set) of .*: illegal memory access"
    with caught_faults(), pytest.raises(DeviceError, match=message):
        memory.transfer(where, source.ctypes.data if not width else 0, more, 0, width)
    module.pages().release(where)


def test_large_allocations_ask_for_huge_pages():
    own = Pages()
    small, large = own.allocate(1 << 16), own.allocate(8 << 20)
    flags = {}
    with open("/proc/self/smaps", encoding="ascii") as file:
        for line in file:
            if found := re.match("([0-9a-f]+)-([0-9a-f]+) ", line):
                begin, end = (int(n, 16) for n in found.groups())
            elif line.startswith("VmFlags:"):
                flags |= {at: line.split() for at in (small, large) if begin <= at < end}
    assert "hg" in flags[large]
    assert "hg" not in flags[small]
    own.release(small)
    own.release(large)
