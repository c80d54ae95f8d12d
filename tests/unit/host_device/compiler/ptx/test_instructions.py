# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of inline PTX against NumPy, and what is refused."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tests.support.warp_kernel import SMALL, kernel, run
from xgpu.frontend.ptx import instructions, operand_types
from xgpu.host_device.compiler.code import Unsupported

pytestmark = pytest.mark.sampled(2)

U32 = np.uint32


def s32(x: Any) -> Any:
    return x.astype(np.uint32).view(np.int32).astype(np.int64)


def u64(x: Any) -> Any:
    return x.astype(np.uint64)


def _f32(x: Any) -> Any:
    return x.astype(np.uint32).view(np.float32)


def _back(x: Any) -> Any:
    return x.astype(np.float32).view(np.uint32)


def _bfe(x: Any, p: Any, n: Any) -> Any:
    found = []
    for value, at, count in zip(
        *(v.tolist() for v in (x, p & U32(255), n & U32(255))), strict=True
    ):
        found.append((value >> at) & ((1 << count) - 1) if at < 32 else 0)
    return np.array(found, np.uint64)


def _bfi(x: Any, y: Any, p: Any, n: Any) -> Any:
    found = []
    given = (x, y, p & U32(255), n & U32(255))
    for source, target, at, count in zip(*(v.tolist() for v in given), strict=True):
        mask = ((1 << min(count, 32)) - 1) << min(at, 32) & 0xFFFFFFFF
        found.append(target & ~mask | source << min(at, 32) & mask)
    return np.array(found, np.uint64)


def _prmt(x: Any, y: Any, s: Any) -> Any:
    found = []
    for low, high, selector in zip(*(v.tolist() for v in (x, y, s)), strict=True):
        data = (low | high << 32).to_bytes(8, "little")
        total = 0
        for i in range(4):
            nibble = selector >> 4 * i & 15
            byte = data[nibble & 7]
            byte = (255 if byte & 128 else 0) if nibble & 8 else byte
            total |= byte << 8 * i
        found.append(total)
    return np.array(found, np.uint64)


def _bmsk(x: Any, y: Any, wraps: bool) -> Any:
    """Ones from a position on, as many as the second operand says."""
    bound = (lambda v: v & 31) if wraps else (lambda v: min(v, 32))
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    masks = [((1 << bound(count)) - 1) << bound(at) for at, count in pairs]
    return np.array(masks, np.uint64)


def _dot(x: Any, y: Any, count: int) -> Any:
    """The sum of products of so many parts of each word."""
    return (x.reshape(32, count).astype(np.int64) * y.reshape(32, count)).sum(1)


def _szext(x: Any, n: Any, wraps: bool, signed: bool) -> Any:
    """The lowest bits, as many as the second operand says, with sign or zeros before them."""
    found = []
    for value, count in zip(x.tolist(), n.tolist(), strict=True):
        width = count & 31 if wraps else min(count, 32)
        low = value & ((1 << width) - 1)
        negative = signed and width > 0 and low >> (width - 1)
        found.append((low - (1 << width) if negative else low) & 0xFFFFFFFF)
    return np.array(found, np.uint64)


def _fns(mask: Any, start: Any, offset: Any) -> Any:
    """The n-th set bit from a position on, step by step as the PTX ISA has it."""
    found = []
    given = (v.tolist() for v in (mask, start & U32(31), s32(offset)))
    for word, at, n in zip(*given, strict=True):
        step = 1 if n >= 0 else -1
        ways = [at] if n == 0 else range(at, 32 if n > 0 else -1, step)
        bits = [i for i in ways if word >> i & 1]
        wanted = max(abs(n), 1)
        found.append(bits[wanted - 1] if len(bits) >= wanted else 0xFFFFFFFF)
    return np.array(found, np.uint64)


def _pairs(x: Any, y: Any, holds: Callable[..., Any], value: int) -> Any:
    """For both halves, as bf16, a value where the comparison holds."""
    halves = [
        holds(_f32(x << U32(16)), _f32(y << U32(16))),
        holds(_f32(x & U32(0xFFFF0000)), _f32(y & U32(0xFFFF0000))),
    ]
    low, high = (np.where(h, value, 0).astype(np.uint64) for h in halves)
    return low | high << np.uint64(16)


