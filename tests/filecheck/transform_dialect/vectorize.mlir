// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s --match-full-lines

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>

// CHECK: #map = affine_map<(d0) -> (0, d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1) -> (d0, 0, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (0, d1, d0)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1) -> (0, d0, d1)>
// CHECK-NEXT: #map5 = affine_map<(d0) -> (0, 0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @elementwise(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x4xf32>, %arg3: f32, %arg4: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:     %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 : tensor<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %2 = ub.poison : f32
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[%c0], %2 {permutation_map = #map} : tensor<8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %4 = ub.poison : f32
// CHECK-NEXT:     %5 = vector.transfer_read %arg2[%c0, %c0], %4 {permutation_map = #map1} : tensor<8x4xf32>, vector<4x8xf32>
// CHECK-NEXT:     %6 = ub.poison : f32
// CHECK-NEXT:     %7 = vector.transfer_read %arg4[%c0, %c0], %6 : tensor<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %cst_0 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:     %cst_1 = arith.constant dense<5.000000e-01> : vector<4x8xf32>
// CHECK-NEXT:     %8 = arith.mulf %1, %cst_1 fastmath<fast> : vector<4x8xf32>
// CHECK-NEXT:     %9 = arith.addf %8, %3 : vector<4x8xf32>
// CHECK-NEXT:     %10 = math.exp %9 : vector<4x8xf32>
// CHECK-NEXT:     %11 = arith.subf %10, %5 : vector<4x8xf32>
// CHECK-NEXT:     %12 = vector.broadcast %arg3 : f32 to vector<4x8xf32>
// CHECK-NEXT:     %13 = arith.divf %11, %12 : vector<4x8xf32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<2.000000e+00> : vector<4x8xf32>
// CHECK-NEXT:     %14 = arith.addf %13, %cst_2 : vector<4x8xf32>
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %15 = vector.transfer_write %14, %arg4[%c0_3, %c0_3] : vector<4x8xf32>, tensor<4x8xf32>
// CHECK-NEXT:     return %15 : tensor<4x8xf32>
// CHECK-NEXT:   }
func.func @elementwise(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %t: tensor<8x4xf32>, %s: f32, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %two = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #columns, #swapped, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %t, %s : tensor<4x8xf32>, tensor<8xf32>, tensor<8x4xf32>, f32) outs(%c : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %1 = arith.mulf %x, %half fastmath<fast> : f32
    %2 = arith.addf %1, %y : f32
    %3 = math.exp %2 : f32
    %4 = arith.subf %3, %z : f32
    %5 = arith.divf %4, %w : f32
    %6 = arith.addf %5, %two : f32
    linalg.yield %6 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-NEXT:   func.func @numbers(%arg0: memref<4x8xindex>) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : index
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 : memref<4x8xindex>, vector<4x8xindex>
// CHECK-NEXT:     %2 = vector.step : vector<4xindex>
// CHECK-NEXT:     %3 = vector.broadcast %2 : vector<4xindex> to vector<8x4xindex>
// CHECK-NEXT:     %4 = vector.transpose %3, [1, 0] : vector<8x4xindex> to vector<4x8xindex>
// CHECK-NEXT:     %5 = vector.step : vector<8xindex>
// CHECK-NEXT:     %c8_0 = arith.constant 8 : index
// CHECK-NEXT:     %cst = arith.constant dense<8> : vector<4x8xindex>
// CHECK-NEXT:     %6 = arith.muli %4, %cst overflow<nsw> : vector<4x8xindex>
// CHECK-NEXT:     %7 = vector.broadcast %5 : vector<8xindex> to vector<4x8xindex>
// CHECK-NEXT:     %8 = arith.addi %6, %7 : vector<4x8xindex>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     vector.transfer_write %8, %arg0[%c0_1, %c0_1] : vector<4x8xindex>, memref<4x8xindex>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @numbers(%c: memref<4x8xindex>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<4x8xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
    linalg.yield %k : index
  }
  return
}

