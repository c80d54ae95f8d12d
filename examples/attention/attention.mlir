// Attention: softmax(Q K^T / 8) V for 160 queries and 200 keys of 64 numbers, in f16 with sums in f32.
//
//   xgpu-opt --circular-buffer examples/attention/attention.mlir
//
// A block has 64 queries and goes over the keys in tiles of 64, as one thinks of it: copy a tile of K
// and one of V, wait, multiply, take the exponentials, multiply again. The weights of earlier tiles
// are scaled down when a larger score turns up, so that no score is kept. The mark makes warps of
// their own of the copies, with two tiles of each in flight.
//
// Scores and results stay where the tensor cores leave them: a thread has 16 numbers in each of two
// rows, 8 rows apart, of which `upper` and `lower` are vectors. Registers 4 j + c are columns 8 j + c
// from 2 (thread mod 4) on of the upper row, and 4 j + 2 + c those of the lower one. Four threads share
// a row. Weights go through workgroup memory, from which wgmma takes both factors.
!in_q = memref<160x64xf16>
!in_k = memref<200x64xf16>
!half = memref<64x64xf16, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !half, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!matrix = !nvgpu.warpgroup.descriptor<tensor = !half>
!sums = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
!registers = !llvm.struct<(struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32,
                                   f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>)>
!row = vector<16xf32>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

