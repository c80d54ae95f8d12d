// RUN: xgpu-opt %s --async-runtime-ref-counting --split-input-file | filecheck %s
// RUN: xgpu-opt %s --async-runtime-ref-counting --async-runtime-ref-counting-opt --split-input-file | filecheck %s --check-prefix=OPT
// RUN: xgpu-opt %s --async-runtime-policy-based-ref-counting --split-input-file | filecheck %s --check-prefix=POLICY

func.func private @take(%t: !async.token)

// CHECK-LABEL: func.func @unused
func.func @unused() {
  // CHECK: %[[T:.*]] = async.runtime.create
  // CHECK-NEXT: async.runtime.drop_ref %[[T]] {count = 1 : i64}
  %t = async.runtime.create : !async.token
  return
}

// CHECK-LABEL: func.func @returned
func.func @returned() -> !async.token {
  // CHECK-NOT: drop_ref
  %t = async.runtime.create : !async.token
  return %t : !async.token
}

// CHECK-LABEL: func.func @passed
// OPT-LABEL: func.func @passed
func.func @passed() {
  // CHECK: %[[T:.*]] = async.runtime.create
  // CHECK-NEXT: async.runtime.add_ref %[[T]] {count = 1 : i64}
  // CHECK-NEXT: call @take
  // CHECK-NEXT: async.runtime.drop_ref %[[T]] {count = 1 : i64}
  // OPT: async.runtime.create
  // OPT-NEXT: call @take
  // OPT-NEXT: return
  %t = async.runtime.create : !async.token
  func.call @take(%t) : (!async.token) -> ()
  return
}

// An await after the call needs the reference.
// OPT-LABEL: func.func @used_after
func.func @used_after() {
  // OPT: add_ref
  // OPT: async.runtime.await
  // OPT-NEXT: drop_ref
  %t = async.runtime.create : !async.token
  func.call @take(%t) : (!async.token) -> ()
  async.runtime.await %t : !async.token
  return
}

// CHECK-LABEL: func.func @diverge
func.func @diverge(%c: i1) {
  %t = async.runtime.create : !async.token
  // CHECK: cf.cond_br %{{.*}}, ^[[USE:.*]], ^[[DROP:.*]]{{$}}
  cf.cond_br %c, ^use, ^end
  // CHECK: ^[[USE]]:
  // CHECK: async.runtime.drop_ref
  // CHECK: cf.br ^[[END:.*]]
^use:
  async.runtime.await %t : !async.token
  cf.br ^end
  // CHECK: ^[[DROP]]:
  // CHECK-NEXT: async.runtime.drop_ref
  // CHECK-NEXT: cf.br ^[[END]]
  // CHECK: ^[[END]]:
  // CHECK-NEXT: return
^end:
  return
}

// Two values that part on the same edges: neither is dropped where it is still used.
// CHECK-LABEL: func.func @two
func.func @two(%c: i1) {
  // CHECK: %[[A:.*]] = async.runtime.create : !async.token
  // CHECK: %[[B:.*]] = async.runtime.create : !async.value<f32>
  %a = async.runtime.create : !async.token
  %b = async.runtime.create : !async.value<f32>
  cf.cond_br %c, ^use, ^end
^use:
  async.runtime.await %a : !async.token
  cf.br ^end
^end:
  // CHECK: async.runtime.await %[[B]]
  // CHECK-NEXT: async.runtime.drop_ref %[[B]]
  // CHECK-NOT: drop_ref %[[B]]
  async.runtime.await %b : !async.value<f32>
  return
}

// POLICY-LABEL: func.func @policy
func.func @policy(%t: !async.token, %v: !async.value<f32>, %g: !async.group) -> f32 {
  // POLICY: async.runtime.is_error %[[T:.*]] : !async.token
  // POLICY-NEXT: async.runtime.drop_ref %[[T]]
  %0 = async.runtime.is_error %t : !async.token
  // POLICY-NEXT: async.runtime.is_error %[[V:.*]] : !async.value<f32>
  // POLICY-NEXT: async.runtime.load %[[V]]
  // POLICY-NEXT: async.runtime.drop_ref %[[V]]
  %1 = async.runtime.is_error %v : !async.value<f32>
  %2 = async.runtime.load %v : !async.value<f32>
  // POLICY-NEXT: async.runtime.add_to_group
  // POLICY-NEXT: async.runtime.drop_ref %[[T]]
  // POLICY-NEXT: return
  %3 = async.runtime.add_to_group %t, %g : !async.token
  return %2 : f32
}
