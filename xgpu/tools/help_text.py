# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `--help` of tools prints, and `--version`, `--show-dialects` and `--list-passes`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from inspect import cleandoc

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.services import other_passes
from xgpu.core.passes.base import Option
from xgpu.core.passes.registry import PASSES, PIPELINES, owner_of, pass_class, pipeline_class
from xgpu.tools.command_line import FLAGS
from xgpu.version import __version__

_KINDS = {str: "<string>", int: "<long>", float: "<number>", list: "<list>"}
_FLAG_VALUES = {
    "bool": "", "value": "=<value>", "number": "=<uint>", "optional": "[=<value>]",
    "list": "=<list>",
}  # fmt: skip


#: Where `tool_help` says what an option does.
_COLUMN = 35


def _line(indent: int, left: str, summary: str) -> str:
    text = " " * indent + left
    return f"{text.ljust(62)} - {summary}".rstrip()


def option_text(option: Option) -> str:
    """An option of a pass with its value: `--name=<long>`."""
    kind = "" if option.kind is bool else f"={_KINDS.get(option.kind, '<value>')}"
    return f"--{option.name}{kind}"


def option_summary(option: Option) -> str:
    """What an option of a pass does, and what it is where nothing is said."""
    default: object = option.default
    if option.kind is bool:
        default = "true" if default else "false"
    shown = f" (default: {default})" if default not in ("", (), None) else ""
    return option.summary + shown


def _option_lines(options: Iterable[Option]) -> Iterable[str]:
    for o in sorted(options, key=lambda o: o.name):
        yield _line(8, option_text(o), option_summary(o))
        for choice in o.choices:
            yield f"          ={choice}"


def flag_text(name: str) -> str:
    """An option of xgpu-opt with its value: `--name=<value>`."""
    value = "=<pipeline>" if FLAGS[name].kind == "xdsl" else _FLAG_VALUES[FLAGS[name].kind]
    return f"{'-' if len(name) == 1 else '--'}{name}{value}"


def names_of(spelled: str) -> list[str]:
    """The names of options without dashes, spelled as in `--fast, -I<folder>, --std=<c++17>`."""
    return [re.split(r"[=<\[ ]", word.lstrip("-"))[0] for word in spelled.split(", ")]


def tool_help(
    tool: str, overview: str, options: Mapping[str, str], usage: str = "[options] <input file>"
) -> str:
    """The help of a tool with few options: what each does beside it."""
    lines = [f"OVERVIEW: {overview}", f"USAGE: {tool} {usage}", "", "OPTIONS:"]
    for spelled, text in options.items():
        first, *rest = textwrap.wrap(text, 100 - _COLUMN, break_on_hyphens=False)
        left = f"  {spelled}"
        lines += [left, f"{'':{_COLUMN}}{first}"] if len(left) >= _COLUMN else [
            f"{left:{_COLUMN}}{first}"
        ]  # fmt: skip
        lines += [f"{'':{_COLUMN}}{line}" for line in rest]
    return "\n".join([*lines, ""])


def help_text() -> str:
    """The whole help: options, passes with their options, named pipelines."""
    from xgpu.core.syntax import dialect_names

    lines = [
        "OVERVIEW: xgpu modular optimizer driver: mlir-opt 22.1's command line",
        "",
        f"Available Dialects: {', '.join(dialect_names())}",
        "",
        "USAGE: xgpu-opt [options] <input file>",
        "",
        "OPTIONS:",
        "",
    ]
    for name in sorted(FLAGS):
        lines.append(_line(2, flag_text(name), FLAGS[name].summary))
    lines += ["", "  Compiler passes to run", "    Passes:"]
    for name in sorted(PASSES):
        cls = pass_class(name)
        lines.append(_line(6, f"--{name}", f"  {cls.summary}"))
        lines += _option_lines(cls.options)
    lines.append("    Pass Pipelines:")
    for name in sorted(PIPELINES):
        pipeline = pipeline_class(name)
        lines.append(_line(6, f"--{name}", f"  {pipeline.summary}"))
        lines += _option_lines(pipeline.options)
    lines += _installed_lines()
    return "\n".join(lines) + "\n"


def pass_help(name: str) -> str:
    """What `--help=NAME` prints of a pass or pipeline: what it does, what it runs on, its options.
    Raises `UsageError`, with the nearest name, where there is none."""
    if name in PIPELINES:
        pipeline = pipeline_class(name)
        lines = [f"PIPELINE: --{name}", "", f"  {pipeline.summary}"]
        options, words = pipeline.options, pipeline.__doc__
    else:
        cls = pass_class(name)
        where = "any operation" if cls.anchor is None else f"'{cls.anchor}'"
        lines = [f"PASS: --{name}", "", f"  {cls.summary}", "", f"  Runs on {where}."]
        options, words = cls.options, cls.__doc__
    if words and not words.startswith(lines[2].strip()):
        lines += ["", *(f"  {line}".rstrip() for line in cleandoc(words).splitlines())]
    if options:
        lines += ["", "OPTIONS:", "", *_option_lines(options)]
    return "\n".join(lines) + "\n"


def _installed_lines() -> Iterable[str]:
    """The passes that installed projects offer; of a broken one what is wrong with it."""
    try:
        names = sorted(
            set(other_passes().installed_passes()) - {(name, owner_of(name)) for name in PASSES}
        )
    except UsageError as problem:
        return ["    Passes of installed projects:", f"      {problem}"]
    lines = ["    Passes of installed projects:"] if names else []
    for name, owner in names:
        try:
            cls = pass_class(name)
        except UsageError as problem:
            lines.append(_line(6, f"--{name}", f"  {problem}"))
            continue
        lines.append(_line(6, f"--{name}", f"  {cls.summary or f'of {owner}'}"))
        lines += _option_lines(cls.options)
    return lines


def pass_list() -> str:
    """The names of all passes and pipelines, one a line."""
    names = {*PASSES, *PIPELINES}
    with suppress(UsageError):  # a broken project has none
        names |= {name for name, _ in other_passes().installed_passes()}
    return "".join(f"{name}\n" for name in sorted(names))


def dialect_list() -> str:
    """`Available Dialects: a,b,...`, as mlir-opt prints it."""
    from xgpu.core.syntax import dialect_names

    return f"Available Dialects: {','.join(dialect_names())}\n"


def version_text() -> str:
    """xgpu's version and those of what it agrees with."""
    from importlib.metadata import PackageNotFoundError, version

    def of(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    return (
        f"xgpu {__version__}: MLIR 22.1's syntax and passes\n"
        f"  xDSL {of('xdsl')}, llvmlite {of('llvmlite')}\n"
    )