// CHECK-NEXT:   func.func @sums(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<8xi32>, %arg3: tensor<4x8xi32>) -> (tensor<4xf32>, tensor<8xi32>) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 : tensor<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %2 = ub.poison : f32
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[%c0], %2 : tensor<4xf32>, vector<4xf32>
// CHECK-NEXT:     %4 = arith.mulf %1, %1 : vector<4x8xf32>
// CHECK-NEXT:     %5 = vector.multi_reduction <add>, %4, %3 [1] : vector<4x8xf32> to vector<4xf32>
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %6 = vector.transfer_write %5, %arg1[%c0_0] : vector<4xf32>, tensor<4xf32>
// CHECK-NEXT:     %c4_1 = arith.constant 4 : index
// CHECK-NEXT:     %c8_2 = arith.constant 8 : index
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %7 = ub.poison : i32
// CHECK-NEXT:     %8 = vector.transfer_read %arg3[%c0_3, %c0_3], %7 : tensor<4x8xi32>, vector<4x8xi32>
// CHECK-NEXT:     %9 = ub.poison : i32
// CHECK-NEXT:     %10 = vector.transfer_read %arg2[%c0_3], %9 : tensor<8xi32>, vector<8xi32>
// CHECK-NEXT:     %11 = vector.multi_reduction <maxsi>, %8, %10 [0] : vector<4x8xi32> to vector<8xi32>
// CHECK-NEXT:     %c0_4 = arith.constant 0 : index
// CHECK-NEXT:     %12 = vector.transfer_write %11, %arg2[%c0_4] : vector<8xi32>, tensor<8xi32>
// CHECK-NEXT:     return %6, %12 : tensor<4xf32>, tensor<8xi32>
// CHECK-NEXT:   }
func.func @sums(%a: tensor<4x8xf32>, %r: tensor<4xf32>, %m: tensor<8xi32>, %n: tensor<4x8xi32>) -> (tensor<4xf32>, tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%r : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %x, %x : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %3 = linalg.reduce {arith.maxsi} ins(%n : tensor<4x8xi32>) outs(%m : tensor<8xi32>) dimensions = [0]
  return %0, %3 : tensor<4xf32>, tensor<8xi32>
}

