# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texts that are mutated: the pieces of the project's own tests and examples."""

from __future__ import annotations

import pathlib
import re
from functools import cache

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("tests/filecheck", "examples")

#: Larger ones take long and say no more: they are cut between operations of the top level.
MOST_CHARACTERS = 6_000

_COMMENT = re.compile(r"^\s*//.*$\n?", re.MULTILINE)
_TRAILING = re.compile(r"(?<=[\s{}()])//[^\"\n]*$", re.MULTILINE)
_ERROR = re.compile(r"\berror:|expected-error")
_CUT = re.compile(r"(?<=^}\n)", re.MULTILINE)


@cache
def corpus() -> tuple[str, ...]:
    """Each piece between markers of each file, without comments, once."""
    return tuple(_pieces())


@cache
def sound() -> tuple[str, ...]:
    """The pieces that no comment expects an error of."""
    return tuple(text for text, is_sound in _pieces().items() if is_sound)


@cache
def _pieces() -> dict[str, bool]:
    """Each piece, and whether it is sound."""
    found: dict[str, bool] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            for piece in path.read_text(errors="surrogateescape").split("// -----"):
                text = _TRAILING.sub("", _COMMENT.sub("", piece)).strip() + "\n"
                for part in _parts(text):
                    found[part] = _ERROR.search(piece) is None
    return found


def _parts(text: str) -> list[str]:
    """`text`, or where it is too large as many of its operations at a time as are not."""
    if len(text) <= MOST_CHARACTERS:
        return [text] if len(text) > 1 else []
    parts = [""]
    for operation in _CUT.split(text):
        if parts[-1] and len(parts[-1]) + len(operation) > MOST_CHARACTERS:
            parts.append("")
        parts[-1] += operation
    return [part for part in parts if len(part) <= MOST_CHARACTERS]


@cache
def generic(text: str) -> str:
    """A sound text in the generic form, or as it is if it cannot be read."""
    from xgpu.core.ir.errors import DiagnosticError
    from xgpu.core.syntax import parse_module, print_module

    try:
        return print_module(parse_module(text, allow_unregistered=True), generic=True)
    except DiagnosticError:
        return text
