// RUN: xgpu-opt %s --lower-affine | filecheck %s

// Every affine operation.

func.func @e(%a: index, %b: index) -> (index, index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 mod 7 + s0 * d0 - 3)>(%a)[%b]
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 7)>(%a)[%b]
  %2 = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv 7)>(%a)[%b]
  %3 = affine.apply affine_map<(d0)[s0] -> (d0 mod s0 + d0 floordiv s0 + d0 ceildiv s0)>(%a)[%b]
  return %0, %1, %2, %3 : index, index, index, index
}
func.func @mm(%a: index, %b: index) -> (index, index) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0, s0, 5)>(%a)[%b]
  %1 = affine.max affine_map<(d0)[s0] -> (d0 + 1, s0)>(%a)[%b]
  return %0, %1 : index, index
}
func.func @l(%a: index, %b: index, %m: memref<10xf32>, %v: vector<4xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = max affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b] to min affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b] step 3 iter_args(%q = %z) -> f32 {
    %w = affine.load %m[%i + 3] : memref<10xf32>
    affine.store %w, %m[%i * 2 + symbol(%b)] : memref<10xf32>
    affine.if affine_set<(d0)[s0]: (d0 - 1 >= 0, d0 == 0, s0 - d0 >= 0)>(%i)[%b] { affine.store %w, %m[%i] : memref<10xf32> } else { affine.prefetch %m[%i], read, locality<3>, data : memref<10xf32> }
    %vv = affine.vector_load %m[%i] : memref<10xf32>, vector<4xf32>
    affine.vector_store %vv, %m[%i + 1] : memref<10xf32>, vector<4xf32>
    affine.yield %w : f32
  }
  %x = affine.if affine_set<(d0): (d0 >= 0)>(%a) -> f32 { affine.yield %r : f32 } else { affine.yield %z : f32 }
  affine.if affine_set<(d0): ()>(%a) { }
  affine.parallel (%i, %j) = (0, %a) to (10, min(%a, %b)) step (1, 2) { affine.store %r, %m[%i] : memref<10xf32> }
  %rr = affine.parallel (%i, %j) = (0, 0) to (10, 20) reduce ("addf") -> f32 { %w = affine.load %m[%i] : memref<10xf32>
     affine.yield %w : f32 }
  return %rr : f32
}
func.func @lin(%a: index, %b: index, %c: index) -> (index, index, index, index) {
  %0:3 = affine.delinearize_index %a into (%b, 4, 8) : index, index, index
  %1 = affine.linearize_index [%a, %b, %c] by (3, %c, 5) : index
  return %0#0, %0#1, %0#2, %1 : index, index, index, index
}

