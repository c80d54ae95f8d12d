// chip: sm_90 +ptx80
gpu.func @k(%A: memref<?xindex>) kernel {
  %t = gpu.thread_id x
  %a = gpu.cluster_id x
  %b = gpu.cluster_block_id y
  %c = gpu.cluster_dim z
  %0 = arith.addi %a, %b : index
  %1 = arith.muli %0, %c : index
  memref.store %1, %A[%t] : memref<?xindex>
  gpu.return
}
