# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's textual pipelines: `builtin.module(gpu.module(a,b{x=y z="q r"}),c)`.

Parsing has two steps, as in MLIR: the text becomes a tree of names, and the tree becomes a
`PassManager`. The options of a pass are split by spaces; a value may be quoted with `"` or `'`,
or stand in braces or brackets, within which spaces do not split.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from xgpu.core.ir.errors import DiagnosticError, UsageError, public_part, raised_at
from xgpu.core.ir.suggestions import nearest, unknown_pass
from xgpu.core.passes.manager import PassManager
from xgpu.core.passes.registry import (
    PASSES,
    PIPELINES,
    is_known,
    owner_of,
    pass_class,
    pipeline_class,
    unknown,
)

if TYPE_CHECKING:
    from xgpu.core.passes.base import Option, Pass

T = TypeVar("T")

_CLOSE = {"(": ")", "{": "}", "[": "]", "<": ">"}


class Element:
    """A name in a pipeline: a pass or pipeline with options, or an operation with what nests."""

    __slots__ = ("inner", "name", "options", "position")

    def __init__(self, name: str, position: int) -> None:
        self.name = name
        self.position = position
        self.options = ""
        self.inner: list[Element] | None = None


def _complain(text: str, position: int, message: str) -> UsageError:
    return UsageError(
        f"MLIR Textual PassPipeline Parser:1:{position + 1}: error: {message}\n"
        f"{text}\n{' ' * position}^"
    )


def _options_end(text: str, start: int) -> int | None:
    """The index of the `}` that closes the `{` at `start`; quoted text does not count."""
    depth, quote = 0, ""
    for i in range(start, len(text)):
        c = text[i]
        if quote:
            if c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0:
                return i
    return None


def parse_elements(text: str) -> list[Element]:
    """The tree of names in `text`."""
    top: list[Element] = []
    stack: list[tuple[list[Element], int]] = []
    current = top
    i, n = 0, len(text)
    while True:
        start = i
        while i < n and text[i] not in ",{()":
            i += 1
        element = Element(text[start:i].strip(), start)
        current.append(element)
        if i < n and text[i] == "{":
            end = _options_end(text, i)
            if end is None:
                raise _complain(text, i - 1, "missing closing '}' while processing pass options")
            element.options = text[i + 1 : end].strip()
            i = end + 1
        elif i < n and text[i] == "(":
            element.inner = []
            stack.append((current, i))
            current = element.inner
            i += 1
            if i < n and text[i] == ")":  # `builtin.module()` holds nothing
                pass
            else:
                continue
        while i < n and text[i] in ") \n\t":
            if text[i] == ")":
                if not stack:
                    raise _complain(
                        text,
                        i,
                        "encountered extra closing ')' creating unbalanced parentheses "
                        "while parsing pipeline",
                    )
                current, _ = stack.pop()
            i += 1
        if i >= n:
            break
        if text[i] != ",":
            raise _complain(text, i, "expected ',' after parsing pipeline")
        i += 1
    if stack:
        raise _complain(
            text,
            stack[-1][1],
            "encountered unbalanced parentheses while parsing pipeline",
        )
    return top


def split_options(text: str) -> list[tuple[str, str | None]]:
    """The options in `text` as (name, value); the value is None where only a name stands."""
    found: list[tuple[str, str | None]] = []
    i, n = 0, len(text)
    while i < n:
        if text[i] in " \t\n,":
            i += 1
            continue
        start = i
        while i < n and text[i] not in " \t\n=":
            i += 1
        name = text[start:i]
        if i >= n or text[i] != "=":
            found.append((name, None))
            continue
        i += 1
        start, closers = i, ""
        while i < n:
            c = text[i]
            if closers:
                if c == closers[-1]:
                    closers = closers[:-1]
                elif closers[-1] not in "\"'" and (c in "{[(<" or c in "\"'"):
                    closers += _CLOSE.get(c, c)
            elif c in "\"'":
                closers = c
            elif c in "{[(<":
                closers = _CLOSE[c]
            elif c in " \t\n":
                break
            i += 1
        value = text[start:i]
        if len(value) >= 2 and value[0] + value[-1] in ('""', "''", "{}"):
            value = value[1:-1]
        found.append((name, value))
    return found


def _integer(value: str) -> int:
    return int(value, 0)


def _number(kind: type, option: Option, text: str, owner: str) -> int | float:
    try:
        return _integer(text) if kind is int else float(text)
    except ValueError:
        words = "integer" if kind is int else "floating point"
        raise UsageError(
            f"{owner}: for the --{option.name} option: '{text}' value invalid for {words} argument!"
        ) from None


