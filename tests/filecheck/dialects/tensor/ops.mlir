// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @f(%t: tensor<4xf32>, %i: index, %x: f32, %s: tensor<1xindex>, %w : tensor<4x4xf32>, %idx: tensor<2x1xindex>) {
 %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
 %1 = tensor.concat dim(0) %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
 %2 = tensor.rank %t : tensor<4xf32>
 %3 = tensor.splat %x : tensor<8xf32>
 %4 = tensor.generate %i { ^bb0(%k: index): tensor.yield %x : f32 } : tensor<?xf32>
 %5 = tensor.insert %x into %t[%i] : tensor<4xf32>
 %6 = tensor.extract %t[%i] : tensor<4xf32>
 %7 = tensor.insert_slice %t into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
 %8 = tensor.pad %t low[1] high[2] { ^bb0(%k: index): tensor.yield %x : f32 } : tensor<4xf32> to tensor<7xf32>
 %9 = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<1xindex>) -> tensor<?xf32>
 %10 = tensor.from_elements %x, %x : tensor<2xf32>
 %11 = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
 %12 = tensor.collapse_shape %w [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
 %13 = tensor.gather %w[%idx] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
 %14 = tensor.empty(%i) : tensor<?xf32>
 %15 = tensor.dim %t, %i : tensor<4xf32>
 return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<4xf32>, %arg1: index, %arg2: f32, %arg3: tensor<1xindex>, %arg4: tensor<4x4xf32>, %arg5: tensor<2x1xindex>) {
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:     %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %rank = tensor.rank %arg0 : tensor<4xf32>
// CHECK-NEXT:     %splat = tensor.splat %arg2 : tensor<8xf32>
// CHECK-NEXT:     %generated = tensor.generate %arg1 {
// CHECK-NEXT:     ^bb0(%arg6: index):
// CHECK-NEXT:       tensor.yield %arg2 : f32
// CHECK-NEXT:     } : tensor<?xf32>
// CHECK-NEXT:     %inserted = tensor.insert %arg2 into %arg0[%arg1] : tensor<4xf32>
// CHECK-NEXT:     %extracted = tensor.extract %arg0[%arg1] : tensor<4xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg0[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
// CHECK-NEXT:     %padded = tensor.pad %arg0 low[1] high[2] {
// CHECK-NEXT:     ^bb0(%arg6: index):
// CHECK-NEXT:       tensor.yield %arg2 : f32
// CHECK-NEXT:     } : tensor<4xf32> to tensor<7xf32>
// CHECK-NEXT:     %reshape = tensor.reshape %arg0(%arg3) : (tensor<4xf32>, tensor<1xindex>) -> tensor<?xf32>
// CHECK-NEXT:     %from_elements = tensor.from_elements %arg2, %arg2 : tensor<2xf32>
// CHECK-NEXT:     %expanded = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg4 {{\[\[}}0, 1]] : tensor<4x4xf32> into tensor<16xf32>
// CHECK-NEXT:     %gather = tensor.gather %arg4[%arg5] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
// CHECK-NEXT:     %0 = tensor.empty(%arg1) : tensor<?xf32>
// CHECK-NEXT:     %dim = tensor.dim %arg0, %arg1 : tensor<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
