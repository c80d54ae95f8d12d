// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Slices: constants, casts, and one another.

// CHECK: module {
// CHECK-NEXT:   func.func @insert_other_unit(%arg0: tensor<1x4xf32>, %arg1: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg1[0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<1x4xf32> into tensor<4x4x4xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<4x4x4xf32>
// CHECK-NEXT:   }
func.func @insert_other_unit(%s: tensor<1x4xf32>, %t: tensor<4x4x4xf32>) -> tensor<4x4x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert_slice %s into %t[%c0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<1x4xf32> into tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}

// CHECK-NEXT:   func.func @zero_sizes(%arg0: tensor<0x4xf32>, %arg1: tensor<8x4xf32>, %arg2: index) -> (tensor<8x4xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<> : tensor<0xf32>
// CHECK-NEXT:     %cast = tensor.cast %cst : tensor<0xf32> to tensor<?xf32>
// CHECK-NEXT:     return %arg1, %cast : tensor<8x4xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @zero_sizes(%t: tensor<0x4xf32>, %d: tensor<8x4xf32>, %i: index) -> (tensor<8x4xf32>, tensor<?xf32>) {
  %0 = tensor.insert_slice %t into %d[%i, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<8x4xf32>
  %z = arith.constant dense<> : tensor<0xf32>
  %c = tensor.cast %z : tensor<0xf32> to tensor<?xf32>
  return %0, %c : tensor<8x4xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @encodings(%arg0: tensor<4x4xf32, "e">, %arg1: index) -> (tensor<?x4xf32, "e">, tensor<4xf32, "e">, tensor<16xf32, "e">) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0] [2, 4] [1, 1] : tensor<4x4xf32, "e"> to tensor<2x4xf32, "e">
// CHECK-NEXT:     %cast = tensor.cast %extracted_slice : tensor<2x4xf32, "e"> to tensor<?x4xf32, "e">
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[1, 0] [1, 4] [1, 1] : tensor<4x4xf32, "e"> to tensor<4xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %extracted_slice_0 : tensor<4xf32> to tensor<4xf32, "e">
// CHECK-NEXT:     %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<4x4xf32, "e"> into tensor<16xf32, "e">
// CHECK-NEXT:     return %cast, %cast_1, %collapsed : tensor<?x4xf32, "e">, tensor<4xf32, "e">, tensor<16xf32, "e">
// CHECK-NEXT:   }
func.func @encodings(%t: tensor<4x4xf32, "e">, %i: index) -> (tensor<?x4xf32, "e">, tensor<4xf32, "e">, tensor<16xf32, "e">) {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %t[0, 0] [%c2, 4] [1, 1] : tensor<4x4xf32, "e"> to tensor<?x4xf32, "e">
  %c1 = arith.constant 1 : index
  %1 = tensor.extract_slice %t[%c1, 0] [1, 4] [1, 1] : tensor<4x4xf32, "e"> to tensor<4xf32, "e">
  %c = tensor.cast %t : tensor<4x4xf32, "e"> to tensor<?x4xf32, "e">
  %d = tensor.cast %c : tensor<?x4xf32, "e"> to tensor<4x4xf32, "e">
  %2 = tensor.collapse_shape %d [[0, 1]] : tensor<4x4xf32, "e"> into tensor<16xf32, "e">
  return %0, %1, %2 : tensor<?x4xf32, "e">, tensor<4xf32, "e">, tensor<16xf32, "e">
}

