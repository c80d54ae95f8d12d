// SAME: --ownership-based-buffer-deallocation=private-function-dynamic-ownership
func.func private @make(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @calls(%n: index, %x: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = call @make(%n) : (index) -> memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  %v = memref.load %a[%i] : memref<?xf32>
  return %v : f32
}
func.func @pass_through(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}
func.func @branches(%c: i1, %n: index, %m: memref<?xf32>) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<?xf32>)
^bb1:
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  cf.br ^bb2(%b : memref<?xf32>)
^bb2(%r: memref<?xf32>):
  memref.copy %r, %a : memref<?xf32> to memref<?xf32>
  return %a : memref<?xf32>
}
func.func @loop(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<?xf32> {
    %b = gpu.alloc (%n) : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %t : memref<?xf32> to memref<?xf32>
    scf.yield %t : memref<?xf32>
  }
  return %r : memref<?xf32>
}
func.func @while(%n: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.while (%m = %a) : (memref<?xf32>) -> memref<?xf32> {
    scf.condition(%c) %m : memref<?xf32>
  } do {
  ^bb0(%p: memref<?xf32>):
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %p, %t : memref<?xf32> to memref<?xf32>
    scf.yield %t : memref<?xf32>
  }
  return %r : memref<?xf32>
}
func.func @select(%c: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  return %s : memref<?xf32>
}
func.func @parallel(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    scf.reduce
  }
  scf.forall (%i) in (%n) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
  }
  return
}
func.func @views(%n: index, %x: f32) -> memref<2xf32, strided<[1]>> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.subview %a[0] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1]>>
  %g = memref.alloca() : memref<4xf32>
  memref.store %x, %g[%c0] : memref<4xf32>
  %unused = memref.alloc() : memref<4xf32>
  return %v : memref<2xf32, strided<[1]>>
}
func.func @unranked(%n: index) -> memref<*xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %u = memref.cast %a : memref<?xf32> to memref<*xf32>
  return %u : memref<*xf32>
}
func.func @launch(%n: index, %x: f32, %m: memref<?xf32>) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) {
    %t = memref.alloc() : memref<2xf32>
    memref.store %x, %t[%g] : memref<2xf32>
    %v = memref.load %t[%h] : memref<2xf32>
    memref.store %v, %m[%g] : memref<?xf32>
    gpu.terminator
  }
  return
}
func.func @two(%c: i1, %n: index, %m: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> (memref<?xf32>) {
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }
  return %r, %a : memref<?xf32>, memref<?xf32>
}
