// RUN: xgpu-opt %s --gpu-async-to-mgpu --mgpu-verify-lifetimes --split-input-file | filecheck %s

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%x: memref<?xf32>) kernel { gpu.return } gpu.func @b() kernel { gpu.return } }

  // Two launches that may overlap, and one that waits for both: two streams and one event.
  // CHECK-LABEL: func.func @join
  // CHECK: %[[K:.*]] = mgpu.kernel @k::@b : !mgpu.function
  // CHECK: %[[S0:.*]] = mgpu.stream_create
  // CHECK: mgpu.launch %[[S0]], %[[K]] blocks in
  // CHECK: %[[S1:.*]] = mgpu.stream_create
  // CHECK: mgpu.launch %[[S1]], %[[K]] blocks in
  // CHECK: %[[E:.*]] = mgpu.event_create
  // CHECK-NEXT: mgpu.event_record %[[E]], %[[S1]]
  // CHECK-NEXT: mgpu.stream_destroy %[[S1]]
  // CHECK-NEXT: mgpu.stream_wait_event %[[S0]], %[[E]]
  // CHECK-NEXT: mgpu.event_destroy %[[E]]
  // CHECK-NEXT: mgpu.launch %[[S0]], %[[K]] blocks in
  // CHECK-NEXT: mgpu.stream_synchronize %[[S0]]
  // CHECK-NEXT: mgpu.stream_destroy %[[S0]]
  // CHECK-NEXT: return
  func.func @join(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %2 = gpu.launch_func async [%0, %1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%2]
    return
  }

  // Many that wait for many: a join has a place of its own, so that one event says it all.
  // CHECK-LABEL: func.func @fork_join
  // CHECK-COUNT-3: mgpu.stream_wait_event
  // CHECK-NOT: mgpu.stream_wait_event
  // CHECK: return
  func.func @fork_join(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %2 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %j = gpu.wait async [%0, %1, %2]
    %3 = gpu.launch_func async [%j] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %4 = gpu.launch_func async [%j] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%3, %4]
    return
  }

  // What follows by other events, or is on the same stream, needs no event.
  // CHECK-LABEL: func.func @implied
  // CHECK-COUNT-1: mgpu.stream_wait_event
  // CHECK-NOT: mgpu.stream_wait_event
  // CHECK: return
  func.func @implied(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %2 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %3 = gpu.launch_func async [%2, %0, %1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %4 = gpu.launch_func async [%3, %0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%4]
    return
  }

  // Synchronous operations, and any number of dependencies.
  // CHECK-LABEL: func.func @memory
  // CHECK: %[[H:.*]] = mgpu.alloc host_shared (%{{.*}}) : memref<?xf32>
  // CHECK: %[[S:.*]] = mgpu.stream_create
  // CHECK: %[[A:.*]] = mgpu.alloc_async %[[S]], (%{{.*}}) : memref<?xf32>
  // CHECK: mgpu.memset %[[S]], %[[A]], %{{.*}} : memref<?xf32>, f32
  // CHECK: mgpu.memcpy %[[S]], %[[H]], %[[A]] : memref<?xf32>, memref<?xf32>
  // CHECK: mgpu.stream_synchronize %[[S]]
  // CHECK: mgpu.launch %{{.*}} clusters in (%{{.*}}, %{{.*}}, %{{.*}}) blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) dynamic_shared_memory_size %{{.*}} args(%[[A]] : memref<?xf32>)
  // CHECK: mgpu.stream_synchronize %[[S]]
  // CHECK: mgpu.free_async %[[S]], %[[A]] : memref<?xf32>
  // CHECK: mgpu.stream_synchronize %[[S]]
  // CHECK: mgpu.stream_destroy %[[S]]
  // CHECK: mgpu.free %[[H]] : memref<?xf32>
  func.func @memory(%n: index, %v: f32, %shared: i32) {
    %h = gpu.alloc host_shared (%n) : memref<?xf32>
    %a, %0 = gpu.alloc async (%n) : memref<?xf32>
    %1 = gpu.memset async [%0] %a, %v : memref<?xf32>, f32
    gpu.memcpy [%1, %0] %h, %a : memref<?xf32>, memref<?xf32>
    gpu.launch_func @k::@a clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %shared args(%a : memref<?xf32>)
    gpu.dealloc %a : memref<?xf32>
    gpu.dealloc %h : memref<?xf32>
    return
  }

  // One synchronous launch is what it is.
  // CHECK-LABEL: func.func @alone
  // CHECK-NEXT: gpu.launch_func @k::@b
  // CHECK-NEXT: return
  func.func @alone(%n: index) {
    gpu.launch_func @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }

  // On a stream of the program's own the host does not wait.
  // CHECK-LABEL: func.func @own_stream
  // CHECK-SAME: (%[[S:.*]]: !mgpu.stream, %{{.*}}: index)
  // CHECK: mgpu.launch %[[S]],
  // CHECK-NEXT: return
  func.func @own_stream(%s: !mgpu.stream, %n: index) {
    gpu.launch_func <%s : !mgpu.stream> @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @b() kernel { gpu.return } }

  // A loop: its stream is made before it.
  // CHECK-LABEL: func.func @chain_in_loop
  // CHECK: %[[S:.*]] = mgpu.stream_create
  // CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK-NEXT: mgpu.launch %[[S]],
  // CHECK-NEXT: }
  // CHECK-NEXT: mgpu.stream_synchronize %[[S]]
  // CHECK-NEXT: mgpu.stream_destroy %[[S]]
  func.func @chain_in_loop(%n: index) {
    %0 = gpu.wait async
    %1 = scf.for %i = %n to %n step %n iter_args(%t = %0) -> (!gpu.async.token) {
      %2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      scf.yield %2 : !gpu.async.token
    }
    gpu.wait [%1]
    return
  }

  // Tokens that change places in each iteration, beside a value that stays.
  // CHECK-LABEL: func.func @swapped
  // CHECK: %{{.*}} = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (i32) {
  // CHECK: scf.yield %{{.*}} : i32
  func.func @swapped(%n: index, %v: i32) -> i32 {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %r:3 = scf.for %i = %n to %n step %n iter_args(%t = %0, %w = %v, %u = %1)
        -> (!gpu.async.token, i32, !gpu.async.token) {
      %2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      %x = arith.addi %w, %w : i32
      scf.yield %u, %x, %2 : !gpu.async.token, i32, !gpu.async.token
    }
    gpu.wait [%r#0, %r#2]
    return %r#1 : i32
  }

  // CHECK-LABEL: func.func @while
  // CHECK: scf.while : () -> () {
  // CHECK: scf.condition(%{{.*}})
  // CHECK: mgpu.launch
  // CHECK: scf.yield
  // CHECK: mgpu.event_synchronize
  func.func @while(%n: index, %c: i1) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = scf.while (%t = %0) : (!gpu.async.token) -> !gpu.async.token {
      scf.condition(%c) %t : !gpu.async.token
    } do {
    ^bb0(%t: !gpu.async.token):
      %2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      scf.yield %2 : !gpu.async.token
    }
    gpu.wait [%1]
    return
  }

  // An early exit: what lives in several blocks is destroyed at each way out.
  // CHECK-LABEL: func.func @exits
  // CHECK: %[[S0:.*]] = mgpu.stream_create
  // CHECK: %[[S1:.*]] = mgpu.stream_create
  // CHECK: cf.cond_br %{{.*}}, ^[[A:.*]], ^[[B:.*]]
  // CHECK: ^[[A]]:
  // CHECK: mgpu.stream_synchronize %[[S1]]
  // CHECK: mgpu.stream_destroy
  // CHECK: mgpu.stream_destroy
  // CHECK: return
  // CHECK: ^[[B]]:
  // CHECK: mgpu.stream_synchronize %[[S0]]
  // CHECK: mgpu.stream_destroy
  // CHECK: mgpu.stream_destroy
  // CHECK: return
  func.func @exits(%n: index, %c: i1) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    cf.cond_br %c, ^early, ^late
  ^early:
    gpu.wait [%1]
    return
  ^late:
    gpu.wait [%0]
    return
  }

  // A wait that belongs to one way out of a branch gets a block of its own.
  // CHECK-LABEL: func.func @one_way
  // CHECK: cf.cond_br %{{.*}}, ^[[END:.*]], ^[[WAY:.*]]
  // CHECK: ^[[WAY]]:
  // CHECK-NEXT: mgpu.stream_wait_event
  // CHECK-NEXT: cf.br ^[[END]]
  // CHECK: ^[[END]]:
  // CHECK-NEXT: mgpu.launch
  func.func @one_way(%n: index, %c: i1) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    cf.cond_br %c, ^end(%0 : !gpu.async.token), ^end(%1 : !gpu.async.token)
  ^end(%t: !gpu.async.token):
    %2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%2]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @b() kernel { gpu.return } }

  // Tokens of functions are events: an argument is the caller's, a result becomes the caller's.
  // CHECK-LABEL: func.func @callee
  // CHECK-SAME: (%[[T:.*]]: !mgpu.event, %{{.*}}: index) -> !mgpu.event
  // CHECK: mgpu.stream_wait_event %[[S:.*]], %[[T]]
  // CHECK: mgpu.launch %[[S]],
  // CHECK: %[[E:.*]] = mgpu.event_create
  // CHECK-NEXT: mgpu.event_record %[[E]], %[[S]]
  // CHECK-NEXT: mgpu.stream_destroy %[[S]]
  // CHECK-NEXT: return %[[E]] : !mgpu.event
  func.func @callee(%t: !gpu.async.token, %n: index) -> !gpu.async.token {
    %0 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return %0 : !gpu.async.token
  }

  // CHECK-LABEL: func.func @caller
  // CHECK: mgpu.event_record %[[GIVEN:.*]], %{{.*}}
  // CHECK: %[[GOT:.*]] = call @callee(%[[GIVEN]], %{{.*}}) : (!mgpu.event, index) -> !mgpu.event
  // CHECK-NEXT: mgpu.event_destroy %[[GIVEN]]
  // CHECK: mgpu.stream_wait_event %{{.*}}, %[[GOT]]
  // CHECK: mgpu.event_synchronize %[[GOT]]
  // CHECK-NEXT: mgpu.event_destroy %[[GOT]]
  func.func @caller(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = call @callee(%0, %n) : (!gpu.async.token, index) -> !gpu.async.token
    %2 = gpu.launch_func async [%1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%1]
    gpu.wait [%2]
    return
  }

  // An argument that is handed back is another event: the first stays the caller's.
  // CHECK-LABEL: func.func @back
  // CHECK-SAME: (%[[T:.*]]: !mgpu.event)
  // CHECK: mgpu.stream_wait_event %[[S:.*]], %[[T]]
  // CHECK: %[[E:.*]] = mgpu.event_create
  // CHECK: mgpu.event_record %[[E]], %[[S]]
  // CHECK: return %[[E]]
  func.func @back(%t: !gpu.async.token) -> !gpu.async.token {
    return %t : !gpu.async.token
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @b() kernel { gpu.return } }

  // What runs beside this thread waits for its own work; what it takes from here is done before.
  // CHECK-LABEL: func.func @beside
  // CHECK: mgpu.launch %[[S:[0-9]+]],
  // CHECK-NEXT: mgpu.stream_synchronize %[[S]]
  // CHECK-NEXT: %[[T:.*]] = async.execute {
  // CHECK: mgpu.launch %[[R:[0-9]+]],
  // CHECK-NEXT: mgpu.stream_synchronize %[[R]]
  // CHECK-NEXT: mgpu.stream_destroy %[[R]]
  // CHECK-NEXT: async.yield
  // CHECK: async.await %[[T]] : !async.token
  // CHECK: mgpu.launch %[[S]],
  func.func @beside(%n: index) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %t, %v = async.execute -> !async.value<!gpu.async.token> {
      %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      async.yield %1 : !gpu.async.token
    }
    %2 = async.await %v : !async.value<!gpu.async.token>
    %3 = gpu.launch_func async [%2] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%3]
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @b() kernel { gpu.return } }

  // What is in two branches is never there together, and needs no two streams.
  // CHECK-LABEL: func.func @branches
  // CHECK: mgpu.stream_create
  // CHECK-NOT: mgpu.stream_create
  // CHECK-NOT: mgpu.event_create
  // CHECK: return
  func.func @branches(%n: index, %c: i1) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    %1 = scf.if %c -> (!gpu.async.token) {
      %2 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      scf.yield %2 : !gpu.async.token
    } else {
      %3 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      %4 = gpu.launch_func async [%3] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
      scf.yield %4 : !gpu.async.token
    }
    %5 = gpu.launch_func async [%1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.wait [%5]
    return
  }

  // But what is before one of them only may still run beside the other.
  // CHECK-LABEL: func.func @beside_a_branch
  // CHECK-COUNT-2: mgpu.stream_create
  // CHECK: return
  func.func @beside_a_branch(%n: index, %c: i1) {
    %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    scf.if %c {
      %2 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    } else {
      %3 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    }
    return
  }
}
