# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs in CUDA C++ as shared objects: clang compiles host and device.

    image = program_image(["main.cu", "other.cpp"], ProgramOptions(["-O2", "-DN=4"]))

Each source becomes an object. What is CUDA C++ (`.cu`; all with `-x cu`) is read twice. The first
reading gives LLVM IR of its kernels (`clang.llvm_ir_of`). The second embeds that in the object, and
clang's code for the host hands it to CUDA's runtime. That runtime is ours: headers in `include`,
sources in `runtime`, over the functions of `libcuda.so.1`.

With nvcc's `-rdc=true` or `-dc`, kernels may use functions and variables of other sources. The LLVM
IR of all sources is linked, every object embeds the whole, and the first to register loads it.

The result exports `main`. It goes to the cache with the times of all files that were read; so does
the runtime.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.ir.source import Source
from xgpu.core.support.cache import CUDA_PROGRAM
from xgpu.core.support.files import CUDA_SUFFIXES
from xgpu.frontend.cuda import clang as front_end
from xgpu.frontend.cuda import precompiled
from xgpu.frontend.cuda.clang import HEADERS, CudaOptions

_RUNTIME = Path(__file__).parent / "runtime"
_RUNTIME_NAME = "libxgpu_cudart.so"
_WHOLE = "-DXGPU_WHOLE_PROGRAM=1"
_COMMON = ("-fPIC", "-fdeclspec", "-Wno-unknown-cuda-version",
           "-Wno-unused-command-line-argument", "-Wno-register", _WHOLE)  # fmt: skip
#: So that the sanitizer can tell where memory comes from.
_LINES = ("-gline-tables-only",)
#: Programs compare their results with numbers that overflow (cuda-samples' simpleOccupancy). Under
#: nvcc another compiler has the host's code, which makes less of that than clang.
_WRAPS = "-fwrapv"
_PLAIN = ("-fno-color-diagnostics", "-fno-caret-diagnostics", "-fno-diagnostics-show-option")
_CUDA = ("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
         "--no-offload-new-driver")  # fmt: skip
_LINK = ("-shared", "-fPIC", "-Wl,-Bsymbolic", "-Wl,-z,defs")
_STANDARD = "-std=c++17"
#: Of compiler and linker.
_OPENMP = "-fopenmp"
#: Options of nvcc: what clang calls them, or nothing.
_NVCC = {"--use_fast_math": ["-ffast-math"], "-use_fast_math": ["-ffast-math"],
         "-x=cu": ["-x", "cu"], "--x=cu": ["-x", "cu"]}  # fmt: skip
_WITHOUT_MEANING = (
    "--expt-", "-expt-", "--extended-lambda", "-extended-lambda", "-lineinfo",
    "--generate-line-info", "-G", "-arch=",
    "--gpu-architecture", "-gencode=", "--generate-code", "-maxrregcount", "--maxrregcount",
    "-Xptxas=", "--ptxas-options",
    "-ccbin=", "-cudart", "--cudart", "-lcuda", "-lcudart", "-lcudadevrt", "-lnvrtc", "-lcurand",
)  # fmt: skip
#: Of nvcc and of clang: kernels are linked across sources, or not.
_RELOCATABLE = {
    "-rdc=true": True, "--relocatable-device-code=true": True, "-dc": True, "--device-c": True,
    "-fgpu-rdc": True, "-rdc=false": False, "--relocatable-device-code=false": False,
    "-fno-gpu-rdc": False,
}  # fmt: skip
_WITH_ITS_VALUE = ("-Xptxas", "-arch", "-gencode", "-ccbin")


