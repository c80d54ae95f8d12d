// RUN: xgpu-opt --inline="default-pipeline=" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --inline="default-pipeline=canonicalize" %s | filecheck %s --match-full-lines --check-prefix=CANONICAL
// RUN: xgpu-opt --inline="op-pipelines=func.func(cse)" %s | filecheck %s --match-full-lines --check-prefix=CSE
// RUN: xgpu-opt --inline="max-iterations=1" %s | filecheck %s --match-full-lines --check-prefix=ONCE
// RUN: xgpu-opt --inline="inlining-threshold=90 default-pipeline=" %s | filecheck %s --match-full-lines --check-prefix=SMALL

func.func private @leaf(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}

func.func private @middle(%x: i32) -> i32 {
  %0 = call @leaf(%x) : (i32) -> i32
  %1 = call @leaf(%x) : (i32) -> i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

func.func @top(%x: i32) -> i32 {
  %0 = call @middle(%x) : (i32) -> i32
  return %0 : i32
}





// CHECK: module {
// CHECK-NEXT:   func.func @top(%arg0: i32) -> i32 {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %0 = arith.addi %arg0, %c0_i32 : i32
// CHECK-NEXT:     %c0_i32_0 = arith.constant 0 : i32
// CHECK-NEXT:     %1 = arith.addi %arg0, %c0_i32_0 : i32
// CHECK-NEXT:     %2 = arith.addi %0, %1 : i32
// CHECK-NEXT:     return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CANONICAL: module {
// CANONICAL-NEXT:   func.func @top(%arg0: i32) -> i32 {
// CANONICAL-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// CANONICAL-NEXT:     return %0 : i32
// CANONICAL-NEXT:   }
// CANONICAL-NEXT: }

// CSE: module {
// CSE-NEXT:   func.func @top(%arg0: i32) -> i32 {
// CSE-NEXT:     %c0_i32 = arith.constant 0 : i32
// CSE-NEXT:     %0 = arith.addi %arg0, %c0_i32 : i32
// CSE-NEXT:     %1 = arith.addi %0, %0 : i32
// CSE-NEXT:     return %1 : i32
// CSE-NEXT:   }
// CSE-NEXT: }

// ONCE: module {
// ONCE-NEXT:   func.func @top(%arg0: i32) -> i32 {
// ONCE-NEXT:     %0 = arith.addi %arg0, %arg0 : i32
// ONCE-NEXT:     return %0 : i32
// ONCE-NEXT:   }
// ONCE-NEXT: }

// SMALL: module {
// SMALL-NEXT:   func.func private @middle(%arg0: i32) -> i32 {
// SMALL-NEXT:     %c0_i32 = arith.constant 0 : i32
// SMALL-NEXT:     %0 = arith.addi %arg0, %c0_i32 : i32
// SMALL-NEXT:     %c0_i32_0 = arith.constant 0 : i32
// SMALL-NEXT:     %1 = arith.addi %arg0, %c0_i32_0 : i32
// SMALL-NEXT:     %2 = arith.addi %0, %1 : i32
// SMALL-NEXT:     return %2 : i32
// SMALL-NEXT:   }
// SMALL-NEXT:   func.func @top(%arg0: i32) -> i32 {
// SMALL-NEXT:     %0 = call @middle(%arg0) : (i32) -> i32
// SMALL-NEXT:     return %0 : i32
// SMALL-NEXT:   }
// SMALL-NEXT: }
