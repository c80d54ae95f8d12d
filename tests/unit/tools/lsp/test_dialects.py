# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language server on each dialect: hover, definition and completion of its operations, all in
one session. The texts are those of `tests/filecheck/dialects`."""

from __future__ import annotations

import asyncio
import pathlib
import re
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.support.editor import Editor, session
from xgpu.core.ods.registry import operation_names
from xgpu.core.syntax.table_context import dialect_names

TEXTS = pathlib.Path(__file__).parents[3] / "filecheck/dialects"

#: Dialects with operations of the tables (those of builtin are xDSL's), and those of them whose
#: operations have no operands.
DIALECTS = [name for name in dialect_names() if name != "builtin" and operation_names(name)]
WITHOUT_OPERANDS = ("ub",)


class Example(NamedTuple):
    """A text with an operation, and where its name and one of its operands stand."""

    text: str
    operation: str
    name_at: int
    operand: str
    operand_at: int


@cache
def example(dialect: str) -> Example:
    """The shortest top-level operation of the texts that holds one of the dialect's on a value."""
    place = rf"^ +(?:%[\w:]+(?:, %\w+)* = )?({dialect}\.[\w.]+)"
    operand = r"" if dialect in WITHOUT_OPERANDS else r"[^\n{=]*?(%[a-zA-Z]\w*|%\d+)"
    wanted = re.compile(place + operand, re.MULTILINE)
    known = set(operation_names(dialect))
    found: list[Example] = []
    for path in sorted((TEXTS / dialect).glob("*.mlir")):
        text = path.read_text("utf-8")
        # Aliases and declarations, which the operation may name.
        alias, declaration = r"[#!]\w+ = .*", r"[a-z][\w. ]+ @[^{\n]*[^{(,\n]"
        first = "".join(re.findall(rf"^(?:{alias}|{declaration})\n", text, re.MULTILINE))
        for part in re.findall(r"^[a-z][^\n]*\{\n(?:(?!\}$).*\n)*\}$", text, re.MULTILINE):
            match = wanted.search(part)
            if match is None or match[1] not in known or "expected-" in first + part:
                continue
            shift = len(first)
            use = (match[2], match.start(2) + shift) if match.re.groups > 1 else ("", 0)
            found.append(Example(first + part, match[1], match.start(1) + shift, *use))
    return min(found, key=lambda one: len(one.text))


class Answers(NamedTuple):
    hover: str
    definition: str
    completions: list[str]
    problems: list[str]


async def ask(client: Any, folder: pathlib.Path, found: dict[str, Answers]) -> None:
    for dialect in DIALECTS:
        shown = example(dialect)
        editor = Editor(client, folder / f"{dialect}.mlir", shown.text)
        problems = await editor.problems()
        hover = await editor.hover(shown.name_at + len(dialect) + 2)
        definition = await editor.definition(shown.operand_at + 1) if shown.operand else None
        place = "" if definition is None else shown.text.splitlines()[definition.start.line][
            definition.start.character : definition.end.character
        ]  # fmt: skip
        completions = await editor.completions(shown.name_at + len(dialect) + 1)
        found[dialect] = Answers(hover or "", place, completions, problems)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answers]:
    found: dict[str, Answers] = {}
    folder = tmp_path_factory.mktemp("dialects")
    asyncio.run(session(lambda client: ask(client, folder, found)))
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect(dialect: str, answers: dict[str, Answers]) -> None:
    shown, said = example(dialect), answers[dialect]
    assert said.problems == []
    assert f"operation `{shown.operation}`" in said.hover
    assert said.definition == shown.operand
    assert set(operation_names(dialect)) <= set(said.completions)
