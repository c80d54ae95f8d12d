// RUN: xgpu-opt %s --mlir-print-debuginfo --mlir-pretty-debuginfo | filecheck %s
// RUN: xgpu-opt %s --mlir-print-debuginfo --mlir-pretty-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=LOCAL

// CHECK:      %{{.*}} = arith.addi {{.*}} : i32 "named"(#[[A:loc[0-9]*]])
// CHECK-NEXT: %{{.*}} = arith.addi {{.*}} : i32 <"why">[#[[A]], #[[B:loc[0-9]*]]]
// CHECK-NEXT: %{{.*}} = arith.addi {{.*}} : i32 #[[A]]
// CHECK-NEXT:  at #[[B]]
// CHECK-NEXT: %{{.*}} = arith.addi {{.*}} : i32 [unknown]
// CHECK:      #[[A]] = a.c:2:3
// CHECK:      #[[B]] = b.c:4:5 to :9

// LOCAL:      %{{.*}} = arith.addi {{.*}} : i32 "named"(a.c:2:3)
// LOCAL-NEXT: %{{.*}} = arith.addi {{.*}} : i32 <"why">[a.c:2:3, b.c:4:5 to :9]
// LOCAL-NEXT: %{{.*}} = arith.addi {{.*}} : i32 a.c:2:3
// LOCAL-NEXT:  at b.c:4:5 to :9
func.func @f(%x: i32) {
  %0 = arith.addi %x, %x : i32 loc("named"("a.c":2:3))
  %1 = arith.addi %x, %x : i32 loc(fused<"why">["a.c":2:3, "b.c":4:5 to :9])
  %2 = arith.addi %x, %x : i32 loc(callsite("a.c":2:3 at "b.c":4:5 to :9))
  %3 = arith.addi %x, %x : i32 loc(unknown)
  return
}
