# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass and every named pipeline, by MLIR's name, with where its class is.

Nothing is imported until a pass is asked for, so a run loads only the passes that it uses.
To add a pass: write `xgpu/transforms/<name_with_underscores>.py` and add one line here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from xgpu.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xgpu.transforms.base import Pass
    from xgpu.transforms.pass_manager import Pipeline

PASSES: dict[str, str] = {
    "adopt-gpu-ops": "xgpu.transforms.adopt_gpu_ops:AdoptGpuOps",
    "affine-expand-index-ops": "xgpu.transforms.lower_affine:AffineExpandIndexOps",
    "async-func-to-async-runtime": "xgpu.transforms.async_func_to_async_runtime:AsyncFuncToAsyncRuntime",
    "async-parallel-for": "xgpu.transforms.async_parallel_for:AsyncParallelFor",
    "async-runtime-policy-based-ref-counting": "xgpu.transforms.async_runtime_ref_counting:AsyncRuntimePolicyBasedRefCounting",
    "async-runtime-ref-counting": "xgpu.transforms.async_runtime_ref_counting:AsyncRuntimeRefCounting",
    "async-runtime-ref-counting-opt": "xgpu.transforms.async_runtime_ref_counting_opt:AsyncRuntimeRefCountingOpt",
    "async-to-async-runtime": "xgpu.transforms.async_to_async_runtime:AsyncToAsyncRuntime",
    "buffer-deallocation-simplification": "xgpu.transforms.buffer_deallocation_simplification:BufferDeallocationSimplification",
    "bufferization-lower-deallocations": "xgpu.transforms.bufferization_lower_deallocations:LowerDeallocations",
    "canonicalize": "xgpu.transforms.canonicalize:Canonicalizer",
    "control-flow-sink": "xgpu.transforms.control_flow_sink:ControlFlowSink",
    "convert-affine-for-to-gpu": "xgpu.transforms.conversion.affine_for_to_gpu:ConvertAffineForToGpu",
    "convert-arith-to-llvm": "xgpu.transforms.conversion.arith_to_llvm:ConvertArithToLLVM",
    "convert-async-to-llvm": "xgpu.transforms.conversion.async_to_llvm:ConvertAsyncToLLVM",
    "convert-cf-to-llvm": "xgpu.transforms.conversion.cf_to_llvm:ConvertControlFlowToLLVM",
    "convert-complex-to-llvm": "xgpu.transforms.conversion.complex_to_llvm:ConvertComplexToLLVM",
    "convert-func-to-llvm": "xgpu.transforms.conversion.func_to_llvm:ConvertFuncToLLVM",
    "convert-gpu-to-nvvm": "xgpu.transforms.conversion.gpu_to_nvvm:ConvertGpuToNVVM",
    "convert-index-to-llvm": "xgpu.transforms.conversion.index_to_llvm:ConvertIndexToLLVM",
    "convert-linalg-to-affine-loops": "xgpu.transforms.conversion.linalg_to_loops:ConvertLinalgToAffineLoops",
    "convert-linalg-to-loops": "xgpu.transforms.conversion.linalg_to_loops:ConvertLinalgToLoops",
    "convert-linalg-to-parallel-loops": "xgpu.transforms.conversion.linalg_to_loops:ConvertLinalgToParallelLoops",
    "convert-math-to-libm": "xgpu.transforms.conversion.math_to_libm:ConvertMathToLibm",
    "convert-math-to-llvm": "xgpu.transforms.conversion.math_to_llvm:ConvertMathToLLVM",
    "convert-mgpu-to-llvm": "xgpu.transforms.conversion.mgpu_to_llvm:ConvertMgpuToLLVM",
    "convert-nvgpu-to-nvvm": "xgpu.transforms.conversion.nvgpu_to_nvvm:ConvertNVGPUToNVVM",
    "convert-nvvm-to-llvm": "xgpu.transforms.conversion.nvvm_to_llvm:ConvertNVVMToLLVM",
    "convert-parallel-loops-to-gpu": "xgpu.transforms.conversion.parallel_loops_to_gpu:ConvertParallelLoopsToGpu",
    "convert-scf-to-cf": "xgpu.transforms.conversion.scf_to_cf:ConvertSCFToCF",
    "convert-to-llvm": "xgpu.transforms.conversion.convert_to_llvm:ConvertToLLVM",
    "convert-ub-to-llvm": "xgpu.transforms.conversion.ub_to_llvm:ConvertUBToLLVM",
    "convert-vector-to-gpu": "xgpu.transforms.conversion.vector_to_gpu:ConvertVectorToGPU",
    "convert-vector-to-llvm": "xgpu.transforms.conversion.vector_to_llvm:ConvertVectorToLLVM",
    "convert-vector-to-scf": "xgpu.transforms.conversion.vector_to_scf:ConvertVectorToSCF",
    "cse": "xgpu.transforms.cse:CSE",
    "ensure-debug-info-scope-on-llvm-func": "xgpu.transforms.ensure_debug_info_scope_on_llvm_func:DIScopeForLLVMFuncOpPass",
    "expand-realloc": "xgpu.transforms.expand_realloc:ExpandRealloc",
    "expand-strided-metadata": "xgpu.transforms.expand_strided_metadata:ExpandStridedMetadata",
    "finalize-memref-to-llvm": "xgpu.transforms.conversion.memref_to_llvm:FinalizeMemRefToLLVM",
    "fold-memref-alias-ops": "xgpu.transforms.fold_memref_alias_ops:FoldMemRefAliasOps",
    "gpu-async-region": "xgpu.transforms.gpu_async_region:GpuAsyncRegion",
    "gpu-async-to-mgpu": "xgpu.transforms.conversion.gpu_async_to_mgpu:GpuAsyncToMgpu",
    "gpu-canonicalize-waits": "xgpu.transforms.gpu_canonicalize_waits:GpuCanonicalizeWaits",
    "gpu-decompose-memrefs": "xgpu.transforms.gpu_decompose_memrefs:GpuDecomposeMemrefs",
    "gpu-eliminate-barriers": "xgpu.transforms.gpu_eliminate_barriers:GpuEliminateBarriers",
    "gpu-kernel-outlining": "xgpu.transforms.gpu_kernel_outlining:GpuKernelOutlining",
    "gpu-launch-sink-index-computations": "xgpu.transforms.gpu_launch_sink_index_computations:GpuLaunchSinkIndexComputations",
    "gpu-map-parallel-loops": "xgpu.transforms.gpu_map_parallel_loops:GpuMapParallelLoops",
    "gpu-module-to-binary": "xgpu.transforms.gpu_module_to_binary:GpuModuleToBinary",
    "gpu-to-llvm": "xgpu.transforms.conversion.gpu_to_llvm:GpuToLLVM",
    "inline": "xgpu.transforms.inline:Inliner",
    "int-range-optimizations": "xgpu.transforms.int_range_optimizations:IntRangeOptimizations",
    "llvm-optimize-for-nvvm-target": "xgpu.transforms.llvm_optimize_for_nvvm_target:OptimizeForNVVMTarget",
    "llvm-request-c-wrappers": "xgpu.transforms.llvm_request_c_wrappers:LLVMRequestCWrappers",
    "loop-invariant-code-motion": "xgpu.transforms.loop_invariant_code_motion:LICM",
    "lower-affine": "xgpu.transforms.lower_affine:LowerAffine",
    "memref-expand": "xgpu.transforms.memref_expand:ExpandOps",
    "mgpu-verify-lifetimes": "xgpu.transforms.mgpu_verify_lifetimes:MgpuVerifyLifetimes",
    "nvgpu-optimize-shared-memory": "xgpu.transforms.nvgpu_optimize_shared_memory:OptimizeSharedMemory",
    "nvvm-attach-target": "xgpu.transforms.nvvm_attach_target:NVVMAttachTarget",
    "ownership-based-buffer-deallocation": "xgpu.transforms.ownership_based_buffer_deallocation:OwnershipBasedBufferDeallocation",
    "reconcile-unrealized-casts": "xgpu.transforms.conversion.reconcile_unrealized_casts:ReconcileUnrealizedCasts",
    "sccp": "xgpu.transforms.sccp:SCCP",
    "set-llvm-module-datalayout": "xgpu.transforms.set_llvm_module_datalayout:SetLLVMModuleDataLayout",
    "strip-debuginfo": "xgpu.transforms.strip_debuginfo:StripDebugInfo",
    "symbol-dce": "xgpu.transforms.symbol_dce:SymbolDCE",
    "symbol-privatize": "xgpu.transforms.symbol_privatize:SymbolPrivatize",
    "test-affine-reify-value-bounds": "xgpu.transforms.affine_reify_value_bounds:TestAffineReifyValueBounds",
    "test-fold-arith-extf-into-vector-contract-patterns": "xgpu.transforms.fold_arith_extensions:TestFoldArithExtf",
    "test-gpu-memory-promotion": "xgpu.transforms.gpu_memory_promotion:TestGpuMemoryPromotion",
    "test-gpu-rewrite": "xgpu.transforms.gpu_rewrites:TestGpuRewrite",
    "test-gpu-subgroup-reduce-lowering": "xgpu.transforms.gpu_subgroup_reduce:TestGpuSubgroupReduceLowering",
    "test-llvm-legalize-patterns": "xgpu.transforms.llvm_legalize_patterns:TestLLVMLegalizePatterns",
    "test-memref-to-llvm-with-transforms": "xgpu.transforms.conversion.memref_to_llvm_with_transforms:TestMemRefToLLVMWithTransforms",
    "test-nvgpu-mmasync-f32-to-tf32-patterns": "xgpu.transforms.nvgpu_mma_f32_to_tf32:TestNVGPUMmaSyncF32ToTF32",
    "test-transform-dialect-erase-schedule": "xgpu.transforms.transform_erase_schedule:TransformEraseSchedule",
    "transform-interpreter": "xgpu.transforms.transform_interpreter:TransformInterpreter",
    "trivial-dce": "xgpu.transforms.trivial_dce:TrivialDCE",
}

