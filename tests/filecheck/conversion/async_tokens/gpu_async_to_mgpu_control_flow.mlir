// RUN: xgpu-opt %s --gpu-async-to-mgpu --mgpu-verify-lifetimes | filecheck %s
// RUN: xgpu-opt %s --gpu-async-to-mgpu=max-streams=1 --mgpu-verify-lifetimes | filecheck %s --check-prefix=TOKENS
// RUN: xgpu-opt %s --gpu-async-to-mgpu=assign=min-events --mgpu-verify-lifetimes | filecheck %s --check-prefix=TOKENS

// Tokens through every kind of control flow: none is left, and what takes their place lives as it must.
// TOKENS: module
// TOKENS-NOT: gpu.async.token
module attributes {gpu.container_module} {
gpu.module @k { gpu.func @b() kernel { gpu.return } }
  // CHECK-LABEL: func.func @affine
  // CHECK: affine.for %{{.*}} = 0 to 10 {
  // CHECK: affine.if
  // CHECK-NEXT: mgpu.launch
  // CHECK: mgpu.stream_synchronize
func.func @affine(%n: index) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %r = affine.for %i = 0 to 10 iter_args(%t = %0) -> (!gpu.async.token) {
    %1 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    affine.yield %1 : !gpu.async.token
  }
  %q = affine.if affine_set<(d0) : (d0 >= 5)>(%n) -> !gpu.async.token {
    %1 = gpu.launch_func async [%r] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    affine.yield %1 : !gpu.async.token
  } else { affine.yield %r : !gpu.async.token }
  gpu.wait [%q]
  return
}
  // CHECK-LABEL: func.func @execute
  // CHECK: scf.execute_region -> index {
  // CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
  // CHECK: scf.yield %{{.*}} : index
func.func @execute(%n: index, %c: i1) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %r, %v = scf.execute_region -> (!gpu.async.token, index) {
    cf.cond_br %c, ^a, ^b(%0 : !gpu.async.token)
  ^a:
    %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    scf.yield %1, %n : !gpu.async.token, index
  ^b(%t: !gpu.async.token):
    %2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    scf.yield %2, %n : !gpu.async.token, index
  }
  gpu.wait [%r]
  return
}
  // CHECK-LABEL: func.func @switch
  // CHECK: scf.index_switch %{{.*}}
  // CHECK: cf.switch %{{.*}} : i32, [
  // CHECK-NEXT: default: ^bb{{[0-9]+}},
  // CHECK-NEXT: 1: ^bb{{[0-9]+}},
  // CHECK-NEXT: 2: ^bb{{[0-9]+}}
func.func @switch(%n: index, %f: i32) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %z = gpu.wait async
  %r = scf.index_switch %n -> !gpu.async.token
  case 1 { %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    scf.yield %1 : !gpu.async.token }
  case 2 { scf.yield %z : !gpu.async.token }
  default { scf.yield %0 : !gpu.async.token }
  cf.switch %f : i32, [ default: ^a(%r : !gpu.async.token), 1: ^a(%0 : !gpu.async.token), 2: ^b(%z, %r : !gpu.async.token, !gpu.async.token) ]
^a(%t: !gpu.async.token):
  gpu.wait [%t]
  return
^b(%u: !gpu.async.token, %w: !gpu.async.token):
  %2 = gpu.launch_func async [%u, %w] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
  // CHECK: func.func private @ext(!mgpu.event) -> (!mgpu.event, i32)
func.func private @ext(!gpu.async.token) -> (!gpu.async.token, i32)
  // An event of a call that is used in other blocks is a place on a stream from here on.
  // CHECK-LABEL: func.func @calls
  // CHECK: %[[R:.*]]:2 = call @ext(%{{.*}}) : (!mgpu.event) -> (!mgpu.event, i32)
  // CHECK: mgpu.stream_wait_event %{{.*}}, %[[R]]#0
  // CHECK-NEXT: mgpu.event_destroy %[[R]]#0
  // CHECK: cf.cond_br
  // CHECK: return %{{.*}}, %{{.*}} : !mgpu.event, !mgpu.event
func.func @calls(%n: index, %c: i1) -> (!gpu.async.token, !gpu.async.token) {
  %z = gpu.wait async
  %0:2 = call @ext(%z) : (!gpu.async.token) -> (!gpu.async.token, i32)
  cf.cond_br %c, ^a, ^b
^a:
  %1 = gpu.launch_func async [%0#0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %2:2 = call @ext(%1) : (!gpu.async.token) -> (!gpu.async.token, i32)
  cf.br ^c(%2#0 : !gpu.async.token)
^b:
  %j = gpu.wait async [%0#0, %z]
  cf.br ^c(%j : !gpu.async.token)
^c(%t: !gpu.async.token):
  return %t, %z : !gpu.async.token, !gpu.async.token
}
  // CHECK-LABEL: func.func @foreign
  // CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.ptr to !mgpu.stream
  // CHECK: mgpu.stream_wait_event %[[S]], %{{.*}}
  // CHECK: mgpu.launch %[[S]],
  // CHECK: mgpu.event_record %[[E:.*]], %[[S]]
  // CHECK: scf.if
  // CHECK: mgpu.stream_wait_event %{{.*}}, %[[E]]
  // CHECK: mgpu.event_synchronize %[[E]]
func.func @foreign(%s: !llvm.ptr, %n: index, %c: i1) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %1 = gpu.launch_func async [%0] <%s : !llvm.ptr> @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  scf.if %c {
    %2 = gpu.launch_func async [%1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  }
  gpu.wait [%1]
  return
}
  // CHECK-LABEL: func.func @nested
  // CHECK-COUNT-2: mgpu.stream_create
  // CHECK: scf.for {{.*}} {
  // CHECK-NEXT: scf.while : () -> () {
  // CHECK: mgpu.stream_wait_event
  // CHECK-NEXT: scf.yield
func.func @nested(%n: index, %c: i1) {
  %0 = gpu.wait async
  %r:2 = scf.for %i = %n to %n step %n iter_args(%t = %0, %u = %0) -> (!gpu.async.token, !gpu.async.token) {
    %w:2 = scf.while (%a = %t, %b = %u) : (!gpu.async.token, !gpu.async.token) -> (!gpu.async.token, !gpu.async.token) {
      %x = gpu.launch_func async [%a] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      scf.condition(%c) %b, %x : !gpu.async.token, !gpu.async.token
    } do {
    ^bb0(%a: !gpu.async.token, %b: !gpu.async.token):
      %y = gpu.launch_func async [%b] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      gpu.wait [%a]
      scf.yield %a, %y : !gpu.async.token, !gpu.async.token
    }
    scf.yield %w#1, %w#0 : !gpu.async.token, !gpu.async.token
  }
  gpu.wait [%r#0, %r#1]
  return
}
}
