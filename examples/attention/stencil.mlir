// A stencil in time: 1/8 of six neighbours and 1/4 of the middle, four times over 20 x 16 x 64 numbers,
// with zeros beyond the ends.
//
//   xgpu-opt --circular-buffer examples/attention/stencil.mlir
//
// A block has 16 x 32 columns of a plane and goes through the planes: of each the copy engine brings a
// box with one more element at each side, and a few more so that boxes are multiples of 128 bytes. A
// thread keeps what planes before have given in registers, so that each plane is read once; the mark has
// copies two planes ahead, in buffers that go round. Steps in time go to and fro between two arrays.
!grid = memref<20x16x64xf32>
!tile = memref<1x20x40xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

func.func @stencil(%a: !grid, %b: !grid) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %time = %0 to %2 step %1 {
    func.call @step(%a, %b) : (!grid, !grid) -> ()
    func.call @step(%b, %a) : (!grid, !grid) -> ()
  }
  return
}

func.func @step(%in: !grid, %out: !grid) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %16 = arith.constant 16 : index
  %20 = arith.constant 20 : index
  %32 = arith.constant 32 : index
  %40 = arith.constant 40 : index
  %any = memref.cast %in : !grid to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%1, %20, %40] : memref<*xf32> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %2, %gy = %1, %gz = %1)
             threads(%tx, %ty, %tz) in (%sx = %32, %sy = %16, %sz = %1) workgroup(%tile : !tile) {
    %planes = arith.constant 20 : index
    %end = arith.constant 21 : index
    %4 = arith.constant 4 : index
    %5 = arith.constant 5 : index
    %3 = arith.constant 3 : index
    %bytes = arith.constant 3200 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %eighth = arith.constant 0.125 : f32
    %quarter = arith.constant 0.25 : f32
    %is_x = arith.cmpi eq, %tx, %0 : index
    %is_y = arith.cmpi eq, %ty, %0 : index
    %is_first = arith.andi %is_x, %is_y : i1
    %x = arith.muli %bx, %32 : index
    %left_end = arith.subi %x, %4 : index
    %above = arith.subi %0, %1 : index
    %own_x = arith.addi %x, %tx : index
    %left = arith.addi %tx, %3 : index
    %middle = arith.addi %tx, %4 : index
    %right = arith.addi %tx, %5 : index
    %row = arith.addi %ty, %1 : index
    %below = arith.addi %ty, %2 : index
    %ready = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %ready[%0], %1, predicate = %is_first : !barrier
    nvvm.fence.mbarrier.init
    gpu.barrier
    %last:4 = scf.for %z = %0 to %end step %1
        iter_args(%parity = %even, %two_before = %zero, %before = %zero, %beside = %zero) -> (i1, f32, f32, f32) {
      nvgpu.mbarrier.arrive.expect_tx %ready[%0], %bytes, predicate = %is_first : !barrier
      nvgpu.tma.async.load %map[%left_end, %above, %z], %ready[%0] to %tile, predicate = %is_first : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %ready[%0], %parity, %ticks : !barrier
      %c = memref.load %tile[%0, %row, %middle] : !tile
      %w = memref.load %tile[%0, %row, %left] : !tile
      %e = memref.load %tile[%0, %row, %right] : !tile
      %n = memref.load %tile[%0, %ty, %middle] : !tile
      %s = memref.load %tile[%0, %below, %middle] : !tile
      %we = arith.addf %w, %e : f32
      %ns = arith.addf %n, %s : f32
      %around = arith.addf %we, %ns : f32

      // All that the plane before needs is there.
      %is_plane = arith.cmpi ugt, %z, %0 : index
      scf.if %is_plane {
        %plane = arith.subi %z, %1 : index
        %planes_beside = arith.addf %two_before, %c : f32
        %neighbours = arith.addf %beside, %planes_beside : f32
        %outer = arith.mulf %neighbours, %eighth : f32
        %inner = arith.mulf %before, %quarter : f32
        %new = arith.addf %outer, %inner : f32
        memref.store %new, %out[%plane, %ty, %own_x] : !grid
      }
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next, %before, %c, %around : i1, f32, f32, f32
    } {xgpu.circular_buffer = {stages = 3}}
    gpu.terminator
  } {workgroup_attrib_attrs = [{llvm.align = 128 : i64}]}
  return
}
