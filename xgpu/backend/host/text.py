# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR text, taken apart just far enough to be rewritten.

Input is what LLVM prints after its instruction namer ran: one instruction a line (a switch is
joined to one), every value and block named, calls in canonical form. `read_module` drops what
means nothing on another machine: attribute groups, metadata and debug records, target lines,
comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_METADATA = re.compile(r"(, ![\w.]+ !\d+)+$|(, ![\w.]+ !\{\})+$")
_DEFINITION_METADATA = re.compile(r" ![\w.]+ !\d+")
_ATTRIBUTE_GROUP = re.compile(r" #\d+\b")
_COMMENT = re.compile(r"\s+; preds = .*$|\s+; No predecessors!$")
_IDENTIFIER = re.compile(r'[@%](?:"[^"]*"|[\w.$-]+)')
_ASSIGN = re.compile(r'^(%(?:"[^"]*"|[\w.$-]+)) = ')
_CALL = re.compile(r"^(?:tail |musttail |notail )?call ")
_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
_PARAMETER_ATTRIBUTE = re.compile(
    r"(?:noundef|nonnull|zeroext|signext|inreg|noalias|nocapture|nofree|nest|readonly|readnone|"
    r"writeonly|returned|immarg|noext|writable|dead_on_unwind|swiftself|allocptr|allocalign|"
    r"align \d+|(?:byval|sret|byref|inalloca|preallocated|elementtype|dereferenceable|"
    r"dereferenceable_or_null|captures|range|initializes|nofpclass|alignstack)\([^()]*"
    r"(?:\([^()]*\)[^()]*)*\))\s+"
)


class Parameter:
    """A parameter of a definition."""

    __slots__ = ("attributes", "name", "type")

    def __init__(self, type: str, attributes: str, name: str) -> None:
        self.type = type
        self.attributes = attributes
        self.name = name


class Function:
    """A definition: `head` is what stands before the result type's name, blocks are label and
    lines.
    """

    __slots__ = ("blocks", "is_kernel", "name", "parameters", "result")

    def __init__(
        self, name: str, result: str, parameters: list[Parameter], is_kernel: bool
    ) -> None:
        self.name = name
        self.result = result
        self.parameters = parameters
        self.is_kernel = is_kernel
        self.blocks: list[tuple[str, list[str]]] = []

    def lines(self) -> Iterator[str]:
        for _, lines in self.blocks:
            yield from lines


class Global:
    """A global variable; `text` is its line."""

    __slots__ = ("address_space", "name", "text", "type")

    def __init__(self, name: str, text: str, address_space: int, type: str) -> None:
        self.name = name
        self.text = text
        self.address_space = address_space
        self.type = type


class Module:
    __slots__ = ("declarations", "functions", "globals", "others", "types")

    def __init__(self) -> None:
        self.types: list[str] = []
        self.globals: list[Global] = []
        self.declarations: dict[str, str] = {}
        self.functions: list[Function] = []
        self.others: list[str] = []  # aliases, module asm


class Call:
    """A call: `callee` is an identifier, or for inline assembly None with `assembly` set."""

    __slots__ = ("arguments", "assembly", "callee", "flags", "result", "type")

    def __init__(
        self,
        result: str | None,
        type: str,
        callee: str | None,
        arguments: list[tuple[str, str]],
        flags: str = "",
        assembly: tuple[str, str] | None = None,
    ) -> None:
        self.result = result
        self.type = type
        self.callee = callee
        self.arguments = arguments
        self.flags = flags
        self.assembly = assembly


def balanced(text: str, start: int) -> int:
    """The position after the bracket that closes the one at `start`; strings are skipped."""
    stack: list[str] = []
    i = start
    while i < len(text):
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c in _CLOSING:
            stack.append(_CLOSING[c])
        elif stack and c == stack[-1]:
            stack.pop()
            if not stack:
                return i + 1
        i += 1
    raise ValueError(f"unbalanced: {text}")


def split_commas(text: str) -> list[str]:
    """The parts of `text` between commas that no bracket encloses."""
    parts: list[str] = []
    start = i = 0
    while i < len(text):
        c = text[i]
        if c == '"':
            i = text.index('"', i + 1)
        elif c in _CLOSING:
            i = balanced(text, i) - 1
        elif c == ",":
            parts.append(text[start:i].strip())
            start = i + 1
        i += 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def type_end(text: str, start: int = 0) -> int:
    """The position after the type that begins at `start`."""
    if text[start] in _CLOSING:
        end = balanced(text, start)
    else:
        match = re.compile(r'%"[^"]*"|[%\w.$-]+').match(text, start)
        if match is None:
            raise ValueError(f"not a type: {text[start:]}")
        end = match.end()
    while True:
        match = re.compile(r" addrspace\(\d+\)").match(text, end)
        if match:
            end = match.end()
        elif text.startswith(" (", end) and not text.startswith(" (ptr @", end):
            end = balanced(text, end + 1)  # a function type
        else:
            return end


def typed_value(text: str) -> tuple[str, str]:
    """`i32 noundef %x` as ("i32", "%x"): an operand without its attributes."""
    end = type_end(text)
    rest = text[end:].strip()
    while match := _PARAMETER_ATTRIBUTE.match(rest):
        rest = rest[match.end() :]
    return text[:end], rest


