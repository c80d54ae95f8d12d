# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What may be given to `compile` and `run`: each mistake is reported before any work is done."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import ProgramError, UsageError, error
from xgpu.core.ir.suggestions import nearest
from xgpu.core.support import files
from xgpu.core.support.files import BYTECODE, kind_of, may_be_other

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp, StringAttr
    from xdsl.ir import Operation

    from xgpu.frontend.cuda import CudaOptions

#: What `compile` makes, and what that is.
FORMATS = {
    "isa": "PTX",
    "bin": "a cubin",
    "fatbin": "a fat binary",
    "offloading": "bitcode",
    "host": "code for the host device",
}
_CUDA = re.compile(r"cuda(?::([0-9]+))?")
#: Kinds of results of an entry point: LLVM's type, and the letter that the module `struct` has.
RESULT_TYPES = {
    "i1": ("i1", "?"), "i8": ("i8", "b"), "i16": ("i16", "h"), "i32": ("i32", "i"),
    "i64": ("i64", "q"), "f16": ("half", "e"), "f32": ("float", "f"), "f64": ("double", "d"),
}  # fmt: skip
RESULTS = ("auto", "void", *RESULT_TYPES)
ORDERS = ("streams", "tokens")
OPT_LEVELS = (0, 1, 2, 3)

#: So many characters of a text tell its language.
_SEEN = 1 << 16
#: First bytes of MLIR's bytecode and of LLVM's bitcode.
_BINARY = (BYTECODE, b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_CUDA_SUFFIXES = (".cu", ".cuh")
#: How `files` names CUDA C++, and what a text in it is called that has no name.
CUDA_CPP = "CUDA C++"
CUDA_TEXT = "<cuda>"
#: How names of files end that need not be there for a text to be one.
_SUFFIXES = (".mlir", ".mlirbc", ".ll", ".bc", ".ptx", ".cu")

_CHIP = re.compile(r"sm_[0-9]+[af]?")
_FUNCTIONS = frozenset(("func.func", "llvm.func"))
#: Lowering makes these of functions that ask for it.
_INTERFACE = "_mlir_ciface_"


def check_choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raises `UsageError` unless `value` is one of those that are `allowed`."""
    known = list(allowed)
    if value not in known or isinstance(value, bool):
        raise UsageError(f"{name} is {value!r}, expected one of {', '.join(map(repr, known))}")


def device_name(device: object) -> str:
    """What a caller calls a device: `auto`, `host`, or `cuda:N`. Raises `UsageError` for any other
    name.
    """
    if device in ("auto", "host"):
        return str(device)
    match = _CUDA.fullmatch(device) if isinstance(device, str) else None
    if match is None:
        raise UsageError(f"device is {device!r}, expected 'auto', 'host', 'cuda' or 'cuda:N'")
    return f"cuda:{int(match[1] or 0)}"


def check_format(format: object) -> None:
    """Raises `UsageError` unless `compile` makes such a thing."""
    if format not in FORMATS:
        listed = ", ".join(f"'{name}' ({what})" for name, what in FORMATS.items())
        raise UsageError(f"format is {format!r}, expected one of {listed}")


def check_chip(chip: object) -> None:
    """Raises `UsageError` for what is no name of a chip, such as `90` or `sm90`."""
    if not isinstance(chip, str) or _CHIP.fullmatch(chip) is None:
        raise UsageError(f"chip is {chip!r}, expected a name like 'sm_80' or 'sm_90a'")


def source_of(source: object, filename: str) -> tuple[str | ModuleOp, str]:
    """A program as text or module, and what its diagnostics call it; a file is read, and CUDA C++
    becomes LLVM IR. Raises `UsageError` for anything else, and for what cannot be read."""
    text, name = text_of(source, filename)
    if isinstance(text, str) and is_cuda(text, name):
        return translated(text, name)
    return text, name


def text_of(source: object, filename: str) -> tuple[str | ModuleOp, str]:
    """Likewise; CUDA C++ stays as it is.

    A program is MLIR's text or bytecode, or in a language that `xgpu.frontend` knows;
    bytecode and bitcode become a text in which surrogates stand for bytes. A file is an
    `os.PathLike`, or a text that can be no program: one line that ends as the names of such files
    do, or that names a file.
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_file_name(source)):
        path = Path(source)
        try:
            data = path.read_bytes()
        except OSError as problem:
            raise UsageError(f"cannot read '{path}': {problem.strerror}") from None
        other = _other_kind(data)
        is_known = _language(data) or str(path).endswith(_CUDA_SUFFIXES)
        if other is not None and not is_known:
            raise UsageError(f"cannot read '{path}': it is {other}")
        text = data.decode("utf-8", "surrogateescape")
        return text, str(path) if filename == "-" else filename
    if isinstance(source, (bytes, bytearray)):
        if source.startswith(_BINARY):
            return bytes(source).decode("utf-8", "surrogateescape"), filename
        what = _other_kind(bytes(source)) or "no text: decode it first"
        raise UsageError(f"source is {type(source).__name__}, {what}")
    if isinstance(source, str):
        begin = source[:_SEEN].encode("utf-8", "surrogateescape")
        other = _other_kind(begin)
        if other is not None and not _language(begin):
            raise UsageError(f"the source is {other}")
        if filename == "-":
            from xgpu.core.support.literals import remember  # tools give names

            remember(source)
        return source, filename
    from xdsl.dialects.builtin import ModuleOp  # not for a text: what is cached needs no xDSL

    if isinstance(source, ModuleOp):
        return source, filename
    kind = type(source).__name__
    raise UsageError(f"source is {kind}, expected the program's text, a module or a path")


