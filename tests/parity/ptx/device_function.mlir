func.func @helper(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}
gpu.func @inner(%x: f32) -> f32 {
  %y = func.call @helper(%x) : (f32) -> f32
  gpu.return %y : f32
}
gpu.func @k(%A: memref<?xf32>) kernel {
  %t = gpu.thread_id x
  %a = memref.load %A[%t] : memref<?xf32>
  %b = func.call @helper(%a) : (f32) -> f32
  memref.store %b, %A[%t] : memref<?xf32>
  gpu.return
}