def read_call(line: str) -> Call | None:
    """The call that `line` is, if it is one."""
    assign = _ASSIGN.match(line)
    result = assign.group(1) if assign else None
    body = line[assign.end() :] if assign else line
    head = _CALL.match(body)
    if head is None:
        return None
    rest = body[head.end() :]
    i = 0
    while i < len(rest):
        c = rest[i]
        if c in _CLOSING:
            i = balanced(rest, i)
            continue
        if rest.startswith("asm ", i):
            return _read_assembly(result, rest, i)
        if c in "@%":
            match = _IDENTIFIER.match(rest, i)
            assert match is not None
            if rest.startswith("(", match.end()):
                end = balanced(rest, match.end())
                arguments = [typed_value(a) for a in split_commas(rest[match.end() + 1 : end - 1])]
                flags, type = _call_type(rest[:i].strip())
                return Call(result, type, match.group(0), arguments, flags)
            i = match.end()
            continue
        i += 1
    return None


def _read_assembly(result: str | None, rest: str, at: int) -> Call:
    flags, type = _call_type(rest[:at].strip())
    strings = list(re.finditer(r'"([^"]*)"', rest[at:]))
    template, constraints = strings[0].group(1), strings[1].group(1)
    begin = rest.index("(", at + strings[1].end())
    arguments = [typed_value(a) for a in split_commas(rest[begin + 1 : balanced(rest, begin) - 1])]
    unescaped = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m.group(1), 16)), template)
    return Call(result, type, None, arguments, flags, (unescaped, constraints))


_FLAGS = re.compile(
    r"(?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast|fastcc|coldcc|ccc|ptx_device|ptx_kernel|"
    r"cc \d+|cc\d+) )+"
)


def _call_type(text: str) -> tuple[str, str]:
    """Fast-math flags and the result type; calling convention and result attributes are dropped."""
    match = _FLAGS.match(text + " ")
    flags = ""
    if match:
        flags = " ".join(
            w for w in match.group(0).split() if not w.startswith(("cc", "ptx", "fastcc", "cold"))
        )
        text = text[min(match.end(), len(text)) :]
    padded = text + " "
    while match := _PARAMETER_ATTRIBUTE.match(padded):
        padded = padded[match.end() :]
    return flags, padded.strip()


def read_module(text: str) -> Module:
    """The parts of a module in LLVM's own printed form."""
    module = Module()
    kernels = set(re.findall(r'!\{ptr @([\w.$-]+), !"kernel", i32 1\}', text))
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("@"):
            _read_global(module, line)
        elif line.startswith("declare "):
            declaration = _ATTRIBUTE_GROUP.sub("", line)
            match = re.search(r'@("[^"]*"|[\w.$-]+)\(', declaration)
            assert match is not None
            module.declarations[match.group(1)] = _DEFINITION_METADATA.sub("", declaration)
        elif line.startswith("define "):
            module.functions.append(_read_function(line, lines, kernels))
        elif line.startswith("%"):
            module.types.append(line)
        elif line.startswith("module asm"):
            module.others.append(line)
    return module


def _read_global(module: Module, line: str) -> None:
    match = _IDENTIFIER.match(line)
    assert match is not None
    space = re.search(r" addrspace\((\d+)\) ", line.split('c"', 1)[0])
    kind = re.search(r" (?:global|constant|alias) ", line)
    if kind is None or kind.group(0) == " alias ":
        module.others.append(line)
        return
    type = line[kind.end() : type_end(line, kind.end())]
    number = int(space.group(1)) if space else 0
    module.globals.append(Global(match.group(0), _METADATA.sub("", line), number, type))


def _read_function(line: str, lines: Iterator[str], kernels: set[str]) -> Function:
    match = re.search(r'@("[^"]*"|[\w.$-]+)\(', line)
    assert match is not None
    begin = match.end() - 1
    end = balanced(line, begin)
    parameters: list[Parameter] = []
    for text in split_commas(line[begin + 1 : end - 1]):
        if text == "...":
            raise ValueError(f"a variadic function: {match.group(1)}")
        cut = type_end(text)
        name = text.rsplit(" ", 1)[1]
        parameters.append(Parameter(text[:cut], text[cut : -len(name)].strip(), name))
    before = line[len("define ") : match.start()].strip()
    result = result_type(before)
    name = match.group(1)
    function = Function(name, result, parameters, " ptx_kernel " in line or name in kernels)
    current: list[str] = []
    for raw in lines:
        if raw == "}":
            break
        if not raw.strip() or raw.lstrip().startswith((";", "#dbg_")):
            continue
        label = _LABEL.match(raw)
        if label:
            current = []
            function.blocks.append((label.group(1), current))
            continue
        text = raw.strip()
        if text.startswith("switch ") and not text.endswith("]"):
            parts = [text]
            while parts[-1] != "]" and not parts[-1].startswith("], !"):
                parts.append(next(lines).strip())
            parts[-1] = "]"
            text = " ".join(parts)
        text = _COMMENT.sub("", text)
        current.append(_ATTRIBUTE_GROUP.sub("", _METADATA.sub("", text)))
    return function


def result_type(text: str) -> str:
    """The result type at the end of what precedes a function's name."""
    if text.endswith((")", "]", "}", ">")):
        for start in range(len(text)):
            begins = text[start] in _CLOSING and (start == 0 or text[start - 1] == " ")
            if begins and balanced(text, start) == len(text):
                return text[start:]
    return text.rsplit(" ", 1)[-1]
