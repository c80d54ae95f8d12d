# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether this process is a tool's own, or somebody's who uses xgpu in it.

A tool may end its process and say its last words there; a library may not.
"""

from __future__ import annotations

_tool: str | None = None


def own_process(tool: str) -> None:
    """A tool says that the process is its own."""
    global _tool
    _tool = tool


def owner() -> str | None:
    """The name of the tool whose process this is; None in somebody else's."""
    return _tool
