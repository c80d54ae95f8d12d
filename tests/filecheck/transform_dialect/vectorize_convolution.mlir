// RUN: xgpu-opt %s --transform-interpreter --split-input-file | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @places(%arg0: tensor<6xf32>, %arg1: tensor<3xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0], %cst : tensor<6xf32>, vector<6xf32>
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0], %cst_0 : tensor<3xf32>, vector<3xf32>
// CHECK-NEXT:     %cst_1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0], %cst_1 : tensor<4xf32>, vector<4xf32>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %0 {offsets = [0], sizes = [4], strides = [1]} : vector<6xf32> to vector<4xf32>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %0 {offsets = [1], sizes = [4], strides = [1]} : vector<6xf32> to vector<4xf32>
// CHECK-NEXT:     %5 = vector.extract_strided_slice %0 {offsets = [2], sizes = [4], strides = [1]} : vector<6xf32> to vector<4xf32>
// CHECK-NEXT:     %6 = vector.extract %1[0] : f32 from vector<3xf32>
// CHECK-NEXT:     %7 = vector.extract %1[1] : f32 from vector<3xf32>
// CHECK-NEXT:     %8 = vector.extract %1[2] : f32 from vector<3xf32>
// CHECK-NEXT:     %9 = vector.extract_strided_slice %2 {offsets = [0], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
// CHECK-NEXT:     %10 = vector.outerproduct %3, %6, %9 {kind = #vector.kind<add>} : vector<4xf32>, f32
// CHECK-NEXT:     %11 = vector.outerproduct %4, %7, %10 {kind = #vector.kind<add>} : vector<4xf32>, f32
// CHECK-NEXT:     %12 = vector.outerproduct %5, %8, %11 {kind = #vector.kind<add>} : vector<4xf32>, f32
// CHECK-NEXT:     %13 = vector.insert_strided_slice %12, %2 {offsets = [0], strides = [1]} : vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %14 = vector.transfer_write %13, %arg2[%c0] : vector<4xf32>, tensor<4xf32>
// CHECK-NEXT:     return %14 : tensor<4xf32>
// CHECK-NEXT:   }
func.func @places(%i: tensor<6xf32>, %f: tensor<3xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.conv_1d ins(%i, %f : tensor<6xf32>, tensor<3xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-NEXT:   func.func @strided(%arg0: memref<2x6x3xf16>, %arg1: memref<2x3x4xf16>, %arg2: memref<2x2x4xf32>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c2_0 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c2_1 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %cst : memref<2x6x3xf16>, vector<2x6x3xf16>
// CHECK-NEXT:     %cst_2 = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0, %c0, %c0], %cst_2 : memref<2x3x4xf16>, vector<2x3x4xf16>
// CHECK-NEXT:     %cst_3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0, %c0, %c0], %cst_3 : memref<2x2x4xf32>, vector<2x2x4xf32>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %0 {offsets = [0, 0, 0], sizes = [2, 1, 3], strides = [1, 1, 1]} : vector<2x6x3xf16> to vector<2x1x3xf16>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %0 {offsets = [0, 3, 0], sizes = [2, 1, 3], strides = [1, 1, 1]} : vector<2x6x3xf16> to vector<2x1x3xf16>
// CHECK-NEXT:     %5 = vector.extract_strided_slice %0 {offsets = [0, 2, 0], sizes = [2, 1, 3], strides = [1, 1, 1]} : vector<2x6x3xf16> to vector<2x1x3xf16>
// CHECK-NEXT:     %6 = vector.extract_strided_slice %0 {offsets = [0, 5, 0], sizes = [2, 1, 3], strides = [1, 1, 1]} : vector<2x6x3xf16> to vector<2x1x3xf16>
// CHECK-NEXT:     %7 = vector.extract %1[0] : vector<3x4xf16> from vector<2x3x4xf16>
// CHECK-NEXT:     %8 = vector.extract %1[1] : vector<3x4xf16> from vector<2x3x4xf16>
// CHECK-NEXT:     %9 = vector.extract_strided_slice %2 {offsets = [0, 0, 0], sizes = [2, 1, 4], strides = [1, 1, 1]} : vector<2x2x4xf32> to vector<2x1x4xf32>
// CHECK-NEXT:     %10 = vector.extract_strided_slice %2 {offsets = [0, 1, 0], sizes = [2, 1, 4], strides = [1, 1, 1]} : vector<2x2x4xf32> to vector<2x1x4xf32>
// CHECK-NEXT:     %11 = arith.extf %3 : vector<2x1x3xf16> to vector<2x1x3xf32>
// CHECK-NEXT:     %12 = arith.extf %7 : vector<3x4xf16> to vector<3x4xf32>
// CHECK-NEXT:     %13 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %11, %12, %9 : vector<2x1x3xf32>, vector<3x4xf32> into vector<2x1x4xf32>
// CHECK-NEXT:     %14 = arith.extf %4 : vector<2x1x3xf16> to vector<2x1x3xf32>
// CHECK-NEXT:     %15 = arith.extf %7 : vector<3x4xf16> to vector<3x4xf32>
// CHECK-NEXT:     %16 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %14, %15, %10 : vector<2x1x3xf32>, vector<3x4xf32> into vector<2x1x4xf32>
// CHECK-NEXT:     %17 = arith.extf %5 : vector<2x1x3xf16> to vector<2x1x3xf32>
// CHECK-NEXT:     %18 = arith.extf %8 : vector<3x4xf16> to vector<3x4xf32>
// CHECK-NEXT:     %19 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %17, %18, %13 : vector<2x1x3xf32>, vector<3x4xf32> into vector<2x1x4xf32>
// CHECK-NEXT:     %20 = arith.extf %6 : vector<2x1x3xf16> to vector<2x1x3xf32>
// CHECK-NEXT:     %21 = arith.extf %8 : vector<3x4xf16> to vector<3x4xf32>
// CHECK-NEXT:     %22 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %20, %21, %16 : vector<2x1x3xf32>, vector<3x4xf32> into vector<2x1x4xf32>
// CHECK-NEXT:     %23 = vector.insert_strided_slice %19, %2 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x1x4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:     %24 = vector.insert_strided_slice %22, %23 {offsets = [0, 1, 0], strides = [1, 1, 1]} : vector<2x1x4xf32> into vector<2x2x4xf32>
// CHECK-NEXT:     vector.transfer_write %24, %arg2[%c0, %c0, %c0] : vector<2x2x4xf32>, memref<2x2x4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @strided(%i: memref<2x6x3xf16>, %f: memref<2x3x4xf16>, %o: memref<2x2x4xf32>) {
  linalg.conv_1d_nwc_wcf {strides = dense<3> : tensor<1xi64>, dilations = dense<2> : tensor<1xi64>}
      ins(%i, %f : memref<2x6x3xf16>, memref<2x3x4xf16>) outs(%o : memref<2x2x4xf32>)
  return
}

// CHECK-NEXT:   func.func @channels_first(%arg0: memref<2x3x5xi8>, %arg1: memref<4x3x2xi8>, %arg2: memref<2x4x4xi32>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c4_0 = arith.constant 4 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2_1 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %c0_i8 : memref<2x3x5xi8>, vector<2x3x5xi8>
// CHECK-NEXT:     %c0_i8_2 = arith.constant 0 : i8
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0, %c0, %c0], %c0_i8_2 : memref<4x3x2xi8>, vector<4x3x2xi8>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0, %c0, %c0], %c0_i32 : memref<2x4x4xi32>, vector<2x4x4xi32>
// CHECK-NEXT:     %3 = vector.transpose %0, [0, 2, 1] : vector<2x3x5xi8> to vector<2x5x3xi8>
// CHECK-NEXT:     %4 = vector.transpose %1, [2, 1, 0] : vector<4x3x2xi8> to vector<2x3x4xi8>
// CHECK-NEXT:     %5 = vector.transpose %2, [0, 2, 1] : vector<2x4x4xi32> to vector<2x4x4xi32>
// CHECK-NEXT:     %6 = vector.extract_strided_slice %3 {offsets = [0, 0, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xi8> to vector<2x4x3xi8>
// CHECK-NEXT:     %7 = vector.extract_strided_slice %3 {offsets = [0, 1, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xi8> to vector<2x4x3xi8>
// CHECK-NEXT:     %8 = vector.extract %4[0] : vector<3x4xi8> from vector<2x3x4xi8>
// CHECK-NEXT:     %9 = vector.extract %4[1] : vector<3x4xi8> from vector<2x3x4xi8>
// CHECK-NEXT:     %10 = vector.extract_strided_slice %5 {offsets = [0, 0, 0], sizes = [2, 4, 4], strides = [1, 1, 1]} : vector<2x4x4xi32> to vector<2x4x4xi32>
// CHECK-NEXT:     %11 = arith.extsi %6 : vector<2x4x3xi8> to vector<2x4x3xi32>
// CHECK-NEXT:     %12 = arith.extsi %8 : vector<3x4xi8> to vector<3x4xi32>
// CHECK-NEXT:     %13 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %11, %12, %10 : vector<2x4x3xi32>, vector<3x4xi32> into vector<2x4x4xi32>
// CHECK-NEXT:     %14 = arith.extsi %7 : vector<2x4x3xi8> to vector<2x4x3xi32>
// CHECK-NEXT:     %15 = arith.extsi %9 : vector<3x4xi8> to vector<3x4xi32>
// CHECK-NEXT:     %16 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %14, %15, %13 : vector<2x4x3xi32>, vector<3x4xi32> into vector<2x4x4xi32>
// CHECK-NEXT:     %17 = vector.insert_strided_slice %16, %5 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x4x4xi32> into vector<2x4x4xi32>
// CHECK-NEXT:     %18 = vector.transpose %17, [0, 2, 1] : vector<2x4x4xi32> to vector<2x4x4xi32>
// CHECK-NEXT:     vector.transfer_write %18, %arg2[%c0, %c0, %c0] : vector<2x4x4xi32>, memref<2x4x4xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @channels_first(%i: memref<2x3x5xi8>, %f: memref<4x3x2xi8>, %o: memref<2x4x4xi32>) {
  linalg.conv_1d_ncw_fcw ins(%i, %f : memref<2x3x5xi8>, memref<4x3x2xi8>) outs(%o : memref<2x4x4xi32>)
  return
}

