// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s

// Divisions that round, and arithmetic of floats with flags.

// CHECK: module {
// CHECK-NEXT:   func.func @divisions(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %0 = llvm.sdiv %arg0, %arg1 : i32
// CHECK-NEXT:     %1 = llvm.mul %0, %arg1 : i32
// CHECK-NEXT:     %2 = llvm.icmp "ne" %arg0, %1 : i32
// CHECK-NEXT:     %3 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %4 = llvm.icmp "slt" %arg0, %3 : i32
// CHECK-NEXT:     %5 = llvm.icmp "slt" %arg1, %3 : i32
// CHECK-NEXT:     %6 = llvm.icmp "ne" %4, %5 : i1
// CHECK-NEXT:     %7 = llvm.and %2, %6 : i1
// CHECK-NEXT:     %8 = llvm.mlir.constant(-1 : i32) : i32
// CHECK-NEXT:     %9 = llvm.add %0, %8 : i32
// CHECK-NEXT:     %10 = llvm.select %7, %9, %0 : i1, i32
// CHECK-NEXT:     %11 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %12 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %13 = llvm.sdiv %arg0, %arg1 : i32
// CHECK-NEXT:     %14 = llvm.mul %13, %arg1 : i32
// CHECK-NEXT:     %15 = llvm.icmp "ne" %arg0, %14 : i32
// CHECK-NEXT:     %16 = llvm.icmp "slt" %arg0, %11 : i32
// CHECK-NEXT:     %17 = llvm.icmp "slt" %arg1, %11 : i32
// CHECK-NEXT:     %18 = llvm.icmp "eq" %16, %17 : i1
// CHECK-NEXT:     %19 = llvm.and %15, %18 : i1
// CHECK-NEXT:     %20 = llvm.add %13, %12 : i32
// CHECK-NEXT:     %21 = llvm.select %19, %20, %13 : i1, i32
// CHECK-NEXT:     %22 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %23 = llvm.icmp "eq" %arg0, %22 : i32
// CHECK-NEXT:     %24 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %25 = llvm.sub %arg0, %24 : i32
// CHECK-NEXT:     %26 = llvm.udiv %25, %arg1 : i32
// CHECK-NEXT:     %27 = llvm.add %26, %24 : i32
// CHECK-NEXT:     %28 = llvm.select %23, %22, %27 : i1, i32
// CHECK-NEXT:     return %10, %21, %28 : i32, i32, i32
// CHECK-NEXT:   }
func.func @divisions(%a: i32, %b: i32) -> (i32, i32, i32) {
  %0 = arith.floordivsi %a, %b : i32
  %1 = arith.ceildivsi %a, %b : i32
  %2 = arith.ceildivui %a, %b : i32
  return %0, %1, %2 : i32, i32, i32
}

// CHECK-NEXT:   func.func @floats(%arg0: f32, %arg1: f32) -> (f32, f32, f32, f32) {
// CHECK-NEXT:     %0 = llvm.fsub %arg0, %arg1 {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
// CHECK-NEXT:     %1 = llvm.fdiv %0, %arg1 {fastmathFlags = #llvm.fastmath<arcp>} : f32
// CHECK-NEXT:     %2 = llvm.fneg %1 : f32
// CHECK-NEXT:     %3 = llvm.intr.minimum(%2, %arg0) : (f32, f32) -> f32
// CHECK-NEXT:     return %0, %1, %2, %3 : f32, f32, f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @floats(%a: f32, %b: f32) -> (f32, f32, f32, f32) {
  %0 = arith.subf %a, %b fastmath<nnan, ninf> : f32
  %1 = arith.divf %0, %b fastmath<arcp> : f32
  %2 = arith.negf %1 : f32
  %3 = arith.minimumf %2, %a : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
