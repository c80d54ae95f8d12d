// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a kernel allows it, the lanes of a vector add up before one atomic addition of floats.
// RUN: xgpu-opt %s --host-vectorize=block=32 | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @k(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {host.relaxed_float_atomics, host.strategy = "block-loops"} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %1 = llvm.mlir.constant(dense<-2147483648> : vector<32xi32>) : vector<32xi32>
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %2 = llvm.getelementptr %arg1[%0] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// CHECK-NEXT:       %3 = llvm.load %2 {alignment = 4 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT:       %4 = llvm.bitcast %1 : vector<32xi32> to vector<32xf32>
// CHECK-NEXT:       %5 = llvm.extractelement %4[%0 : i32] : vector<32xf32>
// CHECK-NEXT:       %6 = "llvm.intr.vector.reduce.fadd"(%5, %3) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<32xf32>) -> f32
// CHECK-NEXT:       %7 = llvm.atomicrmw fadd %arg0, %6 monotonic : !llvm.ptr, f32
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%out: !llvm.ptr, %in: !llvm.ptr) attributes {nvvm.kernel, host.relaxed_float_atomics} {
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %p : !llvm.ptr -> f32
    %old = llvm.atomicrmw fadd %out, %x monotonic : !llvm.ptr, f32
    llvm.return
  }
}