// CHECK-NEXT:   func.func @pooling(%arg0: tensor<2x5x3xf16>, %arg1: tensor<2xf16>, %arg2: tensor<2x4x3xf32>, %arg3: tensor<2x3x5xf32>, %arg4: tensor<2xf32>, %arg5: tensor<2x3x4xf32>) -> (tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2_0 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %cst : tensor<2x5x3xf16>, vector<2x5x3xf16>
// CHECK-NEXT:     %cst_1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg2[%c0, %c0, %c0], %cst_1 : tensor<2x4x3xf32>, vector<2x4x3xf32>
// CHECK-NEXT:     %2 = vector.extract_strided_slice %0 {offsets = [0, 0, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xf16> to vector<2x4x3xf16>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %0 {offsets = [0, 1, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xf16> to vector<2x4x3xf16>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %1 {offsets = [0, 0, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     %5 = arith.extf %2 : vector<2x4x3xf16> to vector<2x4x3xf32>
// CHECK-NEXT:     %6 = arith.addf %5, %4 : vector<2x4x3xf32>
// CHECK-NEXT:     %7 = arith.extf %3 : vector<2x4x3xf16> to vector<2x4x3xf32>
// CHECK-NEXT:     %8 = arith.addf %7, %6 : vector<2x4x3xf32>
// CHECK-NEXT:     %9 = vector.insert_strided_slice %8, %1 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x4x3xf32> into vector<2x4x3xf32>
// CHECK-NEXT:     %10 = vector.transfer_write %9, %arg2[%c0, %c0, %c0] : vector<2x4x3xf32>, tensor<2x4x3xf32>
// CHECK-NEXT:     %c2_2 = arith.constant 2 : index
// CHECK-NEXT:     %c3_3 = arith.constant 3 : index
// CHECK-NEXT:     %c4_4 = arith.constant 4 : index
// CHECK-NEXT:     %c2_5 = arith.constant 2 : index
// CHECK-NEXT:     %c0_6 = arith.constant 0 : index
// CHECK-NEXT:     %cst_7 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %11 = vector.transfer_read %arg3[%c0_6, %c0_6, %c0_6], %cst_7 : tensor<2x3x5xf32>, vector<2x3x5xf32>
// CHECK-NEXT:     %cst_8 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %12 = vector.transfer_read %arg5[%c0_6, %c0_6, %c0_6], %cst_8 : tensor<2x3x4xf32>, vector<2x3x4xf32>
// CHECK-NEXT:     %13 = vector.transpose %11, [0, 2, 1] : vector<2x3x5xf32> to vector<2x5x3xf32>
// CHECK-NEXT:     %14 = vector.transpose %12, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     %15 = vector.extract_strided_slice %13 {offsets = [0, 0, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     %16 = vector.extract_strided_slice %13 {offsets = [0, 1, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x5x3xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     %17 = vector.extract_strided_slice %14 {offsets = [0, 0, 0], sizes = [2, 4, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     %18 = arith.maximumf %15, %17 : vector<2x4x3xf32>
// CHECK-NEXT:     %19 = arith.maximumf %16, %18 : vector<2x4x3xf32>
// CHECK-NEXT:     %20 = vector.insert_strided_slice %19, %14 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x4x3xf32> into vector<2x4x3xf32>
// CHECK-NEXT:     %21 = vector.transpose %20, [0, 2, 1] : vector<2x4x3xf32> to vector<2x3x4xf32>
// CHECK-NEXT:     %22 = vector.transfer_write %21, %arg5[%c0_6, %c0_6, %c0_6] : vector<2x3x4xf32>, tensor<2x3x4xf32>
// CHECK-NEXT:     return %10, %22 : tensor<2x4x3xf32>, tensor<2x3x4xf32>
// CHECK-NEXT:   }
func.func @pooling(%i: tensor<2x5x3xf16>, %w: tensor<2xf16>, %o: tensor<2x4x3xf32>, %p: tensor<2x3x5xf32>, %x: tensor<2xf32>, %q: tensor<2x3x4xf32>)
    -> (tensor<2x4x3xf32>, tensor<2x3x4xf32>) {
  %0 = linalg.pooling_nwc_sum ins(%i, %w : tensor<2x5x3xf16>, tensor<2xf16>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %1 = linalg.pooling_ncw_max ins(%p, %x : tensor<2x3x5xf32>, tensor<2xf32>) outs(%q : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1 : tensor<2x4x3xf32>, tensor<2x3x4xf32>
}

// CHECK-NEXT:   func.func @depthwise(%arg0: memref<2x4x3xf32>, %arg1: memref<2x3xf32>, %arg2: memref<2x3x3xf32>, %arg3: memref<2x4x3xi8>, %arg4: memref<2x3xi8>, %arg5: memref<2x3x3xi32>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c3_0 = arith.constant 3 : index
// CHECK-NEXT:     %c2_1 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %cst : memref<2x4x3xf32>, vector<2x4x3xf32>
// CHECK-NEXT:     %cst_2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0, %c0], %cst_2 : memref<2x3xf32>, vector<2x3xf32>
// CHECK-NEXT:     %cst_3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0, %c0, %c0], %cst_3 : memref<2x3x3xf32>, vector<2x3x3xf32>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %0 {offsets = [0, 0, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %0 {offsets = [0, 1, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %5 = vector.extract %1[0] : vector<3xf32> from vector<2x3xf32>
// CHECK-NEXT:     %6 = vector.extract %1[1] : vector<3xf32> from vector<2x3xf32>
// CHECK-NEXT:     %7 = vector.extract_strided_slice %2 {offsets = [0, 0, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x3x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %8 = vector.broadcast %5 : vector<3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %9 = vector.fma %3, %8, %7 : vector<2x3x3xf32>
// CHECK-NEXT:     %10 = vector.broadcast %6 : vector<3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %11 = vector.fma %4, %10, %9 : vector<2x3x3xf32>
// CHECK-NEXT:     %12 = vector.insert_strided_slice %11, %2 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x3x3xf32> into vector<2x3x3xf32>
// CHECK-NEXT:     vector.transfer_write %12, %arg2[%c0, %c0, %c0] : vector<2x3x3xf32>, memref<2x3x3xf32>
// CHECK-NEXT:     %c2_4 = arith.constant 2 : index
// CHECK-NEXT:     %c3_5 = arith.constant 3 : index
// CHECK-NEXT:     %c3_6 = arith.constant 3 : index
// CHECK-NEXT:     %c2_7 = arith.constant 2 : index
// CHECK-NEXT:     %c0_8 = arith.constant 0 : index
// CHECK-NEXT:     %c0_i8 = arith.constant 0 : i8
// CHECK-NEXT:     %13 = vector.transfer_read %arg3[%c0_8, %c0_8, %c0_8], %c0_i8 : memref<2x4x3xi8>, vector<2x4x3xi8>
// CHECK-NEXT:     %c0_i8_9 = arith.constant 0 : i8
// CHECK-NEXT:     %14 = vector.transfer_read %arg4[%c0_8, %c0_8], %c0_i8_9 : memref<2x3xi8>, vector<2x3xi8>
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %15 = vector.transfer_read %arg5[%c0_8, %c0_8, %c0_8], %c0_i32 : memref<2x3x3xi32>, vector<2x3x3xi32>
// CHECK-NEXT:     %16 = vector.extract_strided_slice %13 {offsets = [0, 0, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xi8> to vector<2x3x3xi8>
// CHECK-NEXT:     %17 = vector.extract_strided_slice %13 {offsets = [0, 1, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xi8> to vector<2x3x3xi8>
// CHECK-NEXT:     %18 = vector.extract %14[0] : vector<3xi8> from vector<2x3xi8>
// CHECK-NEXT:     %19 = vector.extract %14[1] : vector<3xi8> from vector<2x3xi8>
// CHECK-NEXT:     %20 = vector.extract_strided_slice %15 {offsets = [0, 0, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x3x3xi32> to vector<2x3x3xi32>
// CHECK-NEXT:     %21 = arith.extsi %16 : vector<2x3x3xi8> to vector<2x3x3xi32>
// CHECK-NEXT:     %22 = vector.broadcast %18 : vector<3xi8> to vector<2x3x3xi8>
// CHECK-NEXT:     %23 = arith.extsi %22 : vector<2x3x3xi8> to vector<2x3x3xi32>
// CHECK-NEXT:     %24 = arith.muli %21, %23 : vector<2x3x3xi32>
// CHECK-NEXT:     %25 = arith.addi %24, %20 : vector<2x3x3xi32>
// CHECK-NEXT:     %26 = arith.extsi %17 : vector<2x3x3xi8> to vector<2x3x3xi32>
// CHECK-NEXT:     %27 = vector.broadcast %19 : vector<3xi8> to vector<2x3x3xi8>
// CHECK-NEXT:     %28 = arith.extsi %27 : vector<2x3x3xi8> to vector<2x3x3xi32>
// CHECK-NEXT:     %29 = arith.muli %26, %28 : vector<2x3x3xi32>
// CHECK-NEXT:     %30 = arith.addi %29, %25 : vector<2x3x3xi32>
// CHECK-NEXT:     %31 = vector.insert_strided_slice %30, %15 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x3x3xi32> into vector<2x3x3xi32>
// CHECK-NEXT:     vector.transfer_write %31, %arg5[%c0_8, %c0_8, %c0_8] : vector<2x3x3xi32>, memref<2x3x3xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @depthwise(%i: memref<2x4x3xf32>, %f: memref<2x3xf32>, %o: memref<2x3x3xf32>, %a: memref<2x4x3xi8>, %b: memref<2x3xi8>, %c: memref<2x3x3xi32>) {
  linalg.depthwise_conv_1d_nwc_wc ins(%i, %f : memref<2x4x3xf32>, memref<2x3xf32>) outs(%o : memref<2x3x3xf32>)
  linalg.depthwise_conv_1d_nwc_wc ins(%a, %b : memref<2x4x3xi8>, memref<2x3xi8>) outs(%c : memref<2x3x3xi32>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @masked(%arg0: tensor<2x4x?xf32>, %arg1: tensor<2x?xf32>, %arg2: tensor<2x3x?xf32>) -> tensor<2x3x?xf32> {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c1 : tensor<2x?xf32>
// CHECK-NEXT:     %c2_0 = arith.constant 2 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c2_1 = arith.constant 2 : index
// CHECK-NEXT:     %dim_2 = tensor.dim %arg0, %c2_1 : tensor<2x4x?xf32>
// CHECK-NEXT:     %c2_3 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = vector.create_mask %c2_3, %c4, %dim_2 : vector<2x4x[4]xi1>
// CHECK-NEXT:     %1 = vector.mask %0 { vector.transfer_read %arg0[%c0, %c0, %c0], %cst {in_bounds = [true, true, true]} : tensor<2x4x?xf32>, vector<2x4x[4]xf32> } : vector<2x4x[4]xi1> -> vector<2x4x[4]xf32>
// CHECK-NEXT:     %cst_4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c1_5 = arith.constant 1 : index
// CHECK-NEXT:     %dim_6 = tensor.dim %arg1, %c1_5 : tensor<2x?xf32>
// CHECK-NEXT:     %c2_7 = arith.constant 2 : index
// CHECK-NEXT:     %2 = vector.create_mask %c2_7, %dim_6 : vector<2x[4]xi1>
// CHECK-NEXT:     %3 = vector.mask %2 { vector.transfer_read %arg1[%c0, %c0], %cst_4 {in_bounds = [true, true]} : tensor<2x?xf32>, vector<2x[4]xf32> } : vector<2x[4]xi1> -> vector<2x[4]xf32>
// CHECK-NEXT:     %cst_8 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c2_9 = arith.constant 2 : index
// CHECK-NEXT:     %dim_10 = tensor.dim %arg2, %c2_9 : tensor<2x3x?xf32>
// CHECK-NEXT:     %c2_11 = arith.constant 2 : index
// CHECK-NEXT:     %c3_12 = arith.constant 3 : index
// CHECK-NEXT:     %4 = vector.create_mask %c2_11, %c3_12, %dim_10 : vector<2x3x[4]xi1>
// CHECK-NEXT:     %5 = vector.mask %4 { vector.transfer_read %arg2[%c0, %c0, %c0], %cst_8 {in_bounds = [true, true, true]} : tensor<2x3x?xf32>, vector<2x3x[4]xf32> } : vector<2x3x[4]xi1> -> vector<2x3x[4]xf32>
// CHECK-NEXT:     %6 = vector.extract_strided_slice %1 {offsets = [0, 0, 0], sizes = [2, 3, 4], strides = [1, 1, 1]} : vector<2x4x[4]xf32> to vector<2x3x[4]xf32>
// CHECK-NEXT:     %7 = vector.extract_strided_slice %1 {offsets = [0, 1, 0], sizes = [2, 3, 4], strides = [1, 1, 1]} : vector<2x4x[4]xf32> to vector<2x3x[4]xf32>
// CHECK-NEXT:     %8 = vector.extract %3[0] : vector<[4]xf32> from vector<2x[4]xf32>
// CHECK-NEXT:     %9 = vector.extract %3[1] : vector<[4]xf32> from vector<2x[4]xf32>
// CHECK-NEXT:     %10 = vector.extract_strided_slice %5 {offsets = [0, 0, 0], sizes = [2, 3, 4], strides = [1, 1, 1]} : vector<2x3x[4]xf32> to vector<2x3x[4]xf32>
// CHECK-NEXT:     %11 = vector.broadcast %8 : vector<[4]xf32> to vector<2x3x[4]xf32>
// CHECK-NEXT:     %12 = vector.fma %6, %11, %10 : vector<2x3x[4]xf32>
// CHECK-NEXT:     %13 = vector.broadcast %9 : vector<[4]xf32> to vector<2x3x[4]xf32>
// CHECK-NEXT:     %14 = vector.fma %7, %13, %12 : vector<2x3x[4]xf32>
// CHECK-NEXT:     %15 = vector.insert_strided_slice %14, %5 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x3x[4]xf32> into vector<2x3x[4]xf32>
// CHECK-NEXT:     %c2_13 = arith.constant 2 : index
// CHECK-NEXT:     %dim_14 = tensor.dim %arg2, %c2_13 : tensor<2x3x?xf32>
// CHECK-NEXT:     %c2_15 = arith.constant 2 : index
// CHECK-NEXT:     %c3_16 = arith.constant 3 : index
// CHECK-NEXT:     %16 = vector.create_mask %c2_15, %c3_16, %dim_14 : vector<2x3x[4]xi1>
// CHECK-NEXT:     %17 = vector.mask %16 { vector.transfer_write %15, %arg2[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x3x[4]xf32>, tensor<2x3x?xf32> } : vector<2x3x[4]xi1> -> tensor<2x3x?xf32>
// CHECK-NEXT:     return %17 : tensor<2x3x?xf32>
// CHECK-NEXT:   }
func.func @masked(%i: tensor<2x4x?xf32>, %f: tensor<2x?xf32>, %o: tensor<2x3x?xf32>) -> tensor<2x3x?xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc ins(%i, %f : tensor<2x4x?xf32>, tensor<2x?xf32>) outs(%o : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match interface{LinalgOp} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.structured.vectorize %0 vector_sizes [2, 3, [4], 2] : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %ops vector_sizes [2, 3, [4], 2] : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @flattened(%arg0: tensor<2x4x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%c0, %c0, %c0], %cst {in_bounds = [true, true, true]} : tensor<2x4x3xf32>, vector<2x4x3xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true]} : tensor<2x3xf32>, vector<2x3xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %arg2[%c0, %c0, %c0], %cst {in_bounds = [true, true, true]} : tensor<2x3x3xf32>, vector<2x3x3xf32>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %0 {offsets = [0, 0, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %4 = vector.extract_strided_slice %0 {offsets = [0, 1, 0], sizes = [2, 3, 3], strides = [1, 1, 1]} : vector<2x4x3xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %5 = vector.extract %1[0] : vector<3xf32> from vector<2x3xf32>
// CHECK-NEXT:     %6 = vector.extract %1[1] : vector<3xf32> from vector<2x3xf32>
// CHECK-NEXT:     %7 = vector.shape_cast %3 : vector<2x3x3xf32> to vector<2x9xf32>
// CHECK-NEXT:     %8 = vector.shape_cast %2 : vector<2x3x3xf32> to vector<2x9xf32>
// CHECK-NEXT:     %9 = vector.shuffle %5, %5 [0, 1, 2, 0, 1, 2, 0, 1, 2] : vector<3xf32>, vector<3xf32>
// CHECK-NEXT:     %10 = vector.broadcast %9 : vector<9xf32> to vector<2x9xf32>
// CHECK-NEXT:     %11 = vector.fma %7, %10, %8 : vector<2x9xf32>
// CHECK-NEXT:     %12 = vector.shape_cast %4 : vector<2x3x3xf32> to vector<2x9xf32>
// CHECK-NEXT:     %13 = vector.shuffle %6, %6 [0, 1, 2, 0, 1, 2, 0, 1, 2] : vector<3xf32>, vector<3xf32>
// CHECK-NEXT:     %14 = vector.broadcast %13 : vector<9xf32> to vector<2x9xf32>
// CHECK-NEXT:     %15 = vector.fma %12, %14, %11 : vector<2x9xf32>
// CHECK-NEXT:     %16 = vector.shape_cast %15 : vector<2x9xf32> to vector<2x3x3xf32>
// CHECK-NEXT:     %17 = vector.transfer_write %16, %arg2[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<2x3x3xf32>, tensor<2x3x3xf32>
// CHECK-NEXT:     return %17 : tensor<2x3x3xf32>
// CHECK-NEXT:   }
func.func @flattened(%i: tensor<2x4x3xf32>, %f: tensor<2x3xf32>, %o: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc ins(%i, %f : tensor<2x4x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.vectorize_children_and_apply_patterns %0 {flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f {flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
