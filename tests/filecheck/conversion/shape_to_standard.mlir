// RUN: xgpu-opt --split-input-file --convert-shape-to-std %s | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @sizes(%arg0: index, %arg1: !shape.size) -> (index, index, !shape.size) {
// CHECK-NEXT:     %0 = arith.addi %arg0, %arg0 : index
// CHECK-NEXT:     %1 = arith.muli %arg0, %0 : index
// CHECK-NEXT:     %2 = shape.add %arg1, %arg1 : !shape.size, !shape.size -> !shape.size
// CHECK-NEXT:     return %0, %1, %2 : index, index, !shape.size
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sizes(%i: index, %s: !shape.size) -> (index, index, !shape.size) {
  %0 = shape.add %i, %i : index, index -> index
  %1 = shape.mul %i, %0 : index, index -> index
  %2 = shape.add %s, %s : !shape.size, !shape.size -> !shape.size
  return %0, %1, %2 : index, index, !shape.size
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @shapes(%arg0: tensor<2x?xf32>, %arg1: tensor<*xf32>, %arg2: tensor<?xindex>, %arg3: index) -> (tensor<?xindex>, tensor<?xindex>, index, index, index, index) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c1 : tensor<2x?xf32>
// CHECK-NEXT:     %from_elements = tensor.from_elements %c2, %dim : tensor<2xindex>
// CHECK-NEXT:     %cast = tensor.cast %from_elements : tensor<2xindex> to tensor<?xindex>
// CHECK-NEXT:     %rank = tensor.rank %arg1 : tensor<*xf32>
// CHECK-NEXT:     %generated = tensor.generate %rank {
// CHECK-NEXT:     ^bb0(%arg4: index):
// CHECK-NEXT:       %dim_8 = tensor.dim %arg1, %arg4 : tensor<*xf32>
// CHECK-NEXT:       tensor.yield %dim_8 : index
// CHECK-NEXT:     } : tensor<?xindex>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %arg3 : tensor<2x?xf32>
// CHECK-NEXT:     %extracted = tensor.extract %arg2[%arg3] : tensor<?xindex>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim_1 = tensor.dim %arg2, %c0 : tensor<?xindex>
// CHECK-NEXT:     %c2_2 = arith.constant 2 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %dim_4 = tensor.dim %arg0, %c1_3 : tensor<2x?xf32>
// CHECK-NEXT:     %from_elements_5 = tensor.from_elements %c2_2, %dim_4 : tensor<2xindex>
// CHECK-NEXT:     %cast_6 = tensor.cast %from_elements_5 : tensor<2xindex> to tensor<2xindex>
// CHECK-NEXT:     %dim_7 = tensor.dim %arg0, %arg3 : tensor<2x?xf32>
// CHECK-NEXT:     return %cast, %generated, %dim_0, %extracted, %dim_1, %dim_7 : tensor<?xindex>, tensor<?xindex>, index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @shapes(%x: tensor<2x?xf32>, %u: tensor<*xf32>, %t: tensor<?xindex>, %i: index) -> (tensor<?xindex>, tensor<?xindex>, index, index, index, index) {
  %0 = shape.shape_of %x : tensor<2x?xf32> -> tensor<?xindex>
  %1 = shape.shape_of %u : tensor<*xf32> -> tensor<?xindex>
  %2 = shape.get_extent %0, %i : tensor<?xindex>, index -> index
  %3 = shape.get_extent %t, %i : tensor<?xindex>, index -> index
  %4 = shape.rank %t : tensor<?xindex> -> index
  %5 = shape.dim %x, %i : tensor<2x?xf32>, index -> index
  return %0, %1, %2, %3, %4, %5 : tensor<?xindex>, tensor<?xindex>, index, index, index, index
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @broadcast(%arg0: tensor<2xindex>, %arg1: tensor<3xindex>) -> tensor<3xindex> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<2xindex>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %c0 : tensor<3xindex>
// CHECK-NEXT:     %0 = arith.maxui %dim_0, %dim : index
// CHECK-NEXT:     %1 = arith.subi %0, %dim : index
// CHECK-NEXT:     %2 = arith.subi %0, %dim_0 : index
// CHECK-NEXT:     %generated = tensor.generate %0 {
// CHECK-NEXT:     ^bb0(%arg2: index):
// CHECK-NEXT:       %c1 = arith.constant 1 : index
// CHECK-NEXT:       %3 = arith.cmpi ult, %arg2, %1 : index
// CHECK-NEXT:       %4 = scf.if %3 -> (index) {
// CHECK-NEXT:         scf.yield %c1 : index
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %7 = arith.subi %arg2, %1 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg0[%7] : tensor<2xindex>
// CHECK-NEXT:         %8 = arith.cmpi eq, %extracted, %c1 : index
// CHECK-NEXT:         %9 = arith.select %8, %c1, %extracted : index
// CHECK-NEXT:         scf.yield %9 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       %5 = arith.cmpi ult, %arg2, %2 : index
// CHECK-NEXT:       %6 = scf.if %5 -> (index) {
// CHECK-NEXT:         scf.yield %4 : index
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %7 = arith.subi %arg2, %2 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg1[%7] : tensor<3xindex>
// CHECK-NEXT:         %8 = arith.cmpi eq, %extracted, %c1 : index
// CHECK-NEXT:         %9 = arith.select %8, %4, %extracted : index
// CHECK-NEXT:         scf.yield %9 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       tensor.yield %6 : index
// CHECK-NEXT:     } : tensor<?xindex>
// CHECK-NEXT:     %cast = tensor.cast %generated : tensor<?xindex> to tensor<3xindex>
// CHECK-NEXT:     return %cast : tensor<3xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @broadcast(%a: tensor<2xindex>, %b: tensor<3xindex>) -> tensor<3xindex> {
  %0 = shape.broadcast %a, %b : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  return %0 : tensor<3xindex>
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @constraints(%arg0: tensor<2xindex>, %arg1: tensor<3xindex>) -> (!shape.witness, !shape.witness) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<2xindex>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %c0 : tensor<3xindex>
// CHECK-NEXT:     %0 = arith.maxui %dim_0, %dim : index
// CHECK-NEXT:     %1 = arith.subi %0, %dim : index
// CHECK-NEXT:     %2 = arith.subi %0, %dim_0 : index
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %3 = scf.for %arg2 = %c0 to %0 step %c1 iter_args(%arg3 = %true) -> (i1) {
// CHECK-NEXT:       %c1_4 = arith.constant 1 : index
// CHECK-NEXT:       %8 = arith.cmpi ult, %arg2, %1 : index
// CHECK-NEXT:       %9 = scf.if %8 -> (index) {
// CHECK-NEXT:         scf.yield %c1_4 : index
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %16 = arith.subi %arg2, %1 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg0[%16] : tensor<2xindex>
// CHECK-NEXT:         %17 = arith.cmpi eq, %extracted, %c1_4 : index
// CHECK-NEXT:         %18 = arith.select %17, %c1_4, %extracted : index
// CHECK-NEXT:         scf.yield %18 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       %10 = arith.cmpi ult, %arg2, %2 : index
// CHECK-NEXT:       %11 = scf.if %10 -> (index) {
// CHECK-NEXT:         scf.yield %9 : index
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %16 = arith.subi %arg2, %2 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg1[%16] : tensor<3xindex>
// CHECK-NEXT:         %17 = arith.cmpi eq, %extracted, %c1_4 : index
// CHECK-NEXT:         %18 = arith.select %17, %9, %extracted : index
// CHECK-NEXT:         scf.yield %18 : index
// CHECK-NEXT:       }
// CHECK-NEXT:       %12 = arith.cmpi ult, %arg2, %1 : index
// CHECK-NEXT:       %13 = scf.if %12 -> (i1) {
// CHECK-NEXT:         scf.yield %arg3 : i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %16 = arith.subi %arg2, %1 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg0[%16] : tensor<2xindex>
// CHECK-NEXT:         %17 = arith.cmpi eq, %extracted, %c1 : index
// CHECK-NEXT:         %18 = arith.cmpi eq, %extracted, %11 : index
// CHECK-NEXT:         %19 = arith.ori %17, %18 : i1
// CHECK-NEXT:         %20 = arith.andi %arg3, %19 : i1
// CHECK-NEXT:         scf.yield %20 : i1
// CHECK-NEXT:       }
// CHECK-NEXT:       %14 = arith.cmpi ult, %arg2, %2 : index
// CHECK-NEXT:       %15 = scf.if %14 -> (i1) {
// CHECK-NEXT:         scf.yield %13 : i1
// CHECK-NEXT:       } else {
// CHECK-NEXT:         %16 = arith.subi %arg2, %2 : index
// CHECK-NEXT:         %extracted = tensor.extract %arg1[%16] : tensor<3xindex>
// CHECK-NEXT:         %17 = arith.cmpi eq, %extracted, %c1 : index
// CHECK-NEXT:         %18 = arith.cmpi eq, %extracted, %11 : index
// CHECK-NEXT:         %19 = arith.ori %17, %18 : i1
// CHECK-NEXT:         %20 = arith.andi %13, %19 : i1
// CHECK-NEXT:         scf.yield %20 : i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %15 : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     %4 = shape.cstr_require %3, "required broadcastable shapes"
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %dim_2 = tensor.dim %arg0, %c0_1 : tensor<2xindex>
// CHECK-NEXT:     %dim_3 = tensor.dim %arg1, %c0_1 : tensor<3xindex>
// CHECK-NEXT:     %5 = arith.cmpi eq, %dim_2, %dim_3 : index
// CHECK-NEXT:     %6 = scf.if %5 -> (i1) {
// CHECK-NEXT:       %c1_4 = arith.constant 1 : index
// CHECK-NEXT:       %true_5 = arith.constant true
// CHECK-NEXT:       %8 = scf.for %arg2 = %c0_1 to %dim_2 step %c1_4 iter_args(%arg3 = %true_5) -> (i1) {
// CHECK-NEXT:         %extracted = tensor.extract %arg0[%arg2] : tensor<2xindex>
// CHECK-NEXT:         %extracted_6 = tensor.extract %arg1[%arg2] : tensor<3xindex>
// CHECK-NEXT:         %9 = arith.cmpi eq, %extracted, %extracted_6 : index
// CHECK-NEXT:         %10 = arith.andi %arg3, %9 : i1
// CHECK-NEXT:         scf.yield %10 : i1
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %8 : i1
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %false = arith.constant false
// CHECK-NEXT:       scf.yield %false : i1
// CHECK-NEXT:     }
// CHECK-NEXT:     %7 = shape.cstr_require %6, "required equal shapes"
// CHECK-NEXT:     return %4, %7 : !shape.witness, !shape.witness
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constraints(%a: tensor<2xindex>, %b: tensor<3xindex>) -> (!shape.witness, !shape.witness) {
  %0 = shape.cstr_broadcastable %a, %b : tensor<2xindex>, tensor<3xindex>
  %1 = shape.cstr_eq %a, %b : tensor<2xindex>, tensor<3xindex>
  return %0, %1 : !shape.witness, !shape.witness
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @parts(%arg0: tensor<?xindex>, %arg1: index, %arg2: index) -> (tensor<?xindex>, tensor<?xindex>, tensor<3xindex>, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?xindex>
// CHECK-NEXT:     %0 = arith.addi %arg1, %dim : index
// CHECK-NEXT:     %1 = arith.cmpi slt, %arg1, %c0 : index
// CHECK-NEXT:     %2 = arith.select %1, %0, %arg1 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%c0] [%2] [%c1] : tensor<?xindex> to tensor<?xindex>
// CHECK-NEXT:     %3 = arith.subi %dim, %2 : index
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[%2] [%3] [%c1] : tensor<?xindex> to tensor<?xindex>
// CHECK-NEXT:     %cast = tensor.cast %arg0 : tensor<?xindex> to tensor<3xindex>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     %dim_3 = tensor.dim %arg0, %c0_1 : tensor<?xindex>
// CHECK-NEXT:     %4 = scf.for %arg3 = %c0_1 to %dim_3 step %c1_2 iter_args(%arg4 = %arg2) -> (index) {
// CHECK-NEXT:       %extracted = tensor.extract %arg0[%arg3] : tensor<?xindex>
// CHECK-NEXT:       %5 = arith.addi %arg4, %extracted : index
// CHECK-NEXT:       scf.yield %5 : index
// CHECK-NEXT:     }
// CHECK-NEXT:     return %extracted_slice, %extracted_slice_0, %cast, %4 : tensor<?xindex>, tensor<?xindex>, tensor<3xindex>, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @parts(%t: tensor<?xindex>, %i: index, %init: index) -> (tensor<?xindex>, tensor<?xindex>, tensor<3xindex>, index) {
  %head, %tail = "shape.split_at"(%t, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %0 = shape.to_extent_tensor %t : tensor<?xindex> -> tensor<3xindex>
  %1 = shape.reduce(%t, %init) : tensor<?xindex> -> index {
  ^bb0(%at: index, %extent: index, %acc: index):
    %next = arith.addi %acc, %extent : index
    shape.yield %next : index
  }
  return %head, %tail, %0, %1 : tensor<?xindex>, tensor<?xindex>, tensor<3xindex>, index
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @constant() -> tensor<2xindex> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %from_elements = tensor.from_elements %c4, %c5 : tensor<2xindex>
// CHECK-NEXT:     %cast = tensor.cast %from_elements : tensor<2xindex> to tensor<2xindex>
// CHECK-NEXT:     return %cast : tensor<2xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @constant() -> tensor<2xindex> {
  %0 = shape.const_shape [4, 5] : tensor<2xindex>
  return %0 : tensor<2xindex>
}
