// RUN: xgpu-opt %s --pass-pipeline="builtin.module(llvm.func(canonicalize))" | filecheck %s

// CHECK: module {
// CHECK-NEXT:   llvm.func @use(f32, i32, i64)
llvm.func @use(f32, i32, i64)
// CHECK-NEXT:   llvm.func @constants() {
// CHECK-NEXT:     %0 = llvm.mlir.zero : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(2.500000e+00 : f32) : f32
// CHECK-NEXT:     %2 = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT:     %3 = llvm.sext %0 : i32 to i64
// CHECK-NEXT:     llvm.call @use(%1, %2, %3) : (f32, i32, i64) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @constants() {
  %a = llvm.mlir.constant(sparse<[1], [2.5]> : tensor<4xf32>) : !llvm.array<4 x f32>
  %0 = llvm.extractvalue %a[1] : !llvm.array<4 x f32>
  %b = llvm.mlir.constant(dense<[(1, 2), (3, 7)]> : tensor<2xcomplex<i32>>) : !llvm.array<2 x struct<(i32, i32)>>
  %1 = llvm.extractvalue %b[1, 1] : !llvm.array<2 x struct<(i32, i32)>>
  %z = llvm.mlir.zero : i32
  %2 = llvm.sext %z : i32 to i64
  llvm.call @use(%0, %1, %2) : (f32, i32, i64) -> ()
  llvm.return
}

// A part of an inserted value that is not a constant is not extracted from it.
// CHECK-NEXT:   llvm.func @part(%arg0: !llvm.array<2 x f32>, %arg1: !llvm.array<3 x array<2 x f32>>) -> f32 {
// CHECK-NEXT:     %0 = llvm.insertvalue %arg0, %arg1[0] : !llvm.array<3 x array<2 x f32>>
// CHECK-NEXT:     %1 = llvm.extractvalue %0[0, 1] : !llvm.array<3 x array<2 x f32>>
// CHECK-NEXT:     llvm.return %1 : f32
// CHECK-NEXT:   }
llvm.func @part(%row: !llvm.array<2 x f32>, %all: !llvm.array<3 x array<2 x f32>>) -> f32 {
  %0 = llvm.insertvalue %row, %all[0] : !llvm.array<3 x array<2 x f32>>
  %1 = llvm.extractvalue %0[0, 1] : !llvm.array<3 x array<2 x f32>>
  llvm.return %1 : f32
}

// CHECK-NEXT:   llvm.func @shuffle(%arg0: vector<1xf32>, %arg1: vector<1xf32>) -> vector<1xf32> {
// CHECK-NEXT:     llvm.return %arg0 : vector<1xf32>
// CHECK-NEXT:   }
llvm.func @shuffle(%x: vector<1xf32>, %y: vector<1xf32>) -> vector<1xf32> {
  %0 = llvm.shufflevector %x, %y [0] : vector<1xf32>
  llvm.return %0 : vector<1xf32>
}

// CHECK-NEXT:   llvm.func @unused_loads(%arg0: !llvm.ptr) {
// CHECK-NEXT:     %0 = llvm.load %arg0 atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @unused_loads(%p: !llvm.ptr) {
  %0 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %1 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}

// CHECK-NEXT:   llvm.func @same_address(%arg0: !llvm.ptr, %arg1: i64) -> !llvm.ptr {
// CHECK-NEXT:     %0 = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.return %0 : !llvm.ptr
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @same_address(%p: !llvm.ptr, %i: i64) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %0 = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.getelementptr %0[%zero] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %2 = llvm.getelementptr %1[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.return %2 : !llvm.ptr
}
