# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source of an import: options, LLVM IR as this LLVM prints it, its tokens, where they stand
in what the user wrote, and diagnostics about them.
"""

from __future__ import annotations

import faulthandler
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, shown
from xgpu.core.support.forks import fork_for_llvm
from xgpu.core.support.process import is_main_interpreter
from xgpu.core.syntax import diagnostics
from xgpu.core.syntax.diagnostics import emit
from xgpu.frontend.llvm_ir.model import Constant, MetadataConstant, MetadataString, Node

if TYPE_CHECKING:
    from llvmlite.binding import ModuleRef, PassBuilder

# --- options -------------------------------------------------------------------------------------
# What one can choose about an import; the names are those of `mlir-translate`, but for
# `keep_names`.


class Options:
    """Choices of an import, all off by default. With `keep_names`, arguments of functions keep
    their names, which `mlir-translate` leaves out."""

    __slots__ = (
        "drop_di_composite_type_elements",
        "emit_expensive_warnings",
        "import_structs_as_literals",
        "keep_names",
        "prefer_unregistered_intrinsics",
    )

    def __init__(
        self,
        *,
        emit_expensive_warnings: bool = False,
        drop_di_composite_type_elements: bool = False,
        prefer_unregistered_intrinsics: bool = False,
        import_structs_as_literals: bool = False,
        keep_names: bool = False,
    ) -> None:
        self.emit_expensive_warnings = emit_expensive_warnings
        self.drop_di_composite_type_elements = drop_di_composite_type_elements
        self.prefer_unregistered_intrinsics = prefer_unregistered_intrinsics
        self.import_structs_as_literals = import_structs_as_literals
        self.keep_names = keep_names


# --- lexer ---------------------------------------------------------------------------------------
# LLVM IR text as a list of tokens, and a cursor on it.
#
# A token is its text: its first character says what it is. `%x`, `@x`, `$x` and `!x` are names
# with their sigil, `"x"` and `c"x"` strings with their quotes, `x:` a label or a field's name,
# `#0` a group of attributes, `#dbg_value` a debug record; the rest are words, numbers and single
# characters. One regular expression finds all of them, so that reading costs Python one step a
# token. Where a token stands in the text is worked out on demand, for errors alone.


_NAME = r'(?:"[^"]*"|[-\w$.]+)'
_TOKEN = re.compile(
    r"(?:[ \t\r\n]+|;[^\n]*|/\*.*?\*/)*("
    rf"[%@$]{_NAME}"
    r'|!(?:"[^"]*"|(?:[-\w$.]|\\[0-9A-Fa-f]{2})+)?'
    r"|#\w+"
    r'|c?"[^"]*":?'
    r"|[-+]?\d+\.\d*(?:[eE][-+]?\d+)?"
    r"|-?\d+(?![\w$.-]):?"
    r"|[-\w$.]+:?"
    r"|[^\s])"
)
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")

#: What stands behind the last token.
END = ""


class SyntaxFault(Exception):
    """The text is not what LLVM prints: a message and the token that it is about."""

    def __init__(self, message: str, token: int) -> None:
        super().__init__(message)
        self.message = message
        self.token = token


class Cursor:
    """A position in the tokens of a text."""

    __slots__ = ("at", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        self.tokens.append(END)
        self.at = 0

    def next(self) -> str:
        """The token here, which is left behind."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def peek(self) -> str:
        return self.tokens[self.at]

    def accept(self, token: str) -> bool:
        """Leaves `token` behind if it stands here."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            self.fail(f"expected '{token}'")
        self.at += 1

    def integer(self) -> int:
        """A decimal number."""
        token = self.tokens[self.at]
        if not token.lstrip("-").isdigit():
            self.fail("expected an integer")
        self.at += 1
        return int(token)

    def string(self) -> bytes:
        """The content of a string token."""
        token = self.tokens[self.at]
        if token[:1] != '"':
            self.fail("expected a string")
        self.at += 1
        return unquoted(token)

    def fail(self, message: str, token: int | None = None) -> NoReturn:
        found = self.tokens[self.at if token is None else token]
        shown = f"'{found}'" if found else "the end of the text"
        raise SyntaxFault(f"{message}, but found {shown}", self.at if token is None else token)


def line_of(text: str, token: int) -> str:
    """The line of the text that the token of this number stands in, without its comment."""
    place = 0
    for number, match in enumerate(_TOKEN.finditer(text)):
        if number == token:
            place = match.start(1)
            break
    else:
        return ""
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].rstrip()


def unquoted(token: str) -> bytes:
    """The bytes that a string token, or the quoted part of a name, stands for."""
    start = token.index('"') + 1
    return unescaped(token[start : token.rindex('"')])


def unescaped(text: str) -> bytes:
    """Bytes from text in which `\\hh` is the byte of that number."""
    raw = text.encode("utf-8", "surrogateescape")
    if b"\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes((int(m[1], 16),)), raw)


def decoded(raw: bytes) -> str:
    """Bytes as the strings of attributes hold them: what is no UTF-8 is escaped."""
    return raw.decode("utf-8", "surrogateescape")


def name_of(token: str) -> str:
    """The name in `%x`, `@"x y"`, `$x`."""
    if token[1:2] == '"':
        return decoded(unquoted(token))
    return token[1:]


# --- source locations ----------------------------------------------------------------------------
# Where something of LLVM's own text stands in what the user wrote.
#
# LLVM's text is what is read, and it has other lines than the file it came from. An instruction is
# found again by what it says, inside of the function that it stands in; failing that, the function
# is the location, and failing that, the file. Bitcode has no lines at all.


_COMMENT = re.compile(r"\s*;.*$|,?\s*![\w.]+ !\d+|#\d+")


def _gist(line: str) -> str:
    """A line without what LLVM may write otherwise: blanks, comments, metadata, groups."""
    return re.sub(r"[\s,]+", "", _COMMENT.sub("", line))


class SourceLocations:
    """Finds locations in the file `name`, whose text is None for bitcode."""

    def __init__(self, name: str, text: str | None) -> None:
        self._name = name
        self._text = text

    def file(self) -> FileLineColLoc:
        return self._location(0, 0)

    def _location(self, line: int, column: int) -> FileLineColLoc:
        return FileLineColLoc(StringAttr(self._name), IntAttr(line), IntAttr(column))

    @cached_property
    def _lines(self) -> list[str]:
        return (self._text or "").split("\n")

    def find(self, text: str, token: int, line: str) -> FileLineColLoc:
        """The location of the token of LLVM's `text` that stands in `line`."""
        if self._text is None:
            return self.file()
        gist = _gist(line)
        start = self._function_line(text, token)
        for number in range(start, len(self._lines)):
            own = self._lines[number]
            if gist and _gist(own).startswith(gist):
                return self._location(number + 1, len(own) - len(own.lstrip()) + 1)
        return self._location(start + 1, 1) if start else self.file()

    def _function_line(self, text: str, token: int) -> int:
        """The line, counted from 0, of the function around the token; 0 if there is none."""
        tokens = Cursor(text).tokens
        while token >= 0 and tokens[token] != "define":
            token -= 1
        while token >= 0 and tokens[token][:1] != "@":
            token += 1
        if token < 0:
            return 0
        pattern = re.compile(rf"\s*define\b.*{re.escape(tokens[token])}\s*\(")
        for number, line in enumerate(self._lines):
            if pattern.match(line):
                return number
        return 0


