# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Carries and directed rounding in inline PTX, against Python's integers and fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support.some_cases import some
from tests.support.warp_kernel import kernel, run

pytestmark = pytest.mark.sampled(2)

STRATEGIES = ["block-loops", "warps", "threads"]
MODES = ["rz", "rm", "rp"]


def _run(asm: str, outputs: str, inputs: str, words: np.ndarray[Any, Any], strategy: str) -> Any:
    """The bytes of each of 32 threads' results."""
    size = sum({"r": 4, "l": 8, "h": 2}[c] for c in outputs)
    out = np.zeros((32, size), np.uint8)
    run(kernel(asm, outputs, inputs), np.ascontiguousarray(words), out, strategy=strategy)
    return out


# -- carries

_EDGES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def _numbers(count: int, limbs: int) -> tuple[np.ndarray[Any, Any], list[list[int]]]:
    """Words of 32 threads, and the numbers of `limbs` words that they are."""
    rng = np.random.default_rng(count)
    words = rng.integers(0, 1 << 32, (32, count * limbs), dtype=np.uint32)
    edges = rng.choice(_EDGES, words.shape).astype(np.uint32)
    words = np.where(rng.integers(0, 2, words.shape) == 1, words, edges).astype(np.uint32)
    wide = [
        [sum(int(w) << 32 * i for i, w in enumerate(row[limbs * n : limbs * n + limbs]))
         for n in range(count)] for row in words
    ]  # fmt: skip
    return words, wide


def _check(asm: str, count: int, limbs: int, expected: Callable[..., int], strategy: str) -> None:
    words, wide = _numbers(count, limbs)
    out = _run(asm, "r" * limbs, "r" * (count * limbs), words, strategy)
    for row, given in zip(out, wide, strict=True):
        assert int.from_bytes(row.tobytes(), "little") == expected(*given) % (1 << 32 * limbs)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("name", "sign"), [("add", 1), ("sub", -1)])
def test_numbers_of_three_words(name: str, sign: int, strategy: str):
    asm = f"{name}.cc.u32 $0, $3, $6; {name}c.cc.u32 $1, $4, $7; {name}c.u32 $2, $5, $8;"
    _check(asm, 2, 3, lambda x, y: x + sign * y, strategy)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_product_of_two_words(strategy: str):
    """As compilers multiply numbers of 64 bits: x * y + z."""
    asm = (
        "{ .reg .u32 t; mad.lo.cc.u32 $0, $2, $4, $6; madc.hi.u32 $1, $2, $4, $7;"
        "mad.lo.u32 $1, $2, $5, $1; mad.lo.u32 $1, $3, $4, $1; }"
    )
    _check(asm, 3, 2, lambda x, y, z: x * y + z, strategy)


def test_words_of_64_bits_and_a_branch():
    """The carry goes past a branch."""
    asm = (
        "{ .reg .pred p; .reg .b64 a, b, c, d; mov.b64 a, {$4, $5}; mov.b64 b, {$6, $7};"
        "mov.b64 c, {$8, $9}; mov.b64 d, {$10, $11}; add.cc.u64 a, a, c; setp.ne.u32 p, $4, 1;"
        "@p bra NEXT; mov.u32 $0, 0; NEXT: addc.u64 b, b, d; mov.b64 {$0, $1}, a;"
        "mov.b64 {$2, $3}, b; }"
    )
    _check(asm, 2, 4, lambda x, y: x + y, "threads")


# -- directed rounding


_FORMATS: dict[str, tuple[int, int, str, str]] = {
    "f64": (53, -1074, "<d", "<Q"), "f32": (24, -149, "<f", "<I"),
    "f16": (11, -24, "<e", "<H"),
}  # fmt: skip
_LARGEST = {"f64": Fraction(2**53 - 1) * 2**971, "f32": Fraction(2**24 - 1) * 2**104,
            "f16": Fraction(65504)}  # fmt: skip


