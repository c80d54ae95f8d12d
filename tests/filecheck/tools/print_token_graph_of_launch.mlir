// RUN: xgpu-opt %s --print-token-graph | filecheck %s --match-full-lines
// What the body of a launch reads and writes is what the launch does, before it is outlined as well.

func.func @main() {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %read = gpu.alloc host_shared () : memref<8xf32>
  %written = gpu.alloc host_shared () : memref<8xf32>
  %asked = gpu.alloc host_shared () : memref<8xf32>
  %s = gpu.wait async
  %a = gpu.memset async [%s] %read, %one : memref<8xf32>, f32
  %b = gpu.memset async [%s] %asked, %one : memref<8xf32>, f32
  %o = gpu.wait async
  %c = gpu.launch async [%o] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%i, %ty, %tz) in (%n = %c8, %sy = %c1, %sz = %c1) {
    %own = memref.alloca() : memref<8xf32>
    %size = memref.dim %asked, %c1 : memref<8xf32>
    scf.for %j = %i to %size step %c1 {
      %view = memref.subview %written[%j] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
      %x = memref.load %read[%j] : memref<8xf32>
      memref.store %x, %own[%j] : memref<8xf32>
      memref.store %x, %view[%i] : memref<1xf32, strided<[1], offset: ?>>
    }
    gpu.terminator
  }
  %d = gpu.memset async [%o] %written, %one : memref<8xf32>, f32
  gpu.wait [%a, %b, %c, %d]
  return
}

// CHECK: @main
// CHECK-NEXT:   #0 work: %read = gpu.alloc at 8:11; writes %read
// CHECK-NEXT:   #1 work: %written = gpu.alloc at 9:14; the host has waited for #0; writes %written
// CHECK-NEXT:   #2 work: %asked = gpu.alloc at 10:12; the host has waited for #1; writes %asked
// CHECK-NEXT:   #3 join: %s = gpu.wait at 11:8
// CHECK-NEXT:   #4 work: %a = gpu.memset at 12:8; after #3; the host has waited for #2; writes %read
// CHECK-NEXT:   #5 work: %b = gpu.memset at 13:8; after #3; the host has waited for #2; writes %asked
// CHECK-NEXT:   #6 join: %o = gpu.wait at 14:8
// CHECK-NEXT:   #7 work: %c = gpu.launch at 15:8; after #6; the host has waited for #2; reads %read; writes %written
// CHECK-NEXT:   #8 work: %d = gpu.memset at 27:8; after #6; the host has waited for #2; writes %written
// CHECK-NEXT:   #9 host_wait: gpu.wait at 28:3; after #4, #5, #7, #8
// CHECK-NEXT:   nothing orders #4 and #7, which share %read
// CHECK-NEXT:   nothing orders #7 and #8, which share %written
