// RUN: xgpu-opt --split-input-file --transform-interpreter --cse %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 5)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0, s1] -> (-d0 + s0 + s1 + 5, 2)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (-d0 + s0 + 3, 3)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (0, -d0 + s0)>
// CHECK-NEXT: #map5 = affine_map<(d0)[s0] -> (d0 - s0, 0)>
// CHECK-NEXT: #map6 = affine_map<(d0)[s0] -> (d0, s0)>
// CHECK-NEXT: #map7 = affine_map<(d0, d1, d2)[s0] -> (-d0 + s0, d1 - d2)>
// CHECK-NEXT: #map8 = affine_map<(d0) -> (d0, 0)>
// CHECK-NEXT: #map9 = affine_map<(d0, d1, d2) -> (-d0 + d1 - d2)>
// CHECK-NEXT: #map10 = affine_map<(d0) -> (0, -d0 + 3)>
// CHECK-NEXT: #map11 = affine_map<(d0) -> (d0 - 3, 0)>
// CHECK-NEXT: #map12 = affine_map<(d0) -> (-d0 + 15, 2)>
// CHECK-NEXT: #map13 = affine_map<(d0) -> (-d0 + 16, 3)>
// CHECK-NEXT: #map14 = affine_map<(d0) -> (d0, 7)>
// CHECK-NEXT: #map15 = affine_map<(d0, d1, d2) -> (-d0 + 7, d1 - d2)>
// CHECK-NEXT: #map16 = affine_map<(d0) -> (d0, 9)>
// CHECK-NEXT: #map17 = affine_map<(d0, d1) -> (-d0 + 9, d1)>
// CHECK-NEXT: #map18 = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @dyn(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %arg1]
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim_0]
// CHECK-NEXT:     %2 = tensor.empty(%0, %1) : tensor<?x?xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %3 = scf.for %arg3 = %c0 to %0 step %c2 iter_args(%arg4 = %2) -> (tensor<?x?xf32>) {
// CHECK-NEXT:       %4 = scf.for %arg5 = %c0 to %1 step %c3 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
// CHECK-NEXT:         %5 = affine.min #map2(%arg3)[%dim, %arg1]
// CHECK-NEXT:         %6 = affine.min #map3(%arg5)[%dim_0]
// CHECK-NEXT:         %7 = affine.max #map4(%arg3)[%arg1]
// CHECK-NEXT:         %8 = affine.max #map5(%arg3)[%arg1]
// CHECK-NEXT:         %9 = affine.min #map6(%8)[%dim]
// CHECK-NEXT:         %10 = affine.min #map7(%9, %5, %7)[%dim]
// CHECK-NEXT:         %11 = affine.max #map8(%10)
// CHECK-NEXT:         %12 = arith.cmpi eq, %11, %c0 : index
// CHECK-NEXT:         %13 = affine.apply #map9(%7, %5, %11)
// CHECK-NEXT:         %14 = affine.max #map10(%arg5)
// CHECK-NEXT:         %15 = affine.max #map11(%arg5)
// CHECK-NEXT:         %16 = affine.min #map6(%15)[%dim_0]
// CHECK-NEXT:         %17 = affine.min #map7(%16, %6, %14)[%dim_0]
// CHECK-NEXT:         %18 = affine.max #map8(%17)
// CHECK-NEXT:         %19 = arith.cmpi eq, %18, %c0 : index
// CHECK-NEXT:         %20 = arith.ori %19, %12 : i1
// CHECK-NEXT:         %21 = scf.if %20 -> (tensor<?x?xf32>) {
// CHECK-NEXT:           %generated = tensor.generate %5, %6 {
// CHECK-NEXT:           ^bb0(%arg7: index, %arg8: index):
// CHECK-NEXT:             tensor.yield %arg2 : f32
// CHECK-NEXT:           } : tensor<?x?xf32>
// CHECK-NEXT:           scf.yield %generated : tensor<?x?xf32>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %extracted_slice = tensor.extract_slice %arg0[%9, %16] [%11, %18] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:           %padded = tensor.pad %extracted_slice low[%7, %14] high[%13, 0] {
// CHECK-NEXT:           ^bb0(%arg7: index, %arg8: index):
// CHECK-NEXT:             tensor.yield %arg2 : f32
// CHECK-NEXT:           } {tiled} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:           scf.yield %padded : tensor<?x?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %21 into %arg6[%arg3, %arg5] [%5, %6] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %4 : tensor<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %3 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @dyn(%t: tensor<?x?xf32>, %l: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %t low[%l, 3] high[5, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @static(%arg0: tensor<7x9xf32>, %arg1: f32) -> tensor<15x16xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<15x16xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c15 = arith.constant 15 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %c15 step %c2 iter_args(%arg3 = %0) -> (tensor<15x16xf32>) {
// CHECK-NEXT:       %2 = scf.for %arg4 = %c0 to %c16 step %c3 iter_args(%arg5 = %arg3) -> (tensor<15x16xf32>) {
// CHECK-NEXT:         %3 = affine.min #map12(%arg2)
// CHECK-NEXT:         %4 = affine.min #map13(%arg4)
// CHECK-NEXT:         %5 = affine.max #map10(%arg2)
// CHECK-NEXT:         %6 = affine.max #map11(%arg2)
// CHECK-NEXT:         %7 = affine.min #map14(%6)
// CHECK-NEXT:         %8 = affine.min #map15(%7, %3, %5)
// CHECK-NEXT:         %9 = affine.max #map8(%8)
// CHECK-NEXT:         %10 = arith.cmpi eq, %9, %c0 : index
// CHECK-NEXT:         %11 = affine.apply #map9(%5, %3, %9)
// CHECK-NEXT:         %12 = affine.min #map16(%arg4)
// CHECK-NEXT:         %13 = affine.min #map17(%12, %4)
// CHECK-NEXT:         %14 = arith.cmpi eq, %13, %c0 : index
// CHECK-NEXT:         %15 = arith.ori %14, %10 : i1
// CHECK-NEXT:         %16 = affine.apply #map18(%4, %13)
// CHECK-NEXT:         %17 = scf.if %15 -> (tensor<?x?xf32>) {
// CHECK-NEXT:           %generated = tensor.generate %3, %4 {
// CHECK-NEXT:           ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT:             tensor.yield %arg1 : f32
// CHECK-NEXT:           } : tensor<?x?xf32>
// CHECK-NEXT:           scf.yield %generated : tensor<?x?xf32>
// CHECK-NEXT:         } else {
// CHECK-NEXT:           %extracted_slice = tensor.extract_slice %arg0[%7, %12] [%9, %13] [1, 1] : tensor<7x9xf32> to tensor<?x?xf32>
// CHECK-NEXT:           %padded = tensor.pad %extracted_slice low[%5, 0] high[%11, %16] {
// CHECK-NEXT:           ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT:             tensor.yield %arg1 : f32
// CHECK-NEXT:           } {tiled} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:           scf.yield %padded : tensor<?x?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %17 into %arg5[%arg2, %arg4] [%3, %4] [1, 1] : tensor<?x?xf32> into tensor<15x16xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<15x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %2 : tensor<15x16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : tensor<15x16xf32>
// CHECK-NEXT:   }
func.func @static(%t: tensor<7x9xf32>, %x: f32) -> tensor<15x16xf32> {
  %0 = tensor.pad %t low[3, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<7x9xf32> to tensor<15x16xf32>
  return %0 : tensor<15x16xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_linalg_op "tiled" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b, %c = transform.structured.tile_using_for %0 tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %a "tiled" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 5)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0, s1] -> (-(d0 * ((s0 + s1 + 5) ceildiv 4)) + s0 + s1 + 5, (s0 + s1 + 5) ceildiv 4)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (0, d0)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (-(d0 * ((s0 + 3) ceildiv 2)) + s0 + 3, (s0 + 3) ceildiv 2)>
