# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which parameters a kernel may have in PTX (PTX ISA, "Kernel Function Parameters").

LLVM writes integers of fewer than 64 bits as `.u33`, which no assembler takes, and ends the process
at those between 64 and 128 bits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import Diagnostic, DiagnosticError, op_error
from xgpu.core.support.demangle import demangled

if TYPE_CHECKING:
    from xdsl.ir import LocationAttr, Operation

    from xgpu.dialects.llvm import LLVMFunctionType


#: Bits of integers that PTX has types for; from 128 on they are arrays of bytes.
_WIDTHS = (1, 8, 16, 32, 64)

#: Bytes of all parameters of a kernel: in any PTX, and from the version `MANY_PARAMETERS` (times
#: ten) on for chips from sm_70 on.
FEW_BYTES, MANY_BYTES = 4352, 32764
MANY_PARAMETERS = 81

_ENTRY = re.compile(r"\.entry\s+([\w$.]+)\(([^)]*)\)")
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.[a-z](\d+)[^,\[]*(?:\[(\d+)\])?")


def check_parameters(module: Operation) -> None:
    """An error at a kernel with a parameter that has no form."""
    from xdsl.dialects.builtin import IntegerType

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


def needs_newer(ptx: str, chip: str, location: LocationAttr | None = None) -> bool:
    """Whether kernels of `ptx` have more parameters than PTX of its version takes, and a newer one
    would. Errors: `DiagnosticError` at `location` for more than any takes.
    """
    version = re.search(r"^\.version\s+(\d+)\.(\d+)", ptx, re.M)
    is_new = version is not None and int(version[1] + version[2]) >= MANY_PARAMETERS
    found = False
    for name, parameters in _ENTRY.findall(ptx):
        size = _bytes(parameters)
        limit = MANY_BYTES if int(re.sub(r"\D", "", chip) or 0) >= 70 else FEW_BYTES
        if size > limit:
            words = f"kernel '{demangled(name)}' takes {size} bytes of parameters, "
            words += f"the limit on {chip} is "
            raise DiagnosticError(Diagnostic("error", f"{words}{limit}", location))
        found = found or (size > FEW_BYTES and not is_new)
    return found


def _bytes(parameters: str) -> int:
    """Bytes of a list of parameters of PTX."""
    at = 0
    for align, bits, count in _PARAMETER.findall(parameters):
        size = int(bits) // 8
        step = int(align or size)
        at = -(-at // step) * step + size * int(count or 1)
    return at