#: Text, operands, what it says in NumPy. Results and operands are of 32 bits.
TABLE: list[tuple[str, int, Callable[..., Any]]] = [
    ("add.u32 $0, $1, $2;", 2, lambda x, y: x + y),
    ("add.sat.s32 $0, $1, $2;", 2, lambda x, y: np.clip(s32(x) + s32(y), -(2**31), 2**31 - 1)),
    ("sub.s32 $0, $1, $2;", 2, lambda x, y: s32(x) - s32(y)),
    ("mul.lo.s32 $0, $1, $2;", 2, lambda x, y: u64(x) * u64(y)),
    ("mul.hi.u32 $0, $1, $2;", 2, lambda x, y: u64(x) * u64(y) >> np.uint64(32)),
    ("mul.hi.s32 $0, $1, $2;", 2, lambda x, y: s32(x) * s32(y) >> 32),
    ("mad.lo.u32 $0, $1, $2, $3;", 3, lambda x, y, z: u64(x) * u64(y) + z),
    ("mul24.lo.u32 $0, $1, $2;", 2, lambda x, y: u64(x & U32(0xFFFFFF)) * u64(y & U32(0xFFFFFF))),
    ("mul24.hi.u32 $0, $1, $2;", 2,
     lambda x, y: u64(x & U32(0xFFFFFF)) * u64(y & U32(0xFFFFFF)) >> np.uint64(16)),
    ("mul24.hi.s32 $0, $1, $2;", 2,
     lambda x, y: (s32(x << U32(8)) >> 8) * (s32(y << U32(8)) >> 8) >> 16),
    ("mad24.lo.s32 $0, $1, $2, $3;", 3,
     lambda x, y, z: (s32(x << U32(8)) >> 8) * (s32(y << U32(8)) >> 8) + s32(z)),
    ("mad24.hi.sat.s32 $0, $1, $2, $3;", 3,
     lambda x, y, z: np.clip(
         ((s32(x << U32(8)) >> 8) * (s32(y << U32(8)) >> 8) >> 16) + s32(z), -(2**31), 2**31 - 1)),
    ("min.s32 $0, $1, $2;", 2, lambda x, y: np.minimum(s32(x), s32(y))),
    ("max.u32 $0, $1, $2;", 2, np.maximum),
    ("abs.s32 $0, $1;", 1, lambda x: np.abs(s32(x))),
    ("neg.s32 $0, $1;", 1, lambda x: -s32(x)),
    ("and.b32 $0, $1, $2;", 2, lambda x, y: x & y),
    ("not.b32 $0, $1;", 1, lambda x: ~x),
    ("cnot.b32 $0, $1;", 1, lambda x: x == 0),
    ("shl.b32 $0, $1, $2;", 2, lambda x, y: np.where(y > 31, 0, u64(x) << u64(y & U32(31)))),
    ("shr.u32 $0, $1, $2;", 2, lambda x, y: np.where(y > 31, 0, u64(x) >> u64(y & U32(31)))),
    ("shr.s32 $0, $1, $2;", 2, lambda x, y: s32(x) >> np.minimum(y, U32(31)).astype(np.int64)),
    ("shf.l.wrap.b32 $0, $1, $2, $3;", 3,
     lambda x, y, z: (u64(y) << np.uint64(32) | x) << u64(z & U32(31)) >> np.uint64(32)),
    ("shf.r.clamp.b32 $0, $1, $2, $3;", 3,
     lambda x, y, z: (u64(y) << np.uint64(32) | x) >> u64(np.minimum(z, U32(32)))),
    ("bfe.u32 $0, $1, $2, $3;", 3, _bfe),
    ("bfi.b32 $0, $1, $2, $3, $4;", 4, _bfi),
    *((f"bmsk.{mode}.b32 $0, $1, $2;", 2, lambda x, y, wraps=mode == "wrap": _bmsk(x, y, wraps))
      for mode in ("clamp", "wrap")),
    *((f"szext.{mode}.{sign}32 $0, $1, $2;", 2,
       lambda x, y, wraps=mode == "wrap", signed=sign == "s": _szext(x, y, wraps, signed))
      for mode in ("clamp", "wrap") for sign in ("u", "s")),
    ("lop3.b32 $0, $1, $2, $3, 0xE8;", 3, lambda x, y, z: (x & y) | (x & z) | (y & z)),
    ("lop3.b32 $0, $1, $2, $3, 0x96;", 3, lambda x, y, z: x ^ y ^ z),
    ("{ .reg .pred p, q; .reg .b32 d; setp.eq.u32 q, $1, 0; lop3.or.b32 d|p, $1, $2, $3, 0x80, q;"
     " selp.u32 $0, 1, 2, p; }",
     3, lambda x, y, z: np.where((x & y & z != 0) | (x == 0), 1, 2)),
    ("{ .reg .pred p, q; setp.ne.u32 q, $3, 0; lop3.and.b32 _|p, $1, $2, $3, 0xC0, q;"
     " selp.u32 $0, 1, 2, p; }",
     3, lambda x, y, z: np.where((x & y != 0) & (z != 0), 1, 2)),
    ("prmt.b32 $0, $1, $2, $3;", 3, _prmt),
    *((f"prmt.b32.{mode} $0, $1, $2, $3;", 3, lambda x, y, z, f=f: _prmt(x, y, np.array(
        [sum(f(s & 3, i) << 4 * i for i in range(4)) for s in z.tolist()], np.uint32)))
      for mode, f in (
          ("f4e", lambda s, i: s + i), ("b4e", lambda s, i: (s - i) % 8), ("rc8", lambda s, i: s),
          ("ecl", max), ("ecr", min), ("rc16", lambda s, i: (s & 1) * 2 + (i & 1)))),
    ("popc.b32 $0, $1;", 1, lambda x: [v.bit_count() for v in x.tolist()]),
    ("clz.b32 $0, $1;", 1, lambda x: [32 - v.bit_length() for v in x.tolist()]),
    ("bfind.u32 $0, $1;", 1, lambda x: [v.bit_length() - 1 for v in x.tolist()]),
    ("fns.b32 $0, $1, $2, $3;", 3, _fns),
    *((f"fns.b32 $0, $1, $2, {n};", 2,
       lambda x, y, n=n: _fns(x, y, np.full_like(x, n & 0xFFFFFFFF)))
      for n in (-5, -1, 0, 1, 2, 7)),
    ("brev.b32 $0, $1;", 1, lambda x: [int(f"{v:032b}"[::-1], 2) for v in x.tolist()]),
    ("sad.u32 $0, $1, $2, $3;", 3, lambda x, y, z: u64(np.maximum(x, y) - np.minimum(x, y)) + z),
    ("{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }", 2,
     lambda x, y: np.minimum(s32(x), s32(y))),
    ("{ .reg .pred p, q; setp.hi.u32 p|q, $1, $2; selp.b32 $0, $1, $2, q; }", 2, np.minimum),
    ("{ .reg .pred p, q; setp.ne.u32 q, $3, 0; setp.eq.and.u32 p, $1, $2, q;"
     " selp.u32 $0, 1, 0, p; }",
     3, lambda x, y, z: (x == y) & (z != 0)),
    ("set.gt.u32.s32 $0, $1, $2;", 2, lambda x, y: np.where(s32(x) > s32(y), 0xFFFFFFFF, 0)),
    ("set.lt.bf16x2.bf16x2 $0, $1, $2;", 2, lambda x, y: _pairs(x, y, np.less, 0x3F80)),
    ("set.gtu.u32.bf16x2 $0, $1, $2;", 2,
     lambda x, y: _pairs(x, y, lambda a, b: ~(a <= b), 0xFFFF)),
    ("{ .reg .pred p; setp.ne.u32 p, $3, 0; set.ge.and.bf16x2.bf16x2 $0, $1, $2, p; }", 3,
     lambda x, y, z: np.where(z != 0, _pairs(x, y, np.greater_equal, 0x3F80), 0)),
    ("{ .reg .pred p, q, r; setp.ne.u32 r, $3, 0; setp.lt.or.bf16x2 p|q, $1, $2, r;"
     " .reg .u32 a, b; selp.u32 a, 1, 0, p; selp.u32 b, 0x10000, 0, q; or.b32 $0, a, b; }", 3,
     lambda x, y, z: np.where(z != 0, 0x10001, _pairs(x, y, np.less, 1))),
    ("slct.u32.s32 $0, $1, $2, $3;", 3, lambda x, y, z: np.where(s32(z) >= 0, x, y)),
    ("{ .reg .b16 a, b; mov.b32 {a, b}, $1; mov.b32 $0, {b, a}; }", 1,
     lambda x: x >> U32(16) | x << U32(16)),
    ("{ .reg .pred p; setp.ne.u32 p, $1, 0; mov.u32 $0, 7; @p mov.u32 $0, 9;"
     " @!p add.u32 $0, $0, 1; }",
     1, lambda x: np.where(x != 0, 9, 8)),
    ("mov.u32 $0, %laneid;", 0, lambda: np.arange(32)),
    ("{ .reg .pred p; mov.pred p, %is_explicit_cluster; selp.u32 $0, 7, 9, p; }", 0,
     lambda: np.full(32, 9)),
    ("{ .reg .u32 i; mov.u32 i, 0; mov.u32 $0, 0; AGAIN: add.u32 $0, $0, $1; add.u32 i, i, 1;"
     " .reg .pred p; setp.lt.u32 p, i, 5; @p bra AGAIN; }", 1, lambda x: u64(x) * np.uint64(5)),
    ("shfl.sync.bfly.b32 $0, $1, 5, 31, -1;", 1, lambda x: x[np.arange(32) ^ 5]),
    ("{ .reg .pred p; shfl.sync.down.b32 $0|p, $1, 3, 31, 0xffffffff; @!p mov.b32 $0, 77; }", 1,
     lambda x: np.concatenate([x[3:], [77, 77, 77]])),
    ("redux.sync.umax.u32 $0, $1, 0xffffffff;".replace("umax", "max"), 1,
     lambda x: np.full(32, x.max())),
    ("{ .reg .pred p; setp.gt.s32 p, $1, 0; vote.sync.ballot.b32 $0, p, -1; }", 1,
     lambda x: np.full(32, sum(1 << i for i, v in enumerate(s32(x)) if v > 0))),
    ("cvt.u32.u8 $0, $1;", 1, lambda x: x & U32(255)),
    ("{ .reg .s8 a; .reg .s16 b; cvt.s8.s32 b, $1; cvt.s32.s8 $0, b; }", 1,
     lambda x: (x & U32(255)).astype(np.uint8).view(np.int8).astype(np.int64)),
    ("cvt.sat.u8.s32 $0, $1;", 1, lambda x: np.clip(s32(x), 0, 255)),
    ("cvt.pack.sat.u8.s32.b32 $0, $1, $2, $3;", 3,
     lambda x, y, z: np.clip(s32(x), 0, 255) << 8 | np.clip(s32(y), 0, 255)
     | (u64(z) << np.uint64(16)).astype(np.int64)),
    ("xor.b32 $0, $1, $2;", 2, np.bitwise_xor),
    ("{ .reg .u32 t; add.cc.u32 t, $1, $2; addc.u32 $0, $3, 0; }", 3,
     lambda x, y, z: z + (u64(x) + u64(y) >> np.uint64(32))),
    ("{ .reg .u32 t; sub.cc.u32 t, $1, $2; subc.u32 $0, $3, 0; }", 3, lambda x, y, z: z - (x < y)),
    ("{ .reg .u32 t; mad.lo.cc.u32 t, $1, $2, $3; madc.hi.u32 $0, $1, $2, 0; }", 3,
     lambda x, y, z: u64(x) * u64(y) + u64(z) >> np.uint64(32)),
    ("{ .reg .u32 d; or.b32 d, $2, 1; div.u32 $0, $1, d; }", 2, lambda x, y: x // (y | U32(1))),
    ("{ .reg .s32 d, n; shr.s32 n, $1, 1; or.b32 d, $2, 1; rem.s32 $0, n, d; }", 2,
     lambda x, y: np.fmod(s32(x) >> 1, s32(y | U32(1)))),
    ("dp4a.s32.u32 $0, $1, $2, $3;", 3,
     lambda x, y, z: s32(z) + _dot(x.view(np.int8), y.view(np.uint8), 4)),
    ("dp2a.hi.u32.s32 $0, $1, $2, $3;", 3, lambda x, y, z: u64(z).astype(np.int64) + _dot(
        x.view(np.uint16), y.view(np.int8).reshape(32, 4)[:, 2:], 2)),
    *((f"{{ .reg .pred p; testp.{kind}.f32 p, $1; selp.u32 $0, 1, 0, p; }}", 1,
       lambda x, holds=holds: holds(x >> U32(23) & U32(255), x & U32(0x7FFFFF)))
      for kind, holds in (
          ("finite", lambda e, m: e != 255), ("notanumber", lambda e, m: (e == 255) & (m != 0)),
          ("infinite", lambda e, m: (e == 255) & (m == 0)),
          ("number", lambda e, m: (e != 255) | (m == 0)),
          ("normal", lambda e, m: (e != 255) & ((e != 0) | (m == 0))),
          ("subnormal", lambda e, m: (e == 0) & (m != 0)))),
    ("activemask.b32 $0;", 0, lambda: np.full(32, 0xFFFFFFFF)),
    ("nanosleep.u32 1; mov.u32 $0, $1;", 1, lambda x: x),
    ("{ .reg .pred p; elect.sync $0|p, -1; @p add.u32 $0, $0, 77; }", 0,
     lambda: np.where(np.arange(32) == 0, 77, 0)),
    ("match.any.sync.b32 $0, 7, -1;", 0, lambda: np.full(32, 0xFFFFFFFF)),
    ("movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", 1,
     lambda x: np.ascontiguousarray(x.view(np.uint16).reshape(8, 8).T).view(np.uint32).ravel()),
]  # fmt: skip

FLOATS: list[tuple[str, int, Callable[..., Any]]] = [
    ("add.rn.f32 $0, $1, $2;", 2, lambda x, y: x + y),
    ("fma.rn.f32 $0, $1, $2, $3;", 3,
     lambda x, y, z: x.astype(np.float64) * y.astype(np.float64) + z.astype(np.float64)),
    ("max.f32 $0, $1, $2;", 2, np.fmax),
    ("min.NaN.f32 $0, $1, $2;", 2, np.minimum),
    ("max.xorsign.abs.f32 $0, $1, $2;", 2,
     lambda x, y: np.copysign(np.maximum(abs(x), abs(y)), np.sign(x) * np.sign(y))),
    ("add.sat.f32 $0, $1, $2;", 2, lambda x, y: np.clip(x + y, 0, 1)),
    ("copysign.f32 $0, $1, $2;", 2, lambda x, y: np.copysign(y, x)),
    ("ex2.approx.ftz.f32 $0, $1;", 1, np.exp2),
    ("lg2.approx.f32 $0, $1;", 1, lambda x: np.log2(x)),
    ("rcp.rn.f32 $0, $1;", 1, lambda x: np.float32(1) / x),
    ("sqrt.rn.f32 $0, $1;", 1, np.sqrt),
    ("rsqrt.approx.f32 $0, $1;", 1, lambda x: 1 / np.sqrt(x.astype(np.float64))),
    ("sin.approx.f32 $0, $1;", 1, lambda x: np.sin(x.astype(np.float64))),
    ("cos.approx.f32 $0, $1;", 1, lambda x: np.cos(x.astype(np.float64))),
    ("tanh.approx.f32 $0, $1;", 1, np.tanh),
    ("cvt.rni.f32.f32 $0, $1;", 1, np.rint),
    ("cvt.rzi.f32.f32 $0, $1;", 1, np.trunc),
    ("{ .reg .b16 h; cvt.rn.f16.f32 h, $1; cvt.f32.f16 $0, h; }", 1,
     lambda x: x.astype(np.float16)),
    ("{ .reg .pred p; setp.gtu.f32 p, $1, $2; selp.f32 $0, $1, $2, p; }", 2, np.maximum),
]  # fmt: skip


def _operands(count: int, floats: bool) -> list[Any]:
    rng = np.random.default_rng(count)
    found = []
    for at in range(count):
        if floats:
            found.append(_back(rng.standard_normal(32) * 3))
            continue
        values = rng.integers(0, 1 << 32, 32, dtype=np.uint32)
        values[:4] = [0, 1, 0xFFFFFFFF, 0x80000000]
        if at:
            values[4:] >>= rng.integers(0, 32, 28).astype(np.uint32)  # amounts and places
            rng.shuffle(values)
        found.append(values)
    return found


def _run(asm: str, given: list[Any], strategy: str = "threads") -> Any:
    out = np.zeros(32, np.uint32)
    words = np.ascontiguousarray(np.stack(given, 1)) if given else np.zeros((32, 1), np.uint32)
    run(kernel(asm, "r", "r" * len(given)), words, out, strategy=strategy)
    return out


@pytest.mark.parametrize(("asm", "count", "meaning"), TABLE, ids=[c[0][:40] for c in TABLE])
def test_integers(asm: str, count: int, meaning: Callable[..., Any]):
    given = _operands(count, False)
    expected = np.asarray(meaning(*given))
    if expected.dtype.kind != "u":
        expected = expected.astype(np.int64).view(np.uint64)
    np.testing.assert_array_equal(_run(asm, given), expected.astype(np.uint64).astype(np.uint32))


@pytest.mark.parametrize(("asm", "count", "meaning"), FLOATS, ids=[c[0][:40] for c in FLOATS])
def test_floats(asm: str, count: int, meaning: Callable[..., Any]):
    given = _operands(count, True)
    with np.errstate(invalid="ignore"):
        expected = np.asarray(meaning(*map(_f32, given)), np.float32)
    np.testing.assert_allclose(_f32(_run(asm, given)), expected, rtol=3e-7)


@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
def test_every_strategy(strategy: str):
    """A predicate is a mask in vectors."""
    asm = "{ .reg .pred p; setp.gt.s32 p, $1, 0; mov.u32 $0, $2; @p mul.lo.u32 $0, $1, $2; }"
    x, y = _operands(2, False)
    expected = np.where(s32(x) > 0, u64(x) * u64(y), y).astype(np.uint32)
    np.testing.assert_array_equal(_run(asm, [x, y], strategy), expected)


_FLOATS_OF_ALL_KINDS = {
    "f32": [0, 1 << 31, 1, 0x807FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
            0x7F800001, 0xFFC00000],
    "f64": [0, 1 << 63, 1, (1 << 52) - 1, 1 << 52, 0x3FF << 52, (0x7FF << 52) - 1, 0x7FF << 52,
            0xFFF << 52, (0x7FF << 52) + 1, 0xFFF8 << 48],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_properties_of_floats(kind: str):
    """Zeros, the least and the greatest subnormal and normal numbers, infinities, NaN."""
    names = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"]
    lines = [
        f"testp.{name}.{kind} p, $1; selp.u32 b, {1 << at}, 0, p; or.b32 $0, $0, b;"
        for at, name in enumerate(names)
    ]
    asm = f"{{ .reg .pred p; .reg .u32 b; mov.u32 $0, 0; {' '.join(lines)} }}"
    given = np.array(_FLOATS_OF_ALL_KINDS[kind], np.uint32 if kind == "f32" else np.uint64)
    words = np.zeros(32, given.dtype)
    words[: len(given)] = given
    out = np.zeros(32, np.uint32)
    run(kernel(asm, "r", "r" if kind == "f32" else "l"), words, out)
    normal, small, infinite, nan = 0b010101, 0b100101, 0b000110, 0b001000
    expected = [normal, normal, small, small, normal, normal, normal, infinite, infinite, nan, nan]
    assert out[: len(given)].tolist() == expected


def test_a_nan_as_an_integer():
    """Zero of 16 and 32 bits; from f64, and of 64 bits, the highest bit alone (PTX ISA, cvt)."""
    given = np.full(32, 0x7FC00000, np.uint32)
    wide = "{{ .reg .f64 d; cvt.f64.f32 d, $1; {} }}"
    high = "{{ .reg .b64 l; .reg .b32 low; cvt.rzi.{}64.f32 l, $1; mov.b64 {{low, $0}}, l; }}"
    for asm, expected in (
        ("cvt.rzi.s32.f32 $0, $1;", 0), ("cvt.rni.u32.f32 $0, $1;", 0),
        (wide.format("cvt.rzi.s32.f64 $0, d;"), 1 << 31),
        (wide.format("cvt.rpi.u32.f64 $0, d;"), 1 << 31),
        (high.format("s"), 1 << 31), (high.format("u"), 1 << 31),
    ):  # fmt: skip
        assert _run(asm, [given]).tolist() == [expected] * 32, asm


# -- pairs, and floats of 8 bits and fewer


def test_pairs_of_halves():
    rng = np.random.default_rng(4)
    x, y, z = (rng.standard_normal((32, 2)).astype(np.float16) for _ in range(3))
    words = [v.view(np.uint32).ravel() for v in (x, y, z)]
    for text, expected in (
        ("add.f16x2 $0, $1, $2;", x + y), ("mul.f16x2 $0, $1, $2;", x * y),
        ("max.f16x2 $0, $1, $2;", np.maximum(x, y)), ("neg.f16x2 $0, $1;", -x),
        ("fma.rn.relu.f16x2 $0, $1, $2, $3;", np.maximum(
            (x.astype(np.float64) * y + z).astype(np.float16), np.float16(0))),
    ):  # fmt: skip
        found = _run(text, words).view(np.float16).reshape(32, 2)
        np.testing.assert_allclose(found, expected, rtol=1e-3)


@pytest.mark.parametrize("narrow", ["f16", "bf16"])
def test_mixed_precision(narrow: str):
    """The operands of 16 bits are extended; LLVM has these instructions from sm_100 on."""
    given = [_f32(v) for v in _operands(3, True)]
    words = [_back(v) for v in given]
    asm = f"{{ .reg .b16 h, g; cvt.rn.{narrow}.f32 h, $1; cvt.rn.{narrow}.f32 g, $2;"
    a, b = (_f32(_run(f"{asm} cvt.f32.{narrow} $0, {name}; }}", words)) for name in "hg")
    c = given[2]
    for text, expected in (
        ("add.rn.f32", a + c), ("sub.f32", a - c), ("add.sat.f32", np.clip(a + c, 0, 1)),
        ("fma.rn.f32", (a.astype(np.float64) * b + c).astype(np.float32)),
    ):  # fmt: skip
        operands = "h, g, $3" if text.startswith("fma") else "h, $3"
        found = _f32(_run(f"{asm} {text}.{narrow} $0, {operands}; }}", words))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_floats_of_8_bits(kind: str):
    x, y = (_f32(v) for v in _operands(2, True))
    asm = (f"{{ .reg .b16 h; cvt.rn.satfinite.{kind}x2.f32 h, $1, $2; "
           f"cvt.rn.f16x2.{kind}x2 $0, h; }}")  # fmt: skip
    found = _run(asm, [_back(x), _back(y)]).view(np.float16).reshape(32, 2).astype(np.float64)
    values = SMALL[kind]
    finite = values[np.abs(values) <= (448 if kind == "e4m3" else 57344)]
    for column, given in ((1, x), (0, y)):
        nearest = np.abs(finite[None] - given[:, None].astype(np.float64)).min(1)
        np.testing.assert_allclose(np.abs(found[:, column] - given), nearest, rtol=1e-6)


def _tf32(x: Any, mode: str) -> Any:
    bits = _back(x).astype(np.int64)
    sign, magnitude = bits & 0x80000000, bits & 0x7FFFFFFF
    if mode == "rna":
        magnitude = magnitude + 0x1000
    elif mode == "rn":
        magnitude = magnitude + 0xFFF + (magnitude >> 13 & 1)
    return (sign | magnitude & ~0x1FFF).astype(np.uint32)


@pytest.mark.parametrize("mode", ["rna", "rn", "rz"])
def test_tensor_floats(mode: str):
    (x,) = _operands(1, True)
    np.testing.assert_array_equal(_run(f"cvt.{mode}.tf32.f32 $0, $1;", [x]), _tf32(_f32(x), mode))


@pytest.mark.parametrize("mode", ["rz", "rp"])
def test_powers_of_two(mode: str):
    x, y = (_f32(v) for v in _operands(2, True))
    asm = f"{{ .reg .b16 h; cvt.{mode}.ue8m0x2.f32 h, $1, $2; cvt.rn.bf16x2.ue8m0x2 $0, h; }}"
    words = _run(asm, [_back(x), _back(y)])
    for bits, given in ((words & U32(0xFFFF0000), x), (words << U32(16), y)):
        exponents = np.log2(np.abs(given.astype(np.float64)))
        rounded = np.floor(exponents) if mode == "rz" else np.ceil(exponents)
        np.testing.assert_array_equal(_f32(bits), 2.0**rounded)


@pytest.mark.parametrize(("pair", "drop", "bits"), [("f16x2", 13, 13), ("bf16x2", 16, 16)])
def test_stochastic_rounding(pair: str, drop: int, bits: int):
    """Random bits are added to those that are cut off."""
    x, y = (_f32(v) for v in _operands(2, True))
    random = np.random.default_rng(9).integers(0, 1 << 32, 32, dtype=np.uint32)
    words = _run(f"cvt.rs.{pair}.f32 $0, $1, $2, $3;", [_back(x), _back(y), random])
    for half, given, at in ((words >> U32(16), x, 16), (words & U32(0xFFFF), y, 0)):
        own = random.astype(np.int64) >> at & ((1 << bits) - 1)
        cut = ((_back(given).astype(np.int64) + own) >> drop << drop).astype(np.uint32)
        if pair == "f16x2":
            found = half.astype(np.uint16).view(np.float16).astype(np.float32)
        else:
            found = _f32(half << U32(16))
        np.testing.assert_array_equal(found, _f32(cut))


def test_stochastic_rounding_of_four():
    """Each is one of its two neighbours, and all ones round up what is not exact."""
    values = [_f32(v) for v in _operands(4, True)]
    asm = "cvt.rs.satfinite.e4m3x4.f32 $0, {$1, $2, $3, $4}, $5;"
    table = np.sort(SMALL["e4m3"][np.abs(SMALL["e4m3"]) <= 448])
    for random in (0, 0xFFFFFFFF):
        given = [*map(_back, values), np.full(32, random, np.uint32)]
        codes = _run(asm, given).view(np.uint8).reshape(32, 4)
        for at, value in enumerate(values):
            found = SMALL["e4m3"][codes[:, 3 - at]]
            wide = np.abs(value.astype(np.float64))
            below = table[np.searchsorted(table, wide, "right") - 1]
            if random == 0:
                np.testing.assert_array_equal(np.abs(found), below)
            else:
                assert (np.abs(found) >= below).all()


# -- matrices between memory and registers


@pytest.mark.parametrize("trans", ["", ".trans"])
def test_matrices_of_8_by_8(trans: str):
    """ldmatrix, and stmatrix back to another place."""
    data = np.random.default_rng(5).integers(0, 1 << 16, (4, 8, 8), dtype=np.uint16)
    image = np.concatenate([data.ravel().view(np.uint8), np.zeros(512, np.uint8)])
    asm = (
        "{ .reg .u32 a, l; mov.u32 l, %laneid; shl.b32 l, l, 4; add.u32 a, $4, l;"
        f"ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{$0, $1, $2, $3}}, [a];"
        "bar.sync 0;"
        "stmatrix.sync.aligned.m8n8.x4.shared.b16 [a + 512], {$0, $1, $2, $3};"
        "bar.sync 0; ld.shared.v4.b32 {$0, $1, $2, $3}, [a + 512]; }"
    )
    before = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n"
    out = np.zeros((32, 4), np.uint32)
    source = kernel(asm, "rrrr", "", 1024, before, "r=i32 %sa")
    run(source, image, out, 32, image)
    expected = data.transpose(0, 2, 1) if trans else data
    np.testing.assert_array_equal(out.view(np.uint16).reshape(4, 8, 8), expected)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("frobnicate.b32 $0, $1;", "inline assembly 'frobnicate.b32 $0, $1;' is not supported"),
        ("mul.lo.cc.u32 $0, $1, $1;", "'.cc'"),
        ("tanh.rz.f32 $0, $1;", "'.rz'"),
        ("add.rz.f16x2 $0, $1, $1;", "'.rz'"),
        ("mov.u32 $0, nothing;", "'nothing' is not declared"),
        ("mov.u32 $0, $9;", "inline assembly names $9, which it does not have"),
        ("mov.u32 $0, [;", "inline assembly cannot be read at"),
        ("bra NOWHERE;", "inline assembly 'bra NOWHERE;' is not supported"),
        ("call ($0), nobody, ($1);", "'nobody' is not declared"),
        ("multimem.red.global.add.u32 [$1], $1;", "multimem"),
        (
            "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col.bulk_group "
            "[$1, {$0, $0, $0}], [$0];",
            "'.im2col'",
        ),
        (
            "cp.async.bulk.tensor.2d.tile::scatter4.global.shared::cta.bulk_group "
            "[$1, {$0, $0, $0, $0}], [$0];",
            "five coordinates",
        ),
        (
            "cp.async.bulk.tensor.2d.tile::gather4.global.shared::cta.bulk_group "
            "[$1, {$0, $0, $0, $0, $0}], [$0];",
            "'.tile::gather4'",
        ),
    ],
)
def test_refusals(text: str, what: str):
    with pytest.raises(Unsupported) as raised:
        _run(text, [np.zeros(32, np.uint32)])
    assert what in str(raised.value)