// CHECK-NEXT:   func.func @everything(%arg0: memref<4x8xf32>, %arg1: memref<f32>) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%c0, %c0], %0 : memref<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %2 = ub.poison : f32
// CHECK-NEXT:     %3 = vector.transfer_read %arg1[], %2 : memref<f32>, vector<f32>
// CHECK-NEXT:     %4 = vector.extract %3[] : f32 from vector<f32>
// CHECK-NEXT:     %5 = vector.multi_reduction <maximumf>, %1, %4 [0, 1] : vector<4x8xf32> to f32
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %6 = vector.broadcast %5 : f32 to vector<f32>
// CHECK-NEXT:     vector.transfer_write %6, %arg1[] : vector<f32>, memref<f32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @everything(%a: memref<4x8xf32>, %r: memref<f32>) {
  linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<4x8xf32>) outs(%r : memref<f32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.maximumf %x, %o : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-NEXT:   func.func @named(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<16x4xf32>, %arg4: tensor<2x16x4xf32>) -> (tensor<4x16xf32>, tensor<16x4xf32>, tensor<2x16x4xf32>) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg2[%c0, %c0], %0 : tensor<4x16xf32>, vector<4x16xf32>
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %cst_1 = arith.constant dense<0.000000e+00> : vector<4x16xf32>
// CHECK-NEXT:     %2 = vector.transfer_write %cst_1, %arg2[%c0_0, %c0_0] : vector<4x16xf32>, tensor<4x16xf32>
// CHECK-NEXT:     %c4_2 = arith.constant 4 : index
// CHECK-NEXT:     %c16_3 = arith.constant 16 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c0_4 = arith.constant 0 : index
// CHECK-NEXT:     %3 = ub.poison : f32
// CHECK-NEXT:     %4 = vector.transfer_read %arg0[%c0_4, %c0_4], %3 {permutation_map = #map2} : tensor<4x8xf32>, vector<4x16x8xf32>
// CHECK-NEXT:     %5 = ub.poison : f32
// CHECK-NEXT:     %6 = vector.transfer_read %arg1[%c0_4, %c0_4], %5 {permutation_map = #map3} : tensor<8x16xf32>, vector<4x16x8xf32>
// CHECK-NEXT:     %7 = ub.poison : f32
// CHECK-NEXT:     %8 = vector.transfer_read %2[%c0_4, %c0_4], %7 : tensor<4x16xf32>, vector<4x16xf32>
// CHECK-NEXT:     %9 = arith.mulf %4, %6 : vector<4x16x8xf32>
// CHECK-NEXT:     %10 = vector.multi_reduction <add>, %9, %8 [2] : vector<4x16x8xf32> to vector<4x16xf32>
// CHECK-NEXT:     %c0_5 = arith.constant 0 : index
// CHECK-NEXT:     %11 = vector.transfer_write %10, %2[%c0_5, %c0_5] : vector<4x16xf32>, tensor<4x16xf32>
// CHECK-NEXT:     %c16_6 = arith.constant 16 : index
// CHECK-NEXT:     %c4_7 = arith.constant 4 : index
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %12 = ub.poison : f32
// CHECK-NEXT:     %13 = vector.transfer_read %11[%c0_8, %c0_8], %12 {permutation_map = #map1} : tensor<4x16xf32>, vector<16x4xf32>
// CHECK-NEXT:     %14 = ub.poison : f32
// CHECK-NEXT:     %15 = vector.transfer_read %arg3[%c0_8, %c0_8], %14 : tensor<16x4xf32>, vector<16x4xf32>
// CHECK-NEXT:     %c0_9 = arith.constant 0 : index
// CHECK-NEXT:     %16 = vector.transfer_write %13, %arg3[%c0_9, %c0_9] : vector<16x4xf32>, tensor<16x4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c16_10 = arith.constant 16 : index
// CHECK-NEXT:     %c4_11 = arith.constant 4 : index
// CHECK-NEXT:     %c0_12 = arith.constant 0 : index
// CHECK-NEXT:     %17 = ub.poison : f32
// CHECK-NEXT:     %18 = vector.transfer_read %16[%c0_12, %c0_12], %17 {permutation_map = #map4} : tensor<16x4xf32>, vector<2x16x4xf32>
// CHECK-NEXT:     %19 = ub.poison : f32
// CHECK-NEXT:     %20 = vector.transfer_read %arg4[%c0_12, %c0_12, %c0_12], %19 : tensor<2x16x4xf32>, vector<2x16x4xf32>
// CHECK-NEXT:     %c0_13 = arith.constant 0 : index
// CHECK-NEXT:     %21 = vector.transfer_write %18, %arg4[%c0_13, %c0_13, %c0_13] : vector<2x16x4xf32>, tensor<2x16x4xf32>
// CHECK-NEXT:     return %11, %16, %21 : tensor<4x16xf32>, tensor<16x4xf32>, tensor<2x16x4xf32>
// CHECK-NEXT:   }
func.func @named(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>, %d: tensor<16x4xf32>, %e: tensor<2x16x4xf32>)
    -> (tensor<4x16xf32>, tensor<16x4xf32>, tensor<2x16x4xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x16xf32>) outs(%d : tensor<16x4xf32>) permutation = [1, 0]
  %3 = linalg.broadcast ins(%2 : tensor<16x4xf32>) outs(%e : tensor<2x16x4xf32>) dimensions = [0]
  return %1, %2, %3 : tensor<4x16xf32>, tensor<16x4xf32>, tensor<2x16x4xf32>
}

