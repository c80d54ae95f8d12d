// RUN: xgpu-opt --fold-tensor-subset-ops %s | filecheck %s --match-full-lines

// The slice leaves dimensions out, of which the vector's are then others.
// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 3)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 * 2)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @read(%arg0: tensor<?x?x?xf32>, %arg1: index, %arg2: index, %arg3: index, %arg4: f32) -> (vector<4xf32>, vector<5x6xf32>) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1, %arg2]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     %2 = vector.transfer_read %arg0[%c0, %0, %1], %arg4 {in_bounds = [true]} : tensor<?x?x?xf32>, vector<4xf32>
// CHECK-NEXT:     %3 = affine.apply #map1()[%arg2]
// CHECK-NEXT:     %4 = vector.transfer_read %arg0[%c8, %arg1, %3], %arg4 {in_bounds = [true, true], permutation_map = #map2} : tensor<?x?x?xf32>, vector<5x6xf32>
// CHECK-NEXT:     return %2, %4 : vector<4xf32>, vector<5x6xf32>
// CHECK-NEXT:   }
func.func @read(%t: tensor<?x?x?xf32>, %i: index, %j: index, %n: index, %pad: f32) -> (vector<4xf32>, vector<5x6xf32>) {
  %c3 = arith.constant 3 : index
  %0 = tensor.extract_slice %t[0, %i, %j] [1, %n, %n] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>
  %1 = vector.transfer_read %0[%j, %c3], %pad {in_bounds = [true]} : tensor<?x?xf32>, vector<4xf32>
  %2 = tensor.extract_slice %t[5, %i, %j] [%n, 1, 12] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x12xf32>
  %3 = vector.transfer_read %2[%c3, %c3], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x12xf32>, vector<5x6xf32>
  return %1, %3 : vector<4xf32>, vector<5x6xf32>
}

// Inside of a mask, whose region holds nothing else.
// CHECK-NEXT:   func.func @masked(%arg0: tensor<?xf32>, %arg1: index, %arg2: vector<4xi1>, %arg3: f32) -> vector<4xf32> {
// CHECK-NEXT:     %0 = affine.apply #map3()[%arg1]
// CHECK-NEXT:     %1 = vector.mask %arg2 { vector.transfer_read %arg0[%0], %arg3 {in_bounds = [true]} : tensor<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @masked(%t: tensor<?xf32>, %i: index, %m: vector<4xi1>, %pad: f32) -> vector<4xf32> {
  %0 = tensor.extract_slice %t[%i] [8] [1] : tensor<?xf32> to tensor<8xf32>
  %1 = vector.mask %m { vector.transfer_read %0[%i], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %1 : vector<4xf32>
}

