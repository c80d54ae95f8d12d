gpu.func @k(%A: memref<?xf32>, %B: memref<?xf32>) kernel {
  %i = gpu.global_id x
  %lane = gpu.lane_id
  %c0 = arith.constant 0 : index
  %w = arith.constant 32 : i32
  %v0 = memref.load %A[%i] : memref<?xf32>
  %o16 = arith.constant 16 : i32
  %s16, %p16 = gpu.shuffle down %v0, %o16, %w : f32
  %v1 = arith.addf %v0, %s16 : f32
  %o8 = arith.constant 8 : i32
  %s8, %p8 = gpu.shuffle down %v1, %o8, %w : f32
  %v2 = arith.addf %v1, %s8 : f32
  %o4 = arith.constant 4 : i32
  %s4, %p4 = gpu.shuffle up %v2, %o4, %w : f32
  %v3 = arith.addf %v2, %s4 : f32
  %o2 = arith.constant 2 : i32
  %s2, %p2 = gpu.shuffle idx %v3, %o2, %w : f32
  %v4 = arith.select %p2, %s2, %v3 : f32
  %first = arith.cmpi eq, %lane, %c0 : index
  scf.if %first {
    memref.store %v4, %B[%i] : memref<?xf32>
  }
  gpu.return
}
