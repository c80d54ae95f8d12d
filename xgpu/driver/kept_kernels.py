# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code that `xgpu.compile` made before, by the program's content, the options and what is
installed here that had a hand in it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
from collections.abc import Sequence

from xgpu.core.support import cache
from xgpu.core.support.toolchain import toolchain

_KIND = "compiled"
_TOOLKITS = ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")


def key_of(source: str, name: str, options: Sequence[object]) -> str:
    """What the outcome of a compilation depends on. `name` is in the code's lines."""
    return json.dumps([toolchain(), _tools(), options, name, source])


def _tools() -> list[object]:
    """What tells assemblers and libdevice from others, without looking for them: where a toolkit is
    said to be, ptxas, and when packages came to this Python."""
    folders = [os.environ.get(variable) for variable in _TOOLKITS]
    packages = [path for path in sys.path if path.endswith("-packages")]
    files = [shutil.which("ptxas"), "/usr/local/cuda", *folders, *packages]
    return [[path, _changed(path)] for path in files if path]


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def find(key: str) -> dict[str, bytes] | None:
    """The code of each kernel module, by name, as it was kept."""
    data = cache.get(_KIND, key)
    if data is None:
        return None
    return {name: base64.b64decode(code) for name, code in json.loads(data).items()}


def keep(key: str, kernels: dict[str, bytes]) -> None:
    code = {name: base64.b64encode(data).decode() for name, data in kernels.items()}
    cache.put(_KIND, key, json.dumps(code).encode("utf-8", "surrogateescape"))
