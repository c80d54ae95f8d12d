# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR, text or bitcode of this LLVM or an older one, as this LLVM prints it.

LLVM itself reads it, brings what is old up to date and checks it. What it prints has one spelling
for everything, and is what our reader knows.

LLVM ends the process where a module with debug information is wrong in other respects, and its
reader of bitcode trusts its input. So text is checked without its debug information first, and
bitcode is read in a process of its own.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from xgpu.ir.errors import Diagnostic, DiagnosticError

_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_VERSION = '"Debug Info Version"'
_PLACE = re.compile(r"<string>:(\d+):(\d+): error: (.*)")
#: What hangs debug information on the rest of a module.
_DEBUG = re.compile(
    r",?\s*!dbg !(?:\d+|DILocation\([^)]*\))"
    r"|^\s*#dbg_\w+\(.*\)[ \t]*$"
    r"|^\s*(?:tail )?call void @llvm\.dbg\..*$"
    r"|^!llvm\.dbg\..*$",
    re.MULTILINE,
)


def is_bitcode(source: bytes) -> bool:
    """Whether the bytes are bitcode, plain or in its wrapper."""
    return source.startswith(_BITCODE)


def of_text(text: str, name: str) -> str:
    """What LLVM prints of `text`. Errors: `DiagnosticError` with LLVM's words, at its place."""
    if _VERSION in text:
        without = _DEBUG.sub("", text).replace(_VERSION, _VERSION.replace("Info", "info"))
        _parsed(without, name)
    return str(_parsed(text, name))


def _parsed(text: str, name: str) -> Any:
    """The module of `text`, in a context where no other module has taken the names of its types."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text, llvm.create_context())
    except RuntimeError as reason:
        raise _syntax_error(str(reason), name) from None
    try:
        module.verify()
    except RuntimeError as reason:
        message = str(reason).strip().replace("\n", "; ")
        raise DiagnosticError(Diagnostic("error", message, _at(name, 0, 0))) from None
    return module


def _at(name: str, line: int, column: int) -> Any:
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))


def _syntax_error(reason: str, name: str) -> DiagnosticError:
    match = _PLACE.search(reason)
    if match is None:
        return DiagnosticError(Diagnostic("error", reason.strip(), _at(name, 0, 0)))
    place = _at(name, int(match[1]), int(match[2]))
    return DiagnosticError(Diagnostic("error", match[3], place))


# --- bitcode -------------------------------------------------------------------------------------
#: What the other process runs: bitcode comes in, text goes out.
_PROGRAM = """
import sys
import llvmlite.binding as llvm
try:
    module = llvm.parse_bitcode(sys.stdin.buffer.read(), llvm.create_context())
    module.verify()
except RuntimeError as reason:
    sys.exit(str(reason))
sys.stdout.buffer.write(str(module).encode("utf-8", "surrogateescape"))
"""


def of_bitcode(source: bytes, name: str) -> str:
    """What LLVM prints of bitcode. Errors: `DiagnosticError` with LLVM's words."""
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], input=source, capture_output=True, check=False
    )
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip().split("\n")
        message = words[0] or f"LLVM's reader of bitcode ended with {done.returncode}"
        if message == "LLVM bitcode parsing error" and len(words) > 1:
            message = f"{message}: {words[1]}"
        raise DiagnosticError(Diagnostic("error", message, _at(name, 0, 0)))
    return done.stdout.decode("utf-8", "surrogateescape")
