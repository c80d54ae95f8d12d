# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mgpu-verify-lifetimes`: proves that streams, events and graphs are used while they live.

On every path through a function each handle that the function makes, or is given by a call, is
destroyed exactly once or returned, and not used after. Handles that are arguments are the
caller's: they are used, and not destroyed. The state of a handle is what is true of it on some
path; a walk in the order of the program joins states where paths meet, and goes round loops until
nothing changes. A message names the handle, and as notes where it was made, where it ended, and the
branches between. xgpu's own.

    live       it can be used
    dead       it has been destroyed
    both       one or the other, by the path: an error wherever it is used or forgotten
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class MgpuVerifyLifetimes(Pass):
    name = "mgpu-verify-lifetimes"
    summary = "Prove that streams and events are used while they live, and destroyed once"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.async_tokens.lifetimes import check

        check(op)
