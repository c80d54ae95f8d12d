# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in CUDA C++ (`kernels.cu`), as clang and our header bring them in, against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support.clang import needs_clang
from tests.support.some_cases import short

HERE = Path(__file__).parent
pytestmark = needs_clang

rng = np.random.default_rng(31)


@pytest.fixture(scope="module")
def kernels():
    with xgpu.load(HERE / "kernels.cu", "host", instantiate=["scale<double, 1>"]) as module:
        yield module.kernels


def floats(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def test_saxpy(kernels):
    x, y = floats(1000), floats(1000)
    expected = np.float32(2.5) * x + y
    kernels["saxpy"][4, 256](2.5, x, y, 1000)
    np.testing.assert_array_equal(y, expected)


def test_grid_stride(kernels):
    x, y = floats(5000, dtype=np.float64), np.zeros(5000)
    kernels["grid_stride"][3, 128](x, y, 5000)
    np.testing.assert_allclose(y, np.sqrt(np.abs(x)) + np.floor(x) * 0.5, rtol=1e-15)


def test_matrix_product(kernels):
    a, b, c = floats(50, 33), floats(33, 70), np.zeros((50, 70), np.float32)
    kernels["matmul"][(5, 4), (16, 16)](a, b, c, 50, 70, 33)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-5)


def test_launch_bounds_are_kept(kernels):
    a = np.zeros(1, np.float32)
    with pytest.raises(xgpu.DeviceError, match=r"'nvvm\.maxntid' of the kernel allows 256"):
        kernels["matmul"][1, (32, 16)](a, a, a, 0, 0, 0)


def test_transpose(kernels):
    x = rng.integers(-100, 100, (50, 70)).astype(np.int32)
    y = np.zeros((70, 50), np.int32)
    kernels["transpose"][(3, 2), (32, 8)](x, y, 70, 50)
    np.testing.assert_array_equal(y, x.T)


def test_dynamic_shared_memory(kernels):
    x, out = floats(1000), np.zeros(1, np.float32)
    kernels["block_sum"][4, 256, None, 256 * 4](x, out, 1000)
    np.testing.assert_allclose(out[0], x.sum(dtype=np.float64), rtol=1e-4, atol=1e-4)


def test_shuffles(kernels):
    x = rng.integers(-1000, 1000, 500).astype(np.int32)
    out = np.zeros(16, np.int32)
    kernels["warp_sum"][4, 128](x, out, 500)
    np.testing.assert_array_equal(out, np.pad(x, (0, 12)).reshape(16, 32).sum(axis=1))


def test_atomics_of_block_and_device(kernels):
    data = rng.integers(0, 256, 5000).astype(np.uint8)
    bins = np.zeros(256, np.uint32)
    kernels["histogram"][3, 128](data, bins, 5000)
    np.testing.assert_array_equal(bins, np.bincount(data, minlength=256))


def test_scan(kernels):
    x = rng.integers(-9, 9, 1024).astype(np.int32)
    out = np.zeros(1024, np.int32)
    kernels["scan_block"][4, 256](x, out)
    np.testing.assert_array_equal(out.reshape(4, 256), x.reshape(4, 256).cumsum(axis=1))


def test_constant_memory(kernels):
    x, y = floats(300), np.zeros(300, np.float32)
    kernels["convolve"][2, 256](x, y, 300)
    np.testing.assert_allclose(y, np.convolve(x, [0.1, 0.2, 0.4, 0.2, 0.1], "same"), atol=1e-6)


def test_softmax(kernels):
    x, y = floats(7, 100), np.zeros((7, 100), np.float32)
    kernels["softmax"][7, 32](x, y, 100)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


def test_vector_types(kernels):
    x, y = floats(100, 4), np.zeros((100, 4), np.float32)
    kernels["vectors"][1, 128](x, y, 100)
    a, b, c, d = x.T
    np.testing.assert_array_equal(y, np.stack([d, c * 2, b + a, np.minimum(a, 0.5)], axis=1))


