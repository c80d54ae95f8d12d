// RUN: xgpu-opt --convert-linalg-contractions-to-gpu="tile-sizes=4,8,4 threads=8,4" --canonicalize --cse %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0, s1] -> (s0 * 4 + s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * 8 + s1)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (d0 + s0 * 4)>
// CHECK-NEXT: #map3 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (d0 + s0 * 8)>
// CHECK-NEXT: #map5 = affine_map<()[s0] -> (s0 ceildiv 4)>
// CHECK-NEXT: #map6 = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-NEXT: #map7 = affine_map<(d0) -> (d0 * 4)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @whole_tiles(%arg0: memref<8x16xf32>, %arg1: memref<16x32xf32>, %arg2: memref<8x32xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c8, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c8, %arg13 = %c4, %arg14 = %c1) workgroup(%arg15 : memref<4x4xf32, #gpu.address_space<workgroup>>, %arg16 : memref<4x8xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %0 = arith.divui %arg3, %c4 : index
// CHECK-NEXT:       %1 = arith.remui %arg3, %c4 : index
// CHECK-NEXT:       %2 = affine.apply #map()[%0, %arg7]
// CHECK-NEXT:       %3 = affine.apply #map1()[%1, %arg6]
// CHECK-NEXT:       %4 = memref.load %arg2[%2, %3] : memref<8x32xf32>
// CHECK-NEXT:       %5 = scf.for %arg17 = %c0 to %c4 step %c1 iter_args(%arg18 = %4) -> (f32) {
// CHECK-NEXT:         scf.forall (%arg19, %arg20) in (4, 4) {
// CHECK-NEXT:           %7 = affine.apply #map2(%arg19)[%0]
// CHECK-NEXT:           %8 = affine.apply #map3(%arg20, %arg17)
// CHECK-NEXT:           %9 = memref.load %arg0[%7, %8] : memref<8x16xf32>
// CHECK-NEXT:           memref.store %9, %arg15[%arg20, %arg19] : memref<4x4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:         } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         scf.forall (%arg19, %arg20) in (4, 8) {
// CHECK-NEXT:           %7 = affine.apply #map3(%arg19, %arg17)
// CHECK-NEXT:           %8 = affine.apply #map4(%arg20)[%1]
// CHECK-NEXT:           %9 = memref.load %arg1[%7, %8] : memref<16x32xf32>
// CHECK-NEXT:           memref.store %9, %arg16[%arg19, %arg20] : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:         } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %6 = scf.for %arg19 = %c0 to %c4 step %c1 iter_args(%arg20 = %arg18) -> (f32) {
// CHECK-NEXT:           %7 = memref.load %arg15[%arg19, %arg7] : memref<4x4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %8 = memref.load %arg16[%arg19, %arg6] : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %9 = arith.mulf %7, %8 : f32
// CHECK-NEXT:           %10 = arith.addf %arg20, %9 : f32
// CHECK-NEXT:           scf.yield %10 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         scf.yield %6 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.store %5, %arg2[%2, %3] : memref<8x32xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @whole_tiles(%a: memref<8x16xf32>, %b: memref<16x32xf32>, %c: memref<8x32xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xf32>, memref<16x32xf32>) outs(%c : memref<8x32xf32>)
  return
}

