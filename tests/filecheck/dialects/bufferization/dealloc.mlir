// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --canonicalize | filecheck %s --check-prefix=CANON

// CHECK: %{{.*}} = bufferization.dealloc (%{{.*}}, %{{.*}} : memref<2xf32>, memref<2xf32>) if (%{{.*}}, %{{.*}}) retain (%{{.*}} : memref<2xf32>)
// CHECK: %{{.*}} = bufferization.dealloc retain (%{{.*}} : memref<2xf32>)
// CHECK: %{{.*}} = bufferization.clone %{{.*}} : memref<2xf32> to memref<?xf32>
// What is there twice is there once; what owns nothing says so.
// CANON-LABEL: @f
// CANON-DAG: %[[FALSE:.*]] = arith.constant false
// CANON: %[[OR:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CANON: %[[R:.*]] = bufferization.dealloc (%{{.*}} : memref<2xf32>) if (%[[OR]]) retain (%{{.*}} : memref<2xf32>)
// CANON: return %[[R]], %[[FALSE]], %{{.*}} : i1, i1, memref<?xf32>
func.func @f(%m: memref<2xf32>, %c: i1, %d: i1) -> (i1, i1, memref<?xf32>) {
  %0 = bufferization.dealloc (%m, %m : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%m : memref<2xf32>)
  %1 = bufferization.dealloc retain (%m : memref<2xf32>)
  %x = bufferization.clone %m : memref<2xf32> to memref<?xf32>
  return %0, %1, %x : i1, i1, memref<?xf32>
}

// In generic form the sizes of groups may be left out where there are no operands.
// CHECK: bufferization.dealloc{{$}}
"bufferization.dealloc"() : () -> ()
