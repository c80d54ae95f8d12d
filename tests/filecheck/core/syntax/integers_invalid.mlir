// RUN: xgpu-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics
// Numbers that do not fit where MLIR keeps them, wherever a text may have one.

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 9223372036854775808 to 3 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 0 to 9223372036854775808 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 0 to 3 step 9223372036854775808 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{constant too large for index}}
  affine.parallel (%j) = (0) to (3) step (9223372036854775808) {}
  return
}

// -----

func.func @f(%a: memref<8xf32>) {
// expected-error @+1 {{constant too large for index}}
  %0 = affine.load %a[9223372036854775808] : memref<8xf32>
  return
}

// -----

func.func @f(%a: memref<8xf32>) {
// expected-error @+1 {{custom op 'memref.subview' integer value too large}}
  %0 = memref.subview %a[9223372036854775808] [1] [1] : memref<8xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>) {
// expected-error @+1 {{custom op 'tensor.extract_slice' integer value too large}}
  %0 = tensor.extract_slice %t[0] [9223372036854775808] [1] : tensor<8xf32> to tensor<?xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>) {
// expected-error @+1 {{custom op 'vector.extract' integer value too large}}
  %0 = vector.extract %v[9223372036854775808] : f32 from vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>) {
// expected-error @+1 {{custom op 'vector.shuffle' integer value too large}}
  %0 = vector.shuffle %v, %v [9223372036854775808] : vector<8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{custom op 'scf.index_switch' integer value too large}}
  scf.index_switch %i case 9223372036854775808 { scf.yield } default {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  %0 = arith.constant 9223372036854775808 : index
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for type}}
  %0 = arith.constant dense<9223372036854775808> : vector<2xindex>
  return
}

// -----

func.func @f(%p: !llvm.ptr) {
// expected-error @+1 {{custom op 'llvm.getelementptr' integer value too large}}
  %0 = llvm.getelementptr %p[9223372036854775808] : (!llvm.ptr) -> !llvm.ptr, i8
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  %0 = memref.alloc() {alignment = 18446744073709551616} : memref<3xf32>
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 18446744073709551616 to 3 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 0 to 18446744073709551616 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = 0 to 3 step 18446744073709551616 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{constant too large for index}}
  affine.parallel (%j) = (0) to (3) step (18446744073709551616) {}
  return
}

// -----

func.func @f(%a: memref<8xf32>) {
// expected-error @+1 {{constant too large for index}}
  %0 = affine.load %a[18446744073709551616] : memref<8xf32>
  return
}

// -----

func.func @f(%a: memref<8xf32>) {
// expected-error @+1 {{custom op 'memref.subview' integer value too large}}
  %0 = memref.subview %a[18446744073709551616] [1] [1] : memref<8xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%t: tensor<8xf32>) {
// expected-error @+1 {{custom op 'tensor.extract_slice' integer value too large}}
  %0 = tensor.extract_slice %t[0] [18446744073709551616] [1] : tensor<8xf32> to tensor<?xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>) {
// expected-error @+1 {{custom op 'vector.extract' integer value too large}}
  %0 = vector.extract %v[18446744073709551616] : f32 from vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<8xf32>) {
// expected-error @+1 {{custom op 'vector.shuffle' integer value too large}}
  %0 = vector.shuffle %v, %v [18446744073709551616] : vector<8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{custom op 'scf.index_switch' integer value too large}}
  scf.index_switch %i case 18446744073709551616 { scf.yield } default {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  %0 = arith.constant 18446744073709551616 : index
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for type}}
  %0 = arith.constant dense<18446744073709551616> : vector<2xindex>
  return
}

// -----

func.func @f(%p: !llvm.ptr) {
// expected-error @+1 {{custom op 'llvm.getelementptr' integer value too large}}
  %0 = llvm.getelementptr %p[18446744073709551616] : (!llvm.ptr) -> !llvm.ptr, i8
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  %0 = memref.alloc() {alignment = 18446744073709551616} : memref<3xf32>
  return
}

// -----

func.func @f(%p: !llvm.ptr) {
// expected-error @+1 {{custom op 'llvm.getelementptr' integer value too large}}
  %0 = llvm.getelementptr %p[2147483648] : (!llvm.ptr) -> !llvm.ptr, i8
  return
}

// -----

