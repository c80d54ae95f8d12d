// RUN: xgpu-opt %s --canonicalize | filecheck %s

// CHECK-LABEL: func.func @awaited_only
// CHECK-NEXT: return
func.func @awaited_only(%n: index) {
  %g = async.create_group %n : !async.group
  async.await_all %g
  async.await_all %g
  return
}

// CHECK-LABEL: func.func @filled
// CHECK: async.create_group
// CHECK: async.await_all
func.func @filled(%n: index, %t: !async.token) {
  %g = async.create_group %n : !async.group
  %r = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}
