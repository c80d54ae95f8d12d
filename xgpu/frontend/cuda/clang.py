# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clang as the front end of CUDA C++: which one, how it is called, and what it says.

The program goes to clang's standard input behind a line marker with its name, so that diagnostics
and debug locations name the file as the caller does, and instantiations of templates can follow.
Nothing of the host's half is compiled; it only has to be valid.

What clang made is kept on disk with the files that it read and their times: a program whose files
are as they were needs no clang. A new file that a search would find before one of these goes
unnoticed, as with ccache. What all programs include is read once (`precompiled`).
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, UsageError
from xgpu.core.ir.source import Source
from xgpu.core.support.cache import CUDA_SOURCE
from xgpu.frontend.cuda import precompiled
from xgpu.frontend.cuda.precompiled import changed, files_of_rule

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr

#: The versions of clang that are looked for, the newest first.
VERSIONS = range(22, 16, -1)
#: What is compiled for where no chip is named: the newest that all these versions know.
CHIP = "sm_90"

#: What programs include in place of NVIDIA's headers.
HEADERS = Path(__file__).parent / "include"
_STANDARDS = ("c++14", "c++17", "c++20", "c++23")
_MISSING = (
    "CUDA C++ is read by clang, and none was found on PATH: expected clang-22 to clang-17, or a "
    "clang of these versions (apt-get install clang-19, dnf install clang, brew install llvm, "
    "conda install -c conda-forge clang)"
)
_FLAGS = (
    "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-S", "-emit-llvm", "-o", "-",
    "-fdeclspec", "-fno-discard-value-names", "-gline-tables-only", "-fno-color-diagnostics",
    "-fno-caret-diagnostics", "-fno-diagnostics-show-option", "-Wno-unknown-cuda-version",
    "-Wno-unused-command-line-argument",
    # Else a file beside the working directory is named from the folder that both are in.
    "-fdebug-compilation-dir=.",
)  # fmt: skip
#: What clang says of `<<<>>>` in a kernel, without and with -fgpu-rdc: no option would help.
_SAID_OF_NESTED_LAUNCH = re.compile(
    r"kernel launch from __device__ or __global__ function requires|"
    r"use of undeclared identifier '?cuda(?:LaunchDevice|GetParameterBuffer)"
)
_NESTED_LAUNCH = "kernels that kernels launch (dynamic parallelism) are not supported"
#: What the address of a kernel or variable is kept in, so that its name can be read.
_ADDRESS = "xgpu_address_"
_NAME_OF_ADDRESS = re.compile(
    rb"^@" + _ADDRESS.encode() + rb"(\d+) = [^\n]*? ptr (?:addrspacecast \(ptr addrspace\(\d\) )?"
    rb'@("[^"]*"|[\w$.]+)[^\n]*\n', re.M,
)  # fmt: skip
#: What headers of NVIDIA belong to, by their beginnings, where they are not there.
_LIBRARIES = {
    "curand": "this part of cuRAND", "cublas": "cuBLAS", "cusparse": "cuSPARSE", "cufft": "cuFFT",
    "cusolver": "cuSOLVER", "cudnn": "cuDNN", "nccl": "NCCL", "npp": "NPP",
    "cutlass": "CUTLASS", "cute": "CuTe", "thrust": "this part of Thrust",
    "cub": "this part of CUB", "nvml": "NVML", "mma": "the functions of tensor cores",
    "cuda/std": "this part of libcu++", "cuda/": "this part of libcu++", "nvtx": "NVTX",
    "nvToolsExt": "NVTX", "cuda_fp4": "numbers of 4 bits", "cuda_fp6": "numbers of 6 bits",
}  # fmt: skip
_SOURCES_OF_LIBRARIES = ("thrust", "cub", "cutlass", "cute", "cuda/std", "cuda/", "nvtx")
_SAID = re.compile(r"(.+?):(\d+):(\d+): (fatal error|error|warning|note): (.*)")


