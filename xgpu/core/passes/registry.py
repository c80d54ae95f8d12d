# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass and every named pipeline, by MLIR's name, with where its class is.

Nothing is imported until a pass is asked for, so a run loads only the passes that it uses.
To add a pass: write `xgpu/transforms/<topic>/<name_with_underscores>.py` and add one line here.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import UsageError
from xgpu.core.ir.services import other_passes
from xgpu.core.ir.suggestions import unknown_pass

if TYPE_CHECKING:
    from xgpu.core.passes.base import Pass
    from xgpu.core.passes.manager import Pipeline

PASSES: dict[str, str] = {
    "adopt-gpu-ops": "xgpu.transforms.gpu.gpu_modules:AdoptGpuOps",
    "affine-expand-index-ops": "xgpu.transforms.affine.lower_affine:AffineExpandIndexOps",
    "affine-loop-coalescing": "xgpu.transforms.affine.loop_coalescing:LoopCoalescing",
    "affine-simplify-min-max": "xgpu.transforms.affine.simplify_min_max:SimplifyAffineMinMaxPass",
    "arith-expand": "xgpu.transforms.arith.arith_expand:ArithExpandOpsPass",
    "arith-unsigned-when-equivalent": "xgpu.transforms.arith.int_range_optimizations:ArithUnsignedWhenEquivalentPass",
    "async-func-to-async-runtime": "xgpu.conversion.async_runtime.async_to_async_runtime:AsyncFuncToAsyncRuntimePass",
    "async-parallel-for": "xgpu.conversion.async_runtime.async_parallel_for:AsyncParallelForPass",
    "async-runtime-policy-based-ref-counting": "xgpu.conversion.async_runtime.async_runtime_ref_counting:AsyncRuntimePolicyBasedRefCountingPass",
    "async-runtime-ref-counting": "xgpu.conversion.async_runtime.async_runtime_ref_counting:AsyncRuntimeRefCountingPass",
    "async-runtime-ref-counting-opt": "xgpu.conversion.async_runtime.async_runtime_ref_counting:AsyncRuntimeRefCountingOptPass",
    "async-to-async-runtime": "xgpu.conversion.async_runtime.async_to_async_runtime:AsyncToAsyncRuntimePass",
    "buffer-deallocation-simplification": "xgpu.transforms.bufferization.buffer_deallocation_simplification:BufferDeallocationSimplificationPass",
    "buffer-loop-hoisting": "xgpu.transforms.bufferization.buffer_optimizations:BufferLoopHoistingPass",
    "bufferization-lower-deallocations": "xgpu.transforms.bufferization.bufferization_lower_deallocations:LowerDeallocationsPass",
    "canonicalize": "xgpu.transforms.generic.canonicalize:Canonicalizer",
    "circular-buffer": "xgpu.kernels.circular.circular_buffer:CircularBuffer",
    "control-flow-sink": "xgpu.transforms.generic.code_motion:ControlFlowSink",
    "convert-affine-for-to-gpu": "xgpu.conversion.gpu.loops_to_gpu:ConvertAffineForToGPUPass",
    "convert-arith-to-llvm": "xgpu.conversion.scalar.arith_to_llvm:ArithToLLVMConversionPass",
    "convert-async-to-llvm": "xgpu.conversion.async_runtime.async_to_llvm:ConvertAsyncToLLVMPass",
    "convert-bufferization-to-memref": "xgpu.transforms.bufferization.bufferization_lower_deallocations:ConvertBufferizationToMemRefPass",
    "convert-cf-to-llvm": "xgpu.conversion.control_flow.cf_to_llvm:ConvertControlFlowToLLVMPass",
    "convert-complex-to-llvm": "xgpu.conversion.scalar.complex_to_llvm:ConvertComplexToLLVMPass",
    "convert-complex-to-standard": "xgpu.conversion.scalar.complex_to_standard:ConvertComplexToStandardPass",
    "convert-elementwise-to-linalg": "xgpu.transforms.linalg.generalize_named_ops:ConvertElementwiseToLinalgPass",
    "convert-func-to-llvm": "xgpu.conversion.control_flow.func_to_llvm:ConvertFuncToLLVMPass",
    "convert-gpu-to-nvvm": "xgpu.conversion.gpu.gpu_to_nvvm:ConvertGpuOpsToNVVMOps",
    "convert-index-to-llvm": "xgpu.conversion.scalar.index_to_llvm:ConvertIndexToLLVMPass",
    "convert-linalg-contractions-to-gpu": "xgpu.conversion.linalg.contractions_to_gpu:ConvertLinalgContractionsToGpu",
    "convert-linalg-reductions-to-gpu": "xgpu.conversion.linalg.reductions_to_gpu:ConvertLinalgReductionsToGpu",
    "convert-linalg-to-affine-loops": "xgpu.conversion.linalg.linalg_to_loops:ConvertLinalgToAffineLoopsPass",
    "convert-linalg-to-gpu": "xgpu.conversion.linalg.linalg_to_gpu:ConvertLinalgToGpu",
    "convert-linalg-to-loops": "xgpu.conversion.linalg.linalg_to_loops:ConvertLinalgToLoopsPass",
    "convert-linalg-to-parallel-loops": "xgpu.conversion.linalg.linalg_to_loops:ConvertLinalgToParallelLoopsPass",
    "convert-math-to-funcs": "xgpu.conversion.scalar.math_to_funcs:ConvertMathToFuncs",
    "convert-math-to-libm": "xgpu.conversion.scalar.math_to_calls:ConvertMathToLibmPass",
    "convert-math-to-llvm": "xgpu.conversion.scalar.math_to_llvm:ConvertMathToLLVMPass",
    "convert-mgpu-to-llvm": "xgpu.conversion.launch.mgpu_to_llvm:ConvertMgpuToLLVM",
    "convert-nvgpu-to-nvvm": "xgpu.conversion.nvgpu.nvgpu_to_nvvm:ConvertNVGPUToNVVMPass",
    "convert-nvvm-to-llvm": "xgpu.conversion.nvgpu.nvvm_to_llvm:ConvertNVVMToLLVMPass",
    "convert-parallel-loops-to-gpu": "xgpu.conversion.gpu.loops_to_gpu:ConvertParallelLoopToGpuPass",
    "convert-scf-to-cf": "xgpu.conversion.control_flow.scf_to_cf:SCFToControlFlowPass",
    "convert-shape-constraints": "xgpu.conversion.shape_to_standard:ConvertShapeConstraintsPass",
    "convert-shape-to-std": "xgpu.conversion.shape_to_standard:ConvertShapeToStandardPass",
    "convert-shard-to-mpi": "xgpu.conversion.shard.shard_to_mpi:ConvertShardToMPIPass",
    "convert-to-llvm": "xgpu.conversion.convert_to_llvm:ConvertToLLVMPass",
    "convert-ub-to-llvm": "xgpu.conversion.scalar.index_to_llvm:UBToLLVMConversionPass",
    "convert-vector-to-gpu": "xgpu.conversion.vector.vector_to_gpu:ConvertVectorToGPU",
    "convert-vector-to-llvm": "xgpu.conversion.vector.vector_to_llvm:ConvertVectorToLLVMPass",
    "convert-vector-to-scf": "xgpu.conversion.vector.vector_to_scf:ConvertVectorToSCF",
    "cse": "xgpu.transforms.generic.cse:CSE",
    "drop-equivalent-buffer-results": "xgpu.transforms.bufferization.buffer_optimizations:DropEquivalentBufferResultsPass",
    "eliminate-empty-tensors": "xgpu.transforms.bufferization.eliminate_empty_tensors:EmptyTensorEliminationPass",
    "empty-tensor-to-alloc-tensor": "xgpu.transforms.bufferization.eliminate_empty_tensors:EmptyTensorToAllocTensorPass",
    "ensure-debug-info-scope-on-llvm-func": "xgpu.transforms.llvm.ensure_debug_info_scope_on_llvm_func:DIScopeForLLVMFuncOpPass",
    "expand-realloc": "xgpu.transforms.memref.memref_expand:ExpandReallocPass",
    "expand-strided-metadata": "xgpu.transforms.memref.expand_strided_metadata:ExpandStridedMetadataPass",
    "finalize-memref-to-llvm": "xgpu.conversion.memref.memref_to_llvm:FinalizeMemRefToLLVMConversionPass",
    "fold-memref-alias-ops": "xgpu.transforms.memref.fold_memref_alias_ops:FoldMemRefAliasOpsPass",
    "fold-tensor-subset-ops": "xgpu.transforms.fold_tensor_subset_ops:FoldTensorSubsetOpsPass",
    "gpu-async-region": "xgpu.conversion.async_tokens.gpu_async_region:GpuAsyncRegionPass",
    "gpu-async-to-mgpu": "xgpu.conversion.async_tokens.gpu_async_to_mgpu:GpuAsyncToMgpu",
    "gpu-canonicalize-waits": "xgpu.conversion.async_tokens.gpu_canonicalize_waits:GpuCanonicalizeWaits",
    "gpu-communicate": "xgpu.transforms.gpu.gpu_communicate:GpuCommunicate",
    "gpu-decompose-memrefs": "xgpu.transforms.gpu.gpu_decompose_memrefs:GpuDecomposeMemrefsPass",
    "gpu-define-device-runtime": "xgpu.transforms.gpu.device_runtime:GpuDefineDeviceRuntime",
    "gpu-device-buffers": "xgpu.transforms.gpu.gpu_device_buffers:GpuDeviceBuffers",
    "gpu-eliminate-barriers": "xgpu.transforms.gpu.gpu_eliminate_barriers:GpuEliminateBarriers",
    "gpu-expand-copies": "xgpu.transforms.gpu.gpu_vectorize_copies:GpuExpandCopies",
    "gpu-kernel-outlining": "xgpu.transforms.gpu.gpu_kernel_outlining:GpuKernelOutliningPass",
    "gpu-launch-sink-index-computations": "xgpu.transforms.gpu.gpu_kernel_outlining:GpuLaunchSinkIndexComputationsPass",
    "gpu-map-foralls-to-threads": "xgpu.conversion.linalg.linalg_to_gpu:GpuMapForallsToThreads",
    "gpu-map-parallel-loops": "xgpu.transforms.gpu.gpu_map_parallel_loops:GpuMapParallelLoopsPass",
    "gpu-module-to-binary": "xgpu.driver.gpu_module_to_binary:GpuModuleToBinaryPass",
    "gpu-tile-matmul": "xgpu.kernels.gemm.gpu_tile_matmul:GpuTileMatmul",
    "gpu-to-llvm": "xgpu.conversion.launch.gpu_to_llvm:GpuToLLVMConversionPass",
    "gpu-vectorize-copies": "xgpu.transforms.gpu.gpu_vectorize_copies:GpuVectorizeCopies",
    "host-check-divisions": "xgpu.host_device.compiler.threads.thread_passes:HostCheckDivisions",
    "host-entries": "xgpu.host_device.compiler.threads.thread_passes:HostEntries",
    "host-flat-memory": "xgpu.host_device.compiler.threads.thread_passes:HostFlatMemory",
    "host-inline-waits": "xgpu.host_device.compiler.threads.thread_passes:HostInlineWaits",
    "host-lane-calls": "xgpu.host_device.compiler.passes:HostLaneCalls",
    "host-prepare": "xgpu.host_device.compiler.passes:HostPrepare",
    "host-raise-assembly": "xgpu.host_device.compiler.passes:HostRaiseAssembly",
    "host-raise-intrinsics": "xgpu.host_device.compiler.passes:HostRaiseIntrinsics",
    "host-regions": "xgpu.host_device.compiler.passes:HostRegions",
    "host-runtime-calls": "xgpu.host_device.compiler.threads.thread_passes:HostRuntimeCalls",
    "host-sanitize": "xgpu.host_device.sanitizer.instrument.kernels:HostSanitize",
    "host-uniformity": "xgpu.host_device.compiler.passes:HostUniformity",
    "host-vectorize": "xgpu.host_device.compiler.passes:HostVectorize",
    "host-warps": "xgpu.host_device.compiler.passes:HostWarps",
    "inline": "xgpu.transforms.generic.inline:Inliner",
    "int-range-optimizations": "xgpu.transforms.arith.int_range_optimizations:ArithIntRangeOpts",
    "linalg-decompose-aggregates": "xgpu.transforms.linalg.decompose_aggregates:LinalgDecomposeAggregatesPass",
    "linalg-fuse-elementwise-ops": "xgpu.transforms.linalg.fuse_elementwise_ops:LinalgElementwiseOpFusionPass",
    "linalg-generalize-named-ops": "xgpu.transforms.linalg.generalize_named_ops:LinalgGeneralizeNamedOpsPass",
    "llvm-optimize-for-nvvm-target": "xgpu.transforms.llvm.target_preparation:NVVMOptimizeForTargetPass",
    "llvm-request-c-wrappers": "xgpu.transforms.llvm.target_preparation:LLVMRequestCWrappersPass",
    "loop-invariant-code-motion": "xgpu.transforms.generic.code_motion:LoopInvariantCodeMotion",
    "lower-affine": "xgpu.transforms.affine.lower_affine:LowerAffinePass",
    "lower-vector-multi-reduction": "xgpu.transforms.vector.multi_reduction:LowerVectorMultiReduction",
    "math-uplift-to-fma": "xgpu.transforms.arith.math_rewrites:MathUpliftToFMA",
    "mem2reg": "xgpu.transforms.generic.mem2reg:Mem2Reg",
    "memref-expand": "xgpu.transforms.memref.memref_expand:ExpandOpsPass",
    "mgpu-verify-lifetimes": "xgpu.conversion.async_tokens.mgpu_verify_lifetimes:MgpuVerifyLifetimes",
    "mpi-cache-communicators": "xgpu.transforms.shard.mpi_cache_communicators:MpiCacheCommunicators",
    "normalize-memrefs": "xgpu.transforms.memref.normalize_memrefs:NormalizeMemRefsPass",
    "nvgpu-optimize-shared-memory": "xgpu.transforms.gpu.nvgpu_optimize_shared_memory:OptimizeSharedMemory",
    "nvvm-attach-target": "xgpu.transforms.gpu.gpu_modules:GpuNVVMAttachTarget",
    "one-shot-bufferize": "xgpu.transforms.bufferization.one_shot_bufferize:OneShotBufferizePass",
    "opt-reduction-pass": "xgpu.tools.reducer:OptReductionPass",
    "outline-shape-computation": "xgpu.transforms.outline_shape_computation:OutlineShapeComputationPass",
    "ownership-based-buffer-deallocation": "xgpu.transforms.bufferization.ownership_based_buffer_deallocation:OwnershipBasedBufferDeallocationPass",
    "print-buffer-schedule": "xgpu.kernels.circular.print_buffer_schedule:PrintBufferSchedule",
    "reconcile-unrealized-casts": "xgpu.conversion.convert_to_llvm:ReconcileUnrealizedCastsPass",
    "reduction-tree": "xgpu.tools.reducer:ReductionTreePass",
    "reify-result-shapes": "xgpu.transforms.memref.resolve_shaped_type_result_dims:ReifyResultShapesPass",
    "remove-dead-values": "xgpu.transforms.generic.remove_dead_values:RemoveDeadValues",
    "remove-shape-constraints": "xgpu.transforms.outline_shape_computation:RemoveShapeConstraintsPass",
    "resolve-ranked-shaped-type-result-dims": "xgpu.transforms.memref.resolve_shaped_type_result_dims:ResolveRankedShapeTypeResultDimsPass",
    "resolve-shaped-type-result-dims": "xgpu.transforms.memref.resolve_shaped_type_result_dims:ResolveShapedTypeResultDimsPass",
    "sccp": "xgpu.transforms.generic.cleanup:SCCP",
    "scf-for-loop-canonicalization": "xgpu.transforms.scf.for_loop_canonicalization:SCFForLoopCanonicalization",
    "scf-parallel-loop-fusion": "xgpu.transforms.scf.parallel_loop_fusion:SCFParallelLoopFusion",
    "scf-parallel-loop-tiling": "xgpu.transforms.scf.parallel_loop_tiling:SCFParallelLoopTiling",
    "set-llvm-module-datalayout": "xgpu.transforms.llvm.target_preparation:SetLLVMModuleDataLayoutPass",
    "shape-to-shape-lowering": "xgpu.transforms.outline_shape_computation:ShapeToShapeLoweringPass",
    "shard-distribute": "xgpu.transforms.shard.shard_distribute:ShardDistribute",
    "shard-explore": "xgpu.transforms.shard.shard_explore:ShardExplore",
    "shard-partition": "xgpu.transforms.shard.shard_partition:Partition",
    "shard-simplify": "xgpu.transforms.shard.shard_simplify:ShardSimplify",
    "sharding-propagation": "xgpu.transforms.shard.sharding_propagation:ShardingPropagation",
    "sroa": "xgpu.transforms.generic.sroa:SROA",
    "strip-debuginfo": "xgpu.transforms.generic.cleanup:StripDebugInfo",
    "symbol-dce": "xgpu.transforms.generic.symbol_dce:SymbolDCE",
    "symbol-privatize": "xgpu.transforms.generic.symbol_dce:SymbolPrivatize",
    "transform-interpreter": "xgpu.transform_dialect.interpreter:InterpreterPass",
    "trivial-dce": "xgpu.transforms.generic.cleanup:TrivialDCE",
}

