// RUN: xgpu-opt --split-input-file --allow-unregistered-dialect --canonicalize %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @sizes() -> (!shape.size, index, index, index, !shape.size) {
// CHECK-NEXT:     %0 = ub.poison : !shape.size
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c6 = shape.const_size 6
// CHECK-NEXT:     %c-3 = arith.constant -3 : index
// CHECK-NEXT:     %1 = shape.div %c4, %c0 : index, index -> index
// CHECK-NEXT:     return %c6, %c-3, %1, %c2, %0 : !shape.size, index, index, index, !shape.size
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sizes() -> (!shape.size, index, index, index, !shape.size) {
  %two = shape.const_size 2
  %three = arith.constant 3 : index
  %minus = arith.constant -10 : index
  %four = arith.constant 4 : index
  %zero = arith.constant 0 : index
  %product = shape.mul %two, %three : !shape.size, index -> !shape.size
  %quotient = shape.div %minus, %four : index, index -> index
  %none = shape.div %four, %zero : index, index -> index
  %index = shape.size_to_index %two : !shape.size
  %poison = ub.poison : !shape.size
  %sum = shape.add %two, %poison : !shape.size, !shape.size -> !shape.size
  return %product, %quotient, %none, %index, %sum : !shape.size, index, index, index, !shape.size
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @shapes(%arg0: tensor<2x?xf32>) -> (tensor<3xindex>, !shape.shape, index, index, !shape.size, index, i1, !shape.shape, !shape.shape) {
// CHECK-NEXT:     %0 = shape.const_shape [2] : !shape.shape
// CHECK-NEXT:     %1 = shape.const_shape [1] : !shape.shape
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %2 = shape.const_shape [7, 2, 1] : tensor<3xindex>
// CHECK-NEXT:     %3 = shape.const_shape [2, 1, 7, 2, 1] : !shape.shape
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c14 = arith.constant 14 : index
// CHECK-NEXT:     %c2_0 = shape.const_size 2
// CHECK-NEXT:     %4 = shape.dim %arg0, %c1 : tensor<2x?xf32>, index -> index
// CHECK-NEXT:     return %2, %3, %c2, %c14, %c2_0, %4, %false, %1, %0 : tensor<3xindex>, !shape.shape, index, index, !shape.size, index, i1, !shape.shape, !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @shapes(%x: tensor<2x?xf32>) -> (tensor<3xindex>, !shape.shape, index, index, !shape.size, index, i1, !shape.shape, !shape.shape) {
  %a = shape.const_shape [2, 1] : tensor<2xindex>
  %b = shape.const_shape [7, 2, 1] : tensor<3xindex>
  %i = arith.constant 1 : index
  %minus = arith.constant -1 : index
  %whole = shape.broadcast %a, %b : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  %both = shape.concat %a, %b : tensor<2xindex>, tensor<3xindex> -> !shape.shape
  %extent = shape.get_extent %b, %i : tensor<3xindex>, index -> index
  %count = shape.num_elements %b : tensor<3xindex> -> index
  %s = shape.from_extents %i, %extent : index, index
  %rank = shape.rank %s : !shape.shape -> !shape.size
  %dim = shape.dim %x, %i : tensor<2x?xf32>, index -> index
  %eq = shape.shape_eq %a, %b : tensor<2xindex>, tensor<3xindex>
  %head, %tail = "shape.split_at"(%s, %minus) : (!shape.shape, index) -> (!shape.shape, !shape.shape)
  return %whole, %both, %extent, %count, %rank, %dim, %eq, %head, %tail : tensor<3xindex>, !shape.shape, index, index, !shape.size, index, i1, !shape.shape, !shape.shape
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @shapes_that_do_not_go_together() -> !shape.shape {
// CHECK-NEXT:     %0 = shape.const_shape [2] : !shape.shape
// CHECK-NEXT:     %1 = shape.const_shape [7] : !shape.shape
// CHECK-NEXT:     %2 = shape.broadcast %0, %1 : !shape.shape, !shape.shape -> !shape.shape
// CHECK-NEXT:     return %2 : !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @shapes_that_do_not_go_together() -> !shape.shape {
  %a = shape.const_shape [2] : !shape.shape
  %b = shape.const_shape [7] : !shape.shape
  %0 = shape.broadcast %a, %b : !shape.shape, !shape.shape -> !shape.shape
  return %0 : !shape.shape
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @joined(%arg0: !shape.shape, %arg1: tensor<3xindex>) -> (!shape.shape, tensor<?xindex>, !shape.shape) {
// CHECK-NEXT:     %0 = shape.const_shape [1, 2, 3] : tensor<3xindex>
// CHECK-NEXT:     %1 = shape.broadcast %arg0, %0 : !shape.shape, tensor<3xindex> -> !shape.shape
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<3xindex> to tensor<?xindex>
// CHECK-NEXT:     %2 = shape.from_extent_tensor %arg1 : tensor<3xindex>
// CHECK-NEXT:     return %1, %cast, %2 : !shape.shape, tensor<?xindex>, !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @joined(%a: !shape.shape, %t: tensor<3xindex>) -> (!shape.shape, tensor<?xindex>, !shape.shape) {
  %c = shape.const_shape [2, 1] : !shape.shape
  %d = shape.const_shape [1, 2, 3] : tensor<3xindex>
  %e = shape.const_shape [] : !shape.shape
  %0 = shape.broadcast %c, %a, %d, %e, %a : !shape.shape, !shape.shape, tensor<3xindex>, !shape.shape, !shape.shape -> !shape.shape
  %1 = shape.broadcast %t : tensor<3xindex> -> tensor<?xindex>
  %2 = shape.broadcast %t : tensor<3xindex> -> !shape.shape
  return %0, %1, %2 : !shape.shape, tensor<?xindex>, !shape.shape
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @constraints(%arg0: !shape.shape, %arg1: !shape.shape, %arg2: !shape.shape, %arg3: tensor<?x4xf32>) {
// CHECK-NEXT:     %0 = shape.cstr_broadcastable %arg0, %arg1, %arg2 : !shape.shape, !shape.shape, !shape.shape
// CHECK-NEXT:     "test.use"(%0) : (!shape.witness) -> ()
// CHECK-NEXT:     %1 = shape.cstr_eq %arg0, %arg1 : !shape.shape, !shape.shape
// CHECK-NEXT:     %2 = shape.cstr_eq %arg1, %arg2 : !shape.shape, !shape.shape
// CHECK-NEXT:     %3 = shape.cstr_eq %arg0, %arg1, %arg1, %arg2 : !shape.shape, !shape.shape, !shape.shape, !shape.shape
// CHECK-NEXT:     "test.use"(%3) : (!shape.witness) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constraints(%a: !shape.shape, %b: !shape.shape, %c: !shape.shape, %x: tensor<?x4xf32>) {
  %four = shape.const_shape [4] : tensor<1xindex>
  %of = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %known = shape.cstr_broadcastable %of, %four : tensor<2xindex>, tensor<1xindex>
  %narrow = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %wide = shape.cstr_broadcastable %a, %b, %c : !shape.shape, !shape.shape, !shape.shape
  %all = shape.assuming_all %known, %narrow, %wide
  "test.use"(%all) : (!shape.witness) -> ()
  %first = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  %second = shape.cstr_eq %b, %c : !shape.shape, !shape.shape
  %equal = shape.assuming_all %first, %second
  "test.use"(%equal) : (!shape.witness) -> ()
  return
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @assuming(%arg0: !shape.witness) -> (index, index) {
// CHECK-NEXT:     %0 = "test.make"() : () -> index
// CHECK-NEXT:     %1 = shape.assuming %arg0 -> (index) {
// CHECK-NEXT:       %2:2 = "test.both"() : () -> (f32, index)
// CHECK-NEXT:       shape.assuming_yield %2#1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0, %1 : index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @assuming(%w: !shape.witness) -> (index, index) {
  %yes = shape.const_witness true
  %0 = shape.assuming %yes -> (index) {
    %made = "test.make"() : () -> index
    shape.assuming_yield %made : index
  }
  %1:2 = shape.assuming %w -> (f32, index) {
    %unused, %used = "test.both"() : () -> (f32, index)
    shape.assuming_yield %unused, %used : f32, index
  }
  return %0, %1#1 : index, index
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @tensors(%arg0: tensor<?x?xf32>, %arg1: tensor<?xindex>, %arg2: tensor<*xf32>, %arg3: tensor<2x3xf32>) -> (index, tensor<?xindex>, tensor<?xindex>, tensor<2xindex>, index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = shape.const_shape [2, 3] : tensor<2xindex>
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<?x?xf32>
// CHECK-NEXT:     %1 = shape.shape_of %arg0 : tensor<?x?xf32> -> tensor<?xindex>
// CHECK-NEXT:     return %dim, %1, %arg1, %0, %c2 : index, tensor<?xindex>, tensor<?xindex>, tensor<2xindex>, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @tensors(%x: tensor<?x?xf32>, %s: tensor<?xindex>, %u: tensor<*xf32>, %z: tensor<2x3xf32>) -> (index, tensor<?xindex>, tensor<?xindex>, tensor<2xindex>, index) {
  %i = arith.constant 1 : index
  %of = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %extent = tensor.extract %of[%i] : tensor<2xindex>
  %cast = tensor.cast %of : tensor<2xindex> to tensor<?xindex>
  %reshaped = tensor.reshape %u(%s) : (tensor<*xf32>, tensor<?xindex>) -> tensor<*xf32>
  %same = shape.shape_of %reshaped : tensor<*xf32> -> tensor<?xindex>
  %static = shape.shape_of %z : tensor<2x3xf32> -> tensor<2xindex>
  %rank = shape.rank %of : tensor<2xindex> -> index
  return %extent, %cast, %same, %static, %rank : index, tensor<?xindex>, tensor<?xindex>, tensor<2xindex>, index
}
