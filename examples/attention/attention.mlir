// Attention: softmax(Q K^T / 8) V for 160 queries and 200 keys of 64 numbers, in f16 with sums in f32.
//
//   xgpu-opt --circular-buffer examples/attention/attention.mlir
//
// A block has 64 queries and goes over the keys in tiles of 64, as one thinks of it: copy a tile of K
// and one of V, wait, multiply, take the exponentials, multiply again. The weights of earlier tiles
// are scaled down when a larger score turns up, so that no score is kept. The mark makes warps of
// their own of the copies, with two tiles of each in flight.
!in_q = memref<160x64xf16>
!in_k = memref<200x64xf16>
!half = memref<64x64xf16, #gpu.address_space<workgroup>>
!full = memref<64x64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !half, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!matrix = !nvgpu.warpgroup.descriptor<tensor = !half>
!sums = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

func.func @attention(%q: !in_q, %k: !in_k, %v: !in_k, %out: memref<160x64xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %64 = arith.constant 64 : index
  %128 = arith.constant 128 : index
  %keys = arith.constant 200 : index
  %queries = arith.constant 160 : index
  %dynamic = arith.constant 32768 : i32
  %any_q = memref.cast %q : !in_q to memref<*xf16>
  %any_k = memref.cast %k : !in_k to memref<*xf16>
  %any_v = memref.cast %v : !in_k to memref<*xf16>
  %map_q = nvgpu.tma.create.descriptor %any_q box[%64, %64] : memref<*xf16> -> !map
  %map_k = nvgpu.tma.create.descriptor %any_k box[%64, %64] : memref<*xf16> -> !map
  %map_v = nvgpu.tma.create.descriptor %any_v box[%64, %64] : memref<*xf16> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %3, %gy = %1, %gz = %1)
             threads(%t, %ty, %tz) in (%sx = %128, %sy = %1, %sz = %1)
             dynamic_shared_memory_size %dynamic
             workgroup(%tile_q : !half, %tile_k : !half, %tile_v : !half, %weights : !half) {
    %c16384 = arith.constant 16384 : index
    %more_memory = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %scores = memref.view %more_memory[%0][] : memref<?xi8, #gpu.address_space<workgroup>> to !full
    %result = memref.view %more_memory[%c16384][] : memref<?xi8, #gpu.address_space<workgroup>> to !full
    %2 = arith.constant 2 : index
    %8 = arith.constant 8 : index
    %32 = arith.constant 32 : index
    %bytes_q = arith.constant 8192 : index
    %bytes = arith.constant 16384 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant false
    %odd = arith.constant true
    %one = arith.constant 1 : i32
    %warp = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -1.0e30 : f32
    %scale = arith.constant 0.125 : f32
    %is_first = arith.cmpi eq, %t, %0 : index
    %query = arith.muli %bx, %64 : index

    // Two threads share a row: this one has half of the columns.
    %row = arith.divui %t, %2 : index
    %which = arith.remui %t, %2 : index
    %low = arith.muli %which, %32 : index
    %high = arith.addi %low, %32 : index
    %place = arith.remui %row, %8 : index

    %ready_q = nvgpu.mbarrier.create -> !barrier
    %ready = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %ready_q[%0], %1, predicate = %is_first : !barrier
    nvgpu.mbarrier.init %ready[%0], %1, predicate = %is_first : !barrier
    nvvm.fence.mbarrier.init
    gpu.barrier
    nvgpu.mbarrier.arrive.expect_tx %ready_q[%0], %bytes_q, predicate = %is_first : !barrier
    nvgpu.tma.async.load %map_q[%0, %query], %ready_q[%0] to %tile_q, predicate = %is_first : !map, !barrier -> !half
    scf.for %c = %low to %high step %1 {
      memref.store %zero, %result[%row, %c] : !full
    }
    nvgpu.mbarrier.try_wait.parity %ready_q[%0], %even, %ticks : !barrier

    %end:3 = scf.for %key = %0 to %keys step %64
        iter_args(%most = %lowest, %total = %zero, %parity = %even) -> (f32, f32, i1) {
      nvgpu.mbarrier.arrive.expect_tx %ready[%0], %bytes, predicate = %is_first : !barrier
      nvgpu.tma.async.load %map_k[%0, %key], %ready[%0] to %tile_k, predicate = %is_first : !map, !barrier -> !half
      nvgpu.tma.async.load %map_v[%0, %key], %ready[%0] to %tile_v, predicate = %is_first : !map, !barrier -> !half
      nvgpu.mbarrier.try_wait.parity %ready[%0], %parity, %ticks : !barrier

      // Scores: rows of Q by rows of K.
      %q0 = nvgpu.warpgroup.generate.descriptor %tile_q, %map_q : !half, !map -> !matrix
      %k0 = nvgpu.warpgroup.generate.descriptor %tile_k, %map_k : !half, !map -> !matrix
      %none = nvgpu.warpgroup.mma.init.accumulator -> !sums
      %qk = nvgpu.warpgroup.mma %q0, %k0, %none {waitGroup = 0} : !matrix, !matrix, !sums -> !sums
      nvgpu.warpgroup.mma.store %qk, %scores : !sums to !full
      gpu.barrier

      // The largest score of the row so far; keys beyond the last do not count.
      %own = scf.for %c = %low to %high step %1 iter_args(%m = %most) -> (f32) {
        %at = arith.addi %key, %c : index
        %is_key = arith.cmpi ult, %at, %keys : index
        %s = memref.load %scores[%row, %c] : !full
        %scaled = arith.mulf %s, %scale : f32
        %seen = arith.select %is_key, %scaled, %lowest : f32
        %larger = arith.maximumf %m, %seen : f32
        scf.yield %larger : f32
      }
      %others, %x0 = gpu.shuffle xor %own, %one, %warp : f32
      %new_most = arith.maximumf %own, %others : f32

      // Weights, where the copy engine would put them: pieces of 16 bytes exchanged by the row.
      %part = scf.for %c = %low to %high step %1 iter_args(%sum = %zero) -> (f32) {
        %at = arith.addi %key, %c : index
        %is_key = arith.cmpi ult, %at, %keys : index
        %s = memref.load %scores[%row, %c] : !full
        %scaled = arith.mulf %s, %scale : f32
        %less = arith.subf %scaled, %new_most : f32
        %e = math.exp %less : f32
        %w = arith.select %is_key, %e, %zero : f32
        %narrow = arith.truncf %w : f32 to f16
        %piece = arith.divui %c, %8 : index
        %within = arith.remui %c, %8 : index
        %moved = arith.xori %piece, %place : index
        %begin = arith.muli %moved, %8 : index
        %column = arith.addi %begin, %within : index
        memref.store %narrow, %weights[%row, %column] : !half
        %more = arith.addf %sum, %w : f32
        scf.yield %more : f32
      }
      %other_part, %x1 = gpu.shuffle xor %part, %one, %warp : f32
      %tile_total = arith.addf %part, %other_part : f32
      %drop = arith.subf %most, %new_most : f32
      %shrink = math.exp %drop : f32
      %old_total = arith.mulf %total, %shrink : f32
      %new_total = arith.addf %old_total, %tile_total : f32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier

      // Weights by V, whose rows are keys.
      %w0 = nvgpu.warpgroup.generate.descriptor %weights, %map_q : !half, !map -> !matrix
      %v0 = nvgpu.warpgroup.generate.descriptor %tile_v, %map_v : !half, !map -> !matrix
      %wv = nvgpu.warpgroup.mma %w0, %v0, %none {transposeB, waitGroup = 0} : !matrix, !matrix, !sums -> !sums
      nvgpu.warpgroup.mma.store %wv, %scores : !sums to !full
      gpu.barrier
      scf.for %c = %low to %high step %1 {
        %before = memref.load %result[%row, %c] : !full
        %kept = arith.mulf %before, %shrink : f32
        %added = memref.load %scores[%row, %c] : !full
        %now = arith.addf %kept, %added : f32
        memref.store %now, %result[%row, %c] : !full
      }
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %new_most, %new_total, %next : f32, f32, i1
    } {xgpu.circular_buffer = {stages = 2}}

    %to = arith.addi %query, %row : index
    %is_query = arith.cmpi ult, %to, %queries : index
    scf.if %is_query {
      scf.for %c = %low to %high step %1 {
        %sum = memref.load %result[%row, %c] : !full
        %mean = arith.divf %sum, %end#1 : f32
        memref.store %mean, %out[%to, %c] : memref<160x64xf32>
      }
    }
    gpu.terminator
  } {workgroup_attrib_attrs = [{llvm.align = 1024 : i64}, {llvm.align = 1024 : i64}, {llvm.align = 1024 : i64},
                               {llvm.align = 1024 : i64}]}
  return
}
