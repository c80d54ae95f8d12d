# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mbarriers and TMA on the host device: predicates, transaction counts, order of initialization."""

from __future__ import annotations

import re

import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError

TYPES = """
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!tile = memref<8x8xf32, 3>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero,
  interleave = none>
"""


def program(body, threads=64, tile=False):
    """A program that runs `body`, which writes a number a thread to %out; it gives their sum."""
    setup = """
  %src = gpu.alloc host_shared () : memref<64x64xf32>
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 { scf.for %j = %c0 to %c64 step %c1 {
    %row = arith.muli %i, %c64 : index
    %place = arith.addi %row, %j : index
    %w = arith.index_cast %place : index to i32
    %f = arith.sitofp %w : i32 to f32
    memref.store %f, %src[%i, %j] : memref<64x64xf32>
  } }
  %cast = memref.cast %src : memref<64x64xf32> to memref<*xf32>
  %c8 = arith.constant 8 : index
  %map = nvgpu.tma.create.descriptor %cast box[%c8, %c8] : memref<*xf32> -> !map
"""
    return f"""{TYPES}
memref.global "private" @tile : !tile {{alignment = 128 : i64}}
func.func @main() -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {threads} : index
  %out = gpu.alloc host_shared () : memref<{threads}xi32>{setup if tile else ""}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {{
    %first = arith.cmpi eq, %t, %c0 : index
    %p0 = arith.constant false
    %p1 = arith.constant true
    %ticks = arith.constant 10000000 : index
    %b = nvgpu.mbarrier.create -> !bar
    %one = arith.constant 1 : i32
{body}
    gpu.terminator
  }}
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {{
    %x = memref.load %out[%i] : memref<{threads}xi32>
    %r = arith.addi %s, %x : i32
    scf.yield %r : i32
  }}
  return %sum : i32
}}
"""


def run(text):
    return xgpu.run(text, entry="main", device="host").value


DONE = "    memref.store %one, %out[%t] : memref<64xi32>\n"
SUM_TILE = """
    %x = arith.remui %t, %c8 : index
    %y = arith.divui %t, %c8 : index
    %tile = memref.get_global @tile : !tile
    %v = memref.load %tile[%y, %x] : !tile
    %w = arith.fptosi %v : f32 to i32
    memref.store %w, %out[%t] : memref<64xi32>
"""
WAIT = "    nvgpu.mbarrier.try_wait.parity %b[%c0], %p0, %ticks : !bar\n"


@pytest.mark.parametrize("opt_level", [0, 2])
def test_only_the_predicated_thread_initializes_announces_and_copies(opt_level):
    text = program(
        """
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !bar
    gpu.barrier
    nvgpu.tma.prefetch.descriptor %map, predicate = %first : !map
    %bytes = arith.constant 256 : index
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %first : !bar
    %target = memref.get_global @tile : !tile
    nvgpu.tma.async.load %map[%c8, %c8], %b[%c0] to %target, predicate = %first
        : !map, !bar -> !tile
"""
        + WAIT + SUM_TILE,
        tile=True,
    )  # fmt: skip
    result = xgpu.run(text, entry="main", device="host", opt_level=opt_level)
    assert result.value == sum((8 + y) * 64 + 8 + x for y in range(8) for x in range(8))


def test_a_predicated_store_writes_once():
    text = program(
        """
    %tile = memref.get_global @tile : !tile
    %x = arith.remui %t, %c8 : index
    %y = arith.divui %t, %c8 : index
    %f = arith.constant 7.0 : f32
    memref.store %f, %tile[%y, %x] : !tile
    gpu.barrier
    %never = arith.cmpi eq, %t, %n : index
    nvgpu.tma.async.store %tile to %map[%c0, %c0], predicate = %never : !tile -> !map
    nvgpu.tma.async.store %tile to %map[%c8, %c0], predicate = %first : !tile -> !map
    gpu.barrier
    %v = memref.load %src[%c0, %t] : memref<64x64xf32>
    %w = arith.fptosi %v : f32 to i32
    memref.store %w, %out[%t] : memref<64xi32>
""",
        tile=True,
    )
    assert run(text) == sum(range(8)) + 8 * 7 + sum(range(16, 64))


