// A matrix product becomes a kernel that keeps tiles in workgroup memory.
// RUN: xgpu-opt %s --convert-linalg-contractions-to-gpu | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> (s0 * 64)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 8)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 + 16)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 + 24)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 + 32)>
// CHECK-NEXT: #map5 = affine_map<()[s0] -> (s0 + 40)>
// CHECK-NEXT: #map6 = affine_map<()[s0] -> (s0 + 48)>
// CHECK-NEXT: #map7 = affine_map<()[s0] -> (s0 + 56)>
// CHECK-NEXT: #map8 = affine_map<()[s0, s1] -> (s0 * 64 + s1)>
// CHECK-NEXT: #map9 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 8)>
// CHECK-NEXT: #map10 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 16)>
// CHECK-NEXT: #map11 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 24)>
// CHECK-NEXT: #map12 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 32)>
// CHECK-NEXT: #map13 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 40)>
// CHECK-NEXT: #map14 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 48)>
// CHECK-NEXT: #map15 = affine_map<()[s0, s1] -> (s0 * 64 + s1 + 56)>
// CHECK-NEXT: #map16 = affine_map<(d0) -> (d0 * 16)>
// CHECK-NEXT: #map17 = affine_map<(d0)[s0] -> (d0 + s0 * 64)>
// CHECK-NEXT: #map18 = affine_map<(d0, d1) -> (d0 + d1 * 16)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<64x64xf32>, %arg1: memref<64x64xf32>, %arg2: memref<64x64xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c1_0 = arith.constant 1 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1_0, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c32, %arg13 = %c8, %arg14 = %c1) workgroup(%arg15 : memref<16x64xf32, #gpu.address_space<workgroup>>, %arg16 : memref<16x64xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %0 = affine.apply #map()[%arg3]
// CHECK-NEXT:       %1 = affine.apply #map1()[%arg7]
// CHECK-NEXT:       %2 = affine.apply #map2()[%arg7]
// CHECK-NEXT:       %3 = affine.apply #map3()[%arg7]
// CHECK-NEXT:       %4 = affine.apply #map4()[%arg7]
// CHECK-NEXT:       %5 = affine.apply #map5()[%arg7]
// CHECK-NEXT:       %6 = affine.apply #map6()[%arg7]
// CHECK-NEXT:       %7 = affine.apply #map7()[%arg7]
// CHECK-NEXT:       %8 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %9 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %10 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %11 = memref.load %arg2[%10, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %12 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %13 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %14 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %15 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %16 = memref.load %arg2[%14, %15] : memref<64x64xf32>
// CHECK-NEXT:       %17 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %18 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %19 = memref.load %arg2[%18, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %20 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %21 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %22 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %23 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %24 = memref.load %arg2[%22, %23] : memref<64x64xf32>
// CHECK-NEXT:       %25 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %26 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %27 = memref.load %arg2[%26, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %28 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %29 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %30 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %31 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %32 = memref.load %arg2[%30, %31] : memref<64x64xf32>
// CHECK-NEXT:       %33 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %34 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %35 = memref.load %arg2[%34, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %36 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %37 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %38 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %39 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %40 = memref.load %arg2[%38, %39] : memref<64x64xf32>
// CHECK-NEXT:       %41 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %42 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %43 = memref.load %arg2[%42, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %44 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %45 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %46 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %47 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %48 = memref.load %arg2[%46, %47] : memref<64x64xf32>
// CHECK-NEXT:       %49 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %50 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %51 = memref.load %arg2[%50, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %52 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %53 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %54 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %55 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %56 = memref.load %arg2[%54, %55] : memref<64x64xf32>
// CHECK-NEXT:       %57 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %58 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %59 = memref.load %arg2[%58, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %60 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %61 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %62 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %63 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %64 = memref.load %arg2[%62, %63] : memref<64x64xf32>
// CHECK-NEXT:       %65 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %66 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %67 = memref.load %arg2[%66, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %68 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %69 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %70 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %71 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %72 = memref.load %arg2[%70, %71] : memref<64x64xf32>
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %c1_1 = arith.constant 1 : index
// CHECK-NEXT:       %73:16 = scf.for %arg17 = %c0 to %c4 step %c1_1 iter_args(%arg18 = %11, %arg19 = %16, %arg20 = %19, %arg21 = %24, %arg22 = %27, %arg23 = %32, %arg24 = %35, %arg25 = %40, %arg26 = %43, %arg27 = %48, %arg28 = %51, %arg29 = %56, %arg30 = %59, %arg31 = %64, %arg32 = %67, %arg33 = %72) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK-NEXT:         %122 = affine.apply #map16(%arg17)
// CHECK-NEXT:         scf.forall (%arg34, %arg35) in (64, 16) {
// CHECK-NEXT:           %124 = affine.apply #map17(%arg34)[%arg3]
// CHECK-NEXT:           %125 = affine.apply #map18(%arg35, %arg17)
// CHECK-NEXT:           %126 = affine.apply #map17(%arg34)[%arg3]
// CHECK-NEXT:           %127 = affine.apply #map18(%arg35, %arg17)
// CHECK-NEXT:           %128 = memref.load %arg0[%126, %127] : memref<64x64xf32>
// CHECK-NEXT:           memref.store %128, %arg15[%arg35, %arg34] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:         } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         scf.forall (%arg34, %arg35) in (16, 64) {
// CHECK-NEXT:           %124 = affine.apply #map18(%arg34, %arg17)
// CHECK-NEXT:           %125 = affine.apply #map18(%arg34, %arg17)
// CHECK-NEXT:           %126 = memref.load %arg1[%125, %arg35] : memref<64x64xf32>
// CHECK-NEXT:           memref.store %126, %arg16[%arg34, %arg35] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:         } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %c0_2 = arith.constant 0 : index
// CHECK-NEXT:         %c16 = arith.constant 16 : index
// CHECK-NEXT:         %c1_3 = arith.constant 1 : index
// CHECK-NEXT:         %123:16 = scf.for %arg34 = %c0_2 to %c16 step %c1_3 iter_args(%arg35 = %arg18, %arg36 = %arg19, %arg37 = %arg20, %arg38 = %arg21, %arg39 = %arg22, %arg40 = %arg23, %arg41 = %arg24, %arg42 = %arg25, %arg43 = %arg26, %arg44 = %arg27, %arg45 = %arg28, %arg46 = %arg29, %arg47 = %arg30, %arg48 = %arg31, %arg49 = %arg32, %arg50 = %arg33) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK-NEXT:           %124 = memref.load %arg15[%arg34, %arg7] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %125 = memref.load %arg15[%arg34, %1] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %126 = memref.load %arg15[%arg34, %2] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %127 = memref.load %arg15[%arg34, %3] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %128 = memref.load %arg15[%arg34, %4] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %129 = memref.load %arg15[%arg34, %5] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %130 = memref.load %arg15[%arg34, %6] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %131 = memref.load %arg15[%arg34, %7] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %132 = memref.load %arg16[%arg34, %arg6] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %133 = memref.load %arg16[%arg34, %8] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           %134 = arith.mulf %124, %132 : f32
// CHECK-NEXT:           %135 = arith.addf %arg35, %134 : f32
// CHECK-NEXT:           %136 = arith.mulf %124, %133 : f32
// CHECK-NEXT:           %137 = arith.addf %arg36, %136 : f32
// CHECK-NEXT:           %138 = arith.mulf %125, %132 : f32
// CHECK-NEXT:           %139 = arith.addf %arg37, %138 : f32
// CHECK-NEXT:           %140 = arith.mulf %125, %133 : f32
// CHECK-NEXT:           %141 = arith.addf %arg38, %140 : f32
// CHECK-NEXT:           %142 = arith.mulf %126, %132 : f32
// CHECK-NEXT:           %143 = arith.addf %arg39, %142 : f32
// CHECK-NEXT:           %144 = arith.mulf %126, %133 : f32
// CHECK-NEXT:           %145 = arith.addf %arg40, %144 : f32
// CHECK-NEXT:           %146 = arith.mulf %127, %132 : f32
// CHECK-NEXT:           %147 = arith.addf %arg41, %146 : f32
// CHECK-NEXT:           %148 = arith.mulf %127, %133 : f32
// CHECK-NEXT:           %149 = arith.addf %arg42, %148 : f32
// CHECK-NEXT:           %150 = arith.mulf %128, %132 : f32
// CHECK-NEXT:           %151 = arith.addf %arg43, %150 : f32
// CHECK-NEXT:           %152 = arith.mulf %128, %133 : f32
// CHECK-NEXT:           %153 = arith.addf %arg44, %152 : f32
// CHECK-NEXT:           %154 = arith.mulf %129, %132 : f32
// CHECK-NEXT:           %155 = arith.addf %arg45, %154 : f32
// CHECK-NEXT:           %156 = arith.mulf %129, %133 : f32
// CHECK-NEXT:           %157 = arith.addf %arg46, %156 : f32
// CHECK-NEXT:           %158 = arith.mulf %130, %132 : f32
// CHECK-NEXT:           %159 = arith.addf %arg47, %158 : f32
// CHECK-NEXT:           %160 = arith.mulf %130, %133 : f32
// CHECK-NEXT:           %161 = arith.addf %arg48, %160 : f32
// CHECK-NEXT:           %162 = arith.mulf %131, %132 : f32
// CHECK-NEXT:           %163 = arith.addf %arg49, %162 : f32
// CHECK-NEXT:           %164 = arith.mulf %131, %133 : f32
// CHECK-NEXT:           %165 = arith.addf %arg50, %164 : f32
// CHECK-NEXT:           scf.yield %135, %137, %139, %141, %143, %145, %147, %149, %151, %153, %155, %157, %159, %161, %163, %165 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
// CHECK-NEXT:         }
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         scf.yield %123#0, %123#1, %123#2, %123#3, %123#4, %123#5, %123#6, %123#7, %123#8, %123#9, %123#10, %123#11, %123#12, %123#13, %123#14, %123#15 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
// CHECK-NEXT:       }
// CHECK-NEXT:       %74 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %75 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#0, %arg2[%75, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %76 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %77 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %78 = affine.apply #map8()[%arg3, %arg7]
// CHECK-NEXT:       %79 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#1, %arg2[%78, %79] : memref<64x64xf32>
// CHECK-NEXT:       %80 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %81 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#2, %arg2[%81, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %82 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %83 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %84 = affine.apply #map9()[%arg3, %arg7]
// CHECK-NEXT:       %85 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#3, %arg2[%84, %85] : memref<64x64xf32>
// CHECK-NEXT:       %86 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %87 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#4, %arg2[%87, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %88 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %89 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %90 = affine.apply #map10()[%arg3, %arg7]
// CHECK-NEXT:       %91 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#5, %arg2[%90, %91] : memref<64x64xf32>
// CHECK-NEXT:       %92 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %93 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#6, %arg2[%93, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %94 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %95 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %96 = affine.apply #map11()[%arg3, %arg7]
// CHECK-NEXT:       %97 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#7, %arg2[%96, %97] : memref<64x64xf32>
// CHECK-NEXT:       %98 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %99 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#8, %arg2[%99, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %100 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %101 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %102 = affine.apply #map12()[%arg3, %arg7]
// CHECK-NEXT:       %103 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#9, %arg2[%102, %103] : memref<64x64xf32>
// CHECK-NEXT:       %104 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %105 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#10, %arg2[%105, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %106 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %107 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %108 = affine.apply #map13()[%arg3, %arg7]
// CHECK-NEXT:       %109 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#11, %arg2[%108, %109] : memref<64x64xf32>
// CHECK-NEXT:       %110 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %111 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#12, %arg2[%111, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %112 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %113 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %114 = affine.apply #map14()[%arg3, %arg7]
// CHECK-NEXT:       %115 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#13, %arg2[%114, %115] : memref<64x64xf32>
// CHECK-NEXT:       %116 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %117 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       memref.store %73#14, %arg2[%117, %arg6] : memref<64x64xf32>
// CHECK-NEXT:       %118 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %119 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       %120 = affine.apply #map15()[%arg3, %arg7]
// CHECK-NEXT:       %121 = affine.apply #map4()[%arg6]
// CHECK-NEXT:       memref.store %73#15, %arg2[%120, %121] : memref<64x64xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
