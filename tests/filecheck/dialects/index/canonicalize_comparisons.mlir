// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// What is at least, or at most, a constant.

// CHECK: module {
// CHECK-NEXT:   func.func @bounded(%arg0: index) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %true = index.bool.constant true
// CHECK-NEXT:     %false = index.bool.constant false
// CHECK-NEXT:     return %true, %false, %false, %true, %false, %true, %true, %false : i1, i1, i1, i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @bounded(%a: index) -> (i1, i1, i1, i1, i1, i1, i1, i1) {
  %c0 = index.constant 0
  %c4 = index.constant 4
  %c8 = index.constant 8
  %m4 = index.constant -4
  %maxs = index.maxs %a, %c4
  %mins = index.mins %a, %m4
  %maxu = index.maxu %a, %c8
  %minu = index.minu %a, %c4
  %0 = index.cmp sgt(%maxs, %c0)
  %1 = index.cmp eq(%maxs, %c0)
  %2 = index.cmp sge(%mins, %c0)
  %3 = index.cmp ne(%mins, %c0)
  %4 = index.cmp ult(%maxu, %c8)
  %5 = index.cmp uge(%maxu, %c4)
  %6 = index.cmp ule(%minu, %c4)
  %7 = index.cmp ugt(%minu, %c8)
  return %0, %1, %2, %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1, i1, i1, i1
}

// It depends, on the other operand, or on the sign.

// CHECK-NEXT:   func.func @open(%arg0: index) -> (i1, i1, i1, i1, i1) {
// CHECK-NEXT:     %idx0 = index.constant 0
// CHECK-NEXT:     %idx4 = index.constant 4
// CHECK-NEXT:     %idx8 = index.constant 8
// CHECK-NEXT:     %0 = index.maxs %arg0, %idx4
// CHECK-NEXT:     %1 = index.mins %arg0, %idx4
// CHECK-NEXT:     %2 = index.maxu %arg0, %idx4
// CHECK-NEXT:     %3 = index.cmp sgt(%0, %idx4)
// CHECK-NEXT:     %4 = index.cmp eq(%0, %idx8)
// CHECK-NEXT:     %5 = index.cmp ult(%1, %idx8)
// CHECK-NEXT:     %6 = index.cmp sge(%2, %idx0)
// CHECK-NEXT:     %7 = index.cmp slt(%1, %idx4)
// CHECK-NEXT:     return %3, %4, %5, %6, %7 : i1, i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @open(%a: index) -> (i1, i1, i1, i1, i1) {
  %c0 = index.constant 0
  %c4 = index.constant 4
  %c8 = index.constant 8
  %m4 = index.constant -4
  %maxs = index.maxs %a, %c4
  %mins = index.mins %a, %c4
  %maxu = index.maxu %a, %c4
  %0 = index.cmp sgt(%maxs, %c4)
  %1 = index.cmp eq(%maxs, %c8)
  %2 = index.cmp ult(%mins, %c8)
  %3 = index.cmp sge(%maxu, %c0)
  %4 = index.cmp slt(%mins, %c4)
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @difference(%arg0: index, %arg1: index) -> (i1, i1, i1) {
// CHECK-NEXT:     %0 = index.cmp sgt(%arg0, %arg1)
// CHECK-NEXT:     %1 = index.cmp sgt(%arg1, %arg0)
// CHECK-NEXT:     %2 = index.cmp eq(%arg1, %arg0)
// CHECK-NEXT:     return %0, %1, %2 : i1, i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @difference(%a: index, %b: index) -> (i1, i1, i1) {
  %c0 = index.constant 0
  %c = index.sub %a, %b
  %0 = index.cmp sgt(%c, %c0)
  %1 = index.cmp sgt(%c0, %c)
  %2 = index.cmp eq(%c0, %c)
  return %0, %1, %2 : i1, i1, i1
}
