// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @w(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %0:2 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:       "test.op"() : () -> ()
// CHECK-NEXT:       scf.condition(%arg0) %arg3, %arg4 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT:       scf.yield %arg4, %arg3 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#1, %0#0 : i32, i32
// CHECK-NEXT:   }
func.func @w(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %1:2 = scf.while (%arg1 = %a, %arg2 = %b) : (i32, i32) -> (i32, i32) {
      "test.op"() : () -> ()
      scf.condition(%c) %arg2, %arg1 : i32, i32
    } do {
    ^bb0(%arg1: i32, %arg2: i32):
      scf.yield %arg1, %arg2 : i32, i32
    }
  return %1#0, %1#1 : i32, i32
}
// CHECK-NEXT:   func.func @w2(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %0:2 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:       "test.op"() : () -> ()
// CHECK-NEXT:       scf.condition(%arg0) %arg3, %arg4 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT:       "test.op"(%arg4) : (i32) -> ()
// CHECK-NEXT:       scf.yield %arg4, %arg3 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#1, %0#0 : i32, i32
// CHECK-NEXT:   }
func.func @w2(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %1:2 = scf.while (%arg1 = %a, %arg2 = %b) : (i32, i32) -> (i32, i32) {
      "test.op"() : () -> ()
      scf.condition(%c) %arg2, %arg1 : i32, i32
    } do {
    ^bb0(%arg1: i32, %arg2: i32):
      "test.op"(%arg1) : (i32) -> ()
      scf.yield %arg1, %arg2 : i32, i32
    }
  return %1#0, %1#1 : i32, i32
}
// CHECK-NEXT:   func.func @w3(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
// CHECK-NEXT:     %0:3 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (i32, i32) -> (i32, i32, i32) {
// CHECK-NEXT:       %1 = "test.op"() : () -> i32
// CHECK-NEXT:       scf.condition(%arg0) %arg4, %1, %arg3 : i32, i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg3: i32, %arg4: i32, %arg5: i32):
// CHECK-NEXT:       "test.op"(%arg3) : (i32) -> ()
// CHECK-NEXT:       scf.yield %arg3, %arg4 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0, %0#1, %0#2 : i32, i32, i32
// CHECK-NEXT:   }
func.func @w3(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32) {
  %1:3 = scf.while (%arg1 = %a, %arg2 = %b) : (i32, i32) -> (i32, i32, i32) {
      %x = "test.op"() : () -> i32
      scf.condition(%c) %arg2, %x, %arg1 : i32, i32, i32
    } do {
    ^bb0(%arg1: i32, %arg2: i32, %arg3: i32):
      "test.op"(%arg1) : (i32) -> ()
      scf.yield %arg1, %arg2 : i32, i32
    }
  return %1#0, %1#1, %1#2 : i32, i32, i32
}
// CHECK-NEXT:   func.func @w4(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
// CHECK-NEXT:     %0:2 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (i32, i32) -> (i32, i32) {
// CHECK-NEXT:       "test.op"(%arg4) : (i32) -> ()
// CHECK-NEXT:       scf.condition(%arg0) %arg3, %arg4 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT:       "test.op"(%arg4) : (i32) -> ()
// CHECK-NEXT:       scf.yield %arg4, %arg3 : i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#1, %0#0 : i32, i32
// CHECK-NEXT:   }
func.func @w4(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %1:2 = scf.while (%arg1 = %a, %arg2 = %b, %arg3 = %b) : (i32, i32, i32) -> (i32, i32) {
      "test.op"(%arg3) : (i32) -> ()
      scf.condition(%c) %arg2, %arg1 : i32, i32
    } do {
    ^bb0(%arg1: i32, %arg2: i32):
      "test.op"(%arg1) : (i32) -> ()
      scf.yield %arg1, %arg2, %arg2 : i32, i32, i32
    }
  return %1#0, %1#1 : i32, i32
}
// CHECK-NEXT:   func.func @move_if_down(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:     %0:2 = scf.while (%arg2 = %arg0) : (i32) -> (i32, i32) {
// CHECK-NEXT:       %1 = "test.cond"() : () -> i1
// CHECK-NEXT:       %2 = "test.op"() : () -> i32
// CHECK-NEXT:       scf.condition(%1) %arg2, %2 : i32, i32
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%arg2: i32, %arg3: i32):
// CHECK-NEXT:       %1 = "test.op2"(%arg3, %arg2) : (i32, i32) -> i32
// CHECK-NEXT:       "test.op3"() : () -> ()
// CHECK-NEXT:       scf.yield %1 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0#0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @move_if_down(%a: i32, %b: i32) -> (i32) {
  %1 = scf.while (%arg1 = %a) : (i32) -> (i32) {
      %c = "test.cond"() : () -> i1
      %y = "test.op"() : () -> i32
      %z = scf.if %c -> (i32) {
        %q = "test.op2"(%y, %arg1) : (i32, i32) -> i32
        scf.yield %q : i32
      } else {
        scf.yield %arg1 : i32
      }
      scf.condition(%c) %z : i32
    } do {
    ^bb0(%arg1: i32):
      "test.op3"() : () -> ()
      scf.yield %arg1 : i32
    }
  return %1 : i32
}
