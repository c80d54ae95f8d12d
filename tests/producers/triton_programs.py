# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's own launcher, autotuner and occupancy queries, on arrays that only have `data_ptr`.

    xgpu-cuda python -m tests.producers.triton_programs [NAME..]

The programs do what Triton's tutorials 1, 2, 3, 5 and 6 do, in other words. Each prints its name
and whether its result is right.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import triton
import triton.language as tl
from cuda.bindings import driver

from tests.producers import triton_kernels as kernels


def check(answer: tuple[Any, ...]) -> Any:
    """What a function of the driver gives; raises `RuntimeError` for an error."""
    if answer[0] != 0:
        raise RuntimeError(str(answer[0]))
    return answer[1] if len(answer) > 1 else None


class Array:
    """An array on the device, with as much of a tensor as Triton asks for."""

    def __init__(self, values: Any) -> None:
        self.kind, self.shape = values.dtype, values.shape
        self.dtype, self.bytes = str(values.dtype), values.nbytes
        self.address = int(check(driver.cuMemAlloc(values.nbytes)))
        check(driver.cuMemcpyHtoD(self.address, np.ascontiguousarray(values).ctypes.data,
                                  values.nbytes))  # fmt: skip

    @staticmethod
    def like(values: Any, dtype: Any = None) -> Array:
        return Array(np.zeros(values.shape, dtype or values.dtype))

    def data_ptr(self) -> int:
        return self.address

    def stride(self, axis: int) -> int:
        return int(np.prod(self.shape[axis + 1 :]))

    def numpy(self) -> Any:
        made = np.empty(self.shape, self.kind)
        check(driver.cuMemcpyDtoH(made.ctypes.data, self.address, self.bytes))
        return made


class Event:
    """An event of the driver, as the autotuner measures with."""

    def __init__(self, enable_timing: bool = True) -> None:
        self.handle = check(driver.cuEventCreate(0))

    def record(self) -> None:
        check(driver.cuEventRecord(self.handle, 0))

    def synchronize(self) -> None:
        check(driver.cuEventSynchronize(self.handle))

    def elapsed_time(self, end: Event) -> float:
        self.synchronize()
        end.synchronize()
        return float(check(driver.cuEventElapsedTime(self.handle, end.handle)))


class Device:
    """What Triton asks PyTorch for: the device, its stream, events, memory to clear caches with."""

    Event = Event

    @staticmethod
    def synchronize() -> None:
        check(driver.cuCtxSynchronize())


def begin() -> None:
    """Makes Triton's driver use `Device`."""
    check(driver.cuInit(0))
    device = check(driver.cuDeviceGet(0))
    check(driver.cuCtxSetCurrent(check(driver.cuDevicePrimaryCtxRetain(device))))
    active: Any = triton.runtime.driver.active
    active.get_current_device, active.get_current_stream = lambda: 0, lambda device: 0
    active.get_device_interface = lambda: Device


def measured(call: Callable[[], object], quantiles: Any = None, **_: Any) -> list[float]:
    """Milliseconds of one call, for the autotuner."""
    first, last = Event(), Event()
    first.record()
    call()
    last.record()
    return [first.elapsed_time(last)] * 3


RNG = np.random.default_rng(11)


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    return RNG.standard_normal(shape).astype(dtype)


def near(found: Any, wanted: Any, tolerance: float) -> bool:
    return bool(np.allclose(found.astype(np.float64), wanted, rtol=tolerance, atol=tolerance))


# -- 1: adding vectors


def add() -> bool:
    x, y = normal(2, 98432)
    out = Array.like(x)
    n = x.size
    kernels.add[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](
        Array(x), Array(y), out, n, BLOCK=1024
    )
    return bool((out.numpy() == x + y).all())


# -- 2: rows of a softmax by as many blocks as the device holds


@triton.jit
def softmax_rows(out, x, stride, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, BLOCK)
    mask = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        values = tl.load(x + row * stride + at, mask, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask)


def softmax() -> bool:
    x = normal(183, 781)
    given, out = Array(x), Array.like(x)
    rows, columns = x.shape
    block = triton.next_power_of_2(columns)
    properties = triton.runtime.driver.active.utils.get_device_properties(0)
    made = softmax_rows.warmup(
        out, given, columns, rows, columns, BLOCK=block, STAGES=2, num_warps=8, grid=(1,)
    )
    made._init_handles()
    by_registers = properties["max_num_regs"] // (made.n_regs * properties["warpSize"] * 8)
    by_memory = properties["max_shared_mem"] // max(made.metadata.shared, 1)
    blocks = properties["multiprocessor_count"] * max(min(by_registers, by_memory), 1)
    made[(min(blocks, rows), 1, 1)](out, given, columns, rows, columns, block, 2)
    powers = np.exp(x - x.max(1, keepdims=True))
    return near(out.numpy(), powers / powers.sum(1, keepdims=True), 1e-5)


