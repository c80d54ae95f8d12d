// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true allow-return-allocs-from-loops=true" %s | filecheck %s --match-full-lines

// The tensor that a loop carries is one buffer.
func.func @loop(%t: tensor<?xf32>, %x: f32, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %b = tensor.insert %x into %a[%i] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Two that change places are copied in each iteration.
func.func @swap(%s: tensor<?xf32>, %t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s, %b = %t) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// What a loop reads from outside must not be written in it.
func.func @read_outside(%t: tensor<?xf32>, %x: f32, %n: index) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %s = %x) -> (tensor<?xf32>, f32) {
    %e = tensor.extract %t[%i] : tensor<?xf32>
    %f = arith.addf %s, %e : f32
    %b = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %b, %f : tensor<?xf32>, f32
  }
  return %r#0, %r#1 : tensor<?xf32>, f32
}

func.func @branches(%c: i1, %t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %a = tensor.insert %x into %t[%i] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %b = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @while(%t: tensor<?xf32>, %i: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %t, %j = %i) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %e = tensor.extract %a[%j] : tensor<?xf32>
    %p = arith.cmpf ogt, %e, %c0 : f32
    scf.condition(%p) %a, %j : tensor<?xf32>, index
  } do {
  ^bb0(%a: tensor<?xf32>, %j: index):
    %b = tensor.insert %c0 into %a[%j] : tensor<?xf32>
    %k = arith.addi %j, %c1 : index
    scf.yield %b, %k : tensor<?xf32>, index
  }
  return %r#0, %r#1 : tensor<?xf32>, index
}

// Threads write their parts of one buffer; what all read is not what they write.
func.func @parallel(%t: tensor<64xf32>, %x: f32) -> tensor<64xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %at = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %s = tensor.extract_slice %o[%at] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %f = linalg.fill ins(%x : f32) outs(%s : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%at] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %r : tensor<64xf32>
}

