// RUN: xgpu-opt --resolve-ranked-shaped-type-result-dims %s | filecheck %s --match-full-lines

// What threads share has the sizes of what it was at first; what a loop carries need not.

// CHECK: module {
// CHECK-NEXT:   func.func @shared(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.forall (%arg3) in (%arg2) shared_outs(%arg4 = %arg0, %arg5 = %arg1) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:       %dim = tensor.dim %arg1, %c1 : tensor<?x?xf32>
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [1, %dim] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %extracted_slice into %arg4[%arg3, 0] [1, %dim] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @shared(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %0:2 = scf.forall (%i) in (%n) shared_outs(%x = %a, %y = %b) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    %m = tensor.dim %y, %c1 : tensor<?x?xf32>
    %part = tensor.extract_slice %a[%i, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %x[%i, 0] [1, %m] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
    }
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @carried(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: index) -> (tensor<?xf32>, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %c0) -> (tensor<?xf32>, index) {
// CHECK-NEXT:       %dim = tensor.dim %arg4, %c0 : tensor<?xf32>
// CHECK-NEXT:       scf.yield %arg1, %dim : tensor<?xf32>, index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : tensor<?xf32>, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @carried(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %s = %c0) -> (tensor<?xf32>, index) {
    %m = tensor.dim %x, %c0 : tensor<?xf32>
    scf.yield %b, %m : tensor<?xf32>, index
  }
  return %0#0, %0#1 : tensor<?xf32>, index
}
