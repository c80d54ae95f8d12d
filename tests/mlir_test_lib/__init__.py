# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of xgpu-opt: the part of MLIR's test dialect and test passes that its tests of what xgpu
has use.

    xgpu-opt --load-dialect-plugin=tests/mlir_test_lib --test-gpu-rewrite program.mlir
"""

from mlir_test_lib import dialect, ranges, tosa
from mlir_test_lib.erase_schedule import TransformEraseSchedule
from mlir_test_lib.legalize_patterns import TestLLVMLegalizePatterns
from mlir_test_lib.memory_promotion import TestGpuMemoryPromotion
from mlir_test_lib.memref_to_llvm import TestMemRefToLLVMWithTransforms
from mlir_test_lib.mma_f32_to_tf32 import TestNVGPUMmaSyncF32ToTF32
from mlir_test_lib.patterns import (
    TestFoldArithExtf,
    TestGpuRewrite,
    TestGpuSubgroupReduceLowering,
    TestMathAlgebraicSimplification,
)
from mlir_test_lib.reify_value_bounds import TestAffineReifyValueBounds
from mlir_test_lib.remark import TestRemark
from mlir_test_lib.shard import (
    TestAllSliceOpLowering,
    TestMultiIndexOpLowering,
    TestResharding,
    TestShardSimplifications,
)
from mlir_test_lib.single_fold import TestConstantFold

dialect.register()
ranges.register()
tosa.register()

__all__ = [
    "TestAffineReifyValueBounds",
    "TestAllSliceOpLowering",
    "TestConstantFold",
    "TestFoldArithExtf",
    "TestGpuMemoryPromotion",
    "TestGpuRewrite",
    "TestGpuSubgroupReduceLowering",
    "TestLLVMLegalizePatterns",
    "TestMathAlgebraicSimplification",
    "TestMemRefToLLVMWithTransforms",
    "TestMultiIndexOpLowering",
    "TestNVGPUMmaSyncF32ToTF32",
    "TestRemark",
    "TestResharding",
    "TestShardSimplifications",
    "TransformEraseSchedule",
]