PIPELINES: dict[str, str] = {
    "buffer-deallocation-pipeline": "xgpu.transforms.bufferization.ownership_based_buffer_deallocation:BufferDeallocationPipeline",
    "gpu-from-linalg-pipeline": "xgpu.driver.pipelines:GPUFromLinalgPipeline",
    "gpu-kernels-from-linalg-pipeline": "xgpu.driver.pipelines:GPUKernelsFromLinalgPipeline",
    "gpu-gemm-pipeline": "xgpu.driver.gemm_pipeline:GpuGemmPipeline",
    "gpu-lower-to-nvvm-pipeline": "xgpu.driver.pipelines:GPULowerToNVVMPipeline",
}


#: Passes and pipelines that plugins brought, and who did.
_OUTSIDE: dict[str, tuple[type, str]] = {}


def register_pass(
    name: str, cls: type[Pass | Pipeline], owner: str, *, pipeline: bool = False
) -> None:
    """Adds a pass, or a named pipeline, from outside. UsageError, which names both, if another
    has the name."""
    table = PIPELINES if pipeline else PASSES
    if name in PASSES or name in PIPELINES:
        known = _OUTSIDE.get(name)
        if known is not None and known[1] == owner:
            return
        other = "xgpu" if known is None else known[1]
        raise UsageError(f"pass '{name}' is defined by {other} and by {owner}")
    _OUTSIDE[name] = (cls, owner)
    if not pipeline:
        cast("type[Pass]", cls).owner = owner
    table[name] = owner


