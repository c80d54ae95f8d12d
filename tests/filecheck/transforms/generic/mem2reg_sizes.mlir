// RUN: xgpu-opt --mem2reg --sroa %s | filecheck %s --match-full-lines

// Slots of types whose size is no known number stay.
// CHECK: module {
// CHECK-NEXT:   llvm.func @amx(%arg0: !llvm.x86_amx, %arg1: !llvm.ptr) -> !llvm.x86_amx {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.x86_amx : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg0, %1 : !llvm.x86_amx, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> !llvm.x86_amx
// CHECK-NEXT:     llvm.return %2 : !llvm.x86_amx
// CHECK-NEXT:   }
llvm.func @amx(%v: !llvm.x86_amx, %p: !llvm.ptr) -> !llvm.x86_amx {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.x86_amx : (i32) -> !llvm.ptr
  llvm.store %v, %a : !llvm.x86_amx, !llvm.ptr
  %r = llvm.load %a : !llvm.ptr -> !llvm.x86_amx
  llvm.return %r : !llvm.x86_amx
}
// CHECK-NEXT:   llvm.func @ppc(%arg0: !llvm.ppc_fp128, %arg1: !llvm.ptr) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.ppc_fp128 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg0, %1 : !llvm.ppc_fp128, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i64
// CHECK-NEXT:     llvm.return %2 : i64
// CHECK-NEXT:   }
llvm.func @ppc(%v: !llvm.ppc_fp128, %p: !llvm.ptr) -> i64 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.ppc_fp128 : (i32) -> !llvm.ptr
  llvm.store %v, %a : !llvm.ppc_fp128, !llvm.ptr
  %r = llvm.load %a : !llvm.ptr -> i64
  llvm.return %r : i64
}
// CHECK-NEXT:   llvm.func @scalable(%arg0: vector<[4]xi32>, %arg1: !llvm.ptr) -> vector<[4]xi32> {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %2 = llvm.alloca %0 x vector<[4]xi32> : (i32) -> !llvm.ptr
// CHECK-NEXT:     "llvm.intr.memcpy"(%2, %arg1, %1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> vector<[4]xi32>
// CHECK-NEXT:     llvm.return %3 : vector<[4]xi32>
// CHECK-NEXT:   }
llvm.func @scalable(%v: vector<[4]xi32>, %p: !llvm.ptr) -> vector<[4]xi32> {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %16 = llvm.mlir.constant(16 : i32) : i32
  %a = llvm.alloca %1 x vector<[4]xi32> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%a, %p, %16) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  %r = llvm.load %a : !llvm.ptr -> vector<[4]xi32>
  llvm.return %r : vector<[4]xi32>
}
// CHECK-NEXT:   llvm.func @in_a_struct(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.struct<(!llvm.ppc_fp128, i32, vector<[4]xi32>)> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ppc_fp128, i32, vector<[4]xi32>)>
// CHECK-NEXT:     llvm.store %arg0, %2 : i32, !llvm.ptr
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %3 : i32
// CHECK-NEXT:   }
llvm.func @in_a_struct(%v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(ppc_fp128, i32, vector<[4]xi32>)> : (i32) -> !llvm.ptr
  %g = llvm.getelementptr %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ppc_fp128, i32, vector<[4]xi32>)>
  llvm.store %v, %g : i32, !llvm.ptr
  %r = llvm.load %g : !llvm.ptr -> i32
  llvm.return %r : i32
}
// CHECK-NEXT:   llvm.func @empty_elements(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<4 x array<0 x i32>> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @empty_elements(%v: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x array<0 x i32>> : (i32) -> !llvm.ptr
  %r = llvm.load %a : !llvm.ptr -> i32
  llvm.return %r : i32
}