def test_halves(kernels):
    x, y = floats(100).astype(np.float16), floats(100, 2).astype(np.float16)
    out = np.zeros(100, np.float32)
    kernels["halves"][1, 128](x, y, out, 100)
    p = y * np.float16(2)
    np.testing.assert_array_equal(out, (x + p[:, 0]).astype(np.float32) * p[:, 1])


def test_bits(kernels):
    x = np.concatenate([[0, 1, 0xFFFFFFFF], rng.integers(0, 1 << 32, 97)]).astype(np.uint32)
    out = np.zeros((100, 8), np.int32)
    kernels["bits"][1, 128](x, out, 100)
    given = [int(v) for v in x]

    def permuted(v):
        both = (0x12345678 << 32 | v).to_bytes(8, "little")
        return int.from_bytes([both[s] for s in (2, 6, 1, 7)], "little")

    rows = [
        [v.bit_count() for v in given],
        [32 - v.bit_length() for v in given],
        [(v & -v).bit_length() for v in given],
        [int(f"{v:032b}"[::-1], 2) for v in given],
        [permuted(v) for v in given],
        [(0xDEADBEEF << 32 | v) >> 25 & 0xFFFFFFFF for v in given],
        [v * 0x9E3779B9 >> 32 for v in given],
        list(x.astype(np.float32).view(np.uint32)),
    ]
    np.testing.assert_array_equal(out.view(np.uint32), np.array(rows, np.uint32).T)


@pytest.mark.parametrize(
    ("name", "dtype", "each"),
    [("scale<float, 4>", np.float32, 4), ("scale<int,2>", np.int32, 2),
     ("scale<double, 1>", np.float64, 1)],
)  # fmt: skip
def test_templates(kernels, name, dtype, each):
    x = np.arange(64 * each).astype(dtype)
    kernels[name][2, 32](x, 3)
    np.testing.assert_array_equal(x, np.arange(64 * each) * 3)


def test_structs_and_device_functions(kernels):
    all_ = floats(40, 6)
    expected = all_.copy()
    expected[:30, :3] += np.float32(0.5) * all_[:30, 3:]
    world = np.array([(0.5, 30)], [("step", "f4"), ("count", "i4")])
    kernels["particles"][2, 32](all_, world.tobytes())
    np.testing.assert_array_equal(all_, expected)


def test_the_last_block_adds_up(kernels):
    x = rng.integers(-1000, 1000, 1000).astype(np.int32)
    part, out, arrived = np.zeros(6, np.int32), np.zeros(1, np.int32), np.zeros(1, np.uint32)
    kernels["last_block"][6, 32](x, part, out, arrived, 1000)
    assert (out[0], arrived[0]) == (x.sum(), 0)


def test_a_lock_of_cuda_atomics(kernels):
    counter, taken = np.zeros(1, np.int32), np.zeros(1, np.int32)
    kernels["lock"][8, 128](counter, taken)
    assert (counter[0], taken[0]) == (32, 0)


def test_clusters(kernels):
    found = np.zeros((4, 2), np.int32)
    kernels["neighbours"].launch(grid=4, block=32, cluster=2)(found)
    assert found.tolist() == [[101, 640], [100, 641], [103, 640], [102, 641]]
    pairs = np.zeros(4, np.int32)
    kernels["pairs"][4, 1](pairs)
    assert pairs.tolist() == [20, 21, 20, 21]


def test_a_barrier_in_shared_memory(kernels):
    x, o = np.arange(64, dtype=np.int32), np.zeros(32, np.int32)
    kernels["phases_of_barrier"][1, 64](x, o)
    np.testing.assert_array_equal(o, np.arange(32, 64))


def test_cooperative_groups(kernels):
    x = rng.integers(0, 100, 256).astype(np.int32)
    tiles, odd = np.zeros(32, np.int32), np.zeros(1, np.int32)
    kernels["groups"][2, 128](x, tiles, odd, 256)
    np.testing.assert_array_equal(tiles, x.reshape(32, 8).sum(axis=1))
    assert odd[0] == (x % 2).sum()


