# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder beside the cache with the libraries and what stands in for ptxas.

Its name depends on the sources of this package, so that a process which only needs the folder, as
`xgpu-cuda` does, imports none of the driver's functions and nothing that compiles kernels.
"""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from pathlib import Path

from xgpu.api.cuda_driver.native import Made, is_possible, place
from xgpu.core.ir.errors import UsageError
from xgpu.core.support.cache import checksum, folder
from xgpu.runtime.cuda.results import Result

NAME = "libcuda.so.1"
#: The functions' modules.
MODULES = (
    "contexts", "memory", "pools", "managed_memory", "virtual_memory", "copies", "arrays",
    "textures", "modules", "launches", "occupancy", "streams", "graph_functions", "graph_nodes",
    "captures", "user_objects", "green_contexts", "core_dumps",
)  # fmt: skip

#: What a program runs that wants machine code of PTX: the PTX in a container (`images`).
_PTXAS = """#!/bin/sh
input= output= before=
for word in "$@"; do
  case "$word" in
    --version)
      echo "ptxas of xgpu-cuda: PTX stays PTX"
      echo "Cuda compilation tools, release 13.0, V13.0.0"
      exit 0 ;;
    *.ptx) input=$word ;;
  esac
  [ "$before" = -o ] && output=$word
  before=$word
done
if [ -z "$input" ] || [ -z "$output" ]; then
  echo "ptxas of xgpu-cuda: expected FILE.ptx -o FILE" >&2
  exit 1
fi
size=$(wc -c < "$input" | tr -d ' ')
printf 'xgpu image 1\\n%s\\n' "$size" > "$output" && cat "$input" >> "$output"
"""


# -- the file


def library_folder() -> Path:
    """The folder with the library, made if need be. Raises `UsageError` where there cannot be
    one."""
    if not is_possible():
        raise UsageError("xgpu-cuda needs Linux on x86-64")
    base = folder()
    # Beside the cache, in which all is of one kind of file.
    root = (
        Path(f"{base}-driver") if base is not None else Path(tempfile.mkdtemp(prefix="xgpu-cuda-"))
    )
    inputs = repr((_sources(), place(), str(root)))
    made = root / f"{checksum(inputs.encode()).hex()[:20]}"
    path = made / NAME
    if not path.exists():
        try:
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
            _fill(made)
        except OSError as problem:
            raise UsageError(f"cannot write '{path}': {problem.strerror}") from None
    return made


def _sources() -> list[tuple[str, bytes]]:
    """What the libraries' bytes are made by: this package."""
    return sorted((path.name, path.read_bytes()) for path in Path(__file__).parent.glob("*.py"))


def _fill(made: Path) -> None:
    from xgpu.api.cuda_driver import nvrtc

    _write(made / "ptxas", _PTXAS.encode())
    (made / "ptxas").chmod(0o700)
    for library in (nvrtc.library(), driver_library()):  # the driver last, as it is looked for
        _write(made / library.name, library.content(str(made / library.name)))
    for name in nvrtc.OTHER_NAMES:
        _link(made / name, nvrtc.NAME)
    _link(made / "libcuda.so", NAME)


def _write(path: Path, data: bytes) -> None:
    """Another process may do the same at the same time."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_bytes(data)
    new.replace(path)


def _link(path: Path, name: str) -> None:
    """Another name for a library: two files would be two libraries to a process."""
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.symlink_to(name)
    new.replace(path)


# -- the functions


def load_functions() -> None:
    """Fill the table of `table.FUNCTIONS`."""
    for name in MODULES:
        import_module(f"xgpu.api.cuda_driver.{name}")


def symbols() -> list[str]:
    """What the library exports: each function by all its names."""
    from xgpu.api.cuda_driver.table import FUNCTIONS, PER_THREAD

    load_functions()
    found: list[str] = []
    for function in FUNCTIONS.values():
        for symbol in function.symbols:
            found.append(symbol)
            if function.has_stream_of_threads:
                found.append(symbol + PER_THREAD)
            elif function.name.startswith(("cuMemcpy", "cuMemset")):
                found.append(symbol + "_ptds")
    return found


def driver_library() -> Made:
    """`libcuda.so.1`."""
    from xgpu.api.cuda_driver.table import FUNCTIONS

    return Made(
        NAME, "CUDA driver", "connect", symbols(),
        max(len(function.parameters) for function in FUNCTIONS.values()),
        failed=Result.NOT_INITIALIZED, ended=Result.DEINITIALIZED, unknown=Result.UNKNOWN,
    )  # fmt: skip