class CudaWords(TypedDict, total=False):
    """The arguments of `CudaOptions`, as a dictionary."""

    include: Sequence[str | os.PathLike[str]]
    define: Mapping[str, object] | Sequence[str]
    std: str
    instantiate: Sequence[str]
    optimize: int
    arguments: Sequence[str]
    chip: str | None
    contract: bool


class CudaOptions:
    """How CUDA C++ is read. `include` are folders, `define` macros by name (a value of None or ""
    for none), `std` the standard, `instantiate` kernels made of templates, such as "k<float, 4>";
    `arguments` more of clang's. `optimize` is LLVM's level: 0 for the program as it is written, 1
    (the default) without what moves or merges accesses of memory, so that the sanitizer sees them
    where they stand, 2 and 3 for all of it. `contract` lets a product and a sum become one fma.
    `addresses` are constant expressions of addresses of kernels and variables, whose names in the
    LLVM IR are wanted; `everywhere` has functions without a qualifier run on the device too, and
    `static_by_name` lets programs find and write static variables by their plain names.
    Raises `UsageError` for what is none of these.
    """

    __slots__ = (
        "addresses", "arguments", "chip", "contract", "define", "everywhere", "include",
        "instantiate", "optimize", "static_by_name", "std",
    )  # fmt: skip

    def __init__(
        self, *, include: Sequence[str | os.PathLike[str]] = (),
        define: Mapping[str, object] | Sequence[str] = (), std: str = "c++17",
        instantiate: Sequence[str] = (), optimize: int = 1, arguments: Sequence[str] = (),
        chip: str | None = None, contract: bool = False, addresses: Sequence[str] = (),
        everywhere: bool = False, static_by_name: bool = False,
    ) -> None:  # fmt: skip
        self.addresses, self.everywhere = list(addresses), everywhere
        self.static_by_name = static_by_name
        self.include = [str(folder) for folder in _listed("include", include)]
        pairs = define.items() if isinstance(define, Mapping) else _pairs(define)
        self.define = [name if value in (None, "") else f"{name}={value}" for name, value in pairs]
        self.instantiate = [str(name) for name in _listed("instantiate", instantiate)]
        self.arguments = [str(word) for word in _listed("clang_options", arguments)]
        if std.replace("gnu", "c") not in _STANDARDS:
            raise UsageError(f"std is {std!r}, expected one of {', '.join(_STANDARDS)}")
        if optimize not in (0, 1, 2, 3) or str(optimize) not in "0123":  # True is 1, and no level
            raise UsageError(f"optimize is {optimize!r}, expected 0, 1, 2 or 3")
        self.std = std
        self.optimize = optimize
        self.chip = chip or CHIP
        self.contract = contract

    def changed(
        self, *, instantiate: Sequence[str] = (), chip: str | None = None, contract: bool = False
    ) -> CudaOptions:
        """Others, with more instantiations, and what a caller says of chip and contraction."""
        made = copy.copy(self)
        made.instantiate = [*self.instantiate, *map(str, _listed("instantiate", instantiate))]
        made.chip = chip or self.chip
        made.contract = contract or self.contract
        return made

    def words(self) -> list[str]:
        """The arguments of clang for them."""
        return [
            f"-std={self.std}", f"--cuda-gpu-arch={self.chip}",
            f"-ffp-contract={'fast' if self.contract else 'off'}",
            *(f"-I{folder}" for folder in self.include), *(f"-D{macro}" for macro in self.define),
            *self.arguments,
        ]  # fmt: skip

    def key(self) -> list[object]:
        """What tells them from others."""
        return [
            self.words(), self.instantiate, self.optimize, self.addresses, self.everywhere,
            self.static_by_name,
        ]  # fmt: skip


class Reading(NamedTuple):
    """What was read: LLVM IR, the files besides the program's own, the names for
    `CudaOptions.addresses` in their order, and the warnings."""

    ir: str
    files: list[str]
    names: list[str]
    warnings: list[Diagnostic]


