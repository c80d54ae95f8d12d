; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines

target datalayout = "E-p:32:32-p6:32:32:64:16-i64:64-i128:128:256-n16:32:64-A5-G1-P2-Fn32"

; CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>, !llvm.ptr<6> = dense<[32, 32, 64, 16]> : vector<4xi64>, i64 = dense<64> : vector<2xi64>, i128 = dense<[128, 256]> : vector<2xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "big", "dlti.legal_int_widths" = array<i32: 16, 32, 64>, "dlti.alloca_memory_space" = 5 : ui64, "dlti.global_memory_space" = 1 : ui64, "dlti.program_memory_space" = 2 : ui64, "dlti.function_pointer_alignment" = #dlti.function_pointer_alignment<32, function_dependent = true>>, llvm.module_asm = [], llvm.target_triple = ""} {
; CHECK-NEXT: }
