// SAME: --convert-func-to-llvm

func.func @callee(%a: f32) -> f32 attributes {llvm.always_inline, llvm.no_inline, passthrough = ["noinline"], llvm.readnone, llvm.cconv = #llvm.cconv<fastcc>, CConv = #llvm.cconv<fastcc>, no_inline, llvm.foo, personality = @callee, frame_pointer = #llvm.framePointerKind<all>, unnamed_addr = 1 : i64, llvm.bareptr, always_inline, visibility_ = 1 : i64, linkage = #llvm.linkage<private>, dso_local} { return %a : f32 }
func.func @c2(%a: memref<4xf32>, %m: memref<4xf32> {llvm.byval = memref<4xf32>}) -> (memref<4xf32> {a.a}) attributes {llvm.bareptr, no_inline} { return %a : memref<4xf32> }
func.func @c3(%a: memref<4xf32>) -> memref<4xf32> {
 %0 = call @c2(%a, %a) {foo.foo = 1, no_inline}: (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
 return {hello} %0 : memref<4xf32> }
func.func @va(%a: memref<4xf32>, %i: i32) -> (i32 {llvm.noundef}, f32 {llvm.noundef}) attributes {func.varargs = true} { 
 %c = func.constant {bar} @va : (memref<4xf32>, i32) -> (i32, f32)
 %r:2 = func.call_indirect %c(%a, %i) {foo}: (memref<4xf32>, i32) -> (i32, f32)
 return %i, %r#1 : i32, f32
}
func.func private @two(%a: memref<*xf32>, %b: memref<*xf32>) -> (memref<*xf32>, memref<*xf32>)
func.func @twou(%a: memref<*xf32>, %b: memref<*xf32>) -> (memref<*xf32>, memref<*xf32>) {
  %r:2 = call @two(%a, %b) : (memref<*xf32>, memref<*xf32>) -> (memref<*xf32>, memref<*xf32>)
  return %r#0, %r#1: memref<*xf32>, memref<*xf32>
}
