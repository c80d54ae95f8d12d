// SAME: '--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1 index-bitwidth=32'
func.func private @external(memref<4x4xf32>, index) -> memref<8xf32, 3>
func.func @static(%a: memref<4x4xf32>, %b: memref<2xf16, strided<[1], offset: 3>>, %i: index) -> memref<8xf32, 3> {
  %0 = call @external(%a, %i) : (memref<4x4xf32>, index) -> memref<8xf32, 3>
  return %0 : memref<8xf32, 3>
}
func.func @several(%a: memref<4xf32>, %i: index) -> (memref<4xf32>, index, memref<4xf32>) {
  return %a, %i, %a : memref<4xf32>, index, memref<4xf32>
}
func.func @calls_several(%a: memref<4xf32>, %i: index) -> index {
  %0:3 = call @several(%a, %i) : (memref<4xf32>, index) -> (memref<4xf32>, index, memref<4xf32>)
  return %0#1 : index
}
func.func @dynamic(%a: memref<?xf32>) {
  return
}
func.func @indirect(%f: (memref<4xf32>) -> f32, %a: memref<4xf32>) -> f32 {
  %0 = call_indirect %f(%a) : (memref<4xf32>) -> f32
  return %0 : f32
}

// -----

func.func @callee(%a: memref<4xf32>) attributes {llvm.bareptr} {
  return
}
func.func @caller(%a: memref<4xf32>) {
  call @callee(%a) : (memref<4xf32>) -> ()
  return
}
