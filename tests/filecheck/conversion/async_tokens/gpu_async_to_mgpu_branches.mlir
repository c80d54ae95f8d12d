// RUN: xgpu-opt --gpu-async-to-mgpu --mgpu-verify-lifetimes %s | filecheck %s --match-full-lines

// Two ways lead from one branch to one block, with a token each: what one of them waits for is not
// waited for on the other.

module attributes {gpu.container_module} {
gpu.module @k { gpu.func @b() kernel { gpu.return } }
func.func @same_block(%n: index, %c: i1) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %2 = gpu.launch_func async [%1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  cf.cond_br %c, ^a(%0 : !gpu.async.token), ^a(%1 : !gpu.async.token)
^a(%t: !gpu.async.token):
  gpu.wait [%t]
  %3 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
func.func @swapped(%n: index, %c: i1) {
  %0 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %1 = gpu.launch_func async [%0] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %2 = gpu.launch_func async [%1] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  cf.cond_br %c, ^a(%1 : !gpu.async.token), ^a(%0 : !gpu.async.token)
^a(%t: !gpu.async.token):
  gpu.wait [%t]
  %3 = gpu.launch_func async @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   gpu.module @k {
// CHECK-NEXT:     gpu.func @b() kernel {
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @same_block(%arg0: index, %arg1: i1) {
// CHECK-NEXT:     %0 = mgpu.kernel @k::@b : !mgpu.function
// CHECK-NEXT:     %1 = mgpu.stream_create
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     %2 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %2, %1
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     %3 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %3, %1
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     mgpu.stream_destroy %1
// CHECK-NEXT:     %4 = mgpu.stream_create
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     mgpu.stream_wait_event %4, %2
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     mgpu.stream_wait_event %4, %3
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     mgpu.stream_synchronize %4
// CHECK-NEXT:     mgpu.launch %4, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     mgpu.event_destroy %2
// CHECK-NEXT:     mgpu.event_destroy %3
// CHECK-NEXT:     mgpu.stream_destroy %4
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @swapped(%arg0: index, %arg1: i1) {
// CHECK-NEXT:     %0 = mgpu.kernel @k::@b : !mgpu.function
// CHECK-NEXT:     %1 = mgpu.stream_create
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     %2 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %2, %1
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     %3 = mgpu.event_create
// CHECK-NEXT:     mgpu.event_record %3, %1
// CHECK-NEXT:     mgpu.launch %1, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     mgpu.stream_destroy %1
// CHECK-NEXT:     %4 = mgpu.stream_create
// CHECK-NEXT:     cf.cond_br %arg1, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     mgpu.stream_wait_event %4, %3
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     mgpu.stream_wait_event %4, %2
// CHECK-NEXT:     cf.br ^bb3
// CHECK-NEXT:   ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     mgpu.stream_synchronize %4
// CHECK-NEXT:     mgpu.launch %4, %0 blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)
// CHECK-NEXT:     mgpu.event_destroy %2
// CHECK-NEXT:     mgpu.event_destroy %3
// CHECK-NEXT:     mgpu.stream_destroy %4
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
