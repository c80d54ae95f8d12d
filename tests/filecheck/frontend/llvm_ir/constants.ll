; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

@string = private unnamed_addr constant [4 x i8] c"a\0A\22\00"
@numbers = global [3 x i32] [i32 1, i32 -2, i32 3]
@matrix = global [2 x [2 x float]] [[2 x float] [float 1.0, float 2.0], [2 x float] zeroinitializer]
@vectors = global [2 x <2 x i8>] [<2 x i8> <i8 1, i8 2>, <2 x i8> splat (i8 3)]
@bits = global <3 x i1> <i1 true, i1 false, i1 true>
@odd = global i7 -3
@wide = global i128 170141183460469231731687303715884105727
@half = global half 0xH3C01
@bfloat = global bfloat 0xR7FC1
@nan = global float 0x7FF8000020000000
@tiny = global double 0x0000000000000001
@extended = global x86_fp80 0xK3FFF8000000000000000
@quad = global fp128 0xL00000000000000003FFF000000000000
@zero = global { i32, [2 x ptr], <2 x i64> } zeroinitializer
@partly = global [3 x i16] [i16 1, i16 undef, i16 poison]
@struct = global <{ i8, { i32, float } }> <{ i8 1, { i32, float } { i32 2, float 3.0 } }>
@pointers = global [3 x ptr] [ptr @numbers, ptr null, ptr @function]
@inside = global ptr getelementptr inbounds ([3 x i32], ptr @numbers, i64 0, i64 2)
@address = global i64 ptrtoint (ptr @string to i64)
@distance = global i64 sub (i64 ptrtoint (ptr @string to i64), i64 ptrtoint (ptr @numbers to i64))
@cast = global ptr addrspace(1) addrspacecast (ptr @numbers to ptr addrspace(1))
@equivalent = global ptr dso_local_equivalent @function

