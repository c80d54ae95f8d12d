// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(convert-linalg-reductions-to-gpu{threads=128},canonicalize))" | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @row_max(%arg0: memref<?x300xf32>, %arg1: memref<?xf32>) {
// CHECK-NEXT:     %c300 = arith.constant 300 : index
// CHECK-NEXT:     %cst = arith.constant 0xFF800000 : f32
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?x300xf32>
// CHECK-NEXT:     %0 = arith.cmpi ugt, %dim, %c0 : index
// CHECK-NEXT:     scf.if %0 {
// CHECK-NEXT:       gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %dim, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c128, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:         %1 = scf.for %arg14 = %arg5 to %c300 step %c128 iter_args(%arg15 = %cst) -> (f32) {
// CHECK-NEXT:           %4 = memref.load %arg0[%arg2, %arg14] : memref<?x300xf32>
// CHECK-NEXT:           %5 = arith.maximumf %arg15, %4 : f32
// CHECK-NEXT:           scf.yield %5 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         %2 = gpu.all_reduce  maximumf %1 uniform {
// CHECK-NEXT:         } : (f32) -> f32
// CHECK-NEXT:         %3 = arith.cmpi eq, %arg5, %c0 : index
// CHECK-NEXT:         scf.if %3 {
// CHECK-NEXT:           %4 = memref.load %arg1[%arg2] : memref<?xf32>
// CHECK-NEXT:           %5 = arith.maximumf %4, %2 : f32
// CHECK-NEXT:           memref.store %5, %arg1[%arg2] : memref<?xf32>
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.terminator
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @row_max(%a: memref<?x300xf32>, %b: memref<?xf32>) {
  linalg.reduce {arith.maximumf} ins(%a : memref<?x300xf32>) outs(%b : memref<?xf32>) dimensions = [1]
  return
}

// Fewer threads for a row of 96; the row's sum of squares over two dimensions.
// CHECK-NEXT:   func.func @squares(%arg0: memref<4x3x96xf64>, %arg1: memref<4xf64>) {
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c96 = arith.constant 96 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c4, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c96, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %0 = scf.for %arg14 = %c0 to %c3 step %c1 iter_args(%arg15 = %cst) -> (f64) {
// CHECK-NEXT:         %3 = scf.for %arg16 = %arg5 to %c96 step %c96 iter_args(%arg17 = %arg15) -> (f64) {
// CHECK-NEXT:           %4 = memref.load %arg0[%arg2, %arg14, %arg16] : memref<4x3x96xf64>
// CHECK-NEXT:           %5 = arith.mulf %4, %4 : f64
// CHECK-NEXT:           %6 = arith.addf %5, %arg17 fastmath<contract> : f64
// CHECK-NEXT:           scf.yield %6 : f64
// CHECK-NEXT:         }
// CHECK-NEXT:         scf.yield %3 : f64
// CHECK-NEXT:       }
// CHECK-NEXT:       %1 = gpu.all_reduce  add %0 uniform {
// CHECK-NEXT:       } : (f64) -> f64
// CHECK-NEXT:       %2 = arith.cmpi eq, %arg5, %c0 : index
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %3 = memref.load %arg1[%arg2] : memref<4xf64>
// CHECK-NEXT:         %4 = arith.addf %3, %1 fastmath<contract> : f64
// CHECK-NEXT:         memref.store %4, %arg1[%arg2] : memref<4xf64>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @squares(%a: memref<4x3x96xf64>, %b: memref<4xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>],
      iterator_types = ["parallel", "reduction", "reduction"]} ins(%a : memref<4x3x96xf64>) outs(%b : memref<4xf64>) {
  ^bb0(%x: f64, %o: f64):
    %0 = arith.mulf %x, %x : f64
    %1 = arith.addf %0, %o fastmath<contract> : f64
    linalg.yield %1 : f64
  }
  return
}