def test_the_grid_waits_for_itself(kernels):
    x = np.zeros(256, np.int32)
    for _ in range(2):
        kernels["phases"][4, 64](x, 256)
        np.testing.assert_array_equal(x, np.roll(np.arange(256), -64) * 2)


def test_votes_and_reductions(kernels):
    x = rng.integers(-5, 7, 128).astype(np.int32)
    out = np.zeros((128, 7), np.uint32)
    kernels["votes"][2, 64](x, out)
    for i in range(128):
        warp, block = x[i // 32 * 32 :][:32], x[i // 64 * 64 :][:64]
        masks = [sum(1 << k for k in range(32) if m[k]) for m in (warp > 0, warp == x[i])]
        expected = [
            masks[0], (block > 0).sum(), (block != 7).all(), (block == 3).any(), masks[1],
            int(warp.sum()) % 2**32, int(warp.max()) % 2**32,
        ]  # fmt: skip
        assert out[i, [0, 1, 4, 5, 6]].tolist() == [expected[k] for k in (0, 1, 4, 5, 6)]
        assert [bool(v) for v in out[i, 2:4]] == [bool(v) for v in expected[2:4]]


def test_atomic_extremes(kernels):
    x = (np.abs(floats(200)) * 100).astype(np.float32)
    low, high, total = np.full(1, 1 << 30, np.int32), np.zeros(1, np.uint64), np.zeros(1)
    kernels["extremes"][2, 128](x, low, high, total, 200)
    assert (low[0], high[0]) == (int(np.rint(x.min())), int(x.max()))
    np.testing.assert_allclose(total[0], x.sum(dtype=np.float64), rtol=1e-12)


def test_functions(kernels):
    from math import erf

    x, u = floats(200), floats(200, dtype=np.float64)
    y, v = np.zeros(200, np.float32), np.zeros(200)
    kernels["functions"][1, 256](x, y, u, v, 200)
    w = x.astype(np.float64)
    expected = (
        np.sin(w) * np.cos(w) + np.abs(w) ** 1.5 + np.exp(-w) + 1 / np.sqrt(1 + w * w)
        + np.vectorize(erf)(w) + np.arctan2(w, 2) + np.fmod(x, np.float32(0.7))
    )  # fmt: skip
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-5)
    rounded = np.sign(u) * np.floor(np.abs(u) + 0.5)
    expected = np.sin(u) + np.tanh(u) + np.log1p(np.abs(u)) + np.cbrt(u) + np.hypot(u, 3)
    np.testing.assert_allclose(v, expected + rounded, rtol=1e-13)


def test_atomic_additions_of_small_floats(kernels):
    one, two = np.zeros(1, np.float16), np.zeros(2, np.float16)
    bfloats = [np.zeros(n, np.uint16) for n in (1, 2)]
    kernels["add_small_floats"][2, 32](one, two, *bfloats)
    assert [*one, *two] == [32, 64, 128]
    found = [(b.astype(np.uint32) << 16).view(np.float32).tolist() for b in bfloats]
    assert found == [[32], [64, 128]]


def test_atomic_additions_of_a_chip_without_them():
    """Before sm_90 a bf16 is added by swaps; the text that clang reads says which way it goes."""
    source = (
        "#include <cuda_bf16.h>\n"
        "#if __CUDA_ARCH__ >= 900\n#error the other way\n#endif\n"
        "__global__ void add(__nv_bfloat16 *b, __nv_bfloat162 *b2) {"
        "  atomicAdd(b, __nv_bfloat16(0.5f)); atomicAdd(b2, __nv_bfloat162{1.0f, 2.0f}); }"
    )
    one, two = np.zeros(1, np.uint16), np.zeros(2, np.uint16)
    with xgpu.load(source, "host", chip="sm_80") as module:
        module.kernels["add"][2, 32](one, two)
    found = (np.array([*one, *two]).astype(np.uint32) << 16).view(np.float32)
    assert found.tolist() == [32, 64, 128]