; Each constant once, behind those that it needs.
define ptr @function(i1 %c) {
  %1 = select i1 %c, ptr getelementptr (i8, ptr @numbers, i64 4), ptr @string
  %2 = insertvalue { ptr, i64 } { ptr @numbers, i64 4 }, ptr %1, 0
  %3 = insertvalue { ptr, i64 } { ptr @numbers, i64 4 }, i64 4, 1
  %4 = add <2 x i32> <i32 1, i32 2>, zeroinitializer
  ret ptr %1
}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT:   llvm.mlir.global private unnamed_addr constant @string("a\0A\22\00") {addr_space = 0 : i32, dso_local}
; CHECK-NEXT:   llvm.mlir.global external @numbers(dense<[1, -2, 3]> : tensor<3xi32>) {addr_space = 0 : i32} : !llvm.array<3 x i32>
; CHECK-NEXT:   llvm.mlir.global external @matrix() {addr_space = 0 : i32} : !llvm.array<2 x array<2 x f32>> {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0.000000e+00 : f32) : f32
; CHECK-NEXT:     %1 = llvm.mlir.constant(dense<0.000000e+00> : tensor<2xf32>) : !llvm.array<2 x f32>
; CHECK-NEXT:     %2 = llvm.mlir.constant(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) : !llvm.array<2 x f32>
; CHECK-NEXT:     %3 = llvm.mlir.undef : !llvm.array<2 x array<2 x f32>>
; CHECK-NEXT:     %4 = llvm.insertvalue %2, %3[0] : !llvm.array<2 x array<2 x f32>>
; CHECK-NEXT:     %5 = llvm.insertvalue %1, %4[1] : !llvm.array<2 x array<2 x f32>>
; CHECK-NEXT:     llvm.return %5 : !llvm.array<2 x array<2 x f32>>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @vectors(dense<{{\[\[}}1, 2], [3, 3]]> : vector<2x2xi8>) {addr_space = 0 : i32} : !llvm.array<2 x vector<2xi8>>
; CHECK-NEXT:   llvm.mlir.global external @bits(dense<[true, false, true]> : vector<3xi1>) {addr_space = 0 : i32} : vector<3xi1>
; CHECK-NEXT:   llvm.mlir.global external @odd(-3 : i7) {addr_space = 0 : i32} : i7
; CHECK-NEXT:   llvm.mlir.global external @wide(170141183460469231731687303715884105727 : i128) {addr_space = 0 : i32} : i128
; CHECK-NEXT:   llvm.mlir.global external @half(1.000980e+00 : f16) {addr_space = 0 : i32} : f16
; CHECK-NEXT:   llvm.mlir.global external @bfloat(0x7FC1 : bf16) {addr_space = 0 : i32} : bf16
; CHECK-NEXT:   llvm.mlir.global external @nan(0x7FC00001 : f32) {addr_space = 0 : i32} : f32
; CHECK-NEXT:   llvm.mlir.global external @tiny(4.940660e-324 : f64) {addr_space = 0 : i32} : f64
; CHECK-NEXT:   llvm.mlir.global external @extended(1.000000e+00 : f80) {addr_space = 0 : i32} : f80
; CHECK-NEXT:   llvm.mlir.global external @quad(1.000000e+00 : f128) {addr_space = 0 : i32} : f128
; CHECK-NEXT:   llvm.mlir.global external @zero() {addr_space = 0 : i32} : !llvm.struct<(i32, array<2 x ptr>, vector<2xi64>)> {
; CHECK-NEXT:     %0 = llvm.mlir.constant(0 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.constant(dense<0> : vector<2xi64>) : vector<2xi64>
; CHECK-NEXT:     %2 = llvm.mlir.zero : !llvm.ptr
; CHECK-NEXT:     %3 = llvm.mlir.zero : !llvm.array<2 x ptr>
; CHECK-NEXT:     %4 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     %5 = llvm.mlir.zero : !llvm.struct<(i32, array<2 x ptr>, vector<2xi64>)>
; CHECK-NEXT:     llvm.return %5 : !llvm.struct<(i32, array<2 x ptr>, vector<2xi64>)>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @partly() {addr_space = 0 : i32} : !llvm.array<3 x i16> {
; CHECK-NEXT:     %0 = llvm.mlir.poison : i16
; CHECK-NEXT:     %1 = llvm.mlir.undef : i16
; CHECK-NEXT:     %2 = llvm.mlir.constant(1 : i16) : i16
; CHECK-NEXT:     %3 = llvm.mlir.undef : !llvm.array<3 x i16>
; CHECK-NEXT:     %4 = llvm.insertvalue %2, %3[0] : !llvm.array<3 x i16>
; CHECK-NEXT:     %5 = llvm.insertvalue %1, %4[1] : !llvm.array<3 x i16>
; CHECK-NEXT:     %6 = llvm.insertvalue %0, %5[2] : !llvm.array<3 x i16>
; CHECK-NEXT:     llvm.return %6 : !llvm.array<3 x i16>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @struct() {addr_space = 0 : i32} : !llvm.struct<packed (i8, struct<(i32, f32)>)> {
; CHECK-NEXT:     %0 = llvm.mlir.constant(3.000000e+00 : f32) : f32
; CHECK-NEXT:     %1 = llvm.mlir.constant(2 : i32) : i32
; CHECK-NEXT:     %2 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
; CHECK-NEXT:     %3 = llvm.insertvalue %1, %2[0] : !llvm.struct<(i32, f32)>
; CHECK-NEXT:     %4 = llvm.insertvalue %0, %3[1] : !llvm.struct<(i32, f32)>
; CHECK-NEXT:     %5 = llvm.mlir.constant(1 : i8) : i8
; CHECK-NEXT:     %6 = llvm.mlir.undef : !llvm.struct<packed (i8, struct<(i32, f32)>)>
; CHECK-NEXT:     %7 = llvm.insertvalue %5, %6[0] : !llvm.struct<packed (i8, struct<(i32, f32)>)>
; CHECK-NEXT:     %8 = llvm.insertvalue %4, %7[1] : !llvm.struct<packed (i8, struct<(i32, f32)>)>
; CHECK-NEXT:     llvm.return %8 : !llvm.struct<packed (i8, struct<(i32, f32)>)>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @pointers() {addr_space = 0 : i32} : !llvm.array<3 x ptr> {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @function : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.mlir.zero : !llvm.ptr
; CHECK-NEXT:     %2 = llvm.mlir.addressof @numbers : !llvm.ptr
; CHECK-NEXT:     %3 = llvm.mlir.undef : !llvm.array<3 x ptr>
; CHECK-NEXT:     %4 = llvm.insertvalue %2, %3[0] : !llvm.array<3 x ptr>
; CHECK-NEXT:     %5 = llvm.insertvalue %1, %4[1] : !llvm.array<3 x ptr>
; CHECK-NEXT:     %6 = llvm.insertvalue %0, %5[2] : !llvm.array<3 x ptr>
; CHECK-NEXT:     llvm.return %6 : !llvm.array<3 x ptr>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @inside() {addr_space = 0 : i32} : !llvm.ptr {
; CHECK-NEXT:     %0 = llvm.mlir.constant(2 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.constant(0 : i64) : i64
; CHECK-NEXT:     %2 = llvm.mlir.addressof @numbers : !llvm.ptr
; CHECK-NEXT:     %3 = llvm.getelementptr inbounds %2[%1, %0] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<3 x i32>
; CHECK-NEXT:     llvm.return %3 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @address() {addr_space = 0 : i32} : i64 {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @string : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.ptrtoint %0 : !llvm.ptr to i64
; CHECK-NEXT:     llvm.return %1 : i64
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @distance() {addr_space = 0 : i32} : i64 {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @numbers : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.ptrtoint %0 : !llvm.ptr to i64
; CHECK-NEXT:     %2 = llvm.mlir.addressof @string : !llvm.ptr
; CHECK-NEXT:     %3 = llvm.ptrtoint %2 : !llvm.ptr to i64
; CHECK-NEXT:     %4 = llvm.sub %3, %1 : i64
; CHECK-NEXT:     llvm.return %4 : i64
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @cast() {addr_space = 0 : i32} : !llvm.ptr<1> {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @numbers : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.addrspacecast %0 : !llvm.ptr to !llvm.ptr<1>
; CHECK-NEXT:     llvm.return %1 : !llvm.ptr<1>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @equivalent() {addr_space = 0 : i32} : !llvm.ptr {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @function : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.dso_local_equivalent @function : !llvm.ptr
; CHECK-NEXT:     llvm.return %1 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @function(%arg0: i1) -> !llvm.ptr {
; CHECK-NEXT:     %0 = llvm.mlir.constant(4 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.addressof @numbers : !llvm.ptr
; CHECK-NEXT:     %2 = llvm.getelementptr %1[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
; CHECK-NEXT:     %3 = llvm.mlir.addressof @string : !llvm.ptr
; CHECK-NEXT:     %4 = llvm.mlir.undef : !llvm.struct<(ptr, i64)>
; CHECK-NEXT:     %5 = llvm.insertvalue %1, %4[0] : !llvm.struct<(ptr, i64)>
; CHECK-NEXT:     %6 = llvm.insertvalue %0, %5[1] : !llvm.struct<(ptr, i64)>
; CHECK-NEXT:     %7 = llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
; CHECK-NEXT:     %8 = llvm.mlir.constant(0 : i32) : i32
; CHECK-NEXT:     %9 = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
; CHECK-NEXT:     %10 = llvm.select %arg0, %2, %3 : i1, !llvm.ptr
; CHECK-NEXT:     %11 = llvm.insertvalue %10, %6[0] : !llvm.struct<(ptr, i64)>
; CHECK-NEXT:     %12 = llvm.insertvalue %0, %6[1] : !llvm.struct<(ptr, i64)>
; CHECK-NEXT:     %13 = llvm.add %7, %9 : vector<2xi32>
; CHECK-NEXT:     llvm.return %10 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT: }
