# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Only `xgpu/core/ir` names private fields of xDSL's objects; others ask
`xgpu/core/ir/construction.py`.

What a class has from xDSL's, and says by `self`, is its own.
"""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

import xdsl

ROOT = pathlib.Path(__file__).parents[2]
_SOURCES = pathlib.Path(xdsl.__file__ or "").parent
#: Where xDSL defines IR, parsers, printers and rewriters.
_WITH_FIELDS = ("ir", "irdl", "parser", "utils", "printer.py", "context.py", "rewriter.py")
#: A private name of something else than `self` and `cls`.
_ANOTHERS = re.compile(r"(?<!self)(?<!cls)\._[a-z]")


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and is_private(n.attr))


def defined_in(tree: ast.AST) -> set[str]:
    """Private names of methods, fields and slots that a file defines."""
    found = {node.attr for node in _attributes(tree) if _own(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)  # of __slots__
    return set(filter(is_private, found))


def test_private_fields_of_xdsl() -> None:
    theirs: set[str] = set()
    for path in _SOURCES.rglob("*.py"):
        if path.relative_to(_SOURCES).parts[0] in _WITH_FIELDS:
            theirs |= defined_in(ast.parse(path.read_text(encoding="utf-8")))
    assert {"_operands", "_next_op", "_current_token", "_type"} <= theirs
    found: list[str] = []
    for path in (ROOT / "xgpu").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent == ROOT / "xgpu" / "core" / "ir" or _ANOTHERS.search(text) is None:
            continue
        tree = ast.parse(text)
        foreign = theirs - defined_in(tree)
        found += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
            for node in _attributes(tree)
            if node.attr in foreign and not _own(node)
        ]
    assert not found, "\n".join(found)
