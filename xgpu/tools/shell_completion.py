# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completion of command lines in bash, zsh and fish: scripts made from the tables that the tools
read their command lines by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from xgpu.core.ir.errors import UsageError
from xgpu.core.passes.base import Option
from xgpu.core.passes.registry import PASSES, PIPELINES, pass_class, pipeline_class
from xgpu.tools import runner_arguments, translate_session, xgpu_cuda, xgpu_lsp_server
from xgpu.tools.command_line import FLAGS
from xgpu.tools.help_text import names_of


class Word(NamedTuple):
    """An option of a tool: its name without dashes, whether it has a value, what it does, and the
    options of the pass that it is, which are values."""

    name: str
    has_value: bool
    summary: str = ""
    options: tuple[Option, ...] = ()


def tools() -> dict[str, list[Word]]:
    """The options of each tool."""
    passes = [
        *_passes(PASSES, lambda name: pass_class(name)),
        *_passes(PIPELINES, lambda name: pipeline_class(name)),
    ]
    flags = [
        Word(name, flag.kind not in ("bool", "optional"), flag.summary)
        for name, flag in FLAGS.items()
    ]
    opt = sorted({word.name: word for word in (*passes, *flags)}.values())
    return {
        "xgpu-opt": opt,
        "xgpu-reduce": opt,
        "xgpu-runner": _described(runner_arguments.OPTIONS),
        "xgpu-cuda": _described(xgpu_cuda.OPTIONS),
        "xgpu-translate": _spelled(translate_session.OPTIONS),
        "xgpu-lsp-server": _spelled(xgpu_lsp_server.OPTIONS),
    }


def _passes(names: Iterable[str], find: Callable[[str], type]) -> Iterator[Word]:
    for name in names:
        found = find(name)
        yield Word(name, False, found.summary, found.options)


def _described(options: dict[str, tuple[str | None, str]]) -> list[Word]:
    return [Word(name, value is not None, text) for name, (value, text) in sorted(options.items())]


def _spelled(options: dict[str, str]) -> list[Word]:
    found: list[Word] = []
    for spelled, text in options.items():
        for word in spelled.split(", "):
            (name,) = names_of(word)
            # What a shell completes ends before a value that stands behind `=`.
            found.append(Word(name, f"--{name}=" in word, text))
    return sorted(found)


def script(shell: str) -> str:
    """The script for a shell. Raises `UsageError` for another than bash, zsh and fish."""
    made = {"bash": _bash, "zsh": _zsh, "fish": _fish}.get(shell)
    if made is None:
        raise UsageError(f"option '--completion' is '{shell}', expected bash, zsh or fish")
    return made(tools())


def _dashed(name: str) -> str:
    return f"-{name}" if len(name) == 1 else f"--{name}"


def _first(text: str) -> str:
    """The first sentence of a summary, on one line."""
    return " ".join(text.split()).partition("; ")[0].partition(" (default")[0]


# -- bash

_BASH = """\
_{function}() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before=""
  # Readline takes `=` for a word of its own.
  if [[ "$word" == "=" ]]; then word="" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  elif [[ $COMP_CWORD -gt 1 && "${{COMP_WORDS[COMP_CWORD-1]}}" == "=" ]]; then
    before="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  local quote="${{word%%[^\\"\\']*}}"
  case "${{before#-}}" in
{values}  esac
  if [[ -n "$before" ]]; then COMPREPLY=($(compgen -f -- "$word"))
  elif [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "{words}" -- "$word"))
    [[ "${{COMPREPLY[0]}}" == *= ]] && compopt -o nospace
  else COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _{function} {tool}
"""
_BASH_VALUES = """\
    -{name}) compopt -o nospace
      COMPREPLY=($(compgen -P "$quote" -W "{words}" -- "${{word#"$quote"}}")); return ;;
"""


def _bash(found: dict[str, list[Word]]) -> str:
    parts = ["# Completion of xgpu's tools in bash: source this file.\n"]
    for tool, words in found.items():
        values = "".join(
            _BASH_VALUES.format(
                name=word.name, words=" ".join(f"{option.name}=" for option in word.options)
            )
            for word in words
            if word.options
        )
        names = (_dashed(word.name) + ("=" if word.has_value else "") for word in words)
        function = tool.replace("-", "_")
        parts.append(
            _BASH.format(function=function, tool=tool, values=values, words=" ".join(names))
        )
    return "".join(parts)


# -- zsh


def _zsh(found: dict[str, list[Word]]) -> str:
    lines = [f"#compdef {' '.join(found)}", ""]
    for tool, words in found.items():
        lines += [f"_{tool.replace('-', '_')}() {{", "  local -a options=("]
        lines += [f"    {_quoted(_zsh_option(word))}" for word in words]
        lines += ["  )", "  _arguments $options '*:file:_files'", "}", ""]
    lines.append('case "$service" in')
    lines += [f"  {tool}) _{tool.replace('-', '_')} ;;" for tool in found]
    lines.append("esac")
    return "\n".join([*lines, ""])


def _zsh_option(word: Word) -> str:
    """An option as `_arguments` takes it: `--name=[summary]:value:(choices)`."""
    summary = _first(word.summary)
    for character in "\\[]:":
        summary = summary.replace(character, f"\\{character}")
    choices = " ".join(f"{option.name}=" for option in word.options)
    equals = "=" if word.has_value else "=-" if choices else ""
    value = f":value:({choices})" if choices else ":value:_files" if word.has_value else ""
    colons = f":{value}" if choices else value  # a pass may have no options
    return f"{_dashed(word.name)}{equals}[{summary}]{colons}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# -- fish


def _fish(found: dict[str, list[Word]]) -> str:
    lines = ["# Completion of xgpu's tools in fish."]
    for tool, words in found.items():
        for word in words:
            kind = "-s" if len(word.name) == 1 else "-l"
            summary = _first(word.summary).replace("\\", "\\\\").replace("'", "\\'")
            required = " -r" if word.has_value else ""
            values = " ".join(f"{option.name}=" for option in word.options)
            given = f" -f -a '{values}'" if values else ""  # no files
            lines.append(f"complete -c {tool} {kind} {word.name}{required}{given} -d '{summary}'")
    return "\n".join([*lines, ""])