class ProgramOptions:
    """How a program is compiled: `words` are clang's (`-I -D -O -std` ..), some of nvcc's among
    them; `chip` is what its kernels are compiled for, `is_relocatable` whether kernels are linked
    across sources."""

    __slots__ = ("chip", "is_relocatable", "link", "words")

    def __init__(self, words: Sequence[str] = (), chip: str | None = None) -> None:
        said = [_RELOCATABLE[word] for word in words if word in _RELOCATABLE]
        self.is_relocatable = bool(said) and said[-1]
        known = clang_words(words)
        self.words = [word for word in known if word == _OPENMP or not _is_for_linker(word)]
        self.link = [word for word in known if _is_for_linker(word)]
        self.chip = chip or front_end.CHIP

    @property
    def is_all_cuda(self) -> bool:
        """Whether sources of any name are CUDA C++ (nvcc's `-x cu`)."""
        return any(
            self.words[i : i + 2] in (["-x", "cu"], ["-x", "cuda"]) for i in range(len(self.words))
        )

    def for_source(self) -> list[str]:
        """The words for one source, without its language."""
        words = list(self.words)
        for language in (["-x", "cu"], ["-x", "cuda"]):
            while any(words[i : i + 2] == language for i in range(len(words))):
                at = next(i for i in range(len(words)) if words[i : i + 2] == language)
                del words[at : at + 2]
        return words

    def for_device(self) -> CudaOptions:
        """How the kernels are compiled: at level 1, which keeps accesses where they stand, unless
        a level is named."""
        words = self.for_source()
        levels = [word[2:] for word in words if re.fullmatch(r"-O[0-3]", word)]
        arguments = [_WHOLE, "-Wno-register", *_quiet(words), *words]
        return CudaOptions(
            arguments=arguments, optimize=int(levels[-1]) if levels else 1, chip=self.chip
        )

    def for_host(self) -> tuple[list[str], list[str]]:
        """What the host's code is compiled with: our words, and behind them the caller's."""
        words = self.for_source()
        level = [] if any(word.startswith("-O") for word in words) else ["-O2"]
        return [*level, _WRAPS, *_LINES, *_COMMON, f"-isystem{HEADERS}", "-w"], words


def clang_words(words: Sequence[str]) -> list[str]:
    """Options of clang and nvcc as clang takes them."""
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "-Xcompiler" and rest:
            found += rest.pop(0).split(",")
        elif word.startswith(("-Xcompiler=", "--compiler-options=")):
            found += word.partition("=")[2].split(",")
        elif word in _WITH_ITS_VALUE and rest:
            rest.pop(0)
        elif word in ("--default-stream=per-thread", "-default-stream=per-thread"):
            found.append("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")
        elif word not in _RELOCATABLE and not word.startswith(_WITHOUT_MEANING):
            found += _NVCC.get(word, [word])
    return found


def _is_for_linker(word: str) -> bool:
    return word.startswith(("-l", "-L", "-Wl,")) or word == _OPENMP


def _quiet(words: Sequence[str]) -> list[str]:
    """A program that is run says what it says; warnings are there for who asks for some."""
    return [] if any(word.startswith("-W") for word in words) else ["-w"]


# -- the program


def program_image(
    sources: Sequence[str],
    options: ProgramOptions | None = None,
    libraries: Sequence[str] = (),
) -> bytes:
    """The shared object of a program. `libraries` are files of shared objects whose functions the
    program may call, such as the driver. Raises `DiagnosticError` with what clang says,
    `UsageError` for sources that cannot be read, for a program that cannot be linked, and where
    there is no clang."""
    options = options or ProgramOptions()
    compiler = front_end.find_clang()
    key = CUDA_PROGRAM.key(
        clang=[compiler, front_end.changed(compiler)],
        options=[options.words, options.link, options.is_relocatable], chip=options.chip,
        folder=os.getcwd(), sources=list(sources), driver="".join(libraries),
    )  # fmt: skip
    found = _stored(key)
    if found is not None:
        return found
    with tempfile.TemporaryDirectory() as room:
        files = [str(path) for path in _RUNTIME.iterdir()]
        parts = [
            _Part(source, options, os.path.join(room, str(number)))
            for number, source in enumerate(sources)
        ]
        _write_device_code(compiler, [part for part in parts if part.is_cuda], options, files)
        for part in parts:
            _compile_for_host(compiler, part, options, files)
        image = _linked(compiler, [part.object for part in parts], options, libraries, room)
    _store(key, files, image)
    return image


def runtime_image() -> bytes:
    """The shared object of CUDA's runtime, which programs need. It has to be loaded before them,
    with its symbols for all."""
    compiler = front_end.find_clang()
    sources = [str(_RUNTIME / name) for name in _RUNTIME_SOURCES]
    key = CUDA_PROGRAM.key(
        clang=[compiler, front_end.changed(compiler)], options=[], chip="", folder="",
        sources=sources, driver="",
    )  # fmt: skip
    found = _stored(key)
    if found is not None:
        return found
    with tempfile.TemporaryDirectory() as room:
        path = os.path.join(room, _RUNTIME_NAME)
        listing = os.path.join(room, "files")
        flags = ["-O1", *_COMMON, f"-isystem{HEADERS}", "-w", _STANDARD]
        objects: list[str] = []
        files: list[str] = []
        for number, source in enumerate(sources):
            objects.append(os.path.join(room, f"{number}.o"))
            _run_clang(
                [compiler, *flags, "-c", source, "-o", objects[-1], "-MD", "-MF", listing],
                Source("", source),
            )
            files += _listed(listing)
        name = f"-Wl,-soname,{_RUNTIME_NAME}"
        _link([compiler, "--driver-mode=g++", *_LINK, name, *objects, "-ldl", "-o", path])
        image = Path(path).read_bytes()
    _store(key, files, image)
    return image