# --- messages ------------------------------------------------------------------------------------
# Diagnostics about a module of LLVM IR, with the lines that they are about.


class Messages:
    """`text` is what was read, `locations` finds a part of it in what the user wrote; with
    `details` warnings tell of all that is left out."""

    def __init__(self, text: str, locations: SourceLocations, *, details: bool) -> None:
        self.text = text
        self.locations = locations
        self._details = details

    def as_text(self, node: object) -> str:
        """Metadata as LLVM writes it."""
        if isinstance(node, Node):
            return line_of(self.text, node.token).strip()
        if isinstance(node, MetadataString):
            return f'!"{node.text}"'
        if isinstance(node, MetadataConstant) and isinstance(node.value, Constant):
            return f"{shown(node.value.type)} {node.value.data}"
        return "null"

    def error(self, message: str, at: object = None) -> DiagnosticError:
        """An error about something of the text."""
        return DiagnosticError(self._diagnostic("error", message, at))

    def unhandled(self, what: str, at: object, reason: str = "") -> DiagnosticError:
        """An error about something that the llvm dialect has no words for; shows its line."""
        return self.error(f"unhandled {what}: {self.line(at)}{reason}", at)

    def warn(self, message: str, at: object = None) -> None:
        diagnostics.emit(self._diagnostic("warning", message, at))

    def detail(self, message: str, at: object) -> None:
        """A warning for those who asked for all of them; shows the line."""
        if self._details:
            self.warn(f"{message} {self.line(at)}", at)

    def line(self, at: object) -> str:
        """The line of LLVM's text that something stands in."""
        return line_of(self.text, getattr(at, "token", -1))

    def _diagnostic(self, severity: str, message: str, at: object) -> Diagnostic:
        token = getattr(at, "token", -1)
        if token < 0:
            return Diagnostic(severity, message, self.locations.file())
        return Diagnostic(severity, message, self.locations.find(self.text, token, self.line(at)))