# -- calls

FUNCTIONS = """
define internal i32 @twice(i32 %x) noinline {
  %y = mul i32 %x, 2
  ret i32 %y
}
define internal i64 @joined(i32 %low, i64 %high) noinline {
  %wide = zext i32 %low to i64
  %up = shl i64 %high, 32
  %whole = or i64 %up, %wide
  ret i64 %whole
}
"""


def test_calls_of_functions():
    """With parameters in registers, and in .param memory, in branches too."""
    asm = (
        "{ .reg .u32 a, b; .reg .b64 whole, up; .reg .pred p; call (a), twice, ($1);"
        ".param .b32 low; .param .b64 high; .param .b64 back; cvt.u64.u32 up, $1;"
        "st.param.b32 [low], a; st.param.b64 [high + 0], up;"
        "call.uni (back), joined, (low, high); ld.param.b64 whole, [back];"
        "mov.b64 {a, b}, whole; add.u32 $0, a, b; setp.lt.u32 p, $1, 100; @p bra SMALL;"
        "call.uni ($0), twice, ($0); SMALL: }"
    )
    words = np.arange(32, dtype=np.uint32) * 7
    out = np.zeros(32, np.uint32)
    run(kernel(asm, "r", "r") + FUNCTIONS, words, out)
    np.testing.assert_array_equal(out, np.where(words < 100, words * 3, words * 6))


