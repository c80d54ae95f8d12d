# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest in a client's process: takes every Nth test, and writes a line of JSON a test.

XGPU_SUITE_REPORT is the file, XGPU_SUITE_EVERY is N, XGPU_SUITE_FIRST which of N is taken;
XGPU_SUITE_LEFT_OUT has tests that are not run, a line each.
"""

from __future__ import annotations

import json
import os
import zlib

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    every = int(os.environ.get("XGPU_SUITE_EVERY", "1"))
    first = int(os.environ.get("XGPU_SUITE_FIRST", "0"))
    left_out = tuple(os.environ.get("XGPU_SUITE_LEFT_OUT", "").splitlines())
    chosen, left = [], []
    for item in items:
        is_chosen = zlib.crc32(item.nodeid.encode()) % every == first
        is_chosen = is_chosen and not item.nodeid.endswith(left_out)
        (chosen if is_chosen else left).append(item)
    items[:] = chosen
    config.hook.pytest_deselected(items=left)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test that passes has a report of its call, any other one of the step that ended it."""
    path = os.environ.get("XGPU_SUITE_REPORT")
    if path is None or "PYTEST_XDIST_WORKER" in os.environ:
        return
    if report.passed and report.when != "call" and not hasattr(report, "wasxfail"):
        return
    line = {
        "test": report.nodeid, "outcome": _outcome(report), "seconds": report.duration,
        "text": "" if report.passed else _last_line(report),
    }  # fmt: skip
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    path = os.environ.get("XGPU_SUITE_REPORT")
    if path is None or not report.failed or "PYTEST_XDIST_WORKER" in os.environ:
        return
    text = str(report.longrepr).strip().splitlines()[-1]
    line = {"test": report.nodeid, "outcome": "not collected", "seconds": 0.0, "text": text}
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _outcome(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return "expected to fail" if report.skipped else "passed"
    return report.outcome


def _last_line(report: pytest.TestReport) -> str:
    """What the test or its skip says, in a line."""
    found = report.longrepr
    if isinstance(found, tuple):
        return str(found[2]).strip().splitlines()[0]
    crash = getattr(found, "reprcrash", None)
    text = str(getattr(crash, "message", found)).strip()
    return text.splitlines()[0] if text else ""
