# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in the vector strategy against what NumPy says they compute."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some
from tests.support.strategy_codes import StrategyCodes
from xgpu.core.ir.errors import DeviceError

pytestmark = pytest.mark.sampled(2)

MODULE = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    {globals}
    gpu.func @k({parameters}) {workgroup} kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      {body}
      gpu.return
    }}
  }}
}}
"""


def launch(body, block, *arguments, parameters="%p: memref<?xi32>", grid=1, strategy="block-loops",
           workgroup="", globals="", opt_level=2):  # fmt: skip
    text = MODULE.format(parameters=parameters, body=body, workgroup=workgroup, globals=globals)
    launcher = Launcher(host_object(text, opt_level), strategy)
    try:
        launcher.launch("k", grid, block, *arguments)
    finally:
        launcher.close()
    return launcher


BLOCKS = [(1, 1, 1), (32, 1, 1), (33, 1, 1), (100, 1, 1), (16, 16, 1), (5, 7, 1), (3, 5, 7),
          (2, 16, 1), (8, 2, 4), (40, 3, 1), (64, 2, 2), (2, 3, 1), (1, 40, 1)]  # fmt: skip


@pytest.mark.parametrize(("block", "sees_warps"), some([(b,) for b in BLOCKS], [False, True]))
def test_thread_indices(block, sees_warps):
    """In rows and in warps: each thread writes its indices where they say it is."""
    x, y, z = block
    body = f"""
      %cx = arith.constant {x} : index
      %cy = arith.constant {y} : index
      %a = arith.muli %tz, %cy : index
      %b = arith.addi %a, %ty : index
      %c = arith.muli %b, %cx : index
      %i = arith.addi %c, %tx : index
      %hundred = arith.constant 100 : index
      %d = arith.muli %tz, %hundred : index
      %e = arith.addi %d, %ty : index
      %f = arith.muli %e, %hundred : index
      %g = arith.addi %f, %tx : index
      %v = arith.index_cast %g : index to i32
      memref.store %v, %p[%i] : memref<?xi32>"""
    if sees_warps:
        body += """
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %w = arith.index_cast %lane : i32 to index
      %far = arith.addi %i, %total : index
      memref.store %lane, %p[%far] : memref<?xi32>"""
        body = f"      %total = arith.constant {x * y * z} : index\n" + body
    out = np.zeros(2 * x * y * z, np.int32)
    launch(body, block, out)
    k, j, i = np.meshgrid(np.arange(z), np.arange(y), np.arange(x), indexing="ij")
    np.testing.assert_array_equal(out[: x * y * z], (k * 10000 + j * 100 + i).ravel())
    if sees_warps:
        np.testing.assert_array_equal(out[x * y * z :], np.arange(x * y * z) % 32)


@pytest.mark.parametrize("strategy", ["block-loops", "warps"])
@pytest.mark.parametrize("block", [(256, 1, 1), (96, 1, 1), (8, 16, 1)])
def test_quotients_and_rests_that_no_lane_of_a_vector_carries_over(block, strategy):
    """Of 64 and 128, which are whole warps: the same for a warp, or affine."""
    count = block[0] * block[1]
    found = np.full(4 * count, -1, np.int32)
    launch(
        """
        %bx = gpu.block_dim x
        %row = arith.muli %ty, %bx : index
        %linear = arith.addi %row, %tx : index
        %c4 = arith.constant 4 : index
        %base = arith.muli %linear, %c4 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c128 = arith.constant 128 : index
        %c64 = arith.constant 64 : index
        %quotient = arith.divui %tx, %c128 : index
        %rest = arith.remui %tx, %c128 : index
        %group = arith.divui %linear, %c64 : index
        %within = arith.remui %linear, %c64 : index
        %at1 = arith.addi %base, %c1 : index
        %at2 = arith.addi %base, %c2 : index
        %at3 = arith.addi %base, %c3 : index
        %a = arith.index_cast %quotient : index to i32
        %b = arith.index_cast %rest : index to i32
        %c = arith.index_cast %group : index to i32
        %d = arith.index_cast %within : index to i32
        memref.store %a, %p[%base] : memref<?xi32>
        memref.store %b, %p[%at1] : memref<?xi32>
        memref.store %c, %p[%at2] : memref<?xi32>
        memref.store %d, %p[%at3] : memref<?xi32>
        """,
        block, found, strategy=strategy,
    )  # fmt: skip
    linear = np.arange(count)
    x = linear % block[0]
    want = np.stack([x // 128, x % 128, linear // 64, linear % 64], 1).astype(np.int32)
    np.testing.assert_array_equal(found.reshape(-1, 4), want)


@pytest.mark.parametrize("strategy", ["block-loops", "warps"])
def test_parts_that_have_common_bits_in_all_lanes(strategy):
    """`row | column` where both have bits above those in which lanes differ: no sum."""
    threads = 128
    found = np.full(threads * 16, -1, np.int32)
    launch(
        """
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        scf.for %n = %c0 to %c16 step %c1 {
          %high = arith.muli %n, %c32 : index
          %part = arith.ori %high, %tx : index
          %twice = arith.ori %part, %high : index
          %row = arith.muli %tx, %c16 : index
          %at = arith.addi %row, %n : index
          %value = arith.index_cast %twice : index to i32
          memref.store %value, %p[%at] : memref<?xi32>
        }
        """,
        (threads, 1, 1), found, strategy=strategy,
    )  # fmt: skip
    thread, n = np.meshgrid(np.arange(threads), np.arange(16), indexing="ij")
    np.testing.assert_array_equal(found.reshape(threads, 16), n * 32 | thread)


def test_uniform_values_of_parted_lanes_stay_apart():
    """Sync dependence: both values are the same in all lanes, which get different ones."""
    body = """
      %two = arith.constant 2 : index
      %odd = arith.remui %tx, %two : index
      %c = arith.cmpi eq, %odd, %c0 : index
      %far = arith.constant 65 : index
      %farther = arith.constant 66 : index
      %r = scf.if %c -> (i32) {
        %seven = memref.load %p[%far] : memref<?xi32>
        %old = memref.atomic_rmw addi %seven, %p[%c0] : (i32, memref<?xi32>) -> i32
        scf.yield %seven : i32
      } else {
        %nine = memref.load %p[%farther] : memref<?xi32>
        // Sides that are alike would become one.
        memref.store %nine, %p[%farther] : memref<?xi32>
        %old = memref.atomic_rmw addi %nine, %p[%c0] : (i32, memref<?xi32>) -> i32
        scf.yield %nine : i32
      }
      %at = arith.addi %tx, %c1 : index
      memref.store %r, %p[%at] : memref<?xi32>"""
    out = np.zeros(67, np.int32)
    out[65:] = 7, 9
    launch(body, 64, out)
    assert out[0] == 32 * 16
    np.testing.assert_array_equal(out[1:65], np.tile([7, 9], 32))


def test_values_leave_a_loop_as_each_lane_left_it():
    """Temporal divergence: the counter is the same for all lanes inside, and differs outside."""
    body = """
      %n = scf.while (%i = %c0) : (index) -> (index) {
        %more = arith.cmpi ult, %i, %tx : index
        scf.condition(%more) %i : index
      } do {
      ^bb0(%i: index):
        %next = arith.addi %i, %c1 : index
        scf.yield %next : index
      }
      %v = arith.index_cast %n : index to i32
      memref.store %v, %p[%tx] : memref<?xi32>"""
    out = np.full(100, -1, np.int32)
    launch(body, 100, out)
    np.testing.assert_array_equal(out, np.arange(100))


def test_a_division_is_not_done_where_a_lane_does_not_run():
    body = """
      %hundred = arith.constant 100 : i32
      %d = memref.load %p[%tx] : memref<?xi32>
      %zero = arith.constant 0 : i32
      %c = arith.cmpi ne, %d, %zero : i32
      scf.if %c {
        %q = arith.divsi %hundred, %d : i32
        memref.store %q, %p[%tx] : memref<?xi32>
      }"""
    out = np.arange(-16, 16, dtype=np.int32)
    expected = np.array([int(100 / v) if v else 0 for v in out], np.int32)
    launch(body, 32, out)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("stride", [1, 2, 3, 4, 7])
def test_strides(stride):
    """Reads of windows and gathers, writes of windows and scatters."""
    body = f"""
      %s = arith.constant {stride} : index
      %far = arith.muli %tx, %s : index
      %v = memref.load %p[%far] : memref<?xi32>
      %one = arith.constant 1 : i32
      %w = arith.addi %v, %one : i32
      %odd = arith.andi %v, %one : i32
      %c = arith.cmpi eq, %odd, %one : i32
      scf.if %c {{
        memref.store %w, %p[%far] : memref<?xi32>
      }}"""
    out = np.arange(64 * stride, dtype=np.int32)
    expected = out.copy()
    mine = expected[::stride]
    expected[::stride] = np.where(mine % 2 == 1, mine + 1, mine)
    launch(body, 64, out)
    np.testing.assert_array_equal(out, expected)


SHUFFLE = """
      %v = arith.index_cast %tx : index to i32
      %w = arith.constant {width} : i32
      {distance}
      %r, %ok = gpu.shuffle {mode} %v, %d, %w : i32
      %k = arith.extui %ok : i1 to i32
      memref.store %r, %p[%tx] : memref<?xi32>
      %far = arith.constant 64 : index
      %at = arith.addi %tx, %far : index
      memref.store %k, %p[%at] : memref<?xi32>"""


@pytest.mark.parametrize("mode", ["xor", "up", "down", "idx"])
@pytest.mark.parametrize("known", ["known", "uniform", "varying"])
def test_shuffles(mode, known):
    """PTX ISA, shfl.sync, on whole warps: lanes out of range keep their own value."""
    distances = {
        "known": "%d = arith.constant 5 : i32",
        "uniform": "%last = arith.constant 128 : index\n%d = memref.load %p[%last] : memref<?xi32>",
        "varying": "%three = arith.constant 3 : i32\n%d = arith.remui %v, %three : i32",
    }
    out = np.zeros(129, np.int32)
    out[128] = 5
    launch(SHUFFLE.format(mode=mode, width=32, distance=distances[known]), 64, out)
    lane = np.arange(64) % 32
    by = np.full(64, 5) if known != "varying" else np.arange(64) % 3
    source = {"xor": lane ^ by, "up": lane - by, "down": lane + by, "idx": by}[mode]
    inside = (source >= 0) & (source < 32)
    expected = np.where(inside, source, lane) + np.arange(64) // 32 * 32
    np.testing.assert_array_equal(out[:64], expected)
    np.testing.assert_array_equal(out[64:128], inside)


def test_votes_and_reductions():
    body = """
      %all = arith.constant -1 : i32
      %v = memref.load %p[%tx] : memref<?xi32>
      %zero = arith.constant 0 : i32
      %c = arith.cmpi sgt, %v, %zero : i32
      %ballot = nvvm.vote.sync ballot %all, %c -> i32
      %any = nvvm.vote.sync any %all, %c -> i1
      %every = nvvm.vote.sync all %all, %c -> i1
      %any32 = arith.extui %any : i1 to i32
      %every32 = arith.extui %every : i1 to i32
      %min = nvvm.redux.sync min %v, %all : i32 -> i32
      %umax = nvvm.redux.sync umax %v, %all : i32 -> i32
      %xor = nvvm.redux.sync xor %v, %all : i32 -> i32
