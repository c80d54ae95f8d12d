# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What native code tells of kernels, passed on to the launch and its device."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator

from xgpu.host_device.compiler.structs import ctypes_struct
from xgpu.host_device.device import reports
from xgpu.host_device.device.launch import Launch, launch_of
from xgpu.host_device.native.library import Handlers


class KernelHandlers(Handlers):
    """The handlers of a process in which kernels run."""

    def stuck(self, worker: int) -> None:
        record: int = ctypes_struct("Worker").from_address(worker).launch
        launch = launch_of(record)
        if launch is not None:
            sanitizer = launch.kernel.module.sanitizer
            if sanitizer is not None:
                with _failing(launch):
                    sanitizer.stuck(worker)
            launch.fail(reports.describe_deadlock(worker))

    def misuse(self, thread: int, kind: int) -> None:
        launch = _launch_of_thread(thread)
        if launch is not None:
            sanitizer = launch.kernel.module.sanitizer
            if sanitizer is not None:
                with _failing(launch):
                    sanitizer.misuse(thread, kind)
            launch.fail(reports.describe_misuse(thread, kind))

    def notice(self, thread: int, kind: int, amount: int) -> None:
        launch = _launch_of_thread(thread)
        if launch is not None:
            sanitizer = launch.kernel.module.sanitizer
            if sanitizer is not None:
                with _failing(launch):
                    if sanitizer.notice(thread, kind, amount):
                        return
            launch.warn(reports.describe_notice(kind, amount))

    def assertion(self, thread: int, message: int, file: int, line: int, function: int) -> None:
        text = reports.describe_assertion(thread, message, file, line, function)
        launch = _launch_of_thread(thread)
        if launch is not None:
            launch.kernel.module.device.flush_printed()
        print(text, file=sys.stderr, flush=True)
        if launch is not None:
            launch.fail(f"device-side assert triggered: {text}")

    def printf(self, thread: int, format: int, arguments: int) -> int:
        text, count = reports.format_printf(format, arguments)
        launch = _launch_of_thread(thread)
        if launch is not None:
            launch.kernel.module.device.printed.add(launch, text)
        return count


@contextlib.contextmanager
def _failing(launch: Launch) -> Generator[None]:
    """Let a launch fail for what goes wrong in the sanitizer: native code cannot pass it on, and a
    program without findings would look correct."""
    try:
        yield
    except Exception as problem:
        launch.fail(f"internal error in the sanitizer: {problem!r}")


def _launch_of_thread(thread: int) -> Launch | None:
    """The running launch that a thread's record belongs to."""
    block: int = ctypes_struct("Thread").from_address(thread).block
    return launch_of(ctypes_struct("Block").from_address(block).launch)
