// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What MLIR inserts elsewhere, or makes invalid.

// CHECK: module {
// CHECK-NEXT:   func.func private @make(tensor<?xf32>) -> tensor<?xf32>
func.func private @make(tensor<?xf32>) -> tensor<?xf32>

// As many insertions into each output as there are, in any order.
// CHECK-NEXT:   func.func @casts(%arg0: index, %arg1: tensor<9xf32>, %arg2: tensor<?xf32>, %arg3: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %0:2 = scf.forall (%arg4) in (%arg0) shared_outs(%arg5 = %arg1, %arg6 = %arg2) -> (tensor<9xf32>, tensor<?xf32>) {
// CHECK-NEXT:       %cast_0 = tensor.cast %arg5 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:       %1 = func.call @make(%cast_0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg3 into %arg6[%arg4] [2] [1] : tensor<2xf32> into tensor<?xf32>
// CHECK-NEXT:         tensor.parallel_insert_slice %arg3 into %arg5[%arg4] [2] [1] : tensor<2xf32> into tensor<9xf32>
// CHECK-NEXT:         tensor.parallel_insert_slice %1 into %arg5[0] [%arg0] [1] : tensor<?xf32> into tensor<9xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %cast = tensor.cast %0#0 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:     return %cast, %0#1 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @casts(%n: index, %a: tensor<9xf32>, %b: tensor<?xf32>, %v: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %ca = tensor.cast %a : tensor<9xf32> to tensor<?xf32>
  %0:2 = scf.forall (%i) in (%n) shared_outs(%x = %ca, %y = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %m = func.call @make(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %y[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %v into %x[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %m into %x[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @oob(%arg0: index, %arg1: tensor<9xf32>, %arg2: tensor<2xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = scf.forall (%arg3) in (%arg0) shared_outs(%arg4 = %cast) -> (tensor<?xf32>) {
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg2 into %arg4[8] [2] [1] : tensor<2xf32> into tensor<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @oob(%n: index, %a: tensor<9xf32>, %v: tensor<2xf32>) -> tensor<?xf32> {
  %ca = tensor.cast %a : tensor<9xf32> to tensor<?xf32>
  %0 = scf.forall (%i) in (%n) shared_outs(%x = %ca) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %x[8] [2] [1] : tensor<2xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
