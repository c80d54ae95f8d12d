# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tables of a dialect's handwritten functions are looked for."""

from importlib import import_module
from pathlib import Path

import pytest

import xgpu.dialects
from xgpu.core.ods.registry import hooks

#: The tables that are asked for, and the module of their kind.
KINDS = {
    "ATTRIBUTES": "attributes",
    "BLOCK_ARGUMENT_NAMES": "syntax",
    "COMPATIBLE": "verify",
    "DIRECTIVES": "syntax",
    "EFFECTS": "ops",
    "FOLD": "fold",
    "FOLD_USES": "fold",
    "INFER": "verify",
    "NAMES": "syntax",
    "PARAMETERS": "attributes",
    "PARSE": "syntax",
    "PATTERNS": "canonicalize",
    "PRINT": "syntax",
    "UNKNOWN": "types",
    "VERIFY": "verify",
    "VERIFY_ARGUMENT_ATTRIBUTES": "verify",
    "VERIFY_ATTRIBUTES": "verify",
    "VERIFY_PARAMETERS": "attributes",
    "VERIFY_REGIONS": "verify",
}
MODULES = sorted(
    f"{path.parent.name}.{path.stem}"
    for path in Path(xgpu.dialects.__path__[0]).glob("*/*.py")
    if path.stem != "__init__"
)


@pytest.mark.parametrize("name", MODULES)
def test_tables_are_found(name: str) -> None:
    """No table is in a module where it is not looked for, or hidden by another one."""
    module = import_module(f"xgpu.dialects.{name}")
    dialect = name.partition(".")[0].rstrip("_")
    for table in KINDS.keys() & vars(module).keys():
        assert hooks(dialect, KINDS[table], table) is getattr(module, table), table


def test_tables_of_small_dialects() -> None:
    assert "func.call" in hooks("func", "verify", "VERIFY")
    assert "func.func" in hooks("func", "syntax", "PARSE")


def test_tables_beside_the_module_of_their_kind() -> None:
    """`vector` has `verify`, but its inferred result types are in `ops`."""
    assert "vector.extract" in hooks("vector", "verify", "INFER")
    assert "vector.extract" in hooks("vector", "verify", "VERIFY")


def test_missing_tables() -> None:
    assert not hooks("func", "fold", "FOLD")
    assert not hooks("no_such_dialect", "fold", "FOLD")
