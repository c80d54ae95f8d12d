// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Tensors that loops carry, or write in parallel.

// CHECK: module {
// CHECK-NEXT:   func.func private @make(tensor<?xf32>) -> tensor<?xf32>
func.func private @make(tensor<?xf32>) -> tensor<?xf32>

// CHECK-NEXT:   func.func @unchanged(%arg0: index, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>, %arg3: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %0 = scf.forall (%arg4) in (%arg0) shared_outs(%arg5 = %arg2) -> (tensor<?xf32>) {
// CHECK-NEXT:       %extracted_slice = tensor.extract_slice %arg1[%arg4] [1] [1] : tensor<?xf32> to tensor<1xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %extracted_slice into %arg5[%arg4] [1] [1] : tensor<1xf32> into tensor<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg1, %0 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @unchanged(%n: index, %a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:3 = scf.forall (%i) in (%n) shared_outs(%x = %a, %y = %b, %z = %c) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %t = tensor.extract_slice %z[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %y[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %t into %z[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @casts(%arg0: index, %arg1: tensor<9xf32>, %arg2: tensor<?xf32>, %arg3: tensor<2xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %0:2 = scf.forall (%arg4) in (%arg0) shared_outs(%arg5 = %arg1, %arg6 = %arg2) -> (tensor<9xf32>, tensor<?xf32>) {
// CHECK-NEXT:       %cast_0 = tensor.cast %arg5 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:       %1 = func.call @make(%cast_0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg3 into %arg5[%arg4] [2] [1] : tensor<2xf32> into tensor<9xf32>
// CHECK-NEXT:         tensor.parallel_insert_slice %1 into %arg6[0] [%arg0] [1] : tensor<?xf32> into tensor<?xf32>
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
      tensor.parallel_insert_slice %v into %x[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
      tensor.parallel_insert_slice %m into %y[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @no_dimensions(%arg0: tensor<4xf32>, %arg1: tensor<2xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg1 into %arg0[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<4xf32>
// CHECK-NEXT:   }
func.func @no_dimensions(%a: tensor<4xf32>, %v: tensor<2xf32>) -> tensor<4xf32> {
  %0 = scf.forall () in () shared_outs(%x = %a) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    }
  } {mapping = []}
  return %0 : tensor<4xf32>
}

// CHECK-NEXT:   func.func @no_step(%arg0: index, %arg1: index) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @no_step(%n: index, %v: index) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) = (%n) to (%v) step (%c0) {
    vector.print %i : index
  }
  return
}

// CHECK-NEXT:   func.func @carried(%arg0: index, %arg1: tensor<9xf32>, %arg2: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2, %arg5 = %arg1) -> (tensor<?xf32>, tensor<9xf32>) {
// CHECK-NEXT:       %cast_0 = tensor.cast %arg5 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:       %1 = func.call @make(%arg4) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       %2 = func.call @make(%cast_0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       %cast_1 = tensor.cast %2 : tensor<?xf32> to tensor<9xf32>
// CHECK-NEXT:       scf.yield %1, %cast_1 : tensor<?xf32>, tensor<9xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %cast = tensor.cast %0#1 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:     return %0#0, %cast : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @carried(%n: index, %a: tensor<9xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ca = tensor.cast %a : tensor<9xf32> to tensor<?xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b, %y = %ca) -> (tensor<?xf32>, tensor<?xf32>) {
    %1 = func.call @make(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = func.call @make(%y) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1, %2 : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @two_users(%arg0: index, %arg1: tensor<9xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<9xf32> to tensor<?xf32>
// CHECK-NEXT:     %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %cast) -> (tensor<?xf32>) {
// CHECK-NEXT:       %1 = func.call @make(%arg3) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:       scf.yield %1 : tensor<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %0 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_users(%n: index, %a: tensor<9xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ca = tensor.cast %a : tensor<9xf32> to tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %ca) -> (tensor<?xf32>) {
    %1 = func.call @make(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0, %0 : tensor<?xf32>, tensor<?xf32>
}
