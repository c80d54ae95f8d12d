// RUN: xgpu-opt --inline --allow-unregistered-dialect --split-input-file %s | filecheck %s --match-full-lines

// Nothing called it to begin with, or only what goes does.

func.func private @never() {
  return
}

func.func private @last(%a: memref<f32>) {
  %0 = memref.load %a[] : memref<f32>
  return
}

func.func private @calls_last(%a: memref<f32>) attributes {no_inline} {
  call @last(%a) : (memref<f32>) -> ()
  return
}

func.func nested @between(%a: memref<f32>) {
  call @calls_last(%a) : (memref<f32>) -> ()
  return
}

func.func @public() {
  return
}

func.func private @referred() {
  return
}

func.func private @declared()

"some.user"() {use = @referred} : () -> ()

// CHECK: module {
// CHECK-NEXT:   func.func @public() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @referred() {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @declared()
// CHECK-NEXT:   "some.user"() {use = @referred} : () -> ()
// CHECK-NEXT: }
