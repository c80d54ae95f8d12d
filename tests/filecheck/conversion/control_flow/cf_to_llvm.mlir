// RUN: xgpu-opt %s --convert-cf-to-llvm | filecheck %s

// Branches, switches, assertions.

func.func @f(%a: i32, %c: i1, %i: index, %m: memref<4xf32>) -> index {
  cf.assert %c, "bad thing"
  cf.switch %a : i32, [ default: ^b(%i : index), 3: ^b(%i : index), 5: ^d ]
^b(%x: index):
  cf.cond_br %c weights([1, 2]), ^b(%i : index), ^e(%m : memref<4xf32>)
^d:
  cf.br ^b(%i : index)
^e(%y: memref<4xf32>):
  return %i : index
}
func.func @g(%i: index) { return }

// CHECK: module {
// CHECK-NEXT: llvm.func @abort()
// CHECK-NEXT: llvm.func @puts(!llvm.ptr)
// CHECK-NEXT: llvm.mlir.global private constant @assert_msg(dense<[98, 97, 100, 32, 116, 104, 105, 110, 103, 0]> : tensor<10xi8>) {addr_space = 0 : i32} : !llvm.array<10 x i8>
// CHECK-NEXT: func.func @f(%arg0: i32, %arg1: i1, %arg2: index, %arg3: memref<4xf32>) -> index {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg3 : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %arg2 : index to i64
// CHECK-NEXT: llvm.cond_br %arg1, ^bb1, ^bb5
// CHECK-NEXT: ^bb1:  // pred: ^bb0
// CHECK-NEXT: llvm.switch %arg0 : i32, ^bb2(%1 : i64) [
// CHECK-NEXT: 3: ^bb2(%1 : i64),
// CHECK-NEXT: 5: ^bb3
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb2(%2: i64):  // 4 preds: ^bb1, ^bb1, ^bb2, ^bb3
// CHECK-NEXT: llvm.cond_br %arg1 weights([1, 2]), ^bb2(%1 : i64), ^bb4(%0 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)
// CHECK-NEXT: ^bb3:  // pred: ^bb1
// CHECK-NEXT: llvm.br ^bb2(%1 : i64)
// CHECK-NEXT: ^bb4(%3: !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>):  // pred: ^bb2
// CHECK-NEXT: return %arg2 : index
// CHECK-NEXT: ^bb5:  // pred: ^bb0
// CHECK-NEXT: %4 = llvm.mlir.addressof @assert_msg : !llvm.ptr
// CHECK-NEXT: %5 = llvm.getelementptr %4[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<10 x i8>
// CHECK-NEXT: llvm.call @puts(%5) : (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.call @abort() : () -> ()
// CHECK-NEXT: llvm.unreachable
// CHECK-NEXT: }
// CHECK-NEXT: func.func @g(%arg0: index) {
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
