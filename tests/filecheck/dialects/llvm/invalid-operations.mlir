// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{ctors, priorities, and data must have the same number of elements}}
llvm.mlir.global_ctors ctors = [@f], priorities = [], data = [#llvm.zero]
llvm.func @f() {
  llvm.return
}

// -----

llvm.func @g(i32) -> i64
llvm.func @call(%a: i64) {
  // expected-error @+1 {{'llvm.call' op operand type mismatch for operand 0: 'i64' != 'i32'}}
  %0 = llvm.call @g(%a) : (i64) -> i64
  llvm.return
}

// -----

llvm.func @missing() {
  // expected-error @+1 {{'h' does not reference a symbol in the current scope}}
  llvm.call @h() : () -> ()
  llvm.return
}

// -----

llvm.func @atomic(%p: !llvm.ptr) -> f32 {
  // expected-error @+1 {{expected alignment for atomic access}}
  %0 = llvm.load %p atomic monotonic : !llvm.ptr -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @exchange(%p: !llvm.ptr, %v: i33) {
  // expected-error @+1 {{unexpected LLVM IR type}}
  %0 = llvm.cmpxchg %p, %v, %v monotonic monotonic : !llvm.ptr, i33
  llvm.return
}

// -----

llvm.func @index(%p: !llvm.ptr, %i: i32) {
  // expected-error @+1 {{expected index 1 indexing a struct to be constant}}
  %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  llvm.return
}

// -----

// expected-error @+1 {{"llvm.noalias" attribute attached to non-pointer LLVM type}}
llvm.func @parameter(%a: i32 {llvm.noalias})

// -----

// expected-error @+1 {{"llvm.sret" is not a valid result attribute}}
llvm.func @result() -> (!llvm.ptr {llvm.sret = i32})

// -----

llvm.func @constant() {
  // expected-error @+1 {{expected array attribute of size 2}}
  %0 = llvm.mlir.constant([1 : i32]) : !llvm.struct<(i32, i32)>
  llvm.return
}

// -----

llvm.func @extend(%a: i32) {
  // expected-error @+1 {{integer width of the output type is smaller or equal}}
  %0 = llvm.zext %a : i32 to i16
  llvm.return
}

// -----

llvm.mlir.global external @x(1 : i32) : i32
// expected-error @+1 {{'llvm.mlir.alias' op initializer region must always return a pointer}}
llvm.mlir.alias external @y : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}

// -----

// expected-error @+1 {{expected zero value for 'common' linkage}}
llvm.mlir.global common @common(3 : i32) : i32

// -----

// expected-error @+1 {{expected comdat symbol}}
llvm.mlir.global external @c(3 : i32) comdat(@none::@any) : i32

// -----

// expected-error @+1 {{invalid data layout descriptor: unknown specifier '#'}}
module attributes {llvm.data_layout = "e-#32"} {}

// -----

// expected-error @+1 {{only integer and string values are currently supported for unknown key '"k"'}}
llvm.module_flags [#llvm.mlir.module_flag<error, "k", @f>]

// -----

llvm.func @bundles(%c: i1, %p: !llvm.ptr) {
  // expected-error @+1 {{'llvm.intr.assume' op op_bundle_operands count (2) does not match with the total size (2143289345) specified in attribute 'op_bundle_sizes'}}
  "llvm.intr.assume"(%c, %p, %p) <{op_bundle_sizes = array<i32: 1, 2143289344>, op_bundle_tags = ["align", "nonnull"]}> : (i1, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func @cases(%a: i32) {
  // expected-error @+1 {{branch has 0 operands for successor #2, but target block has 1}}
  "llvm.switch"(%a, %a, %a)[^bb1, ^bb1, ^bb1] <{case_operand_segments = array<i32: 1, 0, 0>, case_values = dense<[3, 5]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
^bb1(%b: i32):
  llvm.return
}

// -----

func.func @unsigned(%x: ui32) {
  // expected-error @+1 {{'llvm.switch' op operand #0 must be signless integer}}
  llvm.switch %x : ui32, ^bb1 [1: ^bb1, -2: ^bb1]
^bb1:
  return
}

// -----

llvm.func @jump(%a: i32) {
  // expected-error @+1 {{type mismatch for bb argument #0 of successor #0}}
  "llvm.br"(%a)[^bb1] : (i32) -> ()
^bb1(%b: f32):
  llvm.return
}

// -----

llvm.func @jump_without(%a: i32) {
  // expected-error @+1 {{branch has 1 operands for successor #0, but target block has 0}}
  "llvm.br"(%a)[^bb1] : (i32) -> ()
^bb1:
  llvm.return
}

// -----

llvm.func @conditional(%a: i32, %c: i1) {
  // expected-error @+1 {{type mismatch for bb argument #0 of successor #1}}
  "llvm.cond_br"(%c, %a, %a)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32, i32) -> ()
^bb1(%x: i32):
  llvm.return
^bb2(%y: f32):
  llvm.return
}

// -----

func.func @array_of_numbers() -> i32 {
  // expected-error @+1 {{'llvm.mlir.constant' op only supports integer, float, string or elements attributes}}
  %0 = "llvm.mlir.constant"() <{value = array<i64: 2>}> : () -> i32
  return %0 : i32
}

// -----

llvm.func @array_of_structs() {
  %0 = llvm.mlir.constant([#llvm.zero, #llvm.undef, [1 : i32, 2 : i32]]) : !llvm.array<3 x struct<(i32, i32)>>
  // expected-error @+1 {{'llvm.mlir.constant' op nested attribute for struct element at index 0 must be a zero, or undef, or array attribute}}
  %1 = llvm.mlir.constant([1 : i32, [1 : i32, 2 : i32]]) : !llvm.array<2 x struct<(i32, i32)>>
  llvm.return
}

// -----

llvm.func @short_struct() {
  // expected-error @+1 {{'llvm.mlir.constant' op nested array attribute size for struct element at index 1 must match struct size: 1 vs. 2}}
  %0 = llvm.mlir.constant([#llvm.zero, [1 : i32]]) : !llvm.array<2 x struct<(i32, i32)>>
  llvm.return
}