// CHECK-NEXT:   func.func @dynamic(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT:     %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
// CHECK-NEXT:     %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map5()[%dim]
// CHECK-NEXT:     %1 = affine.apply #map6()[%dim_1]
// CHECK-NEXT:     %2 = arith.muli %0, %1 : index
// CHECK-NEXT:     %3 = arith.cmpi ugt, %2, %c0 : index
// CHECK-NEXT:     scf.if %3 {
// CHECK-NEXT:       gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %2, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c8, %arg13 = %c4, %arg14 = %c1) workgroup(%arg15 : memref<4x4xf32, #gpu.address_space<workgroup>>, %arg16 : memref<4x8xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:         %4 = arith.divui %arg3, %1 : index
// CHECK-NEXT:         %5 = arith.remui %arg3, %1 : index
// CHECK-NEXT:         %6 = affine.apply #map()[%4, %arg7]
// CHECK-NEXT:         %7 = affine.apply #map1()[%5, %arg6]
// CHECK-NEXT:         %8 = arith.cmpi ult, %6, %dim : index
// CHECK-NEXT:         %9 = arith.cmpi ult, %7, %dim_1 : index
// CHECK-NEXT:         %10 = arith.andi %8, %9 : i1
// CHECK-NEXT:         %11 = scf.if %10 -> (f32) {
// CHECK-NEXT:           %14 = memref.load %arg2[%6, %7] : memref<?x?xf32>
// CHECK-NEXT:           scf.yield %14 : f32
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.yield %cst : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         %12 = affine.apply #map5()[%dim_0]
// CHECK-NEXT:         %13 = scf.for %arg17 = %c0 to %12 step %c1 iter_args(%arg18 = %11) -> (f32) {
// CHECK-NEXT:           %14 = affine.apply #map7(%arg17)
// CHECK-NEXT:           scf.forall (%arg19, %arg20) in (4, 4) {
// CHECK-NEXT:             %18 = affine.apply #map2(%arg19)[%4]
// CHECK-NEXT:             %19 = affine.apply #map3(%arg20, %arg17)
// CHECK-NEXT:             %20 = arith.cmpi ult, %18, %dim : index
// CHECK-NEXT:             %21 = arith.cmpi ult, %19, %dim_0 : index
// CHECK-NEXT:             %22 = arith.andi %20, %21 : i1
// CHECK-NEXT:             %23 = scf.if %22 -> (f32) {
// CHECK-NEXT:               %24 = memref.load %arg0[%18, %19] : memref<?x?xf32>
// CHECK-NEXT:               scf.yield %24 : f32
// CHECK-NEXT:             } else {
// CHECK-NEXT:               scf.yield %cst : f32
// CHECK-NEXT:             }
// CHECK-NEXT:             memref.store %23, %arg15[%arg20, %arg19] : memref<4x4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:           scf.forall (%arg19, %arg20) in (4, 8) {
// CHECK-NEXT:             %18 = affine.apply #map4(%arg20)[%5]
// CHECK-NEXT:             %19 = affine.apply #map3(%arg19, %arg17)
// CHECK-NEXT:             %20 = arith.cmpi ult, %18, %dim_1 : index
// CHECK-NEXT:             %21 = arith.cmpi ult, %19, %dim_0 : index
// CHECK-NEXT:             %22 = arith.andi %20, %21 : i1
// CHECK-NEXT:             %23 = scf.if %22 -> (f32) {
// CHECK-NEXT:               %24 = memref.load %arg1[%19, %18] : memref<?x?xf32>
// CHECK-NEXT:               scf.yield %24 : f32
// CHECK-NEXT:             } else {
// CHECK-NEXT:               scf.yield %cst : f32
// CHECK-NEXT:             }
// CHECK-NEXT:             memref.store %23, %arg16[%arg19, %arg20] : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           %15 = arith.subi %dim_0, %14 : index
// CHECK-NEXT:           %16 = arith.minui %15, %c4 : index
// CHECK-NEXT:           %17 = scf.for %arg19 = %c0 to %16 step %c1 iter_args(%arg20 = %arg18) -> (f32) {
// CHECK-NEXT:             %18 = memref.load %arg15[%arg19, %arg7] : memref<4x4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %19 = memref.load %arg16[%arg19, %arg6] : memref<4x8xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %20 = arith.mulf %18, %19 : f32
// CHECK-NEXT:             %21 = arith.addf %arg20, %20 : f32
// CHECK-NEXT:             scf.yield %21 : f32
// CHECK-NEXT:           }
// CHECK-NEXT:           gpu.barrier
// CHECK-NEXT:           scf.yield %17 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.if %10 {
// CHECK-NEXT:           memref.store %13, %arg2[%6, %7] : memref<?x?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.terminator
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Two rows only: fetching tiles would not pay.
// CHECK-NEXT:   func.func @few_rows(%arg0: memref<2x16xf32>, %arg1: memref<16x32xf32>, %arg2: memref<2x32xf32>) {
// CHECK-NEXT:     linalg.matmul ins(%arg0, %arg1 : memref<2x16xf32>, memref<16x32xf32>) outs(%arg2 : memref<2x32xf32>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @few_rows(%a: memref<2x16xf32>, %b: memref<16x32xf32>, %c: memref<2x32xf32>) {
  linalg.matmul ins(%a, %b : memref<2x16xf32>, memref<16x32xf32>) outs(%c : memref<2x32xf32>)
  return
}