// Steps, a vector that runs past the slice, and a mask.
// CHECK-NEXT:   func.func @reads_that_stay(%arg0: tensor<64xf32>, %arg1: index, %arg2: vector<4xi1>, %arg3: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[%arg1] [8] [2] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:     %0 = vector.transfer_read %extracted_slice[%arg1], %arg3 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[%arg1] [8] [1] : tensor<64xf32> to tensor<8xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %extracted_slice_0[%arg1], %arg3 : tensor<8xf32>, vector<4xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %extracted_slice_0[%arg1], %arg3, %arg2 {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
// CHECK-NEXT:     return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @reads_that_stay(%t: tensor<64xf32>, %i: index, %m: vector<4xi1>, %pad: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = tensor.extract_slice %t[%i] [8] [2] : tensor<64xf32> to tensor<8xf32>
  %1 = vector.transfer_read %0[%i], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %2 = tensor.extract_slice %t[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %3 = vector.transfer_read %2[%i], %pad : tensor<8xf32>, vector<4xf32>
  %4 = vector.transfer_read %2[%i], %pad, %m {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  return %1, %3, %4 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// Only a vector that is all of the slice.
// CHECK-NEXT:   func.func @write(%arg0: tensor<?x?x12xf32>, %arg1: vector<5x6xf32>, %arg2: tensor<5x6xf32>, %arg3: tensor<8x6xf32>, %arg4: index) -> (tensor<?x?x12xf32>, tensor<?x?x12xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %0 = vector.transfer_write %arg1, %arg0[%c4, %c3, %arg4] {in_bounds = [true, true], permutation_map = #map4} : vector<5x6xf32>, tensor<?x?x12xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg1, %arg3[%c0, %c0] {in_bounds = [true, true]} : vector<5x6xf32>, tensor<8x6xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %1 into %arg0[4, 3, %arg4] [1, 8, 6] [1, 1, 1] : tensor<8x6xf32> into tensor<?x?x12xf32>
// CHECK-NEXT:     return %0, %inserted_slice : tensor<?x?x12xf32>, tensor<?x?x12xf32>
// CHECK-NEXT:   }
func.func @write(%t: tensor<?x?x12xf32>, %v: vector<5x6xf32>, %s: tensor<5x6xf32>, %w: tensor<8x6xf32>, %i: index) -> (tensor<?x?x12xf32>, tensor<?x?x12xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<5x6xf32>, tensor<5x6xf32>
  %1 = tensor.insert_slice %0 into %t[4, 3, %i] [5, 1, 6] [1, 1, 1] : tensor<5x6xf32> into tensor<?x?x12xf32>
  %2 = vector.transfer_write %v, %w[%c0, %c0] {in_bounds = [true, true]} : vector<5x6xf32>, tensor<8x6xf32>
  %3 = tensor.insert_slice %2 into %t[4, 3, %i] [1, 8, 6] [1, 1, 1] : tensor<8x6xf32> into tensor<?x?x12xf32>
  return %1, %3 : tensor<?x?x12xf32>, tensor<?x?x12xf32>
}

// CHECK-NEXT:   func.func @insert(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<?x?xf32>, %arg3: index, %arg4: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %arg1[%arg4] [%arg3] [1] : tensor<?xf32> into tensor<?xf32>
// CHECK-NEXT:     %0 = affine.apply #map3()[%arg4]
// CHECK-NEXT:     %inserted_slice_0 = tensor.insert_slice %arg0 into %arg2[%0, 7] [%arg3, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT:     %inserted_slice_1 = tensor.insert_slice %inserted_slice into %arg2[%arg4, 7] [%arg4, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT:     return %inserted_slice_0, %inserted_slice_1 : tensor<?x?xf32>, tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @insert(%a: tensor<?xf32>, %b: tensor<?xf32>, %t: tensor<?x?xf32>, %n: index, %i: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = tensor.insert_slice %a into %b[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %1 = tensor.insert_slice %0 into %t[%i, 7] [%n, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  // Part of what is inserted.
  %2 = tensor.insert_slice %0 into %t[%i, 7] [%i, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-NEXT:   func.func @parallel(%arg0: tensor<12x34xf32>, %arg1: tensor<?x5xf32>, %arg2: tensor<?x5xf32>, %arg3: index, %arg4: index) -> tensor<12x34xf32> {
// CHECK-NEXT:     %0 = scf.forall (%arg5, %arg6) in (27, 8) shared_outs(%arg7 = %arg0) -> (tensor<12x34xf32>) {
// CHECK-NEXT:       %1 = affine.apply #map()[%arg5, %arg4]
// CHECK-NEXT:       scf.forall.in_parallel {
// CHECK-NEXT:         tensor.parallel_insert_slice %arg1 into %arg7[%1, 3] [%arg4, 5] [1, 1] : tensor<?x5xf32> into tensor<12x34xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : tensor<12x34xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @parallel(%t: tensor<12x34xf32>, %a: tensor<?x5xf32>, %b: tensor<?x5xf32>, %i: index, %n: index) -> tensor<12x34xf32> {
  %0 = scf.forall (%x, %y) in (27, 8) shared_outs(%out = %t) -> (tensor<12x34xf32>) {
    %1 = tensor.insert_slice %a into %b[%n, 0] [%n, 5] [1, 1] : tensor<?x5xf32> into tensor<?x5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %out[%x, 3] [%n, 5] [1, 1] : tensor<?x5xf32> into tensor<12x34xf32>
    }
  }
  return %0 : tensor<12x34xf32>
}