# --- normal form ---------------------------------------------------------------------------------
# LLVM IR, text or bitcode of this LLVM or an older one, as this LLVM prints it.
#
# LLVM itself reads it, brings what is old up to date and checks it. What it prints has one spelling
# for everything, and is what our parser knows.
#
# LLVM ends the process where it meets what it did not expect: broken bitcode, a wrong module with
# debug information, some metadata in its own checks. So it works in a process of its own, a copy
# of this one, which costs little; where none can be made, a fresh process takes its place, which
# costs as much as the start of a tool.


_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_PLACE = re.compile(r"<string>:(\d+):(\d+): error: (.*)")
_WARNING = re.compile(r"^warning: (.*?)(?: in <string>)?$", re.MULTILINE)
_ASSERTION = re.compile(r"Assertion `(.*)' failed")
#: What the result of the other process begins with: LLVM's text, or why there is none.
_DONE, _REFUSED = b"+", b"-"


def is_bitcode(source: bytes) -> bool:
    """Whether the bytes are bitcode, plain or in its wrapper."""
    return source.startswith(_BITCODE)


def normal_form(source: bytes, name: str, optimize: int = 0) -> str:
    """What LLVM prints of text or bitcode; `name` is how messages call it. A module for NVPTX is
    optimized before, by the level `optimize`; see `optimized`.

    Errors: `DiagnosticError` with LLVM's words, at the location in the text that LLVM names.
    """
    return linked_form([source], name, optimize)


def linked_form(sources: Sequence[bytes], name: str, optimize: int = 0) -> str:
    """The normal form of one module that several are linked to. It is optimized as one."""
    result, words = _in_another_process(sources, optimize)
    text = result[1:].decode("utf-8", "surrogateescape")
    if result[:1] == _DONE:
        for warning in _WARNING.findall(words):
            emit(Diagnostic("warning", warning, _at(name, 0, 0)))
        return text
    if result[:1] == _REFUSED:
        raise _refusal(text, name)
    message = _last_words(words) or "LLVM cannot read it"
    raise DiagnosticError(Diagnostic("error", message, _at(name, 0, 0)))


def printed(sources: Sequence[bytes], optimize: int = 0) -> bytes:
    """What LLVM prints of modules, linked to one, or why it does not, with a mark before it. It may
    end the process."""
    import llvmlite.binding as llvm

    module = None
    # In a context where no other module has taken the names of its types.
    context = llvm.create_context()
    try:
        for source in sources:
            if is_bitcode(source):
                read = llvm.parse_bitcode(source, context)
            else:
                read = llvm.parse_assembly(source.decode("utf-8", "surrogateescape"), context)
            read.verify()
            if module is None:
                module = read
            else:
                module.link_in(read)
        assert module is not None
        if optimize:
            _optimize(module, optimize)
        return _DONE + str(module).encode("utf-8", "surrogateescape")
    except (RuntimeError, UnicodeEncodeError) as reason:
        return _REFUSED + str(reason).encode("utf-8", "surrogateescape")
    finally:
        if module is not None:
            module.close()  # before its context, whatever holds either


