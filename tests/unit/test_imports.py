# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is imported for type checkers alone is not used when a program runs.

Type checkers do not see that: to them the name is there. Python says so when it comes by.
"""

from __future__ import annotations

import ast
import dis
import pathlib
from collections.abc import Iterable, Iterator
from types import CodeType

import pytest

ROOT = pathlib.Path(__file__).parents[2]
FILES = [
    path for folder in ("xgpu", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")
]


def _is_for_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def _bound(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that statements bind."""
    for part in (inner for statement in nodes for inner in ast.walk(statement)):
        if isinstance(part, ast.alias):
            yield (part.asname or part.name).partition(".")[0]
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _looked_up(code: CodeType) -> set[str]:
    """Names that code looks up among those of its module."""
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    return {i.argval for i in dis.get_instructions(code) if i.opname in loads}


def only_for_checkers(text: str) -> set[str]:
    """Names that code of a module looks up when it runs, though only checkers are given them."""
    tree = ast.parse(text)
    names: set[str] = set()
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.If) and _is_for_checkers(node):
            names.update(_bound(node.body))
            body += node.orelse
        else:
            body.append(node)
    if not names:
        return set()
    # Annotations are not looked up: each file says `from __future__ import annotations`.
    code = compile(ast.Module(body, []), "module", "exec")
    found: set[str] = set()
    for inner in _codes(code):
        if not names.isdisjoint(inner.co_names):  # of attributes too
            found |= names & _looked_up(inner)
    if found:
        found -= {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
    return found


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


@pytest.mark.long
def test_names_for_checkers_are_not_used_when_running() -> None:
    found = {
        str(path.relative_to(ROOT)): sorted(names)
        for path in FILES
        if "TYPE_CHECKING" in (text := path.read_text(encoding="utf-8"))
        and (names := only_for_checkers(text))
    }
    assert not found
