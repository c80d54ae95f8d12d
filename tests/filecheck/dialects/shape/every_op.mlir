// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect --mlir-print-op-generic %s | xgpu-opt --allow-unregistered-dialect | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @sizes(%arg0: !shape.size, %arg1: index) -> (!shape.size, index) {
// CHECK-NEXT:     %0 = shape.add %arg0, %arg1 : !shape.size, index -> !shape.size
// CHECK-NEXT:     %1 = shape.div %arg1, %arg1 : index, index -> index
// CHECK-NEXT:     %2 = shape.mul %0, %arg0 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT:     %c7 = shape.const_size 7
// CHECK-NEXT:     %3 = shape.max %2, %c7 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT:     %4 = shape.min %3, %arg0 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT:     %5 = shape.meet %4, %arg1, error = "sizes differ" : !shape.size, index -> !shape.size
// CHECK-NEXT:     %6 = shape.size_to_index %5 : !shape.size
// CHECK-NEXT:     %7 = shape.index_to_size %1
// CHECK-NEXT:     %8 = "shape.debug_print"(%7) : (!shape.size) -> !shape.size
// CHECK-NEXT:     return %8, %6 : !shape.size, index
// CHECK-NEXT:   }
func.func @sizes(%s: !shape.size, %i: index) -> (!shape.size, index) {
  %add = shape.add %s, %i : !shape.size, index -> !shape.size
  %div = shape.div %i, %i : index, index -> index
  %mul = shape.mul %add, %s : !shape.size, !shape.size -> !shape.size
  %c = shape.const_size 7
  %max = shape.max %mul, %c : !shape.size, !shape.size -> !shape.size
  %min = shape.min %max, %s : !shape.size, !shape.size -> !shape.size
  %meet = shape.meet %min, %i, error = "sizes differ" : !shape.size, index -> !shape.size
  %index = shape.size_to_index %meet : !shape.size
  %size = shape.index_to_size %div
  %shown = "shape.debug_print"(%size) : (!shape.size) -> !shape.size
  return %shown, %index : !shape.size, index
}

// CHECK-NEXT:   func.func @shapes(%arg0: !shape.shape, %arg1: tensor<?xindex>, %arg2: tensor<?x4xf32>, %arg3: !shape.value_shape, %arg4: index) {
// CHECK-NEXT:     %0 = shape.const_shape [2, 3] : tensor<2xindex>
// CHECK-NEXT:     %1 = shape.const_shape [] : !shape.shape
// CHECK-NEXT:     %2 = shape.any %arg0, %arg1 : !shape.shape, tensor<?xindex> -> !shape.shape
// CHECK-NEXT:     %3 = shape.broadcast %arg1, %0 {error = "no"} : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT:     %4 = shape.concat %arg1, %0 : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
// CHECK-NEXT:     %5 = shape.dim %arg2, %arg4 : tensor<?x4xf32>, index -> index
// CHECK-NEXT:     %6 = shape.from_extents %arg4, %5 : index, index
// CHECK-NEXT:     %7 = shape.from_extent_tensor %arg1 : tensor<?xindex>
// CHECK-NEXT:     %8 = shape.get_extent %arg1, %arg4 : tensor<?xindex>, index -> index
// CHECK-NEXT:     %9 = shape.is_broadcastable %arg1, %0 : tensor<?xindex>, tensor<2xindex>
// CHECK-NEXT:     %10 = shape.num_elements %arg1 : tensor<?xindex> -> index
// CHECK-NEXT:     %11 = shape.rank %arg0 : !shape.shape -> !shape.size
// CHECK-NEXT:     %12 = shape.shape_eq %arg0, %arg1 : !shape.shape, tensor<?xindex>
// CHECK-NEXT:     %13 = shape.shape_of %arg2 : tensor<?x4xf32> -> tensor<2xindex>
// CHECK-NEXT:     %head, %tail = "shape.split_at"(%arg1, %arg4) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
// CHECK-NEXT:     %14 = shape.to_extent_tensor %arg0 : !shape.shape -> tensor<?xindex>
// CHECK-NEXT:     %15 = shape.value_as_shape %arg3 : !shape.value_shape -> !shape.shape
// CHECK-NEXT:     %16 = shape.value_of %arg3 : tensor<?xf32>
// CHECK-NEXT:     %17 = shape.with_shape %arg2, %13 : tensor<?x4xf32>, tensor<2xindex>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @shapes(%a: !shape.shape, %t: tensor<?xindex>, %x: tensor<?x4xf32>, %v: !shape.value_shape, %i: index) {
  %c = shape.const_shape [2, 3] : tensor<2xindex>
  %empty = shape.const_shape [] : !shape.shape
  %any = shape.any %a, %t : !shape.shape, tensor<?xindex> -> !shape.shape
  %broadcast = shape.broadcast %t, %c {error = "no"} : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  %concat = shape.concat %t, %c : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  %dim = shape.dim %x, %i : tensor<?x4xf32>, index -> index
  %from = shape.from_extents %i, %dim : index, index
  %of_tensor = shape.from_extent_tensor %t : tensor<?xindex>
  %extent = shape.get_extent %t, %i : tensor<?xindex>, index -> index
  %fits = shape.is_broadcastable %t, %c : tensor<?xindex>, tensor<2xindex>
  %count = shape.num_elements %t : tensor<?xindex> -> index
  %rank = shape.rank %a : !shape.shape -> !shape.size
  %eq = shape.shape_eq %a, %t : !shape.shape, tensor<?xindex>
  %of = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %head, %tail = "shape.split_at"(%t, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %tensor = shape.to_extent_tensor %a : !shape.shape -> tensor<?xindex>
  %as_shape = shape.value_as_shape %v : !shape.value_shape -> !shape.shape
  %value = shape.value_of %v : tensor<?xf32>
  %with = shape.with_shape %x, %of : tensor<?x4xf32>, tensor<2xindex>
  return
}