_RUNTIME_SOURCES = ("devices.cpp", "memory.cpp", "arrays.cpp", "kernels.cpp", "streams.cpp")


def _stored(key: str) -> bytes | None:
    """What was made of the same files."""
    stored = CUDA_PROGRAM.get(key)
    if stored is None:
        return None
    files, _, image = stored.partition(b"\0")
    if any(front_end.changed(path) != time for path, time in json.loads(files).items()):
        return None
    return image


def _store(key: str, files: Sequence[str], image: bytes) -> None:
    times = {path: front_end.changed(path) for path in files}
    CUDA_PROGRAM.put(key, json.dumps(times).encode("utf-8", "surrogateescape") + b"\0" + image)


class _Part:
    """A source of a program. Its files begin with `stem`. Raises `UsageError` if it cannot be
    read."""

    __slots__ = ("is_cuda", "source", "stem", "text")

    def __init__(self, source: str, options: ProgramOptions, stem: str) -> None:
        self.source = source
        self.stem = stem
        self.is_cuda = options.is_all_cuda or source.endswith(CUDA_SUFFIXES)
        try:
            self.text = Path(source).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as problem:
            raise UsageError(f"cannot read '{source}': {problem.strerror}") from None

    @property
    def object(self) -> str:
        """The path of its code for the host."""
        return f"{self.stem}.o"

    @property
    def device_code(self) -> str:
        """The path of the LLVM IR that the object embeds."""
        return f"{self.stem}.ll"

    def relocatable(self) -> list[str]:
        """Clang's options for linking across sources: static variables of the device have names of
        their own in each."""
        mark = f"-cuid={os.path.basename(self.stem)}"
        # Clang 19 does not hand the mark on where it compiles for the host alone.
        return ["-fgpu-rdc", mark, "-Xclang", mark]


def _write_device_code(
    compiler: str, parts: Sequence[_Part], options: ProgramOptions, files: list[str]
) -> None:
    """Write the LLVM IR of all parts. The files that were read are added to `files`."""
    device = options.for_device()
    pieces: list[bytes] = []
    for part in parts:
        if options.is_relocatable:
            own = device.changed()
            own.arguments = [*device.arguments, *part.relocatable()]
            made = front_end.compiled(compiler, part.text, part.source, own)
            front_end.tell(made.warnings)
            pieces.append(made.ir)
            read = made.files
        else:
            ir, read = front_end.llvm_ir_and_files(part.text, part.source, device)
            _write_image(part.device_code, ir)
        files += read
    if pieces:
        from xgpu.frontend.llvm_ir.source import linked_form

        ir = linked_form(pieces, parts[0].source, device.optimize)
        for part in parts:
            _write_image(part.device_code, ir)


def _write_image(path: str, ir: str) -> None:
    # The end of the text is where the driver finds a zero.
    Path(path).write_bytes(ir.encode("utf-8", "surrogateescape") + b"\0")


def _compile_for_host(
    compiler: str, part: _Part, options: ProgramOptions, files: list[str]
) -> None:
    """Compile the object of a part. The files that were read are added to `files`."""
    own, words = options.for_host()
    listing = f"{part.stem}.files"
    made = [part.source, "-o", part.object, "-MD", "-MF", listing]
    text = Source(part.text, part.source)
    if part.is_cuda:
        _compile_cuda([compiler, *_CUDA, _STANDARD, *own, "-c"], words, made, part, options)
    elif part.source.endswith(".c"):
        words = [word for word in words if not word.startswith(("-std=c++", "-std=gnu++"))]
        _run_clang([compiler, "-x", "c", *own, "-c", *words, *made], text)
    else:
        _run_clang([compiler, "-x", "c++", _STANDARD, *own, "-c", *words, *made], text)
    files += _listed(listing)


def _compile_cuda(
    command: Sequence[str], words: Sequence[str], made: Sequence[str], part: _Part,
    options: ProgramOptions,
) -> None:  # fmt: skip
    """Compile a part with kernels by `command`, the caller's `words`, and what is `made` of it."""
    rest = ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", part.device_code, *words, *made]
    if options.is_relocatable:
        rest += part.relocatable()
    else:
        folder, room = os.path.dirname(part.source) or os.curdir, os.path.dirname(part.stem)
        state = precompiled.state(command, words, folder, room)
        if state is not None:
            # What clang refuses behind it is refused once more, in words that do not name it.
            with contextlib.suppress(DiagnosticError):
                _run_clang([*command, "-include-pch", state, *rest], Source("", part.source))
                return
    begin = ["-include", precompiled.HEADER]
    _run_clang([*command, *begin, *rest], Source(part.text, part.source))