def _rounded(exact: Fraction, mode: str, kind: str, zero: float) -> float:
    """`exact` as a float; `zero` is what zero is."""
    if exact == 0:
        return zero
    digits, least, *_ = _FORMATS[kind]
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** max(exponent - digits + 1, least)
    count = math.floor(size / unit)
    away = {"rz": False, "rm": exact < 0, "rp": exact > 0}[mode]
    if away and count * unit != size:
        count += 1
    found = count * unit
    if found > _LARGEST[kind]:
        found = math.inf if away else _LARGEST[kind]
    return math.copysign(float(found), -1 if exact < 0 else 1)


def _inputs(kind: str, count: int) -> np.ndarray[Any, Any]:
    """Floats of all sizes; each thread gets some near one another, so that sums are near zero."""
    rng = np.random.default_rng(count + len(kind))
    *_, of, whole = _FORMATS[kind]
    width = struct.calcsize(whole) * 8
    codes = rng.integers(0, 1 << width, (32, count), dtype=np.uint64)
    first, last = (500, 524) if kind == "f64" else (60, 68)
    exponents = rng.integers(first * 2, last * 2, (32, count), dtype=np.uint64)
    mantissa = {"f64": 52, "f32": 23}[kind]
    near = (codes & np.uint64((1 << mantissa) - 1)) | exponents << np.uint64(mantissa)
    small = codes & np.uint64((1 << 10) - 1)  # the smallest that there are
    chosen = rng.integers(0, 8, (32, count))
    codes = np.where(chosen < 4, near, codes)
    codes = np.where(chosen == 4, small, codes)
    codes[:4, 1:] = codes[:4, :1]  # equal ones
    sign = np.uint64(width - 1)
    codes[:2, 1:] ^= np.uint64(1) << sign
    found = codes.astype({32: np.uint32, 64: np.uint64}[width]).view(of)
    return np.where(np.isnan(found), found.dtype.type(1.5), found)


def _zero_of_sum(first: float, second: float, mode: str) -> float:
    """The sign of a sum that is zero."""
    signs = [math.copysign(1, first), math.copysign(1, second)]
    if signs[0] == signs[1]:
        return math.copysign(0.0, signs[0])
    return -0.0 if mode == "rm" else 0.0


def _exact(name: str, mode: str, kind: str, given: list[float]) -> float:
    fractions = [Fraction(v) for v in given]
    sign = math.copysign(1, given[0]) * math.copysign(1, given[-1])
    x = fractions[0]
    if name == "add":
        return _rounded(x + fractions[1], mode, kind, _zero_of_sum(given[0], given[1], mode))
    if name == "sub":
        return _rounded(x - fractions[1], mode, kind, _zero_of_sum(given[0], -given[1], mode))
    if name == "mul":
        return _rounded(x * fractions[1], mode, kind, math.copysign(0.0, sign))
    if name == "div":
        return _rounded(x / fractions[1], mode, kind, math.copysign(0.0, sign))
    if name == "rcp":
        return _rounded(1 / x, mode, kind, 0.0)
    product = math.copysign(1, given[0]) * math.copysign(1, given[1])
    zero = _zero_of_sum(math.copysign(0.0, product), given[2], mode)
    return _rounded(x * fractions[1] + fractions[2], mode, kind, zero)


_COUNTS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "rcp": 1}


