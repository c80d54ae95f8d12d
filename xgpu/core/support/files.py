# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files: the modules and data files of a package, and what a file is by its content."""

from __future__ import annotations

import os
from collections.abc import Iterable


def modules_of(places: Iterable[str]) -> set[str]:
    """The names of the modules that are one file, in a package whose `__path__` is `places`."""
    return {name[:-3] for _, name in _entries(places) if _is_module(name)} - {"__init__"}


def packages_of(places: Iterable[str]) -> set[str]:
    """The names of the packages in a package whose `__path__` is `places`."""
    return {
        name
        for place, name in _entries(places)
        if name.isidentifier() and os.path.exists(os.path.join(place, name, "__init__.py"))
    }


def data_text(module: str, name: str) -> str:
    """The file `name` in the folder of a module whose `__file__` is `module`."""
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return file.read()


def data_lines(text: str) -> list[list[str]]:
    """The lines of a file that are neither empty nor comments (`#`), in parts between tabs."""
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]


#: How sources in CUDA C++ end, and those that such a program may have beside them.
CUDA_SUFFIXES = (".cu",)
SOURCE_SUFFIXES = (*CUDA_SUFFIXES, ".cpp", ".cc", ".cxx", ".C", ".c")


def is_source(word: str) -> bool:
    """Whether a word of a command line names a source of a program in CUDA C++."""
    return word.endswith(SOURCE_SUFFIXES)


def _is_module(name: str) -> bool:
    return name.endswith(".py") and name[:-3].isidentifier()


def _entries(places: Iterable[str]) -> list[tuple[str, str]]:
    return [(place, name) for place in places for name in os.listdir(place)]


# -- Whether a file is MLIR's.


#: First bytes of MLIR's bytecode, and what they are in a text in which surrogates stand for bytes.
BYTECODE = b"ML\xefR"
_BYTECODE_TEXT = BYTECODE.decode("utf-8", "surrogateescape")


def is_bytecode(text: str) -> bool:
    """Whether a text is MLIR's bytecode, in which surrogates stand for bytes."""
    return text.startswith(_BYTECODE_TEXT)


#: How a text begins, behind its comments, that may be of another language. No MLIR does so.
_SUSPECTS = (
    b"!<arch>", b"%PDF-", b"BZh", b"(\xb5",
    b".", b";", b"#include", b"#define", b"#pragma", b"#if", b"#!/", b"# ", b"define ", b"declare ",
    b"source_filename", b"target ", b"extern ", b"__global__", b"__device__", b"__constant__",
    b"__shared__", b"template", b"using ", b"namespace ", b"struct ", b"static ", b"constexpr ",
    b"const ", b"void ", b"int ", b"float ", b"typedef ", b"inline ", b"/*", b"import ", b"from ",
    b"def ", b"class ", b"@", b"kernel void", b"__kernel",
)  # fmt: skip

#: What stands before a text's first word: blanks, comments, a byte order mark.
_BLANK = (b"//", b"\n", b" ", b"\r", b"\t", b"\xef\xbb\xbf")


def may_be_other(data: bytes) -> bool:
    """Whether what a file holds may be no MLIR: `kind_of` knows what it is then.

    A few comparisons for a text of MLIR: every tool asks this of every input.
    """
    first = data[:4]
    if not first.isascii() or b"\0" in data[:256] or first in (b"\x7fELF", b"PK\3\4"):
        return True
    at = 0
    while data.startswith(_BLANK, at):
        if data.startswith(b"//", at):
            at = data.find(b"\n", at)
            if at < 0:
                return False
        at += 1
    return data.startswith(_SUSPECTS, at)


# -- What a file is that is not MLIR's text, by its content.
#
# Asked only where `may_be_other` cannot say by a text's begin that it is MLIR's.


#: So many bytes are looked at.
SEEN = 1 << 16

#: First bytes of an object for the host device (`xgpu.host_device.compiler.objects`).
HOST_OBJECT = b"xgpu-host-"

_READS = "xgpu reads MLIR text and bytecode"
_LLVM = f"{_READS}; xgpu-translate --import-llvm translates LLVM IR, xgpu.load runs its kernels"
_BYTECODE = "MLIR bytecode"

