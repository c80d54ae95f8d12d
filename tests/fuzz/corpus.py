# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texts that are mutated: the pieces of the project's own tests and examples."""

from __future__ import annotations

import pathlib
import re
from functools import cache

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("tests/filecheck", "examples")

#: Larger ones take long and say no more.
MOST_CHARACTERS = 6_000

_COMMENT = re.compile(r"^\s*//.*$\n?", re.MULTILINE)
_TRAILING = re.compile(r"(?<=[\s{}()])//[^\"\n]*$", re.MULTILINE)


@cache
def corpus() -> tuple[str, ...]:
    """Each piece between markers of each file, without comments, once."""
    found: dict[str, None] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            for piece in path.read_text(errors="surrogateescape").split("// -----"):
                text = _TRAILING.sub("", _COMMENT.sub("", piece)).strip() + "\n"
                if 1 < len(text) <= MOST_CHARACTERS:
                    found[text] = None
    return tuple(found)
