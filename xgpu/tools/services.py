# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tools ask of a higher package. See `xgpu/core/ir/services.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xgpu.core.ir.services import Service

if TYPE_CHECKING:
    from xgpu.tools.runner_arguments import Arguments

#: `xgpu-cuda`: the folder with the CUDA driver's library. Raises `UsageError` where there cannot be
#: one.
driver_folder: Service[Callable[[], Path]] = Service("driver_folder")
#: `xgpu-cuda main.cu`: the command that compiles and runs a program: sources, options of clang, the
#: program's arguments.
program_command: Service[Callable[[Sequence[str], Sequence[str], Sequence[str]], list[str]]] = (
    Service("program_command")
)
#: `xgpu-runner --kernel`: launch one kernel as the command line says; the exit code.
launch_kernel: Service[Callable[[Arguments], int]] = Service("launch_kernel")
