# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton, and the PTX that Triton's own back end makes of them without a GPU."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Any

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

#: A stand-in for ptxas: its input is its output.
_PTXAS = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0;;
    -o) shift; target="$1";;
    *.ptx) source="$1";;
  esac
  shift
done
cp "$source" "$target"
"""


class Compiled:
    """PTX of a kernel, the name of its entry, its threads and bytes of dynamic shared memory."""

    def __init__(self, made: Any) -> None:
        self.text: str = made.asm["ptx"]
        self.name: str = made.metadata.name
        self.threads: int = 32 * made.metadata.num_warps
        self.shared: int = made.metadata.shared
        self.cluster: int = made.metadata.num_ctas
        self.scratch: int = made.metadata.global_scratch_size
        #: What the tensor maps of the parameters are made with.
        self.tensor_maps: list[dict[str, Any]] = list(made.metadata.tensordesc_meta or ())


def compiled(
    function: Any,
    chip: str,
    signature: str,
    constants: dict[str, Any] | None = None,
    **options: Any,
) -> Compiled:
    """A kernel with the types of its parameters, in order and with blanks between them.

    A pointer whose type ends with `:16` is aligned to 16 bytes, and a number a multiple of 16."""
    constants = dict(constants or {})
    words = iter(signature.split())
    types: dict[str, str] = {}
    attributes: dict[Any, Any] = {}
    for number, name in enumerate(function.arg_names):
        if name in constants:
            types[name] = "constexpr"
            continue
        types[name], _, multiple = next(words).partition(":")
        if multiple:
            attributes[(number,)] = [["tt.divisibility", int(multiple)]]
    source_type = ASTSource
    if function.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource

        source_type = GluonASTSource
    source = source_type(function, types, constants, attributes)
    target = GPUTarget("cuda", int(chip.removeprefix("sm_").rstrip("a")), 32)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "ptxas"
        script.write_text(_PTXAS)
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        settings = {"TRITON_PTXAS_PATH": str(script), "TRITON_PTXAS_BLACKWELL_PATH": str(script),
                    "TRITON_CACHE_DIR": str(Path(folder) / "cache")}  # fmt: skip
        before = {name: os.environ.get(name) for name in settings}
        os.environ.update(settings)
        try:
            return Compiled(triton.compile(source, target=target, options=options))
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask) + tl.load(y + at, mask), mask)


@triton.jit
def softmax(out, x, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    mask = at < columns
    values = tl.load(x + row * stride + at, mask, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask)


@triton.jit
def layer_norm(x, weight, bias, out, mean_out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * columns + at, at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(total) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * columns + at, at < columns, other=0.0).to(tl.float32)
        value = tl.where(at < columns, value - mean, 0.0)
        squares += value * value
    scale = 1 / tl.sqrt(tl.sum(squares) / columns + eps)
    tl.store(mean_out + row, mean)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < columns
        value = tl.load(x + row * columns + at, mask, other=0.0).to(tl.float32)
        scaled = (value - mean) * scale * tl.load(weight + at, mask) + tl.load(bias + at, mask)
        tl.store(out + row * columns + at, scaled, mask)


@triton.jit
def matmul(
    a, b, c, m, n, k, lda, ldb, ldc,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TYPE: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a_at = a + rows[:, None] * lda + inner[None, :]
    b_at = b + inner[:, None] * ldb + columns[None, :]
    total = tl.zeros((BM, BN), TYPE)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        x = tl.load(a_at, (rows[:, None] < m) & (inner[None, :] < left), other=0.0)
        y = tl.load(b_at, (inner[:, None] < left) & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total, out_dtype=TYPE)
        a_at += BK
        b_at += BK * ldb
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * ldc + columns[None, :], total.to(c.dtype.element_ty), mask)


@triton.jit
def matmul_descriptors(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(0, k, BK):
        total = tl.dot(a.load([row, step]), b.load([step, column]), total)
    c.store([row, column], total.to(c.dtype))


@triton.jit
def matmul_device_descriptors(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    a_map = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    b_map = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    c_map = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for step in range(0, k, BK):
        total = tl.dot(a_map.load([row, step]), b_map.load([step, column]), total)
    c_map.store([row, column], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, scale, length, DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    head = tl.program_id(1) * length * DIM
    features = tl.arange(0, DIM)
    query = tl.load(q + head + rows[:, None] * DIM + features[None, :])
    most = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, DIM], tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BM, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + head + columns[None, :] * DIM + features[:, None])
        scores = tl.dot(query, keys) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -float("inf"))
        larger = tl.maximum(most, tl.max(scores, 1))
        powers = tl.exp2(scores - larger[:, None])
        factor = tl.exp2(most - larger)
        total = total * factor + tl.sum(powers, 1)
        values = tl.load(v + head + columns[:, None] * DIM + features[None, :])
        sums = tl.dot(powers.to(tl.float16), values, sums * factor[:, None])
        most = larger
    tl.store(out + head + rows[:, None] * DIM + features[None, :], sums / total[:, None])


@triton.jit
def histogram(x, out, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0)
    counts = tl.histogram(values, BINS, at < n)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def _plus(a, b):
    return a + b


@triton.jit
def _linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def scans(x, sums, states, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.store(sums + at, tl.associative_scan(value, 0, _plus))
    _, state = tl.associative_scan((tl.full([BLOCK], 0.5, tl.float32), value), 0, _linear)
    tl.store(states + at, state)


@triton.jit
def extremes(x, values, places, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    data = tl.load(x + rows[:, None] * columns + at[None, :], at[None, :] < columns,
                   other=-float("inf"))  # fmt: skip
    most, where = tl.max(data, 1, return_indices=True)
    tl.store(values + rows, most)
    tl.store(places + rows, where)


@triton.jit
def dropout(x, out, random, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    bits = tl.randint(seed, at)
    stays = tl.rand(seed, at) > p
    tl.store(random + at, bits, mask)
    tl.store(out + at, tl.where(stays, tl.load(x + at, mask) / (1 - p), 0.0), mask)


@triton.jit
def atomics(x, sums, halves, most, places, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask, other=0.0)
    tl.atomic_add(sums + at % 7, value, mask)
    tl.atomic_add(halves + at % 5, (value * 4).to(tl.int32).to(tl.float16), mask)
    tl.atomic_max(most + at % 1, (value * 1000).to(tl.int32), mask)
    tl.atomic_xchg(places + at, at, mask)


@triton.jit
def locked(lock, total, x, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.sum(tl.load(x + at))
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + value)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def transposed(x, out, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    tile = tl.load(x + r[:, None] * columns + c[None, :], inside)
    mask = (c[:, None] < columns) & (r[None, :] < rows)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(tile), mask)


@triton.jit
def gathered(x, indices, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(indices + at), 1))


@triton.jit
def functions(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask, other=1.0)
    tl.store(out + at, tl.exp(value), mask)
    tl.store(out + n + at, tl.log(value), mask)
    tl.store(out + 2 * n + at, tl.sin(value) + tl.cos(value), mask)
    tl.store(out + 3 * n + at, tl.sqrt(value) + tl.rsqrt(value), mask)
    tl.store(out + 4 * n + at, tl.erf(value), mask)
    tl.store(out + 5 * n + at, tl.floor(value) + tl.ceil(value) + tl.abs(value), mask)
    tl.store(out + 6 * n + at, tl.math.fdiv(value, value + 2), mask)
    tl.store(out + 7 * n + at, tl.fma(value, value, -value), mask)


@triton.jit
def integers(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    a = tl.load(x + at, mask, other=1)
    b = tl.load(y + at, mask, other=1)
    tl.store(out + at, a // b, mask)
    tl.store(out + n + at, a % b, mask)
    tl.store(out + 2 * n + at, tl.math.umulhi(a.to(tl.uint64), b.to(tl.uint64)).to(tl.int64), mask)
    tl.store(out + 3 * n + at, (a << (b & 31)) ^ (a >> 3) | (~b & 255), mask)


@triton.jit
def conversions(x, halves, brains, bytes5, bytes4, back, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    value = tl.load(x + at, mask, other=0.0)
    tl.store(halves + at, value.to(tl.float16), mask)
    tl.store(brains + at, value.to(tl.bfloat16), mask)
    five = value.to(tl.float8e5)
    tl.store(bytes5 + at, five.to(tl.uint8, bitcast=True), mask)
    tl.store(bytes4 + at, value.to(tl.int8), mask)
    tl.store(back + at, five.to(tl.float32) + value.to(tl.float16).to(tl.float32), mask)


@triton.jit
def assembled(x, y, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.inline_asm_elementwise(
        "{ .reg .b32 t; prmt.b32 t, $1, $2, 0x5140; add.u32 $0, t, 1; }", "=r,r,r",
        [tl.load(x + at), tl.load(y + at)], dtype=tl.int32, is_pure=True, pack=1,
    )  # fmt: skip
    tl.store(out + at, value)


@triton.jit
def scaled_products(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    pieces = tl.arange(0, K // 32)
    x = tl.load(a + rows[:, None] * K + inner[None, :])
    y = tl.load(b + inner[:, None] * N + columns[None, :])
    xs = tl.load(a_scale + rows[:, None] * (K // 32) + pieces[None, :])
    ys = tl.load(b_scale + columns[:, None] * (K // 32) + pieces[None, :])
    total = tl.dot_scaled(x, xs, "e4m3", y, ys, "e4m3")
    tl.store(c + rows[:, None] * N + columns[None, :], total)
