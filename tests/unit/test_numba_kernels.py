# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python, launched on the host device, against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip(
    "numba_cuda_mlir", reason="numba-cuda-mlir is not installed: pip install 'xgpu[numba]'"
)

from xgpu import DeviceError, UsageError, asarray, sanitized
from xgpu.numba import cuda, float32, int32

RNG = np.random.default_rng(7)
TILE = 8
PADDED = 9  # an expression would make it dynamic shared memory
WEIGHTS = np.array([0.25, 0.5, 0.25], np.float32)


@pytest.fixture(autouse=True)
def host() -> None:
    cuda.select_device("host")


# -- 20 kernels


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


def test_vector_add() -> None:
    x, y = RNG.random((2, 1000), np.float32)
    out = np.zeros_like(x)
    add[4, 256](x, y, out)
    np.testing.assert_array_equal(out, x + y)


@cuda.jit
def saxpy(a, x, y):
    start = cuda.grid(1)
    for i in range(start, x.size, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]


def test_grid_stride_and_scalar() -> None:
    x, y = RNG.random((2, 1000))
    expected = 2.5 * x + y
    saxpy[2, 64](2.5, x, y)
    np.testing.assert_allclose(y, expected)


@cuda.jit
def block_sums(x, out):
    shared = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    n = 64
    while n > 0:
        if t < n:
            shared[t] += shared[t + n]
        cuda.syncthreads()
        n //= 2
    if t == 0:
        cuda.atomic.add(out, 0, shared[0])


def test_reduction_in_shared_memory() -> None:
    x = RNG.random(1000, np.float32)
    out = np.zeros(1, np.float32)
    block_sums[8, 128](x, out)
    np.testing.assert_allclose(out[0], x.sum(), rtol=1e-5)


