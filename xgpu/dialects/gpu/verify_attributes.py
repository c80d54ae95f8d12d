# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What discardable gpu attributes demand of the operation that carries them.

`gpu.container_module` on a module makes every launch in its functions name a kernel that exists and
fits. Source: GPUDialect::verifyOperationAttribute of MLIR 22.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.gpu.launch_syntax import symbol

if TYPE_CHECKING:
    from xdsl.dialects.builtin import FunctionType

    from xgpu.dialects import gpu


_FUNCTIONS = frozenset({"gpu.func", "func.func", "llvm.func", "async.func"})


def verify_known_size(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, DenseArrayBase) or value.elt_type != IntegerType(32):
        raise op_error(op, f"{name} must be a dense i32 array")
    if len(value) != 3:
        raise op_error(op, f"{name} must contain exactly 3 elements")


def verify_container_module(op: Operation, name: str, value: Attribute) -> None:
    if not isinstance(value, UnitAttr):
        return
    if op.name != "builtin.module":
        raise error(op, f"expected '{name}' attribute to be attached to 'builtin.module'")
    symbols = _symbols(op)
    for function in _operations(op):
        for region in function.regions:
            for block in region.blocks:
                for launch in block.ops:
                    _check_launches(launch, function, symbols)


def _check_launches(op: Operation, function: Operation, symbols: dict[str, Operation]) -> None:
    """Launches directly inside a function, and, as MLIR has it, no deeper ones."""
    if op.name == "gpu.launch_func":
        verify_kernel_reference(cast("gpu.LaunchFuncOp", op), symbols)


def verify_kernel_reference(op: gpu.LaunchFuncOp, symbols: dict[str, Operation]) -> None:
    """Checks that a launch names a kernel with as many arguments, and of the same types."""
    reference = cast("Attribute | None", op.properties.get("kernel"))  # not verified yet
    if not isinstance(reference, SymbolRefAttr):
        return
    shown = "::".join(
        f"@{part.data}" for part in (reference.root_reference, *reference.nested_references.data)
    )
    container_name = reference.root_reference.data
    container = symbols.get(container_name)
    if container is None:
        raise op_error(op, f"kernel container '{container_name}' is undefined")
    if container.name == "gpu.binary":
        return
    if container.name != "gpu.module":
        raise op_error(op, f"kernel module '{container_name}' is undefined")
    nested = reference.nested_references.data
    kernel = _symbols(container).get(nested[0].data) if len(nested) == 1 else None
    if kernel is None:
        raise op_error(op, f"kernel function '{shown}' is undefined")
    if kernel.name not in _FUNCTIONS:
        raise op_error(
            op,
            f"referenced kernel '{shown}' is not a function",
            [(kernel.location, "see the kernel definition here")],
        )
    if "gpu.kernel" not in kernel.attributes:
        raise op_error(op, "kernel function is missing the 'gpu.kernel' attribute")
    if kernel.name != "gpu.func":
        return
    inputs = cast("FunctionType", kernel.properties["function_type"]).inputs.data
    operands = op.kernel_operands
    if len(inputs) != len(operands):
        raise op_error(op, f"got {len(operands)} kernel operands but expected {len(inputs)}")
    for i, (expected, operand) in enumerate(zip(inputs, operands, strict=True)):
        if operand.type != expected:
            raise op_error(op, f"type of function argument {i} does not match")


def _operations(op: Operation) -> list[Operation]:
    return [o for region in op.regions for block in region.blocks for o in block.ops]


def _symbols(op: Operation) -> dict[str, Operation]:
    return {name: o for o in _operations(op) if (name := symbol(o))}


#: Discardable attribute name -> fn(op, name, value).
VERIFY_ATTRIBUTES = {
    "gpu.container_module": verify_container_module,
    "gpu.known_block_size": verify_known_size,
    "gpu.known_grid_size": verify_known_size,
}
