# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents of the project: their blocks, their prose, and what their backticks name.

```mlir       a file of the page, if its first line is `// NAME.mlir`
```cuda       the same of `// NAME.cu`; the page needs clang
```console    commands that run, each behind `$ `, with their output; `...` stands for any text
```python     a program that runs: all blocks of a page are one
```sh         commands that do not run in a test: files, options and names in them are checked
```py         a part of a program, which does not run
```text       anything else
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

LANGUAGES = {"yaml", "mlir", "cpp", "cuda", "console", "python", "sh", "py", "text"}

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: Written by `tools/generate_docs.py`.
GENERATED = {
    ROOT / "docs" / "reference" / name
    for name in (
        "passes.md",
        "dialects.md",
        "python.md",
        "command-lines.md",
        "cuda-driver.md",
        "cuda-runtime.md",
    )
}

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(text: str) -> list[tuple[str, str]]:
    """The language and the text of each fenced block."""
    return [(found[2], found[3]) for found in _FENCE.finditer(text)]


def without_blocks(text: str) -> str:
    return re.sub(r"<!--.*?-->", "", _FENCE.sub("", text), flags=re.DOTALL)


def code_spans(text: str) -> list[str]:
    """What stands in backticks outside of blocks, on one line or broken at a space."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", without_blocks(text))]


def is_table(line: str) -> bool:
    return line.lstrip().startswith("|")


def words(text: str, *, tables: bool = True) -> int:
    """How many words a reader reads: blocks of code are left out, and tables unless `tables`."""
    lines = [
        line
        for line in without_blocks(text).splitlines()
        if not is_table(line) or (tables and not re.fullmatch(r"[|\s:-]+", line))
    ]
    plain = re.sub(r"\]\([^)]*\)", "]", "\n".join(lines))
    return len([word for word in plain.split() if re.search(r"\w", word)])


def sentences(text: str) -> list[str]:
    """The sentences of a document's prose: no blocks, tables or headings."""
    paragraphs: list[str] = []
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )", without_blocks(text)):
        lines = [line for line in part.splitlines() if not is_table(line)]
        lines = [line for line in lines if not re.match(r"\s*(#|!\[|<)", line)]
        paragraph = re.sub(r"`[^`]*`", "code", " ".join(lines))
        paragraph = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
        paragraphs.append(re.sub(r"^\s*(?:[*-]|\d+\.) ", "", paragraph))
    found = [
        sentence for paragraph in paragraphs for sentence in re.split(r"(?<=[.!?])\s+", paragraph)
    ]
    return [sentence for sentence in found if len(sentence.split()) > 1]


#: Persons where there is a subject, and words that are no terms of the field.
UNUSUAL = re.compile(
    r"\b(nobody|somebody|anybody|everybody|anyone|everyone|whoever|overdue|stand-ins?|quiet lanes?|"
    r"this room|doors?|(?:is|are) told|hears?|owes?|lends?)\b"
)
#: Likewise in documents. In code `room` is bytes that something may take.
UNUSUAL_IN_DOCUMENTS = re.compile(UNUSUAL.pattern + r"|\brooms?\b")


def unusual_words(text: str, words: re.Pattern[str] = UNUSUAL) -> list[str]:
    """The words of `text`, without what it quotes, that a plain text has others for."""
    text = text.lower()
    if words.search(text) is None:
        return []
    return [found[0] for found in words.finditer(re.sub(r"`[^`]*`", "", text))]


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives the headings, and those that the text states."""
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    stated = re.findall(r'<a (?:id|name)="([^"]+)"', text)
    slugs: set[str] = set()
    for heading in headings:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slugs.add(re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-"))
    return slugs | set(stated)


#: What a source consists of, without numbers and punctuation. The tokenizer of the library takes
#: five times as long for a quarter of a million lines.
_TOKEN = re.compile(
    r"""
    \d\w*
    | (?P<string>
        (?:\b[rRbBuUfF]{1,2})?
        (?: \"{3}(?:[^\\]|\\.)*?\"{3} | '{3}(?:[^\\]|\\.)*?'{3}
          | \"(?:[^\"\\\n]|\\.)*\" | '(?:[^'\\\n]|\\.)*'))
    | (?P<comment>\#[^\n]*)
    | (?P<name>[^\W\d]\w*)
    """,
    re.DOTALL | re.VERBOSE,
)


def tokens(source: str) -> Iterator[tuple[int, str, str]]:
    """Where each name, string and comment of a Python source begins, which of them it is, and its
    text."""
    for token in _TOKEN.finditer(source):
        if token.lastgroup is not None:
            yield token.start(), token.lastgroup, token[0]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """A module and all statements in it, or a statement and those in it: a twentieth of the nodes
    that `ast.walk` looks at."""
    yield node
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, field, ()):
            yield from statements(child)


@cache
def words_of_sources() -> set[str]:
    """Words of the sources outside of docstrings and comments: names, and parts of texts."""
    found: set[str] = set()
    for path in (p for folder in ("xgpu", "tools") for p in (ROOT / folder).rglob("*.py")):
        found.update(path.relative_to(ROOT).with_suffix("").parts)
        for _, kind, text in tokens(path.read_text()):
            if kind == "name":
                found.add(text)
            elif kind == "string" and "`" not in text:
                found.update(re.findall(r"\w+", text))
    runtime = (
        path
        for folder in ("include", "runtime")
        for path in (ROOT / "xgpu/frontend/cuda" / folder).rglob("*")
        if path.is_file()
    )
    for path in (*(ROOT / "xgpu").rglob("*.txt"), *(ROOT / "xgpu").rglob("*.pyi"), *runtime):
        found.update(re.findall(r"\w+", path.read_text()))
    return found