PIPELINES: dict[str, str] = {
    "buffer-deallocation-pipeline": "xgpu.transforms.buffer_deallocation_pipeline:BufferDeallocationPipeline",
    "gpu-lower-to-nvvm-pipeline": "xgpu.pipelines:GPULowerToNVVMPipeline",
}


def _load(path: str) -> type:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def pass_class(name: str) -> type[Pass]:
    """The class of the pass `name`; UsageError, with the nearest name, if there is none."""
    if name not in PASSES:
        raise UsageError(unknown(name, "pass", PASSES))
    return _load(PASSES[name])


def pipeline_class(name: str) -> type[Pipeline]:
    """The class of the named pipeline `name`; UsageError if there is none."""
    if name not in PIPELINES:
        raise UsageError(unknown(name, "pass pipeline", PIPELINES))
    return _load(PIPELINES[name])


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is nearest to `name`, if any is near."""
    from difflib import get_close_matches  # only a mistake pays for this import

    found = get_close_matches(name, list(known), 1, 0.6)
    return found[0] if found else None


def unknown(name: str, kind: str, known: Iterable[str]) -> str:
    """A one-line complaint about `name`, with the nearest known name."""
    near = nearest(name, known)
    return f"unknown {kind} '{name}'" + (f", did you mean '{near}'?" if near else "")