// CHECK-NEXT:   func.func @constraints(%arg0: !shape.shape, %arg1: !shape.shape, %arg2: i1) -> index {
// CHECK-NEXT:     %0 = shape.cstr_broadcastable %arg0, %arg1 : !shape.shape, !shape.shape
// CHECK-NEXT:     %1 = shape.cstr_eq %arg0, %arg1 : !shape.shape, !shape.shape
// CHECK-NEXT:     %2 = shape.cstr_require %arg2, "must hold"
// CHECK-NEXT:     %3 = shape.const_witness true
// CHECK-NEXT:     %4 = shape.assuming_all %0, %1, %2, %3
// CHECK-NEXT:     shape.assuming %4 {
// CHECK-NEXT:       "test.use"() : () -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     %5 = shape.assuming %4 -> (index) {
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       shape.assuming_yield %c1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %5 : index
// CHECK-NEXT:   }
func.func @constraints(%a: !shape.shape, %b: !shape.shape, %p: i1) -> index {
  %w0 = shape.cstr_broadcastable %a, %b : !shape.shape, !shape.shape
  %w1 = shape.cstr_eq %a, %b : !shape.shape, !shape.shape
  %w2 = shape.cstr_require %p, "must hold"
  %w3 = shape.const_witness true
  %all = shape.assuming_all %w0, %w1, %w2, %w3
  shape.assuming %all {
    "test.use"() : () -> ()
  }
  %r = shape.assuming %all -> (index) {
    %c1 = arith.constant 1 : index
    shape.assuming_yield %c1 : index
  }
  return %r : index
}

// CHECK-NEXT:   func.func @reduce(%arg0: tensor<?xindex>, %arg1: index) -> index {
// CHECK-NEXT:     %0 = shape.reduce(%arg0, %arg1) : tensor<?xindex> -> index {
// CHECK-NEXT:     ^bb0(%arg2: index, %arg3: index, %arg4: index):
// CHECK-NEXT:       %1 = shape.mul %arg4, %arg3 : index, index -> index
// CHECK-NEXT:       shape.yield %1 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : index
// CHECK-NEXT:   }
func.func @reduce(%t: tensor<?xindex>, %init: index) -> index {
  %product = shape.reduce(%t, %init) : tensor<?xindex> -> index {
  ^bb0(%i: index, %extent: index, %acc: index):
    %next = shape.mul %acc, %extent : index, index -> index
    shape.yield %next : index
  }
  return %product : index
}

// CHECK-NEXT:   shape.function_library @library {
// CHECK-NEXT:     func @same(%arg0: !shape.value_shape) -> !shape.shape {
// CHECK-NEXT:       %0 = shape_of %arg0 : !shape.value_shape -> !shape.shape
// CHECK-NEXT:       return %0 : !shape.shape
// CHECK-NEXT:     }
// CHECK-NEXT:   } mapping {test.copy = @same}
shape.function_library @library {
  shape.func @same(%v: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %v : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping {test.copy = @same}

// CHECK-NEXT:   shape.func private @own(%arg0: !shape.value_shape, %arg1: index) -> !shape.size {
// CHECK-NEXT:     %0 = shape_of %arg0 : !shape.value_shape -> !shape.shape
// CHECK-NEXT:     %1 = get_extent %0, %arg1 : !shape.shape, index -> !shape.size
// CHECK-NEXT:     return %1 : !shape.size
// CHECK-NEXT:   }
// CHECK-NEXT: }
shape.func private @own(%v: !shape.value_shape, %i: index) -> !shape.size {
  %0 = shape.shape_of %v : !shape.value_shape -> !shape.shape
  %1 = shape.get_extent %0, %i : !shape.shape, index -> !shape.size
  shape.return %1 : !shape.size
}
