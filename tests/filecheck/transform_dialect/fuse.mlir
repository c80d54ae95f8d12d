// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s --match-full-lines

// A chain: tiles of both producers, one of which is used behind it too.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %loops:2 = transform.structured.fuse %0 tile_sizes [8, 16] interchange [1, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @chain(%a: tensor<32x64xf32>, %b: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
    %0 = linalg.exp ins(%a : tensor<32x64xf32>) outs(%a : tensor<32x64xf32>) -> tensor<32x64xf32>
    %1 = linalg.abs ins(%0 : tensor<32x64xf32>) outs(%b : tensor<32x64xf32>) -> tensor<32x64xf32>
    %2 = linalg.add ins(%1, %a : tensor<32x64xf32>, tensor<32x64xf32>) outs(%b : tensor<32x64xf32>) -> tensor<32x64xf32>
    return %2, %0 : tensor<32x64xf32>, tensor<32x64xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.add"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %transformed, %loops:2 = transform.structured.fuse %0 tile_sizes [8, 16] interchange [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @chain(%arg0: tensor<32x64xf32>, %arg1: tensor<32x64xf32>) -> (tensor<32x64xf32>, tensor<32x64xf32>) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = linalg.exp ins(%arg0 : tensor<32x64xf32>) outs(%arg0 : tensor<32x64xf32>) -> tensor<32x64xf32>
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %c64 step %c16 iter_args(%arg3 = %arg1) -> (tensor<32x64xf32>) {
// CHECK-NEXT:       %2 = scf.for %arg4 = %c0 to %c32 step %c8 iter_args(%arg5 = %arg3) -> (tensor<32x64xf32>) {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%arg4, %arg2] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
// CHECK-NEXT:         %3 = linalg.exp ins(%extracted_slice : tensor<8x16xf32>) outs(%extracted_slice : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg1[%arg4, %arg2] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
// CHECK-NEXT:         %4 = linalg.abs ins(%3 : tensor<8x16xf32>) outs(%extracted_slice_0 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:         %extracted_slice_1 = tensor.extract_slice %arg5[%arg4, %arg2] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
// CHECK-NEXT:         %5 = linalg.add ins(%4, %extracted_slice : tensor<8x16xf32>, tensor<8x16xf32>) outs(%extracted_slice_1 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %5 into %arg5[%arg4, %arg2] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<32x64xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<32x64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2 : tensor<32x64xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1, %0 : tensor<32x64xf32>, tensor<32x64xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// What the loops begin with is computed in them.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %loops:2 = transform.structured.fuse %0 tile_sizes [8, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @begin(%a: tensor<32x20xf32>, %b: tensor<20x64xf32>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<32x64xf32>) -> tensor<32x64xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<32x20xf32>, tensor<20x64xf32>) outs(%0 : tensor<32x64xf32>) -> tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %transformed, %loops:2 = transform.structured.fuse %0 tile_sizes [8, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @begin(%arg0: tensor<32x20xf32>, %arg1: tensor<20x64xf32>, %arg2: tensor<32x64xf32>) -> tensor<32x64xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %c32 step %c8 iter_args(%arg4 = %arg2) -> (tensor<32x64xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg5 = %c0 to %c64 step %c16 iter_args(%arg6 = %arg4) -> (tensor<32x64xf32>) {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [8, 20] [1, 1] : tensor<32x20xf32> to tensor<8x20xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg1[0, %arg5] [20, 16] [1, 1] : tensor<20x64xf32> to tensor<20x16xf32>
// CHECK-NEXT:         %extracted_slice_1 = tensor.extract_slice %arg6[%arg3, %arg5] [8, 16] [1, 1] : tensor<32x64xf32> to tensor<8x16xf32>
// CHECK-NEXT:         %2 = linalg.fill ins(%cst : f32) outs(%extracted_slice_1 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:         %3 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<8x20xf32>, tensor<20x16xf32>) outs(%2 : tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %3 into %arg6[%arg3, %arg5] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<32x64xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<32x64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<32x64xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<32x64xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A parallel loop.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.fuse %0 tile_sizes [8, 0] {use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @parallel(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>) -> tensor<?x64xf32> {
    %0 = linalg.exp ins(%a : tensor<?x64xf32>) outs(%a : tensor<?x64xf32>) -> tensor<?x64xf32>
    %1 = linalg.add ins(%0, %a : tensor<?x64xf32>, tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    return %1 : tensor<?x64xf32>
  }
}

// CHECK: #map = affine_map<(d0)[s0] -> (-d0 + s0, 8)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.add"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %transformed, %loops = transform.structured.fuse %0 tile_sizes [8, 0] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @parallel(%arg0: tensor<?x64xf32>, %arg1: tensor<?x64xf32>) -> tensor<?x64xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %0 = scf.forall (%arg2) = (0) to (%dim) step (8) shared_outs(%arg3 = %arg1) -> (tensor<?x64xf32>) {
// CHECK-NEXT:       %1 = affine.min #map(%arg2)[%dim]
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [%1, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
// CHECK-NEXT:       %2 = linalg.exp ins(%extracted_slice : tensor<?x64xf32>) outs(%extracted_slice : tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg3[%arg2, 0] [%1, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
// CHECK-NEXT:       %3 = linalg.add ins(%2, %extracted_slice : tensor<?x64xf32>, tensor<?x64xf32>) outs(%extracted_slice_0 : tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %3 into %arg3[%arg2, 0] [%1, 64] [1, 1] : tensor<?x64xf32> into tensor<?x64xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?x64xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// A slice of a slice is a slice, through which the producer is found.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.abs"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.fuse %0 tile_sizes [7] {apply_cleanup}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @slices(%a: tensor<100xf32>, %b: tensor<70xf32>) -> tensor<70xf32> {
    %0 = linalg.exp ins(%a : tensor<100xf32>) outs(%a : tensor<100xf32>) -> tensor<100xf32>
    %1 = tensor.extract_slice %0[10] [70] [1] : tensor<100xf32> to tensor<70xf32>
    %2 = linalg.abs ins(%1 : tensor<70xf32>) outs(%b : tensor<70xf32>) -> tensor<70xf32>
    return %2 : tensor<70xf32>
  }
}

// CHECK: #map = affine_map<(d0) -> (d0 + 10)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.abs"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %transformed, %loops = transform.structured.fuse %0 tile_sizes [7] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @slices(%arg0: tensor<100xf32>, %arg1: tensor<70xf32>) -> tensor<70xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c70 = arith.constant 70 : index
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c70 step %c7 iter_args(%arg3 = %arg1) -> (tensor<70xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map(%arg2)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%1] [7] [1] : tensor<100xf32> to tensor<7xf32>
// CHECK-NEXT:       %2 = linalg.exp ins(%extracted_slice : tensor<7xf32>) outs(%extracted_slice : tensor<7xf32>) -> tensor<7xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg3[%arg2] [7] [1] : tensor<70xf32> to tensor<7xf32>
// CHECK-NEXT:       %3 = linalg.abs ins(%2 : tensor<7xf32>) outs(%extracted_slice_0 : tensor<7xf32>) -> tensor<7xf32>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %3 into %arg3[%arg2] [7] [1] : tensor<7xf32> into tensor<70xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<70xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<70xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