@pytest.mark.parametrize(
    ("name", "kind", "mode", "strategy"),
    some(list(_COUNTS), ["f32", "f64"], MODES, STRATEGIES, of=6),
)
def test_directed_rounding(name: str, kind: str, mode: str, strategy: str):
    count = _COUNTS[name]
    given = _inputs(kind, count)
    given = np.where(np.isfinite(given), given, given.dtype.type(3.0))
    if name in ("div", "rcp"):
        given[:, -1] = np.where(given[:, -1] == 0, given.dtype.type(7.0), given[:, -1])
    letter = "r" if kind == "f32" else "l"
    operands = ", ".join(f"${i}" for i in range(count + 1))
    out = _run(f"{name}.{mode}.{kind} {operands};", letter, letter * count, given, strategy)
    found = out.view(given.dtype)[:, 0]
    expected = [_exact(name, mode, kind, row) for row in given.tolist()]
    wanted = np.array(expected, given.dtype)
    bits = f"u{found.itemsize}"
    np.testing.assert_array_equal(found.view(bits), wanted.view(bits))


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_what_is_no_number_stays(kind: str):
    """Infinities and NaNs come out as they do from rounding to the nearest."""
    special = [math.inf, -math.inf, math.nan, 0.0, 1e30, -1e30]
    given = np.array([[x, y, z] for x in special for y in special[:3] for z in special[:2]])
    given = given[:32].astype(_FORMATS[kind][2])
    letter = "r" if kind == "f32" else "l"
    out = _run(f"fma.rm.{kind} $0, $1, $2, $3;", letter, letter * 3, given, "threads")
    with np.errstate(invalid="ignore"):
        wanted = given[:, 0] * given[:, 1] + given[:, 2]
    np.testing.assert_array_equal(out.view(given.dtype)[:, 0], wanted)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_directed_roots(kind: str, mode: str):
    given = np.abs(_inputs(kind, 1))
    given = np.where(np.isfinite(given), given, given.dtype.type(3.0))
    letter = "r" if kind == "f32" else "l"
    out = _run(f"sqrt.{mode}.{kind} $0, $1;", letter, letter, given, "threads")
    for found, x in zip(out.view(given.dtype)[:, 0].tolist(), given[:, 0].tolist(), strict=True):
        dtype = given.dtype.type
        above = Fraction(float(np.nextafter(dtype(found), dtype(np.inf))))
        below = Fraction(float(np.nextafter(dtype(found), dtype(-np.inf))))
        if mode == "rp":
            assert below**2 < x <= Fraction(found) ** 2 or found == 0 == x
        else:
            assert Fraction(found) ** 2 <= x < above**2


@pytest.mark.parametrize(
    ("target", "source", "mode", "strategy"),
    some([("f16", "f32"), ("f32", "f64"), ("f16", "f64")], MODES, ["block-loops", "threads"]),
)
def test_directed_conversions(target: str, source: str, mode: str, strategy: str):
    rng = np.random.default_rng(7)
    of = _FORMATS[source][2]
    given = (rng.standard_normal((32, 1)) * 10.0 ** rng.integers(-9, 7, (32, 1))).astype(of)
    if target == "f32":
        given = given * 10.0 ** rng.integers(-38, 36, (32, 1))
    letters = {"f16": "h", "f32": "r", "f64": "l"}
    asm = f"cvt.{mode}.{target}.{source} $0, $1;"
    out = _run(asm, letters[target], letters[source], given, strategy)
    found = out.view(_FORMATS[target][2])[:, 0]
    expected = [_rounded(Fraction(x), mode, target, x) for x in given[:, 0].tolist()]
    np.testing.assert_array_equal(found, np.array(expected, found.dtype))


@pytest.mark.parametrize(
    ("target", "source", "mode"),
    some(
        [("f32", "s32"), ("f32", "u32"), ("f32", "s64"), ("f32", "u64"),
         ("f64", "s64"), ("f64", "u64"), ("f16", "s32")], MODES, of=3,
    ),
)  # fmt: skip
def test_directed_integers(target: str, source: str, mode: str):
    width = int(source[1:])
    given = np.random.default_rng(5).integers(0, 1 << width, (32, 1), dtype=np.uint64)
    given[::3] >>= np.uint64(width // 2)
    words = given.astype(f"u{width // 8}")
    letters = {"f16": "h", "f32": "r", "f64": "l"}
    asm = f"cvt.{mode}.{target}.{source} $0, $1;"
    out = _run(asm, letters[target], "r" if width == 32 else "l", words, "threads")
    found = out.view(_FORMATS[target][2])[:, 0]
    exact = words.view(f"i{width // 8}") if source[0] == "s" else words
    expected = [_rounded(Fraction(x), mode, target, 0.0) for x in exact[:, 0].tolist()]
    np.testing.assert_array_equal(found, np.array(expected, found.dtype))


# -- comparisons and denormal numbers


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "num": lambda x, y: x == x,
}  # fmt: skip


