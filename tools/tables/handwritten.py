# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that MLIR defines in C++ instead of ODS, and ours in dialects of MLIR's.

Source: MLIR 22.1 AffineOps.h.
"""

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
    "transform": {
        # Ours: the pass circular-buffer on one loop; the result is its main loop.
        "transform.xgpu.circular_buffer": "operands target:TransformHandleTypeInterface\n"
        "attrs stages?:I64Attr, prefetch?:I64Attr, mode?:StrAttr, producer_warps?:I64Attr, "
        "registers?:I64ArrayAttr\n"
        "results result:TransformHandleTypeInterface\n"
        "traits FunctionalStyleTransformOpTrait, MemoryEffectOpInterface, TransformEachOpTrait, "
        "TransformOpInterface\n"
        "format $target attr-dict `:` functional-type(operands, results)",
    },
}
