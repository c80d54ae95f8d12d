// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every case of every enumeration, as an attribute in full.
// (One that ends in what FileCheck takes for a directive is in sparse.mlir.)

// CHECK: module {
// CHECK-NEXT:   func.func private @all_reduce_op() attributes {test.cases = [#gpu<all_reduce_op add>, #gpu<all_reduce_op mul>, #gpu<all_reduce_op minui>, #gpu<all_reduce_op minsi>, #gpu<all_reduce_op minnumf>, #gpu<all_reduce_op maxui>, #gpu<all_reduce_op maxsi>, #gpu<all_reduce_op maxnumf>, #gpu<all_reduce_op and>, #gpu<all_reduce_op or>, #gpu<all_reduce_op xor>, #gpu<all_reduce_op minimumf>, #gpu<all_reduce_op maximumf>]}
func.func private @all_reduce_op() attributes {test.cases = [#gpu<all_reduce_op add>, #gpu<all_reduce_op mul>, #gpu<all_reduce_op minui>, #gpu<all_reduce_op minsi>, #gpu<all_reduce_op minnumf>, #gpu<all_reduce_op maxui>, #gpu<all_reduce_op maxsi>, #gpu<all_reduce_op maxnumf>, #gpu<all_reduce_op and>, #gpu<all_reduce_op or>, #gpu<all_reduce_op xor>, #gpu<all_reduce_op minimumf>, #gpu<all_reduce_op maximumf>]}

// CHECK-NEXT:   func.func private @broadcast() attributes {test.cases = [#gpu<broadcast first_active_lane>, #gpu<broadcast specific_lane>]}
func.func private @broadcast() attributes {test.cases = [#gpu<broadcast first_active_lane>, #gpu<broadcast specific_lane>]}

// CHECK-NEXT:   func.func private @dim() attributes {test.cases = [#gpu<dim x>, #gpu<dim y>, #gpu<dim z>]}
func.func private @dim() attributes {test.cases = [#gpu<dim x>, #gpu<dim y>, #gpu<dim z>]}

// CHECK-NEXT:   func.func private @mat_transpose_mode() attributes {test.cases = [#gpu<mat_transpose_mode NON_TRANSPOSE>, #gpu<mat_transpose_mode TRANSPOSE>, #gpu<mat_transpose_mode CONJUGATE_TRANSPOSE>]}
func.func private @mat_transpose_mode() attributes {test.cases = [#gpu<mat_transpose_mode NON_TRANSPOSE>, #gpu<mat_transpose_mode TRANSPOSE>, #gpu<mat_transpose_mode CONJUGATE_TRANSPOSE>]}

// CHECK-NEXT:   func.func private @mma_element_wise() attributes {test.cases = [#gpu<mma_element_wise addf>, #gpu<mma_element_wise mulf>, #gpu<mma_element_wise subf>, #gpu<mma_element_wise maxf>, #gpu<mma_element_wise minf>, #gpu<mma_element_wise divf>, #gpu<mma_element_wise addi>, #gpu<mma_element_wise muli>, #gpu<mma_element_wise subi>, #gpu<mma_element_wise divs>, #gpu<mma_element_wise divu>, #gpu<mma_element_wise negatef>, #gpu<mma_element_wise negates>, #gpu<mma_element_wise extf>]}
func.func private @mma_element_wise() attributes {test.cases = [#gpu<mma_element_wise addf>, #gpu<mma_element_wise mulf>, #gpu<mma_element_wise subf>, #gpu<mma_element_wise maxf>, #gpu<mma_element_wise minf>, #gpu<mma_element_wise divf>, #gpu<mma_element_wise addi>, #gpu<mma_element_wise muli>, #gpu<mma_element_wise subi>, #gpu<mma_element_wise divs>, #gpu<mma_element_wise divu>, #gpu<mma_element_wise negatef>, #gpu<mma_element_wise negates>, #gpu<mma_element_wise extf>]}

// CHECK-NEXT:   func.func private @prune_2to4_spmat_flag() attributes {test.cases = [#gpu<prune_2to4_spmat_flag NONE>, #gpu<prune_2to4_spmat_flag PRUNE_ONLY>]}
func.func private @prune_2to4_spmat_flag() attributes {test.cases = [#gpu<prune_2to4_spmat_flag NONE>, #gpu<prune_2to4_spmat_flag PRUNE_ONLY>]}

// CHECK-NEXT:   func.func private @shuffle_mode() attributes {test.cases = [#gpu<shuffle_mode xor>, #gpu<shuffle_mode up>, #gpu<shuffle_mode down>, #gpu<shuffle_mode idx>]}
func.func private @shuffle_mode() attributes {test.cases = [#gpu<shuffle_mode xor>, #gpu<shuffle_mode up>, #gpu<shuffle_mode down>, #gpu<shuffle_mode idx>]}

// CHECK-NEXT:   func.func private @spgemm_work_estimation_or_compute_kind() attributes {test.cases = [#gpu<spgemm_work_estimation_or_compute_kind WORK_ESTIMATION>, #gpu<spgemm_work_estimation_or_compute_kind COMPUTE>]}
// CHECK-NEXT: }
func.func private @spgemm_work_estimation_or_compute_kind() attributes {test.cases = [#gpu<spgemm_work_estimation_or_compute_kind WORK_ESTIMATION>, #gpu<spgemm_work_estimation_or_compute_kind COMPUTE>]}
