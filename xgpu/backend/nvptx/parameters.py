# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which parameters a kernel may have in PTX (PTX ISA, "Kernel Function Parameters").

LLVM writes integers of fewer than 64 bits as `.u33`, which no assembler takes, and ends the process
at those between 64 and 128 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from xgpu.ir.errors import op_error

if TYPE_CHECKING:
    from xgpu.dialects.llvm import LLVMFunctionType


#: Bits of integers that PTX has types for; from 128 on they are arrays of bytes.
_WIDTHS = (1, 8, 16, 32, 64)


def check_parameters(module: Operation) -> None:
    """An error at a kernel with a parameter that has no form."""
    for op in module.walk():
        if op.name != "llvm.func" or not _is_kernel(op):
            continue
        kind = cast("LLVMFunctionType", op.properties["function_type"])
        for index, type_ in enumerate(kind.arguments):
            width = type_.width.data if isinstance(type_, IntegerType) else 64
            if width < 128 and width not in _WIDTHS:
                raise op_error(
                    op,
                    f"argument #{index} of a kernel has the type 'i{width}', which PTX has no "
                    f"parameters of: use one of {', '.join(f'i{w}' for w in _WIDTHS)} or 'i128'",
                )


def _is_kernel(op: Operation) -> bool:
    return "nvvm.kernel" in op.attributes or "gpu.kernel" in op.attributes
