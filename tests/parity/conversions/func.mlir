// SAME: --convert-func-to-llvm

func.func @f(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>, %b: memref<*xf32>, %c: memref<4x4xf16, 3>, %v: vector<2x3xf32>, %s: vector<[4]xf32>, %x: complex<f32>, %f8: f8E4M3FN, %z: memref<f32>, %w: vector<f32>, %i: index, %vi: vector<4xindex>) {
  "test.foo"(%a,%b,%c,%v,%s,%x,%f8,%z,%w,%i,%vi) : (memref<?x4xf32, strided<[?, 1], offset: ?>>, memref<*xf32>, memref<4x4xf16, 3>, vector<2x3xf32>, vector<[4]xf32>, complex<f32>, f8E4M3FN, memref<f32>, vector<f32>, index, vector<4xindex>) -> ()
  return
}
func.func @g(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>, %b: memref<*xf32>, %c: memref<4x4xf16, 3>) -> (memref<f32>, index) attributes {llvm.emit_c_interface} {
 %r:2 = call @h(%a, %b) : (memref<?x4xf32, strided<[?, 1], offset: ?>>, memref<*xf32>) -> (memref<f32>, index)
  return %r#0, %r#1 : memref<f32>, index
}
func.func private @h(%a: memref<?x4xf32, strided<[?, 1], offset: ?>>, %b: memref<*xf32>) -> (memref<f32>, index) attributes {llvm.emit_c_interface}
func.func private @h2(%a: memref<4x4xf32>, %b: i32) -> (memref<4xf32>) attributes {llvm.emit_c_interface}
func.func @g2(%a: memref<4x4xf32> {llvm.noalias}, %b: i32) -> (memref<4xf32>) attributes {llvm.linkage = #llvm.linkage<internal>, foo = 1 : i32} {
 %r = call @h2(%a, %b) : (memref<4x4xf32>,i32) -> (memref<4xf32>)
  return %r : memref<4xf32>
}
func.func @u(%b: memref<*xf32>) -> memref<*xf32> {
 %r = call @u(%b) : (memref<*xf32>) -> (memref<*xf32>)
 return %r : memref<*xf32>
}
