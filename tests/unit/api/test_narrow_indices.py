# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bounds of arrays where indices have 32 bits, whose sums may wrap."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.bounded_kernels import INDEX, X, floats, launch, missed, untouched
from tests.support.kernel_launch import host_object
from tests.support.strategy_codes import StrategyCodes


def narrow(extension: str, at: str = "%x32", further: int = 0) -> str:
    """A store of thread %t at an index of 32 bits: %n, an argument, is the same in the block."""
    return f"""
    %t32 = arith.index_cast %t : index to i32
    %b32 = arith.index_cast %b : index to i32
    %c256 = arith.constant 256 : i32
    %row = arith.muli %b32, %n : i32
    %o32 = arith.muli %b32, %c256 : i32
    %x32 = arith.addi %o32, %t32 : i32
    %y32 = arith.addi %row, %t32 : i32
    %z32 = arith.addi %n, %t32 : i32
    %further = arith.constant {further} : index
    %w = arith.{extension} {at} : i32 to index
    %j = arith.addi %w, %further : index
    memref.store %one, %x[%j] : memref<?xf32>"""


XN = f"{X}, %n: i32"
_COUNTED = """
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i5 = arith.constant 5 : i32
    scf.for %k = %i0 to %i5 step %i1 : i32 {
      %s = arith.addi %k, %n : i32
      %l = arith.index_cast %s : i32 to index
      memref.store %one, %x[%l] : memref<?xf32>
    }"""


@pytest.mark.parametrize("at", ["%x32", "%y32", "%z32"])
@pytest.mark.parametrize("extension", ["index_cast", "index_castui"])
def test_narrow_indices_are_looked_at_before_the_loop(extension: str, at: str) -> None:
    assert _is_before(XN, narrow(extension, at), (256, 1, 1))


def test_narrow_counters_are_looked_at_before_the_loop() -> None:
    assert _is_before(XN, _COUNTED, (64, 1, 1))
    x = floats(1000)
    launch(XN, _COUNTED, x, np.int32(995), grid=1, block=64)
    assert x[995:].all()
    assert not x[:995].any()
    assert "element 1000 of" in missed(XN, _COUNTED, x, np.int32(996), grid=1, block=64)


def _is_before(parameters: str, body: str, block: tuple[int, int, int]) -> bool:
    """Whether something is asked before the loop over the vectors of a block."""
    text = "module attributes {gpu.container_module} { gpu.module @m {"
    text += f"gpu.func @k({parameters}) kernel {{ {INDEX} {body} gpu.return }} }} }}"
    codes = StrategyCodes(host_object(text), "k", block)
    module = codes._source.specialized_ir("block-loops", "k", block, checks=[])
    tests = [op for op in module.walk() if "branch_weights" in op.properties]
    return any(op.operands[0].owner.parent is not op.parent for op in tests)


@pytest.mark.parametrize("extension", ["index_cast", "index_castui"])
def test_narrow_indices_in_and_beside_an_array(extension: str) -> None:
    x = floats(1024)
    launch(XN, narrow(extension), x, np.int32(0))
    assert x.all()
    assert untouched(x)
    assert "element 1023 of" in missed(XN, narrow(extension), floats(1023), np.int32(0))
    x = floats(3 * 250 + 256)
    launch(XN, narrow(extension, "%y32"), x, np.int32(250))
    assert x.all()
    assert untouched(x)
    said = missed(XN, narrow(extension, "%y32"), x, np.int32(251))
    assert f"element {len(x)} of" in said
    assert untouched(x)
    assert "element 1003 of" in missed(XN, narrow(extension, "%z32"), floats(1003), np.int32(748))


@pytest.mark.parametrize(
    ("extension", "n", "first"),
    [
        # Lanes from 100 on wrap to 0 and more: those before are far away, and behind there are
        # elements.
        ("index_castui", -100, (1 << 32) - 100),
        # Lanes from 100 on wrap to the least numbers, and before they are the greatest.
        ("index_cast", (1 << 31) - 100, (1 << 31) - 100),
        ("index_cast", -100, -100),
    ],
)
def test_narrow_indices_that_wrap(extension: str, n: int, first: int) -> None:
    x = floats(1000)
    said = missed(XN, narrow(extension, "%z32"), x, np.int32(n), grid=1)
    assert f"element {first} of" in said
    assert untouched(x)
    # Where only those run that have wrapped, each stores to its element.
    rest = f"""
    %c100 = arith.constant 100 : index
    %late = arith.cmpi uge, %t, %c100 : index
    scf.if %late {{ {narrow(extension, "%z32")} }}"""
    x = floats(1000)
    if n != -100:
        assert f"element {-(1 << 31)} of" in missed(XN, rest, x, np.int32(n), grid=1)
        assert untouched(x)
        return
    launch(XN, rest, x, np.int32(n), grid=1)
    assert x[:156].all()
    assert not x[156:].any()
    assert untouched(x)


@pytest.mark.parametrize(
    ("extension", "n", "further", "missing"),
    [
        ("index_castui", -100, 500, (1 << 32) + 400),
        ("index_cast", (1 << 31) - 100, 200 - (1 << 31), 200 - (1 << 32)),
    ],
)
def test_sums_that_would_be_in_the_array(
    extension: str, n: int, further: int, missing: int
) -> None:
    """As numbers without end all lanes are in it: those that wrap are not."""
    x = floats(1000)
    said = missed(XN, narrow(extension, "%z32", further), x, np.int32(n), grid=1)
    assert f"element {missing} of" in said
    assert untouched(x)
