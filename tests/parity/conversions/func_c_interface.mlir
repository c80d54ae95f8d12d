// SAME: --convert-func-to-llvm
func.func private @extern(%a: memref<?x?xf32>, %u: memref<*xf32>, %i: index) -> memref<?xf32> attributes {llvm.emit_c_interface}
func.func @defined(%a: memref<?xf32>, %x: f32, %u: memref<*xi8>) attributes {llvm.emit_c_interface} {
  return
}
func.func @result(%a: memref<?xf32>) -> memref<?xf32> attributes {llvm.emit_c_interface} {
  return %a : memref<?xf32>
}
func.func @results(%a: memref<?xf32>, %i: index) -> (memref<?xf32>, index) attributes {llvm.emit_c_interface} {
  return %a, %i : memref<?xf32>, index
}
func.func @scalars(%i: index, %x: f32) -> (index, f32) attributes {llvm.emit_c_interface} {
  return %i, %x : index, f32
}

// -----

func.func private @variadic(%f: !llvm.ptr) -> i32 attributes {func.varargs = true}
func.func private @attributes(%a: i32 {llvm.zeroext}, %m: memref<?xf32> {llvm.noalias}, %b: !llvm.ptr {llvm.byval = f32}) -> (i8 {llvm.signext})
func.func private @linked(%a: i32) attributes {llvm.linkage = #llvm.linkage<extern_weak>, llvm.readnone}
func.func @uses(%a: i32, %p: !llvm.ptr, %m: memref<?xf32>) -> i8 {
  call @linked(%a) : (i32) -> ()
  %1 = call @attributes(%a, %m, %p) : (i32, memref<?xf32>, !llvm.ptr) -> i8
  return %1 : i8
}
func.func @reference() -> ((i32) -> ()) {
  %0 = constant @linked : (i32) -> ()
  return %0 : (i32) -> ()
}
func.func @unranked(%a: memref<*xf32>) -> memref<*xf32> {
  %0 = call @unranked(%a) : (memref<*xf32>) -> memref<*xf32>
  return %0 : memref<*xf32>
}
