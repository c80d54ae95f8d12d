// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @conditions(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of conditions as memrefs to deallocate}}
  %0 = "bufferization.dealloc"(%m, %c, %c, %m) <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (memref<2xf32>, i1, i1, memref<2xf32>) -> i1
  return
}

// -----

func.func @results(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{must have the same number of updated conditions (results) as retained operands}}
  %0:2 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<2xf32>, i1, memref<2xf32>) -> (i1, i1)
  return
}

// -----

// expected-error @+1 {{invalid value for 'bufferization.access'}}
func.func private @access(tensor<*xf32> {bufferization.access = "execute"})

// -----

// expected-error @+1 {{'bufferization.access' is expected to be a string attribute}}
func.func private @access_number(tensor<*xf32> {bufferization.access = 3})

// -----

// expected-error @+1 {{'bufferization.writable' is invalid on external functions}}
func.func private @writable(tensor<*xf32> {bufferization.writable = false})

// -----

// expected-error @+1 {{'bufferization.buffer_layout' is expected to be a memref layout attribute}}
func.func @layout(%a: tensor<4xf32> {bufferization.buffer_layout = 3}) {
  return
}

// -----

// expected-error @+1 {{attribute 'bufferization.placement' not supported as a region arg attribute}}
func.func @argument(%a: tensor<4xf32> {bufferization.placement = 3}) {
  return
}

// -----

func.func @operation() {
  // expected-error @+1 {{attribute '"bufferization.writable"' not supported as an op attribute}}
  %0 = arith.constant {bufferization.writable = true} 0 : index
  return
}

// -----

func.func @manual(%c: i1) {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  // expected-error @+1 {{'scf.if' op attribute 'bufferization.manual_deallocation' can be used only on ops}}
  scf.if %c {
    %1 = memref.alloca() {bufferization.manual_deallocation} : memref<4xf32>
  } {bufferization.manual_deallocation}
  return
}
