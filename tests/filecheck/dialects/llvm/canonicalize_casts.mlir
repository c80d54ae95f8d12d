// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// The llvm dialect folds extensions with zeros, which are those of the bits, and no other casts.

// CHECK: module {
// CHECK-NEXT:   llvm.func @zext() -> i16 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(255 : i16) : i16
// CHECK-NEXT:     llvm.return %0 : i16
// CHECK-NEXT:   }
llvm.func @zext() -> i16 {
  %a = llvm.mlir.constant(-1 : i8) : i8
  %0 = llvm.zext %a : i8 to i16
  llvm.return %0 : i16
}
// CHECK-NEXT:   llvm.func @sext() -> i16 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(-1 : i8) : i8
// CHECK-NEXT:     %1 = llvm.sext %0 : i8 to i16
// CHECK-NEXT:     llvm.return %1 : i16
// CHECK-NEXT:   }
llvm.func @sext() -> i16 {
  %a = llvm.mlir.constant(-1 : i8) : i8
  %0 = llvm.sext %a : i8 to i16
  llvm.return %0 : i16
}
// CHECK-NEXT:   llvm.func @trunc() -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(511 : i16) : i16
// CHECK-NEXT:     %1 = llvm.trunc %0 : i16 to i8
// CHECK-NEXT:     llvm.return %1 : i8
// CHECK-NEXT:   }
llvm.func @trunc() -> i8 {
  %a = llvm.mlir.constant(511 : i16) : i16
  %0 = llvm.trunc %a : i16 to i8
  llvm.return %0 : i8
}
// CHECK-NEXT:   llvm.func @v() -> vector<2xi16> {
// CHECK-NEXT:     %0 = llvm.mlir.constant(dense<[-1, 3]> : vector<2xi8>) : vector<2xi8>
// CHECK-NEXT:     %1 = llvm.zext %0 : vector<2xi8> to vector<2xi16>
// CHECK-NEXT:     llvm.return %1 : vector<2xi16>
// CHECK-NEXT:   }
llvm.func @v() -> vector<2xi16> {
  %a = llvm.mlir.constant(dense<[-1, 3]> : vector<2xi8>) : vector<2xi8>
  %0 = llvm.zext %a : vector<2xi8> to vector<2xi16>
  llvm.return %0 : vector<2xi16>
}
// CHECK-NEXT:   llvm.func @bool() -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     llvm.return %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @bool() -> i32 {
  %a = llvm.mlir.constant(true) : i1
  %0 = llvm.zext %a : i1 to i32
  llvm.return %0 : i32
}
