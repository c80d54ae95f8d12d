// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-llvm-legalize-patterns | filecheck %s
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-llvm-legalize-patterns=allow-pattern-rollback=false | filecheck %s

// i17 is two i18 here: arguments, results, branches and selects carry both.
// CHECK-LABEL: llvm.func @callee
// CHECK-SAME: (%[[A:.*]]: i18, %{{.*}}: i18, %[[B:.*]]: i18, %{{.*}}: i18, %[[C:.*]]: i1) -> !llvm.struct<(i18, i18)>
// CHECK: %[[S:.*]] = llvm.select %[[C]], %[[A]], %[[B]] : i1, i18
// CHECK: llvm.br ^bb1(%[[S]], %{{.*}}, %[[C]] : i18, i18, i1)
// CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.struct<(i18, i18)>
func.func @callee(%a: i17, %b: i17, %c: i1) -> i17 {
  %s = arith.select %c, %a, %b : i17
  cf.br ^bb1(%s, %c : i17, i1)
^bb1(%x: i17, %y: i1):
  return %x : i17
}

// CHECK-LABEL: llvm.func @caller
// CHECK: %[[R:.*]] = llvm.call @callee(%{{.*}}) : (i18, i18, i18, i18, i1) -> !llvm.struct<(i18, i18)>
// CHECK: llvm.extractvalue %[[R]][0]
// CHECK: llvm.extractvalue %[[R]][1]
func.func @caller(%a: i17, %c: i1) -> i17 {
  %r = call @callee(%a, %a, %c) : (i17, i17, i1) -> i17
  return %r : i17
}

// What no branch reaches stays as it is.
// CHECK-LABEL: llvm.func @unreachable
// CHECK: ^bb1(%[[I:.*]]: index):
// CHECK: cf.br ^bb1(%[[I]] : index)
func.func @unreachable() {
  return
^bb1(%i: index):
  cf.br ^bb1(%i : index)
}

// The members of a descriptor come together where a memref is asked for.
// CHECK-LABEL: func.func @descriptor
// CHECK: llvm.insertvalue %{{.*}}, %{{.*}}[1] : !llvm.struct<(i64, ptr)>
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<(i64, ptr)> to memref<*xf32>
func.func @descriptor(%rank: i64, %p: !llvm.ptr) attributes {is_legal} {
  %0 = "test.direct_replacement"(%rank, %p) : (i64, !llvm.ptr) -> memref<*xf32>
  "test.legal_op"(%0) : (memref<*xf32>) -> ()
  return
}