def test_rare_functions(kernels):
    out = np.zeros(25, np.float32)
    kernels["rare_functions"][1, 1](out)
    # Abramowitz and Stegun, tables 9.1, 9.2 and 9.8; 7 / 2 is halfway between 3 and 4.
    wanted = [
        1.2660659, 0.5651591, 0.1149035, -1.6506826, 11, 1 / 11, 11, 0.2, -1, 4, 0.7615942, 0.5, 3,
        16, 5, -1, np.nan, 12, 0.75, np.inf, 0, 17,
    ]  # fmt: skip
    np.testing.assert_allclose(out[:22], np.array(wanted, np.float32), rtol=1e-6)
    one = np.float32(1)
    assert list(out[22:]) == [one, np.nextafter(one, 2 * one), np.nextafter(one, 0 * one)]


HALVES = """
#include <cuda_fp16.h>
#define MODES(F, V) {F##_rz(V), F##_rd(V), F##_ru(V)}
__global__ void to_half(const float *x, __half *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half found[3] = MODES(__float2half, x[i]);
  for (int mode = 0; mode < 3; ++mode) out[mode * n + i] = found[mode];
}
__global__ void to_integers(const __half *x, int *out, long long *wide, short *narrow, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found[4] = {__half2int_rn(x[i]), __half2int_rz(x[i]), __half2int_rd(x[i]),
                  __half2int_ru(x[i])};
  for (int mode = 0; mode < 4; ++mode) out[mode * n + i] = found[mode];
  wide[i] = __half2ll_rn(x[i]);
  narrow[i] = __half2short_rn(x[i]);
}
__global__ void compare(const __half *a, const __half *b, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = a[i], y = b[i];
  __half2 one = __halves2half2(x, y), other = __halves2half2(y, y);
  out[i] = __heq(x, y) | __hne(x, y) << 1 | __hlt(x, y) << 2 | __hgeu(x, y) << 3 |
           __hneu(x, y) << 4 | __hbeq2(one, other) << 5 | (__hle2_mask(one, other) & 1) << 6 |
           (x != y) << 7;
}
"""


@np.errstate(all="ignore")
def test_rounding_of_halves():
    """Against NumPy: random floats of all magnitudes, and all halves."""
    x = (rng.standard_normal(4096) * 10.0 ** rng.integers(-9, 6, 4096)).astype(np.float32)
    out = np.zeros((3, len(x)), np.float16)
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    integers, wide = np.zeros((4, 1 << 16), np.int32), np.zeros(1 << 16, np.int64)
    narrow = np.zeros(1 << 16, np.int16)
    with xgpu.load(HALVES, "host") as module:
        module.kernels["to_half"][32, 128](x, out, len(x))
        module.kernels["to_integers"][512, 128](halves, integers, wide, narrow, 1 << 16)
    near = x.astype(np.float16)
    value = near.astype(np.float32)
    low, high = np.float16(-np.inf), np.float16(np.inf)
    down = np.where(value > x, np.nextafter(near, low), near)
    up = np.where(value < x, np.nextafter(near, high), near)
    wanted = np.stack([np.where(x < 0, up, down), down, up])
    assert np.array_equal(out.view(np.uint16), wanted.view(np.uint16))

    exact = halves.astype(np.float64)
    rounded = [f(exact) for f in (np.rint, np.trunc, np.floor, np.ceil)]
    for found, numbers in zip(integers, rounded, strict=True):
        clipped = np.clip(np.nan_to_num(numbers, nan=0), -(2.0**31), 2.0**31 - 1)
        assert np.array_equal(found, clipped.astype(np.int64))
    is_finite = np.isfinite(exact)
    assert np.array_equal(wide[is_finite], rounded[0][is_finite].astype(np.int64))
    assert set(wide[np.isnan(exact)]) == {-(2**63)}
    least, most = -(2**15), 2**15 - 1
    assert np.array_equal(narrow, np.clip(np.nan_to_num(rounded[0], nan=0), least, most))


