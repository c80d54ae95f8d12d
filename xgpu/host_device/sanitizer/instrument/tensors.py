# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `host-sanitize` puts around tcgen05, as operations of the nvvm dialect and as intrinsics,
and around intrinsics of matrices that inline PTX becomes (`ldmatrix`, `stmatrix`, `wgmma`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32

from xgpu.core.ir.errors import error
from xgpu.host_device.compiler.raise_intrinsics import intrinsic_name
from xgpu.host_device.compiler.rules.wgmma import Product
from xgpu.host_device.sanitizer.instrument.calls import WRITE, Instrumentation

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue


ASYNC = 64  # as `sanitizer_cells.FLAG_ASYNC`
_NOTHING = re.compile(r"tcgen05\.(wait|fence|relinq\w*|mma_smem_desc)(\..*)?")
#: Done some time later, in order among themselves.
_ASYNC = re.compile(r"tcgen05\.(mma|cp|shift)\b")
#: Beginnings of the names of intrinsics of matrices.
_MATRICES = ("ldmatrix.", "stmatrix.", "wgmma.mma_async.")
_COUNT = re.compile(r"\.x([124])(?:\.|$)")


def tensor_name(op: Operation) -> str | None:
    """The name of an operation or an intrinsic that `instrument_tensor` knows, as NVVM has it."""
    name = intrinsic_name(op) or (op.name[5:] if op.name.startswith("nvvm.tcgen05.") else "")
    name = name.removeprefix("ptx.")
    is_known = name.startswith("tcgen05.") or (
        op.name == "llvm.call_intrinsic" and name.startswith(_MATRICES)
    )
    return name if is_known else None


def instrument_tensor(made: Instrumentation, op: Operation, name: str) -> None:
    """Put calls around an operation. Raises `DiagnosticError` for what is not known."""
    if _NOTHING.fullmatch(name):
        return
    if name.startswith(("ldmatrix", "stmatrix")):
        _matrix(made, op, name)
    elif name.startswith("wgmma"):
        _product(made, op, name)
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
        made.after(op)
        made.call("tensor_done", [made.info(op, ASYNC if _ASYNC.match(name) else 0)])


_ELEMENT_BYTES = {"f16": 2, "bf16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}


def _product(made: Instrumentation, op: Operation, name: str) -> None:
    """A product of a warpgroup, which reads A (unless it is in registers) and B from memory."""
    product = Product.of(f"ptx.{name}", op.operands, op.results[0].type)
    if product is None or product.is_sparse:
        raise error(op, f"the sanitizer does not know what '{name}' does to memory")
    if product.first not in _ELEMENT_BYTES:
        raise error(op, f"the sanitizer does not know what wgmma of {product.first} reads")
    in_registers = bool(product.registers)
    size = _ELEMENT_BYTES[product.first]
    shape = product.n | product.k << 16 | size << 32 | int(in_registers) << 40
    packed = made.integer(0, i32)
    for bit, layout in enumerate(product.transposed, int(in_registers)):
        given = made.widened(layout, i32)
        packed = made.binary("or", packed, made.binary("shl", given, bit))
    a = made.integer(0) if product.descriptor is None else product.descriptor
    b = made.widened(product.second_descriptor)
    made.call("wgmma", [a, b, made.info(op), made.integer(shape), packed])
    made.products.append(op)


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
    made.checked(op, 0, "lane_rows", info, *known, made.integer(lanes, i32))
