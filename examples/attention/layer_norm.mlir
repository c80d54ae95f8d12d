// Layer norm over rows: (x - mean) / sqrt(variance + 1e-5), for 70 rows of 256 numbers.
//
//   xgpu-opt --circular-buffer examples/attention/layer_norm.mlir
//
// Three blocks take four rows at a time, a warp for each row. The copy engine brings rows to shared
// memory, where they are read three times; the mark has it two tiles ahead.
!rows = memref<70x256xf32>
!tile = memref<4x256xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

func.func @layer_norm(%in: !rows, %out: !rows) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %4 = arith.constant 4 : index
  %128 = arith.constant 128 : index
  %256 = arith.constant 256 : index
  %rows = arith.constant 70 : index
  %any = memref.cast %in : !rows to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %any box[%4, %256] : memref<*xf32> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %3, %gy = %1, %gz = %1)
             threads(%t, %ty, %tz) in (%sx = %128, %sy = %1, %sz = %1) workgroup(%tile : !tile) {
    %32 = arith.constant 32 : index
    %bytes = arith.constant 4096 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant false
    %odd = arith.constant true
    %zero = arith.constant 0.0 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %count = arith.constant 256.0 : f32
    %is_first = arith.cmpi eq, %t, %0 : index
    %warp = arith.divui %t, %32 : index
    %lane = arith.remui %t, %32 : index
    %begin = arith.muli %bx, %4 : index
    %step = arith.muli %gx, %4 : index
    %ready = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %ready[%0], %1, predicate = %is_first : !barrier
    nvvm.fence.mbarrier.init
    gpu.barrier
    %end = scf.for %first = %begin to %rows step %step iter_args(%parity = %even) -> (i1) {
      nvgpu.mbarrier.arrive.expect_tx %ready[%0], %bytes, predicate = %is_first : !barrier
      nvgpu.tma.async.load %map[%0, %first], %ready[%0] to %tile, predicate = %is_first : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %ready[%0], %parity, %ticks : !barrier

      %own = scf.for %c = %lane to %256 step %32 iter_args(%s = %zero) -> (f32) {
        %x = memref.load %tile[%warp, %c] : !tile
        %more = arith.addf %s, %x : f32
        scf.yield %more : f32
      }
      %sum = gpu.subgroup_reduce add %own : (f32) -> f32
      %mean = arith.divf %sum, %count : f32
      %own_squares = scf.for %c = %lane to %256 step %32 iter_args(%s = %zero) -> (f32) {
        %x = memref.load %tile[%warp, %c] : !tile
        %d = arith.subf %x, %mean : f32
        %square = arith.mulf %d, %d : f32
        %more = arith.addf %s, %square : f32
        scf.yield %more : f32
      }
      %squares = gpu.subgroup_reduce add %own_squares : (f32) -> f32
      %variance = arith.divf %squares, %count : f32
      %above_zero = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above_zero : f32

      %row = arith.addi %first, %warp : index
      %is_row = arith.cmpi ult, %row, %rows : index
      scf.if %is_row {
        scf.for %c = %lane to %256 step %32 {
          %x = memref.load %tile[%warp, %c] : !tile
          %d = arith.subf %x, %mean : f32
          %y = arith.mulf %d, %factor : f32
          memref.store %y, %out[%row, %c] : !rows
        }
      }
      gpu.barrier
      %next = arith.xori %parity, %odd : i1
      scf.yield %next : i1
    } {xgpu.circular_buffer = {stages = 3}}
    gpu.terminator
  } {workgroup_attrib_attrs = [{llvm.align = 128 : i64}]}
  return
}
