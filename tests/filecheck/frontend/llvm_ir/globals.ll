; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

source_filename = "globals.c"
target triple = "nvptx64-nvidia-cuda"

$group = comdat any
$other = comdat largest

@plain = global i32 0
@external = external global i32
@constant = internal constant i32 7, align 8
@shared = internal addrspace(3) global [128 x i8] undef, align 16
@thread = thread_local(localexec) global i32 1
@hidden = hidden local_unnamed_addr global i32 1
@local = dso_local protected unnamed_addr global i32 1, section "here"
@in_group = linkonce_odr global i32 1, comdat($group)
@other = weak global i32 1, comdat
@weak = extern_weak global i32
@common = common global i32 0
@available = available_externally global i32 4
@0 = private constant i32 9
@with_attributes = global i32 1 #0

@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @g, ptr @plain }]
@llvm.global_dtors = appending global [0 x { i32, ptr, ptr }] zeroinitializer

@alias = internal alias i32, ptr @plain
@shifted = hidden unnamed_addr alias i32, getelementptr (i8, ptr @plain, i64 2)
@function_alias = alias void (), ptr @f
@ifunc = ifunc void (), ptr @resolver

define void @f() {
  ret void
}

define linkonce_odr void @g() comdat($group) {
  %1 = load i32, ptr @0
  %2 = load i32, ptr @alias
  call void @function_alias()
  call void @ifunc()
  ret void
}

define ptr @resolver() {
  ret ptr @f
}

module asm ".globl one"
module asm ".globl two"

attributes #0 = { "key"="value" "flag" }

!llvm.module.flags = !{!0, !1, !2, !8}
!llvm.ident = !{!3}
!llvm.commandline = !{!4}
!llvm.linker.options = !{!5, !6}
!llvm.dependent-libraries = !{!7}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"probe-stack", !"inline-asm"}
!2 = !{i32 5, !"CG Profile", !9}
!3 = !{!"compiler 1.0"}
!4 = !{!"-O3"}
!5 = !{!"-l", !"m"}
!6 = !{!"-lc"}
!7 = !{!"lib"}
!8 = !{i32 8, !"PIC Level", i32 2}
!9 = distinct !{!10, !11}
!10 = !{ptr @f, ptr @g, i64 22}
!11 = !{ptr @g, null, i64 5}

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, i64 = dense<[32, 64]> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">, llvm.commandline = "-O3", llvm.dependent_libraries = ["lib"], llvm.ident = "compiler 1.0", llvm.module_asm = [".globl one", ".globl two"], llvm.target_triple = "nvptx64-nvidia-cuda"} {
; CHECK-NEXT:   llvm.comdat @__llvm_global_comdat {
; CHECK-NEXT:     llvm.comdat_selector @group any
; CHECK-NEXT:     llvm.comdat_selector @other largest
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external @plain(0 : i32) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global external @external() {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global internal constant @constant(7 : i32) {addr_space = 0 : i32, alignment = 8 : i64, dso_local} : i32
; CHECK-NEXT:   llvm.mlir.global internal @shared() {addr_space = 3 : i32, alignment = 16 : i64, dso_local} : !llvm.array<128 x i8> {
; CHECK-NEXT:     %0 = llvm.mlir.undef : !llvm.array<128 x i8>
; CHECK-NEXT:     llvm.return %0 : !llvm.array<128 x i8>
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.global external thread_local @thread(1 : i32) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global external hidden local_unnamed_addr @hidden(1 : i32) {addr_space = 0 : i32, dso_local} : i32
; CHECK-NEXT:   llvm.mlir.global external protected unnamed_addr @local(1 : i32) {addr_space = 0 : i32, dso_local, section = "here"} : i32
; CHECK-NEXT:   llvm.mlir.global linkonce_odr @in_group(1 : i32) comdat(@__llvm_global_comdat::@group) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global weak @other(1 : i32) comdat(@__llvm_global_comdat::@other) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global extern_weak @weak() {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global common @common(0 : i32) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global available_externally @available(4 : i32) {addr_space = 0 : i32} : i32
; CHECK-NEXT:   llvm.mlir.global private constant @mlir.llvm.nameless_global_0(9 : i32) {addr_space = 0 : i32, dso_local} : i32
; CHECK-NEXT:   llvm.mlir.global external @with_attributes(1 : i32) {addr_space = 0 : i32, target_specific_attrs = ["flag", ["key", "value"]]} : i32
; CHECK-NEXT:   llvm.mlir.global_ctors ctors = [@f, @g], priorities = [1 : i32, 65535 : i32], data = [#llvm.zero, @plain]
; CHECK-NEXT:   llvm.mlir.global_dtors dtors = [], priorities = [], data = []
; CHECK-NEXT:   llvm.mlir.alias internal @alias {dso_local} : i32 {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @plain : !llvm.ptr
; CHECK-NEXT:     llvm.return %0 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.alias external hidden unnamed_addr @shifted {dso_local} : i32 {
; CHECK-NEXT:     %0 = llvm.mlir.constant(2 : i64) : i64
; CHECK-NEXT:     %1 = llvm.mlir.addressof @plain : !llvm.ptr
; CHECK-NEXT:     %2 = llvm.getelementptr %1[%0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
; CHECK-NEXT:     llvm.return %2 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.alias external @function_alias : !llvm.func<void ()> {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @f : !llvm.ptr
; CHECK-NEXT:     llvm.return %0 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.mlir.ifunc external @ifunc : !llvm.func<void ()>, !llvm.ptr @resolver
; CHECK-NEXT:   llvm.linker_options ["-l", "m"]
; CHECK-NEXT:   llvm.linker_options ["-lc"]
; CHECK-NEXT:   llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<override, "probe-stack", "inline-asm">, #llvm.mlir.module_flag<append, "CG Profile", [#llvm.cgprofile_entry<from = @f, to = @g, count = 22>, #llvm.cgprofile_entry<from = @g, count = 5>]>, #llvm.mlir.module_flag<min, "PIC Level", 2 : i32>]
; CHECK-NEXT:   llvm.func @f() {
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func linkonce_odr @g() comdat(@__llvm_global_comdat::@group) {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @mlir.llvm.nameless_global_0 : !llvm.ptr
; CHECK-NEXT:     %1 = llvm.mlir.addressof @alias : !llvm.ptr
; CHECK-NEXT:     %2 = llvm.mlir.addressof @function_alias : !llvm.ptr
; CHECK-NEXT:     %3 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
; CHECK-NEXT:     %4 = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
; CHECK-NEXT:     llvm.call %2() : !llvm.ptr, () -> ()
; CHECK-NEXT:     llvm.call @ifunc() : () -> ()
; CHECK-NEXT:     llvm.return
; CHECK-NEXT:   }
; CHECK-NEXT:   llvm.func @resolver() -> !llvm.ptr {
; CHECK-NEXT:     %0 = llvm.mlir.addressof @f : !llvm.ptr
; CHECK-NEXT:     llvm.return %0 : !llvm.ptr
; CHECK-NEXT:   }
; CHECK-NEXT: }