@cuda.jit
def matmul(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.grid(2)
    total = float32(0.0)
    for start in range(0, a.shape[1], TILE):
        left[tx, ty] = a[row, start + ty]
        right[tx, ty] = b[start + tx, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[tx, k] * right[k, ty]
        cuda.syncthreads()
    c[row, column] = total


def test_tiled_matmul() -> None:
    a, b = RNG.random((16, 24), np.float32), RNG.random((24, 32), np.float32)
    c = np.zeros((16, 32), np.float32)
    matmul[(2, 4), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@cuda.jit
def histogram(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


def test_histogram_of_atomics() -> None:
    values = RNG.integers(0, 16, 5000).astype(np.int32)
    bins = np.zeros(16, np.int32)
    histogram[20, 256](values, bins)
    np.testing.assert_array_equal(bins, np.bincount(values, minlength=16))


@cuda.jit
def scan(x, out):
    shared = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    shared[t] = x[t]
    cuda.syncthreads()
    step = 1
    while step < 256:
        before = shared[t - step] if t >= step else 0
        cuda.syncthreads()
        shared[t] += before
        cuda.syncthreads()
        step *= 2
    out[t] = shared[t]


def test_scan() -> None:
    x = RNG.integers(0, 100, 256).astype(np.int32)
    out = np.zeros_like(x)
    scan[1, 256](x, out)
    np.testing.assert_array_equal(out, np.cumsum(x))


@cuda.jit
def stencil(x, out):
    i, j = cuda.grid(2)
    if 0 < i < x.shape[0] - 1 and 0 < j < x.shape[1] - 1:
        out[i, j] = (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]) / 4.0


def test_stencil() -> None:
    x = RNG.random((40, 50))
    out = np.zeros_like(x)
    stencil[(5, 7), (8, 8)](x, out)
    expected = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 4
    np.testing.assert_allclose(out[1:-1, 1:-1], expected)
    assert not out[0].any()


@cuda.jit(device=True)
def escape(re, im, most):
    c = complex(re, im)
    z = 0.0j
    for n in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return n
    return most


@cuda.jit
def mandelbrot(image, most):
    i, j = cuda.grid(2)
    if i < image.shape[0] and j < image.shape[1]:
        image[i, j] = escape(-2 + 3 * j / image.shape[1], -1 + 2 * i / image.shape[0], most)


def test_mandelbrot_and_device_function() -> None:
    image = np.zeros((24, 36), np.int32)
    mandelbrot[(3, 5), (8, 8)](image, 30)
    j, i = np.meshgrid(np.arange(36), np.arange(24))
    c = (-2 + 3 * j / 36) + 1j * (-1 + 2 * i / 24)
    z, expected = np.zeros_like(c), np.full(c.shape, 30)
    for n in range(30):
        with np.errstate(all="ignore"):
            z = np.where(expected < 30, z, z * z + c)
        expected[(expected == 30) & (abs(z) >= 2)] = n
    assert (image != expected).mean() < 0.01


@cuda.jit
def softmax(x, out):
    row = cuda.grid(1)
    if row < x.shape[0]:
        largest = x[row, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[row, j])
        total = 0.0
        for j in range(x.shape[1]):
            total += math.exp(x[row, j] - largest)
        for j in range(x.shape[1]):
            out[row, j] = math.exp(x[row, j] - largest) / total


def test_softmax() -> None:
    x = RNG.standard_normal((30, 17))
    out = np.zeros_like(x)
    softmax[1, 32](x, out)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(out, e / e.sum(1, keepdims=True), rtol=1e-10)


@cuda.jit
def transpose(x, out):
    tile = cuda.shared.array((TILE, PADDED), float32)
    i, j = cuda.grid(2)
    tile[cuda.threadIdx.x, cuda.threadIdx.y] = x[i, j]
    cuda.syncthreads()
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    out[row, column] = tile[cuda.threadIdx.y, cuda.threadIdx.x]


@pytest.mark.parametrize("order", ["C", "F"])
def test_transpose(order: Any) -> None:
    x = np.asarray(RNG.random((16, 24), np.float32), order=order)
    out = np.zeros((24, 16), np.float32)
    transpose[(2, 3), (TILE, TILE)](x, out)
    np.testing.assert_array_equal(out, x.T)


@cuda.jit
def rotate(z, by):
    i = cuda.grid(1)
    if i < z.size:
        z[i] = z[i] * by / abs(by)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(dtype: Any) -> None:
    z = (RNG.random(50) + 1j * RNG.random(50)).astype(dtype)
    expected = z * (3 - 4j) / 5
    rotate[1, 64](z, 3 - 4j)
    np.testing.assert_allclose(z, expected, rtol=1e-6)


PARTICLE = np.dtype([("mass", np.float64), ("charge", np.int32)], align=True)


@cuda.jit
def energies(particles, out):
    i = cuda.grid(1)
    if i < particles.size:
        out[i] = particles[i].mass * 2 + particles[i]["charge"]
        particles[i].charge = i


def test_records() -> None:
    particles = np.zeros(10, PARTICLE)
    particles["mass"], particles["charge"] = np.arange(10), 5
    out = np.zeros(10)
    energies[1, 16](particles, out)
    np.testing.assert_array_equal(out, np.arange(10) * 2 + 5)
    np.testing.assert_array_equal(particles["charge"], np.arange(10))


@cuda.jit
def sorted_rows(x, out):
    row = cuda.grid(1)
    if row < x.shape[0]:
        values = cuda.local.array(5, float32)
        for j in range(5):
            values[j] = x[row, j]
        for i in range(5):
            for j in range(4 - i):
                if values[j] > values[j + 1]:
                    values[j], values[j + 1] = values[j + 1], values[j]
        for j in range(5):
            out[row, j] = values[j]


def test_local_array() -> None:
    x = RNG.random((40, 5), np.float32)
    out = np.zeros_like(x)
    sorted_rows[2, 32](x, out)
    np.testing.assert_array_equal(out, np.sort(x, axis=1))


@cuda.jit
def smooth(x, out):
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if 0 < i < x.size - 1:
        out[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1]


def test_constant_array() -> None:
    x = RNG.random(100, np.float32)
    out = np.zeros_like(x)
    smooth[1, 128](x, out)
    np.testing.assert_allclose(out[1:-1], np.convolve(x, WEIGHTS, "valid"), rtol=1e-5)


@cuda.jit
def warp_sums(x, out):
    value = x[cuda.grid(1)]
    for offset in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
    if cuda.laneid == 0:
        out[cuda.grid(1) // 32] = value


def test_warp_shuffles() -> None:
    x = RNG.integers(0, 1000, 128).astype(np.int32)
    out = np.zeros(4, np.int32)
    warp_sums[2, 64](x, out)
    np.testing.assert_array_equal(out, x.reshape(4, 32).sum(1))


@cuda.jit
def ballots(x, out):
    i = cuda.grid(1)
    mask = cuda.ballot_sync(0xFFFFFFFF, x[i] > 0)
    if cuda.laneid == 0:
        out[i // 32] = cuda.popc(mask)


def test_votes() -> None:
    x = RNG.integers(-1, 2, 64).astype(np.int32)
    out = np.zeros(2, np.int32)
    ballots[1, 64](x, out)
    np.testing.assert_array_equal(out, (x.reshape(2, 32) > 0).sum(1))


@cuda.jit
def grid_neighbour(x, out):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    x[i] = i
    grid.sync()
    out[i] = x[(i + cuda.blockDim.x) % x.size]


def test_cooperative_grid() -> None:
    x, out = np.zeros(64, np.int32), np.zeros(64, np.int32)
    grid_neighbour[4, 16](x, out)
    np.testing.assert_array_equal(out, (np.arange(64) + 16) % 64)


@cuda.jit
def halves(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i] * x[i] + x[i]


def test_half_precision() -> None:
    x = RNG.random(64).astype(np.float16)
    out = np.zeros_like(x)
    halves[1, 64](x, out)
    np.testing.assert_allclose(out, x * x + x, rtol=2e-3)


@cuda.jit
def dart(seeds, hits):
    i = cuda.grid(1)
    state = np.uint32(seeds[i])
    count = 0
    for _ in range(200):
        state = np.uint32(state * np.uint32(1664525) + np.uint32(1013904223))
        x = (state >> np.uint32(8)) / 16777216.0
        state = np.uint32(state * np.uint32(1664525) + np.uint32(1013904223))
        y = (state >> np.uint32(8)) / 16777216.0
        if x * x + y * y < 1.0:
            count += 1
    hits[i] = count


def test_random_numbers() -> None:
    seeds = np.arange(1, 65, dtype=np.uint32) * 2654435761
    hits = np.zeros(64, np.int32)
    dart[1, 64](seeds, hits)
    assert abs(4 * hits.sum() / (64 * 200) - math.pi) < 0.1


@cuda.jit
def scaled(x, factors, offset=1.0):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * factors[0] + factors[1][i] + offset


def test_tuples_and_defaults() -> None:
    x = np.ones(20)
    scaled[1, 32](x, (3, np.arange(20.0)))
    np.testing.assert_array_equal(x, 4 + np.arange(20))


@cuda.jit
def whole_arrays(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        sums = x + y
        out[i] = sums[i] * 2


def test_arithmetic_of_whole_arrays() -> None:
    x, y = np.arange(10, dtype=np.float64), np.ones(10)
    out = np.zeros(10)
    whole_arrays[1, 16](x, y, out)
    np.testing.assert_array_equal(out, (x + y) * 2)


# -- What else numba's users do.


def test_specializations_by_types() -> None:
    @cuda.jit
    def fill(x, value):
        x[cuda.grid(1)] = value

    for dtype in (np.float32, np.int64):
        x = np.zeros(8, dtype)
        fill[1, 8](x, 3)
        assert (x == 3).all()
    fill[1, 8](np.zeros(8, np.int64), 4)
    assert len(fill.specializations) == 2
    assert all("gpu.func" in text for text in fill.mlir.values())
    assert all(".visible .entry fill(" in text for text in fill.ptx.values())
    assert all("define ptx_kernel void @fill" in text for text in fill.llvm_ir.values())


def test_a_signature_is_what_launches_take(monkeypatch: pytest.MonkeyPatch) -> None:
    @cuda.jit(["void(float32[:], float32)", "void(float64[::1], int32)"])
    def put(x, value):
        x[0] = value

    x = np.zeros(4, np.float32)
    put[1, 1](x[::2], 7)  # converted
    assert x[0] == 7
    declared = r"declared for \(array\(float32, 1d, A\), float32\) or .*, and not for "
    for other in (np.zeros(4)[::2], np.zeros((2, 2), np.float32), np.zeros(4, np.int32)):
        with pytest.raises(TypeError, match=declared):
            put[1, 1](other, 7)
    with pytest.raises(TypeError, match="argument 'value' of type i32: expected an integer"):
        put[1, 1](np.zeros(4), 3.7)
    assert len(put.specializations) == 2
    # What an assembler would say, which takes its time.
    names = ("registers", "shared_bytes", "local_bytes", "constant_bytes", "max_threads")
    known = {name: at for at, name in enumerate(names)}
    monkeypatch.setattr("xgpu.api.kernels.Kernel.attributes", known)
    asked = "void(float32[:], float32)"
    asks = (
        put.get_regs_per_thread, put.get_shared_mem_per_block, put.get_local_mem_per_thread,
        put.get_const_mem_size, put.get_max_threads_per_block,
    )  # fmt: skip
    assert [ask(asked) for ask in asks] == [0, 1, 2, 3, 4]
    assert [list(ask().values()) for ask in asks] == [[at] * 2 for at in range(5)]


def test_device_arrays_streams_and_events() -> None:
    x, y = RNG.random((2, 100), np.float32)
    stream, begin, end = cuda.stream(), cuda.event(), cuda.event()
    there = cuda.to_device(x, stream=stream)
    out = cuda.device_array_like(there)
    begin.record(stream)
    add[1, 128, stream](there, cuda.to_device(y), out)
    end.record(stream)
    end.synchronize()
    assert cuda.event_elapsed_time(begin, end) >= 0
    np.testing.assert_array_equal(out.copy_to_host(stream=stream), x + y)
    np.testing.assert_array_equal(out[10:20].copy_to_host(), (x + y)[10:20])
    bits = out.view(np.int32).copy_to_host()
    np.testing.assert_array_equal(bits, (x + y).view(np.int32))
    assert out.reshape(4, 25)[3, 24] == (x + y)[99]
    assert out.reshape(4, 25).T.shape == (25, 4)
    assert [part.copy_to_host()[0] for part in out.split(40)] == list((x + y)[::40])
    assert [len(part) for part in out.split(40)] == [40, 40, 20]
    rows = out.reshape(4, 25)
    assert (rows.is_c_contiguous(), rows.is_f_contiguous()) == (True, False)
    assert (rows.T.is_c_contiguous(), rows.T.is_f_contiguous()) == (False, True)
    with pytest.raises(TypeError, match=r"of one dimension, of shape \(4, 25\)"):
        rows.split(2)
    with pytest.raises(ValueError, match="section is 0, expected at least 1"):
        out.split(0)
    out[:] = 1
    np.testing.assert_array_equal(out.copy_to_host(), 1)
    cuda.synchronize()


def test_arrays_of_other_libraries() -> None:
    x = asarray(RNG.random(32, np.float32), device="host", copy=True)
    out = np.zeros(32, np.float32)
    add[1, 32](x, x, out)
    np.testing.assert_array_equal(out, 2 * x.numpy())


def test_names_in_module_and_messages() -> None:
    x = np.zeros(4, np.float32)
    with pytest.raises(DeviceError) as caught:
        cuda.jit(_out_of_bounds)[1, 8](x)
    assert "kernel '_out_of_bounds', argument 'x'" in str(caught.value)
    line = _out_of_bounds.__code__.co_firstlineno + 1
    assert f"{__file__}:{line}" in str(caught.value)


def _out_of_bounds(x):
    x[cuda.grid(1)] = 1


@cuda.jit(debug=True, opt=False)
def checked(x):
    i = cuda.grid(1)
    if i == 3:
        raise IndexError("no such element")
    x[i] = i


def test_exception_of_a_kernel() -> None:
    with pytest.raises(IndexError, match="no such element"):
        checked[1, 8](np.zeros(8, np.int32))


@cuda.jit
def racy(x, out):
    shared = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    shared[t] = x[t]
    out[t] = shared[63 - t]


def test_race_has_the_lines_of_python() -> None:
    x = np.ones(64, np.float32)
    with sanitized() as watched:
        racy[1, 64](x, np.zeros_like(x))
    text = watched.findings().text()
    first = racy.py_func.__code__.co_firstlineno
    assert "race" in text
    assert f"{__file__}:{first + 4}" in text
    assert f"{__file__}:{first + 5}" in text


def test_load_gives_the_module() -> None:
    import xgpu

    signature = "void(float32[::1], float32[::1], float32[::1])"
    module = xgpu.load(add, signature=signature, device="host")
    kernel = module.kernels["add"]
    assert [p.name for p in kernel.parameters or ()] == ["x", "y", "out"]
    assert ".visible .entry add(" in kernel.ptx


def test_print(capfd: pytest.CaptureFixture[str]) -> None:
    @cuda.jit
    def greet(x):
        print("element", cuda.grid(1), x[cuda.grid(1)])

    greet[1, 2](np.array([5, 6], np.int32))
    assert capfd.readouterr().out.splitlines() == ["element 0 5", "element 1 6"]


def test_wrong_use() -> None:
    with pytest.raises(TypeError, match="is launched with a grid"):
        add(1, 2, 3)
    with pytest.raises(TypeError, match="takes 3 arguments"):
        add[1, 1](1)
    with pytest.raises(TypeError, match="a list cannot be an argument of a kernel"):
        add[1, 1]([1.0], 2, 3)
    with pytest.raises(TypeError, match=r"expected \[grid, block, stream, shared\]"):
        add[1]


# -- what numba has in Python


WORD = 2**64 - 1


def numbers(s0: int, s1: int) -> Any:
    """xoroshiro128+, as its authors have it."""
    while True:
        yield (s0 + s1) & WORD
        s1 ^= s0
        s0 = ((s0 << 55 | s0 >> 9) ^ s1 ^ (s1 << 14)) & WORD
        s1 = (s1 << 36 | s1 >> 28) & WORD


def test_generators() -> None:
    uniform = cuda.random.xoroshiro128p_uniform_float64
    normal = cuda.random.xoroshiro128p_normal_float64

    @cuda.jit
    def draw(states, uniforms, normals):
        i = cuda.grid(1)
        if i < states.size:
            uniforms[i] = uniform(states, i)
            normals[i] = normal(states, i)

    states = cuda.random.create_xoroshiro128p_states(50, seed=5)
    before = states.copy_to_host()
    uniforms, normals = np.zeros(50), np.zeros(50)
    draw[2, 32](states, uniforms, normals)
    drawn = [numbers(int(s0), int(s1)) for s0, s1 in before]
    first, u1, u2 = (np.array([next(d) >> 11 for d in drawn]) * 2.0**-53 for _ in range(3))
    np.testing.assert_array_equal(uniforms, first)
    expected = np.sqrt(-2 * np.log(u1)) * np.cos(2 * math.pi * u2)
    np.testing.assert_allclose(normals, expected, rtol=1e-12, atol=1e-12)


def test_states_of_random_numbers() -> None:
    """The seed's state is splitmix64's; each next is 2^64 numbers later, as `start` says too."""
    states = cuda.random.create_xoroshiro128p_states(40, seed=0).copy_to_host()
    assert tuple(states[0]) == (0xE220A8397B1DCDAF,) * 2
    assert len(set(map(tuple, states))) == 40
    later = cuda.random.create_xoroshiro128p_states(3, 0, subsequence_start=37).copy_to_host()
    np.testing.assert_array_equal(later, states[37:])
    # As numba's generator with this seed.
    assert tuple(states[1]) == (0x12513CE25BE05EB1, 0x70D189C276BA17A4)


def test_reductions() -> None:
    largest = cuda.reduce(lambda a, b: a if a > b else b)
    total = cuda.Reduce(lambda a, b: a + b)
    for count in (1, 127, 128, 130, 20000):
        values = RNG.random(count)
        assert largest(values) == values.max()
        np.testing.assert_allclose(total(values, init=2.5), values.sum() + 2.5)
    result = cuda.to_device(np.zeros(2))
    assert total(values, size=1, res=result) is None
    np.testing.assert_array_equal(result.copy_to_host(), [values[0], 0])
    assert total(values, size=0, init=7) == 7


def test_what_reductions_and_links_refuse() -> None:
    total = cuda.reduce(lambda a, b: a + b)
    with pytest.raises(TypeError, match="expected an array of one dimension"):
        total(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="size is 3, and the array has 2 elements"):
        total(np.zeros(2), size=3)
    with pytest.raises(UsageError, match=r"link is not taken here: .* under xgpu-cuda"):
        cuda.jit(link=["k.ptx"])


# -- devices


def test_the_host_device_is_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    (device,) = cuda.gpus
    assert device == cuda.get_current_device() == cuda.gpus[0] == cuda.list_devices().lst[-1]
    assert (device.id, device.name) == (0, "xgpu host device 0 (sm_90a)")
    assert device.compute_capability == (9, 0)
    assert (device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK) == (32, 1024)
    assert device.MULTIPROCESSOR_COUNT >= 1
    assert cuda.is_float16_supported()
    assert cuda.is_bfloat16_supported()
    assert cuda.cuda_error() is None
    assert cuda.detect()
    printed = capsys.readouterr().out
    assert printed.startswith("Found 1 CUDA devices\nid 0 ")
    assert f"UUID: {device.uuid}\n" in printed
    with pytest.raises(AttributeError, match="no attribute 'WARP_SIZES': CUDA's driver has none"):
        _ = device.WARP_SIZES
    with pytest.raises(IndexError, match="no device 1: there is 1"):
        _ = cuda.gpus[1]


def test_the_context_of_a_device() -> None:
    context = cuda.current_context()
    free, total = context.get_memory_info()
    held = cuda.device_array(1 << 26, np.uint8)  # more than what other tests give back meanwhile
    assert context.get_memory_info().free <= free - held.nbytes // 2
    assert context.get_memory_info().total == total
    context.synchronize()
    context.reset()
    assert cuda.current_context(0).device == context.device == cuda.gpus.current.device


def test_a_device_is_selected() -> None:
    cuda.device = "auto"
    with cuda.gpus[0] as context:
        assert cuda.device == context.device._device
    assert cuda.device == "auto"
    assert cuda.select_device(0).device == cuda.gpus[0]
    with pytest.raises(DeviceError, match="no device 64: there "):
        cuda.select_device(64)


def test_functions_of_the_driver_are_refused_by_name() -> None:
    for name in ("profile_start", "external_stream", "runtime"):
        with pytest.raises(AttributeError, match=f"cuda.{name} calls NVIDIA's driver"):
            getattr(cuda, name)
    with pytest.raises(AttributeError, match=r"'xgpu.numba.cuda' has no attribute 'grids'"):
        _ = cuda.grids


# -- mistakes


@cuda.jit
def misspelled(x):
    x[0] = cuda.thread_idx.x


@cuda.jit
def fill_all(value, *arrays):
    arrays[0][cuda.grid(1)] = value
    if len(arrays) > 1:
        arrays[-1][cuda.grid(1)] = value


def test_a_misspelled_name_has_its_line() -> None:
    line = misspelled.py_func.__code__.co_firstlineno + 2
    words = (
        rf"test_numba_kernels.py:{line}: kernel 'misspelled': cuda has no attribute 'thread_idx'"
    )
    with pytest.raises(AttributeError, match=words + ", did you mean 'threadIdx'"):
        misspelled[1, 1](np.zeros(1))


def test_any_number_of_arguments() -> None:
    one, two = np.zeros(4, np.int32), np.zeros(4, np.int32)
    fill_all[1, 4](3, one, two)
    np.testing.assert_array_equal([one, two], 3)


def test_launches_that_cannot_be() -> None:
    x = np.zeros(4, np.int32)
    fill_all[1, 4](1, x)
    for sizes in ((1, 4.0), (1.0, 4), ((1.0, 1), 4)):  # as others that were launched, but floats
        with pytest.raises(TypeError, match=r"size is \d.0, expected an integer"):
            fill_all[sizes](1, x)
    with pytest.raises(
        TypeError, match="arguments are given by their places, found x="
    ):
        fill_all[1, 4](1, x=x)
    with pytest.raises(TypeError, match=r"takes 2 arguments \(value, arrays\), but 0 were given"):
        fill_all[1, 4]()


def test_copies_between_arrays_that_differ() -> None:
    held = cuda.to_device(np.zeros(4, np.float32))
    with pytest.raises(TypeError, match="expected an array of float32, found int32"):
        held.copy_to_host(np.zeros(4, np.int32))
    with pytest.raises(ValueError, match=r"expected an array of shape \(4,\), found \(3,\)"):
        held.copy_to_device(np.zeros(3, np.float32))
