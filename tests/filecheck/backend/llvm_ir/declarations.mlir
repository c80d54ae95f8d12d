// RUN: xgpu-translate --mlir-to-llvmir %s | filecheck %s

// Intrinsics are declared in the order of their first calls, and the arguments of variadic functions
// are reached by LLVM's names.
// CHECK: %struct.list = type { ptr }
// CHECK: call void @llvm.va_start.p0(ptr %2)
// CHECK: call void @llvm.va_copy.p0(ptr %3, ptr %2)
// CHECK: call void @llvm.va_end.p0(ptr %2)
// CHECK: define void @indirect
// CHECK: call addrspace(3) void %0(i32 %1)
// CHECK: declare void @llvm.va_start.p0(ptr) #0
// CHECK: declare void @llvm.va_copy.p0(ptr, ptr) #0
// CHECK: declare void @llvm.va_end.p0(ptr) #0
// CHECK: declare float @llvm.exp.f32(float) #1
llvm.func @variadic(%x: f32, ...) -> f32 {
  %c = llvm.mlir.constant(1 : i32) : i32
  %l = llvm.alloca %c x !llvm.struct<"struct.list", (ptr)> : (i32) -> !llvm.ptr
  %m = llvm.alloca %c x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.intr.vastart %l : !llvm.ptr
  llvm.intr.vacopy %l to %m : !llvm.ptr, !llvm.ptr
  llvm.intr.vaend %l : !llvm.ptr
  %e = llvm.intr.exp(%x) : (f32) -> f32
  llvm.return %e : f32
}

// A pointer to a function names its address space.
llvm.func @indirect(%f: !llvm.ptr<3>, %x: i32) {
  llvm.call %f(%x) : !llvm.ptr<3>, (i32) -> ()
  llvm.return
}
