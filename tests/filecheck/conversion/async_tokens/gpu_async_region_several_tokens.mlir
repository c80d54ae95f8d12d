// RUN: xgpu-opt %s --gpu-async-region | filecheck %s

// Operations that depend on more than one token.

// CHECK: module {
// CHECK-NEXT:   func.func private @use()
func.func private @use()

// A wait in the chain keeps the tokens that it has.
// CHECK-NEXT:   func.func @joins(%arg0: index) {
// CHECK-NEXT:     %0 = gpu.wait async
// CHECK-NEXT:     %1 = gpu.wait async [%0]
// CHECK-NEXT:     %memref, %asyncToken = gpu.alloc async [%0, %1] (%arg0) : memref<?xf32>
// CHECK-NEXT:     gpu.wait [%asyncToken, %0]
// CHECK-NEXT:     %2 = gpu.wait async
// CHECK-NEXT:     %3 = gpu.wait async [%2, %1]
// CHECK-NEXT:     %4 = gpu.dealloc async [%3] %memref : memref<?xf32>
// CHECK-NEXT:     gpu.wait [%4]
// CHECK-NEXT:     call @use() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @joins(%n: index) {
  %a = gpu.wait async
  %b = gpu.wait async
  %m, %t = gpu.alloc async [%a, %b] (%n) : memref<?xf32>
  gpu.wait [%t, %a]
  %c = gpu.wait async
  %d = gpu.wait async [%c, %b]
  gpu.dealloc %m : memref<?xf32>
  call @use() : () -> ()
  return
}

// The wait moves to where the results are awaited, with all of its tokens.
// CHECK-NEXT:   func.func @awaited(%arg0: index) {
// CHECK-NEXT:     %token, %bodyResults:2 = async.execute -> (!async.value<!gpu.async.token>, !async.value<!gpu.async.token>) {
// CHECK-NEXT:       %2 = gpu.wait async
// CHECK-NEXT:       %memref, %asyncToken = gpu.alloc async [%2] (%arg0) : memref<?xf32>
// CHECK-NEXT:       %memref_0, %asyncToken_1 = gpu.alloc async [%asyncToken, %2] (%arg0) : memref<?xf32>
// CHECK-NEXT:       async.yield %asyncToken, %asyncToken_1 : !gpu.async.token, !gpu.async.token
// CHECK-NEXT:     }
// CHECK-NEXT:     async.await %token : !async.token
// CHECK-NEXT:     %0 = async.await %bodyResults#0 : !async.value<!gpu.async.token>
// CHECK-NEXT:     %1 = async.await %bodyResults#1 : !async.value<!gpu.async.token>
// CHECK-NEXT:     gpu.wait [%0, %1]
// CHECK-NEXT:     call @use() : () -> ()
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @awaited(%n: index) {
  %done = async.execute {
    %a = gpu.wait async
    %m, %b = gpu.alloc async [%a] (%n) : memref<?xf32>
    %k, %c = gpu.alloc async [%a] (%n) : memref<?xf32>
    gpu.wait [%b, %c]
    async.yield
  }
  async.await %done : !async.token
  call @use() : () -> ()
  return
}

// Likewise for another async.execute: its first operation depends on both.
// CHECK-NEXT:   func.func @continued(%arg0: index) {
// CHECK-NEXT:     %token, %bodyResults:4 = async.execute -> (!async.value<!gpu.async.token>, !async.value<!gpu.async.token>, !async.value<!gpu.async.token>, !async.value<!gpu.async.token>) {
// CHECK-NEXT:       %1 = gpu.wait async
// CHECK-NEXT:       %memref, %asyncToken = gpu.alloc async [%1] (%arg0) : memref<?xf32>
// CHECK-NEXT:       %memref_3, %asyncToken_4 = gpu.alloc async [%asyncToken, %1] (%arg0) : memref<?xf32>
// CHECK-NEXT:       async.yield %asyncToken, %asyncToken_4, %asyncToken, %asyncToken_4 : !gpu.async.token, !gpu.async.token, !gpu.async.token, !gpu.async.token
// CHECK-NEXT:     }
// CHECK-NEXT:     %token_0, %bodyResults_1 = async.execute [%token] (%bodyResults#2 as %arg1: !async.value<!gpu.async.token>, %bodyResults#1 as %arg2: !async.value<!gpu.async.token>) -> !async.value<!gpu.async.token> {
// CHECK-NEXT:       %1 = gpu.wait async [%arg2, %arg1]
// CHECK-NEXT:       %memref, %asyncToken = gpu.alloc async [%1] (%arg0) : memref<?xf32>
// CHECK-NEXT:       async.yield %asyncToken : !gpu.async.token
// CHECK-NEXT:     }
// CHECK-NEXT:     %token_2 = async.execute [%token] (%bodyResults#0 as %arg1: !async.value<!gpu.async.token>, %bodyResults#3 as %arg2: !async.value<!gpu.async.token>) {
// CHECK-NEXT:       gpu.wait [%arg1, %arg2]
// CHECK-NEXT:       func.call @use() : () -> ()
// CHECK-NEXT:       async.yield
// CHECK-NEXT:     }
// CHECK-NEXT:     async.await %token_0 : !async.token
// CHECK-NEXT:     %0 = async.await %bodyResults_1 : !async.value<!gpu.async.token>
// CHECK-NEXT:     gpu.wait [%0]
// CHECK-NEXT:     async.await %token_2 : !async.token
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @continued(%n: index) {
  %first = async.execute {
    %a = gpu.wait async
    %m, %b = gpu.alloc async [%a] (%n) : memref<?xf32>
    %k, %c = gpu.alloc async [%a] (%n) : memref<?xf32>
    gpu.wait [%b, %c]
    async.yield
  }
  %second = async.execute [%first] {
    %m = gpu.alloc (%n) : memref<?xf32>
    async.yield
  }
  %third = async.execute [%first] {
    func.call @use() : () -> ()
    async.yield
  }
  async.await %second : !async.token
  async.await %third : !async.token
  return
}
