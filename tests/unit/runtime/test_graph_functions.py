# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions may be replaced by a launch of the graph that they have launched before."""

from __future__ import annotations

import pytest

from xgpu.runtime.graph_functions import graph_functions, straight_functions

LAUNCH = """
  %20 = load ptr, ptr @mgpu_graph_0
  call void @mgpuGraphLaunch(ptr %20, ptr null)
  ret void
"""
SET = """
  %8 = alloca i8, i64 40, align 16
  %9 = getelementptr i8, ptr %8, i32 8
  store ptr %0, ptr %9
  %10 = load ptr, ptr @m_k_function
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @mgpu_graph_0, i64 16)
  %12 = add i64 %1, 1
  call void @mgpuGraphExecKernelSetParams(ptr %11, ptr %11, ptr %10, i64 %12, i64 1, i64 1, i64 1,
"""
SET = SET.rstrip("\n") + " i64 1, i64 1, i32 0, ptr %9, i64 5, i64 40)\n"


def function(body, result="void"):
    return (
        "@mgpu_graph_0 = internal global [4 x ptr] zeroinitializer\n"
        "@m_k_function = internal global ptr null\n"
        f"define {result} @f(ptr %0, i64 %1) {{\n{body}}}\n"
    )


def test_a_function_that_sets_nodes_and_launches():
    assert graph_functions(function(SET + LAUNCH)) == {"f"}


def test_what_is_made_the_first_time():
    body = (
        "  %3 = load ptr, ptr @mgpu_graph_0\n  %4 = icmp eq ptr %3, null\n"
        "  br i1 %4, label %5, label %7\n\n5:\n  %6 = call ptr @mgpuGraphCreate()\n"
        "  store ptr %6, ptr getelementptr inbounds nuw (i8, ptr @mgpu_graph_0, i64 8)\n"
        "  br label %7\n\n7:\n"
    )
    assert graph_functions(function(body + LAUNCH)) == {"f"}


@pytest.mark.parametrize(
    "line",
    [
        "  %3 = load i64, ptr %0\n",  # what an argument points to may change
        "  %3 = load i64, ptr @counter\n",
        "  store i64 %1, ptr @counter\n",
        "  store i64 %1, ptr %0\n",
        "  call void @mgpuLaunchKernel(ptr null)\n",
        "  call void @mgpuMemcpy(ptr null)\n",
        "  call void @printNewline()\n",
        "  call void @g(i64 %1)\n",
        "  %3 = call i64 %0()\n",
        "  %3 = atomicrmw add ptr %0, i64 1 monotonic\n",
        "  call void @mgpuGraphLaunch(ptr null, ptr null)\n",  # and another one below
        "  br label %3\n\n3:\n  br i1 true, label %3, label %4\n\n4:\n",
        "  unreachable\n",
    ],
)
def test_what_does_something_else_is_none(line):
    assert graph_functions(function(SET + line + LAUNCH)) == set()


def test_results_and_functions_that_launch_nothing():
    assert graph_functions(function(LAUNCH.replace("ret void", "ret i64 1"), "i64")) == set()
    assert (
        graph_functions(function(SET + "  ret void\n") + "declare void @mgpuGraphLaunch(\n")
        == set()
    )


WAIT = """
  call void @mgpuLaunchKernel(ptr null, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i32 0, ptr null)
  call void @mgpuStreamSynchronize(ptr null)
  ret void
"""


def test_a_function_that_launches_and_waits_is_straight():
    assert straight_functions(function("  %3 = alloca [4 x i64]\n" + WAIT)) == set()
    assert straight_functions(function("  %3 = alloca i64, i64 4\n" + WAIT)) == {"f"}
    assert straight_functions(function("  %3 = load i64, ptr %0\n" + WAIT)) == {"f"}


@pytest.mark.parametrize(
    "line",
    [
        "  br label %3\n\n3:\n  br i1 true, label %3, label %4\n\n4:\n",
        "  %3 = alloca i8, i64 100000\n",
        "  %3 = alloca i8, i64 %1\n",
        "  call void @mgpuMemcpy(ptr null, ptr null, i64 8, ptr null)\n",
        "  call void @f(ptr %0, i64 1)\n",
        "  call void %0()\n",
    ],
)
def test_what_may_take_long_is_not(line):
    assert straight_functions(function(line + WAIT)) == set()
