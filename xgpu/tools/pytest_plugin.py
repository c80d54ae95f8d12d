# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin for pytest: what the sanitizer finds fails a test.

pytest --xgpu-sanitize                  every test: what runs on the host device is watched
@pytest.mark.xgpu_sanitize("race")      this test only, and only races (default: all but leaks)
def test(xgpu_sanitize): ...            a fixture: `xgpu_sanitize(text)` runs a program and
                                        fails with what was found
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


_MARKER = "xgpu_sanitize"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("xgpu")
    group.addoption(
        "--xgpu-sanitize", action="store_true",
        help="watch what runs on the host device of xgpu with the sanitizer, and fail the tests in "
        "which it finds something",
    )  # fmt: skip
    group.addoption(
        "--xgpu-sanitize-kinds", default="", metavar="KIND,...",
        help="what to look for: memory, race, sync, init, leak, volatile (default: the first four)",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"{_MARKER}(*kinds): run the test's programs of xgpu under the sanitizer"
    )


def _kinds(item: pytest.Item) -> tuple[str, ...] | None:
    """What to look for in a test; None: it is not watched."""
    marker = item.get_closest_marker(_MARKER)
    if marker is not None:
        return marker.args
    if not item.config.getoption("--xgpu-sanitize"):
        return None
    kinds = str(item.config.getoption("--xgpu-sanitize-kinds"))
    return tuple(kind for kind in kinds.split(",") if kind)


def _check(kinds: tuple[object, ...]) -> None:
    """Fails the test, in one line, for kinds that the sanitizer does not have."""
    from xgpu.core.ir.errors import UsageError
    from xgpu.driver.sanitizer import check_kinds

    wrong = [kind for kind in kinds if not isinstance(kind, str)]
    if wrong:
        pytest.fail(f"{_MARKER}: kind is {wrong[0]!r}, expected a name", pytrace=False)
    try:
        check_kinds([str(kind) for kind in kinds])
    except UsageError as problem:
        pytest.fail(f"{_MARKER}: {problem}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    kinds = _kinds(item)
    if kinds is None:
        return (yield)
    from xgpu.driver.sanitizer import sanitized

    _check(kinds)
    with sanitized(kinds) as watched:
        result = yield
        found = watched.findings()
    if found:
        pytest.fail(found.text(), pytrace=False)
    return result


@pytest.fixture
def xgpu_sanitize() -> Callable[..., object]:
    """Runs a program as `xgpu.sanitize` does, and fails the test with what was found."""
    from xgpu.driver.sanitizer import sanitize

    def run(source: str | ModuleOp, **options: Any) -> object:
        found = sanitize(source, **options)
        if found:
            pytest.fail(found.text(), pytrace=False)
        return found.value

    return run
