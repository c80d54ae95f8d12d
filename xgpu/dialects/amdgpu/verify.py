# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's AMDGPUDialect.cpp verifies of the operations that we have."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, ArrayAttr, IntegerAttr, IntegerType, UnitAttr

from xgpu.core.ir.errors import op_error
from xgpu.dialects import amdgpu

_SHIFTS = frozenset({"row_shl", "row_shr", "row_ror"})


def verify_dpp(op: amdgpu.DppOp) -> None:
    """A kind of permutation needs an argument of its own kind, or none."""
    kind, argument, moved = op.kind.data, op.perm_argument, op.results[0].type
    if not isinstance(moved, AnyFloat | IntegerType):
        raise op_error(op, "moves integers and floating-point numbers only")  # MLIR crashes
    if moved.bitwidth > 64:
        raise op_error(op, "integer and floating point types larger than 64 bits are not supported")
    if kind == "quad_perm":
        if not isinstance(argument, ArrayAttr) or len(argument.data) != 4:
            raise op_error(op, "quad_perm attribute must have exactly 4 elements")
        for item in argument.data:
            if not isinstance(item, IntegerAttr) or not 0 <= item.value.data <= 3:
                raise op_error(op, "Each element of quad_perm must be in the range [0, 3]")
    elif kind in _SHIFTS:
        if argument is None:
            raise op_error(op, f"Attribute '{kind}' value not specified")
        if isinstance(argument, IntegerAttr) and not 1 <= argument.value.data <= 15:
            raise op_error(op, "Attribute value must be between 1 and 15")
    elif argument is not None and not isinstance(argument, UnitAttr):
        raise op_error(
            op, "Expected unit attribute for permArgument, but found non-trivial argument"
        )


VERIFY = {"amdgpu.dpp": verify_dpp}
