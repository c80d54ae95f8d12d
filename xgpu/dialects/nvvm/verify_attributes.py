# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What discardable nvvm attributes demand of the function, or the argument, that carries them.

Source: MLIR 22.1 NVVMDialect.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, UnitAttr
from xdsl.ir import Attribute

from xgpu.core.ir.errors import error

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation


def verify_kernel(op: Operation, name: str, value: Attribute) -> None:
    if op.name != "llvm.func":
        raise error(op, f"'{name}' attribute attached to unexpected op")


def verify_dimensions(op: Operation, name: str, value: Attribute) -> None:
    is_array = isinstance(value, DenseArrayBase)
    if not (is_array and value.elt_type == IntegerType(32) and 1 <= len(value) <= 3):
        raise error(op, f"'\"{name}\"' attribute must be integer array with maximum 3 index")


def verify_number(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, IntegerAttr):
        raise error(op, f"'\"{name}\"' attribute must be integer constant")


def verify_blocks_are_clusters(op: Operation, name: str, value: Attribute) -> None:
    if "nvvm.reqntid" not in op.attributes or "nvvm.cluster_dim" not in op.attributes:
        raise error(
            op,
            f"'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'",
        )


def verify_grid_constant(
    op: Operation, name: str, value: Attribute, others: dict[str, Attribute]
) -> None:
    if "nvvm.kernel" not in op.attributes:
        raise error(op, f"'\"{name}\"' attribute must be present only on kernel arguments")
    if not isinstance(value, UnitAttr):
        raise error(op, f"'\"{name}\"' must be a unit attribute")
    if "llvm.byval" not in others:
        raise error(
            op,
            f"'\"{name}\"' attribute requires the argument to also have attribute 'llvm.byval'",
        )


#: Discardable attribute name -> fn(op, name, value).
VERIFY_ATTRIBUTES: dict[str, Callable[[Operation, str, Attribute], None]] = {
    "nvvm.kernel": verify_kernel,
    "nvvm.maxntid": verify_dimensions,
    "nvvm.reqntid": verify_dimensions,
    "nvvm.cluster_dim": verify_dimensions,
    "nvvm.minctasm": verify_number,
    "nvvm.maxnreg": verify_number,
    "nvvm.cluster_max_blocks": verify_number,
    "nvvm.blocksareclusters": verify_blocks_are_clusters,
}
#: Attribute of a function's argument -> fn(op, name, value, all attributes of the argument).
VERIFY_ARGUMENT_ATTRIBUTES = {"nvvm.grid_constant": verify_grid_constant}
