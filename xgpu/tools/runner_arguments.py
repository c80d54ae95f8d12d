# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the command line of xgpu-runner says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


class Arguments:
    """The command line, understood."""

    __slots__ = ("debug", "device", "entry", "entry_named", "explain", "form", "forms", "input",
                 "libraries", "opt_level", "orders", "report", "result", "sanitize",
                 "sanitize_report", "schedules", "seed", "show", "timeline", "trace")  # fmt: skip

    def __init__(self) -> None:
        self.input = "-"
        self.entry = "main"
        self.entry_named = False
        self.result = "auto"
        self.device = "auto"
        self.opt_level = 2
        self.report = False
        self.explain = False
        self.form = "auto"
        self.forms = False
        self.trace: str | None = None
        self.timeline: str | None = None
        self.schedules: int | None = None
        self.orders = "streams"
        self.sanitize: list[str] | None = None
        self.sanitize_report: str | None = None
        self.seed = 0
        self.libraries: list[str] = []
        self.debug = False
        self.show: str | None = None
