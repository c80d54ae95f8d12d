// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK:       llvm.mlir.global internal constant @text("a\00b") {addr_space = 3 : i32, alignment = 8 : i64}
llvm.mlir.global internal constant @text("a\00b") {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i8>
// CHECK-NEXT:  llvm.mlir.global private hidden thread_local unnamed_addr constant @u(1 : i32) comdat(@c::@one) {addr_space = 0 : i32, section = "x"} : i32
llvm.mlir.global private hidden thread_local unnamed_addr constant @u(1 : i32) comdat(@c::@one) {section = "x"} : i32
// CHECK-NEXT:  llvm.mlir.global weak @body() {addr_space = 0 : i32} : i32 {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    llvm.return %0 : i32
// CHECK-NEXT:  }
llvm.mlir.global weak @body() : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}
// CHECK-NEXT:  llvm.mlir.alias external @other : i32 {
llvm.mlir.alias external @other : i32 {
  %0 = llvm.mlir.addressof @body : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// CHECK:       llvm.comdat @c {
// CHECK-NEXT:    llvm.comdat_selector @one any
llvm.comdat @c { llvm.comdat_selector @one any }
// CHECK:       llvm.func @variadic(i32, ...) -> i32
llvm.func @variadic(i32, ...) -> i32
// CHECK-NEXT:  llvm.func internal hidden unnamed_addr fastcc @f(%arg0: i32 {llvm.signext}, %arg1: !llvm.ptr) -> (i32 {llvm.zeroext}) vscale_range(1, 2) comdat(@c::@one) attributes {dso_local, frame_pointer = #llvm.framePointerKind<"non-leaf">, passthrough = ["noinline"]} {
llvm.func internal hidden unnamed_addr fastcc @f(%x: i32 {llvm.signext}, %p: !llvm.ptr) -> (i32 {llvm.zeroext})
    vscale_range(1, 2) comdat(@c::@one)
    attributes {dso_local, passthrough = ["noinline"], frame_pointer = #llvm.framePointerKind<"non-leaf">} {
  %c = llvm.mlir.constant(4 : index) : i64
  // CHECK:       llvm.alloca inalloca %{{.*}} x f32 {alignment = 8 : i64} : (i64) -> !llvm.ptr
  %a = llvm.alloca inalloca %c x f32 {alignment = 8 : i64} : (i64) -> !llvm.ptr
  // CHECK-NEXT:  llvm.icmp "slt" %arg0, %arg0 {note} : i32
  %i = llvm.icmp "slt" %x, %x {note} : i32
  // CHECK-NEXT:  llvm.add %arg0, %arg0 overflow<nsw, nuw> : i32
  %s = llvm.add %x, %x overflow<nsw, nuw> : i32
  // CHECK-NEXT:  llvm.getelementptr inbounds|nuw %arg1[%{{.*}}, 2, %arg0] : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.array<2 x array<3 x f32>>
  %q = llvm.getelementptr inbounds|nuw %p[%c, 2, %x] : (!llvm.ptr, i64, i32) -> !llvm.ptr, !llvm.array<2 x array<3 x f32>>
  // CHECK-NEXT:  llvm.call fastcc @f(%arg0, %arg1) : (i32, !llvm.ptr) -> i32
  %r = llvm.call fastcc @f(%x, %p) : (i32, !llvm.ptr) -> i32
  // CHECK-NEXT:  llvm.call tail @variadic(%arg0, %{{.*}}) vararg(!llvm.func<i32 (i32, ...)>) : (i32, i64) -> i32
  %v = llvm.call tail @variadic(%x, %c) vararg(!llvm.func<i32 (i32, ...)>) : (i32, i64) -> i32
  // CHECK-NEXT:  llvm.call %arg1(%arg0) ["tag"(%arg0, %{{.*}} : i32, i64), "none"()] {convergent} : !llvm.ptr, (i32 {llvm.zeroext}) -> ()
  llvm.call %p(%x) ["tag"(%x, %c : i32, i64), "none"()] {convergent} : !llvm.ptr, (i32 {llvm.zeroext}) -> ()
  // CHECK-NEXT:  llvm.call_intrinsic "llvm.ctpop.i32"(%arg0) : (i32) -> i32
  %n = llvm.call_intrinsic "llvm.ctpop.i32"(%x) : (i32) -> i32
  // CHECK-NEXT:  llvm.switch %arg0 : i32, ^bb1(%arg0 : i32) [
  // CHECK-NEXT:    1: ^bb1(%{{.*}} : i32),
  // CHECK-NEXT:    -2: ^bb2
  // CHECK-NEXT:  ] {branch_weights = array<i32: 1, 2, 3>}
  llvm.switch %x : i32, ^one(%x : i32) [1: ^one(%r : i32), -2: ^two] {branch_weights = array<i32: 1, 2, 3>}
^one(%y: i32):
  llvm.br ^two
^two:
  llvm.return %x : i32
}
// CHECK:       func.func private @types(!llvm.struct<"list", (ptr, struct<"list">)>, !llvm.struct<packed (i8, array<2 x ptr<3>>)>, !llvm.func<void (i32, ...)>, !llvm.target<"t", i32, 1>)
func.func private @types(!llvm.struct<"list", (ptr, struct<"list">)>, !llvm.struct<packed (i8, array<2 x ptr<3>>)>, !llvm.func<void (i32, ...)>, !llvm.target<"t", i32, 1>)
