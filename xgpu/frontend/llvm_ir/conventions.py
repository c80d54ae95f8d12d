# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keywords of LLVM IR that MLIR spells otherwise, and those that MLIR has no words for."""

from __future__ import annotations

import re

#: LLVM's calling conventions whose name in MLIR is another one.
_RENAMED = {
    "ghccc": "cc_10",
    "cc11": "cc_11",
    "ptx_kernel": "ptx_kernelcc",
    "ptx_device": "ptx_devicecc",
    "spir_func": "spir_funccc",
    "spir_kernel": "spir_kernelcc",
    "cc86": "avr_builtincc",
    "amdgpu_vs": "amdgpu_vscc",
    "amdgpu_gs": "amdgpu_gscc",
    "amdgpu_ps": "amdgpu_pscc",
    "amdgpu_cs": "amdgpu_cscc",
    "amdgpu_kernel": "amdgpu_kernelcc",
    "amdgpu_hs": "amdgpu_hscc",
    "amdgpu_ls": "amdgpu_lscc",
    "amdgpu_es": "amdgpu_escc",
    "amdgpu_gfx": "amdgpu_gfxcc",
    "cc94": "msp430_builtincc",
    "aarch64_vector_pcs": "aarch64_vectorcallcc",
    "aarch64_sve_vector_pcs": "aarch64_sve_vectorcallcc",
    "cc99": "wasm_emscripten_invokecc",
    "cc101": "m68k_intrcc",
}
_CONVENTION = re.compile(
    r"cc\d+|\w+cc|(?:ptx|spir|amdgpu)_(?!kernel$)\w+|\w+_kernel"
    r"|aarch64_\w+|riscv_\w+|arm64ec_\w+|cheriot_\w+"
)

LINKAGES_WORDS = """
private internal available_externally linkonce linkonce_odr weak weak_odr common appending
extern_weak external
"""
LINKAGES = frozenset(LINKAGES_WORDS.split())
VISIBILITIES = frozenset(("default", "hidden", "protected"))
FAST_MATH = frozenset(("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"))
ORDERINGS = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"))


def is_convention(token: str) -> bool:
    """Whether a word where a calling convention may stand is one."""
    return _CONVENTION.fullmatch(token) is not None


def convention(token: str) -> str | None:
    """MLIR's name of a calling convention, None if it has none."""
    from xgpu.dialects.llvm.attributes import CConvAttr

    name = _RENAMED.get(token, token)
    return name if name in CConvAttr.cases else None
