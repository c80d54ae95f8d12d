// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Deallocations that do nothing or twice the same; clones of what is freed anyway.

// CHECK: module {
// CHECK-NEXT:   func.func @twice(%arg0: memref<2xi32>, %arg1: i1, %arg2: i1) -> i1 {
// CHECK-NEXT:     %0 = arith.ori %arg1, %arg2 : i1
// CHECK-NEXT:     %1 = bufferization.dealloc (%arg0 : memref<2xi32>) if (%0) retain (%arg0 : memref<2xi32>)
// CHECK-NEXT:     return %1 : i1
// CHECK-NEXT:   }
func.func @twice(%m: memref<2xi32>, %p: i1, %q: i1) -> i1 {
  %0 = bufferization.dealloc (%m, %m : memref<2xi32>, memref<2xi32>) if (%p, %q) retain (%m : memref<2xi32>)
  return %0 : i1
}

// CHECK-NEXT:   func.func @twice_on_one_condition(%arg0: memref<2xi32>, %arg1: i1) {
// CHECK-NEXT:     bufferization.dealloc (%arg0 : memref<2xi32>) if (%arg1)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @twice_on_one_condition(%m: memref<2xi32>, %p: i1) {
  bufferization.dealloc (%m, %m : memref<2xi32>, memref<2xi32>) if (%p, %p)
  return
}

// CHECK-NEXT:   func.func @retained_twice(%arg0: memref<2xi32>, %arg1: memref<2xi32>, %arg2: memref<2xi32>, %arg3: i1) -> (i1, i1, i1) {
// CHECK-NEXT:     %0:2 = bufferization.dealloc (%arg0 : memref<2xi32>) if (%arg3) retain (%arg1, %arg2 : memref<2xi32>, memref<2xi32>)
// CHECK-NEXT:     return %0#0, %0#1, %0#0 : i1, i1, i1
// CHECK-NEXT:   }
func.func @retained_twice(%m: memref<2xi32>, %r: memref<2xi32>, %s: memref<2xi32>, %p: i1) -> (i1, i1, i1) {
  %0:3 = bufferization.dealloc (%m : memref<2xi32>) if (%p) retain (%r, %s, %r : memref<2xi32>, memref<2xi32>, memref<2xi32>)
  return %0#0, %0#1, %0#2 : i1, i1, i1
}

// CHECK-NEXT:   func.func @nothing(%arg0: memref<2xi32>) -> i1 {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     return %false : i1
// CHECK-NEXT:   }
func.func @nothing(%r: memref<2xi32>) -> i1 {
  bufferization.dealloc
  %0 = bufferization.dealloc retain (%r : memref<2xi32>)
  return %0 : i1
}

// CHECK-NEXT:   func.func @never(%arg0: memref<2xi32>, %arg1: memref<2xi32>, %arg2: i1) {
// CHECK-NEXT:     bufferization.dealloc (%arg1 : memref<2xi32>) if (%arg2)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @never(%m: memref<2xi32>, %n: memref<2xi32>, %p: i1) {
  %false = arith.constant false
  bufferization.dealloc (%m, %n : memref<2xi32>, memref<2xi32>) if (%false, %p)
  return
}

// CHECK-NEXT:   func.func @metadata(%arg0: i1, %arg1: memref<4xi32>) {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xi32>
// CHECK-NEXT:     "test.use"(%alloc) : (memref<4xi32>) -> ()
// CHECK-NEXT:     %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<4xi32> -> memref<i32>, index, index, index
// CHECK-NEXT:     bufferization.dealloc (%alloc, %base_buffer : memref<4xi32>, memref<i32>) if (%arg0, %arg0)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @metadata(%p: i1, %m: memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  "test.use"(%a) : (memref<4xi32>) -> ()
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<4xi32> -> memref<i32>, index, index, index
  %other, %o, %s, %t = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index
  bufferization.dealloc (%base, %other : memref<i32>, memref<i32>) if (%p, %p)
  return
}

// CHECK-NEXT:   func.func @unused(%arg0: i1, %arg1: i1) {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<4xi32>
// CHECK-NEXT:     "test.use"(%alloc) : (memref<4xi32>) -> ()
// CHECK-NEXT:     bufferization.dealloc (%alloc : memref<4xi32>) if (%arg1)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unused(%p: i1, %q: i1) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  "test.use"(%b) : (memref<4xi32>) -> ()
  bufferization.dealloc (%a, %b : memref<4xi32>, memref<4xi32>) if (%p, %q)
  return
}

// CHECK-NEXT:   func.func @clone_of_freed(%arg0: memref<4xi32>) -> memref<4xi32> {
// CHECK-NEXT:     return %arg0 : memref<4xi32>
// CHECK-NEXT:   }
func.func @clone_of_freed(%a: memref<4xi32>) -> memref<4xi32> {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return %0 : memref<4xi32>
}

