// RUN: xgpu-opt %s --mgpu-verify-lifetimes | filecheck %s

// CHECK-LABEL: func.func @handed_round
func.func @handed_round(%n: index) -> !mgpu.event {
  %e = mgpu.event_create
  %r = scf.for %i = %n to %n step %n iter_args(%x = %e) -> !mgpu.event {
    %f = mgpu.event_create
    mgpu.event_destroy %x
    scf.yield %f : !mgpu.event
  }
  return %r : !mgpu.event
}

// CHECK-LABEL: func.func @both_ways
func.func @both_ways(%c: i1, %borrowed: !mgpu.event) {
  %s = mgpu.stream_create
  mgpu.stream_wait_event %s, %borrowed
  cf.cond_br %c, ^a, ^b
^a:
  mgpu.stream_destroy %s
  return
^b:
  mgpu.stream_synchronize %s
  mgpu.stream_destroy %s
  return
}

// CHECK-LABEL: func.func @owned_by_the_caller
func.func @owned_by_the_caller(%n: index) {
  %e = call @handed_round(%n) : (index) -> !mgpu.event
  mgpu.event_synchronize %e
  mgpu.event_destroy %e
  return
}

// CHECK-LABEL: func.func @loop_of_blocks
func.func @loop_of_blocks(%c: i1) {
  %s = mgpu.stream_create
  cf.br ^head
^head:
  %e = mgpu.event_create
  mgpu.event_record %e, %s
  mgpu.event_destroy %e
  cf.cond_br %c, ^head, ^exit
^exit:
  mgpu.stream_destroy %s
  return
}