// CHECK-NEXT:   func.func @extract(%arg0: tensor<16xf32>, %arg1: tensor<4x16xf32>, %arg2: index, %arg3: tensor<1x4xf32>, %arg4: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = ub.poison : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg3[%c0, %c0], %0 : tensor<1x4xf32>, vector<1x4xf32>
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<1x4xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<0.000000e+00> : vector<1x4xf32>
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %2 = ub.poison : f32
// CHECK-NEXT:     %3 = vector.constant_mask [1] : vector<1xi1>
// CHECK-NEXT:     %4 = vector.mask %3 { vector.transfer_read %arg0[%arg2], %2 {in_bounds = [true, true], permutation_map = #map5} : tensor<16xf32>, vector<1x4xf32> } : vector<1xi1> -> vector<1x4xf32>
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %5 = vector.transfer_write %4, %arg3[%c0_2, %c0_2] : vector<1x4xf32>, tensor<1x4xf32>
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %c4_4 = arith.constant 4 : index
// CHECK-NEXT:     %c0_5 = arith.constant 0 : index
// CHECK-NEXT:     %6 = ub.poison : f32
// CHECK-NEXT:     %7 = vector.transfer_read %arg3[%c0_5, %c0_5], %6 : tensor<1x4xf32>, vector<1x4xf32>
// CHECK-NEXT:     %8 = vector.step : vector<4xindex>
// CHECK-NEXT:     %9 = vector.broadcast %arg2 : index to vector<4xindex>
// CHECK-NEXT:     %10 = arith.addi %9, %8 : vector<4xindex>
// CHECK-NEXT:     %cst_6 = arith.constant dense<true> : vector<1x4xi1>
// CHECK-NEXT:     %cst_7 = arith.constant dense<0.000000e+00> : vector<1x4xf32>
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %11 = vector.shape_cast %10 : vector<4xindex> to vector<4xindex>
// CHECK-NEXT:     %12 = vector.extract %11[0] : index from vector<4xindex>
// CHECK-NEXT:     %13 = ub.poison : f32
// CHECK-NEXT:     %14 = vector.transfer_read %arg1[%arg2, %12], %13 {in_bounds = [true, true]} : tensor<4x16xf32>, vector<1x4xf32>
// CHECK-NEXT:     %c0_9 = arith.constant 0 : index
// CHECK-NEXT:     %15 = vector.transfer_write %14, %arg3[%c0_9, %c0_9] : vector<1x4xf32>, tensor<1x4xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4_10 = arith.constant 4 : index
// CHECK-NEXT:     %c0_11 = arith.constant 0 : index
// CHECK-NEXT:     %16 = ub.poison : f32
// CHECK-NEXT:     %17 = vector.transfer_read %arg4[%c0_11, %c0_11], %16 : tensor<2x4xf32>, vector<2x4xf32>
// CHECK-NEXT:     %18 = vector.step : vector<2xindex>
// CHECK-NEXT:     %19 = vector.broadcast %18 : vector<2xindex> to vector<4x2xindex>
// CHECK-NEXT:     %20 = vector.transpose %19, [1, 0] : vector<4x2xindex> to vector<2x4xindex>
// CHECK-NEXT:     %21 = vector.step : vector<4xindex>
// CHECK-NEXT:     %cst_12 = arith.constant dense<true> : vector<2x4xi1>
// CHECK-NEXT:     %cst_13 = arith.constant dense<0.000000e+00> : vector<2x4xf32>
// CHECK-NEXT:     %c0_14 = arith.constant 0 : index
// CHECK-NEXT:     %c1_15 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c1_15 : tensor<4x16xf32>
// CHECK-NEXT:     %22 = vector.broadcast %dim : index to vector<2x4xindex>
// CHECK-NEXT:     %23 = arith.muli %20, %22 : vector<2x4xindex>
// CHECK-NEXT:     %24 = vector.broadcast %21 : vector<4xindex> to vector<2x4xindex>
// CHECK-NEXT:     %25 = arith.addi %24, %23 : vector<2x4xindex>
// CHECK-NEXT:     %26 = vector.gather %arg1[%c0_14, %c0_14] [%25], %cst_12, %cst_13 : tensor<4x16xf32>, vector<2x4xindex>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
// CHECK-NEXT:     %c0_16 = arith.constant 0 : index
// CHECK-NEXT:     %27 = vector.transfer_write %26, %arg4[%c0_16, %c0_16] : vector<2x4xf32>, tensor<2x4xf32>
// CHECK-NEXT:     return %5, %15, %27 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>
// CHECK-NEXT:   }
func.func @extract(%t: tensor<16xf32>, %u: tensor<4x16xf32>, %i: index, %c: tensor<1x4xf32>, %g: tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<1x4xf32>) {
  ^bb0(%o: f32):
    %e = tensor.extract %t[%i] : tensor<16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<1x4xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %e = tensor.extract %u[%i, %k] : tensor<4x16xf32>
    linalg.yield %e : f32
  } -> tensor<1x4xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%g : tensor<2x4xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %u[%h, %j] : tensor<4x16xf32>
    linalg.yield %e : f32
  } -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<2x4xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 {vectorize_nd_extract} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops {vectorize_nd_extract} : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-NEXT: #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-NEXT: #map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @contractions(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<4x16xf32>, %arg3: memref<2x4x8xi8>, %arg4: memref<2x8x16xi8>, %arg5: memref<2x4x16xi32>) -> tensor<4x16xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0_1, %c0_1], %cst_0 {in_bounds = [true, true]} : tensor<8x16xf32>, vector<8x16xf32>
