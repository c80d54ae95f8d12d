# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `host-sanitize` puts around tcgen05, as operations of the nvvm dialect and as intrinsics,
and around intrinsics of matrices that inline PTX becomes (`ldmatrix`, `stmatrix`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32

from xgpu.core.ir.errors import error
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.sanitizer.instrument.calls import WRITE, Instrumentation

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue


ASYNC = 64  # as `sanitizer_cells.FLAG_ASYNC`
_NOTHING = re.compile(r"tcgen05\.(wait|fence|relinq\w*|mma_smem_desc)(\..*)?")
#: Done some time later, in order among themselves.
_ASYNC = re.compile(r"tcgen05\.(mma|cp|shift)\b")
_COUNT = re.compile(r"\.x([124])(?:\.|$)")


def tensor_name(op: Operation) -> str | None:
    """The name of an operation or an intrinsic that `instrument_tensor` knows, as NVVM has it."""
    name = intrinsic_name(op) or (op.name[5:] if op.name.startswith("nvvm.tcgen05.") else "")
    name = name.removeprefix("ptx.")
    is_known = name.startswith("tcgen05.") or (
        op.name == "llvm.call_intrinsic" and name.startswith(("ldmatrix.", "stmatrix."))
    )
    return name if is_known else None


def instrument_tensor(made: Instrumentation, op: Operation, name: str) -> None:
    """Put calls around an operation. Raises `DiagnosticError` for what is not known."""
    if _NOTHING.fullmatch(name):
        return
    if name.startswith(("ldmatrix", "stmatrix")):
        _matrix(made, op, name)
    elif name.startswith("tcgen05.commit"):
        if len(op.operands) > 1:
            ranks = made.widened(op.operands[1], i32)
            made.checked(op, 0, "tensor_commits", made.info(op), ranks)
        else:
            made.checked(op, 0, "tensor_commit", made.info(op))
    else:
        if name.startswith("tcgen05.alloc"):
            _rows(made, op, made.info(op, WRITE, 4, 4), 1)
        made.call("tensor", [])
        made.rw.after(op)
        made.call("tensor_done", [made.info(op, ASYNC if _ASYNC.match(name) else 0)])


def _matrix(made: Instrumentation, op: Operation, name: str) -> None:
    """Each of the first lanes gives the address of a row of 16 bytes."""
    count = _COUNT.search(name)
    if count is None:
        raise error(op, f"the sanitizer does not know what '{name}' does to memory")
    rows = int(count[1]) * (16 if ".m16n16" in name else 8)
    flags = WRITE if name.startswith("stmatrix") else 0
    _rows(made, op, made.info(op, flags, 16, 16), rows)


def _rows(made: Instrumentation, op: Operation, info: SSAValue, lanes: int) -> None:
    known = made.root_operands(op.operands[0])
    made.checked(op, 0, "lane_rows", info, *known, made.constant(lanes, i32))