def _listed(name: str, values: Sequence[str | os.PathLike[str]]) -> Sequence[object]:
    if isinstance(values, (str, bytes, os.PathLike)):
        raise UsageError(f"{name} is {values!r}, expected a list of texts")
    return values


def _pairs(define: Sequence[str]) -> list[tuple[str, str]]:
    """Macros given as on a command line: `N=4`, `NDEBUG`."""
    parted = (str(macro).partition("=") for macro in _listed("define", define))
    return [(name, value) for name, _, value in parted]


def llvm_ir_of(text: str, name: str, options: CudaOptions | None = None) -> str:
    """LLVM IR of the kernels of a program in CUDA C++; `name` is its file, or what messages call
    the text. Raises `DiagnosticError` with what clang says, `UsageError` where there is none."""
    return llvm_ir_and_files(text, name, options)[0]


def llvm_ir_and_files(
    text: str, name: str, options: CudaOptions | None = None
) -> tuple[str, list[str]]:
    """The same, and the files that were read besides the program's own."""
    found = read(text, name, options or CudaOptions())
    tell(found.warnings)
    return found.ir, found.files


def tell(warnings: Sequence[Diagnostic]) -> None:
    """Emit warnings."""
    if warnings:
        from xgpu.core.syntax.diagnostics import emit

        for warning in warnings:
            emit(warning)


def read(text: str, name: str, options: CudaOptions) -> Reading:
    """The same, with all that was found; warnings are not emitted."""
    clang = find_clang()
    key = CUDA_SOURCE.key(
        clang=[clang, changed(clang)], options=options.key(), folder=os.getcwd(), filename=name,
        source=text,
    )  # fmt: skip
    stored = CUDA_SOURCE.get(key)
    if stored is not None:
        found = json.loads(stored)
        if all(changed(path) == time for path, time in found["files"].items()):
            said = diagnostics_of(found["said"], Source(text, name), 0)
            return Reading(found["ir"], list(found["files"]), found["names"], said)
    from xgpu.frontend.llvm_ir.source import normal_form

    made = compiled(clang, text, name, options)
    ir = normal_form(made.ir, name, optimize=options.optimize)
    # A file that is younger than what was read of it may be another by now.
    times = {path: changed(path) for path in made.files}
    entry = {"files": times, "ir": ir, "names": made.names, "said": made.said}
    CUDA_SOURCE.put(key, json.dumps(entry).encode("utf-8", "surrogateescape"))
    return Reading(ir, made.files, made.names, made.warnings)


def find_clang() -> str:
    """The path of clang. Raises `UsageError` where there is none of a version that will do."""
    for version in VERSIONS:
        found = shutil.which(f"clang-{version}")
        if found is not None:
            return found
    found = shutil.which("clang")
    if found is None:
        raise UsageError(_MISSING)
    # This one has no version in its name.
    said = _version(found, *(changed(found) or ()))
    version = re.search(r"version (\d+)", said)
    if version is None or int(version[1]) < VERSIONS[-1] or "Apple" in said:
        raise UsageError(f"{_MISSING}; {found} is {said or 'of an unknown version'}")
    return found