def convert_option(option: Option, value: str | None, owner: str) -> object:
    """The Python value of an option's text."""
    kind = option.kind
    if kind is bool:
        if value is None or value in ("true", "TRUE", "True", "1", ""):
            return True
        if value in ("false", "FALSE", "False", "0"):
            return False
        raise UsageError(
            f"{owner}: for the --{option.name} option: '{value}' is invalid value for "
            "boolean argument! Try 0 or 1"
        )
    text = value or ""
    if kind is int or kind is float:
        return _number(kind, option, text, owner)
    if kind is list:
        parts = _split_list(text)
        if option.element is str:
            return tuple(parts)
        return tuple(_number(option.element, option, part, owner) for part in parts)
    if option.choices and text not in option.choices:
        near = nearest(text, option.choices)
        hint = f", did you mean '{near}'?" if near else ""
        raise UsageError(
            f"{owner}: for the --{option.name} option: Cannot find option named '{text}'! "
            f"(one of {', '.join(option.choices)}{hint})"
        )
    return text


def _split_list(text: str) -> list[str]:
    """The elements of a list option: commas split, except inside brackets and quotes."""
    if len(text) >= 2 and text[0] == "[" and text[-1] == "]":
        text = text[1:-1]
    parts: list[str] = []
    start, closers = 0, ""
    for i, c in enumerate(text):
        if closers:
            if c == closers[-1]:
                closers = closers[:-1]
            elif c in "{[(<":
                closers += _CLOSE[c]
        elif c in "{[(<\"'":
            closers = _CLOSE.get(c, c)
        elif c == ",":
            parts.append(text[start:i].strip())
            start = i + 1
    if text[start:].strip():
        parts.append(text[start:].strip())
    return [p.strip("\"'") for p in parts]


def option_values(
    declared: Sequence[Option], text: str, owner: str
) -> dict[str, int | str | tuple[str, ...]]:
    """Constructor arguments from an option text such as `chip=sm_90 O=3`.

    The same name given again overrides, but adds to a list.
    """
    known = {o.name: o for o in declared}
    values: dict[str, Any] = {}
    for name, value in split_options(text):
        option = known.get(name) or known.get(name.replace("_", "-"))
        if option is None:
            near = nearest(name, known)
            hint = f", did you mean '{near}'?" if near else ""
            raise UsageError(f"{owner}: no such option {name}{hint}")
        converted = convert_option(option, value, owner)
        refusal = option.refusal(converted)
        if refusal is not None:
            raise UsageError(f"{owner}: {refusal}")
        if option.kind is list and option.attribute in values:
            converted = values[option.attribute] + converted
        values[option.attribute] = converted
    return values


def make_pass(name: str, options: str = "") -> Pass:
    """The pass `name` with `options` given as text."""
    cls = pass_class(name)
    values = option_values(cls.options, options, name)
    owner = owner_of(name)
    return cls(**values) if owner is None else _made(cls, values, name, owner)


def _made(cls: type[T], values: dict[str, int | str | tuple[str, ...]], name: str, owner: str) -> T:
    """A pass or pipeline from outside. Raises `UsageError` where its constructor raises."""
    try:
        return cls(**values)
    except (UsageError, DiagnosticError):
        raise
    except Exception as e:  # the code of others
        words = f"{type(e).__name__}: {e}{raised_at(e)}"
        raise UsageError(f"the pass '{name}' of {owner} cannot be made: {words}") from e


def add(manager: PassManager, name: str, options: str) -> None:
    """Adds the pass or named pipeline `name` to `manager`."""
    if name in PIPELINES:
        cls = pipeline_class(name)
        cls(**option_values(cls.options, options, name)).build(manager)
    else:
        manager.add(make_pass(name, options))


def _fill(manager: PassManager, elements: Sequence[Element], text: str) -> None:
    for element in elements:
        name = element.name
        if element.inner is not None:
            _fill(manager.nest(name), element.inner, text)
        elif not name and len(elements) == 1:
            continue  # `builtin.module()`
        elif is_known(name):
            add(manager, name, element.options)
        else:
            hint = unknown_pass(name, [*PASSES, *PIPELINES])
            raise UsageError(f"'{name}' does not refer to a registered pass or pass pipeline{hint}")


@public_part
def parse_pipeline(text: str) -> PassManager:
    """A pass manager from text that names its anchor, such as `builtin.module(a,b)`."""
    stripped = text.strip()
    elements = parse_elements(stripped)
    if len(elements) != 1 or elements[0].inner is None:
        raise UsageError(
            "expected pass pipeline to be wrapped with the anchor operation type, e.g. "
            "'builtin.module(...)'"
        )
    manager = PassManager(elements[0].name)
    _fill(manager, elements[0].inner, stripped)
    return manager


__all__ = [
    "Element",
    "add",
    "convert_option",
    "make_pass",
    "option_values",
    "parse_elements",
    "parse_pipeline",
    "split_options",
    "unknown",
]