def test_comparisons_of_halves():
    values = np.array([0, -0.0, 1, 1.5, -2, np.inf, -np.inf, np.nan], np.float16)
    a, b = (np.ascontiguousarray(v).ravel() for v in np.meshgrid(values, values))
    out = np.zeros(64, np.uint32)
    with xgpu.load(HALVES, "host") as module:
        module.kernels["compare"][2, 32](a, b, out)
    is_nan = np.isnan(a) | np.isnan(b)
    bits = [a == b, (a != b) & ~is_nan, a < b, (a >= b) | is_nan, a != b, (a == b), a <= b, a != b]
    assert np.array_equal(out, sum(bit.astype(np.uint32) << n for n, bit in enumerate(bits)))


PIPELINE = """
#include <cuda_pipeline.h>
template <int PENDING> __device__ void sums(const float4 *x, float *out, int tiles) {
  __shared__ float4 tile[2][32];
  int t = threadIdx.x;
  float total = 0;
  __pipeline_memcpy_async(&tile[0][t], x + t, 16);
  __pipeline_commit();
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles)  // of the last tile only the first half
      __pipeline_memcpy_async(&tile[(i + 1) & 1][t], x + (i + 1) * 32 + t, 16,
                              i + 2 == tiles ? 8 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(PENDING);
    float4 v = tile[i & 1][t];
    total += v.x + v.y + v.z + v.w;
  }
  out[t] = total;
}
__global__ void right(const float4 *x, float *out, int tiles) { sums<1>(x, out, tiles); }
__global__ void early(const float4 *x, float *out, int tiles) { sums<2>(x, out, tiles); }
"""


@pytest.mark.parametrize("chip", short(["sm_80", "sm_75"], "sm_80"))
def test_copies_in_a_pipeline(chip):
    x, out = floats(5, 32, 4), np.zeros(32, np.float32)
    with xgpu.load(PIPELINE, "host", chip=chip) as module:
        with xgpu.sanitized() as watched:
            module.kernels["right"][1, 32](x, out, 5)
        assert not watched.findings(), watched.findings().text()
        x[-1, :, 2:] = 0
        np.testing.assert_allclose(out, x.sum((0, 2)), rtol=1e-5)
        with xgpu.sanitized() as watched:
            module.kernels["early"][1, 32](x, out, 5)
        # Before sm_80 there is nothing to wait for.
        assert bool(watched.findings()) == (chip == "sm_80")


def test_nothing_is_found_in_correct_kernels(kernels):
    """The sanitizer has no finding in what synchronizes by shared memory, fences and atomics."""
    x = rng.integers(-1000, 1000, 1000).astype(np.int32)
    part, out, arrived = np.zeros(6, np.int32), np.zeros(1, np.int32), np.zeros(1, np.uint32)
    counter, taken = np.zeros(1, np.int32), np.zeros(1, np.int32)
    grid = np.zeros(256, np.int32)
    with xgpu.sanitized() as watched:
        kernels["last_block"][6, 32](x, part, out, arrived, 1000)
        kernels["lock"][4, 64](counter, taken)
        kernels["phases"][4, 64](grid, 256)
        kernels["scan_block"][2, 256](np.zeros(512, np.int32), np.zeros(512, np.int32))
    assert not watched.findings(), watched.findings().text()


SHARED = """
__device__ void more(int *x) {
  __shared__ int space[7000];
  space[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = space[blockDim.x - 1 - threadIdx.x];
}
__global__ void first(int *x) {
  __shared__ int space[9000];
  space[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = space[blockDim.x - 1 - threadIdx.x];
}
__global__ void second(int *x) { more(x); }
__global__ void third(int *x) { x[threadIdx.x] = 1; }
"""


@needs_clang
@pytest.mark.parametrize("optimize", short([0, 1], 0))
def test_a_kernel_has_the_shared_memory_that_it_uses(optimize: int) -> None:
    kernels = xgpu.load(SHARED, "host", cuda={"optimize": optimize}).kernels
    assert [kernels[name].shared_bytes for name in ("first", "second", "third")] == [
        36000, 28000, 0,
    ]  # fmt: skip
    # All of the module's would be more than a block may have.
    x = np.arange(32, dtype=np.int32)
    kernels["first"][1, 32](x)
    assert (x == np.arange(32)[::-1]).all()
    kernels["second"][1, 32](x)
    assert (x == np.arange(32)).all()


