// RUN: xgpu-opt %s --inline | filecheck %s --match-full-lines

// Functions that cannot become a part of another one.
// CHECK: module {
// CHECK-NEXT:   llvm.func @no_inline() attributes {no_inline} {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @no_inline() attributes {no_inline} {
  llvm.return
}
// CHECK-NEXT:   llvm.func @twice() attributes {passthrough = ["returns_twice"]} {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @twice() attributes {passthrough = ["returns_twice"]} {
  llvm.return
}
// CHECK-NEXT:   llvm.func @variadic(...) {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @variadic(...) {
  llvm.return
}
// CHECK-NEXT:   llvm.func @handler() -> i32
llvm.func @handler() -> i32
// CHECK-NEXT:   llvm.func @personality() attributes {personality = @handler} {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @personality() attributes {personality = @handler} {
  llvm.return
}
// CHECK-NEXT:   llvm.func @tagged() {
// CHECK-NEXT:     llvm.blocktag <id = 1>
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @tagged() {
  llvm.blocktag <id = 1>
  llvm.return
}
// CHECK-NEXT:   llvm.func @caller() {
// CHECK-NEXT:     llvm.call @no_inline() : () -> ()
// CHECK-NEXT:     llvm.call @twice() : () -> ()
// CHECK-NEXT:     llvm.call @variadic() vararg(!llvm.func<void (...)>) : () -> ()
// CHECK-NEXT:     llvm.call @personality() : () -> ()
// CHECK-NEXT:     llvm.call @tagged() : () -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @caller() {
  llvm.call @no_inline() : () -> ()
  llvm.call @twice() : () -> ()
  llvm.call @variadic() vararg(!llvm.func<void (...)>) : () -> ()
  llvm.call @personality() : () -> ()
  llvm.call @tagged() : () -> ()
  llvm.return
}
