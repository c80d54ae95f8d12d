# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all programs include, `<cuda_runtime.h>`, as clang has it in memory after reading.

Clang takes most of a small program's time for the headers that stand before it. A file with its
state after these, which is cached, takes a quarter of that:
https://clang.llvm.org/docs/PCHInternals.html

A state holds for one clang and one set of options. So it is made only where no option of a caller
can have a say in what the headers are; all others read the headers.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from xgpu.core.support.cache import CUDA_HEADERS

HEADER = "cuda_runtime.h"
#: Options that change nothing of where headers are found or what they say to a program, except that
#: the state is another for each set of them.
_COMMON = re.compile(
    r"-std=.*|--cuda-gpu-arch=.*|-ffp-contract=.*|-DXGPU_WHOLE_PROGRAM=1|-Wno-register|-w|-O[0-3]"
)
#: Where clang also looks for headers.
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")


def state(command: Sequence[str], options: Sequence[str], folder: str, room: str) -> str | None:
    """The path of a file in `room` with the state after the header, for `command`, which is clang
    with what all callers give it; None where clang has to read the header. `options` are those of
    the caller, and `folder` is where the program is."""
    if not all(map(_COMMON.fullmatch, options)) or any(map(os.environ.get, _VARIABLES)):
        return None
    # Clang looks there first.
    if any(os.path.exists(os.path.join(place, HEADER)) for place in (folder, os.curdir)):
        return None
    clang = command[0]
    key = CUDA_HEADERS.key(clang=[clang, changed(clang)], options=[*command[1:], *options])
    stored = CUDA_HEADERS.get(key)
    path = os.path.join(room, "headers.pch")
    if stored is not None:
        files, _, content = stored.partition(b"\0")
        if all(changed(file) == time for file, time in json.loads(files).items()):
            Path(path).write_bytes(content)
            return path
    return path if _make([*command, *options], path, key) else None


def _make(command: Sequence[str], path: str, key: str) -> bool:
    """Write the state, and keep it; whether clang could."""
    listing = f"{path}.files"
    output = ["-Xclang", "-emit-pch", "-MD", "-MF", listing, "-o", path]
    done = subprocess.run(
        [*command, "-include", HEADER, *output, "-"],
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode or done.stderr:
        return False
    rule = Path(listing).read_text(encoding="utf-8", errors="surrogateescape")
    times = {file: changed(file) for file in files_of_rule(rule)}
    said = json.dumps(times).encode("utf-8", "surrogateescape")
    CUDA_HEADERS.put(key, said + b"\0" + Path(path).read_bytes())
    return True


# -- which files clang has read, and whether they are as they were


def changed(path: str) -> list[int] | None:
    """What tells a file from what it was before."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size]


def files_of_rule(rule: str) -> list[str]:
    """The files that a rule of make names behind its target."""
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.partition(": ")[2].replace("\\\n", " "))
    paths = [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]
    return [path for path in paths if path != "-" and not path.startswith("<")]
