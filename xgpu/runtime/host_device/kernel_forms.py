# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which form kernels get on this device: the fastest that applies, or the one that was asked for.

`report` is told of each kernel and size of its blocks, when code for it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.ir.errors import DeviceError
from xgpu.runtime.device import format_dims

if TYPE_CHECKING:
    from xgpu.backend.host.kept_code import KernelCode
    from xgpu.backend.host.objects import Specialized

Dims = tuple[int, int, int]

#: What `--kernel-form` may say.
FORMS = ("auto", "block-loops", "threads")


class KernelForms:
    __slots__ = ("forced", "report")

    def __init__(self, forced: str = "auto", report: Callable[[str], None] | None = None) -> None:
        self.forced = forced
        self.report = report

    def choose(
        self,
        source: KernelCode,
        kernel: str,
        block: Dims,
        opt_level: int,
        is_small: bool = True,
    ) -> Specialized | None:
        """What runs blocks of that size, or None for threads by themselves.

        Raises `DeviceError` where the kernel does not have the form that was asked for.
        """
        if self.forced == "threads":
            self.tell(kernel, block, "threads", "it was asked for", None)
            return None
        found = source.specialized(kernel, block, opt_level, is_small)
        self.tell(kernel, block, found.form, found.reason, found.place)
        if found.code is not None:
            return found
        if self.forced != "auto":
            where = f"{found.place}: " if found.place else ""
            raise DeviceError(
                f"{where}kernel '{kernel}' has no form '{self.forced}': {found.reason}"
            )
        return None

    def tell(
        self, kernel: str, block: Dims, form: str, reason: str | None, place: str | None
    ) -> None:
        if self.report is None:
            return
        where = f" ({place})" if place else ""
        why = f", not block-loops: {reason}{where}" if reason else ""
        self.report(f"kernel '{kernel}', blocks of {format_dims(*block)}: {form}{why}")
