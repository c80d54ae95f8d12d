// RUN: xgpu-opt %s --mlir-print-op-generic --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s

// Arguments of loops may have locations. Only the generic form prints them.

func.func @loops(%n: index, %t: tensor<4xf32>) {
  // CHECK: "scf.parallel"
  // CHECK-NEXT: ^bb0(%{{.*}}: index loc("i"), %{{.*}}: index loc("j")):
  scf.parallel (%i loc("i"), %j loc("j")) = (%n, %n) to (%n, %n) step (%n, %n) {
    scf.reduce
  }
  // CHECK: "scf.for"
  // CHECK-NEXT: ^bb0(%{{.*}}: index loc({{.*}}), %{{.*}}: tensor<4xf32> loc("x")):
  %0 = scf.for %i = %n to %n step %n iter_args(%x loc("x") = %t) -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  }
  // CHECK: "scf.forall"
  // CHECK-NEXT: ^bb0(%{{.*}}: index loc("i"), %{{.*}}: tensor<4xf32> loc("o")):
  %1 = scf.forall (%i loc("i")) in (%n) shared_outs(%o loc("o") = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {}
  }
  // CHECK: "affine.parallel"
  // CHECK-NEXT: ^bb0(%{{.*}}: index loc("k")):
  affine.parallel (%k loc("k")) = (0) to (4) {
  }
  return
}