def owner_of(name: str) -> str | None:
    """Who has brought a pass or pipeline from outside; None for ours."""
    found = _OUTSIDE.get(name)
    return None if found is None else found[1]


def is_known(name: str) -> bool:
    """Whether there is a pass or pipeline `name`: ours, a plugin's, or one that an installed
    project offers (`xgpu.universe`), which is looked for only where no other has the name."""
    if name in PASSES or name in PIPELINES:
        return True
    found = other_passes().installed_pass(name)
    if found is None:
        return False
    cls, owner = found
    register_pass(name, cast("type[Pass]", cls), owner)
    return True


def _load(name: str, path: str) -> type:
    if name in _OUTSIDE:
        return _OUTSIDE[name][0]
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def pass_class(name: str) -> type[Pass]:
    """The class of the pass `name`; UsageError, with the nearest name, if there is none."""
    if not is_known(name) or name not in PASSES:
        raise UsageError(unknown(name, "pass", PASSES))
    return _load(name, PASSES[name])


def pipeline_class(name: str) -> type[Pipeline]:
    """The class of the named pipeline `name`; UsageError if there is none."""
    if name not in PIPELINES:
        raise UsageError(unknown(name, "pass pipeline", PIPELINES))
    return _load(name, PIPELINES[name])


def unknown(name: str, kind: str, known: Iterable[str]) -> str:
    """A one-line complaint about `name`, with the nearest known name."""
    return f"unknown {kind} '{name}'{unknown_pass(name, known)}"
