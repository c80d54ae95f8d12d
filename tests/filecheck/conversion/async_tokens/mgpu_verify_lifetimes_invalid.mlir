// RUN: xgpu-opt %s --mgpu-verify-lifetimes --split-input-file --verify-diagnostics

func.func @leak() {
  // expected-error @+1 {{'mgpu.stream_create' op has a stream that is never destroyed}}
  %s = mgpu.stream_create
  // expected-note @+1 {{it is alive here}}
  return
}

// -----

func.func @use_after_end(%e: !mgpu.event) {
  // expected-note @+1 {{made here}}
  %s = mgpu.stream_create
  // expected-note @+1 {{destroyed here}}
  mgpu.stream_destroy %s
  // expected-error @+1 {{'mgpu.event_record' op uses a stream that has been destroyed}}
  mgpu.event_record %e, %s
  return
}

// -----

func.func @twice_on_one_path(%c: i1) {
  // expected-note @+1 {{made here}}
  %s = mgpu.stream_create
  // expected-note @+1 {{and is destroyed on the path through here}}
  scf.if %c {
    // expected-note @+1 {{destroyed here}}
    mgpu.stream_destroy %s
  }
  // expected-error @+1 {{'mgpu.stream_destroy' op destroys a stream that may have been destroyed already}}
  mgpu.stream_destroy %s
  return
}

// -----

func.func @early_exit(%c: i1) {
  // expected-error @+1 {{'mgpu.stream_create' op has a stream that is not destroyed on every path}}
  %s = mgpu.stream_create
  cf.cond_br %c, ^a, ^b
^a:
  mgpu.stream_destroy %s
  return
^b:
  // expected-note @+1 {{it is alive here}}
  return
}

// -----

func.func @paths_meet(%c: i1) {
  // expected-error @+1 {{'mgpu.event_create' op has an event that is not destroyed on every path}}
  %e = mgpu.event_create
  cf.cond_br %c, ^a, ^b
^a:
  // expected-note @+1 {{destroyed here}}
  mgpu.event_destroy %e
  cf.br ^end
^b:
  // expected-note @+1 {{and is alive on the path through here}}
  cf.br ^end
^end:
  // expected-note @+1 {{it is alive here}}
  return
}

// -----

func.func @each_iteration(%n: index) {
  // expected-note @+1 {{made here}}
  %s = mgpu.stream_create
  // expected-note @+1 {{and is destroyed on the path through here}}
  scf.for %i = %n to %n step %n {
    // expected-note @+2 {{destroyed here}}
    // expected-error @+1 {{'mgpu.stream_destroy' op destroys a stream that may have been destroyed already}}
    mgpu.stream_destroy %s
  }
  return
}

// -----

func.func @made_again(%c: i1) {
  cf.br ^head
^head:
  // expected-error @+2 {{'mgpu.event_create' op has an event that is not destroyed on every path}}
  // expected-note @+1 {{it is alive when it is made again}}
  %e = mgpu.event_create
  cf.cond_br %c, ^head, ^exit
^exit:
  mgpu.event_destroy %e
  return
}

// -----

// expected-note @+1 {{it comes in here}}
func.func @argument(%e: !mgpu.event) {
  // expected-error @+1 {{'mgpu.event_destroy' op destroys an event that the caller owns}}
  mgpu.event_destroy %e
  return
}

// -----

// expected-note @+1 {{it comes in here}}
func.func @gives_the_callers(%e: !mgpu.event) -> !mgpu.event {
  // expected-error @+1 {{'func.return' op returns an event that the caller owns}}
  return %e : !mgpu.event
}

// -----

func.func private @give() -> !mgpu.event
func.func @forgets() {
  // expected-error @+1 {{'func.call' op has an event that is never destroyed}}
  %e = call @give() : () -> !mgpu.event
  // expected-note @+1 {{it is alive here}}
  return
}

// -----

func.func @graph_in_a_region(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{'mgpu.graph_create' op has a graph that is never destroyed}}
    %g = mgpu.graph_create
    // expected-note @+1 {{it is alive here}}
    scf.yield
  }
  return
}

// -----

func.func @used_behind_one_path(%c: i1, %e: !mgpu.event) {
  // expected-note @+1 {{made here}}
  %s = mgpu.stream_create
  // expected-note @+1 {{and is destroyed on the path through here}}
  scf.if %c {
    // expected-note @+1 {{destroyed here}}
    mgpu.stream_destroy %s
  }
  // expected-error @+1 {{'mgpu.event_record' op uses a stream that may have been destroyed}}
  mgpu.event_record %e, %s
  return
}