def test_comparisons_of_floats():
    """Those with a `u`, and `nan`, hold where an operand is no number; the others do not."""
    names = [*_COMPARISONS, "equ", "neu", "ltu", "leu", "gtu", "geu", "nan"]
    asm = "{ .reg .pred p; .reg .b32 t; mov.b32 $0, 0;"
    for at, name in enumerate(names):
        asm += f"setp.{name}.f32 p, $1, $2; selp.b32 t, {1 << at}, 0, p; or.b32 $0, $0, t;"
    edges = np.array([0.0, -0.0, 1.0, -2.0, np.nan, np.inf], np.float32)
    given = np.array([(x, y) for x in edges for y in edges], np.float32)[:32]
    found = _run(asm + "}", "r", "rr", given, "threads").view(np.uint32)[:, 0]
    x, y = given[:, 0], given[:, 1]
    unordered = np.isnan(x) | np.isnan(y)
    for at, name in enumerate(names):
        plain = _COMPARISONS.get(name) or _COMPARISONS.get(name[:2])
        holds = unordered if plain is None else plain(x, y) & ~unordered
        if name not in _COMPARISONS:
            holds = holds | unordered
        assert (found >> at & 1).astype(bool).tolist() == holds.tolist(), name


def test_denormal_numbers_are_flushed():
    small = np.float32(1e-40)
    least = np.float32(2.0**-126)
    given = np.full((32, 2), 1.0, np.float32)
    given[:6] = [(small, 1), (-small, 1), (least, 0.5), (-least, 0.5), (least, 1), (3, -small)]
    wanted = [0.0, -0.0, 0.0, -0.0, least, -0.0]
    found = _run("mul.rn.ftz.f32 $0, $1, $2;", "r", "rr", given, "threads").view(np.float32)[:6, 0]
    np.testing.assert_array_equal(found, np.array(wanted, np.float32))
    assert np.signbit(found).tolist() == np.signbit(wanted).tolist()
    kept = _run("mul.rn.f32 $0, $1, $2;", "r", "rr", given, "threads").view(np.float32)[:6, 0]
    assert kept.tolist() == (given[:6, 0] * given[:6, 1]).tolist()


@pytest.mark.parametrize("strategy", ["block-loops", "threads"])
def test_functions_of_denormal_numbers_are_those_of_zeros(strategy: str):
    """Whether an operand is flushed, or the function gives the same without."""
    small, least = 1e-40, 2.0**-126
    given = np.zeros((32, 1), np.float32)
    given[:11, 0] = [0, -0.0, small, -small, least, -least, -125.5, -126.5, -200, np.inf, np.nan]
    with np.errstate(all="ignore"):
        given_wide = np.where(abs(given) < least, given * 0, given).astype(np.float64)
        for name, function in (("ex2", np.exp2), ("sin", np.sin), ("cos", np.cos)):
            wanted = function(given_wide).astype(np.float32)
            wanted = np.where(abs(wanted) < least, np.copysign(0, wanted), wanted)
            asm = f"{name}.approx.ftz.f32 $0, $1;"
            found = _run(asm, "r", "r", given, strategy).view(np.float32)
            np.testing.assert_allclose(found, wanted, rtol=3e-7)
            signs = np.signbit(found) == np.signbit(wanted)
            assert (signs | np.isnan(wanted)).all(), name
