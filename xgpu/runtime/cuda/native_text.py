# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of the functions in `native`, over the driver's `structures`."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from xgpu.core.support.abi import FUNCTIONS
from xgpu.runtime.cuda.graph_nodes import NodeRecord
from xgpu.runtime.cuda.several import lookup_text
from xgpu.runtime.cuda.structures import (
    CLUSTER_DIMENSION,
    CLUSTER_POLICY,
    CLUSTER_SPREAD,
    FillNode,
    KernelNode,
    LaunchAttribute,
    LaunchConfig,
    offset,
)
from xgpu.runtime.launch_limits import PORTABLE_CLUSTER

_MOST = 2**31 - 1  # of a size that the driver takes as 32 bits


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the ABI over the entry point `entry`.

    `arguments` are parameters of ours (by number, with a type where it is another), constants, or
    `type %value` of what `before` computes. `guard` branches to %fast where the driver can be
    called as things are, else to %slow; `counts` says that it is a launch. Where there are several
    devices, the parameters in `on_device` are what serves them on the chosen one, and `waited` is
    an event that any of them may have recorded.
    """

    entry: str
    arguments: tuple[str, ...]
    guard: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    counts: bool = False
    on_device: tuple[int, ...] = ()
    waited: int | None = None


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


def _field(name: str, base: str, at: int, type: str, value: str) -> tuple[str, ...]:
    return (
        f"  %{name} = getelementptr i8, ptr {base}, i64 {at}",
        f"  store {type} {value}, ptr %{name}",
    )


def _zeroed(name: str, bytes: int) -> tuple[str, str]:
    return (
        f"  %{name} = alloca [{bytes} x i8], align 8",
        f"  store [{bytes} x i8] zeroinitializer, ptr %{name}",
    )


# -- launches with clusters: sizes of clusters, and that they are to be spread
def _cluster() -> Call:
    second, value = ctypes.sizeof(LaunchAttribute), offset(LaunchAttribute, "value")
    lines = [
        *_zeroed("attributes", 2 * second),
        *_zeroed("config", ctypes.sizeof(LaunchConfig)),
        *_truncated(range(1, 10)),
        *_field("a.id", "%attributes", 0, "i32", str(CLUSTER_DIMENSION)),
    ]
    for i in range(3):
        lines += _field(f"a.{i}", "%attributes", value + 4 * i, "i32", f"%n{1 + i}")
    lines += _field("b.id", "%attributes", second, "i32", str(CLUSTER_POLICY))
    lines += _field("b.0", "%attributes", second + value, "i32", str(CLUSTER_SPREAD))
    for i in range(3):
        lines += _field(f"c.g{i}", "%config", offset(LaunchConfig, "grid", i), "i32", f"%n{4 + i}")
        lines += _field(f"c.b{i}", "%config", offset(LaunchConfig, "block", i), "i32", f"%n{7 + i}")
    for field, type, given in (
        ("shared", "i32", "%10"), ("stream", "ptr", "%11"), ("attributes", "ptr", "%attributes"),
        ("count", "i32", "2"),
    ):  # fmt: skip
        lines += _field(f"c.{field}", "%config", offset(LaunchConfig, field), type, given)
    guard = (
        *_narrow(range(1, 10)),
        "  %plane = mul i64 %1, %2",
        "  %blocks = mul i64 %plane, %3",
        f"  %portable = icmp ule i64 %blocks, {PORTABLE_CLUSTER}",
        "  %plain = and i1 %narrow, %portable",
        _if("%plain"),
    )
    arguments = ("ptr %config", "0", "12", "13")
    return Call(
        "cuLaunchKernelEx", arguments, guard, tuple(lines), counts=True, on_device=(0, 11)
    )  # fmt: skip


# -- nodes of executable graphs: what `graph_nodes.NodeRecord` holds, then the driver's structure
def _node_guard(words: tuple[str, ...], *conditions: str, same: str = "") -> tuple[str, ...]:
    """The executable graph %exec and the node %node, unless one has to be made anew; nothing is to
    do where `words` are what they were, and %same, which `same` computes where they are.
    """
    lines = [
        "  %exec = load ptr, ptr %0",
        "  %node = load ptr, ptr %1",
        "  %has.exec = icmp ne ptr %exec, null",
        "  %has.node = icmp ne ptr %node, null",
        "  %plain.0 = and i1 %has.exec, %has.node",
    ]
    for i, condition in enumerate(conditions, 1):
        lines.append(f"  %plain.{i} = and i1 %plain.{i - 1}, {condition}")
    lines += [
        f"  br i1 %plain.{len(conditions)}, label %compare, label %slow",
        "compare:",
        f"  %owner.at = getelementptr i8, ptr %1, i64 {offset(NodeRecord, 'executable')}",
        "  %owner = load ptr, ptr %owner.at",
        "  %equal.0 = icmp eq ptr %owner, %0",
        "  store ptr %0, ptr %owner.at",
    ]
    for i, value in enumerate(words):
        type, given = value.split(" ")
        at = offset(NodeRecord, "words") + 8 * i
        lines += [
            f"  %old.{i}.at = getelementptr i8, ptr %1, i64 {at}",
            f"  %old.{i} = load {type}, ptr %old.{i}.at",
            f"  %same.{i} = icmp eq {type} %old.{i}, {given}",
            f"  %equal.{i + 1} = and i1 %equal.{i}, %same.{i}",
        ]
    if not same:
        return (*lines, f"  br i1 %equal.{len(words)}, label %done, label %fast")
    return (
        *lines,
        f"  br i1 %equal.{len(words)}, label %look, label %fast",
        "look:",
        same,
    )


def _set_words(*values: str) -> list[str]:
    lines: list[str] = []
    for i, value in enumerate(values):
        lines += _field(f"word.{i}", "%1", offset(NodeRecord, "words") + 8 * i, *value.split(" "))
    return lines


def _set_kernel() -> Call:
    words = ("ptr %2", *(f"i64 %{i}" for i in range(3, 9)), "i64 %shared", "i64 %12")
    lines = [
        *_zeroed("params", ctypes.sizeof(KernelNode)),
        *_truncated(range(3, 9)),
        *_set_words(*words),
        f"  %r.array = getelementptr i8, ptr %1, i64 {offset(NodeRecord, 'parameters')}",
        "  %array = load ptr, ptr %r.array",
        "  br i1 %some, label %copy, label %fill",
        "copy:",
        "  %from = load ptr, ptr %10",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %storage, ptr %from, i64 %12, i1 false)",
        "  br label %fill",
        "fill:",
        *_field("p.function", "%params", offset(KernelNode, "function"), "ptr", "%2"),
    ]
    for i in range(3):
        lines += _field(f"p.g{i}", "%params", offset(KernelNode, "grid", i), "i32", f"%n{3 + i}")
        lines += _field(f"p.b{i}", "%params", offset(KernelNode, "block", i), "i32", f"%n{6 + i}")
    lines += _field("p.shared", "%params", offset(KernelNode, "shared"), "i32", "%9")
    lines += _field("p.array", "%params", offset(KernelNode, "parameters"), "ptr", "%array")
    # The program's array of parameters may not be read where there are none.
    same = "\n".join(
        [
            "  br i1 %some, label %bytes, label %done",
            "bytes:",
            "  %given = load ptr, ptr %10",
            "  %difference = call i32 @memcmp(ptr %storage, ptr %given, i64 %12)",
            "  %unchanged = icmp eq i32 %difference, 0",
            "  br i1 %unchanged, label %done, label %fast",
        ]
    )
    guard = (
        *_narrow(range(3, 9)),
        "  %shared = sext i32 %9 to i64",
        "  %some = icmp ne i64 %11, 0",
        f"  %r.storage = getelementptr i8, ptr %1, i64 {offset(NodeRecord, 'storage')}",
        "  %storage = load ptr, ptr %r.storage",
        *_node_guard(words, "%narrow", same=same),
    )
    arguments = ("ptr %exec", "ptr %node", "ptr %params")
    return Call("cuGraphExecKernelNodeSetParams", arguments, guard, tuple(lines), on_device=(0, 2))


def _set_fill() -> Call:
    words = ("ptr %2", "i64 %3", "i64 %width", "i64 %5")
    lines = [
        *_zeroed("params", ctypes.sizeof(FillNode)),
        *_set_words(*words),
        "  %bits = shl i64 %width, 3",
        "  %unused = sub i64 64, %bits",
        "  %mask = lshr i64 -1, %unused",
        "  %masked = and i64 %3, %mask",
        "  %word = trunc i64 %masked to i32",
    ]
    for field, type, given in (
        ("target", "ptr", "%2"), ("value", "i32", "%word"), ("size", "i32", "%4"),
        ("width", "i64", "%5"), ("height", "i64", "1"),
    ):  # fmt: skip
        lines += _field(f"p.{field}", "%params", offset(FillNode, field), type, given)
    guard = (
        "  %some = icmp ne i64 %5, 0",
        "  %small = icmp ule i32 %4, 4",
        "  %width = zext i32 %4 to i64",
        *_node_guard(words, "%some", "%small"),
    )
    arguments = ("ptr %exec", "ptr %node", "ptr %params", "ptr %context")
    return Call("cuGraphExecMemsetNodeSetParams", arguments, guard, tuple(lines), on_device=(0,))


def _wait(
    entry: str, query: str, on_device: tuple[int, ...] = (), waited: int | None = None
) -> Call:
    """What waits: not while it polls, where it may only find that all is over."""
    guard = (
        "  %polls = load i32, ptr @xgpu_cuda_polls",
        "  %waits = icmp eq i32 %polls, 0",
        "  br i1 %waits, label %fast, label %poll",
        "poll:",
        f"  %state = call i32 @{query}(ptr %0)",
        "  %over = icmp eq i32 %state, 0",
        "  br i1 %over, label %done, label %slow",
    )
    return Call(entry, ("0",), guard, on_device=on_device, waited=waited)


#: What they ask whether something is over.
QUERIES = ("cuStreamQuery", "cuEventQuery")

#: Function of the ABI -> how machine code does it.
CALLS: dict[str, Call] = {
    "mgpuLaunchKernel": Call(
        "cuLaunchKernel",
        ("0", *(f"i32 %n{i}" for i in range(1, 7)), "7", "8", "9", "10"),
        (*_narrow(range(1, 7)), _if("%narrow")),
        _truncated(range(1, 7)),
        counts=True,
        on_device=(0, 8),
    ),
    "mgpuLaunchClusterKernel": _cluster(),
    "mgpuStreamSynchronize": _wait("cuStreamSynchronize", "cuStreamQuery", on_device=(0,)),
    "mgpuStreamWaitEvent": Call("cuStreamWaitEvent", ("0", "1", "i32 0"), on_device=(0,), waited=1),
    "mgpuEventRecord": Call("cuEventRecord", ("0", "1"), on_device=(0, 1)),
    "mgpuEventSynchronize": _wait("cuEventSynchronize", "cuEventQuery", waited=0),
    "mgpuMemcpy": Call("cuMemcpyAsync", ("0", "1", "2", "3"), on_device=(3,)),
    "mgpuMemset8": Call("cuMemsetD8Async", ("0", "1", "2", "3"), on_device=(3,)),
    "mgpuMemset16": Call("cuMemsetD16Async", ("0", "1", "2", "3"), on_device=(3,)),
    "mgpuMemset32": Call("cuMemsetD32Async", ("0", "1", "2", "3"), on_device=(3,)),
    "mgpuGraphExecKernelSetParams": _set_kernel(),
    "mgpuGraphExecMemsetSetParams": _set_fill(),
    "mgpuGraphLaunch": Call(
        "cuGraphLaunch",
        ("ptr %exec", "1"),
        (
            "  store ptr %0, ptr @xgpu_cuda_graph",
            "  %exec = load ptr, ptr %0",
            "  %made = icmp ne ptr %exec, null",
            _if("%made"),
        ),
        on_device=(0, 1),
    ),
}


def library_text() -> str:
    """The functions as LLVM IR."""
    lines = [
        "@xgpu_cuda_context = external global ptr",
        "@xgpu_cuda_launches = external global i64",
        "@xgpu_cuda_graph = external global ptr",
        "@xgpu_cuda_polls = external global i32",
        "@xgpu_cuda_chosen = external global ptr",
        "@xgpu_cuda_events = external global ptr",
        lookup_text(),
        *(f"declare i32 @{query}(ptr)" for query in QUERIES),
        "declare i32 @cuCtxGetCurrent(ptr)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "declare i32 @memcmp(ptr, ptr, i64)",
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
        f"define internal i1 @xgpu_try.{name}({given}, ptr %context) alwaysinline {{",
        "begin:",
        "  %place = alloca ptr",
        "  store ptr null, ptr %place",
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
        "  ret i1 true",
        "slow:",
        "  ret i1 false",
        "}",
        f"define void @xgpu_fast.{name}({given}) {{",
        "begin:",
        "  %context = load ptr, ptr @xgpu_cuda_context",
        "  %none = icmp eq ptr %context, null",
        "  br i1 %none, label %several, label %one",
        "one:",
        f"  %a = call i1 @xgpu_try.{name}({given}, ptr %context)",
        "  br i1 %a, label %done, label %slow",
        *_on_the_chosen_device(name, call),
        "done:",
        "  ret void",
        "slow:",
        f"  call void @xgpu_python.{name}({passed})",
        "  ret void",
        "}",
    ]


def _on_the_chosen_device(name: str, call: Call) -> list[str]:
    """The blocks from %several: with what serves the parameters on the chosen device."""
    lines = [
        "several:",
        "  %table = load ptr, ptr @xgpu_cuda_chosen",
        "  %events = load ptr, ptr @xgpu_cuda_events",
        "  %alone = icmp eq ptr %table, null",
        "  br i1 %alone, label %slow, label %served",
        "served:",
    ]
    tables = dict.fromkeys(call.on_device, "%table")
    if call.waited is not None:
        tables[call.waited] = "%events"
    for i, table in tables.items():
        lines += [
            f"  %key.{i} = ptrtoint ptr %{i} to i64",
            f"  %value.{i} = call i64 @xgpu_cuda_found(ptr {table}, i64 %key.{i})",
            f"  %absent.{i} = icmp eq i64 %value.{i}, -1",
            f"  br i1 %absent.{i}, label %slow, label %served.{i}",
            f"served.{i}:",
            f"  %serving.{i} = inttoptr i64 %value.{i} to ptr",
        ]
    given = ", ".join(
        f"{type} %serving.{i}" if i in tables else f"{type} %{i}"
        for i, type in enumerate(FUNCTIONS[name].parameters)
    )
    return [
        *lines,
        "  %home = load ptr, ptr %table",
        f"  %b = call i1 @xgpu_try.{name}({given}, ptr %home)",
        "  br i1 %b, label %done, label %slow",
    ]
