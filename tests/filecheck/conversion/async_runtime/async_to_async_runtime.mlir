// RUN: xgpu-opt %s --async-to-async-runtime | filecheck %s

// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: f32, %[[M:.*]]: memref<1xf32>)
func.func @chain(%x: f32, %m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[R:.*]]:2 = call @async_execute_fn(%[[X]]) : (f32) -> (!async.token, !async.value<f32>)
  %t, %v = async.execute -> !async.value<f32> {
    %0 = arith.addf %x, %x : f32
    async.yield %0 : f32
  }
  // CHECK: %[[T:.*]] = call @async_execute_fn_0(%[[R]]#0, %[[R]]#1, %[[M]])
  %t2 = async.execute [%t] (%v as %u : !async.value<f32>) {
    memref.store %u, %m[%c0] : memref<1xf32>
    async.yield
  }
  // CHECK: async.runtime.await %[[T]] : !async.token
  // CHECK: %[[E:.*]] = async.runtime.is_error %[[T]] : !async.token
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: %[[OK:.*]] = arith.xori %[[E]], %[[TRUE]] : i1
  // CHECK: cf.assert %[[OK]], "Awaited async operand is in error state"
  async.await %t2 : !async.token
  return
}

// CHECK-LABEL: func.func private @async_execute_fn(
// CHECK-SAME: passthrough = ["presplitcoroutine"]
// CHECK: %[[TOKEN:.*]] = async.runtime.create : !async.token
// CHECK: %[[VALUE:.*]] = async.runtime.create : !async.value<f32>
// CHECK: %[[ID:.*]] = async.coro.id
// CHECK: %[[HANDLE:.*]] = async.coro.begin %[[ID]]
// CHECK: %[[STATE:.*]] = async.coro.save %[[HANDLE]]
// CHECK: async.runtime.resume %[[HANDLE]]
// CHECK: async.coro.suspend %[[STATE]], ^[[SUSPEND:.*]], ^[[RESUME:.*]], ^[[DESTROY:.*]]
// CHECK: ^[[RESUME]]:
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: async.runtime.store %[[SUM]], %[[VALUE]]
// CHECK: async.runtime.set_available %[[VALUE]]
// CHECK: async.runtime.set_available %[[TOKEN]]
// CHECK: cf.br ^[[CLEANUP:.*]]
// CHECK: ^[[CLEANUP]]:
// CHECK: async.coro.free %[[ID]], %[[HANDLE]]
// CHECK: cf.br ^[[SUSPEND]]
// CHECK: ^[[DESTROY]]:
// CHECK: async.coro.free %[[ID]], %[[HANDLE]]
// CHECK: ^[[SUSPEND]]:
// CHECK: async.coro.end %[[HANDLE]]
// CHECK: return %[[TOKEN]], %[[VALUE]]

// Constants go along; an operand that is awaited is loaded where it is no error.
// CHECK-LABEL: func.func private @async_execute_fn_0(
// CHECK-SAME: %[[DEP:.*]]: !async.token, %[[ARG:.*]]: !async.value<f32>, %{{.*}}: memref<1xf32>)
// CHECK: async.runtime.await_and_resume %[[DEP]]
// CHECK: async.runtime.is_error %[[DEP]]
// CHECK: cf.cond_br %{{.*}}, ^[[SET_ERROR:.*]], ^{{.*}}
// CHECK: async.runtime.await_and_resume %[[ARG]]
// CHECK: cf.cond_br %{{.*}}, ^[[SET_ERROR]], ^{{.*}}
// CHECK: async.runtime.load %[[ARG]]
// CHECK: arith.constant 0 : index
// CHECK: ^[[SET_ERROR]]:
// CHECK: async.runtime.set_error
