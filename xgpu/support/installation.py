# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tells one installation of xgpu, xDSL and llvmlite from another, without importing them."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from xgpu.version import MLIR_VERSION, __version__


@cache
def installation() -> str:
    """Versions, where xDSL and llvmlite are and when they came there; of a checkout of xgpu when a
    source was changed last. Part of the key of whatever is kept on disk and depends on them."""
    found: list[object] = [__version__, MLIR_VERSION]
    for name in ("xdsl", "llvmlite"):
        spec = find_spec(name)
        origin = spec.origin if spec is not None else None
        found += [origin, os.stat(origin).st_mtime_ns if origin else 0]
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    installed = os.path.basename(os.path.dirname(root)) == "site-packages"
    found.append(os.stat(root).st_mtime_ns if installed else _newest(root))
    return repr(found)


def _newest(root: str) -> int:
    newest = 0
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    newest = max(newest, entry.stat().st_mtime_ns)
                elif "." not in entry.name and entry.name != "__pycache__":
                    folders.append(entry.path)
    return newest