@pytest.mark.parametrize("order", ["announced first", "copied first"])
def test_more_bytes_than_announced_complete_the_phase(order, capfd):
    steps = [
        "      nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes : !bar\n",
        "      nvgpu.tma.async.load %map[%c8, %c8], %b[%c0] to %target : !map, !bar -> !tile\n",
    ]
    if order == "copied first":
        steps.reverse()
    text = program(
        f"""
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !bar
    gpu.barrier
    %bytes = arith.constant 128 : index
    %target = memref.get_global @tile : !tile
    scf.if %first {{
{"".join(steps)}    }}
{WAIT}{SUM_TILE}""",
        tile=True,
    )
    assert run(text) == sum((8 + y) * 64 + 8 + x for y in range(8) for x in range(8))
    error = capfd.readouterr().err
    assert re.fullmatch(
        r"-:\d+:\d+: warning: kernel 'main_kernel': an mbarrier's phase got 128 bytes more than "
        r"mbarrier.arrive.expect_tx announced: it is complete, and they count for the next phase\n",
        error,
    )


def test_what_is_too_much_counts_for_the_next_phase():
    """The second phase announces what is left: it is complete when that comes."""
    text = program(
        f"""
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !bar
    gpu.barrier
    %few = arith.constant 192 : index
    %more = arith.constant 320 : index
    %target = memref.get_global @tile : !tile
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %few, predicate = %first : !bar
    nvgpu.tma.async.load %map[%c0, %c0], %b[%c0] to %target, predicate = %first
        : !map, !bar -> !tile
{WAIT}    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %more, predicate = %first : !bar
    nvgpu.tma.async.load %map[%c8, %c8], %b[%c0] to %target, predicate = %first
        : !map, !bar -> !tile
    nvgpu.mbarrier.try_wait.parity %b[%c0], %p1, %ticks : !bar
{SUM_TILE}""",
        tile=True,
    )
    assert run(text) == sum((8 + y) * 64 + 8 + x for y in range(8) for x in range(8))


def test_every_thread_may_initialize_the_same_mbarrier():
    """Two warps: as a GPU's warps do, all come to their init before one arrives."""
    text = program(
        """
    nvgpu.mbarrier.init %b[%c0], %n : !bar
    %token = nvgpu.mbarrier.arrive %b[%c0] : !bar -> !nvgpu.mbarrier.token
"""
        + WAIT + DONE
    )  # fmt: skip
    assert run(text) == 64


def test_who_comes_before_the_initialization_waits_for_it():
    """Nothing orders the others after thread 63's init; parity 1 is over as soon as that ran."""
    text = program(
        """
    %c63 = arith.constant 63 : index
    %last = arith.cmpi eq, %t, %c63 : index
    scf.if %last {
      nvgpu.mbarrier.init %b[%c0], %n : !bar
      nvgpu.mbarrier.init %b[%c1], %n : !bar
    }
    nvgpu.mbarrier.try_wait.parity %b[%c1], %p1, %ticks : !bar
    %token = nvgpu.mbarrier.arrive %b[%c0] : !bar -> !nvgpu.mbarrier.token
"""
        + WAIT + DONE
    )  # fmt: skip
    assert run(text) == 64


def test_no_initialization_is_left_from_the_block_before():
    """Blocks run one after the other in the same memory: the second waits for an init too."""
    text = program(
        """
    %other = arith.cmpi eq, %bx, %c0 : index
    scf.if %other {
      nvgpu.mbarrier.init %b[%c0], %n : !bar
      %token = nvgpu.mbarrier.arrive %b[%c0] : !bar -> !nvgpu.mbarrier.token
"""
        + WAIT + """    } else {
      nvgpu.mbarrier.try_wait.parity %b[%c0], %p1, %ticks : !bar
    }
"""
        + DONE
    )  # fmt: skip
    text = text.replace("%gx = %c1", "%gx = %n")
    message = r"64 threads wait for the phase of parity 1 of the mbarrier at byte \d+ of workgroup"
    with pytest.raises(DeviceError, match=message):
        run(text)


def test_an_arrival_before_the_initialization_is_said():
    text = program(
        "    %token = nvgpu.mbarrier.arrive %b[%c0] : !bar -> !nvgpu.mbarrier.token\n" + DONE
    )
    message = (
        r"kernel 'main_kernel': thread \(0, 0, 0\) of block \(0, 0, 0\) arrives at an mbarrier, or "
        r"announces bytes to one, before mbarrier.init"
    )
    with pytest.raises(DeviceError, match=message):
        run(text)


def test_schedules_leave_a_kernels_variables_alone():
    """A program that runs many times resets its own variables, not an mbarrier beside them."""
    from xgpu.driver.schedules import Explorer

    body = "    nvgpu.mbarrier.init %b[%c0], %n : !bar\n    gpu.barrier\n" + DONE
    explorer = Explorer(program(body), entry="main")
    assert [explorer.run().value for _ in range(2)] == [64, 64]
