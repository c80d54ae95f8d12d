// RUN: xgpu-opt --transform-interpreter --cse %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 * 2)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 * 5)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (d0 * 4)>
// CHECK-NEXT: #map4 = affine_map<(d0) -> (d0, 6)>
// CHECK-NEXT: #map5 = affine_map<(d0) -> (-d0 + 6, 1)>
// CHECK-NEXT: #map6 = affine_map<(d0) -> (-d0 + 1)>
// CHECK-NEXT: #map7 = affine_map<(d0) -> (d0 * 8, 24)>
// CHECK-NEXT: #map8 = affine_map<(d0) -> (-d0 + 24, 8)>
// CHECK-NEXT: #map9 = affine_map<(d0) -> (-d0 + 8)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @row(%arg0: tensor<8xf16>, %arg1: tensor<8xf16>) -> tensor<8xf16> {
// CHECK-NEXT:     %0 = scf.forall (%arg2) in (1) shared_outs(%arg3 = %arg1) -> (tensor<8xf16>) {
// CHECK-NEXT:       %1 = affine.apply #map(%arg2)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%1] [8] [1] : tensor<8xf16> to tensor<8xf16>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg3[%1] [8] [1] : tensor<8xf16> to tensor<8xf16>
// CHECK-NEXT:       %2 = linalg.copy {tile} ins(%extracted_slice : tensor<8xf16>) outs(%extracted_slice_0 : tensor<8xf16>) -> tensor<8xf16>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg3[%1] [8] [1] : tensor<8xf16> into tensor<8xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %0 : tensor<8xf16>
// CHECK-NEXT:   }
func.func @row(%a: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<8xf16> {
  %0 = linalg.copy ins(%a : tensor<8xf16>) outs(%b : tensor<8xf16>) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}
// CHECK-NEXT:   func.func @matrix(%arg0: tensor<16x32xf16>, %arg1: tensor<16x32xf16>) -> tensor<16x32xf16> {
// CHECK-NEXT:     %0 = scf.forall (%arg2, %arg3) in (8, 4) shared_outs(%arg4 = %arg1) -> (tensor<16x32xf16>) {
// CHECK-NEXT:       %1 = affine.apply #map1(%arg2)
// CHECK-NEXT:       %2 = affine.apply #map(%arg3)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%1, %2] [2, 8] [1, 1] : tensor<16x32xf16> to tensor<2x8xf16>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg4[%1, %2] [2, 8] [1, 1] : tensor<16x32xf16> to tensor<2x8xf16>
// CHECK-NEXT:       %3 = linalg.copy {tile} ins(%extracted_slice : tensor<2x8xf16>) outs(%extracted_slice_0 : tensor<2x8xf16>) -> tensor<2x8xf16>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %3 into %arg4[%1, %2] [2, 8] [1, 1] : tensor<2x8xf16> into tensor<16x32xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %0 : tensor<16x32xf16>
// CHECK-NEXT:   }
func.func @matrix(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>) -> tensor<16x32xf16> {
  %0 = linalg.copy ins(%a : tensor<16x32xf16>) outs(%b : tensor<16x32xf16>) -> tensor<16x32xf16>
  return %0 : tensor<16x32xf16>
}
// CHECK-NEXT:   func.func @predicated(%arg0: tensor<3x10xf32>, %arg1: tensor<3x10xf32>) -> tensor<3x10xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg2, %arg3) in (3, 5) shared_outs(%arg4 = %arg1) -> (tensor<3x10xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map1(%arg3)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%arg2, %1] [1, 2] [1, 1] : tensor<3x10xf32> to tensor<1x2xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg4[%arg2, %1] [1, 2] [1, 1] : tensor<3x10xf32> to tensor<1x2xf32>
// CHECK-NEXT:       %2 = linalg.copy {tile} ins(%extracted_slice : tensor<1x2xf32>) outs(%extracted_slice_0 : tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg4[%arg2, %1] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<3x10xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %0 : tensor<3x10xf32>
// CHECK-NEXT:   }
func.func @predicated(%a: tensor<3x10xf32>, %b: tensor<3x10xf32>) -> tensor<3x10xf32> {
  %0 = linalg.copy ins(%a : tensor<3x10xf32>) outs(%b : tensor<3x10xf32>) -> tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}
// CHECK-NEXT:   func.func @odd(%arg0: tensor<5x7xf32>, %arg1: tensor<5x7xf32>) -> tensor<5x7xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg2, %arg3) in (1, 7) shared_outs(%arg4 = %arg1) -> (tensor<5x7xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map2(%arg2)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%1, %arg3] [5, 1] [1, 1] : tensor<5x7xf32> to tensor<5x1xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg4[%1, %arg3] [5, 1] [1, 1] : tensor<5x7xf32> to tensor<5x1xf32>
// CHECK-NEXT:       %2 = linalg.copy {tile} ins(%extracted_slice : tensor<5x1xf32>) outs(%extracted_slice_0 : tensor<5x1xf32>) -> tensor<5x1xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg4[%1, %arg3] [5, 1] [1, 1] : tensor<5x1xf32> into tensor<5x7xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %0 : tensor<5x7xf32>
// CHECK-NEXT:   }
func.func @odd(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = linalg.copy ins(%a : tensor<5x7xf32>) outs(%b : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
// CHECK-NEXT:   func.func @cube(%arg0: tensor<2x4x16xf32>, %arg1: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg2, %arg3, %arg4) in (2, 4, 4) shared_outs(%arg5 = %arg1) -> (tensor<2x4x16xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map3(%arg4)
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%arg2, %arg3, %1] [1, 1, 4] [1, 1, 1] : tensor<2x4x16xf32> to tensor<1x1x4xf32>
// CHECK-NEXT:       %extracted_slice_0 = tensor.extract_slice %arg5[%arg2, %arg3, %1] [1, 1, 4] [1, 1, 1] : tensor<2x4x16xf32> to tensor<1x1x4xf32>
// CHECK-NEXT:       %2 = linalg.copy {tile} ins(%extracted_slice : tensor<1x1x4xf32>) outs(%extracted_slice_0 : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %2 into %arg5[%arg2, %arg3, %1] [1, 1, 4] [1, 1, 1] : tensor<1x1x4xf32> into tensor<2x4x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_2>, #gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %0 : tensor<2x4x16xf32>
// CHECK-NEXT:   }
func.func @cube(%a: tensor<2x4x16xf32>, %b: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %0 = linalg.copy ins(%a : tensor<2x4x16xf32>) outs(%b : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}
// CHECK-NEXT:   func.func @pad(%arg0: tensor<6x24xf16>, %arg1: f16) -> tensor<8x32xf16> {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<8x32xf16>
// CHECK-NEXT:     %1 = scf.forall (%arg2, %arg3) in (8, 4) shared_outs(%arg4 = %0) -> (tensor<8x32xf16>) {
// CHECK-NEXT:       %2 = affine.apply #map(%arg3)
// CHECK-NEXT:       %3 = affine.min #map4(%arg2)
// CHECK-NEXT:       %4 = affine.min #map5(%3)
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %5 = arith.cmpi eq, %4, %c0 : index
// CHECK-NEXT:       %6 = affine.apply #map6(%4)
// CHECK-NEXT:       %7 = affine.min #map7(%arg3)
// CHECK-NEXT:       %8 = affine.min #map8(%7)
// CHECK-NEXT:       %9 = arith.cmpi eq, %8, %c0 : index
// CHECK-NEXT:       %10 = arith.ori %9, %5 : i1
// CHECK-NEXT:       %11 = affine.apply #map9(%8)
// CHECK-NEXT:       %12 = scf.if %10 -> (tensor<1x8xf16>) {
// CHECK-NEXT:         %generated = tensor.generate  {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg1 : f16
// CHECK-NEXT:         } : tensor<1x8xf16>
// CHECK-NEXT:         scf.yield %generated : tensor<1x8xf16>
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %extracted_slice = tensor.extract_slice %arg0[%3, %7] [%4, %8] [1, 1] : tensor<6x24xf16> to tensor<?x?xf16>
// CHECK-NEXT:         %padded = tensor.pad %extracted_slice low[0, 0] high[%6, %11] {
// CHECK-NEXT:         ^bb0(%arg5: index, %arg6: index):
// CHECK-NEXT:           tensor.yield %arg1 : f16
// CHECK-NEXT:         } {tile} : tensor<?x?xf16> to tensor<?x?xf16>
// CHECK-NEXT:         %cast = tensor.cast %padded : tensor<?x?xf16> to tensor<1x8xf16>
// CHECK-NEXT:         scf.yield %cast : tensor<1x8xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %12 into %arg4[%arg2, %2] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<8x32xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return %1 : tensor<8x32xf16>
// CHECK-NEXT:   }
func.func @pad(%t: tensor<6x24xf16>, %x: f16) -> tensor<8x32xf16> {
  %0 = tensor.pad %t low[0, 0] high[2, 8] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f16
  } : tensor<6x24xf16> to tensor<8x32xf16>
  return %0 : tensor<8x32xf16>
}
// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["linalg.copy", "tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %0 total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:       transform.annotate %tiled_op "tile" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.copy", "tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %t = transform.structured.gpu.map_copy_to_threads %0 total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %t "tile" : !transform.any_op
    transform.yield
  }
}
