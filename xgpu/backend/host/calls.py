# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the device's runtime in a kernel: those that make a thread wait, and plain ones."""

from __future__ import annotations

from xgpu.backend.host.context import THREAD, FunctionContext

WAIT_PREFIX = "xgpu.wait."


def wait(ctx: FunctionContext, function: str, *arguments: str) -> str:
    """A suspension point: wait until native `xgpu_<function>` has let the thread go on."""
    types = ["ptr", *(a.rsplit(" ", 1)[0] for a in arguments)]
    callee = ctx.module.declare("void", WAIT_PREFIX + function, *types)
    return f"call void {callee}({', '.join([f'ptr {THREAD}', *arguments])})"


def native(
    ctx: FunctionContext, result: str | None, type: str, function: str, *arguments: str
) -> str:
    """A call of native `xgpu_<function>` that does not wait."""
    callee = ctx.module.declare(type, f"xgpu_{function}", *(a.rsplit(" ", 1)[0] for a in arguments))
    prefix = f"{result} = " if result else ""
    return f"{prefix}call {type} {callee}({', '.join(arguments)})"


def typed(argument: tuple[str, str]) -> str:
    return f"{argument[0]} {argument[1]}"


def copy_of(result: str | None, type: str, value: str) -> list[str]:
    """`result` as another name of `value`."""
    return [f"{result} = bitcast {type} {value} to {type}"] if result else []