""" + "\n".join(
        f"""
      %c{n} = arith.constant {64 * (n + 1)} : index
      %a{n} = arith.addi %tx, %c{n} : index
      memref.store %{name}, %p[%a{n}] : memref<?xi32>"""
        for n, name in enumerate(["ballot", "any32", "every32", "min", "umax", "xor"])
    ).replace("%c0 =", "%k0 =").replace("%c0 :", "%k0 :").replace("%c1 =", "%k1 =").replace(
        "%tx, %c0", "%tx, %k0"
    ).replace("%tx, %c1", "%tx, %k1")  # fmt: skip
    out = np.zeros(64 * 7, np.int32)
    data = np.random.default_rng(0).integers(-50, 50, 64).astype(np.int32)
    out[:64] = data
    launch(body, 64, out)
    for warp in range(2):
        own = data[warp * 32 : warp * 32 + 32]
        bits = sum(1 << i for i in range(32) if own[i] > 0)
        expected = [bits, 1, 0, own.min(), own.view(np.uint32).max(), np.bitwise_xor.reduce(own)]
        for n, want in enumerate(expected):
            at = 64 * (n + 1) + warp * 32
            got = out[at : at + 32].view(np.uint32)
            np.testing.assert_array_equal(got, np.uint32(int(want) & 0xFFFFFFFF))


def test_atomic_operations_that_are_reduced_first():
    ops = ["addi", "andi", "ori", "maxs", "minu"]
    lines = "\n".join(
        f"""
      %i{n} = arith.constant {n} : index
      %o{n} = memref.atomic_rmw {op} %v, %p[%i{n}] : (i32, memref<?xi32>) -> i32"""
        for n, op in enumerate(ops)
    )
    body = f"""
      %far = arith.constant 8 : index
      %at = arith.addi %tx, %far : index
      %v = memref.load %p[%at] : memref<?xi32>
{lines}"""
    data = np.random.default_rng(1).integers(-1000, 1000, 100).astype(np.int32)
    out = np.concatenate([np.array([5, -1, 0, -5000, -1, 0, 0, 0], np.int32), data])
    launch(body, 100, out)
    expected = [5 + data.sum(), np.bitwise_and.reduce(data), np.bitwise_or.reduce(data),
                data.max(), data.view(np.uint32).min()]  # fmt: skip
    np.testing.assert_array_equal(out[:5].view(np.uint32), np.array(expected).astype(np.uint32))


@pytest.mark.parametrize(("ty", "size"), [(np.float32, 100), (np.float64, 64)])
def test_floats_are_added_in_the_order_of_lanes(ty, size):
    """Neighbours with the same address share a store, and sums are rounded as one by one."""
    name = "f32" if ty is np.float32 else "f64"
    body = f"""
      %at = memref.load %where[%tx] : memref<?xi32>
      %i = arith.index_cast %at : i32 to index
      %v = memref.load %values[%tx] : memref<?x{name}>
      %seven = arith.constant 7 : i32
      %c = arith.cmpi ne, %at, %seven : i32
      scf.if %c {{
        %a = memref.atomic_rmw addf %v, %p[%i] : ({name}, memref<?x{name}>) -> {name}
      }}
      %b = memref.atomic_rmw addf %v, %p[%c0] : ({name}, memref<?x{name}>) -> {name}"""
    choose = np.random.default_rng(3)
    where = np.concatenate([np.repeat([1, 2, 7, 3], 10), choose.integers(1, 9, size - 40)])
    where = where.astype(np.int32)
    values = (choose.standard_normal(size) * 10.0 ** choose.integers(-3, 4, size)).astype(ty)
    out, expected = np.zeros(9, ty), np.zeros(9, ty)
    for at, value in zip(where, values, strict=True):
        expected[0] += value
        if at != 7:
            expected[at] += value
    parameters = f"%p: memref<?x{name}>, %where: memref<?xi32>, %values: memref<?x{name}>"
    text = MODULE.format(parameters=parameters, body=body, workgroup="", globals="")
    code = StrategyCodes(host_object(text), "k", (size, 1, 1))._text("block-loops")[0]
    assert code.count("cmpxchg") == 2
    assert "atomicrmw fadd" not in code
    launch(body, size, out, where, values, parameters=parameters)
    np.testing.assert_array_equal(out, expected)


def test_the_result_of_an_atomic_operation_is_each_threads_own():
    body = """
      %one = arith.constant 1 : i32
      %old = memref.atomic_rmw addi %one, %p[%c0] : (i32, memref<?xi32>) -> i32
      %at = arith.addi %tx, %c1 : index
      memref.store %old, %p[%at] : memref<?xi32>"""
    out = np.zeros(71, np.int32)
    launch(body, 70, out)
    assert out[0] == 70
    np.testing.assert_array_equal(out[1:], np.arange(70))


def test_what_a_size_of_blocks_cannot_have_is_an_error_if_it_was_asked_for():
    body = """
      %two = arith.constant 2 : index
      %c = arith.cmpi ult, %tx, %two : index
      scf.if %c {
        gpu.barrier
      }"""
    with pytest.raises(DeviceError, match="kernel 'k' has no strategy 'block-loops': threads of a"):
        launch(body, 64, np.zeros(1, np.int32))


def test_every_size_of_a_block_gets_its_own_code():
    body = """
      %n = gpu.block_dim x
      %v = arith.index_cast %n : index to i32
      memref.store %v, %p[%tx] : memref<?xi32>"""
    text = MODULE.format(parameters="%p: memref<?xi32>", body=body, workgroup="", globals="")
    launcher = Launcher(host_object(text))
    for size in (1, 31, 32, 64, 100, 64):
        out = np.zeros(128, np.int32)
        launcher.launch("k", 1, size, out)
        np.testing.assert_array_equal(out, [size] * size + [0] * (128 - size))
    assert len(launcher.strategies) == 5
    launcher.close()


def test_a_grid_that_an_i32_cannot_count_is_not_taken_for_one():
    """2^31 threads along x: an index that wraps must not be taken for one that does not."""
    body = """
      %b = nvvm.read.ptx.sreg.ctaid.x : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %n = nvvm.read.ptx.sreg.ntid.x : i32
      %m = arith.muli %b, %n : i32
      %i = arith.addi %m, %t : i32
      %limit = arith.constant -2147483648 : i32
      %c = arith.cmpi eq, %i, %limit : i32
      scf.if %c {
        %one = arith.constant 1 : i32
        memref.store %one, %p[%c0] : memref<?xi32>
      }"""
    out = np.zeros(1, np.int32)
    launch(body, 1024, out, grid=(1 << 21) + 1)
    assert out[0] == 1


def test_private_memory_that_is_indexed_at_run_time():
    body = """
      %m = memref.alloca() : memref<4xi32>
      %four = arith.constant 4 : index
      scf.for %i = %c0 to %four step %c1 {
        %s = arith.addi %i, %tx : index
        %v = arith.index_cast %s : index to i32
        memref.store %v, %m[%i] : memref<4xi32>
      }
      %at = arith.remui %tx, %four : index
      %r = memref.load %m[%at] : memref<4xi32>
      memref.store %r, %p[%tx] : memref<?xi32>"""
    out = np.zeros(70, np.int32)
    launch(body, 70, out)
    np.testing.assert_array_equal(out, np.arange(70) + np.arange(70) % 4)


def test_vectors_of_a_thread():
    body = """
      %two = arith.constant 2 : index
      %i = arith.muli %tx, %two : index
      %v = vector.load %f[%i] : memref<?xf32>, vector<2xf32>
      %s = arith.addf %v, %v : vector<2xf32>
      vector.store %s, %f[%i] : memref<?xf32>, vector<2xf32>"""
    out = np.arange(128, dtype=np.float32)
    launch(body, 64, out, parameters="%f: memref<?xf32>")
    np.testing.assert_array_equal(out, 2 * np.arange(128, dtype=np.float32))


def test_math_is_the_same_in_every_strategy():
    body = """
      %v = memref.load %f[%tx] : memref<?xf32>
      %a = math.exp %v : f32
      %b = math.sin %v : f32
      %c = math.tanh %v : f32
      %d = math.log1p %a : f32
      %s = arith.addf %a, %b : f32
      %t = arith.addf %c, %d : f32
      %u = arith.addf %s, %t : f32
      memref.store %u, %f[%tx] : memref<?xf32>"""
    data = np.random.default_rng(2).standard_normal(96).astype(np.float32)
    found = []
    for strategy in ("threads", "block-loops"):
        out = data.copy()
        launch(body, 96, out, parameters="%f: memref<?xf32>", strategy=strategy)
        found.append(out)
    np.testing.assert_array_equal(found[0].view(np.int32), found[1].view(np.int32))
    assert np.isfinite(found[0]).all()


def test_printf_says_what_each_thread_has(capfd):
    body = '      gpu.printf "thread %lld\\n", %tx : index'
    printed = launch(body, 3, np.zeros(1, np.int32))
    del printed
    assert ctypes.CDLL(None).fflush(None) == 0
    assert capfd.readouterr().out.split("\n")[:3] == ["thread 0", "thread 1", "thread 2"]


def test_a_defect_of_the_passes_costs_the_form_and_not_the_result(monkeypatch):
    from xgpu.host_device.compiler import specialize

    def fail(*_):
        raise KeyError("missing")

    monkeypatch.setattr(specialize, "block_function", fail)
    monkeypatch.setenv("XGPU_NO_CACHE", "1")
    monkeypatch.delenv(specialize.DEFECTS)
    body = """
      %v = arith.index_cast %tx : index to i32
      memref.store %v, %p[%tx] : memref<?xi32>"""
    out = np.zeros(8, np.int32)
    launcher = launch(body, 8, out, strategy="auto")
    np.testing.assert_array_equal(out, np.arange(8))
    assert launcher.strategy.endswith("not block-loops: internal error: KeyError: 'missing'")
    with pytest.raises(DeviceError, match="internal error"):
        launch(body, 8, out)


@pytest.mark.parametrize("strategy", ["block-loops", "threads"])
def test_values_that_loops_with_barriers_carry(strategy):
    """A sum (one place for its values), two that change places and an old one (places apart)."""
    body = """
      %one = arith.constant 1 : i32
      %start = memref.load %p[%tx] : memref<?xi32>
      %i = arith.index_cast %tx : index to i32
      %c4 = arith.constant 4 : index
      %sum, %a, %b, %old = scf.for %n = %c0 to %c4 step %c1
          iter_args(%s = %start, %x = %start, %y = %i, %before = %i) -> (i32, i32, i32, i32) {
        memref.store %s, %shared[%tx] : memref<128xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %last = arith.constant 127 : index
        %at = arith.subi %last, %tx : index
        %other = memref.load %shared[%at] : memref<128xi32, #gpu.address_space<workgroup>>
        %next = arith.addi %s, %other : i32
        gpu.barrier
        scf.yield %next, %y, %x, %s : i32, i32, i32, i32
      }
      %far = arith.constant 128 : index
      %q0 = arith.addi %tx, %far : index
      %q1 = arith.addi %q0, %far : index
      %q2 = arith.addi %q1, %far : index
      memref.store %sum, %p[%tx] : memref<?xi32>
      memref.store %a, %p[%q0] : memref<?xi32>
      memref.store %b, %p[%q1] : memref<?xi32>
      memref.store %old, %p[%q2] : memref<?xi32>"""
    start = np.arange(128, dtype=np.int32) * 3 + 1
    p = np.zeros(512, np.int32)
    p[:128] = start
    launcher = launch(
        body, (128, 1, 1), p, strategy=strategy,
        workgroup="workgroup(%shared: memref<128xi32, #gpu.address_space<workgroup>>)",
    )  # fmt: skip
    assert launcher.strategy.startswith(strategy)
    sums = [start]
    for _ in range(4):
        sums.append(sums[-1] + sums[-1][::-1])
    np.testing.assert_array_equal(p.reshape(4, 128), [sums[4], start, np.arange(128), sums[3]])


@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
@pytest.mark.parametrize("waits", [1, 0])
def test_a_barrier_that_the_block_may_leave_out(waits, strategy):
    """A branch that is the same for all goes to the barrier or around it, to the same block.

    Its condition came together from ways on which the threads had parted, with one value.
    """
    body = """
      %mine = memref.load %p[%tx] : memref<?xi32>
      memref.store %mine, %shared[%tx] : memref<64xi32, #gpu.address_space<workgroup>>
      %seven = arith.constant 7 : index
      %zero = arith.constant 0 : i32
      %few = arith.cmpi ult, %tx, %seven : index
      cf.cond_br %few, ^few, ^meet(%waits : i32)
    ^few:
      memref.store %zero, %q[%tx] : memref<?xi32>
      cf.br ^meet(%waits : i32)
    ^meet(%same: i32):
      %does = arith.cmpi ne, %same, %zero : i32
      cf.cond_br %does, ^wait, ^end
    ^wait:
      gpu.barrier
      cf.br ^end
    ^end:
      %last = arith.constant 63 : index
      %other = arith.subi %last, %tx : index
      %from = arith.select %does, %other, %tx : index
      %found = memref.load %shared[%from] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %found, %p[%tx] : memref<?xi32>
      cf.br ^out
    ^out:"""
    given = np.arange(64, dtype=np.int32)
    p, q = given.copy(), np.ones(64, np.int32)
    launcher = launch(
        body, (64, 1, 1), p, q, ctypes.c_int32(waits), strategy=strategy,
        parameters="%p: memref<?xi32>, %q: memref<?xi32>, %waits: i32",
        workgroup="workgroup(%shared: memref<64xi32, #gpu.address_space<workgroup>>)",
    )  # fmt: skip
    assert launcher.strategy.startswith(strategy)
    np.testing.assert_array_equal(p, given[::-1] if waits else given)
    assert not q[:7].any()
    assert q[7:].all()


_ROWS = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%rows: memref<?xi32>, %columns: memref<?xi32>, %x: memref<?xf32>,
        %out: memref<?xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1 : index
      %t = gpu.thread_id x
      %next = arith.addi %t, %one : index
      %first_i = memref.load %rows[%t] : memref<?xi32>
      %last_i = memref.load %rows[%next] : memref<?xi32>
      %first = arith.index_cast %first_i : i32 to index
      %last = arith.index_cast %last_i : i32 to index
      %sum = scf.for %j = %first to %last step %one iter_args(%s = %zero) -> f32 {
        %c_i = memref.load %columns[%j] : memref<?xi32>
        %c = arith.index_cast %c_i : i32 to index
        %v = memref.load %x[%c] : memref<?xf32>
        WORK
        %n = arith.addf %s, %w : f32
        scf.yield %n : f32
      }
      memref.store %sum, %out[%t] : memref<?xf32>
      BARRIER
      gpu.return
    }
  }
}
"""
_MUCH = "\n".join(f"%w{i + 1} = arith.mulf %w{i}, %v : f32" for i in range(24))