// CHECK: module {
// CHECK-NEXT: func.func @e(%arg0: index, %arg1: index) -> (index, index, index, index) {
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %0 = arith.remsi %arg0, %c7 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %c0 : index
// CHECK-NEXT: %2 = arith.addi %0, %c7 : index
// CHECK-NEXT: %3 = arith.select %1, %2, %0 : index
// CHECK-NEXT: %4 = arith.muli %arg0, %arg1 overflow<nsw> : index
// CHECK-NEXT: %5 = arith.addi %3, %4 : index
// CHECK-NEXT: %c-3 = arith.constant -3 : index
// CHECK-NEXT: %6 = arith.addi %5, %c-3 : index
// CHECK-NEXT: %c7_0 = arith.constant 7 : index
// CHECK-NEXT: %c0_1 = arith.constant 0 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %7 = arith.cmpi slt, %arg0, %c0_1 : index
// CHECK-NEXT: %8 = arith.subi %c-1, %arg0 : index
// CHECK-NEXT: %9 = arith.select %7, %8, %arg0 : index
// CHECK-NEXT: %10 = arith.divsi %9, %c7_0 : index
// CHECK-NEXT: %11 = arith.subi %c-1, %10 : index
// CHECK-NEXT: %12 = arith.select %7, %11, %10 : index
// CHECK-NEXT: %c7_2 = arith.constant 7 : index
// CHECK-NEXT: %c0_3 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %13 = arith.cmpi sle, %arg0, %c0_3 : index
// CHECK-NEXT: %14 = arith.subi %c0_3, %arg0 : index
// CHECK-NEXT: %15 = arith.subi %arg0, %c1 : index
// CHECK-NEXT: %16 = arith.select %13, %14, %15 : index
// CHECK-NEXT: %17 = arith.divsi %16, %c7_2 : index
// CHECK-NEXT: %18 = arith.subi %c0_3, %17 : index
// CHECK-NEXT: %19 = arith.addi %17, %c1 : index
// CHECK-NEXT: %20 = arith.select %13, %18, %19 : index
// CHECK-NEXT: %21 = arith.remsi %arg0, %arg1 : index
// CHECK-NEXT: %c0_4 = arith.constant 0 : index
// CHECK-NEXT: %22 = arith.cmpi slt, %21, %c0_4 : index
// CHECK-NEXT: %23 = arith.addi %21, %arg1 : index
// CHECK-NEXT: %24 = arith.select %22, %23, %21 : index
// CHECK-NEXT: %c0_5 = arith.constant 0 : index
// CHECK-NEXT: %c-1_6 = arith.constant -1 : index
// CHECK-NEXT: %25 = arith.cmpi slt, %arg0, %c0_5 : index
// CHECK-NEXT: %26 = arith.subi %c-1_6, %arg0 : index
// CHECK-NEXT: %27 = arith.select %25, %26, %arg0 : index
// CHECK-NEXT: %28 = arith.divsi %27, %arg1 : index
// CHECK-NEXT: %29 = arith.subi %c-1_6, %28 : index
// CHECK-NEXT: %30 = arith.select %25, %29, %28 : index
// CHECK-NEXT: %31 = arith.addi %24, %30 : index
// CHECK-NEXT: %c0_7 = arith.constant 0 : index
// CHECK-NEXT: %c1_8 = arith.constant 1 : index
// CHECK-NEXT: %32 = arith.cmpi sle, %arg0, %c0_7 : index
// CHECK-NEXT: %33 = arith.subi %c0_7, %arg0 : index
// CHECK-NEXT: %34 = arith.subi %arg0, %c1_8 : index
// CHECK-NEXT: %35 = arith.select %32, %33, %34 : index
// CHECK-NEXT: %36 = arith.divsi %35, %arg1 : index
// CHECK-NEXT: %37 = arith.subi %c0_7, %36 : index
// CHECK-NEXT: %38 = arith.addi %36, %c1_8 : index
// CHECK-NEXT: %39 = arith.select %32, %37, %38 : index
// CHECK-NEXT: %40 = arith.addi %31, %39 : index
// CHECK-NEXT: return %6, %12, %20, %40 : index, index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: func.func @mm(%arg0: index, %arg1: index) -> (index, index) {
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %0 = arith.minsi %arg0, %arg1 : index
// CHECK-NEXT: %1 = arith.minsi %0, %c5 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %2 = arith.addi %arg0, %c1 : index
// CHECK-NEXT: %3 = arith.maxsi %2, %arg1 : index
// CHECK-NEXT: return %1, %3 : index, index
// CHECK-NEXT: }
// CHECK-NEXT: func.func @l(%arg0: index, %arg1: index, %arg2: memref<10xf32>, %arg3: vector<4xf32>) -> f32 {
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = arith.maxsi %arg0, %arg1 : index
// CHECK-NEXT: %1 = arith.minsi %arg0, %arg1 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %2 = scf.for %arg4 = %0 to %1 step %c3 iter_args(%arg5 = %cst) -> (f32) {
// CHECK-NEXT: %c3_9 = arith.constant 3 : index
// CHECK-NEXT: %8 = arith.addi %arg4, %c3_9 : index
// CHECK-NEXT: %9 = memref.load %arg2[%8] : memref<10xf32>
// CHECK-NEXT: %c2_10 = arith.constant 2 : index
// CHECK-NEXT: %10 = arith.muli %arg4, %c2_10 overflow<nsw> : index
// CHECK-NEXT: %11 = arith.addi %10, %arg1 : index
// CHECK-NEXT: memref.store %9, %arg2[%11] : memref<10xf32>
// CHECK-NEXT: %c0_11 = arith.constant 0 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %12 = arith.addi %arg4, %c-1 : index
// CHECK-NEXT: %13 = arith.cmpi sge, %12, %c0_11 : index
// CHECK-NEXT: %14 = arith.cmpi eq, %arg4, %c0_11 : index
// CHECK-NEXT: %15 = arith.andi %13, %14 : i1
// CHECK-NEXT: %c-1_12 = arith.constant -1 : index
// CHECK-NEXT: %16 = arith.muli %arg4, %c-1_12 overflow<nsw> : index
// CHECK-NEXT: %17 = arith.addi %16, %arg1 : index
// CHECK-NEXT: %18 = arith.cmpi sge, %17, %c0_11 : index
// CHECK-NEXT: %19 = arith.andi %15, %18 : i1
// CHECK-NEXT: scf.if %19 {
// CHECK-NEXT: memref.store %9, %arg2[%arg4] : memref<10xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: memref.prefetch %arg2[%arg4], read, locality<3>, data : memref<10xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %20 = vector.load %arg2[%arg4] : memref<10xf32>, vector<4xf32>
// CHECK-NEXT: %c1_13 = arith.constant 1 : index
// CHECK-NEXT: %21 = arith.addi %arg4, %c1_13 : index
// CHECK-NEXT: vector.store %20, %arg2[%21] : memref<10xf32>, vector<4xf32>
// CHECK-NEXT: scf.yield %9 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %3 = arith.cmpi sge, %arg0, %c0 : index
// CHECK-NEXT: %4 = scf.if %3 -> (f32) {
// CHECK-NEXT: scf.yield %2 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %cst : f32
// CHECK-NEXT: }
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %c0_1 = arith.constant 0 : index
// CHECK-NEXT: %5 = arith.cmpi eq, %c0_1, %c0_0 : index
// CHECK-NEXT: scf.if %5 {
// CHECK-NEXT: }
// CHECK-NEXT: %c0_2 = arith.constant 0 : index
// CHECK-NEXT: %c10 = arith.constant 10 : index
// CHECK-NEXT: %6 = arith.minsi %arg0, %arg1 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: scf.parallel (%arg4, %arg5) = (%c0_2, %arg0) to (%c10, %6) step (%c1, %c2) {
// CHECK-NEXT: memref.store %2, %arg2[%arg4] : memref<10xf32>
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: %c0_3 = arith.constant 0 : index
// CHECK-NEXT: %c10_4 = arith.constant 10 : index
// CHECK-NEXT: %c0_5 = arith.constant 0 : index
// CHECK-NEXT: %c20 = arith.constant 20 : index
// CHECK-NEXT: %c1_6 = arith.constant 1 : index
// CHECK-NEXT: %c1_7 = arith.constant 1 : index
// CHECK-NEXT: %cst_8 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %7 = scf.parallel (%arg4, %arg5) = (%c0_3, %c0_5) to (%c10_4, %c20) step (%c1_6, %c1_7) init (%cst_8) -> f32 {
// CHECK-NEXT: %8 = memref.load %arg2[%arg4] : memref<10xf32>
// CHECK-NEXT: scf.reduce(%8 : f32) {
// CHECK-NEXT: ^bb0(%arg6: f32, %arg7: f32):
// CHECK-NEXT: %9 = arith.addf %arg6, %arg7 : f32
// CHECK-NEXT: scf.reduce.return %9 : f32
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return %7 : f32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @lin(%arg0: index, %arg1: index, %arg2: index) -> (index, index, index, index) {
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c32 = arith.constant 32 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = arith.floordivsi %arg0, %c32 : index
// CHECK-NEXT: %1 = arith.remsi %arg0, %c32 : index
// CHECK-NEXT: %2 = arith.cmpi slt, %1, %c0 : index
// CHECK-NEXT: %3 = arith.addi %1, %c32 overflow<nsw> : index
// CHECK-NEXT: %4 = arith.select %2, %3, %1 : index
// CHECK-NEXT: %5 = arith.divsi %4, %c8 : index
// CHECK-NEXT: %6 = arith.remsi %arg0, %c8 : index
// CHECK-NEXT: %7 = arith.cmpi slt, %6, %c0 : index
// CHECK-NEXT: %8 = arith.addi %6, %c8 overflow<nsw> : index
// CHECK-NEXT: %9 = arith.select %7, %8, %6 : index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %c5_0 = arith.constant 5 : index
// CHECK-NEXT: %10 = arith.muli %arg2, %c5_0 overflow<nsw> : index
// CHECK-NEXT: %11 = arith.muli %arg0, %10 overflow<nsw> : index
// CHECK-NEXT: %12 = arith.muli %arg1, %c5 overflow<nsw> : index
// CHECK-NEXT: %13 = arith.addi %11, %12 overflow<nsw> : index
// CHECK-NEXT: %14 = arith.addi %13, %arg2 overflow<nsw> : index
// CHECK-NEXT: return %0, %5, %9, %14 : index, index, index, index
// CHECK-NEXT: }
// CHECK-NEXT: }
