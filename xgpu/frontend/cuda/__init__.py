# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA C++ as LLVM IR for NVPTX: clang reads it, with a header of ours in place of NVIDIA's.

    llvm_ir_of(text, "kernel.cu", CudaOptions(include=["include"], define={"N": 4})) -> LLVM IR

`clang` finds and calls clang; the folder `include` has the header (`cuda_runtime.h`). What clang
gives is optimized by this LLVM (`llvm_ir.source.normal_form`), whatever clang's own version is.
"""

from xgpu.frontend.cuda.clang import CudaOptions, llvm_ir_of

__all__ = ["CudaOptions", "llvm_ir_of"]