#: First bytes of binary files.
_BINARY = (
    (BYTECODE, _BYTECODE),
    (b"BC\xc0\xde", f"LLVM bitcode; {_LLVM}"),
    (b"\xde\xc0\x17\x0b", f"LLVM bitcode; {_LLVM}"),
    (b"\x50\xed\x55\xba", f"a fat binary of CUDA; {_READS}"),
    (b"\x03\x02\x23\x07", f"SPIR-V; {_READS}"),
    (b"\x07\x23\x02\x03", f"SPIR-V; {_READS}"),
    (b"\x1f\x8b", f"compressed by gzip; {_READS}"),
    (b"(\xb5/\xfd", f"compressed by zstd; {_READS}"),
    (b"BZh", f"compressed by bzip2; {_READS}"),
    (b"\xfd7zXZ", f"compressed by xz; {_READS}"),
    (b"PK\x03\x04", f"a zip archive; {_READS}"),
    (b"!<arch>\n", f"an archive of object files; {_READS}"),
    (b"\x89PNG", f"a picture; {_READS}"),
    (b"%PDF-", f"a PDF document; {_READS}"),
    (b"\xff\xfe", f"text in UTF-16; {_READS} in UTF-8"),
    (b"\xfe\xff", f"text in UTF-16; {_READS} in UTF-8"),
)
_ELF = b"\x7fELF"
#: No text has a null character among so many bytes at its begin.
_TEXT = 256
_CUDA_MACHINE = 190  # EM_CUDA, in the header's 16 bits at byte 18

_PTX = f"PTX; {_READS}; xgpu-translate --import-ptx translates it, xgpu.load runs its kernels"
_CUDA = (
    f"CUDA C++; {_READS}; xgpu-translate --import-cuda translates it, xgpu.load runs its kernels"
)
_C_FAMILY = ("CUDA C++", "C++", "OpenCL C")
_OPENCL = f"OpenCL C; {_READS}"
_PYTHON = f"a Python program; {_READS}"
_IR = f"LLVM IR; {_LLVM}"


#: How the kinds begin that a reader takes, and what it is called.
_READERS = {
    "llvm": (("LLVM ",), "LLVM IR"),
    "ptx": (("PTX",), "PTX"),
    "cuda": (_C_FAMILY, "CUDA C++"),
}


def kind_of(data: bytes, reads: str = "mlir") -> str | None:
    """What `data` is, and what reads it; None of MLIR, and of all that is not known. With
    `reads` "llvm", None of LLVM IR too, as text and as bitcode; with "ptx", of PTX; with "cuda", of
    all texts of C's family, which clang knows better."""
    found = _binary(data) or _language(data[:SEEN])
    if found is None:
        return None
    if reads not in _READERS:
        return None if found == _BYTECODE else found
    begin, name = _READERS[reads]
    what = found.partition(";")[0]
    return None if what.startswith(begin) else f"{what}; expected {name}"


def language_of(data: bytes) -> str:
    """The language of what is not MLIR's text, as `kind_of` names it: "LLVM IR" as text or as
    bitcode, "PTX", "CUDA C++", ..; empty of MLIR, and of all that is not known."""
    found = (_binary(data) or _language(data[:SEEN]) or "").partition(";")[0]
    if found == _BYTECODE:
        return ""
    return "LLVM IR" if found.startswith("LLVM ") else found


def _binary(data: bytes) -> str | None:
    for magic, what in _BINARY:
        if data.startswith(magic):
            return what
    if not data.startswith(_ELF):
        return f"binary data; {_READS}" if b"\0" in data[:_TEXT] else None
    machine = int.from_bytes(data[18:20], "little")
    return f"{'a cubin' if machine == _CUDA_MACHINE else 'an object file'}; {_READS}"


def _language(data: bytes) -> str | None:
    """The language of a text that is unlikely to be MLIR."""
    import re  # few files come here

    def has(pattern: bytes) -> bool:
        return re.search(pattern, data, re.MULTILINE) is not None

    if has(rb"^\s*\.(version\s+\d+\.\d+|(visible|target|address_size|entry|func)\b(?! *:))"):
        return _PTX  # and not a label of LLVM IR: `.entry:`
    if has(rb"^(; ModuleID|(source_filename|target (datalayout|triple)) *=)"):
        return _IR
    if has(rb"^(define|declare)\b[^{}\n]*@[\w.\"$-]+\(|^@[\w.\"$-]+ *= .*(global|constant)"):
        return _IR
    if has(rb"\b__kernel\b|^kernel void\b"):
        return _OPENCL
    if has(rb"\b__(global|device|host|shared|constant)__\b"):
        return _CUDA
    if has(rb"^(import [\w.]+|from [\w.]+ import\b|def \w+\(.*\).*:|class \w+.*:)"):
        return _PYTHON
    if data.startswith(b"#!/"):
        return f"a script; {_READS}"
    if has(rb"^\s*# *(include|define|pragma|if|ifdef|ifndef)\b") or has(
        rb"^(template *<|using namespace|extern \"C\"|typedef |constexpr |namespace \w+ *\{)"
    ):
        return f"C++; {_READS}"
    return None
