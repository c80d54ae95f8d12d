# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compute-sanitizer over the examples on an NVIDIA GPU."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.support import processes

pytestmark = [pytest.mark.gpu, pytest.mark.long]
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("tool", ["memcheck", "racecheck", "synccheck", "initcheck"])
@pytest.mark.parametrize("name", ["two_matmuls", "vector_add", "reduce", "pipelines"])
def test_an_example(name: str, tool: str) -> None:
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer is None:
        pytest.skip("needs compute-sanitizer")
    runner = [sys.executable, "-m", "xgpu.tools.xgpu_runner", "--device=cuda"]
    command = [sanitizer, f"--tool={tool}", "--error-exitcode=9", *runner]
    done = processes.run(
        [*command, str(EXAMPLES / f"{name}.mlir")], capture_output=True, text=True,
        check=False, memory=64 << 30,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
