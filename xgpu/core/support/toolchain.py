# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which xgpu, xDSL and llvmlite are installed: a part of the key of what they made."""

from __future__ import annotations

import os
import sys
from functools import cache


@cache
def toolchain() -> tuple[object, ...]:
    """What tells one installation of xgpu, xDSL and llvmlite from another, without importing them:
    where they are, and when they came there."""
    found: list[object] = []
    for name in ("xdsl", "llvmlite"):
        origin = _origin(name)
        found.append([origin, os.stat(origin).st_mtime_ns if origin else 0])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    installed = os.path.basename(os.path.dirname(root)) == "site-packages"
    return (*found, os.stat(root).st_mtime_ns if installed else _newest(root))


def _origin(name: str) -> str | None:
    """The file that a package begins with."""
    for folder in sys.path:
        path = os.path.join(folder, name, "__init__.py")
        if os.path.isfile(path):
            return path
    from importlib.util import find_spec

    spec = find_spec(name)
    return spec.origin if spec is not None else None


def _newest(root: str) -> int:
    """When a source of a checkout was changed last: there is no version that says so."""
    newest = 0
    folders = [root]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    newest = max(newest, entry.stat().st_mtime_ns)
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return newest
