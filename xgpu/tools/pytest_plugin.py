# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin for pytest: what the sanitizer finds fails a test.

pytest --xgpu-sanitize                  every test, with its fixtures: what runs on the host device
                                        is watched
@pytest.mark.xgpu_sanitize("race")      this test only, and only races (default: all but leaks)
--xgpu-sanitize-schedules=8             each launch in eight other orders, too; of one test: an
                                        argument of the mark, schedules=8
def test(xgpu_sanitize): ...            a fixture: `xgpu_sanitize(text)` runs a program and
                                        fails with what was found

Under `xgpu-cuda` the devices outlive the tests, so that the process is watched as a whole, and each
test fails by what it has added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

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
    group.addoption(
        "--xgpu-sanitize-schedules", type=int, default=0, metavar="N",
        help="run each launch of a watched test in up to N other orders, too (default: 0)",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(*kinds, schedules=0): run the test's programs of xgpu under the sanitizer",
    )
    schedules = int(str(config.getoption("--xgpu-sanitize-schedules")))
    if schedules < 0:
        raise pytest.UsageError(f"--xgpu-sanitize-schedules is {schedules}, expected 0 or more")
    if _UNDER_DRIVER not in os.environ:
        return
    if schedules:
        raise pytest.UsageError("--xgpu-sanitize-schedules: not under xgpu-cuda")
    if not config.getoption("--xgpu-sanitize"):
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


class _Watch(NamedTuple):
    """What to look for in a test, and in how many other orders its launches run."""

    kinds: tuple[object, ...]
    schedules: object


def _asked(item: pytest.Item) -> _Watch | None:
    """How a test is watched; None: it is not."""
    config = item.config
    schedules = config.getoption("--xgpu-sanitize-schedules")
    marker = item.get_closest_marker(_MARKER)
    if marker is not None:
        return _Watch(marker.args, marker.kwargs.get("schedules", schedules))
    if not config.getoption("--xgpu-sanitize"):
        return None
    return _Watch(_kinds_of_option(config), schedules)


def _check(asked: _Watch) -> tuple[tuple[str, ...], int]:
    """The kinds and the number of orders. Fails the test, in one line, for kinds that the sanitizer
    does not have, and other values than numbers."""
    from xgpu.core.ir.errors import UsageError
    from xgpu.driver.sanitizer import check_kinds

    wrong = [kind for kind in asked.kinds if not isinstance(kind, str)]
    if wrong:
        pytest.fail(f"{_MARKER}: kind is {wrong[0]!r}, expected a name", pytrace=False)
    schedules = asked.schedules
    if not isinstance(schedules, int) or schedules < 0:
        said = f"{_MARKER}: schedules is {schedules!r}, expected a number that is 0 or more"
        pytest.fail(said, pytrace=False)
    kinds = tuple(str(kind) for kind in asked.kinds)
    try:
        check_kinds(kinds)
    except UsageError as problem:
        pytest.fail(f"{_MARKER}: {problem}", pytrace=False)
    return kinds, schedules


def _watched(kinds: tuple[str, ...], schedules: int) -> AbstractContextManager[Watched]:
    """What watches a test."""
    from xgpu.driver.sanitizer import part_of_process, sanitized
    from xgpu.host_device.sanitizer.reports import watch

    if _UNDER_DRIVER not in os.environ:
        return sanitized(kinds, schedules=schedules)
    if watch.of_process() is None:
        pytest.fail(
            f"{_MARKER}: under xgpu-cuda a session is watched as a whole; use "
            "`xgpu-cuda --sanitize` or `pytest --xgpu-sanitize`", pytrace=False,
        )  # fmt: skip
    if schedules:
        pytest.fail(f"{_MARKER}: under xgpu-cuda there are no other orders", pytrace=False)
    return part_of_process(kinds)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    asked = _asked(item)
    if asked is None:
        return (yield)
    return (yield from _through(_watched(*_check(asked))))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _fixtures(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _fixtures(item))


def _fixtures(item: pytest.Item) -> Generator[None, Any, Any]:
    """Watches what fixtures do before a test and behind it. What is still there at the end of
    either is no leak. What is wrong with the kinds fails the test itself."""
    asked = _asked(item)
    if asked is None:
        return (yield)
    kinds = tuple(kind for kind in asked.kinds if kind != "leak")
    if asked.kinds and not kinds:
        return (yield)
    try:
        watched = _watched(*_check(_Watch(kinds, asked.schedules)))
    except pytest.fail.Exception:
        return (yield)
    return (yield from _through(watched))


def _through(watch: AbstractContextManager[Watched]) -> Generator[None, Any, Any]:
    """Runs what the hook wraps under a watch, and fails by what that has found."""
    with watch as watched:
        result = yield
        found = watched.findings()
    if found:
        pytest.fail(found.text(), pytrace=False)
    return result


@pytest.fixture
def xgpu_sanitize(pytestconfig: pytest.Config) -> Callable[..., object]:
    """Runs a program as `xgpu.sanitize` does, in as many orders as the option says if the call says
    nothing else, and fails the test with what was found."""
    from xgpu.driver.sanitizer import sanitize

    schedules: Any = pytestconfig.getoption("--xgpu-sanitize-schedules")

    def run(source: str | ModuleOp, **options: Any) -> object:
        options.setdefault("schedules", schedules)
        found = sanitize(source, **options)
        if found:
            pytest.fail(found.text(), pytrace=False)
        return found.value

    return run