def is_cuda(text: str, name: str) -> bool:
    """Whether a program is CUDA C++, by its file's name or by what it says."""
    return name.endswith(_CUDA_SUFFIXES) or language_of(text) == CUDA_CPP


def translated(text: str, name: str, options: CudaOptions | None = None) -> tuple[str, str]:
    """LLVM IR of a program in CUDA C++, and what diagnostics about that call it."""
    from xgpu.frontend.cuda import llvm_ir_of

    name = CUDA_TEXT if name == "-" else name
    return llvm_ir_of(text, name, options), f"{name}.ll"


def _other_kind(data: bytes) -> str | None:
    """What a program is that is not MLIR; None of one that is."""
    return kind_of(data) if may_be_other(data) else None


#: Languages that the name of a file decides.
_OF_SUFFIX = {".ptx": "PTX", ".ll": "LLVM IR"}


def language_of(text: str, name: str = "") -> str:
    """The language of a program that `xgpu.frontend` has a reader for; empty of all
    others, MLIR's text first of all. The `name` of a file may decide it."""
    for suffix, language in _OF_SUFFIX.items():
        if name.endswith(suffix):
            return language
    data = text[:_SEEN].encode("utf-8", "surrogateescape")
    return _language(data) if may_be_other(data) else ""


def _language(data: bytes) -> str:
    from xgpu.frontend import READERS

    found = files.language_of(data)
    return found if found in READERS or found == CUDA_CPP else ""


def _is_file_name(text: str) -> bool:
    if not text or len(text) > 4096 or "\n" in text or "\0" in text:
        return False
    return text.endswith(_SUFFIXES) or os.path.exists(text)


def check_entry(module: Operation, entry: str) -> None:
    """That `module` has a function `entry` that can be called without arguments.

    Raises `ProgramError` if there is none, `DiagnosticError` at one that cannot be called.
    """
    functions = {
        cast("StringAttr", name).data: op
        for op in module.regions[0].block.ops
        if op.name in _FUNCTIONS and (name := op.properties.get("sym_name")) is not None
    }
    op = functions.get(entry)
    if op is None and entry.startswith(_INTERFACE):
        op = functions.get(entry.removeprefix(_INTERFACE))
    if op is None:
        raise ProgramError(f"entry point '{entry}' not found{_others(entry, functions)}")
    if not op.regions[0].blocks:
        raise error(op, f"entry point '{entry}' is declared, but not defined")
    if op.regions[0].blocks[0].args:
        raise error(op, f"entry point '{entry}' must take no arguments")


def is_library(module: Operation, entry: str) -> bool:
    """Whether `module` is for others to call: it has functions, of which none is `entry` and none
    could be called without arguments."""
    functions = [op for op in module.regions[0].block.ops if op.name in _FUNCTIONS]
    defined = [op for op in functions if op.regions[0].blocks]
    return bool(defined) and not any(
        op.properties["sym_name"].data == entry or not op.regions[0].blocks[0].args  # type: ignore[attr-defined]
        for op in defined
    )


def _others(entry: str, functions: dict[str, Operation]) -> str:
    defined = [name for name, op in functions.items() if op.regions[0].blocks]
    near = nearest(entry, defined)
    if near is not None:
        return f", did you mean '{near}'?"
    if not defined:
        return ": the program defines no function"
    listed = ", ".join(f"'{name}'" for name in defined[:8])
    return f": the program defines {listed}{', ...' if len(defined) > 8 else ''}"
