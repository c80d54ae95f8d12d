// RUN: xgpu-opt %s --circular-buffer --split-input-file --verify-diagnostics

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @no_copy(%in: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{expected a loop that copies tiles to workgroup memory, but found no such copy}}
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %in[%i] : memref<?xf32>
      memref.store %v, %in[%i] : memref<?xf32>
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @read_before_it_is_written(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      // expected-error @below {{an iteration reads %tile before it writes it: what it finds there is of the iteration before}}
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      %v = memref.load %in[%k] : memref<?xf32>
      // expected-note @below {{written here}}
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @used_outside(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    // expected-note @below {{the loop is here}}
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    // expected-error @below {{uses %tile outside of the loop: which of its copies that would be is not defined}}
    %last = memref.load %tile[%t] : !tile
    memref.store %last, %out[%t] : memref<?xf32>
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @carried(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%a: !tile, %b: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    // expected-note @below {{in this loop}}
    %r:2 = scf.for %i = %c0 to %n step %c32 iter_args(%this = %a, %that = %b) -> (!tile, !tile) {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      // expected-error @below {{the loop carries the buffer itself: buffers can be rotated only if all are known}}
      memref.store %v, %this[%t] : !tile
      gpu.barrier
      %x = memref.load %this[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
      scf.yield %that, %this : !tile, !tile
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @aliases(%in: memref<?xf32>, %out: memref<?xf32>, %n: index, %which: i1) workgroup(%a: !tile, %b: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %other = arith.select %which, %a, %b : !tile
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      // expected-note @below {{the buffer is filled here}}
      memref.store %v, %a[%t] : !tile
      gpu.barrier
      // expected-error @below {{may alias %a: it is not known which memory it uses}}
      %x = memref.load %other[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<1024xf32, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
func.func @main(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  gpu.launch_func @kernels::@too_many_stages blocks in (%c1, %c1, %c1) threads in (%c1024, %c1, %c1)
      args(%in : memref<?xf32>, %out : memref<?xf32>, %n : index)
  return
}
gpu.module @kernels {
  // expected-note @below {{the kernel has 4096 bytes without them}}
  gpu.func @too_many_stages(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    // expected-error @below {{needs 245760 bytes of workgroup memory with these stages, and a block can have 232448}}
    scf.for %i = %c0 to %n step %c1024 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {stages = 60}}
    gpu.return
  }
}
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @reads_what_it_writes(%io: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      // expected-error @below {{a copy of a later iteration would read memory before this iteration writes it}}
      %v = memref.load %io[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      // expected-note @below {{written here}}
      memref.store %x, %io[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @threads_differ(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    // expected-note @below {{threads differ by this}}
    %t = gpu.thread_id x
    // expected-error @below {{expected a number of iterations that is the same for all threads of a block}}
    scf.for %i = %t to %n step %c32 {
      %v = memref.load %in[%i] : memref<?xf32>
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%i] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @mode(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    // expected-note @below {{the loop is here}}
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      // expected-error @below {{mode 'pipelined-mbarrier' is for loops all of whose copies are nvgpu.tma.async.load, which an mbarrier counts; this copy is made by the threads themselves}}
      memref.store %v, %tile[%t] : !tile
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {mode = "pipelined-mbarrier"}}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @options(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{expected a prefetch distance of 0 to 1 for 2 stages, or one of -2 to -1, which counts from the stages, but found 2}}
    scf.for %i = %c0 to %n step %c1 {
    } {xgpu.circular_buffer = {prefetch = 2}}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @options(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{'xgpu.circular_buffer' has no option 'depth'; it has stages, prefetch, mode, producer-warps, registers}}
    scf.for %i = %c0 to %n step %c1 {
    } {xgpu.circular_buffer = {depth = 2}}
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @place(%n: index) kernel {
    // expected-error @below {{expected 'xgpu.circular_buffer' on an scf.for, or on a copy in a marked one}}
    %c0 = arith.constant {xgpu.circular_buffer} 0 : index
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_75">] {
  gpu.func @chip(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    // expected-note @below {{the loop is here}}
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      // expected-error @below {{asynchronous copies by threads begin with sm_80, but the kernel is for sm_75}}
      %token = nvgpu.device_async_copy %in[%k], %tile[%t], 1 : memref<?xf32> to !tile
      %group = nvgpu.device_async_create_group %token
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @barrier_between_loads(%out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{loaded here}}
      %x = memref.load %tile[%i] : !tile
      memref.store %x, %out[%i] : memref<?xf32>
      // expected-error @below {{a barrier in the loop: what is loaded ahead of it may not be there yet}}
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @writes_what_it_loads(%n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      // expected-note @below {{loaded here}}
      %x = memref.load %tile[%i] : !tile
      // expected-error @below {{writes what is loaded to registers ahead of it}}
      memref.store %x, %tile[%i] : !tile
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @registers_by_other_warps(%out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{mode 'warp-specialized' is for copies to workgroup memory; this loop loads from there}}
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %tile[%i] : !tile
      memref.store %x, %out[%i] : memref<?xf32>
    } {xgpu.circular_buffer = {mode = "warp-specialized"}}
    gpu.return
  }
}

// -----

!a = memref<64x64xf16, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>
!d = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, #gpu.address_space<workgroup>>>
gpu.module @kernels {
  gpu.func @not_fenced(%in: memref<?x64xf16>, %map: !map, %n: index) workgroup(%a: !a) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %zero = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> !acc {
      %v = memref.load %in[%i, %t] : memref<?x64xf16>
      // expected-note @below {{written here}}
      memref.store %v, %a[%t, %t] : !a
      gpu.barrier
      %da = nvgpu.warpgroup.generate.descriptor %a, %map : !a, !map -> !d
      // expected-error @below {{reads %a through a descriptor, and no nvvm.fence.proxy stands between what threads wrote there and this}}
      %next = nvgpu.warpgroup.mma %da, %da, %acc {transposeB} : !d, !d, !acc -> !acc
      gpu.barrier
      scf.yield %next : !acc
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @shared_and_pipelined(%map: !map, %out: memref<?xf32>, %n: index) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 256 : index
    %ticks = arith.constant 1000 : index
    %both = arith.constant 3 : i16
    %false = arith.constant false
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %full = nvgpu.mbarrier.create -> !barrier
    // expected-note @below {{the loop is here}}
    scf.for %i = %c0 to %n step %c32 {
      nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes, predicate = %first : !barrier
      // expected-error @below {{a copy to several blocks of a cluster needs mode 'pipelined-mbarrier' or 'warp-specialized'}}
      nvgpu.tma.async.load %map[%i], %full[%c0] to %tile multicast_mask = %both, predicate = %first : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %full[%c0], %false, %ticks : !barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%t] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {mode = "pipelined"}}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @shared_and_unlike(%map: !map, %out: memref<?xf32>, %n: index, %both: i16) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 256 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %full = nvgpu.mbarrier.create -> !barrier
    scf.for %i = %c0 to %n step %c32 {
      nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes, predicate = %first : !barrier
      // expected-error @below {{expected a constant mask of the blocks that share a copy}}
      nvgpu.tma.async.load %map[%i], %full[%c0] to %tile multicast_mask = %both, predicate = %first : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %full[%c0], %false, %ticks : !barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%t] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {mode = "pipelined-mbarrier"}}
    gpu.return
  }
}

// -----

!tile = memref<32xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @kernels {
  gpu.func @not_equally_often(%map: !map, %out: memref<?xf32>) workgroup(%tile: !tile) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 256 : index
    %ticks = arith.constant 1000 : index
    %both = arith.constant 3 : i16
    %false = arith.constant false
    %t = gpu.thread_id x
    // expected-note @below {{by this}}
    %b = gpu.block_id x
    %n = arith.muli %b, %c32 : index
    %first = arith.cmpi eq, %t, %c0 : index
    %full = nvgpu.mbarrier.create -> !barrier
    // expected-error @below {{expected blocks that share copies to run this loop equally often, but that depends on the block}}
    scf.for %i = %c0 to %n step %c32 {
      nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes, predicate = %first : !barrier
      nvgpu.tma.async.load %map[%i], %full[%c0] to %tile multicast_mask = %both, predicate = %first : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %full[%c0], %false, %ticks : !barrier
      %x = memref.load %tile[%t] : !tile
      memref.store %x, %out[%t] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer = {mode = "pipelined-mbarrier"}}
    gpu.return
  }
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @of_the_whole_block(%map: !map, %out: memref<?xf32>, %n: index, %id: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
      workgroup(%tile : memref<128xf32, #gpu.address_space<workgroup>>) {
    %bar = nvgpu.mbarrier.create -> !bars
    %first = arith.cmpi eq, %t, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %first : !bars
    gpu.barrier
    %f0 = arith.constant 0.0 : f32
    %false = arith.constant false
    %true = arith.constant true
    %ticks = arith.constant 10000000 : index
    %bytes = arith.constant 512 : index
    // expected-note @below {{for this loop}}
    scf.for %i = %c0 to %n step %c1 iter_args(%phase = %false) -> i1 {
      %at = arith.muli %i, %c128 : index
      nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %first : !bars
      nvgpu.tma.async.load %map[%at], %bar[%c0] to %tile, predicate = %first : !map, !bars -> memref<128xf32, #gpu.address_space<workgroup>>
      nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %ticks : !bars
      %x = memref.load %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%at] : memref<?xf32>
      gpu.barrier
      %next = arith.xori %phase, %true : i1
      scf.yield %next : i1
    } {xgpu.circular_buffer = {mode = "warp-specialized"}}
    // expected-error @below {{'gpu.global_id' is for the whole block, which gets warps that only copy}}
    %global = gpu.global_id x
    memref.store %f0, %out[%global] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<128xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @computed_barrier_number(%map: !map, %out: memref<?xf32>, %n: index, %id: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  // expected-error @below {{has no barrier number left for its consumers}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1)
      workgroup(%tile : memref<128xf32, #gpu.address_space<workgroup>>) {
    %bar = nvgpu.mbarrier.create -> !bars
    %first = arith.cmpi eq, %t, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %first : !bars
    gpu.barrier
    %false = arith.constant false
    %true = arith.constant true
    %ticks = arith.constant 10000000 : index
    %bytes = arith.constant 512 : index
    scf.for %i = %c0 to %n step %c1 iter_args(%phase = %false) -> i1 {
      %at = arith.muli %i, %c128 : index
      nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %first : !bars
      nvgpu.tma.async.load %map[%at], %bar[%c0] to %tile, predicate = %first : !map, !bars -> memref<128xf32, #gpu.address_space<workgroup>>
      nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %ticks : !bars
      %x = memref.load %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%at] : memref<?xf32>
      gpu.barrier
      %next = arith.xori %phase, %true : i1
      scf.yield %next : i1
    } {xgpu.circular_buffer = {mode = "warp-specialized"}}
    %threads = arith.constant 128 : i32
    nvvm.barrier.arrive id = %id number_of_threads = %threads
    gpu.terminator
  }
  return
}
