# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR of a launch of which all is in a record, in the record's context."""

from __future__ import annotations

from xgpu.runtime.cuda.structures import DirectRecord, offset

#: The function of `direct_text`.
DIRECT_LAUNCH = "xgpu_direct.launch"
#: What `in_context` calls.
CONTEXT_ENTRIES = ("cuCtxGetCurrent", "cuCtxPushCurrent", "cuCtxPopCurrent")


def in_context(name: str, inner: str) -> str:
    """The function `name` of a record that begins with a `DirectRecord`, as LLVM IR: `inner` in the
    context that the record says, and the caller's again after it; -1 where there is none.
    """
    return "\n".join(
        [
            "declare i32 @cuCtxGetCurrent(ptr)",
            "declare i32 @cuCtxPushCurrent(ptr)",
            "declare i32 @cuCtxPopCurrent(ptr)",
            f"define i32 @{name}(ptr %0) {{",
            "  %place = alloca ptr",
            "  store ptr null, ptr %place",
            *_loaded("cell", "context", "ptr"),
            "  %context = load ptr, ptr %cell",
            "  %none = icmp eq ptr %context, null",
            "  br i1 %none, label %slow, label %enter",
            "enter:",
            "  %asked = call i32 @cuCtxGetCurrent(ptr %place)",
            "  %current = load ptr, ptr %place",
            "  %here = icmp eq ptr %current, %context",
            "  br i1 %here, label %fast, label %push",
            "fast:",
            f"  %a = call i32 @{inner}(ptr %0)",
            "  ret i32 %a",
            "push:",
            "  %pushed = call i32 @cuCtxPushCurrent(ptr %context)",
            "  %entered = icmp eq i32 %pushed, 0",
            "  br i1 %entered, label %elsewhere, label %slow",
            "elsewhere:",
            f"  %b = call i32 @{inner}(ptr %0)",
            "  %popped = call i32 @cuCtxPopCurrent(ptr %place)",
            "  %left = icmp eq i32 %popped, 0",
            "  br i1 %left, label %done, label %again",
            "again:",  # what was done is done: this is no error, as in `CudaDevice._come_back`
            "  %last = call i32 @cuCtxPopCurrent(ptr %place)",
            "  br label %done",
            "done:",
            "  ret i32 %b",
            "slow:",
            "  ret i32 -1",
            "}\n",
        ]
    )


def direct_text() -> str:
    """A launch of which all is in a `DirectRecord`, as LLVM IR: the driver's result, or -1 where
    Python has to make it.
    """
    inner = "xgpu_direct.launch_here"
    lines = [
        in_context(DIRECT_LAUNCH, inner),
        f"declare i32 @cuLaunchKernel(ptr{', i32' * 7}, ptr, ptr, ptr)",
        "declare i32 @cuLaunchKernelEx(ptr, ptr, ptr, ptr)",
        f"define internal i32 @{inner}(ptr %0) {{",
    ]
    for field in ("function", "parameters", "stream", "config"):
        lines += _loaded(field, field, "ptr")
    lines += [
        "  %plain = icmp eq ptr %config, null",
        "  br i1 %plain, label %launch, label %cluster",
        "launch:",
    ]
    sizes = [*(("grid", i) for i in range(3)), *(("block", i) for i in range(3)), ("shared", 0)]
    for at, (field, i) in enumerate(sizes):
        lines += _loaded(f"n{at}", field, "i32", i)
    given = ", ".join(f"i32 %n{at}" for at in range(len(sizes)))
    return "\n".join(
        [
            *lines,
            f"  %a = call i32 @cuLaunchKernel(ptr %function, {given}, ptr %stream, "
            "ptr %parameters, ptr null)",
            "  ret i32 %a",
            "cluster:",
            "  %b = call i32 @cuLaunchKernelEx(ptr %config, ptr %function, ptr %parameters, "
            "ptr null)",
            "  ret i32 %b",
            "}\n",
        ]
    )


def _loaded(name: str, field: str, type: str, at: int = 0) -> tuple[str, ...]:
    return (
        f"  %{name}.at = getelementptr i8, ptr %0, i64 {offset(DirectRecord, field, at)}",
        f"  %{name} = load {type}, ptr %{name}.at",
    )
