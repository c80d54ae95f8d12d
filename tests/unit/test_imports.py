# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is imported for type checkers alone is not used when a program runs.

Type checkers do not see that: to them the name is there. Python says so when it comes by.
"""

from __future__ import annotations

import ast
import dis
import pathlib
from collections.abc import Iterator
from types import CodeType

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FILES = [
    path for folder in ("xgpu", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")
]


class _AtRunTime(ast.NodeTransformer):
    """Takes what `if TYPE_CHECKING:` guards out of a module, and keeps the names that it binds."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            return self.generic_visit(node)
        for part in (inner for statement in node.body for inner in ast.walk(statement)):
            if isinstance(part, ast.alias):
                self.names[(part.asname or part.name).partition(".")[0]] = node.lineno
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.names[part.id] = node.lineno
        return node.orelse or [ast.copy_location(ast.Pass(), node)]


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)


def only_for_checkers(text: str) -> set[str]:
    """Names that code of a module looks up when it runs, though only checkers are given them."""
    keeper = _AtRunTime()
    # Annotations are not looked up: each file says `from __future__ import annotations`.
    code = compile(ast.fix_missing_locations(keeper.visit(ast.parse(text))), "module", "exec")
    bound = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
    used = {i.argval for i in _instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return (used & keeper.names.keys()) - bound


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(x: A) -> A: return x", set()),
        ("def f(x): return isinstance(x, A)", {"A"}),
        ("def f(x):\n    from m import A\n    return isinstance(x, A)", set()),
        ("x = [A for _ in ()]", {"A"}),
        ("class C(A): pass", {"A"}),
        ("from n import A\nx = A", set()),
    ],
)
def test_uses_are_seen(text: str, names: set[str]) -> None:
    head = "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
    assert only_for_checkers(f"{head}if TYPE_CHECKING:\n    from m import A\n{text}") == names


def test_names_for_checkers_are_not_used_when_running() -> None:
    found = {
        str(path.relative_to(ROOT)): sorted(names)
        for path in FILES
        if (names := only_for_checkers(path.read_text(encoding="utf-8")))
    }
    assert not found