#: Functions of fields of a word: their values before they are cut to the size of a field.
FIELDS = {
    "__vabs4": ("i1", lambda a, b: abs(a)), "__vabsss2": ("i2", lambda a, b: min(abs(a), 32767)),
    "__vneg2": ("i2", lambda a, b: -a), "__vnegss4": ("i1", lambda a, b: min(-a, 127)),
    "__vabsdiffs4": ("i1", lambda a, b: abs(a - b)),
    "__vabsdiffu2": ("u2", lambda a, b: abs(a - b)), "__vadd2": ("u2", lambda a, b: a + b),
    "__vaddss2": ("i2", lambda a, b: max(-32768, min(a + b, 32767))),
    "__vaddus4": ("u1", lambda a, b: min(a + b, 255)), "__vsub4": ("u1", lambda a, b: a - b),
    "__vsubus2": ("u2", lambda a, b: max(a - b, 0)),
    "__vavgs2": ("i2", lambda a, b: (a + b + (a + b >= 0)) >> 1),
    "__vavgu4": ("u1", lambda a, b: (a + b + 1) >> 1),
    "__vhaddu2": ("u2", lambda a, b: (a + b) >> 1), "__vmaxs4": ("i1", max),
    "__vmaxu2": ("u2", max), "__vmins2": ("i2", min), "__vcmpgts4": ("i1", lambda a, b: -(a > b)),
    "__vcmpne2": ("u2", lambda a, b: -(a != b)), "__vsetleu4": ("u1", lambda a, b: a <= b),
    "__vseteq2": ("u2", lambda a, b: a == b),
}  # fmt: skip
ONE = ("__vabs4", "__vabsss2", "__vneg2", "__vnegss4")
#: Sums and extremes of three.
THREE = {
    "__viaddmax_s16x2": ("i2", lambda a, b, c: max(np.int64(a + b).astype("i2"), c)),
    "__viaddmin_u16x2": ("u2", lambda a, b, c: min(a + b & 0xFFFF, c)),
    "__vimax3_s16x2_relu": ("i2", lambda a, b, c: max(a, b, c, 0)),
    "__vimin3_s32": ("i4", lambda a, b, c: min(a, b, c)),
}


@pytest.mark.long
def test_fields_of_words():
    names = [*FIELDS, *THREE]
    lines = [
        f"o[{i} * n + t] = {name}(a[t]{'' if name in ONE else ', b[t]'}"
        f"{', a[n - 1 - t]' if name in THREE else ''});"
        for i, name in enumerate(names)
    ]
    sums = f"o[{len(names)} * n + t] = __vsads4(a[t], b[t]) + __vsadu2(a[t], b[t]);"
    text = (
        "__global__ void k(const unsigned *a, const unsigned *b, unsigned *o, int n) {\n"
        f"int t = threadIdx.x;\n{chr(10).join(lines)}\n{sums}\n}}\n"
    )
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 1 << 32, (2, 64), np.uint32)
    a[:4] = b[:4] = (0x80008080, 0x7FFF7F7F, 0x80807FFF, 0)
    out = np.zeros((len(names) + 1, 64), np.uint32)
    xgpu.load(text, "host").kernels["k"][1, 64](a, b, out, np.int32(64))
    for name, found in zip(names, out, strict=False):
        kind, value = (FIELDS | THREE)[name]
        words = [w.view(kind).tolist() for w in (a, b, np.ascontiguousarray(a[::-1]))]
        given = words if name in THREE else words[:2]
        expected = np.array([int(value(*row)) for row in zip(*given, strict=True)], np.int64)
        assert (found.view(kind) == expected.astype(kind)).all(), name
    first, second = (
        np.abs(a.view(kind).astype(int) - b.view(kind)).reshape(64, -1).sum(1)
        for kind in ("i1", "u2")
    )
    assert (out[-1] == first + second).all()
