# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MLIR's verifiers of nvvm operations and of `#nvvm.target` check beyond the tables.

Source: MLIR 22.1 NVVMDialect.cpp, NVVMRequiresSMTraits.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.core import ods
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.nvvm.verify_conversions import VERIFY_CONVERSIONS
from xgpu.dialects.nvvm.verify_copies import VERIFY_COPIES
from xgpu.dialects.nvvm.verify_matrices import VERIFY_MATRICES
from xgpu.dialects.nvvm.verify_mma import VERIFY_MMA
from xgpu.dialects.nvvm.verify_sync import VERIFY_SYNC
from xgpu.dialects.nvvm.verify_tcgen05 import VERIFY_TCGEN05

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr


MINIMUM_VERSION = 20


def sm_version(chip: str) -> tuple[int, bool]:
    """The number of a chip, and whether it is an accelerated variant (sm_90a); 0 for others.

    As MLIR reads it: the digits after three characters, and an `a` at the very end.
    """
    digits = ""
    for character in chip[3:]:
        if not character.isdigit():
            break
        digits += character
    return (int(digits) if digits else 0), chip.endswith("a")


def verify_target(module: Operation, target: NVVMTargetAttr) -> None:
    """Checks that the chip exists and knows every operation in the module."""
    version, is_accelerated = sm_version(target.chip)
    if version < MINIMUM_VERSION:
        raise error(module, "Minimum NVVM target SM version is sm_20")
    supported: dict[str, bool] = {}
    for op in module.walk():
        name = op.name
        if name not in supported:
            supported[name] = _is_supported(name, version, is_accelerated)
        if not supported[name]:
            raise op_error(op, f"is not supported on {target.chip}")


def _is_supported(name: str, version: int, is_accelerated: bool) -> bool:
    spec = ods.op_spec(name)
    for trait in () if spec is None else spec.traits:
        if isinstance(trait, str):
            continue
        kind, *arguments = trait
        numbers = [int(n) for n in ",".join(map(str, arguments)).split(",") if n.strip().isdigit()]
        if kind == "NVVMRequiresSM" and numbers and version < numbers[0]:
            return False
        if kind == "NVVMRequiresSMa" and not (is_accelerated and version in numbers):
            return False
    return True


VERIFY: dict[str, Verifier] = {
    **VERIFY_CONVERSIONS,
    **VERIFY_COPIES,
    **VERIFY_MATRICES,
    **VERIFY_MMA,
    **VERIFY_SYNC,
    **VERIFY_TCGEN05,
}
