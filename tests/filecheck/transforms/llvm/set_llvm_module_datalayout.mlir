// RUN: xgpu-opt --set-llvm-module-datalayout="data-layout=e-m:e-p:64:64" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --set-llvm-module-datalayout %s | filecheck %s --match-full-lines --check-prefix=EMPTY

// CHECK: module attributes {llvm.data_layout = "e-m:e-p:64:64"} {
// CHECK-NEXT:   func.func private @f()
// CHECK-NEXT: }
// EMPTY: module attributes {llvm.data_layout = ""} {
// EMPTY-NEXT:   func.func private @f()
// EMPTY-NEXT: }
func.func private @f()
