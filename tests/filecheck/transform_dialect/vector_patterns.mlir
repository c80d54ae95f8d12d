// RUN: xgpu-opt %s --split-input-file -transform-interpreter | filecheck %s

// Lowerings of vector operations, named one by one.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[V:.*]]: vector<2x3xf32>, %[[ACC:.*]]: vector<2xf32>
// CHECK: %[[R0:.*]] = vector.extract %[[V]][0]
// CHECK: %[[A0:.*]] = vector.extract %[[ACC]][0]
// CHECK: vector.reduction <add>, %[[R0]], %[[A0]]
// CHECK: vector.insert
// CHECK: vector.reduction <add>
// CHECK: vector.insert
func.func @rows(%v: vector<2x3xf32>, %acc: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <add>, %v, %acc [1] : vector<2x3xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK: vector.extract_strided_slice
// CHECK: vector.insert_strided_slice
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: vector.insert_strided_slice %[[SUM]]
// CHECK: vector.shape_cast %[[SUM]]
func.func @scan(%v: vector<2x3xi32>, %init: vector<3xi32>) -> (vector<2x3xi32>, vector<3xi32>) {
  %0:2 = vector.scan <add>, %v, %init {inclusive = true, reduction_dim = 0} : vector<2x3xi32>, vector<3xi32>
  return %0#0, %0#1 : vector<2x3xi32>, vector<3xi32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
      transform.apply_patterns.vector.lower_scan
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @columns
// CHECK: %[[S0:.*]] = arith.maxsi %{{.*}}, %{{.*}} : vector<3xi32>
// CHECK: %[[S1:.*]] = arith.maxsi %{{.*}}, %[[S0]] : vector<3xi32>
// CHECK: return %[[S1]]
func.func @columns(%v: vector<2x3xi32>, %acc: vector<3xi32>) -> vector<3xi32> {
  %0 = vector.multi_reduction <maxsi>, %v, %acc [0] : vector<2x3xi32> to vector<3xi32>
  return %0 : vector<3xi32>
}

// CHECK-LABEL: func.func @contract
// CHECK-COUNT-4: vector.outerproduct
func.func @contract(%a: vector<2x4xf32>, %b: vector<4x3xf32>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-LABEL: func.func @transfer
// CHECK: vector.load %{{.*}} : memref<4x8xf32>, vector<4x8xf32>
func.func @transfer(%m: memref<4x8xf32>, %pad: f32) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// CHECK-LABEL: func.func @bitcast
// CHECK-COUNT-2: vector.bitcast %{{.*}} : vector<4xf32> to vector<2xi64>
func.func @bitcast(%v: vector<2x4xf32>) -> vector<2x2xi64> {
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<2x2xi64>
  return %0 : vector<2x2xi64>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
      transform.apply_patterns.vector.lower_bitcast
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @unrolled
// CHECK: vector.from_elements %{{.*}} : vector<2xf32>
// CHECK: vector.insert
// CHECK: vector.from_elements %{{.*}} : vector<2xf32>
// CHECK: vector.insert
// CHECK-COUNT-2: vector.to_elements %{{.*}} : vector<2xf32>
func.func @unrolled(%a: f32, %b: f32, %v: vector<2x2xf32>) -> (vector<2x2xf32>, f32, f32, f32, f32) {
  %0 = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
  %1:4 = vector.to_elements %v : vector<2x2xf32>
  return %0, %1#0, %1#1, %1#2, %1#3 : vector<2x2xf32>, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @moved
// CHECK-COUNT-4: vector.insert %{{.*}} : f32 into vector<2x2xf32>
func.func @moved(%v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.transpose %v, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// CHECK-LABEL: func.func @outer
// CHECK-COUNT-2: vector.fma
func.func @outer(%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>) -> vector<2x3xf32> {
  %0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<2xf32>, vector<3xf32>
  return %0 : vector<2x3xf32>
}

// CHECK-LABEL: func.func @mask
// CHECK: arith.cmpi
// CHECK: arith.select
func.func @mask(%n: index, %m: index) -> vector<2x3xi1> {
  %0 = vector.create_mask %n, %m : vector<2x3xi1>
  return %0 : vector<2x3xi1>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.unroll_from_elements
      transform.apply_patterns.vector.unroll_to_elements
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_create_mask
    } : !transform.any_op
    transform.yield
  }
}
