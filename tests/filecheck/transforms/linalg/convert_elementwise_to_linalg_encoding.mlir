// A tensor with an encoding; mlir-opt 22.1 forgets that of the new one, and refuses its own result.
// RUN: xgpu-opt --convert-elementwise-to-linalg %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @integers(%arg0: tensor<?xf32, "near">) -> tensor<?xi32, "near"> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xf32, "near">
// CHECK-NEXT:     %0 = tensor.empty(%dim) : tensor<?xi32, "near">
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<?xf32, "near">) outs(%0 : tensor<?xi32, "near">) {
// CHECK-NEXT:     ^bb0(%in: f32, %out: i32):
// CHECK-NEXT:       %2 = arith.fptosi %in : f32 to i32
// CHECK-NEXT:       linalg.yield %2 : i32
// CHECK-NEXT:     } -> tensor<?xi32, "near">
// CHECK-NEXT:     return %1 : tensor<?xi32, "near">
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @integers(%a: tensor<?xf32, "near">) -> tensor<?xi32, "near"> {
  %0 = arith.fptosi %a : tensor<?xf32, "near"> to tensor<?xi32, "near">
  return %0 : tensor<?xi32, "near">
}
