# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and operands in LLVM IR text, as LLVM prints it: where they end."""

from __future__ import annotations

import re

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_PARAMETER_ATTRIBUTE = re.compile(
    r"(?:noundef|nonnull|zeroext|signext|inreg|noalias|nocapture|nofree|nest|readonly|readnone|"
    r"writeonly|returned|immarg|noext|writable|dead_on_unwind|swiftself|allocptr|allocalign|"
    r"align \d+|(?:byval|sret|byref|inalloca|preallocated|elementtype|dereferenceable|"
    r"dereferenceable_or_null|captures|range|initializes|nofpclass|alignstack)\([^()]*"
    r"(?:\([^()]*\)[^()]*)*\))\s+"
)


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
