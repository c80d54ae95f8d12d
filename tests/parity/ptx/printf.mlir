gpu.func @k(%A: memref<?xf32>) kernel {
  %t = gpu.thread_id x
  %a = memref.load %A[%t] : memref<?xf32>
  gpu.printf "thread %llu has %f\n", %t, %a : index, f32
  gpu.return
}
