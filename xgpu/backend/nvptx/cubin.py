# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX to machine code for a GPU: nvJitLink in this process, else the `ptxas` program.

Neither comes with xgpu. Without one, PTX goes to the driver, which has an assembler of its own.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import Diagnostic, DiagnosticError

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr


# -- PTX of one module for several chips, for programs whose devices differ.
#
# `MAGIC`, the length of a table, the table (JSON: chips and bytes), and the texts one after the
# other.


MAGIC = b"xgpu-chips-1\0"
_LENGTH_BYTES = 4


def bundle(codes: Mapping[str, bytes]) -> bytes:
    """The image of a module from its PTX for each chip."""
    table = json.dumps([[chip, len(code)] for chip, code in codes.items()]).encode()
    return b"".join((MAGIC, len(table).to_bytes(_LENGTH_BYTES, "little"), table, *codes.values()))


def is_bundle(image: bytes) -> bool:
    return image.startswith(MAGIC)


def codes_of(image: bytes) -> dict[str, bytes]:
    """What `bundle` was given."""
    begin = len(MAGIC) + _LENGTH_BYTES
    length = int.from_bytes(image[len(MAGIC) : begin], "little")
    at = begin + length
    found: dict[str, bytes] = {}
    for chip, size in json.loads(image[begin:at]):
        found[chip] = image[at : at + size]
        at += size
    return found


#: The PTX version (times ten) of each CUDA release, ptxas's and nvJitLink's.
_PTX_OF_CUDA = {
    **{(11, n): 70 + n for n in range(9)},
    **{(12, n): 80 + n for n in range(6)},
    **{(12, 6): 85, (12, 7): 86, (12, 8): 87, (12, 9): 88, (13, 0): 90, (13, 1): 91},
}

NO_ASSEMBLER = (
    "there is no assembler for PTX: install nvJitLink with `pip install nvidia-nvjitlink`, or "
    "ptxas with a CUDA toolkit or `pip install nvidia-cuda-nvcc`, or use format=isa, which "
    "leaves it to the driver"
)


def find_tool(name: str, toolkit: str = "") -> str | None:
    """The path of a program of the CUDA toolkit: in `toolkit`, on PATH, under CUDA_HOME, then in
    NVIDIA's wheels, which put it where no PATH leads."""
    if toolkit:
        path = Path(toolkit, "bin", name)
        if os.access(path, os.X_OK):
            return str(path)
    if (found := shutil.which(name)) is not None:
        return found
    for variable in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"):
        path = Path(os.environ.get(variable, "/usr/local/cuda"), "bin", name)
        if os.access(path, os.X_OK):
            return str(path)
    return _in_wheels(name)


def _in_wheels(name: str) -> str | None:
    """A program of a wheel such as nvidia-cuda-nvcc: nvidia/cu13/bin, or nvidia/cuda_nvcc/bin of
    older ones, in any folder that Python imports from."""
    from importlib.util import find_spec

    spec = find_spec("nvidia")
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob(f"*/bin/{name}"), reverse=True):
            if os.access(path, os.X_OK):
                return str(path)
    return None


@functools.cache
def nvjitlink() -> ModuleType | None:
    """cuda.bindings.nvjitlink if the library is there, else None."""
    try:
        from cuda.bindings import nvjitlink as library  # pyright: ignore

        library.version()  # pyright: ignore[reportUnknownMemberType]
    except Exception:  # no bindings, or no library behind them: both mean that there is none
        return None
    return library  # pyright: ignore[reportUnknownVariableType]


@functools.cache
def assembler_ptx_version() -> int | None:
    """The newest PTX version (times ten) that the installed assembler reads; None without one."""
    from xgpu.backend.nvptx.needs import PTX_VERSIONS

    release: tuple[int, int] | None = None
    if (library := nvjitlink()) is not None:
        release = tuple(library.version())  # pyright: ignore
    elif (ptxas := find_tool("ptxas")) is not None:
        try:
            said = subprocess.run([ptxas, "--version"], capture_output=True, text=True, timeout=60)
        except OSError:
            return None
        words = said.stdout.partition("release ")[2].partition(",")[0].split(".")
        if len(words) == 2 and all(w.isdigit() for w in words):
            release = (int(words[0]), int(words[1]))
    if release is None:
        return None
    if release > max(_PTX_OF_CUDA):
        return max(PTX_VERSIONS)
    return min(_PTX_OF_CUDA.get(release, 70), max(PTX_VERSIONS))