# -- memory of the own block


@pytest.mark.parametrize("strategy", ["warps", "threads"])
@pytest.mark.parametrize("order", ["volatile", "relaxed.cta", "acquire.cta"])
def test_a_loop_that_waits_for_another_warp(order: str, strategy: str):
    """The last thread of the block writes what all others wait for."""
    write = "volatile" if order == "volatile" else "relaxed.cta"
    asm = (
        "{ .reg .u32 t, v; .reg .pred p, q; mov.u32 t, %tid.x; setp.eq.u32 p, t, 63;"
        f"@p st.{write}.shared.u32 [$1], 7;"
        f"AGAIN: ld.{order}.shared.u32 v, [$1]; setp.ne.u32 q, v, 7; @q bra AGAIN;"
        "add.u32 $0, v, t; }"
    )
    before = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n"
    image, out = np.zeros(64, np.uint8), np.zeros(64, np.uint32)
    run(kernel(asm, "r", "", 64, before, "r=i32 %sa"), image, out, 64, image, strategy)
    np.testing.assert_array_equal(out, np.arange(64) + 7)


def test_a_lock_that_all_threads_take():
    """Lanes of one warp take a lock from one another: threads by themselves."""
    asm = (
        "{ .reg .u32 v, n; .reg .pred q; AGAIN: atom.shared.acquire.cta.cas.b32 v, [$1], 0, 1;"
        "setp.ne.u32 q, v, 0; @q bra AGAIN; ld.shared.u32 n, [$1 + 4]; add.u32 n, n, 1;"
        "st.shared.u32 [$1 + 4], n; mov.u32 $0, n; atom.shared.release.cta.exch.b32 v, [$1], 0; }"
    )
    before = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n"
    image, out = np.zeros(64, np.uint8), np.zeros(64, np.uint32)
    strategy = run(kernel(asm, "r", "", 64, before, "r=i32 %sa"), image, out, 64, image, "auto")
    np.testing.assert_array_equal(np.sort(out), np.arange(1, 65))
    assert ": threads" in strategy


