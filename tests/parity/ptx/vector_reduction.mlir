gpu.func @k(%A: memref<?xf32>, %B: memref<?xi32>) kernel {
  %t = gpu.thread_id x
  %v = vector.load %A[%t] : memref<?xf32>, vector<8xf32>
  %w = vector.load %B[%t] : memref<?xi32>, vector<4xi32>
  %z = arith.constant 0.0 : f32
  %s = vector.reduction <add>, %v, %z : vector<8xf32> into f32
  %m = vector.reduction <maxsi>, %w : vector<4xi32> into i32
  %n = arith.sitofp %m : i32 to f32
  %r = arith.addf %s, %n : f32
  memref.store %r, %A[%t] : memref<?xf32>
  gpu.return
}