@pytest.mark.parametrize(
    ("work", "barrier", "asked", "chosen"),
    [
        ("%w = arith.mulf %v, %v : f32", "", "auto", "threads, not block-loops: threads"),
        ("%w = arith.mulf %v, %v : f32", "", "block-loops", "block-loops"),
        ("%w = arith.mulf %v, %v : f32", "gpu.barrier", "auto", "block-loops"),
        (f"%w0 = arith.addf %v, %v : f32\n{_MUCH}\n%w = arith.addf %w24, %v : f32", "", "auto",
         "block-loops"),
    ],
)  # fmt: skip
def test_loops_of_gathers_run_by_threads(work: str, barrier: str, asked: str, chosen: str) -> None:
    """Where lanes leave them at different times and compute little, vectors are slower."""
    lengths = np.random.default_rng(3).integers(0, 9, 64)
    rows = np.zeros(65, np.int32)
    np.cumsum(lengths, out=rows[1:])
    columns = np.random.default_rng(4).integers(0, 50, rows[-1], dtype=np.int32)
    x, out = np.ones(50, np.float32), np.zeros(64, np.float32)
    launcher = Launcher(host_object(_ROWS.replace("WORK", work).replace("BARRIER", barrier)), asked)
    try:
        launcher.launch("k", 1, 64, rows, columns, x, out)
    finally:
        launcher.close()
    assert launcher.strategy.startswith(chosen)
    each = 3.0 if "%w24" in work else 1.0
    np.testing.assert_array_equal(out, lengths * each)


