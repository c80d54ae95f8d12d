// RUN: xgpu-opt %s --split-input-file -transform-interpreter | filecheck %s

// Structured operations in tiles: loops, foralls with a mapping, on buffers and on tensors.

// CHECK-LABEL: func.func @buffers
// CHECK-SAME: %[[A:.*]]: memref<128x64xf32>, %[[B:.*]]: memref<64x32xf32>, %[[C:.*]]: memref<128x32xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[TA:.*]] = memref.subview %[[A]][%[[I]], %[[K]]] [16, 4] [1, 1]
// CHECK: %[[TB:.*]] = memref.subview %[[B]][%[[K]], %[[J]]] [4, 8] [1, 1]
// CHECK: %[[TC:.*]] = memref.subview %[[C]][%[[I]], %[[J]]] [16, 8] [1, 1]
// CHECK: linalg.matmul ins(%[[TA]], %[[TB]] : {{.*}}) outs(%[[TC]] :
func.func @buffers(%a: memref<128x64xf32>, %b: memref<64x32xf32>, %c: memref<128x32xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x32xf32>) outs(%c : memref<128x32xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %m tile_sizes [16, 8, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @interchanged
// CHECK-SAME: %{{.*}}: tensor<16x30xf32>, %[[OUT:.*]]: tensor<16x30xf32>
// CHECK: %[[R:.*]] = scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %[[OUT]])
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[T:.*]] = %[[S]])
// CHECK: %[[SIZE:.*]] = affine.min #{{.*}}(%[[J]])
// CHECK: tensor.extract_slice %{{.*}}[%[[I]], %[[J]]] [4, %[[SIZE]]] [1, 1]
// CHECK: %[[N:.*]] = linalg.generic
// CHECK: linalg.index 0
// CHECK: affine.apply
// CHECK: %[[NEW:.*]] = tensor.insert_slice %[[N]] into %[[T]][%[[I]], %[[J]]] [4, %[[SIZE]]] [1, 1]
// CHECK: scf.yield %[[NEW]]
// CHECK: return %[[R]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @interchanged(%a: tensor<16x30xf32>, %out: tensor<16x30xf32>) -> tensor<16x30xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<16x30xf32>) outs(%out : tensor<16x30xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %x, %f : f32
    linalg.yield %s : f32
  } -> tensor<16x30xf32>
  return %0 : tensor<16x30xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %m tile_sizes [4, 8] interchange = [1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @blocks
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) in (13, 4) {
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: %[[SIZE:.*]] = affine.min #{{.*}}(%[[AT]])
// CHECK: memref.subview %{{.*}}[%[[AT]], 0] [%[[SIZE]], 64] [1, 1]
// CHECK: linalg.matmul
// CHECK: } {mapping = [#gpu.block<y>, #gpu.block<x>]}
func.func @blocks(%a: memref<128x64xf32>, %b: memref<64x32xf32>, %c: memref<128x32xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x32xf32>) outs(%c : memref<128x32xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %m tile_sizes [10, 8]
      (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @threads
// CHECK: scf.forall (%[[I:.*]]) in (7) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<30xf32>) {
// CHECK: %[[MIN:.*]] = affine.min #{{.*}}(%[[I]])
// CHECK: %[[SIZE:.*]] = affine.max #{{.*}}(%[[MIN]])
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: tensor.extract_slice %[[O]][%[[AT]]] [%[[SIZE]]] [1]
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: scf.forall.in_parallel {
// CHECK: tensor.parallel_insert_slice %[[FILL]] into %[[O]][%{{.*}}] [%[[SIZE]]] [1]
func.func @threads(%f: f32, %out: tensor<30xf32>) -> tensor<30xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%out : tensor<30xf32>) -> tensor<30xf32>
  return %0 : tensor<30xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %m num_threads [7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @named_to_loops
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-LABEL: func.func @fill_loops
// CHECK: scf.for
// CHECK: memref.store
func.func @named_to_loops(%a: memref<8x4xf32>, %b: memref<4x16xf32>, %c: memref<8x16xf32>) {
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x16xf32>) outs(%c : memref<8x16xf32>)
  return
}
func.func @fill_loops(%f: f32, %out: memref<30xf32>) {
  linalg.fill ins(%f : f32) outs(%out : memref<30xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.interchange %g iterator_interchange = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.convert_to_loops %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
