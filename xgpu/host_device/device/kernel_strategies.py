# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which form kernels get on this device: the fastest that applies, or the one that was asked for.

`report` is told of each kernel and size of its blocks, when code for it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.errors import DeviceError
from xgpu.runtime.device import format_dims

if TYPE_CHECKING:
    from xgpu.host_device.compiler.kernel_cache import KernelCode
    from xgpu.host_device.compiler.objects import KernelInfo, Specialized, Why

Dims = tuple[int, int, int]

#: What `--kernel-form` may say.
FORMS = ("auto", "block-loops", "warps", "threads")


class KernelForms:
    __slots__ = ("forced", "report")

    def __init__(self, forced: str = "auto", report: Callable[[str], None] | None = None) -> None:
        self.forced = forced
        self.report = report

    def choose(
        self,
        source: KernelCode,
        info: KernelInfo,
        block: Dims,
        opt_level: int,
        is_small: bool = True,
    ) -> Specialized | None:
        """What runs blocks of that size, or None for threads by themselves.

        Raises `DeviceError` where the kernel does not have the form that was asked for.
        """
        kernel = info.name
        if self.forced == "threads":
            self._tell(info, block, "threads", "not block-loops or warps: it was asked for")
            return None
        found = source.specialized(kernel, block, opt_level, is_small, self.forced)
        self._tell(info, block, found.form, words(found.reasons))
        if found.code is not None:
            return found
        if self.forced != "auto":
            why = found.reasons[-1]
            where = f"{why.location}: " if why.location else ""
            raise DeviceError(f"{where}kernel '{kernel}' has no form '{self.forced}': {why.reason}")
        return None

    def _tell(self, info: KernelInfo, block: Dims, form: str, why: str) -> None:
        if self.report is None:
            return
        because = f", {why}" if why else ""
        # Kernels of several modules may have one name.
        place = f"{info.location}: " if info.location else ""
        module = f" (in gpu.module '{info.module}')" if info.module else ""
        sizes = format_dims(*block)
        self.report(f"{place}kernel '{info.name}', blocks of {sizes}: {form}{because}{module}")


def words(reasons: Sequence[Why]) -> str:
    """Why a kernel does not have faster forms; forms with one reason together."""
    forms: dict[str, list[str]] = {}
    for why in reasons:
        where = f" ({why.location})" if why.location else ""
        forms.setdefault(f"{why.reason}{where}", []).append(why.form)
    return ", ".join(f"not {' or '.join(names)}: {reason}" for reason, names in forms.items())
