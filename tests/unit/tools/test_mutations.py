# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests notice when a line of the compiler breaks: `tools/mutate.py` on `tests/mutations`."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def load_tool() -> Any:
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools" / "mutate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate"] = module  # where its dataclass looks for its module
    spec.loader.exec_module(module)
    return module


mutate = load_tool()
MUTATIONS = mutate.mutations()


@pytest.fixture(scope="module")
def tree() -> Iterator[Any]:
    with mutate.Tree() as found:
        yield found


def test_the_list_is_long_enough_and_each_name_is_there_once() -> None:
    names = [m.name for m in MUTATIONS]
    assert len(names) >= 20
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_fits_the_code(mutation: Any) -> None:
    mutation.check(ROOT)


@pytest.mark.exhaustive
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_is_caught(mutation: Any, tree: Any) -> None:
    assert tree.passes(mutation.tests), "the tests fail without the mutation"
    assert tree.catches(mutation)


def test_a_mutation_names_one_line() -> None:
    text = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"

    def mutation(after: str, old: str = "return 1") -> Any:
        return mutate.Mutation("m", "f.py", old, "return 2", (), after)

    assert mutation("def g").applied(text) == text[:-2] + "2\n"
    with pytest.raises(mutate.Unfit, match="2 times"):
        mutation("").applied(text)
    with pytest.raises(mutate.Unfit, match="0 times"):
        mutation("", "return 3").applied(text)
    with pytest.raises(mutate.Unfit, match="no line with 'def h'"):
        mutation("def h").applied(text)