@cache
def _version(clang: str, *_: int) -> str:
    """What clang says of itself, once for a file."""
    done = subprocess.run([clang, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.split("\n", 1)[0]


class Compiled(NamedTuple):
    """LLVM IR of the kernels as clang makes it, the files that it has read, names as in `Reading`,
    what it has said, and the warnings in that."""

    ir: bytes
    files: list[str]
    names: list[str]
    said: str
    warnings: list[Diagnostic]


def compiled(clang: str, text: str, name: str, options: CudaOptions) -> Compiled:
    """What clang makes of a program. Raises `DiagnosticError` with what it says."""
    marked = ["#pragma clang force_cuda_host_device begin"] if options.everywhere else []
    marked += [f"# 1 {_quoted(name)}", text, '# 1 "<instantiate>"']
    # A kernel keeps its type: the declaration names no parameters, so none has to be known.
    marked += [f"template __global__ decltype({k}) {k};" for k in options.instantiate]
    marked += ['# 1 "<name expressions>"'] if options.addresses else []
    marked += [
        f'extern "C" __device__ auto *{_ADDRESS}{number} = ({expression});'
        for number, expression in enumerate(options.addresses)
    ]
    if options.everywhere:
        marked.append("#pragma clang force_cuda_host_device end")
    source = "\n".join([*marked, ""])
    folder = os.path.dirname(name) or "."
    # Without -funroll-loops -O1 says of each loop that LLVM is not to unroll it.
    level = ["-O0"] if options.optimize == 0 else ["-O1", "-funroll-loops"]
    kept = ("-Xclang", "-disable-O0-optnone" if options.optimize == 0 else "-disable-llvm-passes")
    with tempfile.TemporaryDirectory() as room:
        listing = os.path.join(room, "files")
        command = [clang, *_FLAGS, *level, *kept, f"-isystem{HEADERS}"]
        state = precompiled.state(command, options.words(), folder, room)
        rest = [f"-iquote{folder}", *options.words(), "-MD", "-MF", listing, "-"]
        given = source.encode("utf-8", "surrogateescape")

        def ran(*begin: str) -> subprocess.CompletedProcess[bytes]:
            words = [*command, *begin, *rest]
            return subprocess.run(words, input=given, capture_output=True, check=False)

        done = None if state is None else ran("-include-pch", state)
        # What it refuses behind the state it refuses once more, in words that do not name that.
        if done is None or done.returncode:
            done = ran("-include", precompiled.HEADER)
        words = done.stderr.decode("utf-8", "replace")
        said = diagnostics_of(words, Source(text, name), done.returncode)
        if done.returncode:
            raise DiagnosticError(*said)
        with open(listing, encoding="utf-8", errors="surrogateescape") as opened:
            files = files_of_rule(opened.read())
    ir = _with_launch_attributes(done.stdout)
    ir = _without_static_names(ir) if options.static_by_name else ir
    found = {int(n): name.decode().strip('"') for n, name in _NAME_OF_ADDRESS.findall(ir)}
    for number, expression in enumerate(options.addresses):
        if number not in found:
            message = f"'{expression}' is not the address of a kernel or a variable"
            place = _place(Source("", name), "<name expressions>", number + 1, 1)
            raise DiagnosticError(Diagnostic("error", message, place))
    names = [found[number] for number in range(len(options.addresses))]
    return Compiled(_NAME_OF_ADDRESS.sub(b"", ir) if names else ir, files, names, words, said)


#: Annotations of functions (xgpu/types.h): names, numbers, and which function has which of them.
_NAME = rb'@((?:"[^"]*")|[\w$.]+)'
_ANNOTATION = re.compile(
    rb"^" + _NAME + rb' = [^\n]*constant \[\d+ x i8\] c"(nvvm\.\w+)\\00", section "llvm\.metadata"'
    rb"[^\n]*\n", re.M,
)  # fmt: skip
_NUMBERS = re.compile(
    rb"^" + _NAME + rb" = [^\n]*constant \{ i32[^\n}]*\} \{([^\n}]*)\}, "
    rb'section "llvm\.metadata"[^\n]*\n', re.M,
)  # fmt: skip
_ANNOTATED = re.compile(
    rb"\{ ptr " + _NAME + rb", ptr " + _NAME + rb", ptr [^,]*, i32 \d+, ptr " + _NAME + rb" \}"
)
_ANNOTATIONS = re.compile(rb"^@llvm\.global\.annotations = [^\n]*\n", re.M)
_OF_ANNOTATIONS = re.compile(rb'^@\.\w+ = private [^\n]*section "llvm\.metadata"[^\n]*\n', re.M)
_DEFINITION = re.compile(rb"^(define [^\n@]*" + _NAME + rb"\([^\n]*?)(#\d+ )", re.M)


def _with_launch_attributes(ir: bytes) -> bytes:
    """LLVM IR in which attributes of functions are what annotations say."""
    listed = _ANNOTATIONS.search(ir)
    if listed is None:
        return ir
    names = dict(_ANNOTATION.findall(ir))
    numbers = {
        name: b",".join(word.split()[-1] for word in text.split(b","))
        for name, text in _NUMBERS.findall(ir)
    }
    attributes: dict[bytes, bytes] = {}
    for function, name, given in _ANNOTATED.findall(listed[0]):
        if name in names and given in numbers:
            said = b'"%b"="%b" ' % (names[name], numbers[given])
            attributes[function] = attributes.get(function, b"") + said
    ir = _OF_ANNOTATIONS.sub(b"", _ANNOTATIONS.sub(b"", ir))
    return _DEFINITION.sub(lambda m: m[1] + attributes.get(m[2], b"") + m[3], ir)


#: A static variable at file scope: its mangled name, the name, and what follows.
_STATIC = re.compile(
    rb"^@(_ZL\d+((?!xgpu)[A-Za-z_]\w*)) = internal (addrspace\([14]\) )(?=global|constant)", re.M
)


def _without_static_names(ir: bytes) -> bytes:
    """LLVM IR whose static variables are global ones with their plain names. Names that are taken
    stay."""
    names = {
        mangled: name for mangled, name, _ in _STATIC.findall(ir)
        if mangled == b"_ZL%d%b" % (len(name), name) and b"@%b = " % name not in ir
    }  # fmt: skip
    ir = _STATIC.sub(
        lambda m: b"@%b = dso_local %bexternally_initialized " % (m[1], m[3])
        if m[1] in names else m[0], ir,
    )  # fmt: skip
    return re.sub(rb"@(_ZL\w+)", lambda m: b"@" + names.get(m[1], m[1]), ir) if names else ir


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def diagnostics_of(said: str, source: Source, code: int) -> list[Diagnostic]:
    """What clang has said before it ended with a code, notes in what they belong to. There is an
    error among them unless the code is 0."""
    found: list[Diagnostic] = []
    for line in said.splitlines():
        match = _SAID.fullmatch(line)
        if match is None:
            _, is_error, message = line.partition("clang: error: ")
            if is_error:
                found.append(Diagnostic("error", message, _place(source, source.filename)))
            continue
        place = _place(source, match[1], int(match[2]), int(match[3]))
        kind = "error" if match[4] == "fatal error" else match[4]
        made = Diagnostic(kind, _explained(match[5]), place)
        notes = found[-1].notes if kind == "note" and found else found
        notes.append(made)
    if code and not any(d.severity == "error" for d in found):
        last = said.strip().rpartition("\n")[2] or f"it ended with {code}"
        found.append(Diagnostic("error", f"clang: {last}", _place(source, source.filename)))
    return found


def _explained(message: str) -> str:
    """What clang says, with what xgpu does not have."""
    if _SAID_OF_NESTED_LAUNCH.match(message):
        return _NESTED_LAUNCH
    match = re.fullmatch(r"'(.+)' file not found", message)
    name = match[1] if match is not None else ""
    for start, library in _LIBRARIES.items():
        if name.startswith(start):
            remedy = "; with its sources, name their folder (-I, `include` of CudaOptions)"
            return (
                f"{message}: xgpu does not have {library}"
                f"{remedy if start in _SOURCES_OF_LIBRARIES else ''}"
            )
    return message


def _place(source: Source, file: str, line: int = 0, column: int = 0) -> LocationAttr:
    """A place in a file; in the program itself one that knows its text."""
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    from xgpu.core.ir.locations import SourceLoc

    starts = source.line_starts
    if file == source.filename and 0 < line <= len(starts):
        return SourceLoc(source, starts[line - 1] + column - 1)
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