def test_spaces_of_addresses():
    """An address of each space as a generic one, and back; a load of what no thread writes."""
    asm = (
        "{ .reg .u64 a, g; .reg .u32 v, w; .reg .pred p, q, r; .reg .b64 c;"
        "cvt.u64.u32 a, $1; cvta.shared.u64 g, a; isspacep.shared p, g; isspacep.global q, g;"
        "isspacep.global r, $2; selp.u32 $0, 1, 0, p; selp.u32 v, 2, 0, q; add.u32 $0, $0, v;"
        "selp.u32 v, 4, 0, r; add.u32 $0, $0, v; cvta.to.global.u64 g, $2;"
        "createpolicy.fractional.L2::evict_first.b64 c, 1.0;"
        "ldu.global.u32 v, [g + 4]; add.u32 $0, $0, v;"
        "ld.global.L2::cache_hint.u32 v, [g], c; add.u32 $0, $0, v; }"
    )
    before = "  %sa = ptrtoint ptr addrspace(3) @s to i32\n  %ga = ptrtoint ptr %image to i64\n"
    words, out = np.array([1000, 200], np.uint32), np.zeros(32, np.uint32)
    text = kernel(asm, "r", "", 8, before, "r=i32 %sa;l=i64 %ga")
    run(text, words, out, 32, words.view(np.uint8))
    np.testing.assert_array_equal(out, np.full(32, 1000 + 200 + 1 + 4, np.uint32))