// CHECK-NEXT:   func.func @freed_clone(%arg0: memref<4xi32>) {
// CHECK-NEXT:     "test.use"(%arg0) : (memref<4xi32>) -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @freed_clone(%a: memref<4xi32>) {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  "test.use"(%0) : (memref<4xi32>) -> ()
  memref.dealloc %0 : memref<4xi32>
  return
}

// CHECK-NEXT:   func.func @with_other_type(%arg0: memref<4xi32>) -> memref<?xi32> {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<4xi32> to memref<?xi32>
// CHECK-NEXT:     return %cast : memref<?xi32>
// CHECK-NEXT:   }
func.func @with_other_type(%a: memref<4xi32>) -> memref<?xi32> {
  %0 = bufferization.clone %a : memref<4xi32> to memref<?xi32>
  memref.dealloc %a : memref<4xi32>
  return %0 : memref<?xi32>
}

// CHECK-NEXT:   func.func @unused_clone(%arg0: memref<4xi32>) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unused_clone(%a: memref<4xi32>) {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  return
}

// CHECK-NEXT:   func.func @clone_of_view(%arg0: memref<4xi32>) -> memref<2xi32> {
// CHECK-NEXT:     %subview = memref.subview %arg0[0] [2] [1] : memref<4xi32> to memref<2xi32>
// CHECK-NEXT:     return %subview : memref<2xi32>
// CHECK-NEXT:   }
func.func @clone_of_view(%a: memref<4xi32>) -> memref<2xi32> {
  %v = memref.subview %a[0] [2] [1] : memref<4xi32> to memref<2xi32>
  %0 = bufferization.clone %v : memref<2xi32> to memref<2xi32>
  memref.dealloc %a : memref<4xi32>
  return %0 : memref<2xi32>
}

// CHECK-NEXT:   func.func @clones_that_stay(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) -> (memref<4xi32>, memref<4xi32>, memref<4xi32>) {
// CHECK-NEXT:     %0 = bufferization.clone %arg0 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     %1 = bufferization.clone %arg1 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     memref.dealloc %arg2 : memref<4xi32>
// CHECK-NEXT:     memref.dealloc %arg1 : memref<4xi32>
// CHECK-NEXT:     return %0, %1, %arg0 : memref<4xi32>, memref<4xi32>, memref<4xi32>
// CHECK-NEXT:   }
func.func @clones_that_stay(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) -> (memref<4xi32>, memref<4xi32>, memref<4xi32>) {
  // Neither is freed.
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  // Something else is freed in between.
  %1 = bufferization.clone %b : memref<4xi32> to memref<4xi32>
  memref.dealloc %c : memref<4xi32>
  memref.dealloc %b : memref<4xi32>
  return %0, %1, %a : memref<4xi32>, memref<4xi32>, memref<4xi32>
}

// CHECK-NEXT:   func.func @both_freed(%arg0: memref<4xi32>, %arg1: i1) {
// CHECK-NEXT:     %0 = bufferization.clone %arg0 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     "test.use"(%0) : (memref<4xi32>) -> ()
// CHECK-NEXT:     memref.dealloc %0 : memref<4xi32>
// CHECK-NEXT:     memref.dealloc %arg0 : memref<4xi32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @both_freed(%a: memref<4xi32>, %p: i1) {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  "test.use"(%0) : (memref<4xi32>) -> ()
  memref.dealloc %0 : memref<4xi32>
  memref.dealloc %a : memref<4xi32>
  return
}

// CHECK-NEXT:   func.func @freed_twice(%arg0: memref<4xi32>, %arg1: i1) -> memref<4xi32> {
// CHECK-NEXT:     %0 = bufferization.clone %arg0 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<4xi32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<4xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<4xi32>
// CHECK-NEXT:   }
func.func @freed_twice(%a: memref<4xi32>, %p: i1) -> memref<4xi32> {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  scf.if %p {
    memref.dealloc %a : memref<4xi32>
  } else {
    memref.dealloc %a : memref<4xi32>
  }
  return %0 : memref<4xi32>
}

// CHECK-NEXT:   func.func @freed_elsewhere(%arg0: memref<4xi32>, %arg1: i1) -> memref<4xi32> {
// CHECK-NEXT:     %0 = bufferization.clone %arg0 : memref<4xi32> to memref<4xi32>
// CHECK-NEXT:     scf.if %arg1 {
// CHECK-NEXT:       memref.dealloc %arg0 : memref<4xi32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : memref<4xi32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @freed_elsewhere(%a: memref<4xi32>, %p: i1) -> memref<4xi32> {
  %0 = bufferization.clone %a : memref<4xi32> to memref<4xi32>
  scf.if %p {
    memref.dealloc %a : memref<4xi32>
  }
  return %0 : memref<4xi32>
}