// CHECK-NEXT:   func.func @slices_misc(%arg0: tensor<?x?x?xf32>, %arg1: index, %arg2: index) -> (tensor<?x?xf32>, tensor<4x?xf32>, index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, %arg2, %arg1] [1, 4, %arg1] [1, 1, 2] : tensor<?x?x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:     %cast = tensor.cast %extracted_slice : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[0, %arg2, %arg1] [4, %arg1, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:     %dim = tensor.dim %extracted_slice, %c1 : tensor<4x?xf32>
// CHECK-NEXT:     return %cast, %extracted_slice_0, %dim : tensor<?x?xf32>, tensor<4x?xf32>, index
// CHECK-NEXT:   }
func.func @slices_misc(%t: tensor<?x?x?xf32>, %n: index, %i: index) -> (tensor<?x?xf32>, tensor<4x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[%c0, %i, %n] [1, %c4, %n] [%c1, %c1, 2] : tensor<?x?x?xf32> to tensor<?x?xf32>
  %1 = tensor.extract_slice %t[%c0, %i, %n] [%c4, %n, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>
  %2 = tensor.cast %1 : tensor<?x?xf32> to tensor<4x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %0, %2, %d : tensor<?x?xf32>, tensor<4x?xf32>, index
}

// CHECK-NEXT:   func.func @stride_neg_zero(%arg0: tensor<?xf32>, %arg1: index) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%c-1] [%arg1] [0] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[%arg1] [%c-1] [-1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NEXT:     return %extracted_slice, %extracted_slice_0 : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:   }
func.func @stride_neg_zero(%t: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %cm = arith.constant -1 : index
  %0 = tensor.extract_slice %t[%cm] [%n] [%c0] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %t[%n] [%cm] [%cm] : tensor<?xf32> to tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-NEXT:   func.func @insert_casts(%arg0: tensor<4x8xf32>, %arg1: tensor<16x16xf32>, %arg2: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %cast = tensor.cast %arg1 : tensor<16x16xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg2, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x16xf32>
// CHECK-NEXT:     %cast_0 = tensor.cast %inserted_slice : tensor<16x16xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0] [%arg2, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
// CHECK-NEXT:     %cast_1 = tensor.cast %extracted_slice : tensor<?x8xf32> to tensor<?x?xf32>
// CHECK-NEXT:     %inserted_slice_2 = tensor.insert_slice %cast_1 into %cast[%arg2, 0] [%arg2, %arg2] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK-NEXT:     return %cast_0, %inserted_slice_2 : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @insert_casts(%s: tensor<4x8xf32>, %t: tensor<16x16xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %cs = tensor.cast %s : tensor<4x8xf32> to tensor<?x?xf32>
  %ct = tensor.cast %t : tensor<16x16xf32> to tensor<?x?xf32>
  %0 = tensor.insert_slice %cs into %ct[%n, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %s2 = tensor.extract_slice %s[0, 0] [%n, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
  %cs2 = tensor.cast %s2 : tensor<?x8xf32> to tensor<?x?xf32>
  %1 = tensor.insert_slice %cs2 into %ct[%n, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @insert_rank(%arg0: tensor<8xf32>, %arg1: tensor<16x16xf32>, %arg2: index) -> tensor<?x?xf32> {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x16xf32>
// CHECK-NEXT:     %cast = tensor.cast %inserted_slice : tensor<16x16xf32> to tensor<?x?xf32>
// CHECK-NEXT:     return %cast : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @insert_rank(%s: tensor<8xf32>, %t: tensor<16x16xf32>, %n: index) -> tensor<?x?xf32> {
  %cs = tensor.cast %s : tensor<8xf32> to tensor<?xf32>
  %ct = tensor.cast %t : tensor<16x16xf32> to tensor<?x?xf32>
  %0 = tensor.insert_slice %cs into %ct[%n, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @parallel(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: index) -> tensor<?xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = scf.forall (%arg3) in (%arg2) shared_outs(%arg4 = %arg0) -> (tensor<?xf32>) {
// CHECK-NEXT:       %1 = arith.muli %arg3, %c4 : index
// CHECK-NEXT:       %cast = tensor.cast %arg1 : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %cast into %arg4[%1] [4] [1] : tensor<4xf32> into tensor<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @parallel(%t: tensor<?xf32>, %s: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<?xf32> {
    %off = arith.muli %i, %c4 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%off] [%c4] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// CHECK-NEXT:   func.func @parallel3(%arg0: tensor<?xf32>, %arg1: tensor<8xf32>, %arg2: index) -> tensor<?xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg3) in (%arg2) shared_outs(%arg4 = %arg0) -> (tensor<?xf32>) {
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg1 into %arg4[%arg3] [8] [1] : tensor<8xf32> into tensor<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
func.func @parallel3(%t: tensor<?xf32>, %s: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<?xf32> {
    %cs = tensor.cast %s : tensor<8xf32> to tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %cs into %o[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// CHECK-NEXT:   func.func @undone(%arg0: tensor<9xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: index) -> (tensor<4xf32>, tensor<9xf32>, tensor<9xf32>) {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg2 into %arg0[%arg3] [4] [2] : tensor<4xf32> into tensor<9xf32>
// CHECK-NEXT:     return %arg1, %inserted_slice, %arg0 : tensor<4xf32>, tensor<9xf32>, tensor<9xf32>
// CHECK-NEXT:   }
func.func @undone(%t: tensor<9xf32>, %s: tensor<4xf32>, %u: tensor<4xf32>, %i: index) -> (tensor<4xf32>, tensor<9xf32>, tensor<9xf32>) {
  %0 = tensor.insert_slice %s into %t[%i] [4] [2] : tensor<4xf32> into tensor<9xf32>
  %1 = tensor.extract_slice %0[%i] [4] [2] : tensor<9xf32> to tensor<4xf32>
  %2 = tensor.insert_slice %u into %0[%i] [4] [2] : tensor<4xf32> into tensor<9xf32>
  %3 = tensor.extract_slice %t[%i] [4] [1] : tensor<9xf32> to tensor<4xf32>
  %4 = tensor.insert_slice %3 into %t[%i] [4] [1] : tensor<4xf32> into tensor<9xf32>
  return %1, %2, %4 : tensor<4xf32>, tensor<9xf32>, tensor<9xf32>
}

// CHECK-NEXT:   func.func @everything(%arg0: tensor<9x2xf32>, %arg1: tensor<9x2xf32>, %arg2: tensor<?x2xf32>, %arg3: index) -> (tensor<9x2xf32>, tensor<9x2xf32>, tensor<?x2xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg2[0, 0] [%arg3, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
// CHECK-NEXT:     return %arg0, %arg1, %extracted_slice : tensor<9x2xf32>, tensor<9x2xf32>, tensor<?x2xf32>
// CHECK-NEXT:   }
func.func @everything(%t: tensor<9x2xf32>, %s: tensor<9x2xf32>, %d: tensor<?x2xf32>, %n: index) -> (tensor<9x2xf32>, tensor<9x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[%c0, 0] [9, 2] [1, 1] : tensor<9x2xf32> to tensor<9x2xf32>
  %1 = tensor.insert_slice %s into %t[0, %c0] [9, 2] [1, 1] : tensor<9x2xf32> into tensor<9x2xf32>
  %2 = tensor.extract_slice %d[0, 0] [%n, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  return %0, %1, %2 : tensor<9x2xf32>, tensor<9x2xf32>, tensor<?x2xf32>
}

// CHECK-NEXT:   func.func @size_from_cast(%arg0: tensor<8x16xf32>, %arg1: index, %arg2: index) -> (tensor<5x16xf32>, tensor<5xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [5, 16] [1, 1] : tensor<8x16xf32> to tensor<5x16xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[%arg2, 0] [5, 1] [1, 1] : tensor<8x16xf32> to tensor<5xf32>
// CHECK-NEXT:     return %extracted_slice, %extracted_slice_0 : tensor<5x16xf32>, tensor<5xf32>
// CHECK-NEXT:   }
func.func @size_from_cast(%t: tensor<8x16xf32>, %n: index, %i: index) -> (tensor<5x16xf32>, tensor<5xf32>) {
  %0 = tensor.extract_slice %t[%i, 0] [%n, 16] [1, 1] : tensor<8x16xf32> to tensor<?x16xf32>
  %1 = tensor.cast %0 : tensor<?x16xf32> to tensor<5x16xf32>
  %2 = tensor.extract_slice %t[%i, 0] [%n, 1] [1, 1] : tensor<8x16xf32> to tensor<?xf32>
  %3 = tensor.cast %2 : tensor<?xf32> to tensor<5xf32>
  return %1, %3 : tensor<5x16xf32>, tensor<5xf32>
}

// CHECK-NEXT:   func.func @of_splat(%arg0: index) -> tensor<3xf32> {
// CHECK-NEXT:     %cst = arith.constant dense<2.500000e+00> : tensor<3xf32>
// CHECK-NEXT:     return %cst : tensor<3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @of_splat(%i: index) -> tensor<3xf32> {
  %0 = arith.constant dense<2.5> : tensor<8x4xf32>
  %1 = tensor.extract_slice %0[%i, 0] [3, 1] [1, 1] : tensor<8x4xf32> to tensor<3xf32>
  return %1 : tensor<3xf32>
}
