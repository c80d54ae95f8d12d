// RUN: xgpu-opt %s --verify-roundtrip -o %t.out
// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// What the transform dialect has for gpu, nvgpu and nvvm.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @gpu(%target: !transform.any_op) {
    %0 = transform.gpu.map_forall_to_blocks %target : (!transform.any_op) -> !transform.any_op
    %1 = transform.gpu.map_forall_to_blocks %0 generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %2 = transform.gpu.map_forall_to_blocks %1 generate_gpu_launch grid_dims = [4, 2, 1] : (!transform.any_op) -> !transform.any_op
    %3 = transform.gpu.map_nested_forall_to_threads %2 block_dims = [32, 4, 1] : (!transform.any_op) -> !transform.any_op
    %4 = transform.gpu.map_nested_forall_to_threads %3 block_dims = [128, 1, 1] sync_after_distribute = false warp_size = 64 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @nvgpu(%target: !transform.any_op) {
    %0 = transform.nvgpu.create_async_groups %target : (!transform.any_op) -> !transform.any_op
    %1 = transform.nvgpu.create_async_groups %0 {bypass_l1} : (!transform.any_op) -> !transform.any_op
    %2 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %1 {depth = 4 : i64} : (!transform.any_op) -> !transform.any_op
    %3 = transform.nvgpu.pipeline_shared_memory_copies failures(suppress) %2 {depth = 2 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
    transform.nvgpu.rewrite_copy_as_tma %3 : (!transform.any_op) -> ()
    transform.yield
  }

  transform.named_sequence @copies(%target: !transform.any_op) {
    %0, %1 = transform.structured.gpu.map_copy_to_threads %target total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @matmul(%target: !transform.any_op) {
    transform.nvgpu.rewrite_matmul_as_mma_sync %target : (!transform.any_op) -> ()
    transform.yield
  }

  transform.named_sequence @patterns(%target: !transform.any_op) {
    transform.apply_patterns to %target {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
      transform.apply_patterns.gpu.eliminate_barriers
      transform.apply_patterns.gpu.gpu_rewrite_patterns
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [16, 16, 16]
      transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu
      transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu chipset = "gfx950"
      transform.apply_patterns.memref.fold_memref_alias_ops
    } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
    transform.apply_conversion_patterns to %target {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.vector.vector_to_llvm
      transform.apply_conversion_patterns.func.func_to_llvm
      transform.apply_conversion_patterns.scf.scf_to_control_flow
      transform.apply_conversion_patterns.gpu.gpu_to_nvvm {benefit = 10 : i16}
      transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm
      transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "gfx90a"
      transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm
      transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 64 : i64, use_bare_ptr_call_conv = true}
    } {legal_dialects = ["llvm", "nvvm"], partial_conversion} : !transform.any_op
    transform.yield
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @gpu(%arg0: !transform.any_op) {
// CHECK-NEXT:     %0 = transform.gpu.map_forall_to_blocks %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.gpu.map_forall_to_blocks %0 generate_gpu_launch : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.gpu.map_forall_to_blocks %1 generate_gpu_launch grid_dims = [4, 2, 1] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %3 = transform.gpu.map_nested_forall_to_threads %2 block_dims = [32, 4, 1] : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %4 = transform.gpu.map_nested_forall_to_threads %3 block_dims = [128, 1, 1] sync_after_distribute = false warp_size = 64 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @nvgpu(%arg0: !transform.any_op) {
// CHECK-NEXT:     %0 = transform.nvgpu.create_async_groups %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.nvgpu.create_async_groups %0 {bypass_l1} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %1 {depth = 4 : i64} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %3 = transform.nvgpu.pipeline_shared_memory_copies failures(suppress) %2 {depth = 2 : i64, peel_epilogue} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.nvgpu.rewrite_copy_as_tma %3 : (!transform.any_op) -> ()
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @copies(%arg0: !transform.any_op) {
// CHECK-NEXT:     %forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %arg0 total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @matmul(%arg0: !transform.any_op) {
// CHECK-NEXT:     transform.nvgpu.rewrite_matmul_as_mma_sync %arg0 : (!transform.any_op) -> ()
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   transform.named_sequence @patterns(%arg0: !transform.any_op) {
// CHECK-NEXT:     transform.apply_patterns to %arg0 {
// CHECK-NEXT:       transform.apply_patterns.canonicalization
// CHECK-NEXT:       transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
// CHECK-NEXT:       transform.apply_patterns.gpu.eliminate_barriers
// CHECK-NEXT:       transform.apply_patterns.gpu.gpu_rewrite_patterns
// CHECK-NEXT:       transform.apply_patterns.gpu.unroll_vectors_subgroup_mma[16, 16, 16]
// CHECK-NEXT:       transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu
// CHECK-NEXT:       transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu chipset = "gfx950"
// CHECK-NEXT:       transform.apply_patterns.memref.fold_memref_alias_ops
// CHECK-NEXT:     } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
// CHECK-NEXT:     transform.apply_conversion_patterns to %arg0 {
// CHECK-NEXT:       transform.apply_conversion_patterns.dialect_to_llvm "math"
// CHECK-NEXT:       transform.apply_conversion_patterns.vector.vector_to_llvm
// CHECK-NEXT:       transform.apply_conversion_patterns.func.func_to_llvm
// CHECK-NEXT:       transform.apply_conversion_patterns.scf.scf_to_control_flow
// CHECK-NEXT:       transform.apply_conversion_patterns.gpu.gpu_to_nvvm {benefit = 10 : i16}
// CHECK-NEXT:       transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm
// CHECK-NEXT:       transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "gfx90a"
// CHECK-NEXT:       transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm
// CHECK-NEXT:       transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm
// CHECK-NEXT:     } with type_converter {
// CHECK-NEXT:       transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {use_bare_ptr_call_conv = true}
// CHECK-NEXT:     } {legal_dialects = ["llvm", "nvvm"], partial_conversion} : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }
