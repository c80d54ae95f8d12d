// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

#acc = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
#tr = { indexing_maps = #acc, iterator_types = ["parallel", "parallel", "reduction"] }
func.func @f(%i: index, %m: memref<?x?xf32>, %x: f32, %a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<4x16xf32>, %mask: vector<4x16x8xi1>, %t: tensor<?x?xf32>, %v4: vector<4xf32>, %v8: vector<8xf32>, %k: vector<4xi1>, %s: vector<4x8xf32>, %mm: vector<4x8xi1>) {
  %0 = vector.transfer_read %m[%i, %i], %x : memref<?x?xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %x {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  %2 = vector.transfer_read %m[%i, %i], %x, %k {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %3 = vector.transfer_write %v4, %t[%i, %i] {in_bounds = [true]} : vector<4xf32>, tensor<?x?xf32>
  vector.transfer_write %v4, %m[%i, %i], %k : vector<4xf32>, memref<?x?xf32>
  %4 = vector.contract #tr %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %5 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>, foo = 1 : i32} %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %6 = vector.mask %mask { vector.contract #tr %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32> } : vector<4x16x8xi1> -> vector<4x16xf32>
  %7 = vector.outerproduct %v4, %v8 : vector<4xf32>, vector<8xf32>
  %8 = vector.outerproduct %v4, %v8, %s {kind = #vector.kind<mul>} : vector<4xf32>, vector<8xf32>
  %9 = vector.outerproduct %v4, %x : vector<4xf32>, f32
  %10 = vector.extract %a[1] : vector<8xf32> from vector<4x8xf32>
  %11 = vector.extract %a[1, %i] : f32 from vector<4x8xf32>
  %12 = vector.extract %a[] : vector<4x8xf32> from vector<4x8xf32>
  %13 = vector.insert %x, %a[%i, 2] : f32 into vector<4x8xf32>
  %14 = vector.shuffle %v4, %v4 [0, 1, 2, 7, 5] : vector<4xf32>, vector<4xf32>
  %15 = vector.broadcast %x : f32 to vector<4xf32>
  vector.print %v4 : vector<4xf32>
  vector.print punctuation <comma>
  vector.print %x : f32 punctuation <no_punctuation>
  vector.print str "hello"
  vector.print punctuation <newline>
  %16 = vector.reduction <add>, %v4 : vector<4xf32> into f32
  %17 = vector.reduction <add>, %v4, %x fastmath<reassoc> : vector<4xf32> into f32
  %18 = vector.multi_reduction <add>, %a, %v4 [1] : vector<4x8xf32> to vector<4xf32>
  %19 = vector.mask %k { vector.reduction <add>, %v4 : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %20 = vector.mask %k, %v4 { vector.transfer_read %m[%i, %i], %x : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %k { vector.transfer_write %v4, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  vector.mask %k { } : vector<4xi1>
  %21:4 = vector.to_elements %v4 : vector<4xf32>
  %22 = vector.from_elements %x, %x : vector<2xf32>
  %23 = vector.step : vector<4xindex>
  %24 = vector.vscale
  %25 = vector.constant_mask [2] : vector<4xi1>
  %26 = vector.create_mask %i : vector<4xi1>
  %27 = vector.shape_cast %a : vector<4x8xf32> to vector<32xf32>
  %28 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %29 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.store %29, %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  %30 = vector.maskedload %m[%i, %i], %k, %v4 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %31 = vector.insert_strided_slice %v4, %a {offsets = [0, 1], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  %32 = vector.extract_strided_slice %a {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %33 = vector.fma %v4, %v4, %v4 : vector<4xf32>
  %34, %35 = vector.scan <add>, %a, %v4 {inclusive = true, reduction_dim = 1} : vector<4x8xf32>, vector<4xf32>
  %36 = vector.interleave %v4, %v4 : vector<4xf32> -> vector<8xf32>
  %37, %38 = vector.deinterleave %v4 : vector<4xf32> -> vector<2xf32>
  %39 = vector.bitcast %v4 : vector<4xf32> to vector<4xi32>
  return
}

// CHECK: #map = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: memref<?x?xf32>, %arg2: f32, %arg3: vector<4x8xf32>, %arg4: vector<8x16xf32>, %arg5: vector<4x16xf32>, %arg6: vector<4x16x8xi1>, %arg7: tensor<?x?xf32>, %arg8: vector<4xf32>, %arg9: vector<8xf32>, %arg10: vector<4xi1>, %arg11: vector<4x8xf32>, %arg12: vector<4x8xi1>) {
// CHECK-NEXT:     %0 = vector.transfer_read %arg1[%arg0, %arg0], %arg2 : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %arg1[%arg0, %arg0], %arg2 {in_bounds = [true], permutation_map = #map} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %arg1[%arg0, %arg0], %arg2, %arg10 {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:     %3 = vector.transfer_write %arg8, %arg7[%arg0, %arg0] {in_bounds = [true]} : vector<4xf32>, tensor<?x?xf32>
// CHECK-NEXT:     vector.transfer_write %arg8, %arg1[%arg0, %arg0], %arg10 : vector<4xf32>, memref<?x?xf32>
// CHECK-NEXT:     %4 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg3, %arg4, %arg5 : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
// CHECK-NEXT:     %5 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %arg3, %arg4, %arg5 {foo = 1 : i32} : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
// CHECK-NEXT:     %6 = vector.mask %arg6 { vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg3, %arg4, %arg5 : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32> } : vector<4x16x8xi1> -> vector<4x16xf32>
// CHECK-NEXT:     %7 = vector.outerproduct %arg8, %arg9 : vector<4xf32>, vector<8xf32>
// CHECK-NEXT:     %8 = vector.outerproduct %arg8, %arg9, %arg11 {kind = #vector.kind<mul>} : vector<4xf32>, vector<8xf32>
// CHECK-NEXT:     %9 = vector.outerproduct %arg8, %arg2 : vector<4xf32>, f32
// CHECK-NEXT:     %10 = vector.extract %arg3[1] : vector<8xf32> from vector<4x8xf32>
// CHECK-NEXT:     %11 = vector.extract %arg3[1, %arg0] : f32 from vector<4x8xf32>
// CHECK-NEXT:     %12 = vector.extract %arg3[] : vector<4x8xf32> from vector<4x8xf32>
// CHECK-NEXT:     %13 = vector.insert %arg2, %arg3 [%arg0, 2] : f32 into vector<4x8xf32>
// CHECK-NEXT:     %14 = vector.shuffle %arg8, %arg8 [0, 1, 2, 7, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:     %15 = vector.broadcast %arg2 : f32 to vector<4xf32>
// CHECK-NEXT:     vector.print %arg8 : vector<4xf32>
// CHECK-NEXT:     vector.print punctuation <comma>
// CHECK-NEXT:     vector.print %arg2 : f32 punctuation <no_punctuation>
// CHECK-NEXT:     vector.print str "hello"
// CHECK-NEXT:     vector.print
// CHECK-NEXT:     %16 = vector.reduction <add>, %arg8 : vector<4xf32> into f32
// CHECK-NEXT:     %17 = vector.reduction <add>, %arg8, %arg2 fastmath<reassoc> : vector<4xf32> into f32
// CHECK-NEXT:     %18 = vector.multi_reduction <add>, %arg3, %arg8 [1] : vector<4x8xf32> to vector<4xf32>
// CHECK-NEXT:     %19 = vector.mask %arg10 { vector.reduction <add>, %arg8 : vector<4xf32> into f32 } : vector<4xi1> -> f32
// CHECK-NEXT:     %20 = vector.mask %arg10, %arg8 { vector.transfer_read %arg1[%arg0, %arg0], %arg2 : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
// CHECK-NEXT:     vector.mask %arg10 { vector.transfer_write %arg8, %arg1[%arg0, %arg0] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
// CHECK-NEXT:     vector.mask %arg10 { vector.yield } : vector<4xi1>
// CHECK-NEXT:     %21:4 = vector.to_elements %arg8 : vector<4xf32>
// CHECK-NEXT:     %22 = vector.from_elements %arg2, %arg2 : vector<2xf32>
// CHECK-NEXT:     %23 = vector.step : vector<4xindex>
// CHECK-NEXT:     %vscale = vector.vscale
// CHECK-NEXT:     %24 = vector.constant_mask [2] : vector<4xi1>
// CHECK-NEXT:     %25 = vector.create_mask %arg0 : vector<4xi1>
// CHECK-NEXT:     %26 = vector.shape_cast %arg3 : vector<4x8xf32> to vector<32xf32>
// CHECK-NEXT:     %27 = vector.transpose %arg3, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
// CHECK-NEXT:     %28 = vector.load %arg1[%arg0, %arg0] : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:     vector.store %28, %arg1[%arg0, %arg0] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
// CHECK-NEXT:     %29 = vector.maskedload %arg1[%arg0, %arg0], %arg10, %arg8 : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %30 = vector.insert_strided_slice %arg8, %arg3 {offsets = [0, 1], strides = [1]} : vector<4xf32> into vector<4x8xf32>
// CHECK-NEXT:     %31 = vector.extract_strided_slice %arg3 {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
// CHECK-NEXT:     %32 = vector.fma %arg8, %arg8, %arg8 : vector<4xf32>
// CHECK-NEXT:     %dest, %accumulated_value = vector.scan <add>, %arg3, %arg8 {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
// CHECK-NEXT:     %33 = vector.interleave %arg8, %arg8 : vector<4xf32> -> vector<8xf32>
// CHECK-NEXT:     %res1, %res2 = vector.deinterleave %arg8 : vector<4xf32> -> vector<2xf32>
// CHECK-NEXT:     %34 = vector.bitcast %arg8 : vector<4xf32> to vector<4xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
