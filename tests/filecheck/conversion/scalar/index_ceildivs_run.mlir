// RUN: xgpu-runner %s --device=host --entry-point-result=i64 | filecheck %s

// The smallest index divided by a positive one, rounded up, has no negative: what it is lowered to
// gives another sign, and nothing folds it to the exact quotient.

// CHECK: {{^1$}}
func.func @main() -> i64 {
  %h = call @f() : () -> i64
  return %h : i64
}
func.func @f() -> i64 attributes {no_inline} {
  %m = memref.alloc() : memref<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant -9223372036854775808 : i64
  %b = arith.constant 4611686018427387905 : i64
  memref.store %a, %m[%c0] : memref<2xi64>
  memref.store %b, %m[%c1] : memref<2xi64>
  %x = memref.load %m[%c0] : memref<2xi64>
  %y = memref.load %m[%c1] : memref<2xi64>
  %i = arith.index_cast %x : i64 to index
  %j = arith.index_cast %y : i64 to index
  %k = index.ceildivs %i, %j
  %r = arith.index_cast %k : index to i64
  return %r : i64
}
