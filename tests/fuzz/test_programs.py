# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short form of `tests.fuzz.programs`: some seeds, the model's numbers, and the machine's parts."""

from __future__ import annotations

import math
import random
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.fuzz import function_runs, kernel_runs, programs, ptx_runs
from tests.fuzz.function_text import FLOATS, edge_float, inputs
from tests.fuzz.functions import RandomFunction
from tests.fuzz.interpreter import Buffer, find_kernel, run_kernel
from tests.fuzz.numbers import divided, fused, rounded, to_format, truncated_divided
from tests.support.some_cases import each, long_first, short


@pytest.mark.parametrize("seed", each(range(10), 5))
def test_functions(seed: int) -> None:
    text = RandomFunction(seed).text
    assert function_runs.check(text, seed) is None, text


@pytest.mark.parametrize("seed", short([0, 3, 7], 3))
def test_kernels(seed: int) -> None:
    text = kernel_runs.text_of(seed)
    assert kernel_runs.check(text, seed) is None, text


@pytest.mark.parametrize("seed", each(range(24), 24))
def test_ptx(seed: int) -> None:
    """From MLIR, and as PTX that is read back: the same."""
    text = ptx_runs.text_of(seed)
    assert ptx_runs.check(text, seed) is None, text


@pytest.mark.parametrize("kind", ["functions", "kernels", "ptx"])
@pytest.mark.parametrize("first", long_first(range(1000, 3000, 40)))
def test_many_programs(kind: str, first: int) -> None:
    found = [r for r in programs.results(programs.subject(kind), range(first, first + 40)) if r[1]]
    assert not found, found


@pytest.mark.parametrize(("form", "kind"), [("f16", np.float16), ("f32", np.float32)])
def test_rounding(form: str, kind: Any) -> None:
    """The model's numbers are numpy's, where numpy has the format."""
    r = random.Random(1)
    for _ in range(400):
        a, b = (edge_float(r, form) for _ in range(2))
        with np.errstate(all="ignore"):
            assert_same(divided(a, b, form), float(kind(a) / kind(b)))
            assert_same(to_format(a * b, form), float(kind(a) * kind(b)))
        value = r.uniform(-1, 1) * 2.0 ** r.randint(-160, 130)
        with np.errstate(over="ignore"):
            assert_same(to_format(value, form), float(kind(value)))


def assert_same(found: float, wanted: float) -> None:
    assert found == wanted or (math.isnan(found) and math.isnan(wanted)), (found, wanted)


def test_rounding_once() -> None:
    assert rounded(Fraction(2**24 + 1), "f32") == 2**24
    assert rounded(Fraction(2**24 + 3), "f32") == 2**24 + 4
    assert rounded(Fraction(65520), "f16") == math.inf
    assert rounded(Fraction(1, 2**134), "bf16") == 0.0
    assert rounded(Fraction(3, 2**135), "bf16") == 2.0**-133
    # A product that a double rounds to a tie of two floats.
    largest = sys.float_info.max
    assert fused(largest, largest, -math.inf, "f64") == -math.inf  # the product is finite
    assert fused(1 + 2**-12, 1 + 2**-12, 2.0**-60, "f32") == 1 + 2**-11 + 2**-23
    assert math.copysign(1, fused(-0.0, 1.0, -0.0, "f64")) == -1
    assert truncated_divided(-7, 2) == -3


def test_threads_meet() -> None:
    """The model's barriers and shuffles."""
    text = """
    gpu.module @m {
      gpu.func @k(%o: memref<8xi32>) workgroup(%s: memref<8xi32, 3>) kernel {
        %i = gpu.thread_id x
        %n = arith.index_cast %i : index to i32
        memref.store %n, %s[%i] : memref<8xi32, 3>
        gpu.barrier
        %seven = arith.constant 7 : index
        %j = arith.subi %seven, %i : index
        %v = memref.load %s[%j] : memref<8xi32, 3>
        %one = arith.constant 1 : i32
        %w = arith.constant 32 : i32
        %x, %ok = gpu.shuffle xor %v, %one, %w : i32
        memref.store %x, %o[%i] : memref<8xi32>
        gpu.return
      }
    }
    """
    out = Buffer([0] * 8, [8])
    run_kernel(find_kernel(function_runs.read(text)), (1, 1, 1), (8, 1, 1), [out], [(8,)])
    assert out.data == [6, 7, 4, 5, 2, 3, 0, 1]


def test_a_wrong_fold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from xgpu.core.rewriting import folding

    text = """
    gpu.module @m {
      gpu.func @k(%in: memref<12xi64>, %fin: memref<12xf64>, %out: memref<80xi64>,
                  %fout: memref<40xf64>, %loose: memref<40xf64>) kernel {
        %i = arith.constant 1 : index
        %x = memref.load %in[%i] : memref<12xi64>
        %y = arith.muli %x, %x : i64
        %z = arith.addi %y, %x : i64
        memref.store %z, %out[%i] : memref<80xi64>
        gpu.return
      }
    }
    """
    seed = next(seed for seed in range(50) if inputs(seed)[0][1] > 1)
    kind = programs.subject("functions")
    assert kind.finding(text, seed) is None
    rules = folding._RULES["arith.addi"]  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(rules, "folder", lambda op, constants: [constants[0]])
    finding = kind.finding(text, seed)
    assert finding is not None
    assert finding[0].startswith("folded: %out")


def test_what_ends_the_process_is_a_finding() -> None:
    import os

    def check(text: str, seed: int) -> str | None:
        if seed == 2:
            os.abort()
        return "differs by 5" if seed == 3 else None

    kind = programs.Subject(str, check, lambda found: found[:-2])
    assert list(programs.results(kind, range(5))) == [
        (0, None), (1, None), (2, [programs.ENDED, ""]), (3, ["differs by", "differs by 5"]),
        (4, None),
    ]  # fmt: skip


def test_every_format_has_edges() -> None:
    r = random.Random(0)
    for form in FLOATS:
        found = [edge_float(r, form) for _ in range(300)]
        assert any(map(math.isnan, found))
        assert any(map(math.isinf, found))
        assert any(0 < abs(v) < 2.0**-14 for v in found)
