# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of the functions in `native`. Layouts of the driver's structures: cuda.h of CUDA 12.0,
the interface that entry points are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from xgpu.runtime.launch_limits import PORTABLE_CLUSTER
from xgpu.support.abi import FUNCTIONS

_MOST = 2**31 - 1  # of a size that the driver takes as 32 bits


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the ABI over the entry point `entry`.

    `arguments` are parameters of ours (by number, with a type where it is another), constants, or
    `type %value` of what `before` computes. `guard` branches to %fast where the driver can be
    called as things are, else to %slow; `counts` says that it is a launch.
    """

    entry: str
    arguments: tuple[str, ...]
    guard: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    counts: bool = False


def _narrow(numbers: range) -> tuple[str, ...]:
    """Whether all these sizes fit in the driver's 32 bits, as %narrow."""
    first = numbers[0]
    lines = [f"  %bits.{first} = add i64 %{first}, 0"]
    lines += [f"  %bits.{i} = or i64 %bits.{i - 1}, %{i}" for i in numbers[1:]]
    lines.append(f"  %narrow = icmp ule i64 %bits.{numbers[-1]}, {_MOST}")
    return tuple(lines)


def _if(condition: str) -> str:
    return f"  br i1 {condition}, label %fast, label %slow"


def _truncated(numbers: range) -> tuple[str, ...]:
    return tuple(f"  %n{i} = trunc i64 %{i} to i32" for i in numbers)


def _field(name: str, base: str, offset: int, type: str, value: str) -> tuple[str, ...]:
    return (
        f"  %{name} = getelementptr i8, ptr {base}, i64 {offset}",
        f"  store {type} {value}, ptr %{name}",
    )


# -- launches with clusters: CUlaunchConfig with two CUlaunchAttributes, sizes and spreading
_CONFIG, _ATTRIBUTE = "[56 x i8]", 72
_CLUSTER_DIMENSION, _CLUSTER_POLICY, _SPREAD = 4, 5, 1


def _cluster() -> Call:
    lines = [
        f"  %config = alloca {_CONFIG}, align 8",
        f"  %attributes = alloca [{2 * _ATTRIBUTE} x i8], align 8",
        f"  store [{2 * _ATTRIBUTE} x i8] zeroinitializer, ptr %attributes",
        f"  store {_CONFIG} zeroinitializer, ptr %config",
        *_truncated(range(1, 10)),
        *_field("a.id", "%attributes", 0, "i32", str(_CLUSTER_DIMENSION)),
    ]
    for i in range(3):
        lines += _field(f"a.{i}", "%attributes", 8 + 4 * i, "i32", f"%n{1 + i}")
    lines += _field("b.id", "%attributes", _ATTRIBUTE, "i32", str(_CLUSTER_POLICY))
    lines += _field("b.0", "%attributes", _ATTRIBUTE + 8, "i32", str(_SPREAD))
    for i in range(6):
        lines += _field(f"c.{i}", "%config", 4 * i, "i32", f"%n{4 + i}")
    lines += _field("c.shared", "%config", 24, "i32", "%10")
    lines += _field("c.stream", "%config", 32, "ptr", "%11")
    lines += _field("c.attributes", "%config", 40, "ptr", "%attributes")
    lines += _field("c.count", "%config", 48, "i32", "2")
    guard = (
        *_narrow(range(1, 10)),
        "  %plane = mul i64 %1, %2",
        "  %blocks = mul i64 %plane, %3",
        f"  %portable = icmp ule i64 %blocks, {PORTABLE_CLUSTER}",
        "  %plain = and i1 %narrow, %portable",
        _if("%plain"),
    )
    arguments = ("ptr %config", "0", "12", "13")
    return Call("cuLaunchKernelEx", arguments, guard, tuple(lines), counts=True)


# -- nodes of executable graphs: what `graph_nodes.NodeRecord` holds, then the driver's structure
_WORDS = 24  # where the words of a record begin