# -- the table of instructions


def test_instructions_without_a_result():
    """What gives nothing leaves all else as it is."""
    asm = (
        "{ .reg .pred p; setp.eq.u32 p, $1, 77; @p trap; @p brkpt; @p exit; membar.gl; pmevent 1;"
        "griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 64; prefetch.global.L2 [$2];"
        "prefetchu.L1 [$2]; applypriority.global.L2::evict_normal [$2], 128;"
        "@p discard.global.L2 [$2], 128; mov.u32 $0, $1; }"
    )
    before = "  %ga = ptrtoint ptr %image to i64\n"
    words, out = np.arange(32, dtype=np.uint32), np.zeros(32, np.uint32)
    run(kernel(asm, "r", "r", 8, before, "l=i64 %ga"), words, out, 32, np.zeros(128, np.uint8))
    np.testing.assert_array_equal(out, words)


def test_every_instruction_has_a_known_answer():
    """Each opcode occurs in a test of this folder, or of whole modules of PTX, beside what it
    should give."""
    for module in instructions.MODULE_OPCODES:
        import_module(f"xgpu.frontend.ptx.{module}")
    folder = pathlib.Path(__file__).parent
    modules = folder.parents[2] / "frontend" / "ptx" / "test_kernels.py"
    texts = "".join(path.read_text() for path in (*folder.glob("test_*.py"), modules))
    missing = {op for op in instructions.RULES if not re.search(rf"(?<![\w.]){op}[. ;]", texts)}
    assert not missing, "add a row to TABLE or FLOATS"


