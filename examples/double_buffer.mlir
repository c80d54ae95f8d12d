// A tensor is copied in boxes of 32 numbers: by TMA to shared memory, from there by threads. As a plain
// loop each copy is waited for; the mark asks circular-buffer for 2 stages, so that a box
// is on its way while another one is used (docs/concepts/circular-buffering.md).
//
//   xgpu-runner examples/double_buffer.mlir                                    the loop as it is
//   xgpu-opt --circular-buffer examples/double_buffer.mlir | xgpu-runner       buffered
//   xgpu-opt --circular-buffer examples/double_buffer.mlir | xgpu-runner --sanitize
//   xgpu-opt --print-buffer-schedule examples/double_buffer.mlir -o /dev/null
//
// Sizes are no multiple of 32, and one is 0: what a box has beyond the end is zero, and is not stored.

!box = memref<32xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

func.func private @printI64(i64)
func.func private @printNewline()

// Copies `size` numbers; gives how many are not what they should be.
func.func @copy(%size: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %room = arith.maxui %size, %c1 : index
  %from = memref.alloc(%room) : memref<?xf32>
  %to = memref.alloc(%room) : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    memref.store %f, %from[%i] : memref<?xf32>
  }
  %t1 = gpu.alloc (%room) : memref<?xf32>
  %t2 = gpu.alloc (%room) : memref<?xf32>
  gpu.memcpy %t1, %from : memref<?xf32>, memref<?xf32>
  %unranked = memref.cast %t1 : memref<?xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %unranked box[%c32] : memref<*xf32> -> !map

  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
      workgroup(%box : !box) {
    %is_first = arith.cmpi eq, %t, %c0 : index
    %full = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %full[%c0], %c1, predicate = %is_first : !barrier
    nvvm.fence.mbarrier.init
    gpu.barrier
    %bytes = arith.constant 128 : index
    %ticks = arith.constant 10000000 : index
    %even = arith.constant false
    %true = arith.constant true
    %last = scf.for %at = %c0 to %size step %c32 iter_args(%parity = %even) -> i1 {
      nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes, predicate = %is_first : !barrier
      nvgpu.tma.async.load %map[%at], %full[%c0] to %box, predicate = %is_first : !map, !barrier -> !box
      nvgpu.mbarrier.try_wait.parity %full[%c0], %parity, %ticks : !barrier
      %k = arith.addi %at, %t : index
      %is_inside = arith.cmpi ult, %k, %size : index
      scf.if %is_inside {
        %v = memref.load %box[%t] : !box
        memref.store %v, %t2[%k] : memref<?xf32>
      }
      gpu.barrier
      %next = arith.xori %parity, %true : i1
      scf.yield %next : i1
    } {xgpu.circular_buffer = {stages = 2}}
    gpu.terminator
  }

  // Of a tensor without numbers nothing has been stored that a copy could read.
  %has_numbers = arith.cmpi ne, %size, %c0 : index
  scf.if %has_numbers {
    gpu.memcpy %to, %t2 : memref<?xf32>, memref<?xf32>
  }
  gpu.dealloc %t1 : memref<?xf32>
  gpu.dealloc %t2 : memref<?xf32>
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%count = %none) -> i64 {
    %x = memref.load %from[%i] : memref<?xf32>
    %y = memref.load %to[%i] : memref<?xf32>
    %differ = arith.cmpf une, %x, %y : f32
    %more = arith.select %differ, %one, %none : i64
    %sum = arith.addi %count, %more : i64
    scf.yield %sum : i64
  }
  memref.dealloc %from : memref<?xf32>
  memref.dealloc %to : memref<?xf32>
  return %wrong : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c31 = arith.constant 31 : index
  %c100 = arith.constant 100 : index
  %c1000 = arith.constant 1000 : index
  %none = func.call @copy(%c0) : (index) -> i64
  %part = func.call @copy(%c31) : (index) -> i64
  %few = func.call @copy(%c100) : (index) -> i64
  %many = func.call @copy(%c1000) : (index) -> i64
  %a = arith.addi %none, %part : i64
  %b = arith.addi %few, %many : i64
  %wrong = arith.addi %a, %b : i64
  func.call @printI64(%wrong) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
