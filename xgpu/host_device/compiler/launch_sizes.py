# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With which sizes of blocks a program launches its kernels, where they are constants.

Code for these sizes is made when the program's modules are loaded, not when a launch waits for it.
A hint: a size that is not found here costs time at the first launch, nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.construction import nested_operations

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerAttr, SymbolRefAttr


_LAUNCHES = {"mgpuLaunchKernel": 4, "mgpuLaunchClusterKernel": 7}


def block_sizes(program: Operation) -> dict[tuple[str, str], list[tuple[int, int, int]]]:
    """(module, kernel) -> sizes, from the launches that are calls of the runtime's functions."""
    kernels: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    everything = nested_operations(program)
    for op in everything:
        if op.name == "llvm.mlir.global" and "mgpu.kernel" in op.attributes:
            reference = cast("SymbolRefAttr", op.attributes["mgpu.kernel"])
            path = (reference.root_reference.data, reference.nested_references.data[0].data)
            kernels[text_of(op.properties["sym_name"])] = path
    for op in everything:
        if op.name != "llvm.call":
            continue
        callee = cast("SymbolRefAttr | None", op.properties.get("callee"))
        first = _LAUNCHES.get(callee.root_reference.data) if callee is not None else None
        if first is None:
            continue
        kernel = kernels.get(_global(op.operands[0]) or "")
        size = [_constant(v) for v in op.operands[first : first + 3]]
        if kernel is not None and None not in size:
            sizes = found.setdefault(kernel, [])
            if tuple(size) not in sizes:
                sizes.append(tuple(size))  # type: ignore[arg-type]
    return found


def _definition(value: SSAValue) -> Operation | None:
    """What defines a value, behind casts that await their partner."""
    owner = value.owner
    while not isinstance(owner, Block) and owner.name == "builtin.unrealized_conversion_cast":
        owner = owner.operands[0].owner
    return None if isinstance(owner, Block) else owner


def _global(function: SSAValue) -> str | None:
    """The global that holds a kernel, of the value that a launch is given."""
    load = _definition(function)
    if load is None or load.name != "llvm.load":
        return None
    address = _definition(load.operands[0])
    if address is None or address.name != "llvm.mlir.addressof":
        return None
    return cast("SymbolRefAttr", address.properties["global_name"]).root_reference.data


def _constant(value: SSAValue) -> int | None:
    op = _definition(value)
    if op is None or op.name not in ("llvm.mlir.constant", "arith.constant"):
        return None
    number = op.properties["value"]
    return cast("IntegerAttr", number).value.data if hasattr(number, "value") else None