def test_every_rule_is_in_the_table_of_modules():
    """A rule is found by the module that the table names; one that it does not name is never."""
    folder = pathlib.Path(instructions.__file__).parent
    with_rules = {p.stem for p in folder.glob("*.py") if "\n@instruction(" in p.read_text()}
    assert with_rules == set(instructions.MODULE_OPCODES)
    for module in with_rules:
        import_module(f"xgpu.frontend.ptx.{module}")
    for opcode, rule in instructions.RULES.items():
        module = rule.build.__module__.rpartition(".")[2]
        assert opcode in instructions.MODULE_OPCODES[module], (
            f"{opcode}: not in MODULE_OPCODES[{module!r}]"
        )


def test_the_reference_has_every_instruction() -> None:
    page = (pathlib.Path(__file__).parents[5] / "docs" / "reference" / "host-device.md").read_text()
    table = page.partition("| topic | instructions |")[2].partition("\n\n")[0]
    words = {word.partition(".")[0] for word in re.findall(r"[a-z][\w.]*", table)}
    opcodes = {opcode.partition(".")[0] for opcode in instructions.MODULE_OF} - {"xgpu"}  # our own
    assert opcodes <= words


#: Opcodes whose operands no line of `_LAYOUTS` describes: they have none, take registers of any
#: type, or check them in their rules.
UNCHECKED = {
    "applypriority", "brkpt", "call", "cp", "cp.reduce", "discard", "exit", "fence",
    "griddepcontrol", "ld.param", "membar", "pmevent", "prefetch", "prefetchu", "red.async", "ret",
    "setmaxnreg", "st.async", "st.param", "tcgen05", "tensormap", "trap", "wgmma", "wmma", "xgpu",
}  # fmt: skip


def test_operands_of_each_instruction_have_types() -> None:
    described = {*operand_types._LAYOUTS, *operand_types._BY_WORDS}
    described |= {opcode.partition(".")[0] for opcode in described}
    assert {opcode for opcode in instructions.MODULE_OF if opcode not in described} == UNCHECKED, (
        "write a line of `_LAYOUTS` in xgpu/frontend/ptx/operand_types.py"
    )
