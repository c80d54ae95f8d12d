# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the manual pages of the tools, from the tables that `--help` prints.

The build does so (`hatch_build.py`): a wheel has them in `share/man/man1`, which `man` finds beside
the `bin` of its installation. By hand, of an editable installation for example::

    python tools/generate_man_pages.py ~/.local/share/man/man1
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from xgpu.core.passes.base import Option  # noqa: E402
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class, pipeline_class  # noqa: E402
from xgpu.tools import (  # noqa: E402
    help_text,
    runner_arguments,
    translate_session,
    xgpu_cuda,
    xgpu_lsp_server,
    xgpu_reduce,
)
from xgpu.tools.command_line import FLAGS  # noqa: E402
from xgpu.version import __version__  # noqa: E402

_INPUT = "[options] <input file>"


class Page(NamedTuple):
    """A tool: what it does in some words, how it is called, more about it, its options as they are
    spelled with what they do, and whether passes are options too."""

    summary: str
    usage: tuple[str, ...]
    description: str
    options: Mapping[str, str]
    has_passes: bool = False


def tools() -> dict[str, Page]:
    """The tools."""
    return {
        "xgpu-opt": Page(
            "run passes on MLIR text", (_INPUT,),
            "Reads MLIR, text or bytecode, runs the passes that are named on it in the order "
            "given, and prints it. Syntax, passes and options are those of mlir-opt 22.1.",
            {help_text.flag_text(name): flag.summary for name, flag in FLAGS.items()}, True,
        ),
        "xgpu-translate": Page(
            "print LLVM IR and PTX, import both", (_INPUT,),
            "Translates between MLIR and other languages; an option names which.",
            translate_session.OPTIONS,
        ),
        "xgpu-runner": Page(
            "lower, compile and run a program", (_INPUT,),
            "Lowers a program in MLIR for a GPU or for the host device, a GPU that is simulated "
            "on the processor, and runs it.",
            _with_values(runner_arguments.OPTIONS),
        ),
        "xgpu-reduce": Page(
            "make a program smaller while a test finds it interesting", (_INPUT,),
            f"Has the command line of mlir-reduce 22.1. {xgpu_reduce.OTHERS}",
            xgpu_reduce.OPTIONS,
        ),
        "xgpu-cuda": Page(
            "run a program that uses CUDA without a GPU",
            ("[options] <command> [arguments]",
             "[options] [options of clang] <file.cu> [more sources] [--] [arguments]"),
            cleandoc(xgpu_cuda.__doc__ or "").partition("\n\n")[2],
            _with_values(xgpu_cuda.OPTIONS),
        ),
        "xgpu-lsp-server": Page(
            "answer an editor of MLIR text", ("[options]",),
            "A server of the language server protocol, over standard input and output.",
            xgpu_lsp_server.OPTIONS,
        ),
    }  # fmt: skip


def _with_values(options: Mapping[str, tuple[str | None, str]]) -> dict[str, str]:
    return {
        f"{'-' if len(name) < 3 else '--'}{name}{f'=<{value}>' if value else ''}": text
        for name, (value, text) in options.items()
    }


# -- roff


def plain(text: str) -> str:
    """A text as roff takes it."""
    text = " ".join(text.split())
    for character, escape in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("^", "\\(ha"),
                              ("~", "\\(ti"), ("`", "\\(ga")):  # fmt: skip
        text = text.replace(character, escape)
    return f"\\&{text}" if text.startswith(".") else text


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a docstring; one that is indented keeps its lines."""
    for at, part in enumerate(text.split("\n\n")):
        if at:
            yield ".PP"
        if part.startswith("    "):
            yield from (".nf", *(plain(line) for line in part.splitlines() if line), ".fi")
        else:
            yield plain(part)


def spelled(text: str) -> str:
    """An option, with its values in italics: `--name=<value>`."""
    out = plain(text).replace("<", "\\fI").replace(">", "\\fB")
    return f"\\fB{out}\\fR"


def items(options: Mapping[str, str]) -> Iterator[str]:
    for option, text in options.items():
        yield from (".TP", spelled(option), plain(text) or "\\&")


def _of_pass(option: Option) -> tuple[str, str]:
    choices = f"; one of {', '.join(option.choices)}" if option.choices else ""
    words = f"{help_text.option_summary(option)}{choices}"
    return help_text.option_text(option), words.removeprefix("; ")


def passes() -> Iterator[str]:
    """The passes and pipelines with their options."""
    groups = (("PASSES", PASSES, pass_class), ("PIPELINES", PIPELINES, pipeline_class))
    for title, names, find in groups:
        yield f".SH {title}"
        for name in sorted(names):
            found = find(name)
            yield from items({f"--{name}": found.summary})
            if found.options:
                options = sorted(found.options, key=lambda o: o.name)
                yield from (".RS", *items(dict(map(_of_pass, options))), ".RE")


def page(tool: str, found: Page, others: Iterable[str]) -> str:
    """The manual page of a tool."""
    lines = [
        f'.TH {plain(tool).upper()} 1 "" "xgpu {__version__}" "xgpu"',
        ".SH NAME", f"{plain(tool)} \\- {plain(found.summary)}",
        ".SH SYNOPSIS",
    ]  # fmt: skip
    for at, usage in enumerate(found.usage):
        shown = plain(usage).replace("<", "\\fI").replace(">", "\\fR")
        lines += [*([".br"] if at else []), f".B {plain(tool)}", shown]
    lines += [".SH DESCRIPTION", *paragraphs(found.description), ".SH OPTIONS"]
    lines += items(found.options)
    if found.has_passes:
        lines += passes()
    lines += [
        ".SH EXIT STATUS",
        "0, or 1 after a message on standard error that says what is wrong; 2 after an internal "
        "error.",
        ".SH SEE ALSO",
        ", ".join(f"\\fB{plain(other)}\\fR(1)" for other in others if other != tool) + ".",
    ]
    return "\n".join([*lines, ""])


def pages() -> dict[str, str]:
    """The pages by their file names."""
    found = tools()
    return {f"{tool}.1": page(tool, about, sorted(found)) for tool, about in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the manual pages of the tools.")
    parser.add_argument("folder", type=Path, help="where to, such as ~/.local/share/man/man1")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
