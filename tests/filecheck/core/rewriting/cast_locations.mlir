// RUN: xgpu-opt %s --convert-index-to-llvm --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s

// A cast has the location of the operation that asks for it first, not of what is cast; one back to
// the old type has that of the operation whose result it gives.

func.func @casts(%a: index, %b: index) -> index {
  %0 = index.add %a, %b loc("first")
  %1 = index.sub %0, %b loc("second")
  %2 = "test.op"(%1) : (index) -> index loc("third")
  %3 = index.mul %2, %2 loc("fourth")
  return %3 : index loc("fifth")
}
// CHECK:      %0 = builtin.unrealized_conversion_cast %arg1 : index to i64 loc("first")
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %arg0 : index to i64 loc("first")
// CHECK-NEXT: %2 = llvm.add %1, %0 : i64 loc("first")
// CHECK-NEXT: %3 = llvm.sub %2, %0 : i64 loc("second")
// CHECK-NEXT: %4 = builtin.unrealized_conversion_cast %3 : i64 to index loc("second")
// CHECK-NEXT: %5 = "test.op"(%4) : (index) -> index loc("third")
// CHECK-NEXT: %6 = builtin.unrealized_conversion_cast %5 : index to i64 loc("fourth")
// CHECK-NEXT: %7 = llvm.mul %6, %6 : i64 loc("fourth")
// CHECK-NEXT: %8 = builtin.unrealized_conversion_cast %7 : i64 to index loc("fourth")
// CHECK-NEXT: return %8 : index loc("fifth")
