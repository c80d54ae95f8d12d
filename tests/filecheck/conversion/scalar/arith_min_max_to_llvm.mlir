// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @integers(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32) {
// CHECK-NEXT:     %0 = llvm.intr.smax(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:     %1 = llvm.intr.umax(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:     %2 = llvm.intr.smin(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:     %3 = llvm.intr.umin(%arg0, %arg1) : (i32, i32) -> i32
// CHECK-NEXT:     return %0, %1, %2, %3 : i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @integers(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.maxui %a, %b : i32
  %2 = arith.minsi %a, %b : i32
  %3 = arith.minui %a, %b : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: f32) -> (f32, f32, f32, f32) {
// CHECK-NEXT:     %0 = llvm.intr.maximum(%arg0, %arg1) : (f32, f32) -> f32
// CHECK-NEXT:     %1 = llvm.intr.maxnum(%arg0, %arg1) : (f32, f32) -> f32
// CHECK-NEXT:     %2 = llvm.intr.minimum(%arg0, %arg1) : (f32, f32) -> f32
// CHECK-NEXT:     %3 = llvm.intr.minnum(%arg0, %arg1) : (f32, f32) -> f32
// CHECK-NEXT:     return %0, %1, %2, %3 : f32, f32, f32, f32
// CHECK-NEXT:   }
func.func @floats(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.maxnumf %a, %b : f32
  %2 = arith.minimumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// CHECK-NEXT:   func.func @shifts_and_divisions(%arg0: i32, %arg1: i32) -> (i32, i32, i32, i32, i32, i32) {
// CHECK-NEXT:     %0 = llvm.ashr %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = llvm.lshr %arg0, %arg1 : i32
// CHECK-NEXT:     %2 = llvm.sdiv %arg0, %arg1 : i32
// CHECK-NEXT:     %3 = llvm.udiv %arg0, %arg1 : i32
// CHECK-NEXT:     %4 = llvm.srem %arg0, %arg1 : i32
// CHECK-NEXT:     %5 = llvm.urem %arg0, %arg1 : i32
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
// CHECK-NEXT:   }
func.func @shifts_and_divisions(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i32) {
  %0 = arith.shrsi %a, %b : i32
  %1 = arith.shrui %a, %b : i32
  %2 = arith.divsi %a, %b : i32
  %3 = arith.divui %a, %b : i32
  %4 = arith.remsi %a, %b : i32
  %5 = arith.remui %a, %b : i32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}

// CHECK-NEXT:   func.func @casts(%arg0: i8, %arg1: f32) -> (i32, i32, f32, f32, i8, i8) {
// CHECK-NEXT:     %0 = llvm.sext %arg0 : i8 to i32
// CHECK-NEXT:     %1 = llvm.zext %arg0 : i8 to i32
// CHECK-NEXT:     %2 = llvm.sitofp %arg0 : i8 to f32
// CHECK-NEXT:     %3 = llvm.uitofp %arg0 : i8 to f32
// CHECK-NEXT:     %4 = llvm.fptosi %arg1 : f32 to i8
// CHECK-NEXT:     %5 = llvm.fptoui %arg1 : f32 to i8
// CHECK-NEXT:     return %0, %1, %2, %3, %4, %5 : i32, i32, f32, f32, i8, i8
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @casts(%a: i8, %f: f32) -> (i32, i32, f32, f32, i8, i8) {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.extui %a : i8 to i32
  %2 = arith.sitofp %a : i8 to f32
  %3 = arith.uitofp %a : i8 to f32
  %4 = arith.fptosi %f : f32 to i8
  %5 = arith.fptoui %f : f32 to i8
  return %0, %1, %2, %3, %4, %5 : i32, i32, f32, f32, i8, i8
}