func.func @f(%a: memref<8xf32>, %i: index) {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.prefetch %a[%i], read, locality<4294967296>, data : memref<8xf32>
  return
}

// -----

func.func @f() {
// expected-error @+1 {{custom op 'affine.for' expected step to be representable as a positive signed integer}}
  affine.for %j = 0 to 3 step -1 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  affine.for %j = -0 to 3 {}
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for attribute}}
  %0 = arith.constant -0 : i32
  return
}

// -----

func.func @f() {
// expected-error @+1 {{integer constant out of range for type}}
  %0 = arith.constant dense<-0> : vector<2xi32>
  return
}

// -----

func.func @f(%i: index) {
// expected-error @+1 {{custom op 'affine.parallel' steps must be constant integers}}
  affine.parallel (%j) = (0) to (3) step (%i) {}
  return
}

// -----

func.func @f(%a: memref<8xf32>) {
// expected-error @+1 {{integer constant out of range for attribute}}
  memref.assume_alignment %a, 4294967296 : memref<8xf32>
  return
}

// -----

// expected-error @+1 {{integer value too large}}
func.func private @f(!llvm.ptr<4294967296>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @f(!llvm.array<18446744073709551616 x f32>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @f(!llvm.target<"a", 4294967296>)

// -----

// expected-error @+1 {{custom op 'llvm.func' integer value too large}}
llvm.func @f() vscale_range(9223372036854775808, 2)

// -----

// expected-error @+2 {{failed to parse NVVM_TargetAttr parameter 'O' which is to be a `int`}}
// expected-error @+1 {{integer value too large}}
"a.b"() {a = #nvvm.target<O = 4294967296>} : () -> ()

// -----

// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {a = strided<[9223372036854775808]>} : () -> ()

// -----

// expected-error @+1 {{expected a 64-bit signed integer or '?'}}
"a.b"() {a = strided<[1], offset: 9223372036854775808>} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range}}
"a.b"() {a = array<i64: 18446744073709551616>} : () -> ()

// -----

// expected-error @+1 {{integer constant out of range}}
"a.b"() {a = array<i8: -129>} : () -> ()

// -----

// expected-error @+1 {{invalid dimension}}
"a.b"() {a = tensor<9223372036854775808xf32>} : () -> ()

// -----

// expected-error @+1 {{expected integer line number in FileLineColRange}}
"a.b"() : () -> () loc("a":4294967296:1)

// -----

// expected-error @+1 {{expected integer column number in FileLineColRange}}
"a.b"() : () -> () loc("a":1:4294967296)

// -----

// expected-error @+1 {{expected integer line number in FileLineColRange}}
"a.b"() : () -> () loc("a":1:1 to 4294967296:1)

// -----

// expected-error @+1 {{expected an unsigned 64-bit integer}}
"a.b"() {a = distinct[18446744073709551616]<>} : () -> ()

// -----

// expected-error @+1 {{expected named operation to have at least 1 result}}
%1:18446744073709551616 = "a.b"() : () -> ()

// -----

// expected-error @+1 {{invalid SSA value result number}}
"a.b"(%1#4294967296) : (i32) -> ()

// -----

// expected-error @+1 {{use of undeclared SSA value name}}
"a.b"(%1#99) : (i32) -> ()
%1:2 = "c.d"() : () -> (i32, i32)

// -----

// expected-error @+1 {{invalid integer width}}
"a.b"() {a = i4294967296} : () -> ()

// -----

// expected-error @+1 {{constant too large for index}}
"a.b"() {a = affine_map<(d0) -> (d0 + 9223372036854775808)>} : () -> ()

// -----

func.func @f(%f: i8) {
// expected-error @+1 {{custom op 'cf.switch' integer value too large}}
  cf.switch %f : i8, [default: ^bb1, 9223372036854775808: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%f: f64) {
// expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified: expected builtin.integer, but found 'f64'}}
  cf.switch %f : f64, [default: ^bb1, 5: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%f: index) {
// expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified: expected builtin.integer, but found 'index'}}
  cf.switch %f : index, [default: ^bb1, 5: ^bb1]
^bb1:
  return
}

// -----

llvm.func @f(%k: i32) {
// expected-error @+1 {{custom op 'llvm.switch' integer value too large}}
  llvm.switch %k : i32, ^bb1 [18446744073709551616: ^bb1]
^bb1:
  llvm.return
}
