# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin for pytest: what the sanitizer finds fails a test.

pytest --xgpu-sanitize                  every test: what runs on the host device is watched
@pytest.mark.xgpu_sanitize("race")      this test only, and only races (default: all but leaks)
def test(xgpu_sanitize): ...            a fixture: `xgpu_sanitize(text)` runs a program and
                                        fails with what was found

Under `xgpu-cuda` the devices outlive the tests, so that the process is watched as a whole, and each
test fails by what it has added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.driver.sanitizer import Watched


_MARKER = "xgpu_sanitize"
_UNDER_DRIVER = "XGPU_CUDA_RECORDS"  # what `xgpu-cuda` gives its programs


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
    if _UNDER_DRIVER not in os.environ or not config.getoption("--xgpu-sanitize"):
        return
    from xgpu.core.ir.errors import UsageError
    from xgpu.driver.sanitizer import check_kinds
    from xgpu.host_device.sanitizer.reports import watch

    if watch.of_process() is not None:
        return
    try:
        watch.watch_process(check_kinds(_kinds_of_option(config)))
    except UsageError as problem:
        raise pytest.UsageError(f"--xgpu-sanitize-kinds: {problem}") from None


def _kinds_of_option(config: pytest.Config) -> tuple[str, ...]:
    kinds = str(config.getoption("--xgpu-sanitize-kinds"))
    return tuple(kind for kind in kinds.split(",") if kind)


def _kinds(item: pytest.Item) -> tuple[str, ...] | None:
    """What to look for in a test; None: it is not watched."""
    marker = item.get_closest_marker(_MARKER)
    if marker is not None:
        return marker.args
    if not item.config.getoption("--xgpu-sanitize"):
        return None
    return _kinds_of_option(item.config)


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


def _watched(kinds: tuple[str, ...]) -> AbstractContextManager[Watched]:
    """What watches a test."""
    from xgpu.driver.sanitizer import part_of_process, sanitized
    from xgpu.host_device.sanitizer.reports import watch

    if _UNDER_DRIVER not in os.environ:
        return sanitized(kinds)
    if watch.of_process() is None:
        pytest.fail(
            f"{_MARKER}: under xgpu-cuda a session is watched as a whole; use "
            "`xgpu-cuda --sanitize` or `pytest --xgpu-sanitize`", pytrace=False,
        )  # fmt: skip
    return part_of_process(kinds)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    kinds = _kinds(item)
    if kinds is None:
        return (yield)
    _check(kinds)
    with _watched(kinds) as watched:
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
