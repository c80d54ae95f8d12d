# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of thread indices with numbers near multiples of a warp's size: which are the same in
a warp, and what they say in every strategy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests.support.kernel_launch import Launcher, host_object
from tests.support.some_cases import some

_COMPARES = {
    "eq": np.equal, "ne": np.not_equal, "slt": np.less, "sle": np.less_equal, "sgt": np.greater,
    "sge": np.greater_equal, "ult": np.less, "ule": np.less_equal, "ugt": np.greater,
    "uge": np.greater_equal,
}  # fmt: skip
_BOUNDS = (0, 1, 31, 32, 33, 48, 63, 64, 127, 128, 200)
_SHORT = (0, 31, 33, 64, 128)
_THREADS = 128


#: Predicate, bound, whether the bound comes first, what is added to the index.
Case = tuple[str, int, bool, int]


def _cases(bounds: tuple[int, ...], added: tuple[int, ...] = (0,)) -> list[Case]:
    return [
        (p, n, turned, by) for p in _COMPARES for n in bounds for turned in (False, True)
        for by in added
    ]  # fmt: skip


def _module(cases: list[Case]) -> str:
    """Each comparison adds one to a word of its own, behind a branch."""
    count = len(cases)
    lines: list[str] = []
    for at, (predicate, bound, turned, by) in enumerate(cases):
        operands = f"%n{at}, %x{at}" if turned else f"%x{at}, %n{at}"
        lines += [
            f"%by{at} = llvm.mlir.constant({by} : i32) : i32",
            f"%x{at} = llvm.add %tid, %by{at} : i32",
            f"%n{at} = llvm.mlir.constant({bound} : i32) : i32",
            f'%holds{at} = llvm.icmp "{predicate}" {operands} : i32',
            f"llvm.cond_br %holds{at}, ^then{at}, ^next{at}",
            f"^then{at}:",
            f"%q{at} = llvm.getelementptr %own[{at}] : (!llvm.ptr) -> !llvm.ptr, i32",
            f"llvm.store %one, %q{at} : i32, !llvm.ptr",
            f"llvm.br ^next{at}",
            f"^next{at}:",
        ]
    body = "\n".join(lines)
    return f"""
module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    llvm.func @k(%p: !llvm.ptr) attributes {{gpu.kernel, nvvm.kernel}} {{
      %one = llvm.mlir.constant(1 : i32) : i32
      %count = llvm.mlir.constant({count} : i32) : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %start = llvm.mul %tid, %count : i32
      %own = llvm.getelementptr %p[%start] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      {body}
      llvm.return
    }}
  }}
}}
"""


def _check(cases: list[Case], strategy: str) -> None:
    found = np.zeros((_THREADS, len(cases)), np.int32)
    launcher = Launcher(host_object(_module(cases)), strategy)
    try:
        launcher.launch("k", 1, _THREADS, ctypes.c_void_p(found.ctypes.data))
    finally:
        launcher.close()
    for at, (predicate, bound, turned, by) in enumerate(cases):
        indices = np.arange(_THREADS, dtype=np.int32) + np.int32(by)
        number = np.int32(bound)
        if predicate[0] == "u":
            indices, number = indices.view(np.uint32), number.view(np.uint32)
        given = (number, indices) if turned else (indices, number)
        assert (found[:, at] == _COMPARES[predicate](*given)).all(), cases[at]


@pytest.mark.parametrize(
    "bounds", [_SHORT, pytest.param(_BOUNDS, marks=pytest.mark.long)], ids=["some", "all"]
)
@pytest.mark.parametrize("strategy", ["block-loops", "warps", "threads"])
def test_comparisons_with_thread_indices(strategy: str, bounds: tuple[int, ...]):
    _check(_cases(bounds), strategy)


@pytest.mark.parametrize(("by", "strategy"), some([-1, -40, -32], ["block-loops", "warps"], of=3))
def test_indices_that_wrap(by: int, strategy: str):
    """As compilers write `0 < x and x < n`: x - 1 < n - 1, without a sign."""
    _check(_cases((0, 31, 62, 64, -1, -32), (by,)), strategy)
