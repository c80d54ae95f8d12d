# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose threads wait: every thread a switched-resume coroutine of LLVM's.

    call void @xgpu.wait.barrier(ptr %xgpu.t, i32 0, ...)
becomes
    %go = call i1 @xgpu_barrier(ptr %xgpu.t, i32 0, ...)
    br i1 %go, label %after, label %suspend
  suspend:
    %r = call i8 @llvm.coro.suspend(token none, i1 false)
    switch i8 %r, label %xgpu.return [i8 0, label %after i8 1, label %xgpu.cleanup]
  after:

so that a thread that finds everybody else there does not suspend at all. The frame (what lives
across a suspension) comes from `xgpu_frame`, and is never destroyed: the scheduler reuses the
memory for the next block. https://llvm.org/docs/Coroutines.html, "switched-resume lowering".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from xgpu.backend.host.calls import WAIT_PREFIX
from xgpu.backend.host.context import THREAD, FunctionContext
from xgpu.backend.host.function import EXIT
from xgpu.backend.host.text import Function

_WAIT = f"call void @{WAIT_PREFIX}"
_INCOMING = re.compile(r'%(?:"[^"]*"|[\w.$-]+)(?= \])')

DECLARATIONS = {
    "llvm.coro.id": "declare token @llvm.coro.id(i32, ptr, ptr, ptr)",
    "llvm.coro.size.i64": "declare i64 @llvm.coro.size.i64()",
    "llvm.coro.begin": "declare ptr @llvm.coro.begin(token, ptr)",
    "llvm.coro.suspend": "declare i8 @llvm.coro.suspend(token, i1)",
    "llvm.coro.end": "declare void @llvm.coro.end(ptr, i1, token)",
    "xgpu_frame": "declare ptr @xgpu_frame(ptr, i64)",
}

# What stands for one line: lines that end the block, and blocks of their own.
Expansion = tuple[list[str], list[tuple[str, list[str]]]]


def split_blocks(
    function: Function,
    expand: Callable[[str, str, int], Expansion | None],
    stem: str = "xgpu.after",
) -> None:
    """Cut blocks at the lines that `expand(line, label of the rest, number)` has an expansion for.

    The rest of a block gets a label that begins with `stem`, and a number.

    Phis name the block that a value comes from, which is now the last part of the former block.
    """
    last: dict[str, str] = {}
    blocks: list[tuple[str, list[str]]] = []
    number = 0
    for label, lines in function.blocks:
        current: list[str] = []
        blocks.append((label, current))
        name = label
        for line in lines:
            rest = f"{stem}.{number}"
            expansion = expand(line, rest, number)
            if expansion is None:
                current.append(line)
                continue
            number += 1
            ending, extra = expansion
            current += ending
            blocks += extra
            current = []
            blocks.append((rest, current))
            name = rest
        if name != label:
            last[f"%{label}"] = f"%{name}"
    function.blocks = blocks
    if last:
        for _, lines in blocks:
            for i, line in enumerate(lines):
                if " = phi " in line:
                    lines[i] = _INCOMING.sub(lambda m: last.get(m[0], m[0]), line)


def expand_exits(function: Function, end: str) -> None:
    """Make `xgpu.exit` a branch to block `end`. The impossible edge keeps the rest's values
    defined.
    """

    def expand(line: str, rest: str, number: int) -> Expansion | None:
        if line != EXIT:
            return None
        return [f"br i1 true, label %{end}, label %{rest}"], []

    split_blocks(function, expand, "xgpu.alive")


_TARGET = re.compile(r'label %("[^"]*"|[\w.$-]+)')


def take_turns_at_loops(function: Function) -> None:
    """Let the threads go round each loop together. The warps of a warpgroup run nearly in step, and
    kernels around wgmma (MLIR's own among them) rely on it where they should have a barrier."""
    seen: set[str] = set()
    heads: set[str] = set()
    for label, lines in function.blocks:
        seen.add(label)
        heads.update(t for t in _TARGET.findall(lines[-1] if lines else "") if t in seen)
    for label, lines in function.blocks:
        if label in heads:
            first = next((i for i, line in enumerate(lines) if " = phi " not in line), 0)
            lines.insert(first, f"{_WAIT}yield(ptr {THREAD}, i32 0)")


def make_coroutine(function: Function, ctx: FunctionContext) -> None:
    """Turn a kernel with waits (result void) into a coroutine that returns its handle."""

    def expand(line: str, rest: str, number: int) -> Expansion | None:
        if _WAIT not in line:
            return None
        call = line[line.index(_WAIT) + len(_WAIT) :]
        suspend = f"xgpu.suspend.{number}"
        return (
            [
                f"%xgpu.go.{number} = call i1 @xgpu_{call}",
                f"br i1 %xgpu.go.{number}, label %{rest}, label %{suspend}",
            ],
            [(suspend, _suspension(f"%xgpu.resume.{number}", False, rest))],
        )

    split_blocks(function, expand)
    expand_exits(function, "xgpu.end")
    for _, lines in function.blocks:
        if lines and lines[-1] == "ret void":
            lines[-1] = "br label %xgpu.end"
    first = function.blocks[0][0]
    prologue = [
        "%xgpu.id = call token @llvm.coro.id(i32 64, ptr null, ptr null, ptr null)",
        "%xgpu.size = call i64 @llvm.coro.size.i64()",
        f"%xgpu.memory = call ptr @xgpu_frame(ptr {THREAD}, i64 %xgpu.size)",
        "%xgpu.handle = call ptr @llvm.coro.begin(token %xgpu.id, ptr %xgpu.memory)",
        *ctx.register_loads(),
        *ctx.entry,
    ]
    function.blocks = [
        ("xgpu.entry", prologue),
        *function.blocks,
        ("xgpu.end", _suspension("%xgpu.final", True, "xgpu.never")),
        ("xgpu.never", ["unreachable"]),
        ("xgpu.cleanup", ["br label %xgpu.return"]),
        (
            "xgpu.return",
            [
                "call void @llvm.coro.end(ptr %xgpu.handle, i1 false, token none)",
                "ret ptr %xgpu.handle",
            ],
        ),
    ]
    prologue.append(f"br label %{first}")
    function.result = "ptr"
    ctx.module.declarations.update(DECLARATIONS)


def _suspension(result: str, final: bool, resumed: str) -> list[str]:
    flag = "true" if final else "false"
    return [
        f"{result} = call i8 @llvm.coro.suspend(token none, i1 {flag})",
        f"switch i8 {result}, label %xgpu.return "
        f"[ i8 0, label %{resumed} i8 1, label %xgpu.cleanup ]",
    ]
