// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Constants of the index dialect are put together where 32 and 64 bits agree.

// CHECK: module {
// CHECK-NEXT:   func.func @associated(%arg0: index) -> (index, index, index, index) {
// CHECK-NEXT:     %idx5 = index.constant 5
// CHECK-NEXT:     %idx1 = index.constant 1
// CHECK-NEXT:     %idx15 = index.constant 15
// CHECK-NEXT:     %idx8 = index.constant 8
// CHECK-NEXT:     %0 = index.add %arg0, %idx8
// CHECK-NEXT:     %1 = index.mul %arg0, %idx15
// CHECK-NEXT:     %2 = index.and %arg0, %idx1
// CHECK-NEXT:     %3 = index.maxs %arg0, %idx5
// CHECK-NEXT:     return %0, %1, %2, %3 : index, index, index, index
// CHECK-NEXT:   }
func.func @associated(%x: index) -> (index, index, index, index) {
  %c3 = index.constant 3
  %c5 = index.constant 5
  %0 = index.add %x, %c3
  %1 = index.add %0, %c5
  %2 = index.mul %x, %c3
  %3 = index.mul %2, %c5
  %4 = index.and %x, %c3
  %5 = index.and %4, %c5
  %6 = index.maxs %x, %c3
  %7 = index.maxs %6, %c5
  return %1, %3, %5, %7 : index, index, index, index
}

// CHECK-NEXT:   func.func @others(%arg0: index) -> (index, index, index, index, index) {
// CHECK-NEXT:     %idx3 = index.constant 3
// CHECK-NEXT:     %idx-8 = index.constant -8
// CHECK-NEXT:     %idx-5 = index.constant -5
// CHECK-NEXT:     %0 = index.or %arg0, %idx-5
// CHECK-NEXT:     %1 = index.xor %arg0, %idx-8
// CHECK-NEXT:     %2 = index.mins %arg0, %idx-5
// CHECK-NEXT:     %3 = index.minu %arg0, %idx3
// CHECK-NEXT:     %4 = index.maxu %arg0, %idx-5
// CHECK-NEXT:     return %0, %1, %2, %3, %4 : index, index, index, index, index
// CHECK-NEXT:   }
func.func @others(%x: index) -> (index, index, index, index, index) {
  %c3 = index.constant 3
  %c5 = index.constant -5
  %0 = index.or %x, %c3
  %1 = index.or %0, %c5
  %2 = index.xor %x, %c3
  %3 = index.xor %2, %c5
  %4 = index.mins %x, %c3
  %5 = index.mins %4, %c5
  %6 = index.minu %x, %c3
  %7 = index.minu %6, %c5
  %8 = index.maxu %x, %c3
  %9 = index.maxu %8, %c5
  return %1, %3, %5, %7, %9 : index, index, index, index, index
}

// CHECK-NEXT:   func.func @too_large(%arg0: index) -> (index, index) {
// CHECK-NEXT:     %idx9000000000000000000 = index.constant 9000000000000000000
// CHECK-NEXT:     %idx3000000000 = index.constant 3000000000
// CHECK-NEXT:     %idx3 = index.constant 3
// CHECK-NEXT:     %0 = index.maxs %arg0, %idx3000000000
// CHECK-NEXT:     %1 = index.maxs %0, %idx3
// CHECK-NEXT:     %2 = index.mul %arg0, %idx9000000000000000000
// CHECK-NEXT:     return %1, %2 : index, index
// CHECK-NEXT:   }
func.func @too_large(%x: index) -> (index, index) {
  %large = index.constant 3000000000
  %other = index.constant 3
  %0 = index.maxs %x, %large
  %1 = index.maxs %0, %other
  %2 = index.mul %x, %large
  %3 = index.mul %2, %large
  return %1, %3 : index, index
}

// CHECK-NEXT:   func.func @not_both(%arg0: index, %arg1: index) -> (index, index) {
// CHECK-NEXT:     %idx3 = index.constant 3
// CHECK-NEXT:     %0 = index.add %arg0, %arg1
// CHECK-NEXT:     %1 = index.add %0, %idx3
// CHECK-NEXT:     %2 = index.sub %arg0, %idx3
// CHECK-NEXT:     %3 = index.sub %2, %idx3
// CHECK-NEXT:     return %1, %3 : index, index
// CHECK-NEXT:   }
func.func @not_both(%x: index, %y: index) -> (index, index) {
  %c3 = index.constant 3
  %0 = index.add %x, %y
  %1 = index.add %0, %c3
  %2 = index.sub %x, %c3
  %3 = index.sub %2, %c3
  return %1, %3 : index, index
}

// CHECK-NEXT:   func.func @compared_difference(%arg0: index, %arg1: index) -> (i1, i1, i1) {
// CHECK-NEXT:     %idx1 = index.constant 1
// CHECK-NEXT:     %0 = index.sub %arg0, %arg1
// CHECK-NEXT:     %1 = index.cmp slt(%arg0, %arg1)
// CHECK-NEXT:     %2 = index.cmp eq(%arg0, %arg1)
// CHECK-NEXT:     %3 = index.cmp ult(%0, %idx1)
// CHECK-NEXT:     return %1, %2, %3 : i1, i1, i1
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @compared_difference(%x: index, %y: index) -> (i1, i1, i1) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %0 = index.sub %x, %y
  %1 = index.cmp slt(%0, %c0)
  %2 = index.cmp eq(%0, %c0)
  %3 = index.cmp ult(%0, %c1)
  return %1, %2, %3 : i1, i1, i1
}
