# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a process leaves for `xgpu-cuda` at its end: findings of the sanitizer, what was not given
back, and the timeline."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from xgpu.api.cuda_driver.state import Driver
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.sanitizer.reports import watch
from xgpu.host_device.sanitizer.reports.findings import as_json, as_sarif


def write_records(driver: Driver) -> None:
    """Write `PID.json`, which says how many findings there are and what is alive, and the reports,
    into the folder that the settings name."""
    where = driver.settings.records
    if not where or not driver.is_initialized or driver.is_forked:
        return
    watched = watch.current()
    found = []
    if watched is not None:
        with contextlib.suppress(DeviceError):
            watched.settle()
        found = watched.found()
    base = Path(where) / str(os.getpid())
    record = {"process": os.getpid(), "findings": len(found), "alive": driver.leftovers()}
    with contextlib.suppress(OSError):
        base.with_suffix(".json").write_text(json.dumps(record))
        if found:
            base.with_suffix(".findings.json").write_text(as_json(found))
            base.with_suffix(".findings.sarif").write_text(as_sarif(found))
        if driver.session.events is not None:
            base.with_suffix(".trace.json").write_text(json.dumps(driver.session.events))