# -- 3: a product of matrices, its tile found by measuring


def matmul() -> bool:
    a, b = normal(96, 80, dtype=np.float16), normal(80, 64, dtype=np.float16)
    out = Array(np.zeros((96, 64), np.float16))
    tiles = [
        triton.Config({"BM": 32, "BN": 32, "BK": 32}, num_stages=3, num_warps=2),
        triton.Config({"BM": 64, "BN": 32, "BK": 16}, num_stages=2, num_warps=4),
    ]
    tuned = triton.autotune(tiles, key=["m", "n", "k"], do_bench=measured)(kernels.matmul)
    grid = lambda meta: (triton.cdiv(96, meta["BM"]), triton.cdiv(64, meta["BN"]))  # noqa: E731
    tuned[grid](Array(a), Array(b), out, 96, 64, 80, 80, 64, 64, TYPE=tl.float32)
    return near(out.numpy(), a.astype(np.float64) @ b.astype(np.float64), 1e-2)


# -- 5: layer normalization, and its gradients with sums of rows under locks


@triton.jit
def layer_norm_gradients(
    x, dy, weight, mean, scale, dx, dw, db, locks, columns, GROUPS: tl.constexpr,
    BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    g = tl.load(dy + row * columns + at, mask, other=0.0)
    inverse = tl.load(scale + row)
    normed = (tl.load(x + row * columns + at, mask, other=0.0) - tl.load(mean + row)) * inverse
    normed = tl.where(mask, normed, 0.0)
    wg = tl.where(mask, tl.load(weight + at, mask, other=0.0) * g, 0.0)
    first = tl.sum(normed * wg, axis=0) / columns
    second = tl.sum(wg, axis=0) / columns
    tl.store(dx + row * columns + at, (wg - normed * first - second) * inverse, mask)
    group = row % GROUPS
    lock = locks + group
    used = locks + GROUPS + group
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    w_sum = g * normed
    b_sum = g
    if tl.load(used) == 0:
        tl.atomic_xchg(used, 1)
    else:
        w_sum += tl.load(dw + group * columns + at, mask)
        b_sum += tl.load(db + group * columns + at, mask)
    tl.store(dw + group * columns + at, w_sum, mask)
    tl.store(db + group * columns + at, b_sum, mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def layer_norm() -> bool:
    x, dy = normal(2, 24, 300)
    weight, bias = normal(2, 300)
    given, weights, out, mean = Array(x), Array(weight), Array.like(x), Array(np.zeros(24, "f"))
    kernels.layer_norm[(24,)](given, weights, Array(bias), out, mean, 300, 1e-5, BLOCK=512)
    centred = x.astype(np.float64) - x.mean(1, keepdims=True, dtype=np.float64)
    inverse = 1 / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    right = near(out.numpy(), centred * inverse * weight + bias, 1e-3)
    dx, groups = Array.like(x), 4
    dw, db = (Array(np.zeros((groups, 300), np.float32)) for _ in range(2))
    locks = Array(np.zeros(2 * groups, np.int32))
    layer_norm_gradients[(24,)](
        given, Array(dy), weights, mean, Array(inverse.astype(np.float32)), dx, dw, db, locks, 300,
        GROUPS=groups, BLOCK=512,
    )  # fmt: skip
    normed, wg = centred * inverse, dy * weight.astype(np.float64)
    parts = normed * (normed * wg).mean(1, keepdims=True) + wg.mean(1, keepdims=True)
    right &= near(dx.numpy(), (wg - parts) * inverse, 1e-3)
    right &= near(dw.numpy().sum(0), (dy * normed).sum(0), 1e-3)
    return right and near(db.numpy().sum(0), dy.astype(np.float64).sum(0), 1e-3)


# -- 6: attention


def attention() -> bool:
    heads, length, size = 2, 64, 32
    q, k, v = (normal(heads, length, size, dtype=np.float16) for _ in range(3))
    out = Array(np.zeros((heads, length, size), np.float16))
    scale = size**-0.5 * np.log2(np.e)
    kernels.attention[(length // 32, heads)](
        Array(q), Array(k), Array(v), out, scale, length, DIM=size, BM=32, BN=32
    )
    scores = np.einsum("hid,hjd->hij", *(a.astype(np.float64) for a in (q, k))) * size**-0.5
    scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(2, keepdims=True))
    return near(out.numpy(), powers / powers.sum(2, keepdims=True) @ v.astype(np.float64), 1e-2)


PROGRAMS = {f.__name__: f for f in (add, softmax, matmul, layer_norm, attention)}


def main() -> int:
    begin()
    results = {name: PROGRAMS[name]() for name in sys.argv[1:] or PROGRAMS}
    for name, is_right in results.items():
        print(name, is_right)
    sys.stdout.flush()
    return os.EX_OK if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
