// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(llvm-request-c-wrappers))" %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<?xf32>) attributes {llvm.emit_c_interface} {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @f(%m: memref<?xf32>) {
  return
}

// CHECK-NEXT:   func.func private @declared(memref<?xf32>) attributes {llvm.emit_c_interface}
func.func private @declared(memref<?xf32>)

// CHECK-NEXT:   llvm.func @other()
// CHECK-NEXT: }
llvm.func @other()