def _node_guard(*conditions: str) -> tuple[str, ...]:
    """The executable graph %exec and the node %node, unless one has to be made anew."""
    lines = [
        "  %exec = load ptr, ptr %0",
        "  %node = load ptr, ptr %1",
        "  %has.exec = icmp ne ptr %exec, null",
        "  %has.node = icmp ne ptr %node, null",
        "  %plain.0 = and i1 %has.exec, %has.node",
    ]
    for i, condition in enumerate(conditions, 1):
        lines.append(f"  %plain.{i} = and i1 %plain.{i - 1}, {condition}")
    return (*lines, _if(f"%plain.{len(conditions)}"))


def _set_words(*values: str) -> list[str]:
    lines: list[str] = []
    for i, value in enumerate(values):
        lines += _field(f"word.{i}", "%1", _WORDS + 8 * i, *value.split(" "))
    return lines


def _set_kernel() -> Call:
    lines = [
        "  %params = alloca [72 x i8], align 8",
        "  store [72 x i8] zeroinitializer, ptr %params",
        "  %shared = sext i32 %9 to i64",
        *_truncated(range(3, 9)),
        *_set_words("ptr %2", *(f"i64 %{i}" for i in range(3, 9)), "i64 %shared", "i64 %12"),
        "  %r.array = getelementptr i8, ptr %1, i64 8",
        "  %array = load ptr, ptr %r.array",
        "  %r.storage = getelementptr i8, ptr %1, i64 16",
        "  %storage = load ptr, ptr %r.storage",
        "  %some = icmp ne i64 %11, 0",
        "  br i1 %some, label %copy, label %fill",
        "copy:",
        "  %given = load ptr, ptr %10",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %storage, ptr %given, i64 %12, i1 false)",
        "  br label %fill",
        "fill:",
        *_field("p.function", "%params", 0, "ptr", "%2"),
    ]
    for i in range(6):
        lines += _field(f"p.{i}", "%params", 8 + 4 * i, "i32", f"%n{3 + i}")
    lines += _field("p.shared", "%params", 32, "i32", "%9")
    lines += _field("p.array", "%params", 40, "ptr", "%array")
    guard = (*_narrow(range(3, 9)), *_node_guard("%narrow"))
    arguments = ("ptr %exec", "ptr %node", "ptr %params")
    return Call("cuGraphExecKernelNodeSetParams", arguments, guard, tuple(lines))


def _set_copy() -> Call:
    lines = [
        "  %params = alloca [200 x i8], align 8",
        "  store [200 x i8] zeroinitializer, ptr %params",
        *_set_words("ptr %2", "ptr %3", "i64 %4"),
        *_field("p.from", "%params", 32, "i32", "4"),  # CU_MEMORYTYPE_UNIFIED
        *_field("p.source", "%params", 48, "ptr", "%3"),
        *_field("p.to", "%params", 120, "i32", "4"),
        *_field("p.target", "%params", 136, "ptr", "%2"),
        *_field("p.width", "%params", 176, "i64", "%4"),
        *_field("p.height", "%params", 184, "i64", "1"),
        *_field("p.depth", "%params", 192, "i64", "1"),
    ]
    guard = ("  %some = icmp ne i64 %4, 0", *_node_guard("%some"))
    arguments = ("ptr %exec", "ptr %node", "ptr %params", "ptr %context")
    return Call("cuGraphExecMemcpyNodeSetParams", arguments, guard, tuple(lines))


def _set_fill() -> Call:
    lines = [
        "  %params = alloca [40 x i8], align 8",
        "  store [40 x i8] zeroinitializer, ptr %params",
        "  %width = zext i32 %4 to i64",
        *_set_words("ptr %2", "i64 %3", "i64 %width", "i64 %5"),
        "  %bits = shl i64 %width, 3",
        "  %unused = sub i64 64, %bits",
        "  %mask = lshr i64 -1, %unused",
        "  %masked = and i64 %3, %mask",
        "  %word = trunc i64 %masked to i32",
        *_field("p.target", "%params", 0, "ptr", "%2"),
        *_field("p.value", "%params", 16, "i32", "%word"),
        *_field("p.size", "%params", 20, "i32", "%4"),
        *_field("p.width", "%params", 24, "i64", "%5"),
        *_field("p.height", "%params", 32, "i64", "1"),
    ]
    guard = (
        "  %some = icmp ne i64 %5, 0",
        "  %small = icmp ule i32 %4, 4",
        *_node_guard("%some", "%small"),
    )
    arguments = ("ptr %exec", "ptr %node", "ptr %params", "ptr %context")
    return Call("cuGraphExecMemsetNodeSetParams", arguments, guard, tuple(lines))


