// RUN: xgpu-opt %s --async-to-async-runtime | filecheck %s

// Control flow around what suspends becomes branches, other loops stay; assertions set errors.
// CHECK-LABEL: func.func @nested
func.func @nested(%n: index, %c: i1, %t: !async.token) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = async.execute {
    scf.if %c {
      async.await %t : !async.token
    }
    cf.assert %c, "failed"
    scf.for %i = %c0 to %n step %c1 {
      func.call @work() : () -> ()
    }
    async.yield
  }
  return
}
func.func private @work()
// CHECK-LABEL: func.func private @async_execute_fn(
// CHECK-NOT: scf.if
// CHECK: async.runtime.await_and_resume
// CHECK: cf.cond_br %{{.*}}, ^[[ERROR:bb[0-9]+]], ^bb{{[0-9]+}}
// CHECK: cf.cond_br %{{.*}}, ^bb{{[0-9]+}}, ^[[ERROR]]
// CHECK: scf.for
// CHECK: ^[[ERROR]]:
// CHECK-NEXT: async.runtime.set_error
