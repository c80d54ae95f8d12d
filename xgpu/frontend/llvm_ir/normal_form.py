# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR, text or bitcode of this LLVM or an older one, as this LLVM prints it.

LLVM itself reads it, brings what is old up to date and checks it. What it prints has one spelling
for everything, and is what our parser knows.

LLVM ends the process where it meets what it did not expect: broken bitcode, a wrong module with
debug information, some metadata in its own checks. So it works in a process of its own, a copy of
this one, which costs little; where other threads run, that copy could wait for them for ever, and a
fresh process takes its place.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
from typing import TYPE_CHECKING, NoReturn

from xgpu.core.ir.errors import Diagnostic, DiagnosticError
from xgpu.core.syntax.diagnostics import emit

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FileLineColLoc


_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_PLACE = re.compile(r"<string>:(\d+):(\d+): error: (.*)")
_WARNING = re.compile(r"^warning: (.*?)(?: in <string>)?$", re.MULTILINE)
_ASSERTION = re.compile(r"Assertion `(.*)' failed")
#: What the result of the other process begins with: LLVM's text, or why there is none.
_DONE, _REFUSED = b"+", b"-"


def is_bitcode(source: bytes) -> bool:
    """Whether the bytes are bitcode, plain or in its wrapper."""
    return source.startswith(_BITCODE)


def normal_form(source: bytes, name: str) -> str:
    """What LLVM prints of text or bitcode; `name` is how messages call it.

    Errors: `DiagnosticError` with LLVM's words, at the location in the text that LLVM names.
    """
    result, words = _in_another_process(source)
    text = result[1:].decode("utf-8", "surrogateescape")
    if result[:1] == _DONE:
        for warning in _WARNING.findall(words):
            emit(Diagnostic("warning", warning, _at(name, 0, 0)))
        return text
    if result[:1] == _REFUSED:
        raise _refusal(text, name)
    message = _last_words(words) or "LLVM cannot read it"
    raise DiagnosticError(Diagnostic("error", message, _at(name, 0, 0)))


def printed(source: bytes) -> bytes:
    """What LLVM prints, or why it does not, with a mark before it. It may end the process."""
    import llvmlite.binding as llvm

    module = None
    # In a context where no other module has taken the names of its types.
    context = llvm.create_context()
    try:
        if is_bitcode(source):
            module = llvm.parse_bitcode(source, context)
        else:
            module = llvm.parse_assembly(source.decode("utf-8", "surrogateescape"), context)
        module.verify()
        return _DONE + str(module).encode("utf-8", "surrogateescape")
    except (RuntimeError, UnicodeEncodeError) as reason:
        return _REFUSED + str(reason).encode("utf-8", "surrogateescape")
    finally:
        if module is not None:
            module.close()  # before its context, whoever holds either


# --- the other process ---------------------------------------------------------------------------
_PROGRAM = """
import sys
from xgpu.frontend.llvm_ir.normal_form import printed
sys.stdout.buffer.write(printed(sys.stdin.buffer.read()))
"""


def _in_another_process(source: bytes) -> tuple[bytes, str]:
    """(the result of `printed`, empty if LLVM ended the process; what LLVM wrote besides)"""
    if hasattr(os, "fork") and threading.active_count() == 1:
        return _in_a_copy(source)
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], input=source, capture_output=True, check=False
    )
    return done.stdout, done.stderr.decode("utf-8", "replace")


def _in_a_copy(source: bytes) -> tuple[bytes, str]:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a closed one
            stream.flush()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as words:
        copy = os.fork()
        if not copy:
            _work(source, output.fileno(), words.fileno())
        os.waitpid(copy, 0)
        output.seek(0)
        words.seek(0)
        return output.read(), words.read().decode("utf-8", "replace")


def _work(source: bytes, output: int, words: int) -> NoReturn:
    """What the copy does; it leaves nothing else behind, and no file when LLVM ends it."""
    try:
        import faulthandler
        import resource

        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(words, 2)
        result = printed(source)
        while result:
            result = result[os.write(output, result) :]
    finally:
        os._exit(0)


# --- messages ------------------------------------------------------------------------------------
def _at(name: str, line: int, column: int) -> FileLineColLoc:
    from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

    return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))


def _refusal(reason: str, name: str) -> DiagnosticError:
    """LLVM's error, at its location where it says one."""
    match = _PLACE.search(reason)
    if match is not None:
        place = _at(name, int(match[1]), int(match[2]))
        return DiagnosticError(Diagnostic("error", match[3], place))
    message = "; ".join(line.strip() for line in reason.strip().split("\n"))
    return DiagnosticError(Diagnostic("error", message, _at(name, 0, 0)))


def _last_words(words: str) -> str:
    """Why LLVM ended its process: what its checks found, or which expectation did not hold."""
    lines = [line.strip() for line in words.strip().split("\n")]
    broken = "LLVM ERROR: Broken module found, compilation aborted!"
    if broken in lines:
        return "; ".join(lines[: lines.index(broken)])
    assertion = _ASSERTION.search(words)
    if assertion is not None:
        return f"LLVM cannot read it: {assertion[1]}"
    named = [line for line in lines if line.startswith("LLVM ERROR: ")]
    return f"LLVM cannot read it: {named[0].removeprefix('LLVM ERROR: ')}" if named else ""
