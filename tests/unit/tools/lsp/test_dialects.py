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

from tests.support.editor import COMMAND, Editor, session
from tests.support.reference import NO_REFERENCE, llvm_tool
from tools.compare_language_servers import answers, rows
from xgpu.core.bytecode.properties import is_known_to_mlir
from xgpu.core.ods.registry import op_spec, operation_names
from xgpu.core.syntax.table_context import dialect_names

TEXTS = pathlib.Path(__file__).parents[3] / "filecheck/dialects"

#: Dialects with operations of the tables (those of builtin are xDSL's).
DIALECTS = [name for name in dialect_names() if name != "builtin" and operation_names(name)]


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
    known = {name: op_spec(name) for name in operation_names(dialect)}
    has_operands = any(spec is not None and spec.operands for spec in known.values())
    operand = r"[^\n{=]*?(%[a-zA-Z]\w*|%\d+)" if has_operands else r""
    wanted = re.compile(place + operand, re.MULTILINE)
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
    assert found, (
        f"{TEXTS / dialect}/*.mlir: no operation of {dialect} stands alone in a line of a function"
    )
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
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answers]:
    found: dict[str, Answers] = {}
    folder = tmp_path_factory.mktemp("dialects")
    asyncio.run(session(lambda client: ask(client, folder, found)))
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect(dialect: str, said: dict[str, Answers]) -> None:
    shown, answer = example(dialect), said[dialect]
    assert answer.problems == []
    assert f"operation `{shown.operation}`" in answer.hover
    assert answer.definition == shown.operand
    assert set(operation_names(dialect)) <= set(answer.completions)


def has_ours(dialect: str) -> bool:
    """Whether MLIR 22 lacks an operation of the dialect's text."""
    names = re.findall(rf"\b{dialect}\.[\w.]+\w", example(dialect).text)
    return not all(is_known_to_mlir(name) for name in names if op_spec(name) is not None)


#: Within a name that is being defined, mlir-lsp-server offers types and dialects; an operation that
#: it does not know is a problem for it alone.
ELSEWHERE = ("completion", "code actions of a problem")


@pytest.mark.long
@pytest.mark.parity
@pytest.mark.skipif(llvm_tool("mlir-lsp-server") is None, reason=NO_REFERENCE)
def test_what_the_server_of_mlir_answers_is_answered(tmp_path: pathlib.Path) -> None:
    files: list[pathlib.Path] = []
    for dialect in DIALECTS:
        if not has_ours(dialect):
            files.append(tmp_path / f"{dialect}.mlir")
            files[-1].write_text(example(dialect).text)
    ours, theirs = (answers(c, files) for c in (COMMAND, [str(llvm_tool("mlir-lsp-server"))]))
    print("\n".join(rows(ours, theirs)))
    less = [name for name in ours if ours[name][0] < theirs[name][0]]
    assert [name for name in less if name not in ELSEWHERE] == []
    assert theirs["hover on a value"][0] > 20
