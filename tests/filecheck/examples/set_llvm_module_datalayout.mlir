// The module gets a data layout.
// RUN: xgpu-opt %s --set-llvm-module-datalayout=data-layout=e | filecheck %s --match-full-lines

module {
}

// CHECK: module attributes {llvm.data_layout = "e"} {
// CHECK-NEXT: }
