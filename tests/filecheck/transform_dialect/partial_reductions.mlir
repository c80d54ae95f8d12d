// RUN: xgpu-opt %s --split-input-file --transform-interpreter --canonicalize --cse | filecheck %s --match-full-lines

// A loop keeps a part for each element of a tile.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @rows(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %x : f32
      %t = arith.addf %s, %y : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// CHECK: #map = affine_map<(d0)[s0] -> (-d0 + s0, 5)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %fill_op, %split_op, %combining_op, %for_op = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @rows(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = tensor.empty(%dim) : tensor<?x5xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x5xf32>) -> tensor<?x5xf32>
// CHECK-NEXT:     %2 = scf.for %arg2 = %c0 to %dim_0 step %c5 iter_args(%arg3 = %1) -> (tensor<?x5xf32>) {
// CHECK-NEXT:       %3 = affine.min #map(%arg2)[%dim_0]
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [%dim, %3] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:       %extracted_slice_1 = tensor.extract_slice %arg3[0, 0] [%dim, %3] [1, 1] : tensor<?x5xf32> to tensor<?x?xf32>
// CHECK-NEXT:       %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<?x?xf32>) outs(%extracted_slice_1 : tensor<?x?xf32>) {
// CHECK-NEXT:       ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:         %5 = arith.mulf %in, %in : f32
// CHECK-NEXT:         %6 = arith.addf %5, %out : f32
// CHECK-NEXT:         linalg.yield %6 : f32
// CHECK-NEXT:       } -> tensor<?x?xf32>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %4 into %arg3[0, 0] [%dim, %3] [1, 1] : tensor<?x?xf32> into tensor<?x5xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<?x5xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %reduced = linalg.reduce ins(%2 : tensor<?x5xf32>) outs(%arg1 : tensor<?xf32>) dimensions = [1]
// CHECK-NEXT:       (%in: f32, %init: f32) {
// CHECK-NEXT:         %3 = arith.addf %in, %init : f32
// CHECK-NEXT:         linalg.yield %3 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     return %reduced : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Two results, of which each has its own neutral element; one of two reductions is computed in parts.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill:2, %split, %sum, %greatest, %loop = transform.structured.tile_reduction_using_for %0 reduction_dims = [1] by tile_sizes = [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @two(%a: tensor<64x32xi32>, %b: tensor<i32>, %c: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<64x32xi32>) outs(%b, %c : tensor<i32>, tensor<i32>) {
    ^bb0(%x: i32, %y: i32, %z: i32):
      %s = arith.addi %y, %x : i32
      %t = arith.maxsi %z, %x : i32
      linalg.yield %s, %t : i32, i32
    } -> (tensor<i32>, tensor<i32>)
    return %r#0, %r#1 : tensor<i32>, tensor<i32>
  }
}

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %fill_op:3, %split_op, %combining_op, %for_op = transform.structured.tile_reduction_using_for %0 reduction_dims = [1] by tile_sizes = [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @two(%arg0: tensor<64x32xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c-2147483648_i32 = arith.constant -2147483648 : i32
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8xi32>
// CHECK-NEXT:     %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<8xi32>) -> tensor<8xi32>
// CHECK-NEXT:     %2 = linalg.fill ins(%c-2147483648_i32 : i32) outs(%0 : tensor<8xi32>) -> tensor<8xi32>
// CHECK-NEXT:     %3:2 = scf.for %arg3 = %c0 to %c32 step %c8 iter_args(%arg4 = %1, %arg5 = %2) -> (tensor<8xi32>, tensor<8xi32>) {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %arg3] [64, 8] [1, 1] : tensor<64x32xi32> to tensor<64x8xi32>
// CHECK-NEXT:       %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction", "parallel"]} ins(%extracted_slice : tensor<64x8xi32>) outs(%arg4, %arg5 : tensor<8xi32>, tensor<8xi32>) {
// CHECK-NEXT:       ^bb0(%in: i32, %out: i32, %out_1: i32):
// CHECK-NEXT:         %5 = arith.addi %out, %in : i32
// CHECK-NEXT:         %6 = arith.maxsi %out_1, %in : i32
// CHECK-NEXT:         linalg.yield %5, %6 : i32, i32
// CHECK-NEXT:       } -> (tensor<8xi32>, tensor<8xi32>)
// CHECK-NEXT:       scf.yield %4#0, %4#1 : tensor<8xi32>, tensor<8xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %reduced = linalg.reduce ins(%3#0 : tensor<8xi32>) outs(%arg1 : tensor<i32>) dimensions = [0]
// CHECK-NEXT:       (%in: i32, %init: i32) {
// CHECK-NEXT:         %4 = arith.addi %in, %init : i32
// CHECK-NEXT:         linalg.yield %4 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:     %reduced_0 = linalg.reduce ins(%3#1 : tensor<8xi32>) outs(%arg2 : tensor<i32>) dimensions = [0]
// CHECK-NEXT:       (%in: i32, %init: i32) {
// CHECK-NEXT:         %4 = arith.maxsi %in, %init : i32
// CHECK-NEXT:         linalg.yield %4 : i32
// CHECK-NEXT:       }
// CHECK-NEXT:     return %reduced, %reduced_0 : tensor<i32>, tensor<i32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// The iterations of a forall have a part each: of threads,
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_forall %0 by num_threads = [0, 0, 4] mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @product(%a: tensor<16x64xf32>, %b: tensor<64x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
    return %r : tensor<16x8xf32>
  }
}

// CHECK: #map = affine_map<(d0) -> (d0 * 16)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %fill_op, %split_op, %combining_op, %forall_op = transform.structured.tile_reduction_using_forall %0 by num_threads = [0, 0, 4] mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @product(%arg0: tensor<16x64xf32>, %arg1: tensor<64x8xf32>, %arg2: tensor<16x8xf32>) -> tensor<16x8xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = tensor.empty() : tensor<16x8x4xf32>
// CHECK-NEXT:     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x8x4xf32>) -> tensor<16x8x4xf32>
// CHECK-NEXT:     %2 = scf.forall (%arg3) in (4) shared_outs(%arg4 = %1) -> (tensor<16x8x4xf32>) {
// CHECK-NEXT:       %3 = affine.apply #map(%arg3)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %3] [16, 16] [1, 1] : tensor<16x64xf32> to tensor<16x16xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg1[%3, 0] [16, 8] [1, 1] : tensor<64x8xf32> to tensor<16x8xf32>
// CHECK-NEXT:       %extracted_slice_1 = tensor.extract_slice %arg4[0, 0, %arg3] [16, 8, 1] [1, 1, 1] : tensor<16x8x4xf32> to tensor<16x8xf32>
// CHECK-NEXT:       %4 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<16x16xf32>, tensor<16x8xf32>) outs(%extracted_slice_1 : tensor<16x8xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %4 into %arg4[0, 0, %arg3] [16, 8, 1] [1, 1, 1] : tensor<16x8xf32> into tensor<16x8x4xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<x>]}
// CHECK-NEXT:     %reduced = linalg.reduce ins(%2 : tensor<16x8x4xf32>) outs(%arg2 : tensor<16x8xf32>) dimensions = [2]
// CHECK-NEXT:       (%in: f32, %init: f32) {
// CHECK-NEXT:         %3 = arith.addf %in, %init : f32
// CHECK-NEXT:         linalg.yield %3 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     return %reduced : tensor<16x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// or of tiles.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %split, %combine, %loop = transform.structured.tile_reduction_using_forall %0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @rows(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %x : f32
      %t = arith.addf %s, %y : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// CHECK: #map = affine_map<()[s0] -> (s0 ceildiv 5)>
// CHECK-NEXT: #map1 = affine_map<(d0)[s0] -> (-d0 + s0, 5)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 floordiv 5)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %fill_op, %split_op, %combining_op, %forall_op = transform.structured.tile_reduction_using_forall %0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @rows(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim_0]
// CHECK-NEXT:     %1 = tensor.empty(%dim, %0) : tensor<?x?xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT:     %3 = scf.forall (%arg2) = (0) to (%dim_0) step (5) shared_outs(%arg3 = %2) -> (tensor<?x?xf32>) {
// CHECK-NEXT:       %4 = affine.min #map1(%arg2)[%dim_0]
// CHECK-NEXT:       %5 = affine.apply #map2()[%arg2]
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [%dim, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:       %extracted_slice_1 = tensor.extract_slice %arg3[0, %5] [%dim, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
// CHECK-NEXT:       %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice : tensor<?x?xf32>) outs(%extracted_slice_1 : tensor<?xf32>) {
// CHECK-NEXT:       ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:         %7 = arith.mulf %in, %in : f32
// CHECK-NEXT:         %8 = arith.addf %7, %out : f32
// CHECK-NEXT:         linalg.yield %8 : f32
// CHECK-NEXT:       } -> tensor<?xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %6 into %arg3[0, %5] [%dim, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %reduced = linalg.reduce ins(%3 : tensor<?x?xf32>) outs(%arg1 : tensor<?xf32>) dimensions = [1]
// CHECK-NEXT:       (%in: f32, %init: f32) {
// CHECK-NEXT:         %4 = arith.addf %in, %init : f32
// CHECK-NEXT:         linalg.yield %4 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:     return %reduced : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Sizes of tiles without a remainder, which the program computes,
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %low, %high, %point = transform.structured.multitile_sizes %0 {dimension = 1, target_size = 3, divisor = 2} : (!transform.any_op) -> !transform.any_op
    %1, %loop = transform.structured.tile_using_for %0 tile_sizes [0, %low] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @rows(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%b : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %x : f32
      %t = arith.addf %s, %y : f32
      linalg.yield %t : f32
    } -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
}

// CHECK: #map = affine_map<()[s0] -> (((s0 floordiv 2) floordiv ((s0 floordiv 2 + 1) floordiv 2)) * 2)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> ((((s0 floordiv 2) floordiv ((s0 floordiv 2 + 1) floordiv 2)) * ((s0 floordiv 2 + 1) floordiv 2 - (s0 floordiv 2) mod ((s0 floordiv 2 + 1) floordiv 2))) * 2 + (((s0 floordiv 2) floordiv ((s0 floordiv 2 + 1) floordiv 2)) * 2 + 2) * ((s0 floordiv 2) mod ((s0 floordiv 2 + 1) floordiv 2)))>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0, s1] -> (-d0 + s0, ((s1 floordiv 2) floordiv ((s1 floordiv 2 + 1) floordiv 2)) * 2)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %low_size, %high_size, %split_point = transform.structured.multitile_sizes %0 {dimension = 1 : i64, divisor = 2 : i64, target_size = 3 : i64} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %tiled_linalg_op, %loops = transform.structured.tile_using_for %0 tile_sizes [0, %low_size] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @rows(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim]
// CHECK-NEXT:     %2 = arith.cmpi eq, %1, %dim : index
// CHECK-NEXT:     cf.assert %2, "could not compute dynamic multi-size tile shapes"
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %3 = scf.for %arg2 = %c0 to %dim step %0 iter_args(%arg3 = %arg1) -> (tensor<?xf32>) {
// CHECK-NEXT:       %4 = affine.min #map2(%arg2)[%dim, %dim]
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [%dim_0, %4] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:       %extracted_slice_1 = tensor.extract_slice %arg3[0] [%dim_0] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:       %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice : tensor<?x?xf32>) outs(%extracted_slice_1 : tensor<?xf32>) {
// CHECK-NEXT:       ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:         %6 = arith.mulf %in, %in : f32
// CHECK-NEXT:         %7 = arith.addf %6, %out : f32
// CHECK-NEXT:         linalg.yield %7 : f32
// CHECK-NEXT:       } -> tensor<?xf32>
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %5 into %arg3[0] [%dim_0] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %3 : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// or which the transform program knows: 2 once, and 4 twice.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %low, %high, %point = transform.structured.multitile_sizes %0 {dimension = 1, target_size = 4, divisor = 2} : (!transform.any_op) -> !transform.param<i64>
    %1, %loop = transform.structured.tile_using_for %0 tile_sizes [0, %high] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @rows(%a: tensor<4x10xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x10xf32>) outs(%b : tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.mulf %x, %x : f32
      %t = arith.addf %s, %y : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// CHECK: #map = affine_map<(d0) -> (-d0 + 10, 4)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %low_size, %high_size, %split_point = transform.structured.multitile_sizes %0 {dimension = 1 : i64, divisor = 2 : i64, target_size = 4 : i64} : (!transform.any_op) -> !transform.param<i64>
// CHECK-NEXT:     %tiled_linalg_op, %loops = transform.structured.tile_using_for %0 tile_sizes [0, %high_size] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @rows(%arg0: tensor<4x10xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c10 = arith.constant 10 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c10 step %c4 iter_args(%arg3 = %arg1) -> (tensor<4xf32>) {
// CHECK-NEXT:       %1 = affine.min #map(%arg2)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[0, %arg2] [4, %1] [1, 1] : tensor<4x10xf32> to tensor<4x?xf32>
// CHECK-NEXT:       %2 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%extracted_slice : tensor<4x?xf32>) outs(%arg3 : tensor<4xf32>) {
// CHECK-NEXT:       ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:         %3 = arith.mulf %in, %in : f32
// CHECK-NEXT:         %4 = arith.addf %3, %out : f32
// CHECK-NEXT:         linalg.yield %4 : f32
// CHECK-NEXT:       } -> tensor<4xf32>
// CHECK-NEXT:       scf.yield %2 : tensor<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
