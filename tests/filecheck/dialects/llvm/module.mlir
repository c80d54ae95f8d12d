// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// What a module holds beside functions.

// CHECK: module {
// CHECK-NEXT:   llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<min, "PIC Level", 2 : i32>, #llvm.mlir.module_flag<max, "uwtable", 2 : i32>]
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<min, "PIC Level", 2 : i32>, #llvm.mlir.module_flag<max, "uwtable", 2 : i32>]

// CHECK-NEXT:   llvm.linker_options ["/DEFAULTLIB:", "libcmt"]
llvm.linker_options ["/DEFAULTLIB:", "libcmt"]

// CHECK-NEXT:   llvm.mlir.global_ctors ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.global_ctors ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]
// CHECK-NEXT:   llvm.mlir.global_dtors dtors = [@start], priorities = [7 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@start], priorities = [7 : i32], data = [#llvm.zero]
// CHECK-NEXT:   llvm.mlir.global_ctors ctors = [], priorities = [], data = []
llvm.mlir.global_ctors ctors = [], priorities = [], data = []

// CHECK-NEXT:   llvm.mlir.ifunc external @chosen : !llvm.func<f32 (i64)>, !llvm.ptr @choose
llvm.mlir.ifunc external @chosen : !llvm.func<f32 (i64)>, !llvm.ptr @choose
// CHECK-NEXT:   llvm.mlir.ifunc linkonce_odr hidden unnamed_addr @chosen_too : !llvm.func<f32 (i64)>, !llvm.ptr @choose {dso_local}
llvm.mlir.ifunc linkonce_odr hidden unnamed_addr @chosen_too : !llvm.func<f32 (i64)>, !llvm.ptr @choose {dso_local}

// CHECK-NEXT:   llvm.func @choose() -> !llvm.ptr {
// CHECK-NEXT:     %0 = llvm.mlir.addressof @start : !llvm.ptr
// CHECK-NEXT:     llvm.return %0 : !llvm.ptr
// CHECK-NEXT:   }
llvm.func @choose() -> !llvm.ptr {
  %0 = llvm.mlir.addressof @start : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// CHECK-NEXT:   llvm.func @start() {
// CHECK-NEXT:     %0 = llvm.mlir.addressof @variable : !llvm.ptr<3>
// CHECK-NEXT:     %1 = llvm.dso_local_equivalent @start : !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @start() {
  %0 = llvm.mlir.addressof @variable : !llvm.ptr<3>
  %1 = llvm.dso_local_equivalent @start : !llvm.ptr
  llvm.return
}

// CHECK-NEXT:   llvm.mlir.global internal @variable() {addr_space = 3 : i32} : i32
llvm.mlir.global internal @variable() {addr_space = 3 : i32} : i32
// CHECK-NEXT:   llvm.mlir.global private constant @text("ab") {addr_space = 0 : i32, alignment = 16 : i64, dso_local, section = "here"}
llvm.mlir.global private constant @text("ab") {dso_local, section = "here", alignment = 16 : i64} : !llvm.array<2 x i8>
// CHECK-NEXT:   llvm.mlir.global external @outside() {addr_space = 0 : i32, externally_initialized} : f32
llvm.mlir.global external @outside() {externally_initialized} : f32
// CHECK-NEXT:   llvm.mlir.global weak_odr protected local_unnamed_addr @flags(1 : i8) {addr_space = 0 : i32} : i8
llvm.mlir.global weak_odr protected local_unnamed_addr @flags(1 : i8) : i8
// CHECK-NEXT:   llvm.mlir.global available_externally @a(0 : i32) {addr_space = 0 : i32} : i32
llvm.mlir.global available_externally @a(0 : i32) : i32
// CHECK-NEXT:   llvm.mlir.global linkonce @b(0 : i32) {addr_space = 0 : i32} : i32
llvm.mlir.global linkonce @b(0 : i32) : i32
// CHECK-NEXT:   llvm.mlir.global common @c(0 : i32) {addr_space = 0 : i32} : i32
llvm.mlir.global common @c(0 : i32) : i32
// CHECK-NEXT:   llvm.mlir.global appending @d(dense<0> : tensor<2xi32>) {addr_space = 0 : i32} : !llvm.array<2 x i32>
llvm.mlir.global appending @d(dense<0> : tensor<2xi32>) : !llvm.array<2 x i32>
// CHECK-NEXT:   llvm.mlir.global extern_weak @e() {addr_space = 0 : i32} : i32
llvm.mlir.global extern_weak @e() : i32

// CHECK-NEXT:   llvm.comdat @groups {
// CHECK-NEXT:     llvm.comdat_selector @any any
// CHECK-NEXT:     llvm.comdat_selector @exact exactmatch
// CHECK-NEXT:     llvm.comdat_selector @largest largest
// CHECK-NEXT:     llvm.comdat_selector @single nodeduplicate
// CHECK-NEXT:     llvm.comdat_selector @same samesize
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.comdat @groups {
  llvm.comdat_selector @any any
  llvm.comdat_selector @exact exactmatch
  llvm.comdat_selector @largest largest
  llvm.comdat_selector @single nodeduplicate
  llvm.comdat_selector @same samesize
}
