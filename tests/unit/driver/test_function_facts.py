# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions may be replaced by a launch of the graph that they have launched before, and
which end soon enough for a caller's thread."""

from __future__ import annotations

import pytest

from xgpu.core.syntax import parse_module
from xgpu.driver.function_facts import graph_functions, straight_functions

LAUNCH = """
  %graph = llvm.load %handles : !llvm.ptr -> !llvm.ptr
  llvm.call @mgpuGraphLaunch(%graph, %null) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
"""
SET = """
  %own = llvm.alloca %c40 x i8 : (i64) -> !llvm.ptr
  %field = llvm.getelementptr %own[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %p, %field : !llvm.ptr, !llvm.ptr
  %kernel_at = llvm.mlir.addressof @m_k_function : !llvm.ptr
  %kernel = llvm.load %kernel_at : !llvm.ptr -> !llvm.ptr
  %node_at = llvm.getelementptr %handles[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %node = llvm.load %node_at : !llvm.ptr -> !llvm.ptr
  %size = llvm.add %n, %c40 : i64
  llvm.call @mgpuGraphExecKernelSetParams(%node, %kernel, %size) : (!llvm.ptr, !llvm.ptr, i64) -> ()
"""


def program(body, result="", linkage=""):
    return parse_module(f"""
llvm.mlir.global internal @mgpu_graph_0() : !llvm.array<4 x ptr>
llvm.mlir.global external @m_k_function() {{mgpu.kernel = @m::@k}} : !llvm.ptr
llvm.mlir.global internal @counter(0 : i64) : i64
gpu.binary @m [#gpu.object<#nvvm.target, "">]
llvm.func @mgpuGraphLaunch(!llvm.ptr, !llvm.ptr)
llvm.func @mgpuGraphCreate() -> !llvm.ptr
llvm.func @mgpuGraphExecKernelSetParams(!llvm.ptr, !llvm.ptr, i64)
llvm.func @mgpuLaunchKernel(!llvm.ptr)
llvm.func @mgpuStreamSynchronize(!llvm.ptr)
llvm.func @mgpuMemcpy(!llvm.ptr)
llvm.func @printNewline()
llvm.func {linkage} @f(%p: !llvm.ptr, %n: i64) {result} {{
  %c40 = llvm.mlir.constant(40 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %handles = llvm.mlir.addressof @mgpu_graph_0 : !llvm.ptr
  %count = llvm.mlir.addressof @counter : !llvm.ptr
  %true = llvm.mlir.constant(true) : i1
  {body}
}}
""")


def test_a_function_that_sets_nodes_and_launches():
    assert graph_functions(program(SET + LAUNCH)) == {"f"}


def test_what_is_made_the_first_time():
    body = """
  %have = llvm.load %handles : !llvm.ptr -> !llvm.ptr
  %none = llvm.icmp "eq" %have, %null : !llvm.ptr
  llvm.cond_br %none, ^build, ^launch
^build:
  %made = llvm.call @mgpuGraphCreate() : () -> !llvm.ptr
  %second = llvm.getelementptr %handles[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  llvm.store %made, %second : !llvm.ptr, !llvm.ptr
  llvm.br ^launch
^launch:
"""
    assert graph_functions(program(body + LAUNCH)) == {"f"}


@pytest.mark.parametrize(
    "line",
    [
        "%x = llvm.load %p : !llvm.ptr -> i64",  # what an argument points to may change
        "%x = llvm.load %count : !llvm.ptr -> i64",
        "llvm.store %n, %count : i64, !llvm.ptr",
        "llvm.store %n, %p : i64, !llvm.ptr",
        "%x = llvm.getelementptr %handles[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8 "
        "llvm.store %n, %x : i64, !llvm.ptr",
        "llvm.call @mgpuLaunchKernel(%p) : (!llvm.ptr) -> ()",
        "llvm.call @mgpuMemcpy(%p) : (!llvm.ptr) -> ()",
        "llvm.call @printNewline() : () -> ()",
        "llvm.call @f(%p, %n) : (!llvm.ptr, i64) -> ()",
        "llvm.call %p() : !llvm.ptr, () -> ()",
        "%x = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr, i64",
        "llvm.call @mgpuGraphLaunch(%null, %null) : (!llvm.ptr, !llvm.ptr) -> ()",  # one more
        "llvm.br ^a ^a: llvm.cond_br %true, ^a, ^b ^b:",
        "llvm.unreachable ^a:",
    ],
)
def test_what_does_something_else_is_none(line):
    assert graph_functions(program(SET + line + LAUNCH)) == set()


def test_results_local_functions_and_functions_that_launch_nothing():
    returning = LAUNCH.replace("llvm.return", "llvm.return %n : i64")
    assert graph_functions(program(returning, "-> i64")) == set()
    assert graph_functions(program(SET + LAUNCH, linkage="internal")) == set()
    assert graph_functions(program(SET + "llvm.return")) == set()


WAIT = """
  llvm.call @mgpuLaunchKernel(%null) : (!llvm.ptr) -> ()
  llvm.call @mgpuStreamSynchronize(%null) : (!llvm.ptr) -> ()
  llvm.return
"""


@pytest.mark.parametrize(
    "line",
    [
        "%x = llvm.alloca %c40 x i64 : (i64) -> !llvm.ptr",
        "%x = llvm.alloca %c40 x !llvm.array<4 x i64> : (i64) -> !llvm.ptr",
        "%x = llvm.load %p : !llvm.ptr -> i64",
        "%x = llvm.intr.smax(%n, %n) : (i64, i64) -> i64",
    ],
)
def test_a_function_that_launches_and_waits_is_straight(line):
    assert straight_functions(program(line + WAIT)) == {"f"}
    assert straight_functions(program(line + WAIT, linkage="internal")) == {"f"}


@pytest.mark.parametrize(
    "line",
    [
        "llvm.br ^a ^a: llvm.cond_br %true, ^a, ^b ^b:",
        "%x = llvm.alloca %c40 x !llvm.array<10000 x i8> : (i64) -> !llvm.ptr",
        "%x = llvm.alloca %n x i8 : (i64) -> !llvm.ptr",
        "llvm.call @mgpuMemcpy(%p) : (!llvm.ptr) -> ()",
        "llvm.call @f(%p, %n) : (!llvm.ptr, i64) -> ()",
        "llvm.call %p() : !llvm.ptr, () -> ()",
        'llvm.inline_asm has_side_effects "nop", "" : () -> ()',
        "gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64",
    ],
)
def test_what_may_take_long_is_not(line):
    assert straight_functions(program(line + WAIT)) == set()