#: What tells passes of LLVM that a load which the program may not do must not be done:
#: ThreadSanitizer's attribute of functions.
AS_WRITTEN = "sanitize_thread"


def _optimize(module: ModuleRef, level: int) -> None:
    """Run LLVM's pipeline for NVPTX at a level of 2 or 3, or at level 1 what leaves accesses of
    memory where they stand."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=level)
    tuning = llvm.create_pipeline_tuning_options(speed_level=0 if level == 1 else level)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    if level == 1:
        _mark(module)
    builder.getModulePassManager().run(module, builder)
    if level == 1:
        _promote(module, builder)


def _mark(module: ModuleRef) -> None:
    """Let the pipeline of level 0 inline every function that does not refuse it, and no pass load
    what a thread does not ask for."""
    for function in module.functions:
        if function.is_declaration:
            continue
        function.add_function_attribute(AS_WRITTEN)
        if not any(b"noinline" in words for words in function.attributes):
            function.add_function_attribute("alwaysinline")


def _promote(module: ModuleRef, builder: PassBuilder) -> None:
    """Make values of what is in memory for want of optimization, and simplify what is computed.
    InstCombine is none of these passes: it makes one store of those on two sides of a branch, with
    the line of neither."""
    import llvmlite.binding as llvm

    manager = llvm.create_new_function_pass_manager()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_sccp_pass()
    manager.add_loop_rotate_pass()
    manager.add_loop_unroll_pass()
    manager.add_sroa_pass()
    manager.add_new_gvn_pass()
    manager.add_simplify_cfg_pass()
    manager.add_aggressive_dce_pass()
    for function in module.functions:
        if not function.is_declaration:
            manager.run(function, builder)


# --- the other process ---------------------------------------------------------------------------
_PROGRAM = """
import sys
from xgpu.frontend.llvm_ir.source import printed
level, *sizes = map(int, sys.argv[1:])
sys.stdout.buffer.write(printed([sys.stdin.buffer.read(size) for size in sizes], level))
"""


def _in_another_process(sources: Sequence[bytes], optimize: int) -> tuple[bytes, str]:
    """(the result of `printed`, empty if LLVM ended the process; what LLVM wrote besides)"""
    if hasattr(os, "fork") and is_main_interpreter():
        return _in_a_copy(sources, optimize)
    import subprocess

    numbers = [str(optimize), *(str(len(source)) for source in sources)]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *numbers], input=b"".join(sources), capture_output=True,
        check=False,
    )  # fmt: skip
    return done.stdout, done.stderr.decode("utf-8", "replace")


def _in_a_copy(sources: Sequence[bytes], optimize: int) -> tuple[bytes, str]:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a closed one
            stream.flush()
    import resource  # in the copy another thread's import of it would never end

    leave_no_core = partial(resource.setrlimit, resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as words:
        copy = fork_for_llvm()
        if not copy:
            _work(leave_no_core, sources, optimize, output.fileno(), words.fileno())
        os.waitpid(copy, 0)
        output.seek(0)
        words.seek(0)
        return output.read(), words.read().decode("utf-8", "replace")


def _work(
    prepare: Callable[[], None], sources: Sequence[bytes], optimize: int, output: int, words: int
) -> NoReturn:
    """What the copy does; it leaves nothing else behind, and no file when LLVM ends it."""
    try:
        prepare()
        faulthandler.disable()
        os.dup2(words, 2)
        result = printed(sources, optimize)
        while result:
            result = result[os.write(output, result) :]
    finally:
        os._exit(0)


# --- messages ------------------------------------------------------------------------------------
def _at(name: str, line: int, column: int) -> FileLineColLoc:
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