def _listed(listing: str) -> list[str]:
    rule = Path(listing).read_text(encoding="utf-8", errors="surrogateescape")
    return front_end.files_of_rule(rule)


def _run_clang(command: Sequence[str], source: Source) -> None:
    """Raises `DiagnosticError` with what clang says."""
    done = subprocess.run([*command, *_PLAIN], capture_output=True, check=False)
    if not done.returncode:
        return
    words = done.stderr.decode("utf-8", "replace")
    said = front_end.diagnostics_of(words, source, done.returncode)
    raise DiagnosticError(*said)


# -- linking


def _linked(
    compiler: str, objects: Sequence[str], options: ProgramOptions, shared: Sequence[str], room: str
) -> bytes:
    """The shared object of a program's objects."""
    runtime = os.path.join(room, _RUNTIME_NAME)
    Path(runtime).write_bytes(runtime_image())
    last = os.path.join(room, "last.o")
    program = str(_RUNTIME / "program.cpp")
    _run_clang([compiler, *_COMMON, "-O1", "-c", program, "-o", last], Source("", program))
    if options.is_relocatable:
        objects = [*objects, _registration(compiler, objects, room)]
    path = os.path.join(room, "program.so")
    libraries = [runtime, "-Wl,--as-needed", *shared, "-lm", "-ldl", "-lpthread"]
    _link(
        [compiler, "--driver-mode=g++", *_LINK, *objects, last, *libraries, *options.link,
         "-o", path]
    )  # fmt: skip
    return Path(path).read_bytes()


#: What the object of a source calls to register its kernels, where they are linked across sources:
#: https://clang.llvm.org/doxygen/CGCUDANV_8cpp_source.html
_REGISTER = "__cudaRegisterLinkedBinary"


def _registration(compiler: str, objects: Sequence[str], room: str) -> str:
    """The path of an object with the functions that clang leaves to the linker of device code."""
    calls = [
        f'extern "C" void {name}(void (*all)(void **), void *image, const char *, void *) '
        "{ xgpuRegisterLinked(all, image); }"
        for path in objects
        for name in sorted(undefined_symbols(Path(path).read_bytes()))
        if name.startswith(_REGISTER)
    ]
    head = """
        extern "C" void **__cudaRegisterFatBinary(void *);
        static void xgpuRegisterLinked(void (*all)(void **), void *image) {
          static void **module = __cudaRegisterFatBinary(image);
          all(module);
        }
    """
    source, made = os.path.join(room, "linked.cpp"), os.path.join(room, "linked.o")
    Path(source).write_text("\n".join([head, *calls, ""]))
    _run_clang([compiler, *_COMMON, "-w", "-O1", "-c", source, "-o", made], Source("", source))
    return made


def undefined_symbols(image: bytes) -> set[str]:
    """Names that an object of 64-bit ELF uses and does not define (System V ABI, chapter 4)."""
    offset = struct.unpack_from("<Q", image, 0x28)[0]
    size, count = struct.unpack_from("<HH", image, 0x3A)
    sections = [
        struct.unpack_from("<IIQQQQIIQQ", image, offset + size * number) for number in range(count)
    ]
    names: set[str] = set()
    for _, kind, _, _, start, length, strings, _, _, entry in sections:
        if kind != _SYMBOL_TABLE:
            continue
        text = sections[strings][4]
        for at in range(start + entry, start + length, entry):  # the first is none
            name, _, _, section = struct.unpack_from("<IBBH", image, at)
            if section == 0:
                end = image.index(b"\0", text + name)
                names.add(image[text + name : end].decode())
    return names


_SYMBOL_TABLE = 2


def _link(command: Sequence[str]) -> None:
    """Raises `UsageError` with what the linker says."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if not done.returncode:
        return
    missing = set(re.findall(r"undefined (?:reference to|symbol:) [`']?([^\n']+)", done.stderr))
    if missing:
        names = ", ".join(f"'{name}'" for name in sorted(missing))
        raise UsageError(f"the program cannot be linked: {names} not defined in any source")
    said = [line for line in done.stderr.splitlines() if "linker command failed" not in line]
    last = said[-1].strip() if said else f"the linker ended with {done.returncode}"
    raise UsageError(f"the program cannot be linked: {last}")
