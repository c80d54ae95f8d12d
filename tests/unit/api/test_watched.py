# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and functions that Python calls, under the sanitizer."""

from __future__ import annotations

import ctypes
import gc
import threading
import time

import numpy as np
import pytest

import xgpu
from tests.support.clang import needs_clang
from xgpu.core.ir.errors import DeviceError, UsageError
from xgpu.host_device.sanitizer.reports.findings import sanitizer_state

COPY = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @copy(%a: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
      %b = gpu.block_id x
      %size = gpu.block_dim x
      %t = gpu.thread_id x
      %first = arith.muli %b, %size : index
      %i = arith.addi %first, %t : index
      %in = arith.cmpi ult, %i, %n : index
      scf.if %in {
        %x = memref.load %a[%i] : memref<?xf32>
        memref.store %x, %c[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  func.func @run(%a: memref<?xf32>, %c: memref<?xf32>, %n: index) {
    %one = arith.constant 1 : index
    %block = arith.constant 64 : index
    gpu.launch_func @m::@copy blocks in (%one, %one, %one) threads in (%block, %one, %one)
        args(%a : memref<?xf32>, %c : memref<?xf32>, %n : index)
    return
  }
}
"""
N = 64


@pytest.fixture(scope="module")
def module():
    """Loaded where nothing is watched, as a fixture of a project may be."""
    with xgpu.load(COPY, "host", filename="copy.mlir") as loaded:
        yield loaded


@pytest.fixture
def copy(module):
    return module.kernels["copy"]


def arrays():
    return np.arange(N, dtype=np.float32), np.zeros(N, np.float32)


def findings(work, *kinds):
    with xgpu.sanitized(kinds) as watched:
        work()
    return watched.findings()


def test_a_correct_launch(copy):
    a, c = arrays()
    assert not findings(lambda: copy[2, 32](a, c, N))
    np.testing.assert_array_equal(c, a)


@pytest.mark.parametrize("given", [lambda a: a[:40], lambda a: a[20:60].copy()])
def test_out_of_bounds_of_an_array(copy, given):
    """The bounds are those of what was given, also within a larger array."""
    a, c = arrays()
    (found,) = findings(lambda: copy[2, 32](given(a), c, N))
    assert found.kind == "memory"
    behind = "right behind the end of an array of 160 bytes"
    assert found.message == f"read of %a[40] (4 bytes), {behind}"
    assert (found.file, found.line) == ("copy.mlir", 12)
    assert found.sides[0].thread == (8, 0, 0)
    assert found.sides[1].did == "argument %a is an array of another library of 160 bytes"
    assert "%x = memref.load" in findings(lambda: copy[2, 32](given(a), c, N)).text()


def test_an_array_behind_another_one(copy):
    """What lies behind an array is another one that the kernel has, too."""
    both = np.arange(2 * N, dtype=np.float32)
    found = findings(lambda: copy[2, 32](both[: N // 2], both[N // 2 :], N), "memory")
    assert [f.kind for f in found] in (["memory"], [])  # they may count as one piece
    a = xgpu.zeros(N // 2, device="host")
    c = xgpu.zeros(N, device="host")
    (found,) = findings(lambda: copy[2, 32](a, c, N), "memory")
    assert "behind the end of an array of 128 bytes" in found.message


def test_launches_that_nothing_orders(copy):
    def run(wait):
        a, c = arrays()
        first, second = xgpu.Stream(device="host"), xgpu.Stream(device="host")
        copy[2, 32, first](a, c, N)
        if wait == "event":
            second.wait(first.record())
        elif wait == "host":
            first.synchronize()
        copy[2, 32, second](c, a, N)
        first.synchronize()
        second.synchronize()

    found = findings(lambda: run(None), "race")
    assert found
    assert all(f.kind == "race" for f in found)
    assert {side.line for f in found for side in f.sides} == {12, 13}
    assert not findings(lambda: run("event"), "race")
    assert not findings(lambda: run("host"), "race")


def test_what_launches_did_to_a_large_array_is_kept(copy):
    """An array that is lent again, while it still is, has pages of its own."""
    n = 4096

    def run():
        a, c, d = (np.full(n, value, np.float32) for value in range(3))
        first, second = xgpu.Stream(device="host"), xgpu.Stream(device="host")
        copy[n // 64, 64, first](a, c, n)
        while copy._backend.device.running() or c.any():
            time.sleep(0.001)
        # It is over, which the host does not know.
        copy[n // 64, 64, second](d, a, n)
        first.synchronize()
        second.synchronize()

    found = findings(run, "race")
    assert found
    # Each write, wherever it lies: pages at the ends, of which others have parts, count by bytes.
    assert [f.count for f in found] == [n]


def test_elements_that_nobody_wrote(copy):
    def fresh(prepare):
        def run():
            a = xgpu.empty(N, device="host")
            prepare(a)
            copy[2, 32](a, np.zeros(N, np.float32), N)

        return run

    (found,) = findings(fresh(lambda a: None))
    assert (found.kind, found.line) == ("init", 12)
    assert not findings(fresh(lambda a: a.fill(1)))
    assert not findings(fresh(lambda a: a.copy_from(np.ones(N, np.float32))))
    assert not findings(fresh(lambda a: np.asarray(a).fill(1)))
    assert not findings(fresh(lambda a: np.from_dlpack(a)))


def test_functions(module):
    a, c = arrays()
    run = module.functions["run"]
    assert not findings(lambda: run(a, c, N))
    np.testing.assert_array_equal(c, a)
    (found,) = findings(lambda: run(a, c[:50], N))
    behind = "right behind the end of an array of 200 bytes"
    assert found.message == f"write of %c[50] (4 bytes), {behind}"


def test_what_is_loaded_within_is_used_afterwards():
    a, c = arrays()
    with xgpu.sanitized():
        module = xgpu.load(COPY, "host")
        kept = xgpu.asarray(a, "host", copy=True)
        bound = module.kernels["copy"][2, 32]
        bound(kept, c, N)
    c[:] = 0
    module.kernels["copy"][2, 32](kept, c, N)
    np.testing.assert_array_equal(c, a)
    with pytest.raises(DeviceError, match=r"take kernel\[grid, block\] anew"):
        bound(kept, c, N)
    module.close()


def test_a_launch_made_before_is_not_run_unseen(copy):
    a, c = arrays()
    bound = copy[2, 32]
    bound(a, c, N)
    with xgpu.sanitized(), pytest.raises(DeviceError, match="before a watch of the sanitizer"):
        bound(a, c, N)


def test_a_program_within(copy):
    """`xgpu.sanitize` within a watch takes the sanitizer over; what was found before is kept."""
    a, c = arrays()
    with xgpu.sanitized() as watched:
        copy[2, 32](a[:40], c, N)
        assert not xgpu.sanitize("func.func @main() { return }")
        copy[2, 32](a, c[:40], N)
    assert [f.line for f in watched.findings()] == [12, 13]


def test_leaks_are_no_objects_of_python(copy):
    def run():
        stream = xgpu.Stream(device="host")
        a = xgpu.zeros(N, device="host")
        copy[2, 32, stream](a, a, 0)
        stream.synchronize()

    assert not findings(run, "leak")


def test_a_watch_in_another(copy):
    """Each has what ran in it and in no inner one, also when another one has looked since."""
    a, c = np.zeros(N, np.float32), np.zeros(N + 1, np.float32)
    with xgpu.sanitized() as outer:
        copy[2, 32](a, c[:40], N)
        with xgpu.sanitized(["memory"]) as inner:
            copy[2, 32](a[:8], c, 9)
            with xgpu.sanitized() as innermost:
                copy[2, 32](a, c[1:], N)
            copy[2, 32](a, c[1:], N)
        between = outer.findings()
        copy[2, 32](a[:8], c, N)
        assert len(inner.findings()) == 1
        assert not innermost.findings()
    assert [f.line for f in between] == [f.line for f in outer.findings()][:1] == [13]
    assert [f.line for f in inner.findings()] == [12]
    assert [f.line for f in outer.findings()] == [13, 12]
    assert len(outer.findings().launches) == 2


def test_unknown_kinds():
    with (
        pytest.raises(UsageError, match="sanitizer 'racy', expected one of memory"),
        xgpu.sanitized(["racy"]),
    ):
        pass


def test_the_first_of_several_threads_makes_the_device(copy):
    """Each thread has a stream of its own, and the first to ask gets to make what both use."""

    def run(problems):
        try:
            stream = xgpu.Stream("host")
            a, c = xgpu.zeros(N, device="host"), xgpu.zeros(N, device="host")
            copy[2, 32, stream](a, c, N)
            stream.synchronize()
        except Exception as problem:
            problems.append(problem)

    for _ in range(20):
        problems = []
        with xgpu.sanitized() as watched:
            threads = [threading.Thread(target=run, args=(problems,)) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert not problems
        assert not watched.findings(), watched.findings().text()


QUADS = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry quad(.param .u64 p, .param .u64 out) {
  .reg .b64 %a, %o;
  .reg .b32 %x<4>;
  ld.param.u64 %a, [p];
  ld.param.u64 %o, [out];
  ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%a+16];
  st.global.b32 [%o], %x0;
  ret;
}
"""


def test_an_array_that_begins_at_an_odd_address():
    """The host device takes it as it is, a GPU a copy, which is aligned."""
    a, c = np.arange(N + 4, dtype=np.float32), np.zeros(1, np.float32)
    first = -(a.ctypes.data // 4) % 4
    with xgpu.load(QUADS, "host", filename="quads.ptx") as module:
        quad = module.kernels["quad"]
        (found,) = findings(lambda: quad[1, 1](a[first + 1 :], c), "memory")
        assert found.message.endswith("4 bytes behind a multiple of 16, its alignment")
        assert found.hint.startswith("the array itself begins 4 bytes behind such a multiple: ")
        copied = xgpu.asarray(a[first + 1 :], "host", copy=True)
        assert not findings(lambda: quad[1, 1](copied, c), "memory")
        assert c[0] == a[first + 5]


def test_streams_and_events_from_before_serve_in_a_watch_and_behind_it(copy):
    stream, event = xgpu.Stream("host"), xgpu.Event("host")
    a = xgpu.asarray(np.arange(N, dtype=np.float32), "host", copy=True)
    c = xgpu.zeros(N, device="host")
    before = copy[2, 32, stream]
    with xgpu.sanitized() as watched:
        copy[2, 32, stream](a, c, N)
        stream.record(event).synchronize()
        other = xgpu.Stream("host")
        other.wait(event)
        copy[2, 32, other](c, a, N)
        later = other.record()
        d = xgpu.empty(N, device="host")
        copy[2, 32, other](a, d, N)
    assert not watched.findings(), watched.findings().text()
    c.fill(0)
    before(d, c, N)
    copy[2, 32, other](d, a, N)
    other.record(later).synchronize()
    stream.synchronize()
    assert stream.done
    np.testing.assert_array_equal(c.numpy(), np.arange(N))
    np.testing.assert_array_equal(a.numpy(), np.arange(N))


def test_two_streams_from_before_are_not_ordered(copy):
    first, second = xgpu.Stream("host"), xgpu.Stream("host")
    a, c = xgpu.zeros(N, device="host"), xgpu.zeros(N, device="host")

    def work():
        copy[2, 32, first](a, c, N)
        copy[2, 32, second](c, a, N)

    assert {f.kind for f in findings(work, "race")} == {"race"}


def test_an_array_that_nothing_has_used_before_is_unwritten(copy):
    a, c = xgpu.empty(N, device="host"), xgpu.empty(N, device="host")
    (found,) = findings(lambda: copy[2, 32](a, c, N), "init")
    assert (found.file, found.line) == ("copy.mlir", 12)
    # What the watched kernel wrote is written.
    assert not findings(lambda: copy[2, 32](c, a, N))


def _filled(array, copy):
    array.fill(1)


def _launched(array, copy):
    copy[2, 32](np.ones(N, np.float32), array, N)


def _lent(array, copy):
    np.asarray(array)[:] = 1


def _copied(array, copy):
    array.copy_from(np.ones(N, np.float32))


def _addressed(array, copy):
    assert array.address


@pytest.mark.parametrize("write", [_filled, _launched, _lent, _copied, _addressed])
@pytest.mark.parametrize("within", [False, True])
def test_an_array_that_something_has_written(copy, write, within):
    a, c = xgpu.empty(N, device="host"), xgpu.empty(N, device="host")

    def work():
        if within and write is not _addressed:
            write(a, copy)
        copy[2, 32](a, c, N)
        assert c.numpy().shape == (N,)

    if not within or write is _addressed:
        write(a, copy)
    assert not findings(work)


@pytest.mark.parametrize("within", [False, True])
def test_numpy_of_what_a_kernel_wrote_in_part(copy, within):
    a = np.arange(N, dtype=np.float32)
    made = None if within else xgpu.empty(N, device="host")

    def work():
        c = xgpu.empty(N, device="host") if made is None else made
        copy[2, 32](a, c, N - 16)
        c.numpy()

    (found,) = findings(work, "init")
    assert found.message == (
        "numpy() of 256 bytes, of which 64 bytes nothing has written: the first at byte 192 of 256 "
        "bytes"
    )


def test_numpy_of_a_view_reads_its_elements_alone(copy):
    """What lies between them nothing has to write."""
    a = np.ones((8, 8), np.float32)

    def work():
        whole = xgpu.empty((8, 12), device="host")
        part = xgpu.asarray(Part(whole), "host")
        part.copy_from(a)
        part.numpy()

    class Part:
        """The first eight columns."""

        def __init__(self, whole):
            self._whole = whole

        def __xgpu_view__(self):
            view = self._whole.__xgpu_view__()
            return type(view)(view.address, (8, 8), (12, 1), view.dtype, "host", True, self._whole)

    assert not findings(work)


def test_nothing_is_left_of_a_watch_that_is_over(copy):
    """Its device goes with the last array: its threads end, and its memory serves the next one."""

    def watch():
        with xgpu.sanitized():
            a, b = xgpu.empty(1 << 16, "float32"), xgpu.empty(1 << 16, "float32")
            a.fill(0)
            copy[1 << 10, 64](a, b, 1 << 16)
            return a.address

    def settled():
        gc.collect()
        deadline = time.monotonic() + 30
        while len(threading.enumerate()) > threads and time.monotonic() < deadline:
            time.sleep(0.05)
        return len(threading.enumerate())

    for _ in range(3):  # the last one's device lives on with what the kernel keeps for it
        watch()
        gc.collect()
    time.sleep(0.3)
    threads = len(threading.enumerate())
    places = set()
    for _ in range(5):
        places.add(watch())
        assert settled() <= threads
    assert len(places) < 5


def test_launches_that_are_over_leave_nothing_behind(copy):
    """Arrays stay registered from one launch to the next one, while nothing else happens; what
    orders operations is dropped once they are over."""
    a, c = arrays()
    with xgpu.sanitized() as watched:
        sanitizer = watched._watch.sanitizer
        sizes = []
        for _ in range(20):
            copy[2, 32](a, c, N)
            state = sanitizer.record("SanState", sanitizer_state())
            clocks = sanitizer._clocks
            left = (clocks._kept, clocks._clocks, sanitizer.operations)
            sizes.append((state.allocation_count, *map(len, left)))
    assert not watched.findings()
    assert sizes[1:] == sizes[1:2] * 19
    assert sizes[-1][1:] == (0, 0, 0)


def test_an_array_of_the_launch_before_is_the_hosts_again(copy):
    """Its bounds are not those of a new array in its memory, and a launch without it must not use
    it."""
    a, c = arrays()

    def run():
        copy[2, 32](a, c, N)
        copy[2, 32](a[: N // 2], c, N)

    (found,) = findings(run, "memory")
    assert "behind the end of an array of 128 bytes" in found.message


COPIED = """
module attributes {gpu.container_module} {
  func.func @unwritten(%a: memref<64xf32>) {
    %t = gpu.wait async
    %d, %s = gpu.alloc async [%t] () : memref<64xf32>
    %u = gpu.memcpy async [%s] %a, %d : memref<64xf32>, memref<64xf32>
    %v = gpu.dealloc async [%u] %d : memref<64xf32>
    gpu.wait [%v]
    return
  }
}
"""


def test_what_python_has_written_over_unwritten_bytes_is_written(copy):
    """The sanitizer does not see it."""
    with xgpu.load(COPIED, "host") as module:

        def run():
            a, c = arrays()
            module.functions["unwritten"](a)
            a[:] = 1
            copy[2, 32](a, c, N)
            assert (c == 1).all()

        assert not findings(run)


@pytest.mark.parametrize("use", ["launch", "fill"])
def test_an_array_that_python_lets_go_of_before_it_waits(copy, use):
    """Its memory is released when what uses it is over, which the program does not know yet."""

    def run():
        stream = xgpu.Stream(device="host")
        own = xgpu.empty(N, "float32", device="host").fill(1 if use == "fill" else 2)
        other = xgpu.empty(N, "float32", device="host").fill(1)
        last = (own if use == "fill" else other).address + 4 * (N - 1)
        if use == "launch":
            copy[2, 32, stream](own, other, N)
        else:
            own.fill(2, stream)
        while ctypes.c_float.from_address(last).value != 2:
            time.sleep(0.001)
        time.sleep(0.01)  # it is over, of which the host learns nothing
        del own
        xgpu.empty(N, "float32", device="host")  # gives back what is no longer used
        stream.synchronize()

    assert not findings(run)


_RELAX = r"""
#include <cuda/atomic>
__global__ void relax(cuda::atomic<int> *now, cuda::atomic<int> *next, const int *ends, int n) {
  for (int v = blockIdx.x; v < n; v += gridDim.x) {
    int own = now[v].load();
    if (own < 1000) {
      if (threadIdx.x < 4) next[ends[v * 4 + threadIdx.x]].fetch_min(own + 1);
      __syncthreads();
      if (threadIdx.x == 0) next[v].fetch_min(own);
    }
  }
}"""


@needs_clang
def test_atomic_accesses_to_one_word_do_not_look_at_all_that_was_released(tmp_path):
    """Those that are atomic for one another do not race, whatever else orders them: without that
    the second and the third launch look 355,350 times at what a thread has acquired."""
    (tmp_path / "relax.cu").write_text(_RELAX)
    loaded = xgpu.load(str(tmp_path / "relax.cu"), "host", cuda=xgpu.CudaOptions(optimize=0))
    (kernel,) = loaded.kernels.values()
    ends = ((np.arange(16)[:, None] + [1, 3, 5, 7]) % 16).astype(np.int32).ravel()
    now = np.full(16, 1000, np.int32)
    now[0] = 0
    following = now.copy()
    with xgpu.sanitized(["race"]) as watched:
        state = watched._watch.sanitizer.record("SanState", sanitizer_state())
        before = state.visit
        for _ in range(3):
            kernel[2, 128](now, following, ends, 16)
            now, following = following, now
        assert state.visit - before < 1000
    assert not watched.findings()
    assert now.tolist() == [0, *(1, 2) * 4, *(3, 2) * 3, 3]


@needs_clang
def test_findings_that_are_asked_for_again_are_the_same(tmp_path):
    """A finding in CUDA's words, seen before it is asked for and behind that."""
    path = tmp_path / "absent.cu"
    path.write_text("""
      __global__ void k(int *p) {
        if (threadIdx.x < 20) p[threadIdx.x] = __shfl_xor_sync(~0u, p[threadIdx.x], 16);
      }
    """)
    kernel = xgpu.load(str(path), "host").kernels["k"]
    values = np.zeros(32, np.int32)
    with xgpu.sanitized(["sync"]) as watched:
        for launches in (1, 2, 3):
            kernel[1, 32](values)
            for _ in range(2):
                (finding,) = watched.findings()
                assert finding.message.startswith("__shfl_sync with mask 0xffffffff")
                assert finding.count == 12 * launches
