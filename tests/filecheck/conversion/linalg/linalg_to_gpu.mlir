// RUN: xgpu-opt --convert-linalg-to-gpu=threads=128 --canonicalize --cse %s | filecheck %s --match-full-lines

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#nothing = affine_map<(d0) -> ()>
#one = affine_map<(d0) -> (d0)>

// CHECK: #map = affine_map<()[s0] -> (s0 ceildiv 128)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * 128 + s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @column_sum(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT:     %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim_0]
// CHECK-NEXT:     %1 = arith.cmpi ugt, %0, %c0 : index
// CHECK-NEXT:     scf.if %1 {
// CHECK-NEXT:       gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c128, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:         %2 = affine.apply #map1()[%arg2, %arg5]
// CHECK-NEXT:         %3 = arith.cmpi ult, %2, %dim_0 : index
// CHECK-NEXT:         scf.if %3 {
// CHECK-NEXT:           %4 = memref.load %arg1[%2] : memref<?xf32>
// CHECK-NEXT:           %5 = scf.for %arg14 = %c0 to %dim step %c1 iter_args(%arg15 = %4) -> (f32) {
// CHECK-NEXT:             %6 = memref.load %arg0[%arg14, %2] : memref<?x?xf32>
// CHECK-NEXT:             %7 = arith.addf %6, %arg15 : f32
// CHECK-NEXT:             scf.yield %7 : f32
// CHECK-NEXT:           }
// CHECK-NEXT:           memref.store %5, %arg1[%2] : memref<?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.terminator
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @column_sum(%a: memref<?x?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-NEXT:   func.func @total(%arg0: memref<9xf32>, %arg1: memref<f32>) {
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c1, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c1, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %0 = memref.load %arg1[] : memref<f32>
// CHECK-NEXT:       %1 = scf.for %arg14 = %c0 to %c9 step %c1 iter_args(%arg15 = %0) -> (f32) {
// CHECK-NEXT:         %2 = memref.load %arg0[%arg14] : memref<9xf32>
// CHECK-NEXT:         %3 = arith.addf %2, %arg15 : f32
// CHECK-NEXT:         scf.yield %3 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       memref.store %1, %arg1[] : memref<f32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @total(%a: memref<9xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [#one, #nothing], iterator_types = ["reduction"]}
      ins(%a : memref<9xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-NEXT:   func.func @copy_and_fill(%arg0: memref<4x256xf32>, %arg1: memref<4x256xf32, strided<[512, 1]>>, %arg2: f32) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c8, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c128, %arg13 = %c1, %arg14 = %c1) {
// CHECK-NEXT:       %0 = arith.divui %arg3, %c2 : index
// CHECK-NEXT:       %1 = arith.remui %arg3, %c2 : index
// CHECK-NEXT:       %2 = affine.apply #map1()[%1, %arg6]
// CHECK-NEXT:       %3 = memref.load %arg0[%0, %2] : memref<4x256xf32>
// CHECK-NEXT:       memref.store %3, %arg1[%0, %2] : memref<4x256xf32, strided<[512, 1]>>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c8, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c128, %arg13 = %c1, %arg14 = %c1) {
// CHECK-NEXT:       %0 = arith.divui %arg3, %c2 : index
// CHECK-NEXT:       %1 = arith.remui %arg3, %c2 : index
// CHECK-NEXT:       %2 = affine.apply #map1()[%1, %arg6]
// CHECK-NEXT:       memref.store %arg2, %arg0[%0, %2] : memref<4x256xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copy_and_fill(%a: memref<4x256xf32>, %b: memref<4x256xf32, strided<[512, 1]>>, %x: f32) {
  memref.copy %a, %b : memref<4x256xf32> to memref<4x256xf32, strided<[512, 1]>>
  linalg.fill ins(%x : f32) outs(%a : memref<4x256xf32>)
  return
}

// What runs on the device already stays as it is.
// CHECK-NEXT:   func.func @inside(%arg0: memref<4xf32>, %arg1: f32) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c1, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c1, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @inside(%a: memref<4xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
    gpu.terminator
  }
  return
}
