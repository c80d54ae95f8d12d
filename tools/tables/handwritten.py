# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that MLIR defines in C++ instead of ODS. Source: MLIR 22.1 AffineOps.h."""

#: dialect -> operation -> row
OPERATIONS: dict[str, dict[str, str]] = {
    "affine": {
        "affine.dma_start": "operands operands*:AnyType\n"
        "traits MemRefsNormalizable, AffineMapAccessInterface, MemoryEffectOpInterface\n"
        "hooks verify fold custom_format",
        "affine.dma_wait": "operands operands*:AnyType\n"
        "traits MemRefsNormalizable, AffineMapAccessInterface, MemoryEffectOpInterface\n"
        "hooks verify fold custom_format",
    },
}