// Left alone: columns, short rows, elements that are not exchanged between threads.
// CHECK-NEXT:   func.func @others(%arg0: memref<300x8xf32>, %arg1: memref<8xf32>, %arg2: memref<300xf32>, %arg3: memref<8x300xf16>, %arg4: memref<8xf16>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c300 = arith.constant 300 : index
// CHECK-NEXT:     %cst = arith.constant -0.000000e+00 : f16
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     linalg.reduce { arith.addf } ins(%arg0 : memref<300x8xf32>) outs(%arg1 : memref<8xf32>) dimensions = [0]
// CHECK-NEXT:     linalg.reduce { arith.addf } ins(%arg0 : memref<300x8xf32>) outs(%arg2 : memref<300xf32>) dimensions = [1]
// CHECK-NEXT:     gpu.launch blocks(%arg5, %arg6, %arg7) in (%arg11 = %c8, %arg12 = %c1, %arg13 = %c1) threads(%arg8, %arg9, %arg10) in (%arg14 = %c128, %arg15 = %c1, %arg16 = %c1) {
// CHECK-NEXT:       %0 = scf.for %arg17 = %arg8 to %c300 step %c128 iter_args(%arg18 = %cst) -> (f16) {
// CHECK-NEXT:         %5 = memref.load %arg3[%arg5, %arg17] : memref<8x300xf16>
// CHECK-NEXT:         %6 = arith.addf %arg18, %5 : f16
// CHECK-NEXT:         scf.yield %6 : f16
// CHECK-NEXT:       }
// CHECK-NEXT:       %1 = arith.extf %0 : f16 to f32
// CHECK-NEXT:       %2 = gpu.all_reduce  add %1 uniform {
// CHECK-NEXT:       } : (f32) -> f32
// CHECK-NEXT:       %3 = arith.truncf %2 : f32 to f16
// CHECK-NEXT:       %4 = arith.cmpi eq, %arg8, %c0 : index
// CHECK-NEXT:       scf.if %4 {
// CHECK-NEXT:         %5 = memref.load %arg4[%arg5] : memref<8xf16>
// CHECK-NEXT:         %6 = arith.addf %5, %3 : f16
// CHECK-NEXT:         memref.store %6, %arg4[%arg5] : memref<8xf16>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @others(%a: memref<300x8xf32>, %b: memref<8xf32>, %c: memref<300xf32>, %d: memref<8x300xf16>, %e: memref<8xf16>) {
  linalg.reduce {arith.addf} ins(%a : memref<300x8xf32>) outs(%b : memref<8xf32>) dimensions = [0]
  linalg.reduce {arith.addf} ins(%a : memref<300x8xf32>) outs(%c : memref<300xf32>) dimensions = [1]
  linalg.reduce {arith.addf} ins(%d : memref<8x300xf16>) outs(%e : memref<8xf16>) dimensions = [1]
  return
}

// Bytes are exchanged as words.
// CHECK-NEXT:   func.func @bytes(%arg0: memref<4x128xi8>, %arg1: memref<4xi8>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c-128_i8 = arith.constant -128 : i8
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c4, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c128, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %0 = scf.for %arg14 = %arg5 to %c128 step %c128 iter_args(%arg15 = %c-128_i8) -> (i8) {
// CHECK-NEXT:         %5 = memref.load %arg0[%arg2, %arg14] : memref<4x128xi8>
// CHECK-NEXT:         %6 = arith.maxsi %arg15, %5 : i8
// CHECK-NEXT:         scf.yield %6 : i8
// CHECK-NEXT:       }
// CHECK-NEXT:       %1 = arith.extsi %0 : i8 to i32
// CHECK-NEXT:       %2 = gpu.all_reduce  maxsi %1 uniform {
// CHECK-NEXT:       } : (i32) -> i32
// CHECK-NEXT:       %3 = arith.trunci %2 : i32 to i8
// CHECK-NEXT:       %4 = arith.cmpi eq, %arg5, %c0 : index
// CHECK-NEXT:       scf.if %4 {
// CHECK-NEXT:         %5 = memref.load %arg1[%arg2] : memref<4xi8>
// CHECK-NEXT:         %6 = arith.maxsi %5, %3 : i8
// CHECK-NEXT:         memref.store %6, %arg1[%arg2] : memref<4xi8>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @bytes(%a: memref<4x128xi8>, %b: memref<4xi8>) {
  linalg.reduce { arith.maxsi } ins(%a : memref<4x128xi8>) outs(%b : memref<4xi8>) dimensions = [1]
  return
}
