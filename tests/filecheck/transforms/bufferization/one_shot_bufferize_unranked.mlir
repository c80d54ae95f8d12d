// RUN: xgpu-opt %s --one-shot-bufferize="bufferize-function-boundaries=1" | filecheck %s --match-full-lines

// A tensor of unknown rank is not copied, but what it is a cast of.
func.func private @writes(%t: tensor<*xf32>)

func.func @cast_of_constant() {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %u = tensor.cast %t : tensor<2xf32> to tensor<*xf32>
  func.call @writes(%u) : (tensor<*xf32>) -> ()
  return
}

// CHECK: module {
// CHECK-NEXT:   memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT:   func.func private @writes(memref<*xf32>)
// CHECK-NEXT:   func.func @cast_of_constant() {
// CHECK-NEXT:     %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:     memref.copy %0, %alloc : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<2xf32> to memref<*xf32>
// CHECK-NEXT:     call @writes(%cast) : (memref<*xf32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