func.func @switch(%k: index, %s: tensor<4xf32>, %t: tensor<4xf32>, %x: f32) -> f32 {
  %r = scf.index_switch %k -> tensor<4xf32>
  case 0 {
    scf.yield %s : tensor<4xf32>
  }
  default {
    %u = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  %c0 = arith.constant 0 : index
  %e = tensor.extract %r[%c0] : tensor<4xf32>
  return %e : f32
}

func.func @blocks(%c: i1, %s: tensor<?xf32>, %t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  cf.cond_br %c, ^bb1, ^bb2(%t : tensor<?xf32>)
^bb1:
  cf.br ^bb2(%s : tensor<?xf32>)
^bb2(%a: tensor<?xf32>):
  %b = tensor.insert %x into %a[%i] : tensor<?xf32>
  return %b : tensor<?xf32>
}


// What no thread of a parallel loop writes keeps the initial value, so the copy is not left out.
func.func @part_of_outputs(%t: tensor<64xf32>, %v: tensor<16xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> tensor<64xf32> {
    %k = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %o[%k] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  }
  return %r, %t : tensor<64xf32>, tensor<64xf32>
}

// What is computed before a loop and read in each iteration is not overwritten by the first one,
// although the operation that reads it writes each element after its reading.
func.func @read_in_each_iteration(%n: index, %s: tensor<8xf32>, %sum: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %sum) -> tensor<8xf32> {
    %d = linalg.map { arith.subf } ins(%filled, %s : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>)
    %e = linalg.map { arith.addf } ins(%d, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>)
    scf.yield %e : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK: #map = affine_map<(d0) -> (d0 * 16)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @loop(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:       memref.store %arg1, %arg4[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       scf.yield %arg4 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @swap(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: index) -> (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg1) -> (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:       %c0_0 = arith.constant 0 : index
// CHECK-NEXT:       %dim = memref.dim %arg5, %c0_0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:       memref.copy %arg5, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:       %c0_1 = arith.constant 0 : index
// CHECK-NEXT:       %dim_2 = memref.dim %arg4, %c0_1 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %alloc_3 = memref.alloc(%dim_2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:       memref.copy %arg4, %alloc_3 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:       %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %cast_4 = memref.cast %alloc_3 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       scf.yield %cast, %cast_4 : memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @read_outside(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32>, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0_0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// CHECK-NEXT:     %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %alloc, %arg5 = %arg1) -> (memref<?xf32>, f32) {
// CHECK-NEXT:       %1 = memref.load %arg0[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %2 = arith.addf %arg5, %1 : f32
// CHECK-NEXT:       memref.store %2, %arg4[%arg3] : memref<?xf32>
// CHECK-NEXT:       scf.yield %arg4, %2 : memref<?xf32>, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     %cast = memref.cast %0#0 : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %0#0, %0#1 : memref<?xf32>, f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @branches(%arg0: i1, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: f32, %arg3: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %0 = scf.if %arg0 -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:       memref.store %arg2, %arg1[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       scf.yield %arg1 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       linalg.fill ins(%arg2 : f32) outs(%arg1 : memref<?xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:       scf.yield %arg1 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @while(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index) -> (memref<?xf32, strided<[?], offset: ?>>, index) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0:2 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (memref<?xf32, strided<[?], offset: ?>>, index) -> (memref<?xf32, strided<[?], offset: ?>>, index) {
// CHECK-NEXT:       %1 = memref.load %arg2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %2 = arith.cmpf ogt, %1, %cst : f32
// CHECK-NEXT:       scf.condition(%2) %arg2, %arg3 : memref<?xf32, strided<[?], offset: ?>>, index
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: memref<?xf32, strided<[?], offset: ?>>, %arg3: index):
// CHECK-NEXT:       memref.store %cst, %arg2[%arg3] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       %1 = arith.addi %arg3, %c1 : index
// CHECK-NEXT:       scf.yield %arg2, %1 : memref<?xf32, strided<[?], offset: ?>>, index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1 : memref<?xf32, strided<[?], offset: ?>>, index
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @parallel(%arg0: memref<64xf32, strided<[?], offset: ?>>, %arg1: f32) -> memref<64xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     scf.forall (%arg2) in (4) {
// CHECK-NEXT:       %0 = affine.apply #map(%arg2)
// CHECK-NEXT:       %subview = memref.subview %arg0[%0] [16] [1] : memref<64xf32, strided<[?], offset: ?>> to memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       linalg.fill ins(%arg1 : f32) outs(%subview : memref<16xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:       %subview_0 = memref.subview %arg0[%0] [16] [1] : memref<64xf32, strided<[?], offset: ?>> to memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:       memref.copy %subview, %subview_0 : memref<16xf32, strided<[?], offset: ?>> to memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %arg0 : memref<64xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @switch(%arg0: index, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: memref<4xf32, strided<[?], offset: ?>>, %arg3: f32) -> f32 {
// CHECK-NEXT:     %0 = scf.index_switch %arg0 -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     case 0 {
// CHECK-NEXT:       scf.yield %arg1 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     default {
// CHECK-NEXT:       linalg.fill ins(%arg3 : f32) outs(%arg2 : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:       scf.yield %arg2 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %1 = memref.load %0[%c0] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @blocks(%arg0: i1, %arg1: memref<?xf32, strided<[?], offset: ?>>, %arg2: memref<?xf32, strided<[?], offset: ?>>, %arg3: f32, %arg4: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     cf.cond_br %arg0, ^bb1, ^bb2(%arg2 : memref<?xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     cf.br ^bb2(%arg1 : memref<?xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:   ^bb2(%0: memref<?xf32, strided<[?], offset: ?>>):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     memref.store %arg3, %0[%arg4] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @part_of_outputs(%arg0: memref<64xf32, strided<[?], offset: ?>>, %arg1: memref<16xf32, strided<[?], offset: ?>>) -> (memref<64xf32>, memref<64xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<64xf32, strided<[?], offset: ?>> to memref<64xf32>
// CHECK-NEXT:     scf.forall (%arg2) in (2) {
// CHECK-NEXT:       %0 = affine.apply #map(%arg2)
// CHECK-NEXT:       %subview = memref.subview %alloc[%0] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
// CHECK-NEXT:       memref.copy %arg1, %subview : memref<16xf32, strided<[?], offset: ?>> to memref<16xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<64xf32> to memref<64xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %alloc, %arg0 : memref<64xf32>, memref<64xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @read_in_each_iteration(%arg0: index, %arg1: memref<8xf32, strided<[?], offset: ?>>, %arg2: memref<8xf32, strided<[?], offset: ?>>) -> memref<8xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:     linalg.fill ins(%cst : f32) outs(%alloc_0 : memref<8xf32>)
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (memref<8xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:       linalg.map { arith.subf } ins(%alloc_0, %arg1 : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>) outs(%alloc : memref<8xf32>)
// CHECK-NEXT:       linalg.map { arith.addf } ins(%alloc, %arg4 : memref<8xf32>, memref<8xf32, strided<[?], offset: ?>>) outs(%arg4 : memref<8xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:       scf.yield %arg4 : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
