# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions of doubles, and of singles by them: as exact as CUDA's table of libdevice
says, special values as the C library has them, and the same in every strategy and for every
processor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.strategy_codes import StrategyCodes
from xgpu.host_device.machine.cpu import HostTarget, made_for

pytestmark = pytest.mark.sampled(2)

_TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @__nv_NAME(TYPES) -> FLOAT
    gpu.func @k(%a: memref<?xFLOAT>, %b: memref<?xFLOAT>, %out: memref<?xFLOAT>) kernel {
      %t = gpu.thread_id x
      %g = gpu.block_id x
      %n = gpu.block_dim x
      %o = arith.muli %g, %n : index
      %i = arith.addi %o, %t : index
      %x = memref.load %a[%i] : memref<?xFLOAT>
      %y = memref.load %b[%i] : memref<?xFLOAT>
      %r = llvm.call @__nv_NAME(VALUES) : (TYPES) -> FLOAT
      memref.store %r, %out[%i] : memref<?xFLOAT>
      gpu.return
    }
  }
}
"""


class _Function(NamedTuple):
    """The most units in the last place that CUDA's table allows, and ranges of arguments: (low,
    high) uniform, (low, high, "e") of both signs and uniform in the exponent, "1" around one."""

    units: float
    ranges: tuple[tuple[float, float] | tuple[float, float, str], ...]


_WIDE, _NEAR = (1e-300, 1e300, "e"), (-2.0, 2.0)
_CIRCULAR = ((-10.0, 10.0), (-1e5, 1e5), (1e-10, 1e9, "e"), (1e-10, 1e18, "e"))
_FUNCTIONS = {
    "exp": _Function(1, ((-745.0, 709.7), _NEAR)),
    "exp2": _Function(1, ((-1074.0, 1023.9), _NEAR)),
    "exp10": _Function(1, ((-323.0, 308.2), _NEAR)),
    "expm1": _Function(1, ((-40.0, 709.7), _NEAR, (1e-20, 1.0, "e"))),
    "log": _Function(1, (_WIDE, (0.0, 2.0), (1e-16, 0.3, "1"))),
    "log2": _Function(1, (_WIDE, (0.0, 2.0), (1e-16, 0.3, "1"))),
    "log10": _Function(1, (_WIDE, (0.0, 2.0), (1e-16, 0.3, "1"))),
    "log1p": _Function(1, (_WIDE, (-1.0, 2.0), (1e-18, 0.3, "e"))),
    "sin": _Function(2, _CIRCULAR), "cos": _Function(2, _CIRCULAR), "tan": _Function(2, _CIRCULAR),
    "atan": _Function(2, ((-3.0, 3.0), (1e-20, 1e20, "e"))),
    "asin": _Function(2, ((-1.0, 1.0), (1e-20, 1.0, "e"))),
    "acos": _Function(2, ((-1.0, 1.0), (1e-20, 1.0, "e"))),
    "sinh": _Function(2, ((-710.4, 710.4), _NEAR, (1e-20, 1.0, "e"))),
    "cosh": _Function(1, ((-710.4, 710.4), _NEAR)),
    "tanh": _Function(1, ((-20.0, 20.0), _NEAR, (1e-20, 1.0, "e"))),
    "atan2": _Function(2, ((-1.0, 1.0), (1e-5, 1e5, "e"), _WIDE)),
    "pow": _Function(2, ((0.001, 1000.0), _WIDE, (1e-10, 0.5, "1"))),
}  # fmt: skip
_TWO = ("atan2", "pow")
_SPECIAL = (
    np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 1.5, -3.0, 2.5, 1e300,
    5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0,
    709.9, 710.3, 711.0, 745.2, -745.2, -746.0, 1024.0, -1075.0, -1074.0, 308.3, -324.0, 1e22,
)  # fmt: skip
_REFERENCES = {"asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
               "pow": np.power}  # fmt: skip


def _text(name: str, kind: type) -> str:
    ty = "f64" if kind is np.float64 else "f32"
    count = 2 if name in _TWO else 1
    text = _TEXT.replace("NAME", name if ty == "f64" else f"{name}f")
    text = text.replace("TYPES", ", ".join(["FLOAT"] * count)).replace("FLOAT", ty)
    return text.replace("VALUES", "%x, %y" if count == 2 else "%x")


def _random(name: str, count: int) -> np.ndarray:
    choose = np.random.default_rng(7)
    found: list[np.ndarray] = []
    for low, high, *how in _FUNCTIONS[name].ranges:
        if not how:
            found.append(choose.uniform(low, high, count))
            continue
        far = np.exp(choose.uniform(np.log(low), np.log(high), count))
        far *= choose.choice([-1, 1], count)
        found.append(far if how == ["e"] else 1 + far)
    return np.concatenate(found)


def _arguments(name: str, count: int, kind: type) -> tuple[np.ndarray, np.ndarray]:
    """Random numbers, then each special one, with each other one where there are two."""
    a = _random(name, count)
    b = np.random.default_rng(8).permutation(a)
    if name == "pow":  # powers that are finite numbers
        a = np.abs(a)
        most = np.minimum(700 / np.maximum(np.abs(np.log(a)), 1e-6), 1e4)
        b = np.random.default_rng(8).uniform(-1, 1, len(a)) * most
    special = np.array(_SPECIAL)
    if name in _TWO:
        a = np.concatenate([a, np.repeat(special, len(special))])
        b = np.concatenate([b, np.tile(special, len(special))])
    else:
        a, b = (np.concatenate([v, special]) for v in (a, b))
    with np.errstate(all="ignore"):
        return tuple(np.resize(v.astype(kind), -(-len(v) // 256) * 256) for v in (a, b))  # type: ignore[return-value]


def _computed(name: str, kind: type, strategy: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    out = np.zeros_like(a)
    launcher = Launcher(host_object(_text(name, kind)), strategy)
    try:
        launcher.launch("k", len(a) // 256, 256, a, b, out)
    finally:
        launcher.close()
    return out


def _check(name: str, kind: type, a: np.ndarray, b: np.ndarray, found: np.ndarray) -> None:
    """Numbers by long doubles; what is no number, and zeros with their signs, as the C library."""
    given = (a, b) if name in _TWO else (a,)
    with np.errstate(all="ignore"):
        if name == "exp10":
            exact = np.power(np.longdouble(10), a.astype(np.longdouble))
        else:
            function = _REFERENCES.get(name) or getattr(np, name)
            exact = function(*(v.astype(np.longdouble) for v in given))
        wanted = exact.astype(kind)
        unit = np.spacing(np.maximum(np.abs(wanted), np.finfo(kind).tiny)).astype(np.longdouble)
        errors = np.abs(found.astype(np.longdouble) - exact) / unit
    is_plain = np.isfinite(wanted) & (wanted != 0)
    worst = np.argmax(np.where(is_plain, errors, 0))
    assert errors[worst] < _FUNCTIONS[name].units, (a[worst], b[worst], found[worst])
    np.testing.assert_array_equal(found[~is_plain], wanted[~is_plain])
    is_zero = wanted == 0
    np.testing.assert_array_equal(np.signbit(found[is_zero]), np.signbit(wanted[is_zero]))


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_doubles(name: str) -> None:
    a, b = _arguments(name, 300, np.float64)
    _check(name, np.float64, a, b, _computed(name, np.float64, "block-loops", a, b))


@pytest.mark.long
@pytest.mark.parametrize("name", _FUNCTIONS)
def test_many_doubles(name: str) -> None:
    a, b = _arguments(name, 100_000, np.float64)
    found = [_computed(name, np.float64, s, a, b) for s in ("block-loops", "warps", "threads")]
    _check(name, np.float64, a, b, found[0])
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].view(np.int64), other.view(np.int64))


@pytest.mark.long
@pytest.mark.parametrize("name", _FUNCTIONS)
def test_many_singles(name: str) -> None:
    a, b = _arguments(name, 100_000, np.float32)
    found = [_computed(name, np.float32, s, a, b) for s in ("block-loops", "threads")]
    np.testing.assert_array_equal(found[0].view(np.int32), found[1].view(np.int32))
    _check(name, np.float32, a, b, found[0])


@pytest.mark.long
@pytest.mark.parametrize("name", _FUNCTIONS)
@pytest.mark.parametrize("processor", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_doubles_of_other_processors(name: str, processor: str) -> None:
    a, b = _arguments(name, 300, np.float64)
    own = _computed(name, np.float64, "block-loops", a, b)
    with made_for(HostTarget(processor)):
        other = _computed(name, np.float64, "block-loops", a, b)
    np.testing.assert_array_equal(own.view(np.int64), other.view(np.int64))


def test_sines_of_near_and_far_angles() -> None:
    """The C library computes those of far ones alone, in the lanes that have them."""
    a = np.linspace(-3, 3, 256)
    a[[3, 77, 78]] = 1e22, np.inf, -(2.0**40)
    found = _computed("sin", np.float64, "warps", a, a)
    with np.errstate(all="ignore"):
        wanted = np.sin(a)
    np.testing.assert_allclose(found, wanted, rtol=4e-16, atol=0)
    codes = StrategyCodes(host_object(_text("sin", np.float64)), "k", (256, 1, 1))
    text = codes._text("block-loops")[0]
    assert "call double @sin(" in text
    assert "@llvm.sin" not in text


@pytest.mark.parametrize("name", ["sin", "pow", "tanh"])
def test_singles(name: str) -> None:
    a, b = _arguments(name, 300, np.float32)
    _check(name, np.float32, a, b, _computed(name, np.float32, "block-loops", a, b))


def test_powers_that_are_products() -> None:
    """An exponent that is known: as exact, the same of what is no number, and no logarithm."""
    exponents = (1.0, 2.0, 3.0, 4.0, -1.0)
    steps = "".join(
        f"%y{i} = arith.constant {e} : f64\n"
        f"%r{i} = llvm.call @__nv_pow(%x, %y{i}) : (f64, f64) -> f64\n"
        f"%c{i} = arith.constant {i} : index\n"
        f"%p{i} = arith.addi %first, %c{i} : index\n"
        f"memref.store %r{i}, %out[%p{i}] : memref<?xf64>\n"
        for i, e in enumerate(exponents)
    )
    head, _, rest = _text("pow", np.float64).partition("%r =")
    _, _, end = rest.partition("memref<?xf64>\n")
    five = "%five = arith.constant 5 : index\n%first = arith.muli %i, %five : index\n"
    data = host_object(head + five + steps + end)
    text = StrategyCodes(data, "k", (256, 1, 1))._text("block-loops")[0]
    assert "llvm.fma" not in text, "a logarithm"
    a = np.concatenate([_random("exp", 100), np.array(_SPECIAL)])
    a = np.resize(a, 256)
    out = np.zeros((256, 5))
    launcher = Launcher(data, "block-loops")
    try:
        launcher.launch("k", 1, 256, a, a, out)
    finally:
        launcher.close()
    for i, exponent in enumerate(exponents):
        _check("pow", np.float64, a, np.full_like(a, exponent), np.ascontiguousarray(out[:, i]))
