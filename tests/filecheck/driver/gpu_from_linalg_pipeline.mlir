// RUN: xgpu-opt --gpu-kernels-from-linalg-pipeline="threads=32,2" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --gpu-from-linalg-pipeline="chip=sm_80 format=isa copy-bytes=8" %s | filecheck %s --check-prefix=BINARY

// CHECK: #map = affine_map<()[s0] -> (s0 ceildiv 64)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * 64 + s1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @exp(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     %memref = gpu.alloc  (%dim) : memref<?xf32>
// CHECK-NEXT:     %0 = affine.apply #map()[%dim]
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c64, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %1 = affine.apply #map1()[%arg2, %arg5]
// CHECK-NEXT:       %2 = arith.cmpi ult, %1, %dim : index
// CHECK-NEXT:       scf.if %2 {
// CHECK-NEXT:         %3 = memref.load %arg0[%1] : memref<?xf32>
// CHECK-NEXT:         %4 = memref.load %arg1[%1] : memref<?xf32>
// CHECK-NEXT:         %5 = arith.addf %3, %4 : f32
// CHECK-NEXT:         %6 = math.exp %5 : f32
// CHECK-NEXT:         memref.store %6, %memref[%1] : memref<?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return %memref : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @exp(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %y : tensor<?xf32>
  %1 = math.exp %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// BINARY: module attributes {gpu.container_module} {
