# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of constants beside mlir-opt 22: thousands of functions with one operation each.

Where mlir-opt computes something wrong, `MLIR_ERRS` says so; the reasons are in
docs/reference/deviations.md.
"""

from __future__ import annotations

import pathlib
import re

import pytest
from fold_cases import GROUPS, functions

from tests.support import processes
from tests.support.some_cases import long_first, some
from xgpu.tools.xgpu_opt import main

pytestmark = [pytest.mark.parity, pytest.mark.sampled(2)]

#: What mlir-opt computes wrong or by accident, as a regular expression on the function.
MLIR_ERRS = [
    # An infinity or NaN in a type that has none comes out as its exponent's other bits: zero.
    r"arith\.(divf|remf) .*f[46]E\dM\dFN",
    r"constant 0x(7[CF]|F[CF]|80)\w* : \w+\n.*truncf .* to f[46]E\dM\dFN",
    r"constant 0xFF : f8E8M0FNU",
    # atan2 of zeros is a NaN there, where C's function has 0 or pi.
    r"constant (-?0\.0|0x40000|0x80) .*\n.*constant (-?0\.0|0x40000|0x80) .*\n.*math\.atan2",
    # Rounding to whole numbers overflows in small types.
    r"math\.(ceil|floor|roundeven) .* (f6E2M3FN|f8E3M4)\n",
    # The NaN of these types has the bits of a negative zero, and counts as negative there only.
    r"math\.copysign .*FNUZ",
    # The smallest divided upwards by a power of two changes its sign.
    r"%a = index.constant (-9223372036854775808|-?2147483648)\n.*\n.*= index.ceildivs",
    # Of a vector the last element decides whether shifts and divisions are defined.
    r"arith\.(shli|shrsi|shrui) .*vector<\dxi[12]>",
    r"arith\.floordivsi .*vector<",
    # A shift by more than the width, modulo 2**64.
    r"llvm\.shl .* : i(65|128)",
]


def as_bits(text: str) -> str:
    """Digits of an f80 or f128 that no double is, as bits: mlir-opt would not read them so."""
    from xdsl.dialects.builtin import Float80Type, Float128Type

    from xgpu.core.ir.float_formats import FORMATS, WideFloat, from_decimal
    from xgpu.core.ir.floats import float_text

    types = {"f80": Float80Type(), "f128": Float128Type()}

    def constant(found: re.Match[str]) -> str:
        kind = types[found[3]]

        def number(digits: re.Match[str]) -> str:
            value = from_decimal(digits[0].lower(), FORMATS[kind.name])
            return float_text(value, kind) if isinstance(value, WideFloat) else digits[0]

        numbers = re.sub(r"-?\d+\.\d+(?:[eE][-+]\d+)?", number, found[2])
        return f"{found[1]}{numbers}{found[0][len(found[1]) + len(found[2]) :]}"

    pattern = r"(arith\.constant )(.*)(?<= |x)(f80|f128)>?$"
    return re.sub(pattern, constant, text, flags=re.MULTILINE)


def by_name(text: str) -> dict[str, str]:
    return {m[1]: m[0] for m in re.finditer(r"func\.func @(f\d+)\(.*?\n  }", text, re.S)}


@pytest.mark.parametrize(("group", "option"), some(sorted(GROUPS), ["--canonicalize", "--sccp"]))
@pytest.mark.parametrize("step", [23, *long_first([4, 1])])
def test_same_constants(
    group: str, option: str, step: int, mlir_opt: str, tmp_path: pathlib.Path
) -> None:
    chosen = functions(group)[::step]
    source, ours = tmp_path / "folds.mlir", tmp_path / "ours.mlir"
    source.write_text("".join(chosen))
    theirs = processes.run([mlir_opt, option, source], capture_output=True, text=True, check=True)
    assert main([option, str(source), "-o", str(ours)]) == 0
    expected, found = by_name(as_bits(theirs.stdout)), by_name(ours.read_text())
    assert len(expected) == len(chosen)
    for text in chosen:
        name = text.partition("@")[2].partition("(")[0]
        if found[name] != expected[name] and not any(re.search(p, text) for p in MLIR_ERRS):
            pytest.fail(f"{text}\nmlir-opt:\n{expected[name]}\nxgpu-opt:\n{found[name]}")
