# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --schedules=N`: the program under other legal orders."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.tools.process import say

if TYPE_CHECKING:
    from ctypes import CDLL

    from xdsl.dialects.builtin import ModuleOp

    from xgpu.host_device.device.operations import Operation
    from xgpu.runtime.session import Session
    from xgpu.tools.runner_arguments import Arguments

_SHOWN = 4  # pairs of operations that changed places


def explore(
    arguments: Arguments, source: str | ModuleOp, name: str, libraries: list[CDLL], session: Session
) -> int:
    """Run, print what the natural order gives, and compare others with it; the exit code."""
    from xgpu.driver.schedules import Explorer

    explorer = Explorer(
        source, filename=name, opt_level=arguments.opt_level, libraries=libraries,
        entry=arguments.entry, result=arguments.result, orders=arguments.orders,
    )  # fmt: skip
    explorer.captured = captured
    try:
        found = explorer.explore(
            arguments.entry, schedules=arguments.schedules or 0, seed=arguments.seed
        )
    finally:
        explorer.close()
    natural = found.natural
    session.output(natural.output)
    if natural.value is not None:
        v = natural.value
        session.output(f"{v:e}\n" if isinstance(v, float) else f"{v}\n")
    sys.stdout.flush()
    if arguments.report:
        say(natural.session.report())
    if found.seed is None:
        if natural.error is not None:
            raise DeviceError(natural.error)
        orders = f"{found.runs} other {'order' if found.runs == 1 else 'orders'} of operations"
        if found.runs == 0:
            text = "nothing that the program does could come in another order"
        elif found.runs < (arguments.schedules or 0):
            text = (
                f"{orders} of the program's operations, and no other shows more: the same outcome"
            )
        else:
            text = f"{orders}: the same outcome"
        say(f"xgpu-runner: {text}\n")
        return 0
    kind = " --orders=tokens" if arguments.orders == "tokens" else ""
    say(
        f"xgpu-runner: error: the outcome depends on the order of operations: order {found.runs} "
        f"of {arguments.schedules} differs (--schedules=1 --seed={found.seed}{kind} replays it)\n"
        f"{found.difference}\n"
    )
    for first, second in found.swapped[:_SHOWN]:
        say(f"there, {_named(first)} ran before {_named(second)}\n")
    if not found.swapped:
        say(
            "no two operations that touch the same memory changed places: what the host does, or "
            "what kernels print, is not ordered\n"
        )
    return 1


def _named(operation: Operation) -> str:
    return f"{operation.name} ({operation.location})" if operation.location else operation.name


def captured(call: Callable[[], None]) -> str:
    """Call, and give what C code prints to standard output meanwhile."""
    import ctypes

    from xgpu.runtime.program_threads import run_in_thread

    flush = ctypes.CDLL(None).fflush
    sys.stdout.flush()
    flush(None)
    with tempfile.TemporaryFile() as file:
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            run_in_thread(call, lambda _: None)
        finally:
            flush(None)
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode(errors="surrogateescape")
