// RUN: xgpu-opt --inline --mlir-print-debuginfo %s | filecheck %s --match-full-lines

// The copy of an argument has the argument's location.

module {
  llvm.func @source() -> !llvm.ptr loc("source")
  llvm.func @callee(%p: !llvm.ptr {llvm.byval = f64} loc("p")) {
    llvm.return loc("return")
  } loc("callee")
  llvm.func @of_a_result() {
    %0 = llvm.call @source() : () -> !llvm.ptr loc("result")
    llvm.call @callee(%0) : (!llvm.ptr) -> () loc("call")
    llvm.return loc("end")
  } loc("caller")
  llvm.func @of_an_argument(%a: !llvm.ptr loc("argument")) {
    llvm.call @callee(%a) : (!llvm.ptr) -> () loc("call")
    llvm.return loc("end")
  } loc("caller")
} loc("module")

// CHECK: #loc3 = loc("p")
// CHECK-NEXT: #loc8 = loc("argument")
// CHECK-NEXT: module {
// CHECK-NEXT:   llvm.func @source() -> !llvm.ptr loc(#loc1)
// CHECK-NEXT:   llvm.func @callee(%arg0: !llvm.ptr {llvm.byval = f64} loc("p")) {
// CHECK-NEXT:     llvm.return loc(#loc4)
// CHECK-NEXT:   } loc(#loc2)
// CHECK-NEXT:   llvm.func @of_a_result() {
// CHECK-NEXT:     %0 = llvm.mlir.constant(8 : i64) : i64 loc(#loc6)
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i64) : i64 loc(#loc6)
// CHECK-NEXT:     %2 = llvm.alloca %1 x f64 {alignment = 8 : i64} : (i64) -> !llvm.ptr loc(#loc6)
// CHECK-NEXT:     %3 = llvm.call @source() : () -> !llvm.ptr loc(#loc6)
// CHECK-NEXT:     "llvm.intr.memcpy"(%2, %3, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () loc(#loc6)
// CHECK-NEXT:     llvm.return loc(#loc7)
// CHECK-NEXT:   } loc(#loc5)
// CHECK-NEXT:   llvm.func @of_an_argument(%arg0: !llvm.ptr loc("argument")) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(8 : i64) : i64 loc(#loc8)
// CHECK-NEXT:     %1 = llvm.mlir.constant(1 : i64) : i64 loc(#loc8)
// CHECK-NEXT:     %2 = llvm.alloca %1 x f64 {alignment = 8 : i64} : (i64) -> !llvm.ptr loc(#loc8)
// CHECK-NEXT:     "llvm.intr.memcpy"(%2, %arg0, %0) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> () loc(#loc8)
// CHECK-NEXT:     llvm.return loc(#loc7)
// CHECK-NEXT:   } loc(#loc5)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #loc = loc("module")
// CHECK-NEXT: #loc1 = loc("source")
// CHECK-NEXT: #loc2 = loc("callee")
// CHECK-NEXT: #loc4 = loc("return")
// CHECK-NEXT: #loc5 = loc("caller")
// CHECK-NEXT: #loc6 = loc("result")
// CHECK-NEXT: #loc7 = loc("end")