// CHECK-NEXT: #map5 = affine_map<(d0)[s0, s1] -> (d0 * ((s0 + s1 + 5) ceildiv 4))>
// CHECK-NEXT: #map6 = affine_map<(d0)[s0] -> (d0 * ((s0 + 3) ceildiv 2))>
// CHECK-NEXT: #map7 = affine_map<(d0)[s0, s1] -> (0, -(d0 * ((s0 + s1 + 5) ceildiv 4)) + s1)>
// CHECK-NEXT: #map8 = affine_map<(d0)[s0, s1] -> (d0 * ((s0 + s1 + 5) ceildiv 4) - s1, 0)>
// CHECK-NEXT: #map9 = affine_map<(d0)[s0] -> (d0, s0)>
// CHECK-NEXT: #map10 = affine_map<(d0, d1, d2)[s0] -> (-d0 + s0, d1 - d2)>
// CHECK-NEXT: #map11 = affine_map<(d0) -> (d0, 0)>
// CHECK-NEXT: #map12 = affine_map<(d0, d1, d2) -> (-d0 + d1 - d2)>
// CHECK-NEXT: #map13 = affine_map<(d0)[s0] -> (0, -(d0 * ((s0 + 3) ceildiv 2)) + 3)>
// CHECK-NEXT: #map14 = affine_map<(d0)[s0] -> (d0 * ((s0 + 3) ceildiv 2) - 3, 0)>
// CHECK-NEXT: #map15 = affine_map<(d0) -> (d0 * -4 + 15, 4)>
// CHECK-NEXT: #map16 = affine_map<(d0) -> (d0 * 4)>
// CHECK-NEXT: #map17 = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT: #map18 = affine_map<(d0) -> (0, d0 * -4 + 3)>
// CHECK-NEXT: #map19 = affine_map<(d0) -> (d0 * 4 - 3, 0)>
// CHECK-NEXT: #map20 = affine_map<(d0) -> (d0, 7)>
// CHECK-NEXT: #map21 = affine_map<(d0, d1, d2) -> (-d0 + 7, d1 - d2)>
// CHECK-NEXT: #map22 = affine_map<(d0) -> (d0 * 8, 9)>
// CHECK-NEXT: #map23 = affine_map<(d0) -> (-d0 + 9, 8)>
// CHECK-NEXT: #map24 = affine_map<(d0) -> (-d0 + 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @dyn(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %arg1]
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim_0]
// CHECK-NEXT:     %2 = tensor.empty(%0, %1) : tensor<?x?xf32>
// CHECK-NEXT:     %3 = scf.forall (%arg3, %arg4) in (4, 2) shared_outs(%arg5 = %2) -> (tensor<?x?xf32>) {
// CHECK-NEXT:       %4 = affine.min #map2(%arg3)[%dim, %arg1]
// CHECK-NEXT:       %5 = affine.max #map3(%4)
// CHECK-NEXT:       %6 = affine.min #map4(%arg4)[%dim_0]
// CHECK-NEXT:       %7 = affine.max #map3(%6)
// CHECK-NEXT:       %8 = affine.apply #map5(%arg3)[%dim, %arg1]
// CHECK-NEXT:       %9 = affine.apply #map6(%arg4)[%dim_0]
// CHECK-NEXT:       %10 = affine.max #map7(%arg3)[%dim, %arg1]
// CHECK-NEXT:       %11 = affine.max #map8(%arg3)[%dim, %arg1]
// CHECK-NEXT:       %12 = affine.min #map9(%11)[%dim]
// CHECK-NEXT:       %13 = affine.min #map10(%12, %5, %10)[%dim]
// CHECK-NEXT:       %14 = affine.max #map11(%13)
// CHECK-NEXT:       %15 = arith.cmpi eq, %14, %c0 : index
// CHECK-NEXT:       %16 = affine.apply #map12(%10, %5, %14)
// CHECK-NEXT:       %17 = affine.max #map13(%arg4)[%dim_0]
// CHECK-NEXT:       %18 = affine.max #map14(%arg4)[%dim_0]
// CHECK-NEXT:       %19 = affine.min #map9(%18)[%dim_0]
// CHECK-NEXT:       %20 = affine.min #map10(%19, %7, %17)[%dim_0]
// CHECK-NEXT:       %21 = affine.max #map11(%20)
// CHECK-NEXT:       %22 = arith.cmpi eq, %21, %c0 : index
// CHECK-NEXT:       %23 = arith.ori %22, %15 : i1
// CHECK-NEXT:       %24 = scf.if %23 -> (tensor<?x?xf32>) {
// CHECK-NEXT:         %generated = tensor.generate %5, %7 {
// CHECK-NEXT:         ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT:           tensor.yield %arg2 : f32
// CHECK-NEXT:         } : tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %generated : tensor<?x?xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%12, %19] [%14, %21] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %padded = tensor.pad %extracted_slice low[%10, %17] high[%16, 0] {
// CHECK-NEXT:         ^bb0(%arg6: index, %arg7: index):
// CHECK-NEXT:           tensor.yield %arg2 : f32
// CHECK-NEXT:         } {tiled} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %padded : tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %24 into %arg5[%8, %9] [%5, %7] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %3 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @dyn(%t: tensor<?x?xf32>, %l: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %t low[%l, 3] high[5, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @static(%arg0: tensor<7x9xf32>, %arg1: f32) -> tensor<15x16xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<15x16xf32>
// CHECK-NEXT:     %1 = scf.forall (%arg2, %arg3) in (4, 2) shared_outs(%arg4 = %0) -> (tensor<15x16xf32>) {
// CHECK-NEXT:       %2 = affine.min #map15(%arg2)
// CHECK-NEXT:       %3 = affine.apply #map16(%arg2)
// CHECK-NEXT:       %4 = affine.apply #map17(%arg3)
// CHECK-NEXT:       %5 = affine.max #map18(%arg2)
// CHECK-NEXT:       %6 = affine.max #map19(%arg2)
// CHECK-NEXT:       %7 = affine.min #map20(%6)
// CHECK-NEXT:       %8 = affine.min #map21(%7, %2, %5)
// CHECK-NEXT:       %9 = affine.max #map11(%8)
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %10 = arith.cmpi eq, %9, %c0 : index
// CHECK-NEXT:       %11 = affine.apply #map12(%5, %2, %9)
// CHECK-NEXT:       %12 = affine.min #map22(%arg3)
// CHECK-NEXT:       %13 = affine.min #map23(%12)
// CHECK-NEXT:       %14 = arith.cmpi eq, %13, %c0 : index
// CHECK-NEXT:       %15 = arith.ori %14, %10 : i1
// CHECK-NEXT:       %16 = affine.apply #map24(%13)
// CHECK-NEXT:       %17 = scf.if %15 -> (tensor<?x8xf32>) {
// CHECK-NEXT:         %generated = tensor.generate %2 {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg1 : f32
// CHECK-NEXT:         } : tensor<?x8xf32>
// CHECK-NEXT:         scf.yield %generated : tensor<?x8xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%7, %12] [%9, %13] [1, 1] : tensor<7x9xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %padded = tensor.pad %extracted_slice low[%5, 0] high[%11, %16] {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg1 : f32
// CHECK-NEXT:         } {tiled} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %cast = tensor.cast %padded : tensor<?x?xf32> to tensor<?x8xf32>
// CHECK-NEXT:         scf.yield %cast : tensor<?x8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %17 into %arg4[%3, %4] [%2, 8] [1, 1] : tensor<?x8xf32> into tensor<15x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : tensor<15x16xf32>
// CHECK-NEXT:   }
func.func @static(%t: tensor<7x9xf32>, %x: f32) -> tensor<15x16xf32> {
  %0 = tensor.pad %t low[3, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<7x9xf32> to tensor<15x16xf32>
  return %0 : tensor<15x16xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %tiled_op, %forall_op = transform.structured.tile_using_forall %0 num_threads [4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_op "tiled" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %0 num_threads [4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %a "tiled" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 + 5)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (-d0 + s0 + 3, 3)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (0, s0)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (-s0, 0)>
// CHECK-NEXT: #map5 = affine_map<()[s0, s1] -> (s0, s1)>
// CHECK-NEXT: #map6 = affine_map<()[s0, s1, s2, s3, s4] -> (s0 - s1, s2 + s3 - s4 + 5)>
// CHECK-NEXT: #map7 = affine_map<()[s0] -> (s0, 0)>
// CHECK-NEXT: #map8 = affine_map<()[s0, s1, s2, s3] -> (s0 + s1 - s2 - s3 + 5)>
// CHECK-NEXT: #map9 = affine_map<(d0) -> (0, -d0 + 3)>
// CHECK-NEXT: #map10 = affine_map<(d0) -> (d0 - 3, 0)>
// CHECK-NEXT: #map11 = affine_map<(d0)[s0] -> (d0, s0)>
// CHECK-NEXT: #map12 = affine_map<(d0, d1, d2)[s0] -> (-d0 + s0, d1 - d2)>
// CHECK-NEXT: #map13 = affine_map<(d0) -> (d0, 0)>
// CHECK-NEXT: #map14 = affine_map<(d0) -> (-d0 + 16, 3)>
// CHECK-NEXT: #map15 = affine_map<(d0) -> (d0, 9)>
// CHECK-NEXT: #map16 = affine_map<(d0, d1) -> (-d0 + 9, d1)>
// CHECK-NEXT: #map17 = affine_map<(d0, d1) -> (d0 - d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @dyn(%arg0: tensor<?x?xf32>, %arg1: index, %arg2: f32) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim, %arg1]
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %1 = affine.apply #map1()[%dim_0]
// CHECK-NEXT:     %2 = tensor.empty(%0, %1) : tensor<?x?xf32>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %3 = scf.for %arg3 = %c0 to %1 step %c3 iter_args(%arg4 = %2) -> (tensor<?x?xf32>) {
// CHECK-NEXT:       %4 = affine.min #map2(%arg3)[%dim_0]
// CHECK-NEXT:       %5 = affine.max #map3()[%arg1]
// CHECK-NEXT:       %6 = affine.max #map4()[%arg1]
// CHECK-NEXT:       %7 = affine.min #map5()[%6, %dim]
// CHECK-NEXT:       %8 = affine.min #map6()[%dim, %7, %dim, %arg1, %5]
// CHECK-NEXT:       %9 = affine.max #map7()[%8]
// CHECK-NEXT:       %10 = arith.cmpi eq, %9, %c0 : index
// CHECK-NEXT:       %11 = affine.apply #map8()[%dim, %arg1, %9, %5]
// CHECK-NEXT:       %12 = affine.max #map9(%arg3)
// CHECK-NEXT:       %13 = affine.max #map10(%arg3)
// CHECK-NEXT:       %14 = affine.min #map11(%13)[%dim_0]
// CHECK-NEXT:       %15 = affine.min #map12(%14, %4, %12)[%dim_0]
// CHECK-NEXT:       %16 = affine.max #map13(%15)
// CHECK-NEXT:       %17 = arith.cmpi eq, %16, %c0 : index
// CHECK-NEXT:       %18 = arith.ori %17, %10 : i1
// CHECK-NEXT:       %19 = scf.if %18 -> (tensor<?x?xf32>) {
// CHECK-NEXT:         %generated = tensor.generate %0, %4 {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg2 : f32
// CHECK-NEXT:         } : tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %generated : tensor<?x?xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%7, %14] [%9, %16] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %padded = tensor.pad %extracted_slice low[%5, %12] high[%11, 0] {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg2 : f32
// CHECK-NEXT:         } {tiled} : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %padded : tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %19 into %arg4[0, %arg3] [%0, %4] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %3 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @dyn(%t: tensor<?x?xf32>, %l: index, %x: f32) -> tensor<?x?xf32> {
  %0 = tensor.pad %t low[%l, 3] high[5, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @static(%arg0: tensor<7x9xf32>, %arg1: f32) -> tensor<15x16xf32> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<15x16xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %1 = scf.for %arg2 = %c0 to %c16 step %c3 iter_args(%arg3 = %0) -> (tensor<15x16xf32>) {
// CHECK-NEXT:       %2 = affine.min #map14(%arg2)
// CHECK-NEXT:       %c7 = arith.constant 7 : index
// CHECK-NEXT:       %3 = arith.cmpi eq, %c7, %c0 : index
// CHECK-NEXT:       %4 = affine.min #map15(%arg2)
// CHECK-NEXT:       %5 = affine.min #map16(%4, %2)
// CHECK-NEXT:       %6 = arith.cmpi eq, %5, %c0 : index
// CHECK-NEXT:       %7 = arith.ori %6, %3 : i1
// CHECK-NEXT:       %8 = affine.apply #map17(%2, %5)
// CHECK-NEXT:       %9 = scf.if %7 -> (tensor<15x?xf32>) {
// CHECK-NEXT:         %generated = tensor.generate %2 {
// CHECK-NEXT:         ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:           tensor.yield %arg1 : f32
// CHECK-NEXT:         } : tensor<15x?xf32>
// CHECK-NEXT:         scf.yield %generated : tensor<15x?xf32>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[0, %4] [7, %5] [1, 1] : tensor<7x9xf32> to tensor<7x?xf32>
// CHECK-NEXT:         %padded = tensor.pad %extracted_slice low[3, 0] high[5, %8] {
// CHECK-NEXT:         ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT:           tensor.yield %arg1 : f32
// CHECK-NEXT:         } {tiled} : tensor<7x?xf32> to tensor<15x?xf32>
// CHECK-NEXT:         scf.yield %padded : tensor<15x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       %inserted_slice = tensor.insert_slice %9 into %arg3[0, %arg2] [15, %2] [1, 1] : tensor<15x?xf32> into tensor<15x16xf32>
// CHECK-NEXT:       scf.yield %inserted_slice : tensor<15x16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : tensor<15x16xf32>
// CHECK-NEXT:   }
func.func @static(%t: tensor<7x9xf32>, %x: f32) -> tensor<15x16xf32> {
  %0 = tensor.pad %t low[3, 0] high[5, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<7x9xf32> to tensor<15x16xf32>
  return %0 : tensor<15x16xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %tiled_linalg_op, %loops = transform.structured.tile_using_for %0 tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_linalg_op "tiled" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_for %0 tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %a "tiled" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0) -> (d0 floordiv 8)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 floordiv 16)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (-d0 + 30, 16)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (-d0 + 95, 16)>
// CHECK-NEXT: #map4 = affine_map<(d0) -> (d0 ceildiv 8)>
// CHECK-NEXT: #map5 = affine_map<(d0)[s0] -> (-d0 + s0, 16)>
// CHECK-NEXT: #map6 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
// CHECK-NEXT: #map7 = affine_map<(d0)[s0] -> (d0 mod s0)>
// CHECK-NEXT: #map8 = affine_map<(d0, d1)[s0] -> ((d0 + d1 - 1) floordiv s0 - d0 floordiv s0 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @perfect(%arg0: tensor<4x6x8x16xf32>, %arg1: tensor<32x96xf32>) -> tensor<32x96xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c96 = arith.constant 96 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c32 step %c16 iter_args(%arg3 = %arg1) -> (tensor<32x96xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg4 = %c0 to %c96 step %c16 iter_args(%arg5 = %arg3) -> (tensor<32x96xf32>) {
// CHECK-NEXT:         %2 = affine.apply #map(%arg2)
// CHECK-NEXT:         %3 = affine.apply #map1(%arg4)
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%2, %3, 0, 0] [2, 1, 8, 16] [1, 1, 1, 1] : tensor<4x6x8x16xf32> to tensor<2x1x8x16xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg5[%arg2, %arg4] [16, 16] [1, 1] : tensor<32x96xf32> to tensor<16x16xf32>
// CHECK-NEXT:         %unpack = linalg.unpack %extracted_slice inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %extracted_slice_0 {tiled} : tensor<2x1x8x16xf32> -> tensor<16x16xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %unpack into %arg5[%arg2, %arg4] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x96xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<32x96xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<32x96xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<32x96xf32>
// CHECK-NEXT:   }
func.func @perfect(%t: tensor<4x6x8x16xf32>, %d: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %d : tensor<4x6x8x16xf32> -> tensor<32x96xf32>
  return %0 : tensor<32x96xf32>
}
// CHECK-NEXT:   func.func @perm(%arg0: tensor<6x4x16x8xf32>, %arg1: tensor<30x95xf32>) -> tensor<30x95xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c30 = arith.constant 30 : index
// CHECK-NEXT:     %c95 = arith.constant 95 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c30 step %c16 iter_args(%arg3 = %arg1) -> (tensor<30x95xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg4 = %c0 to %c95 step %c16 iter_args(%arg5 = %arg3) -> (tensor<30x95xf32>) {
// CHECK-NEXT:         %2 = affine.min #map2(%arg2)
// CHECK-NEXT:         %3 = affine.min #map3(%arg4)
// CHECK-NEXT:         %4 = affine.apply #map(%arg2)
// CHECK-NEXT:         %5 = affine.apply #map4(%2)
// CHECK-NEXT:         %6 = affine.apply #map1(%arg4)
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%6, %4, 0, 0] [1, %5, 16, 8] [1, 1, 1, 1] : tensor<6x4x16x8xf32> to tensor<1x?x16x8xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg5[%arg2, %arg4] [%2, %3] [1, 1] : tensor<30x95xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %unpack = linalg.unpack %extracted_slice outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] into %extracted_slice_0 {tiled} : tensor<1x?x16x8xf32> -> tensor<?x?xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %unpack into %arg5[%arg2, %arg4] [%2, %3] [1, 1] : tensor<?x?xf32> into tensor<30x95xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<30x95xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<30x95xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<30x95xf32>
// CHECK-NEXT:   }
func.func @perm(%t: tensor<6x4x16x8xf32>, %d: tensor<30x95xf32>) -> tensor<30x95xf32> {
  %0 = linalg.unpack %t outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] into %d : tensor<6x4x16x8xf32> -> tensor<30x95xf32>
  return %0 : tensor<30x95xf32>
}
// CHECK-NEXT:   func.func @dyn(%arg0: tensor<?x?x8x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index) -> tensor<?x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c0 : tensor<?x?xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %dim step %c16 iter_args(%arg4 = %arg1) -> (tensor<?x?xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg5 = %c0 to %dim_0 step %c16 iter_args(%arg6 = %arg4) -> (tensor<?x?xf32>) {
// CHECK-NEXT:         %2 = affine.min #map5(%arg3)[%dim]
// CHECK-NEXT:         %3 = affine.min #map5(%arg5)[%dim_0]
// CHECK-NEXT:         %4 = affine.apply #map(%arg3)
// CHECK-NEXT:         %5 = affine.apply #map4(%2)
// CHECK-NEXT:         %6 = affine.apply #map6(%arg5)[%arg2]
// CHECK-NEXT:         %7 = affine.apply #map7(%arg5)[%arg2]
// CHECK-NEXT:         %8 = affine.apply #map8(%arg5, %3)[%arg2]
// CHECK-NEXT:         %9 = arith.muli %8, %arg2 : index
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%4, %6, 0, 0] [%5, %8, 8, %arg2] [1, 1, 1, 1] : tensor<?x?x8x?xf32> to tensor<?x?x8x?xf32>
// CHECK-NEXT:         %10 = tensor.empty(%2, %9) : tensor<?x?xf32>
// CHECK-NEXT:         %unpack = linalg.unpack %extracted_slice inner_dims_pos = [0, 1] inner_tiles = [8, %arg2] into %10 {tiled} : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
// CHECK-NEXT:         %extracted_slice_1 = tensor.extract_slice %unpack[0, %7] [%2, %3] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %extracted_slice_1 into %arg6[%arg3, %arg5] [%2, %3] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<?x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @dyn(%t: tensor<?x?x8x?xf32>, %d: tensor<?x?xf32>, %s: index) -> tensor<?x?xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, %s] into %d : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @part(%arg0: tensor<4x96x8xf32>, %arg1: tensor<32x96xf32>) -> tensor<32x96xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c96 = arith.constant 96 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c32 step %c16 iter_args(%arg3 = %arg1) -> (tensor<32x96xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg4 = %c0 to %c96 step %c16 iter_args(%arg5 = %arg3) -> (tensor<32x96xf32>) {
// CHECK-NEXT:         %2 = affine.apply #map(%arg2)
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%2, %arg4, 0] [2, 16, 8] [1, 1, 1] : tensor<4x96x8xf32> to tensor<2x16x8xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg5[%arg2, %arg4] [16, 16] [1, 1] : tensor<32x96xf32> to tensor<16x16xf32>
// CHECK-NEXT:         %unpack = linalg.unpack %extracted_slice inner_dims_pos = [0] inner_tiles = [8] into %extracted_slice_0 {tiled} : tensor<2x16x8xf32> -> tensor<16x16xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %unpack into %arg5[%arg2, %arg4] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x96xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<32x96xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<32x96xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<32x96xf32>
// CHECK-NEXT:   }
func.func @part(%t: tensor<4x96x8xf32>, %d: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %0 = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<4x96x8xf32> -> tensor<32x96xf32>
  return %0 : tensor<32x96xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.unpack"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [16, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_linalg_op "tiled" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b:2 = transform.structured.tile_using_for %0 tile_sizes [16, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %a "tiled" : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (-d0 + 4, 3)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (d0 * 8, d1 * -8 + 30)>
// CHECK-NEXT: #map4 = affine_map<(d0) -> (d0 * 16)>
// CHECK-NEXT: #map5 = affine_map<(d0) -> (32, d0 * -16 + 95)>
// CHECK-NEXT: #map6 = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
// CHECK-NEXT: #map7 = affine_map<(d0)[s0] -> (d0 * s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @softmax(%arg0: tensor<16x?x256xf32>, %arg1: tensor<16x?x256xf32>) -> tensor<16x?x256xf32> {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<16x?x256xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %c16 step %c2 iter_args(%arg3 = %arg1) -> (tensor<16x?x256xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg4 = %c0 to %dim step %c3 iter_args(%arg5 = %arg3) -> (tensor<16x?x256xf32>) {
// CHECK-NEXT:         %2 = affine.min #map(%arg4)[%dim]
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%arg2, %arg4, 0] [2, %2, 256] [1, 1, 1] : tensor<16x?x256xf32> to tensor<2x?x256xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg5[%arg2, %arg4, 0] [2, %2, 256] [1, 1, 1] : tensor<16x?x256xf32> to tensor<2x?x256xf32>
// CHECK-NEXT:         %3 = linalg.softmax {tiled} dimension(2) ins(%extracted_slice : tensor<2x?x256xf32>) outs(%extracted_slice_0 : tensor<2x?x256xf32>) -> tensor<2x?x256xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %3 into %arg5[%arg2, %arg4, 0] [2, %2, 256] [1, 1, 1] : tensor<2x?x256xf32> into tensor<16x?x256xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<16x?x256xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<16x?x256xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<16x?x256xf32>
// CHECK-NEXT:   }
func.func @softmax(%a: tensor<16x?x256xf32>, %b: tensor<16x?x256xf32>) -> tensor<16x?x256xf32> {
  %0 = linalg.softmax dimension(2) ins(%a : tensor<16x?x256xf32>) outs(%b : tensor<16x?x256xf32>) -> tensor<16x?x256xf32>
  return %0 : tensor<16x?x256xf32>
}
// CHECK-NEXT:   func.func @pack(%arg0: tensor<30x95xf32>, %arg1: tensor<6x4x16x8xf32>, %arg2: f32) -> tensor<6x4x16x8xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c6 = arith.constant 6 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %c6 step %c2 iter_args(%arg4 = %arg1) -> (tensor<6x4x16x8xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg5 = %c0 to %c4 step %c3 iter_args(%arg6 = %arg4) -> (tensor<6x4x16x8xf32>) {
// CHECK-NEXT:         %2 = affine.min #map1(%arg5)
// CHECK-NEXT:         %3 = affine.apply #map2(%arg5)
// CHECK-NEXT:         %4 = affine.min #map3(%2, %arg5)
// CHECK-NEXT:         %5 = affine.apply #map4(%arg3)
// CHECK-NEXT:         %6 = affine.min #map5(%arg3)
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%3, %5] [%4, %6] [1, 1] : tensor<30x95xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %extracted_slice_0 = tensor.extract_slice %arg6[%arg3, %arg5, 0, 0] [2, %2, 16, 8] [1, 1, 1, 1] : tensor<6x4x16x8xf32> to tensor<2x?x16x8xf32>
// CHECK-NEXT:         %pack = linalg.pack %extracted_slice padding_value(%arg2 : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] into %extracted_slice_0 {tiled} : tensor<?x?xf32> -> tensor<2x?x16x8xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %pack into %arg6[%arg3, %arg5, 0, 0] [2, %2, 16, 8] [1, 1, 1, 1] : tensor<2x?x16x8xf32> into tensor<6x4x16x8xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<6x4x16x8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<6x4x16x8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<6x4x16x8xf32>
// CHECK-NEXT:   }
func.func @pack(%t: tensor<30x95xf32>, %d: tensor<6x4x16x8xf32>, %p: f32) -> tensor<6x4x16x8xf32> {
  %0 = linalg.pack %t padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] into %d : tensor<30x95xf32> -> tensor<6x4x16x8xf32>
  return %0 : tensor<6x4x16x8xf32>
}
// CHECK-NEXT:   func.func @pack_dynamic(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?x8x?xf32>, %arg2: index) -> tensor<?x?x8x?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c0 : tensor<?x?x8x?xf32>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %c1 : tensor<?x?x8x?xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %dim step %c2 iter_args(%arg4 = %arg1) -> (tensor<?x?x8x?xf32>) {
// CHECK-NEXT:       %1 = scf.for %arg5 = %c0 to %dim_0 step %c3 iter_args(%arg6 = %arg4) -> (tensor<?x?x8x?xf32>) {
// CHECK-NEXT:         %2 = affine.min #map6(%arg3)[%dim]
// CHECK-NEXT:         %3 = affine.min #map(%arg5)[%dim_0]
// CHECK-NEXT:         %4 = affine.apply #map2(%arg3)
// CHECK-NEXT:         %5 = affine.apply #map2(%2)
// CHECK-NEXT:         %6 = affine.apply #map7(%arg5)[%arg2]
// CHECK-NEXT:         %7 = affine.apply #map7(%3)[%arg2]
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%4, %6] [%5, %7] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:         %dim_1 = tensor.dim %arg6, %c3 : tensor<?x?x8x?xf32>
// CHECK-NEXT:         %extracted_slice_2 = tensor.extract_slice %arg6[%arg3, %arg5, 0, 0] [%2, %3, 8, %dim_1] [1, 1, 1, 1] : tensor<?x?x8x?xf32> to tensor<?x?x8x?xf32>
// CHECK-NEXT:         %pack = linalg.pack %extracted_slice inner_dims_pos = [0, 1] inner_tiles = [8, %arg2] into %extracted_slice_2 {tiled} : tensor<?x?xf32> -> tensor<?x?x8x?xf32>
// CHECK-NEXT:         %inserted_slice = tensor.insert_slice %pack into %arg6[%arg3, %arg5, 0, 0] [%2, %3, 8, %dim_1] [1, 1, 1, 1] : tensor<?x?x8x?xf32> into tensor<?x?x8x?xf32>
// CHECK-NEXT:         scf.yield %inserted_slice : tensor<?x?x8x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : tensor<?x?x8x?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?x?x8x?xf32>
// CHECK-NEXT:   }
func.func @pack_dynamic(%t: tensor<?x?xf32>, %d: tensor<?x?x8x?xf32>, %s: index) -> tensor<?x?x8x?xf32> {
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, %s] into %d : tensor<?x?xf32> -> tensor<?x?x8x?xf32>
  return %0 : tensor<?x?x8x?xf32>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.softmax", "linalg.pack"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_linalg_op "tiled" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.softmax", "linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b:2 = transform.structured.tile_using_for %0 tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %a "tiled" : !transform.any_op
    transform.yield
  }
}
