// RUN: xgpu-translate %s --mlir-to-llvmir | filecheck %s --match-full-lines

// What is not defined stays so where the other operand lets every result be.

// CHECK: ; ModuleID = 'LLVMDialectModule'
// CHECK-NEXT: source_filename = "LLVMDialectModule"
// CHECK-EMPTY:
// CHECK-NEXT: define void @products(ptr %0) {
// CHECK-NEXT:   store volatile i32 0, ptr %0, align 4
// CHECK-NEXT:   store volatile i32 undef, ptr %0, align 4
// CHECK-NEXT:   store volatile i32 undef, ptr %0, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @products(%p: !llvm.ptr) {
  %undef = llvm.mlir.undef : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %0 = llvm.mul %undef, %c2 : i32
  llvm.store volatile %0, %p : i32, !llvm.ptr
  %1 = llvm.mul %undef, %c3 : i32
  llvm.store volatile %1, %p : i32, !llvm.ptr
  %2 = llvm.mul %c3, %undef : i32
  llvm.store volatile %2, %p : i32, !llvm.ptr
  llvm.return
}

// CHECK-NEXT: define void @zeros(ptr %0) {
// CHECK-NEXT:   store volatile float undef, ptr %0, align 4
// CHECK-NEXT:   store volatile float 0x7FF8000000000000, ptr %0, align 4
// CHECK-NEXT:   store volatile float 0x7FF8000000000000, ptr %0, align 4
// CHECK-NEXT:   store volatile float undef, ptr %0, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
// CHECK-EMPTY:
llvm.func @zeros(%p: !llvm.ptr) {
  %undef = llvm.mlir.undef : f32
  %plus = llvm.mlir.constant(0.0 : f32) : f32
  %minus = llvm.mlir.constant(-0.0 : f32) : f32
  %0 = llvm.fsub %undef, %plus : f32
  llvm.store volatile %0, %p : f32, !llvm.ptr
  %1 = llvm.fsub %undef, %minus : f32
  llvm.store volatile %1, %p : f32, !llvm.ptr
  %2 = llvm.fadd %undef, %plus : f32
  llvm.store volatile %2, %p : f32, !llvm.ptr
  %3 = llvm.fadd %undef, %minus : f32
  llvm.store volatile %3, %p : f32, !llvm.ptr
  llvm.return
}

// CHECK-NEXT: define void @remainders(ptr %0) {
// CHECK-NEXT:   store volatile i32 0, ptr %0, align 4
// CHECK-NEXT:   store volatile i32 -1, ptr %0, align 4
// CHECK-NEXT:   store volatile i32 0, ptr %0, align 4
// CHECK-NEXT:   ret void
// CHECK-NEXT: }
llvm.func @remainders(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %undef = llvm.mlir.undef : i32
  %0 = llvm.srem %undef, %one : i32
  llvm.store volatile %0, %p : i32, !llvm.ptr
  %1 = llvm.or %undef, %minus : i32
  llvm.store volatile %1, %p : i32, !llvm.ptr
  %2 = llvm.and %undef, %one : i32
  llvm.store volatile %2, %p : i32, !llvm.ptr
  llvm.return
}

// CHECK-EMPTY:
// CHECK-NEXT: !llvm.module.flags = !{!0}
// CHECK-EMPTY:
// CHECK-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