// CHECK-NEXT:     %cst_2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0_3, %c0_3], %cst_2 {in_bounds = [true, true]} : tensor<4x16xf32>, vector<4x16xf32>
// CHECK-NEXT:     %3 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %2 : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
// CHECK-NEXT:     %c0_4 = arith.constant 0 : index
// CHECK-NEXT:     %4 = vector.transfer_write %3, %arg2[%c0_4, %c0_4] {in_bounds = [true, true]} : vector<4x16xf32>, tensor<4x16xf32>
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4_5 = arith.constant 4 : index
// CHECK-NEXT:     %c16_6 = arith.constant 16 : index
// CHECK-NEXT:     %c8_7 = arith.constant 8 : index
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %5 = vector.transfer_read %arg3[%c0_8, %c0_8, %c0_8], %c0_i8 {in_bounds = [true, true, true]} : memref<2x4x8xi8>, vector<2x4x8xi8>
// CHECK-NEXT:     %c0_i8_9 = arith.constant 0 : i8
// CHECK-NEXT:     %c0_10 = arith.constant 0 : index
// CHECK-NEXT:     %6 = vector.transfer_read %arg4[%c0_10, %c0_10, %c0_10], %c0_i8_9 {in_bounds = [true, true, true]} : memref<2x8x16xi8>, vector<2x8x16xi8>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c0_11 = arith.constant 0 : index
// CHECK-NEXT:     %7 = vector.transfer_read %arg5[%c0_11, %c0_11, %c0_11], %c0_i32 {in_bounds = [true, true, true]} : memref<2x4x16xi32>, vector<2x4x16xi32>
// CHECK-NEXT:     %8 = vector.contract {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %6, %7 : vector<2x4x8xi8>, vector<2x8x16xi8> into vector<2x4x16xi32>
// CHECK-NEXT:     %c0_12 = arith.constant 0 : index
// CHECK-NEXT:     vector.transfer_write %8, %arg5[%c0_12, %c0_12, %c0_12] {in_bounds = [true, true, true]} : vector<2x4x16xi32>, memref<2x4x16xi32>
// CHECK-NEXT:     return %4 : tensor<4x16xf32>
// CHECK-NEXT:   }
func.func @contractions(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>,
                        %x: memref<2x4x8xi8>, %y: memref<2x8x16xi8>, %z: memref<2x4x16xi32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  linalg.batch_matmul ins(%x, %y : memref<2x4x8xi8>, memref<2x8x16xi8>) outs(%z : memref<2x4x16xi32>)
  return %0 : tensor<4x16xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 {create_named_contraction} : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops {create_named_contraction} : !transform.any_op
    transform.yield
  }
}
