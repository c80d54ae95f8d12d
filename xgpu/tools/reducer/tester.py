# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who says whether a program is interesting.

As with mlir-reduce, that is a program of the user: it is given the arguments that `test-arg` names
and then the path of a file, and what it ends with other than 0 is interesting.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence

from xgpu.core.ir.errors import UsageError


class ScriptTester:
    """Runs a test for each text, each in a file of its own that is gone afterwards."""

    def __init__(self, script: str, arguments: Sequence[str] = ()) -> None:
        # A name without a folder is a file here, as for mlir-reduce, or a command.
        self.command = os.path.abspath(script) if os.path.exists(script) else script
        self.arguments = tuple(arguments)
        self.runs = 0

    def __call__(self, text: str) -> bool:
        """Whether the test finds `text` interesting. Raises UsageError where it cannot be run."""
        self.runs += 1
        handle, path = tempfile.mkstemp(".mlir", "xgpu-reduce-")
        try:
            with open(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            return self._run(path) != 0
        finally:
            os.unlink(path)

    def _run(self, path: str) -> int:
        try:
            code = subprocess.call(
                [self.command, *self.arguments, path], stdin=subprocess.DEVNULL, stdout=2
            )
        except OSError as problem:
            raise UsageError(
                f"cannot run the test '{self.command}': {problem.strerror or problem}"
            ) from None
        if code < 0:
            name = signal.Signals(-code).name
            raise UsageError(f"the test '{self.command}' was ended by {name}")
        return code
