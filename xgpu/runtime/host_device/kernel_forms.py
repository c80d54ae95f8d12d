# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which form kernels get on this device: the fastest that applies, or the one that was asked for.

`report` is told of each kernel and size of its blocks, when code for it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xgpu.ir.errors import DeviceError
from xgpu.runtime.device import format_dims

if TYPE_CHECKING:
    from xgpu.backend.host.specialize import KernelSource

Dims = tuple[int, int, int]

#: What `--kernel-form` may say.
FORMS = ("auto", "block-loops", "threads")


class KernelForms:
    __slots__ = ("forced", "report")

    def __init__(self, forced: str = "auto", report: Callable[[str], None] | None = None) -> None:
        self.forced = forced
        self.report = report

    @property
    def is_natural(self) -> bool:
        """Whether nobody asked for a form, nor wants to hear of those that were chosen."""
        return self.forced == "auto" and self.report is None

    def choose(
        self,
        source: KernelSource,
        kernel: str,
        block: Dims,
        opt_level: int,
        is_small: bool = True,
    ) -> Any:
        """Object code and manifest for blocks of that size, or None for threads by themselves.

        Raises `DeviceError` where the kernel does not have the form that was asked for.
        """
        if self.forced == "threads":
            self.tell(kernel, block, "threads", "it was asked for", None)
            return None
        form, code = source.compile(kernel, block, opt_level, is_small)
        place = place_of(form.at)
        self.tell(kernel, block, form.name, form.reason, place)
        if code is None and self.forced != "auto":
            where = f"{place}: " if place else ""
            raise DeviceError(
                f"{where}kernel '{kernel}' has no form '{self.forced}': {form.reason}"
            )
        return code

    def tell(
        self, kernel: str, block: Dims, form: str, reason: str | None, place: str | None
    ) -> None:
        if self.report is None:
            return
        where = f" ({place})" if place else ""
        why = f", not block-loops: {reason}{where}" if reason else ""
        self.report(f"kernel '{kernel}', blocks of {format_dims(*block)}: {form}{why}")


def place_of(op: Any) -> str | None:
    """The place of an operation in its source, if that is known."""
    if op is None:
        return None
    from xgpu.ir.locations import place_of as known

    found = known(op.location)
    return None if found is None else f"{found[0]}:{found[1]}:{found[2]}"