// BINARY-NEXT:   llvm.func @exp(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64) -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> {
// BINARY-NEXT:     %0 = llvm.mlir.constant(0 : i32) : i32
// BINARY-NEXT:     %1 = llvm.mlir.zero : !llvm.ptr
// BINARY-NEXT:     %2 = llvm.mlir.addressof @exp_kernel_exp_kernel_function : !llvm.ptr
// BINARY-NEXT:     %3 = llvm.mlir.constant(256 : index) : i64
// BINARY-NEXT:     %4 = llvm.mlir.constant(1 : index) : i64
// BINARY-NEXT:     %5 = llvm.mlir.constant(0 : index) : i64
// BINARY-NEXT:     %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %7 = llvm.mlir.constant(16 : i64) : i64
// BINARY-NEXT:     %8 = llvm.mlir.constant(128 : i64) : i64
// BINARY-NEXT:     %9 = llvm.alloca %8 x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr
// BINARY-NEXT:     %10 = llvm.alloca %7 x !llvm.ptr : (i64) -> !llvm.ptr
// BINARY-NEXT:     %11 = llvm.getelementptr %9[8] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %12 = llvm.getelementptr %9[16] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %13 = llvm.getelementptr %9[24] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %14 = llvm.getelementptr %9[32] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %15 = llvm.getelementptr %9[40] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %16 = llvm.getelementptr %9[48] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %17 = llvm.getelementptr %9[56] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %18 = llvm.getelementptr %9[64] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %19 = llvm.getelementptr %9[72] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %20 = llvm.getelementptr %9[80] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %21 = llvm.getelementptr %9[88] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %22 = llvm.getelementptr %9[96] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %23 = llvm.getelementptr %9[104] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %24 = llvm.getelementptr %9[112] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     %25 = llvm.getelementptr %9[120] : (!llvm.ptr) -> !llvm.ptr, i8
// BINARY-NEXT:     llvm.store %9, %10 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %26 = llvm.getelementptr %10[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %11, %26 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %27 = llvm.getelementptr %10[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %12, %27 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %28 = llvm.getelementptr %10[3] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %13, %28 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %29 = llvm.getelementptr %10[4] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %14, %29 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %30 = llvm.getelementptr %10[5] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %15, %30 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %31 = llvm.getelementptr %10[6] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %16, %31 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %32 = llvm.getelementptr %10[7] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %17, %32 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %33 = llvm.getelementptr %10[8] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %18, %33 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %34 = llvm.getelementptr %10[9] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %19, %34 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %35 = llvm.getelementptr %10[10] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %20, %35 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %36 = llvm.getelementptr %10[11] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %21, %36 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %37 = llvm.getelementptr %10[12] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %22, %37 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %38 = llvm.getelementptr %10[13] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %23, %38 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %39 = llvm.getelementptr %10[14] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %24, %39 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %40 = llvm.getelementptr %10[15] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %25, %40 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     %41 = llvm.insertvalue %arg0, %6[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %42 = llvm.insertvalue %arg1, %41[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %43 = llvm.insertvalue %arg2, %42[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %44 = llvm.insertvalue %arg3, %43[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %45 = llvm.load %2 : !llvm.ptr -> !llvm.ptr
// BINARY-NEXT:     %46 = llvm.extractvalue %44[3] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %47 = llvm.alloca %4 x !llvm.array<1 x i64> : (i64) -> !llvm.ptr
// BINARY-NEXT:     llvm.store %46, %47 : !llvm.array<1 x i64>, !llvm.ptr
// BINARY-NEXT:     %48 = llvm.getelementptr %47[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<1 x i64>
// BINARY-NEXT:     %49 = llvm.load %48 : !llvm.ptr -> i64
// BINARY-NEXT:     %50 = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
// BINARY-NEXT:     %51 = llvm.getelementptr %1[%49] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// BINARY-NEXT:     %52 = llvm.ptrtoint %51 : !llvm.ptr to i64
// BINARY-NEXT:     %53 = llvm.call @mgpuMemAllocAsync(%52, %50) : (i64, !llvm.ptr) -> !llvm.ptr
// BINARY-NEXT:     %54 = llvm.insertvalue %53, %6[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %55 = llvm.insertvalue %53, %54[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %56 = llvm.insertvalue %5, %55[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %57 = llvm.insertvalue %49, %56[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     %58 = llvm.insertvalue %4, %57[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:     llvm.call @mgpuStreamSynchronize(%50) : (!llvm.ptr) -> ()
// BINARY-NEXT:     %59 = llvm.icmp "sle" %49, %5 : i64
// BINARY-NEXT:     %60 = llvm.sub %5, %49 : i64
// BINARY-NEXT:     %61 = llvm.sub %49, %4 : i64
// BINARY-NEXT:     %62 = llvm.select %59, %60, %61 : i1, i64
// BINARY-NEXT:     %63 = llvm.sdiv %62, %3 : i64
// BINARY-NEXT:     %64 = llvm.sub %5, %63 : i64
// BINARY-NEXT:     %65 = llvm.add %63, %4 : i64
// BINARY-NEXT:     %66 = llvm.select %59, %64, %65 : i1, i64
// BINARY-NEXT:     llvm.store %49, %9 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg0, %11 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg1, %12 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg2, %13 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg3, %14 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg4, %15 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg5, %16 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg6, %17 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg7, %18 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg8, %19 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %arg9, %20 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %53, %21 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %53, %22 : !llvm.ptr, !llvm.ptr
// BINARY-NEXT:     llvm.store %5, %23 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %49, %24 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.store %4, %25 : i64, !llvm.ptr
// BINARY-NEXT:     llvm.call @mgpuLaunchKernel(%45, %66, %4, %4, %3, %4, %4, %0, %50, %10, %1, %7) : (!llvm.ptr, i64, i64, i64, i64, i64, i64, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
// BINARY-NEXT:     llvm.call @mgpuStreamSynchronize(%50) : (!llvm.ptr) -> ()
// BINARY-NEXT:     llvm.call @mgpuStreamDestroy(%50) : (!llvm.ptr) -> ()
// BINARY-NEXT:     llvm.return %58 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// BINARY-NEXT:   }
// BINARY-NEXT:   gpu.binary @exp_kernel  [#gpu.object<#nvvm.target<chip = "sm_80">, properties = {O = 2 : i32}, assembly = "//\0A// Generated by LLVM NVPTX Back-End\0A//\0A\0A.version 7.0\0A.target sm_80\0A.address_size 64\0A\0A\09// .globl\09exp_kernel\0A\0A.visible .entry exp_kernel(\0A\09.param .u64 exp_kernel_param_0,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_1,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_2,\0A\09.param .u64 exp_kernel_param_3,\0A\09.param .u64 exp_kernel_param_4,\0A\09.param .u64 exp_kernel_param_5,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_6,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_7,\0A\09.param .u64 exp_kernel_param_8,\0A\09.param .u64 exp_kernel_param_9,\0A\09.param .u64 exp_kernel_param_10,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_11,\0A\09.param .u64 .ptr .align 1 exp_kernel_param_12,\0A\09.param .u64 exp_kernel_param_13,\0A\09.param .u64 exp_kernel_param_14,\0A\09.param .u64 exp_kernel_param_15\0A)\0A.maxntid 256, 1, 1\0A{\0A\09.reg .pred \09%p<2>;\0A\09.reg .b32 \09%r<18>;\0A\09.reg .b64 \09%rd<15>;\0A\0A\09ld.param.b64 \09%rd5, [exp_kernel_param_0];\0A\09ld.param.b64 \09%rd6, [exp_kernel_param_2];\0A\09cvta.to.global.u64 \09%rd1, %rd6;\0A\09ld.param.b64 \09%rd7, [exp_kernel_param_7];\0A\09cvta.to.global.u64 \09%rd2, %rd7;\0A\09ld.param.b64 \09%rd8, [exp_kernel_param_12];\0A\09cvta.to.global.u64 \09%rd3, %rd8;\0A\09mov.u32 \09%r1, %ctaid.x;\0A\09mov.u32 \09%r2, %tid.x;\0A\09cvt.u64.u32 \09%rd9, %r2;\0A\09mul.wide.u32 \09%rd10, %r1, 256;\0A\09or.b64 \09%rd4, %rd10, %rd9;\0A\09setp.ge.u64 \09%p1, %rd4, %rd5;\0A\09@%p1 bra \09$L__BB0_2;\0A\09shl.b64 \09%rd11, %rd4, 2;\0A\09add.s64 \09%rd12, %rd1, %rd11;\0A\09ld.global.b32 \09%r3, [%rd12];\0A\09add.s64 \09%rd13, %rd2, %rd11;\0A\09ld.global.b32 \09%r4, [%rd13];\0A\09add.rn.f32 \09%r5, %r3, %r4;\0A\09fma.rn.f32 \09%r6, %r5, 0f3BBB989D, 0f3F000000;\0A\09cvt.sat.f32.f32 \09%r7, %r6;\0A\09mov.b32 \09%r8, 0f4B400001;\0A\09mov.b32 \09%r9, 0f437C0000;\0A\09fma.rm.f32 \09%r10, %r7, %r9, %r8;\0A\09add.rn.f32 \09%r11, %r10, 0fCB40007F;\0A\09neg.f32 \09%r12, %r11;\0A\09fma.rn.f32 \09%r13, %r5, 0f3FB8AA3B, %r12;\0A\09fma.rn.f32 \09%r14, %r5, 0f32A57060, %r13;\0A\09shl.b32 \09%r15, %r10, 23;\0A\09ex2.approx.ftz.f32 \09%r16, %r14;\0A\09mul.rn.f32 \09%r17, %r16, %r15;\0A\09add.s64 \09%rd14, %rd3, %rd11;\0A\09st.global.b32 \09[%rd14], %r17;\0A$L__BB0_2:\0A\09ret;\0A\0A}\0A">]
// BINARY-NEXT:   llvm.mlir.global external @exp_kernel_exp_kernel_function() {addr_space = 0 : i32, mgpu.kernel = @exp_kernel::@exp_kernel} : !llvm.ptr
// BINARY-NEXT:   llvm.func @mgpuStreamCreate() -> !llvm.ptr
// BINARY-NEXT:   llvm.func @mgpuMemAllocAsync(i64, !llvm.ptr) -> !llvm.ptr
// BINARY-NEXT:   llvm.func @mgpuStreamSynchronize(!llvm.ptr)
// BINARY-NEXT:   llvm.func @mgpuLaunchKernel(!llvm.ptr, i64, i64, i64, i64, i64, i64, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// BINARY-NEXT:   llvm.func @mgpuStreamDestroy(!llvm.ptr)
// BINARY-NEXT: }
