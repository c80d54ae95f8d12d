# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of what operations and intrinsics do to memory and order has all that there are; what
it does not have is refused."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import xgpu
from xgpu.dialects import nvvm
from xgpu.host_device.compiler.rules import lowering
from xgpu.host_device.sanitizer.instrument.effects import (
    INTRINSICS,
    OPERATIONS,
    WATCHED,
    is_silent_intrinsic,
    is_silent_operation,
)
from xgpu.host_device.sanitizer.instrument.nvvm import NVVM

_OTHERS = ("nvvm.read.ptx.sreg.", "nvvm.tcgen05.")


def test_each_rule_for_intrinsics_is_in_the_table() -> None:
    for _, modules in lowering._MODULES:
        for module in modules:
            import_module(f"xgpu.host_device.compiler.rules.{module}")
    assert {pattern.pattern for pattern, _ in lowering.INTRINSICS} == INTRINSICS.keys()


def test_each_operation_of_nvvm_is_in_the_table_or_has_a_rule() -> None:
    names = {getattr(nvvm, n).name for n in dir(nvvm) if n.endswith("Op")}
    assert len(names) > 180
    others = {n for n in names - NVVM.keys() if not n.startswith(_OTHERS)}
    assert others == OPERATIONS.keys()


def test_only_what_does_nothing_is_silent() -> None:
    assert is_silent_intrinsic("fma.rn.f")
    assert is_silent_operation("nvvm.read.ptx.sreg.tid.x")
    assert not is_silent_intrinsic("barrier.cta.red.popc.aligned.all")
    assert not is_silent_operation("nvvm.st.bulk")
    assert not is_silent_operation("nvvm.unknown")
    assert OPERATIONS["nvvm.inline_ptx"] == WATCHED


_TWO_STEPS = """
gpu.module @m {
  gpu.func @k(%out: memref<?xi32>) workgroup(%s : memref<64xi32, #gpu.address_space<workgroup>>)
      kernel {
    %c63 = arith.constant 63 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n = arith.constant 64 : i32
    %yes = arith.constant true
    %t = gpu.thread_id x
    memref.store %one, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    STEP
    %other = arith.subi %c63, %t : index
    %v = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %v, %out[%t] : memref<?xi32>
    gpu.return
  }
}
"""


def _call(name: str, operands: str = "", types: str = "", result: str = "") -> str:
    given = f'llvm.call_intrinsic "llvm.nvvm.{name}"({operands}) : ({types}) -> ({result})'
    return f"%r = {given}" if result else given


@pytest.mark.parametrize(
    "step",
    [
        _call("barrier0.popc", "%one", "i32", "i32"),
        _call("barrier.cta.red.popc.aligned.all", "%zero, %yes", "i32, i1", "i32"),
        _call("barrier.cta.red.and.aligned.count", "%one, %n, %yes", "i32, i32, i1", "i1"),
        _call("barrier.cta.sync.all", "%one", "i32"),
        _call("barrier.cta.sync.aligned.all", "%one", "i32"),
        _call("barrier.cta.sync.count", "%one, %n", "i32, i32"),
        _call("barrier.cta.sync.aligned.count", "%one, %n", "i32, i32"),
    ],
)
def test_barriers_of_intrinsics_order(step: str) -> None:
    """What clang makes of `__syncthreads_count` and of barriers with numbers."""
    kernel = xgpu.load(_TWO_STEPS.replace("STEP", step), "host").kernels["k"]
    with xgpu.sanitized() as watched:
        kernel[1, 64](np.zeros(64, np.int32))
    assert not watched.findings(), watched.findings().text()


def test_without_them_there_is_a_race() -> None:
    kernel = xgpu.load(_TWO_STEPS.replace("STEP", ""), "host").kernels["k"]
    with xgpu.sanitized() as watched:
        kernel[1, 64](np.zeros(64, np.int32))
    assert {f.kind for f in watched.findings()} == {"race"}


def test_what_is_not_known_is_refused_at_its_place() -> None:
    step = _call("vote.eq.sync", "%one, %yes", "i32, i1", "i1")
    kernel = xgpu.load(_TWO_STEPS.replace("STEP", step), "host", filename="k.mlir").kernels["k"]
    with xgpu.sanitized(), pytest.raises(xgpu.DeviceError, match=r"k.mlir:12:10: the sanitizer do"):
        kernel[1, 64](np.zeros(64, np.int32))


_FLAG = """
gpu.module @m {
  gpu.func @k(%flag: !llvm.ptr<1>, %out: memref<?xi32>) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %first = arith.cmpi eq, %b, %c0 : index
    scf.if %first {
      llvm.store volatile %one, %flag : i32, !llvm.ptr<1>
    } else {
      %v = llvm.load volatile %flag : !llvm.ptr<1> -> i32
      memref.store %v, %out[%b] : memref<?xi32>
    }
    gpu.return
  }
}
"""


@pytest.mark.parametrize(
    ("kinds", "found"),
    [(["race"], set()), (["race", "volatile"], {"race"}), (["volatile"], {"race"})],
)
@pytest.mark.parametrize("wide", [1, 32])
def test_volatile_orders_unless_it_is_looked_at(
    kinds: list[str], found: set[str], wide: int
) -> None:
    """PTX has a meaning for volatile accesses of several threads, C++ has none."""
    kernel = xgpu.load(_FLAG, "host").kernels["k"]
    with xgpu.sanitized(kinds) as watched:
        kernel[2, wide](np.zeros(1, np.int32), np.zeros(2, np.int32))
    assert {f.kind for f in watched.findings()} == found
