// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-gpu-rewrite --split-input-file | filecheck %s

// What does not take part in the exchange of two lanes keeps its value: both ways go through one
// block, with the value as its argument.
// CHECK-LABEL: gpu.func @reduce_by_region
// CHECK: %{{.*}}, %[[VALID:.*]] = gpu.shuffle xor
// CHECK-NEXT: cf.cond_br %[[VALID]], ^[[THEN:bb[0-9]+]], ^[[JOIN:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[THEN]]:
// CHECK-NEXT: cf.br ^[[BODY:bb[0-9]+]]
// CHECK: ^[[BODY]]:
// CHECK-NEXT: %[[OR:.*]] = arith.ori
// CHECK-NEXT: cf.br ^[[JOIN]](%[[OR]] : i32)
gpu.module @kernels {
  gpu.func @reduce_by_region(%x: i32, %m: memref<i32>) kernel {
    %r = gpu.all_reduce %x uniform {
    ^bb0(%a: i32, %b: i32):
      %o = arith.ori %a, %b : i32
      gpu.yield %o : i32
    } : (i32) -> i32
    memref.store %r, %m[] : memref<i32>
    gpu.return
  }
}

// -----

// The shuffles of 64 bits that it needs become two of 32.
// CHECK-LABEL: gpu.func @reduce_64_bits
// CHECK-NOT: gpu.shuffle xor {{.*}} : i64
// CHECK: gpu.shuffle xor {{.*}} : i32
gpu.module @kernels {
  gpu.func @reduce_64_bits(%x: i64, %m: memref<i64>) kernel {
    %r = gpu.all_reduce add %x uniform {} : (i64) -> i64
    memref.store %r, %m[] : memref<i64>
    gpu.return
  }
}