def assemble(
    ptx: str,
    *,
    chip: str,
    opt_level: int = 2,
    options: Sequence[str] = (),
    toolkit: str = "",
    location: LocationAttr | None = None,
) -> bytes:
    """The cubin of PTX text.

    `options` go to the assembler as ptxas spells them. With `toolkit` its ptxas is taken.

    Errors: `DiagnosticError` at `location`, with the assembler's own words.
    """
    if not toolkit and (library := nvjitlink()) is not None:
        return _link(library, ptx, chip, opt_level, options, location)
    ptxas = find_tool("ptxas", toolkit)
    if ptxas is None:
        raise DiagnosticError(Diagnostic("error", NO_ASSEMBLER, location))
    with tempfile.TemporaryDirectory(prefix="xgpu-") as folder:
        source, target = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        source.write_text(ptx)
        level = ["--opt-level", str(opt_level)]
        command = [ptxas, "-arch", chip, str(source), "-o", str(target), *level, *options]
        _run("ptxas", command, folder, location)
        return target.read_bytes()


def _run(name: str, command: Sequence[str], folder: str, location: LocationAttr | None) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as reason:
        raise DiagnosticError(
            Diagnostic("error", f"`{name}` invocation failed: {reason}", location)
        ) from None
    if done.returncode:
        log = (done.stderr + done.stdout).replace(folder + os.sep, "").strip()
        raise DiagnosticError(
            Diagnostic("error", f"`{name}` invocation failed. Log:\n{log}", location)
        )


def _link(
    library: ModuleType,
    ptx: str,
    chip: str,
    opt_level: int,
    options: Sequence[str],
    location: LocationAttr | None,
) -> bytes:
    """Assembles with nvJitLink, which takes ptxas's options as `-Xptxas=<option>`; of levels it
    knows 0 and 3 itself.
    """
    level = f"-O{opt_level}" if opt_level in (0, 3) else f"-Xptxas=-O{opt_level}"
    flags = [f"-arch={chip}", level, *(f"-Xptxas={o}" for o in options)]
    try:
        handle = library.create(len(flags), flags)
    except Exception as reason:  # before there is a handle there is no log
        raise DiagnosticError(
            Diagnostic("error", f"nvJitLink refuses {' '.join(flags)}: {reason}", location)
        ) from None
    try:
        data = ptx.encode()
        library.add_data(handle, library.InputType.PTX, data, len(data), "kernels.ptx")
        library.complete(handle)
        image = bytearray(library.get_linked_cubin_size(handle))
        library.get_linked_cubin(handle, image)
    except Exception as reason:
        log = bytearray(library.get_error_log_size(handle))
        if log:
            library.get_error_log(handle, log)
        words = bytes(log).rstrip(b"\0").decode(errors="replace").strip() or str(reason)
        raise DiagnosticError(
            Diagnostic("error", f"nvJitLink failed. Log:\n{words}", location)
        ) from None
    finally:
        library.destroy(handle)
    return bytes(image)


def fatbinary(
    cubin: bytes,
    ptx: str,
    *,
    chip: str,
    toolkit: str = "",
    location: LocationAttr | None = None,
) -> bytes:
    """Cubin and PTX of one chip in one file, for the driver to choose from.

    Errors: `DiagnosticError` at `location` if there is no `fatbinary` program, or with its words.
    """
    number = chip.removeprefix("sm_").removeprefix("compute_")
    tool = find_tool("fatbinary", toolkit)
    if tool is None:
        raise DiagnosticError(
            Diagnostic(
                "error",
                "there is no `fatbinary` program: install a CUDA toolkit or `pip install "
                "nvidia-cuda-nvcc`, or use format=bin or format=isa",
                location,
            )
        )
    with tempfile.TemporaryDirectory(prefix="xgpu-") as folder:
        elf, text, target = (Path(folder, f"kernels.{e}") for e in ("cubin", "ptx", "fatbin"))
        elf.write_bytes(cubin)
        text.write_text(ptx)
        command = [tool, "-64", f"--image3=kind=elf,sm={number},file={elf}"]
        command += [f"--image3=kind=ptx,sm={number},file={text}", "--create", str(target)]
        _run("fatbinary", command, folder, location)
        return target.read_bytes()