func.func @attention(%q: !in_q, %k: !in_k, %v: !in_k, %out: memref<160x64xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %64 = arith.constant 64 : index
  %128 = arith.constant 128 : index
  %keys = arith.constant 200 : index
  %queries = arith.constant 160 : index
  %any_q = memref.cast %q : !in_q to memref<*xf16>
  %any_k = memref.cast %k : !in_k to memref<*xf16>
  %any_v = memref.cast %v : !in_k to memref<*xf16>
  %map_q = nvgpu.tma.create.descriptor %any_q box[%64, %64] : memref<*xf16> -> !map
  %map_k = nvgpu.tma.create.descriptor %any_k box[%64, %64] : memref<*xf16> -> !map
  %map_v = nvgpu.tma.create.descriptor %any_v box[%64, %64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %3, %gy = %1, %gz = %1)
             threads(%t, %ty, %tz) in (%sx = %128, %sy = %1, %sz = %1)
             workgroup(%tile_q : !half, %tile_k : !half, %tile_v : !half, %weights : !half) {
    %2 = arith.constant 2 : index
    %4 = arith.constant 4 : index
    %8 = arith.constant 8 : index
    %16 = arith.constant 16 : index
    %32 = arith.constant 32 : index
    %bytes_q = arith.constant 8192 : index
    %bytes = arith.constant 16384 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant false
    %odd = arith.constant true
    %near = arith.constant 1 : i32
    %far = arith.constant 2 : i32
    %warp_size = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %lowest = arith.constant -1.0e30 : f32
    %no_score = arith.constant dense<-1.0e30> : !row
    // 1 / 8, and exponentials of base 2
    %scale = arith.constant 0.18033688 : f32
    %columns = arith.constant dense<[0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57]> : vector<16xi32>
    %is_first = arith.cmpi eq, %t, %0 : index
    %query = arith.muli %bx, %64 : index

    // Rows are 16 warp + octet and 8 below.
    %warp = arith.divui %t, %32 : index
    %lane = arith.remui %t, %32 : index
    %octet = arith.divui %lane, %4 : index
    %fourth = arith.remui %lane, %4 : index
    %pair = arith.muli %fourth, %2 : index
    %narrow_pair = arith.index_cast %pair : index to i32
    %pairs = vector.broadcast %narrow_pair : i32 to vector<16xi32>
    %warp_row = arith.muli %warp, %16 : index
    %upper_row = arith.addi %warp_row, %octet : index
    %lower_row = arith.addi %upper_row, %8 : index

    // Of 8 by 8 matrices that a warp stores together, lane l says where row l mod 8 of matrix l / 8 begins:
    // two matrices below one another, then the two beside them.
    %octet_row = arith.remui %lane, %8 : index
    %half_lane = arith.divui %lane, %16 : index
    %half_warp = arith.remui %lane, %16 : index
    %own_row = arith.addi %warp_row, %half_warp : index
    %row_begin = arith.muli %own_row, %128 : index
    %weights_begin = memref.extract_aligned_pointer_as_index %weights : !half -> index
    %weights_row = arith.addi %weights_begin, %row_begin : index

    %ready_q = nvgpu.mbarrier.create -> !barrier
    %ready = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %ready_q[%0], %1, predicate = %is_first : !barrier
    nvgpu.mbarrier.init %ready[%0], %1, predicate = %is_first : !barrier
    nvvm.fence.mbarrier.init
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %ready_q[%0], %bytes_q, predicate = %is_first : !barrier
    nvgpu.tma.async.load %map_q[%0, %query], %ready_q[%0] to %tile_q, predicate = %is_first : !map, !barrier -> !half
    nvgpu.mbarrier.try_wait.parity %ready_q[%0], %even, %ticks : !barrier

    %none = nvgpu.warpgroup.mma.init.accumulator -> !sums
    %end:6 = scf.for %key = %0 to %keys step %64
        iter_args(%most_u = %lowest, %most_l = %lowest, %total_u = %zero, %total_l = %zero,
                  %result = %none, %parity = %even) -> (f32, f32, f32, f32, !sums, i1) {
      nvgpu.mbarrier.arrive.expect_tx %ready[%0], %bytes, predicate = %is_first : !barrier
      nvgpu.tma.async.load %map_k[%0, %key], %ready[%0] to %tile_k, predicate = %is_first : !map, !barrier -> !half
      nvgpu.tma.async.load %map_v[%0, %key], %ready[%0] to %tile_v, predicate = %is_first : !map, !barrier -> !half
      nvgpu.mbarrier.try_wait.parity %ready[%0], %parity, %ticks : !barrier

      // Scores: rows of Q by rows of K.
      %q0 = nvgpu.warpgroup.generate.descriptor %tile_q, %map_q : !half, !map -> !matrix
      %k0 = nvgpu.warpgroup.generate.descriptor %tile_k, %map_k : !half, !map -> !matrix
      %qk = nvgpu.warpgroup.mma %q0, %k0, %none {waitGroup = 0} : !matrix, !matrix, !sums -> !sums
      %scores = builtin.unrealized_conversion_cast %qk : !sums to !registers
      %s0 = llvm.extractvalue %scores[0, 0] : !registers
      %s1 = llvm.extractvalue %scores[0, 1] : !registers
      %s2 = llvm.extractvalue %scores[0, 2] : !registers
      %s3 = llvm.extractvalue %scores[0, 3] : !registers
      %s4 = llvm.extractvalue %scores[0, 4] : !registers
      %s5 = llvm.extractvalue %scores[0, 5] : !registers
      %s6 = llvm.extractvalue %scores[0, 6] : !registers
      %s7 = llvm.extractvalue %scores[0, 7] : !registers
      %s8 = llvm.extractvalue %scores[0, 8] : !registers
      %s9 = llvm.extractvalue %scores[0, 9] : !registers
      %s10 = llvm.extractvalue %scores[0, 10] : !registers
      %s11 = llvm.extractvalue %scores[0, 11] : !registers
      %s12 = llvm.extractvalue %scores[0, 12] : !registers
      %s13 = llvm.extractvalue %scores[0, 13] : !registers
      %s14 = llvm.extractvalue %scores[0, 14] : !registers
      %s15 = llvm.extractvalue %scores[0, 15] : !registers
      %s16 = llvm.extractvalue %scores[0, 16] : !registers
      %s17 = llvm.extractvalue %scores[0, 17] : !registers
      %s18 = llvm.extractvalue %scores[0, 18] : !registers
      %s19 = llvm.extractvalue %scores[0, 19] : !registers
      %s20 = llvm.extractvalue %scores[0, 20] : !registers
      %s21 = llvm.extractvalue %scores[0, 21] : !registers
      %s22 = llvm.extractvalue %scores[0, 22] : !registers
      %s23 = llvm.extractvalue %scores[0, 23] : !registers
      %s24 = llvm.extractvalue %scores[0, 24] : !registers
      %s25 = llvm.extractvalue %scores[0, 25] : !registers
      %s26 = llvm.extractvalue %scores[0, 26] : !registers
      %s27 = llvm.extractvalue %scores[0, 27] : !registers
      %s28 = llvm.extractvalue %scores[0, 28] : !registers
      %s29 = llvm.extractvalue %scores[0, 29] : !registers
      %s30 = llvm.extractvalue %scores[0, 30] : !registers
      %s31 = llvm.extractvalue %scores[0, 31] : !registers
      %upper = vector.from_elements %s0, %s1, %s4, %s5, %s8, %s9, %s12, %s13, %s16, %s17, %s20, %s21, %s24, %s25, %s28, %s29 : vector<16xf32>
      %lower = vector.from_elements %s2, %s3, %s6, %s7, %s10, %s11, %s14, %s15, %s18, %s19, %s22, %s23, %s26, %s27, %s30, %s31 : vector<16xf32>

      // Keys beyond the last do not count; only the last tile may have some.
      %next_key = arith.addi %key, %64 : index
      %is_partial = arith.cmpi ugt, %next_key, %keys : index
      %seen:2 = scf.if %is_partial -> (!row, !row) {
        %left = arith.subi %keys, %key : index
        %few = arith.index_cast %left : index to i32
        %limit = vector.broadcast %few : i32 to vector<16xi32>
        %own_columns = arith.addi %columns, %pairs : vector<16xi32>
        %is_key = arith.cmpi slt, %own_columns, %limit : vector<16xi32>
        %seen_u = arith.select %is_key, %upper, %no_score : vector<16xi1>, !row
        %seen_l = arith.select %is_key, %lower, %no_score : vector<16xi1>, !row
        scf.yield %seen_u, %seen_l : !row, !row
      } else {
        scf.yield %upper, %lower : !row, !row
      }

      // The largest score of each row so far, of which each of four threads has seen a part.
      %own_u = vector.reduction <maxnumf>, %seen#0, %most_u : !row into f32
      %own_l = vector.reduction <maxnumf>, %seen#1, %most_l : !row into f32
      %beside_u, %x0 = gpu.shuffle xor %own_u, %near, %warp_size : f32
      %beside_l, %x1 = gpu.shuffle xor %own_l, %near, %warp_size : f32
      %two_u = arith.maxnumf %own_u, %beside_u : f32
      %two_l = arith.maxnumf %own_l, %beside_l : f32
      %others_u, %x2 = gpu.shuffle xor %two_u, %far, %warp_size : f32
      %others_l, %x3 = gpu.shuffle xor %two_l, %far, %warp_size : f32
      %new_most_u = arith.maxnumf %two_u, %others_u : f32
      %new_most_l = arith.maxnumf %two_l, %others_l : f32

      // Weights: e to the scaled score less the largest one.
      %less_u = arith.mulf %new_most_u, %scale : f32
      %less_l = arith.mulf %new_most_l, %scale : f32
      %minus_u = arith.negf %less_u : f32
      %minus_l = arith.negf %less_l : f32
      %scales = vector.broadcast %scale : f32 to !row
      %offsets_u = vector.broadcast %minus_u : f32 to !row
      %offsets_l = vector.broadcast %minus_l : f32 to !row
      %power_u = math.fma %seen#0, %scales, %offsets_u : !row
      %power_l = math.fma %seen#1, %scales, %offsets_l : !row
      %w_u = math.exp2 %power_u fastmath<afn> : !row
      %w_l = math.exp2 %power_l fastmath<afn> : !row
      %drop_u = math.fma %most_u, %scale, %minus_u : f32
      %drop_l = math.fma %most_l, %scale, %minus_l : f32
      %shrink_u = math.exp2 %drop_u fastmath<afn> : f32
      %shrink_l = math.exp2 %drop_l fastmath<afn> : f32
      // Totals of this thread's columns alone, until all keys have been seen.
      %old_u = arith.mulf %total_u, %shrink_u : f32
      %old_l = arith.mulf %total_l, %shrink_l : f32
      %new_total_u = vector.reduction <add>, %w_u, %old_u : !row into f32
      %new_total_l = vector.reduction <add>, %w_l, %old_l : !row into f32

      // Where the copy engine would put them: pieces of 16 bytes exchanged by the row.
      %narrow_u = arith.truncf %w_u : !row to vector<16xf16>
      %narrow_l = arith.truncf %w_l : !row to vector<16xf16>
      %packed_u = vector.bitcast %narrow_u : vector<16xf16> to vector<8xi32>
      %packed_l = vector.bitcast %narrow_l : vector<16xf16> to vector<8xi32>
      %moved0 = arith.xori %half_lane, %octet_row : index
      %bytes0 = arith.muli %moved0, %16 : index
      %at0 = arith.addi %weights_row, %bytes0 : index
      %int0 = arith.index_cast %at0 : index to i64
      %to0 = llvm.inttoptr %int0 : i64 to !llvm.ptr<3>
      %m0_0 = vector.extract %packed_u[0] : i32 from vector<8xi32>
      %m0_1 = vector.extract %packed_l[0] : i32 from vector<8xi32>
      %m0_2 = vector.extract %packed_u[1] : i32 from vector<8xi32>
      %m0_3 = vector.extract %packed_l[1] : i32 from vector<8xi32>
      nvvm.stmatrix %to0, %m0_0, %m0_1, %m0_2, %m0_3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %p1 = arith.constant 2 : index
      %piece1 = arith.addi %half_lane, %p1 : index
      %moved1 = arith.xori %piece1, %octet_row : index
      %bytes1 = arith.muli %moved1, %16 : index
      %at1 = arith.addi %weights_row, %bytes1 : index
      %int1 = arith.index_cast %at1 : index to i64
      %to1 = llvm.inttoptr %int1 : i64 to !llvm.ptr<3>
      %m1_0 = vector.extract %packed_u[2] : i32 from vector<8xi32>
      %m1_1 = vector.extract %packed_l[2] : i32 from vector<8xi32>
      %m1_2 = vector.extract %packed_u[3] : i32 from vector<8xi32>
      %m1_3 = vector.extract %packed_l[3] : i32 from vector<8xi32>
      nvvm.stmatrix %to1, %m1_0, %m1_1, %m1_2, %m1_3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %p2 = arith.constant 4 : index
      %piece2 = arith.addi %half_lane, %p2 : index
      %moved2 = arith.xori %piece2, %octet_row : index
      %bytes2 = arith.muli %moved2, %16 : index
      %at2 = arith.addi %weights_row, %bytes2 : index
      %int2 = arith.index_cast %at2 : index to i64
      %to2 = llvm.inttoptr %int2 : i64 to !llvm.ptr<3>
      %m2_0 = vector.extract %packed_u[4] : i32 from vector<8xi32>
      %m2_1 = vector.extract %packed_l[4] : i32 from vector<8xi32>
      %m2_2 = vector.extract %packed_u[5] : i32 from vector<8xi32>
      %m2_3 = vector.extract %packed_l[5] : i32 from vector<8xi32>
      nvvm.stmatrix %to2, %m2_0, %m2_1, %m2_2, %m2_3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %p3 = arith.constant 6 : index
      %piece3 = arith.addi %half_lane, %p3 : index
      %moved3 = arith.xori %piece3, %octet_row : index
      %bytes3 = arith.muli %moved3, %16 : index
      %at3 = arith.addi %weights_row, %bytes3 : index
      %int3 = arith.index_cast %at3 : index to i64
      %to3 = llvm.inttoptr %int3 : i64 to !llvm.ptr<3>
      %m3_0 = vector.extract %packed_u[6] : i32 from vector<8xi32>
      %m3_1 = vector.extract %packed_l[6] : i32 from vector<8xi32>
      %m3_2 = vector.extract %packed_u[7] : i32 from vector<8xi32>
      %m3_3 = vector.extract %packed_l[7] : i32 from vector<8xi32>
      nvvm.stmatrix %to3, %m3_0, %m3_1, %m3_2, %m3_3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32

      // Results of earlier tiles are scaled down.
      %earlier = builtin.unrealized_conversion_cast %result : !sums to !registers
      %r0 = llvm.extractvalue %earlier[0, 0] : !registers
      %r1 = llvm.extractvalue %earlier[0, 1] : !registers
      %r2 = llvm.extractvalue %earlier[0, 2] : !registers
      %r3 = llvm.extractvalue %earlier[0, 3] : !registers
      %r4 = llvm.extractvalue %earlier[0, 4] : !registers
      %r5 = llvm.extractvalue %earlier[0, 5] : !registers
      %r6 = llvm.extractvalue %earlier[0, 6] : !registers
      %r7 = llvm.extractvalue %earlier[0, 7] : !registers
      %r8 = llvm.extractvalue %earlier[0, 8] : !registers
      %r9 = llvm.extractvalue %earlier[0, 9] : !registers
      %r10 = llvm.extractvalue %earlier[0, 10] : !registers
      %r11 = llvm.extractvalue %earlier[0, 11] : !registers
      %r12 = llvm.extractvalue %earlier[0, 12] : !registers
      %r13 = llvm.extractvalue %earlier[0, 13] : !registers
      %r14 = llvm.extractvalue %earlier[0, 14] : !registers
      %r15 = llvm.extractvalue %earlier[0, 15] : !registers
      %r16 = llvm.extractvalue %earlier[0, 16] : !registers
      %r17 = llvm.extractvalue %earlier[0, 17] : !registers
      %r18 = llvm.extractvalue %earlier[0, 18] : !registers
      %r19 = llvm.extractvalue %earlier[0, 19] : !registers
      %r20 = llvm.extractvalue %earlier[0, 20] : !registers
      %r21 = llvm.extractvalue %earlier[0, 21] : !registers
      %r22 = llvm.extractvalue %earlier[0, 22] : !registers
      %r23 = llvm.extractvalue %earlier[0, 23] : !registers
      %r24 = llvm.extractvalue %earlier[0, 24] : !registers
      %r25 = llvm.extractvalue %earlier[0, 25] : !registers
      %r26 = llvm.extractvalue %earlier[0, 26] : !registers
      %r27 = llvm.extractvalue %earlier[0, 27] : !registers
      %r28 = llvm.extractvalue %earlier[0, 28] : !registers
      %r29 = llvm.extractvalue %earlier[0, 29] : !registers
      %r30 = llvm.extractvalue %earlier[0, 30] : !registers
      %r31 = llvm.extractvalue %earlier[0, 31] : !registers
      %before_u = vector.from_elements %r0, %r1, %r4, %r5, %r8, %r9, %r12, %r13, %r16, %r17, %r20, %r21, %r24, %r25, %r28, %r29 : vector<16xf32>
      %before_l = vector.from_elements %r2, %r3, %r6, %r7, %r10, %r11, %r14, %r15, %r18, %r19, %r22, %r23, %r26, %r27, %r30, %r31 : vector<16xf32>
      %shrinks_u = vector.broadcast %shrink_u : f32 to !row
      %shrinks_l = vector.broadcast %shrink_l : f32 to !row
      %scaled_u = arith.mulf %before_u, %shrinks_u : !row
      %scaled_l = arith.mulf %before_l, %shrinks_l : !row
      %k_u:16 = vector.to_elements %scaled_u : !row
      %k_l:16 = vector.to_elements %scaled_l : !row
      %k_none = llvm.mlir.poison : !registers
      %kept_0 = llvm.insertvalue %k_u#0, %k_none[0, 0] : !registers
      %kept_1 = llvm.insertvalue %k_u#1, %kept_0[0, 1] : !registers
      %kept_2 = llvm.insertvalue %k_l#0, %kept_1[0, 2] : !registers
      %kept_3 = llvm.insertvalue %k_l#1, %kept_2[0, 3] : !registers
      %kept_4 = llvm.insertvalue %k_u#2, %kept_3[0, 4] : !registers
      %kept_5 = llvm.insertvalue %k_u#3, %kept_4[0, 5] : !registers
      %kept_6 = llvm.insertvalue %k_l#2, %kept_5[0, 6] : !registers
      %kept_7 = llvm.insertvalue %k_l#3, %kept_6[0, 7] : !registers
      %kept_8 = llvm.insertvalue %k_u#4, %kept_7[0, 8] : !registers
      %kept_9 = llvm.insertvalue %k_u#5, %kept_8[0, 9] : !registers
      %kept_10 = llvm.insertvalue %k_l#4, %kept_9[0, 10] : !registers
      %kept_11 = llvm.insertvalue %k_l#5, %kept_10[0, 11] : !registers
      %kept_12 = llvm.insertvalue %k_u#6, %kept_11[0, 12] : !registers
      %kept_13 = llvm.insertvalue %k_u#7, %kept_12[0, 13] : !registers
      %kept_14 = llvm.insertvalue %k_l#6, %kept_13[0, 14] : !registers
      %kept_15 = llvm.insertvalue %k_l#7, %kept_14[0, 15] : !registers
      %kept_16 = llvm.insertvalue %k_u#8, %kept_15[0, 16] : !registers
      %kept_17 = llvm.insertvalue %k_u#9, %kept_16[0, 17] : !registers
      %kept_18 = llvm.insertvalue %k_l#8, %kept_17[0, 18] : !registers
      %kept_19 = llvm.insertvalue %k_l#9, %kept_18[0, 19] : !registers
      %kept_20 = llvm.insertvalue %k_u#10, %kept_19[0, 20] : !registers
      %kept_21 = llvm.insertvalue %k_u#11, %kept_20[0, 21] : !registers
      %kept_22 = llvm.insertvalue %k_l#10, %kept_21[0, 22] : !registers
      %kept_23 = llvm.insertvalue %k_l#11, %kept_22[0, 23] : !registers
      %kept_24 = llvm.insertvalue %k_u#12, %kept_23[0, 24] : !registers
      %kept_25 = llvm.insertvalue %k_u#13, %kept_24[0, 25] : !registers
      %kept_26 = llvm.insertvalue %k_l#12, %kept_25[0, 26] : !registers
      %kept_27 = llvm.insertvalue %k_l#13, %kept_26[0, 27] : !registers
      %kept_28 = llvm.insertvalue %k_u#14, %kept_27[0, 28] : !registers
      %kept_29 = llvm.insertvalue %k_u#15, %kept_28[0, 29] : !registers
      %kept_30 = llvm.insertvalue %k_l#14, %kept_29[0, 30] : !registers
      %kept = llvm.insertvalue %k_l#15, %kept_30[0, 31] : !registers
      %sums = builtin.unrealized_conversion_cast %kept : !registers to !sums
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier

      // Weights by V, whose rows are keys.
      %w0 = nvgpu.warpgroup.generate.descriptor %weights, %map_q : !half, !map -> !matrix
      %v0 = nvgpu.warpgroup.generate.descriptor %tile_v, %map_v : !half, !map -> !matrix
      %wv = nvgpu.warpgroup.mma %w0, %v0, %sums {transposeB, waitGroup = 0} : !matrix, !matrix, !sums -> !sums
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %new_most_u, %new_most_l, %new_total_u, %new_total_l, %wv, %next : f32, f32, f32, f32, !sums, i1
    } {xgpu.circular_buffer = {stages = 2}}

    %part_u, %y0 = gpu.shuffle xor %end#2, %near, %warp_size : f32
    %part_l, %y1 = gpu.shuffle xor %end#3, %near, %warp_size : f32
    %half_u = arith.addf %end#2, %part_u : f32
    %half_l = arith.addf %end#3, %part_l : f32
    %rest_u, %y2 = gpu.shuffle xor %half_u, %far, %warp_size : f32
    %rest_l, %y3 = gpu.shuffle xor %half_l, %far, %warp_size : f32
    %whole_u = arith.addf %half_u, %rest_u : f32
    %whole_l = arith.addf %half_l, %rest_l : f32
    %mean_u = arith.divf %unit, %whole_u : f32
    %mean_l = arith.divf %unit, %whole_l : f32
    %means_u = vector.broadcast %mean_u : f32 to !row
    %means_l = vector.broadcast %mean_l : f32 to !row
    %last = builtin.unrealized_conversion_cast %end#4 : !sums to !registers
    %e0 = llvm.extractvalue %last[0, 0] : !registers
    %e1 = llvm.extractvalue %last[0, 1] : !registers
    %e2 = llvm.extractvalue %last[0, 2] : !registers
    %e3 = llvm.extractvalue %last[0, 3] : !registers
    %e4 = llvm.extractvalue %last[0, 4] : !registers
    %e5 = llvm.extractvalue %last[0, 5] : !registers
    %e6 = llvm.extractvalue %last[0, 6] : !registers
    %e7 = llvm.extractvalue %last[0, 7] : !registers
    %e8 = llvm.extractvalue %last[0, 8] : !registers
    %e9 = llvm.extractvalue %last[0, 9] : !registers
    %e10 = llvm.extractvalue %last[0, 10] : !registers
    %e11 = llvm.extractvalue %last[0, 11] : !registers
    %e12 = llvm.extractvalue %last[0, 12] : !registers
    %e13 = llvm.extractvalue %last[0, 13] : !registers
    %e14 = llvm.extractvalue %last[0, 14] : !registers
    %e15 = llvm.extractvalue %last[0, 15] : !registers
    %e16 = llvm.extractvalue %last[0, 16] : !registers
    %e17 = llvm.extractvalue %last[0, 17] : !registers
    %e18 = llvm.extractvalue %last[0, 18] : !registers
    %e19 = llvm.extractvalue %last[0, 19] : !registers
    %e20 = llvm.extractvalue %last[0, 20] : !registers
    %e21 = llvm.extractvalue %last[0, 21] : !registers
    %e22 = llvm.extractvalue %last[0, 22] : !registers
    %e23 = llvm.extractvalue %last[0, 23] : !registers
    %e24 = llvm.extractvalue %last[0, 24] : !registers
    %e25 = llvm.extractvalue %last[0, 25] : !registers
    %e26 = llvm.extractvalue %last[0, 26] : !registers
    %e27 = llvm.extractvalue %last[0, 27] : !registers
    %e28 = llvm.extractvalue %last[0, 28] : !registers
    %e29 = llvm.extractvalue %last[0, 29] : !registers
    %e30 = llvm.extractvalue %last[0, 30] : !registers
    %e31 = llvm.extractvalue %last[0, 31] : !registers
    %sum_u = vector.from_elements %e0, %e1, %e4, %e5, %e8, %e9, %e12, %e13, %e16, %e17, %e20, %e21, %e24, %e25, %e28, %e29 : vector<16xf32>
    %sum_l = vector.from_elements %e2, %e3, %e6, %e7, %e10, %e11, %e14, %e15, %e18, %e19, %e22, %e23, %e26, %e27, %e30, %e31 : vector<16xf32>
    %out_u = arith.mulf %sum_u, %means_u : !row
    %out_l = arith.mulf %sum_l, %means_l : !row
    %to_u = arith.addi %query, %upper_row : index
    %is_query_u = arith.cmpi ult, %to_u, %queries : index
    scf.if %is_query_u {
      %m_u0 = vector.shuffle %out_u, %out_u [0, 1] : !row, !row
      vector.store %m_u0, %out[%to_u, %pair] : memref<160x64xf32>, vector<2xf32>
      %o_u1 = arith.constant 8 : index
      %c_u1 = arith.addi %pair, %o_u1 : index
      %m_u1 = vector.shuffle %out_u, %out_u [2, 3] : !row, !row
      vector.store %m_u1, %out[%to_u, %c_u1] : memref<160x64xf32>, vector<2xf32>
      %o_u2 = arith.constant 16 : index
      %c_u2 = arith.addi %pair, %o_u2 : index
      %m_u2 = vector.shuffle %out_u, %out_u [4, 5] : !row, !row
      vector.store %m_u2, %out[%to_u, %c_u2] : memref<160x64xf32>, vector<2xf32>
      %o_u3 = arith.constant 24 : index
      %c_u3 = arith.addi %pair, %o_u3 : index
      %m_u3 = vector.shuffle %out_u, %out_u [6, 7] : !row, !row
      vector.store %m_u3, %out[%to_u, %c_u3] : memref<160x64xf32>, vector<2xf32>
      %o_u4 = arith.constant 32 : index
      %c_u4 = arith.addi %pair, %o_u4 : index
      %m_u4 = vector.shuffle %out_u, %out_u [8, 9] : !row, !row
      vector.store %m_u4, %out[%to_u, %c_u4] : memref<160x64xf32>, vector<2xf32>
      %o_u5 = arith.constant 40 : index
      %c_u5 = arith.addi %pair, %o_u5 : index
      %m_u5 = vector.shuffle %out_u, %out_u [10, 11] : !row, !row
      vector.store %m_u5, %out[%to_u, %c_u5] : memref<160x64xf32>, vector<2xf32>
      %o_u6 = arith.constant 48 : index
      %c_u6 = arith.addi %pair, %o_u6 : index
      %m_u6 = vector.shuffle %out_u, %out_u [12, 13] : !row, !row
      vector.store %m_u6, %out[%to_u, %c_u6] : memref<160x64xf32>, vector<2xf32>
      %o_u7 = arith.constant 56 : index
      %c_u7 = arith.addi %pair, %o_u7 : index
      %m_u7 = vector.shuffle %out_u, %out_u [14, 15] : !row, !row
      vector.store %m_u7, %out[%to_u, %c_u7] : memref<160x64xf32>, vector<2xf32>
    }
    %to_l = arith.addi %query, %lower_row : index
    %is_query_l = arith.cmpi ult, %to_l, %queries : index
    scf.if %is_query_l {
      %m_l0 = vector.shuffle %out_l, %out_l [0, 1] : !row, !row
      vector.store %m_l0, %out[%to_l, %pair] : memref<160x64xf32>, vector<2xf32>
      %o_l1 = arith.constant 8 : index
      %c_l1 = arith.addi %pair, %o_l1 : index
      %m_l1 = vector.shuffle %out_l, %out_l [2, 3] : !row, !row
      vector.store %m_l1, %out[%to_l, %c_l1] : memref<160x64xf32>, vector<2xf32>
      %o_l2 = arith.constant 16 : index
      %c_l2 = arith.addi %pair, %o_l2 : index
      %m_l2 = vector.shuffle %out_l, %out_l [4, 5] : !row, !row
      vector.store %m_l2, %out[%to_l, %c_l2] : memref<160x64xf32>, vector<2xf32>
      %o_l3 = arith.constant 24 : index
      %c_l3 = arith.addi %pair, %o_l3 : index
      %m_l3 = vector.shuffle %out_l, %out_l [6, 7] : !row, !row
      vector.store %m_l3, %out[%to_l, %c_l3] : memref<160x64xf32>, vector<2xf32>
      %o_l4 = arith.constant 32 : index
      %c_l4 = arith.addi %pair, %o_l4 : index
      %m_l4 = vector.shuffle %out_l, %out_l [8, 9] : !row, !row
      vector.store %m_l4, %out[%to_l, %c_l4] : memref<160x64xf32>, vector<2xf32>
      %o_l5 = arith.constant 40 : index
      %c_l5 = arith.addi %pair, %o_l5 : index
      %m_l5 = vector.shuffle %out_l, %out_l [10, 11] : !row, !row
      vector.store %m_l5, %out[%to_l, %c_l5] : memref<160x64xf32>, vector<2xf32>
      %o_l6 = arith.constant 48 : index
      %c_l6 = arith.addi %pair, %o_l6 : index
      %m_l6 = vector.shuffle %out_l, %out_l [12, 13] : !row, !row
      vector.store %m_l6, %out[%to_l, %c_l6] : memref<160x64xf32>, vector<2xf32>
      %o_l7 = arith.constant 56 : index
      %c_l7 = arith.addi %pair, %o_l7 : index
      %m_l7 = vector.shuffle %out_l, %out_l [14, 15] : !row, !row
      vector.store %m_l7, %out[%to_l, %c_l7] : memref<160x64xf32>, vector<2xf32>
    }
    gpu.terminator
  } {workgroup_attrib_attrs = [{llvm.align = 1024 : i64}, {llvm.align = 1024 : i64}, {llvm.align = 1024 : i64},
                               {llvm.align = 1024 : i64}]}
  return
}
