// RUN: xgpu-opt --gpu-kernels-from-linalg-pipeline="threads=32,2" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --gpu-from-linalg-pipeline="chip=sm_80 format=isa copy-bytes=8" %s | filecheck %s --check-prefix=BINARY

// CHECK: #map = affine_map<()[s0] -> (s0 ceildiv 64)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * 64 + s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @exp(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     %memref = gpu.alloc  (%dim) : memref<?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     %1 = arith.cmpi ugt, %0, %c0 : index
// CHECK-NEXT:     scf.if %1 {
// CHECK-NEXT:       gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c64, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:         %2 = affine.apply #map1()[%arg2, %arg5]
// CHECK-NEXT:         %3 = arith.cmpi ult, %2, %dim : index
// CHECK-NEXT:         scf.if %3 {
// CHECK-NEXT:           %4 = memref.load %arg0[%2] : memref<?xf32>
// CHECK-NEXT:           %5 = memref.load %arg1[%2] : memref<?xf32>
// CHECK-NEXT:           %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:           %7 = math.exp %6 : f32
// CHECK-NEXT:           memref.store %7, %memref[%2] : memref<?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.terminator
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return %memref : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// BINARY: llvm.func @exp
// BINARY: gpu.binary @exp_kernel
func.func @exp(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y : tensor<?xf32>
  %1 = math.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
