// RUN: xgpu-opt %s --int-range-optimizations | filecheck %s

gpu.module @k {
  // CHECK-LABEL: gpu.func @f
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.tid.y range <i32, 0, 128> : i32
  // CHECK: %[[C:.*]] = arith.cmpi sgt, %[[Y]]
  // CHECK: gpu.printf "%d %d", %[[FALSE]], %[[C]]
  gpu.func @f() kernel {
    %c64 = arith.constant 64 : i32
    %x = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
    %y = nvvm.read.ptx.sreg.tid.y range <i32, 0, 128> : i32
    %0 = arith.cmpi sgt, %x, %c64 : i32
    %1 = arith.cmpi sgt, %y, %c64 : i32
    gpu.printf "%d %d", %0, %1 : i1, i1
    gpu.return
  }
}