#: Function of the ABI -> how machine code does it.
CALLS: dict[str, Call] = {
    "mgpuLaunchKernel": Call(
        "cuLaunchKernel",
        ("0", *(f"i32 %n{i}" for i in range(1, 7)), "7", "8", "9", "10"),
        (*_narrow(range(1, 7)), _if("%narrow")),
        _truncated(range(1, 7)),
        counts=True,
    ),
    "mgpuLaunchClusterKernel": _cluster(),
    "mgpuStreamSynchronize": Call("cuStreamSynchronize", ("0",)),
    "mgpuStreamWaitEvent": Call("cuStreamWaitEvent", ("0", "1", "i32 0")),
    "mgpuEventRecord": Call("cuEventRecord", ("0", "1")),
    "mgpuEventSynchronize": Call("cuEventSynchronize", ("0",)),
    "mgpuMemcpy": Call("cuMemcpyAsync", ("0", "1", "2", "3")),
    "mgpuMemset8": Call("cuMemsetD8Async", ("0", "1", "2", "3")),
    "mgpuMemset16": Call("cuMemsetD16Async", ("0", "1", "2", "3")),
    "mgpuMemset32": Call("cuMemsetD32Async", ("0", "1", "2", "3")),
    "mgpuGraphExecKernelSetParams": _set_kernel(),
    "mgpuGraphExecMemcpySetParams": _set_copy(),
    "mgpuGraphExecMemsetSetParams": _set_fill(),
    "mgpuGraphLaunch": Call(
        "cuGraphLaunch",
        ("ptr %exec", "1"),
        (
            "  %exec = load ptr, ptr %0",
            "  %made = icmp ne ptr %exec, null",
            _if("%made"),
        ),
    ),
}


def library_text() -> str:
    """The functions as LLVM IR."""
    lines = [
        "@xgpu_cuda_context = external global ptr",
        "@xgpu_cuda_launches = external global i64",
        "declare i32 @cuCtxGetCurrent(ptr)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    ]
    for name, call in CALLS.items():
        lines += _function(name, call)
    return "\n".join(lines) + "\n"


def _extended(type: str) -> str:
    """A parameter type as C's calling convention wants it: narrow integers fill a register."""
    return f"{type} zeroext" if type in ("i8", "i16") else type


def _function(name: str, call: Call) -> list[str]:
    parameters = FUNCTIONS[name].parameters
    given = ", ".join(f"{t} %{i}" for i, t in enumerate(parameters))
    passed = ", ".join(f"{_extended(t)} %{i}" for i, t in enumerate(parameters))
    values = [f"{_extended(parameters[int(a)])} %{a}" if a.isdigit() else a for a in call.arguments]
    types = [v.rpartition(" ")[0] for v in values]
    return [
        f"declare i32 @{call.entry}({', '.join(types)})",
        f"declare void @xgpu_python.{name}({', '.join(map(_extended, parameters))})",
        f"define void @xgpu_fast.{name}({given}) {{",
        "begin:",
        "  %place = alloca ptr",
        "  store ptr null, ptr %place",
        "  %context = load ptr, ptr @xgpu_cuda_context",
        "  %none = icmp eq ptr %context, null",
        "  br i1 %none, label %slow, label %enter",
        "enter:",
        "  %asked = call i32 @cuCtxGetCurrent(ptr %place)",
        "  %current = load ptr, ptr %place",
        "  %here = icmp eq ptr %current, %context",
        "  br i1 %here, label %check, label %slow",
        "check:",
        *(call.guard or ("  br label %fast",)),
        "fast:",
        *call.before,
        f"  %result = call i32 @{call.entry}({', '.join(values)})",
        "  %fine = icmp eq i32 %result, 0",
        "  br i1 %fine, label %done, label %slow",
        "done:",
        *(
            ["  %count = atomicrmw add ptr @xgpu_cuda_launches, i64 1 monotonic"]
            if call.counts
            else []
        ),
        "  ret void",
        "slow:",
        f"  call void @xgpu_python.{name}({passed})",
        "  ret void",
        "}",
    ]