# -- An index that is narrower than an address, and may wrap.

WRAPPING = """
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    llvm.func @k(%p: !llvm.ptr, %q: !llvm.ptr, %base: i32, %count: i32)
        attributes {{gpu.kernel, nvvm.kernel}} {{
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %on = llvm.icmp "ult" %tid, %count : i32
      llvm.cond_br %on, ^run, ^end
    ^run:
      %sum = llvm.add %base, %tid : i32
      %low = llvm.trunc %sum : i32 to i16
      %wide = llvm.{extension} %low : i16 to i64
      %from = llvm.getelementptr %p[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %value = llvm.load %from : !llvm.ptr -> i32
      %to = llvm.getelementptr %q[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %value, %to : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return
    }}
  }}
}}
"""


@pytest.mark.parametrize("strategy", ["block-loops", "warps"])
@pytest.mark.parametrize("extension", ["zext", "sext"])
def test_an_index_that_wraps_in_a_vector(strategy: str, extension: str) -> None:
    """One code for lanes beside each other, which a scalar tells, and one for those that wrap."""
    launcher = Launcher(host_object(WRAPPING.format(extension=extension)), strategy)
    source = np.arange(1 << 16, dtype=np.int32)
    middle = 1 << 15 if extension == "sext" else 0
    for base in (0, 100, 32735, 32736, 32737, 32760, 65500, 65504, 65505, 65530):
        for count in (64, 41):
            found = np.full(1 << 16, -1, np.int32)
            places = [ctypes.c_void_p(a.ctypes.data + 4 * middle) for a in (source, found)]
            launcher.launch("k", 1, 64, *places, ctypes.c_int32(base), ctypes.c_int32(count))
            index = (base + np.arange(count)) % (1 << 16)
            index = index.astype(np.uint16 if extension == "zext" else np.int16).astype(np.int64)
            want = np.full(1 << 16, -1, np.int32)
            want[index + middle] = source[index + middle]
            np.testing.assert_array_equal(found, want)
    assert launcher.strategy == strategy
    launcher.close()
