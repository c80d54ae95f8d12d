# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests may need, which of them run, and how they say why they are skipped."""

from __future__ import annotations

import atexit
import gc
import os
import pathlib
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest
from hypothesis import is_hypothesis_test, settings
from reference import NO_REFERENCE, asks_for_reference, has_gpu, llvm_bin, llvm_tool

from tests.support.processes import import_llvm_here

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

# How long an example takes depends on what else the machine does.
settings.register_profile("xgpu", deadline=None)

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true",
        help="also run many more cases, random programs and stress",
    )  # fmt: skip
    parser.addoption("--long-only", action="store_true", help="run only what --long adds")
    parser.addoption(
        "--exhaustive", action="store_true",
        help="also run every case and mutation, for hours: what --long has samples of",
    )  # fmt: skip
    parser.addoption(
        "--reference-users", action="store_true",
        help="run only tests that ask for mlir-opt 22: all others are the same without it",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """One cache for all processes of a run, empty at first: what one test has had compiled, others
    load. It says nothing about earlier runs, and leaves nothing in the user's own. Where Python is
    to write no bytecode beside its sources, it is beside pytest's own cache: without any, each tool
    that a test starts compiles a hundred modules, and each run all tests."""
    settings.load_profile("xgpu")
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="xgpu-tests-cache-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ["XDG_CACHE_HOME"] = folder
        os.environ["XGPU_HOST_DEFECTS"] = "raise"  # not hidden behind a slower strategy
        if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
            kept = getattr(config, "cache", None)
            sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(
                kept.mkdir("bytecode") if kept is not None else f"{folder}/bytecode"
            )
            sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many processes as there are cores; none besides this one

    * for a few files or tests that are named, which mostly take less time than processes to start;
    * for tests/gpu alone: they have one GPU, and an order;
    * where output is not captured, which processes cannot pass on.
    """
    paths = [pathlib.Path(argument.partition("::")[0]).resolve() for argument in config.args]
    is_short = len(paths) <= 3 and all(path.is_file() for path in paths)
    is_gpu = all(path.is_relative_to(ROOT / "tests" / "gpu") for path in paths)
    return 0 if is_short or is_gpu or config.getoption("capture") == "no" else None


#: How many of the tests that are asked for run with --long only, where no other is.
_ONLY_LONG = pytest.StashKey[int]()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    if config.getoption("--reference-users"):
        items[:] = [item for item in items if asks_for_reference(item)]
    # Random examples; hypothesis reads all sources for constants before the first.
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker("long")
    _sample(items)
    if config.getoption("--long-only"):
        items[:] = [item for item in items if item.get_closest_marker("long")]
    result = yield  # `-k` and the like
    # Thousands: a skipped test costs some milliseconds, a deselected one none.
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        (left_out if is_left_out(item, config) else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
        config.stash[_ONLY_LONG] = 0 if kept else len(left_out)
    for item in items:
        if item.get_closest_marker("parity") and llvm_bin() is None:
            item.add_marker(pytest.mark.skip(reason=NO_REFERENCE))
        if item.get_closest_marker("gpu") and not has_gpu():
            item.add_marker(pytest.mark.skip(reason="needs an NVIDIA GPU and cuda-python"))
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["only_long"] = session.config.stash.get(_ONLY_LONG, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    found = getattr(node, "workeroutput", {}).get("only_long", 0)
    node.config.stash[_ONLY_LONG] = found


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Where no test has run, say so if some would have with --long."""
    left_out = config.stash.get(_ONLY_LONG, 0)
    if left_out:
        terminalreporter.write_line(f"{left_out} of the tests that are asked for run with --long")


def _sample(items: list[pytest.Item]) -> None:
    """Mark as long what `sampled` leaves out: of the cases of a test that are not long the first
    one of each n stays."""
    places: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        test, bracket, _ = item.nodeid.partition("[")
        if mark is None or not bracket or item.get_closest_marker("long"):
            continue
        if places[test] % mark.args[0]:
            item.add_marker("long")
        places[test] += 1


def is_left_out(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a test is one of many and runs with --long or --exhaustive only."""
    if item.get_closest_marker("exhaustive") and not config.getoption("--exhaustive"):
        return True
    return item.get_closest_marker("long") is not None and not runs_long(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collection makes hundreds of thousands of objects that stay: looking for garbage among them
    takes a seventh of its time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What is there now lives until the end: the garbage collector need not look at it. With that
    and fewer collections, tests in Python take a tenth less."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure() -> None:
    """At the end of Python all is collected: libraries print a list of what is alive behind them.
    Not before that: pytest looks for garbage several times, and need not look at all tests."""
    atexit.register(gc.unfreeze)


def runs_long(config: pytest.Config) -> bool:
    """Whether this is a run of more than the default."""
    return any(map(config.getoption, ("--long", "--long-only", "--exhaustive")))


@pytest.fixture(scope="session")
def mlir_opt() -> str:
    """The path of mlir-opt 22."""
    return needed("mlir-opt")


@pytest.fixture(scope="session")
def mlir_translate() -> str:
    """The path of mlir-translate 22."""
    return needed("mlir-translate")


def needed(name: str) -> str:
    tool = llvm_tool(name)
    if tool is None:
        pytest.skip(NO_REFERENCE.replace("mlir-opt", name))
    return str(tool)


@pytest.fixture
def llvm_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """See `import_llvm_here`."""
    import_llvm_here(monkeypatch)


@pytest.fixture(scope="session")
def examples() -> pathlib.Path:
    """The folder of the example programs."""
    return ROOT / "examples"
