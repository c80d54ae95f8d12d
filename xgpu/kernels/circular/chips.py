# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a chip can do: which of it a plan asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr

from xgpu.core.ir.errors import error
from xgpu.dialects.gpu.ops import parent_of
from xgpu.kernels.circular.plan import ASYNC, BULK

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.kernels.circular.plan import Plan

#: The first chips with cp.async, with bulk copies and their barriers, and with setmaxnreg, which is
#: of one architecture only (PTX ISA, target notes of these instructions).
_ASYNC_FROM, _BULK_FROM = 80, 90


def chip_of(op: Operation) -> str:
    """The chip that the module of `op` is for, such as sm_90a; empty where it does not say."""
    module = op if op.name == "gpu.module" else parent_of(op, "gpu.module")
    targets = None if module is None else module.properties.get("targets")
    for target in targets.data if isinstance(targets, ArrayAttr) else ():
        chip = getattr(target, "chip", None)
        if chip is not None:
            return str(getattr(chip, "data", chip)).strip('"')
    return ""


def check_chip(plan: Plan) -> None:
    """Raises where the loop's chip is known, and lacks what the mode or the copies need."""
    chip = chip_of(plan.loop)
    digits = "".join(c for c in chip if c.isdigit())
    if not digits:
        return
    for means, first, words in (
        (ASYNC, _ASYNC_FROM, "asynchronous copies by threads"),
        (BULK, _BULK_FROM, "bulk copies and barriers that count their bytes"),
    ):
        group = next(iter(plan.of_kind(means)), None)
        if group is not None and int(digits) < first:
            raise error(
                group.loads[0].op,
                f"{words} begin with sm_{first}, but the kernel is for {chip}",
                [(plan.loop.location, "the loop is here")],
            )
    if plan.options.registers and not chip.endswith(("a", "f")):
        raise error(
            plan.loop,
            f"registers can be shared out between warps on sm_90a and the like, but the kernel is "
            f"for {chip}",
        )
