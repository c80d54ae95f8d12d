// A matrix product becomes a kernel for tensor cores.
// RUN: xgpu-opt %s --gpu-tile-matmul | filecheck %s --match-full-lines

// CHECK: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK-NEXT: #loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<128x64xf16>, %arg1: memref<64x128xf16>, %arg2: memref<128x128xf32>) {
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %c8_0 = arith.constant 8 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c8, %arg10 = %c8_0, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c32, %arg13 = %c1_1, %arg14 = %c1_2) workgroup(%arg15 : memref<16x32xf16, #gpu.address_space<workgroup>>, %arg16 : memref<32x16xf16, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %c16 = arith.constant 16 : index
// CHECK-NEXT:       %0 = arith.muli %arg3, %c16 : index
// CHECK-NEXT:       %c16_3 = arith.constant 16 : index
// CHECK-NEXT:       %1 = arith.muli %arg4, %c16_3 : index
// CHECK-NEXT:       %c32_4 = arith.constant 32 : index
// CHECK-NEXT:       %2 = arith.remui %arg6, %c32_4 : index
// CHECK-NEXT:       %c32_5 = arith.constant 32 : index
// CHECK-NEXT:       %3 = arith.divui %arg6, %c32_5 : index
// CHECK-NEXT:       %c4 = arith.constant 4 : index
// CHECK-NEXT:       %4 = arith.divui %2, %c4 : index
// CHECK-NEXT:       %c4_6 = arith.constant 4 : index
// CHECK-NEXT:       %5 = arith.remui %2, %c4_6 : index
// CHECK-NEXT:       %c16_7 = arith.constant 16 : index
// CHECK-NEXT:       %6 = arith.muli %3, %c16_7 : index
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %c64 = arith.constant 64 : index
// CHECK-NEXT:       %c32_8 = arith.constant 32 : index
// CHECK-NEXT:       %cst = arith.constant dense<0.000000e+00> : vector<2x2xf32>
// CHECK-NEXT:       %7:2 = scf.for %arg17 = %c0 to %c64 step %c32_8 iter_args(%arg18 = %cst, %arg19 = %cst) -> (vector<2x2xf32>, vector<2x2xf32>) {
// CHECK-NEXT:         %c4_19 = arith.constant 4 : index
// CHECK-NEXT:         %61 = arith.divui %arg6, %c4_19 : index
// CHECK-NEXT:         %c4_20 = arith.constant 4 : index
// CHECK-NEXT:         %62 = arith.remui %arg6, %c4_20 : index
// CHECK-NEXT:         %c8_21 = arith.constant 8 : index
// CHECK-NEXT:         %63 = arith.muli %62, %c8_21 : index
// CHECK-NEXT:         %64 = arith.addi %1, %61 : index
// CHECK-NEXT:         %65 = arith.addi %arg17, %63 : index
// CHECK-NEXT:         %c2_22 = arith.constant 2 : index
// CHECK-NEXT:         %66 = arith.divui %61, %c2_22 : index
// CHECK-NEXT:         %c4_23 = arith.constant 4 : index
// CHECK-NEXT:         %67 = arith.remui %66, %c4_23 : index
// CHECK-NEXT:         %c8_24 = arith.constant 8 : index
// CHECK-NEXT:         %68 = arith.divui %63, %c8_24 : index
// CHECK-NEXT:         %c8_25 = arith.constant 8 : index
// CHECK-NEXT:         %69 = arith.remui %63, %c8_25 : index
// CHECK-NEXT:         %70 = arith.xori %68, %67 : index
// CHECK-NEXT:         %c8_26 = arith.constant 8 : index
// CHECK-NEXT:         %71 = arith.muli %70, %c8_26 : index
// CHECK-NEXT:         %72 = arith.addi %71, %69 : index
// CHECK-NEXT:         %73 = nvgpu.device_async_copy %arg0[%64, %65], %arg15[%61, %72], 8 : memref<128x64xf16> to memref<16x32xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c32_27 = arith.constant 32 : index
// CHECK-NEXT:         %74 = arith.addi %arg6, %c32_27 : index
// CHECK-NEXT:         %c4_28 = arith.constant 4 : index
// CHECK-NEXT:         %75 = arith.divui %arg6, %c4_28 : index
// CHECK-NEXT:         %c8_29 = arith.constant 8 : index
// CHECK-NEXT:         %76 = arith.addi %75, %c8_29 : index
// CHECK-NEXT:         %c4_30 = arith.constant 4 : index
// CHECK-NEXT:         %77 = arith.remui %arg6, %c4_30 : index
// CHECK-NEXT:         %c8_31 = arith.constant 8 : index
// CHECK-NEXT:         %78 = arith.muli %77, %c8_31 : index
// CHECK-NEXT:         %79 = arith.addi %1, %76 : index
// CHECK-NEXT:         %80 = arith.addi %arg17, %78 : index
// CHECK-NEXT:         %c2_32 = arith.constant 2 : index
// CHECK-NEXT:         %81 = arith.divui %76, %c2_32 : index
// CHECK-NEXT:         %c4_33 = arith.constant 4 : index
// CHECK-NEXT:         %82 = arith.remui %81, %c4_33 : index
// CHECK-NEXT:         %c8_34 = arith.constant 8 : index
// CHECK-NEXT:         %83 = arith.divui %78, %c8_34 : index
// CHECK-NEXT:         %c8_35 = arith.constant 8 : index
// CHECK-NEXT:         %84 = arith.remui %78, %c8_35 : index
// CHECK-NEXT:         %85 = arith.xori %83, %82 : index
// CHECK-NEXT:         %c8_36 = arith.constant 8 : index
// CHECK-NEXT:         %86 = arith.muli %85, %c8_36 : index
// CHECK-NEXT:         %87 = arith.addi %86, %84 : index
// CHECK-NEXT:         %88 = nvgpu.device_async_copy %arg0[%79, %80], %arg15[%76, %87], 8 : memref<128x64xf16> to memref<16x32xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c2_37 = arith.constant 2 : index
// CHECK-NEXT:         %89 = arith.divui %arg6, %c2_37 : index
// CHECK-NEXT:         %c2_38 = arith.constant 2 : index
// CHECK-NEXT:         %90 = arith.remui %arg6, %c2_38 : index
// CHECK-NEXT:         %c8_39 = arith.constant 8 : index
// CHECK-NEXT:         %91 = arith.muli %90, %c8_39 : index
// CHECK-NEXT:         %92 = arith.addi %arg17, %89 : index
// CHECK-NEXT:         %93 = arith.addi %0, %91 : index
// CHECK-NEXT:         %c4_40 = arith.constant 4 : index
// CHECK-NEXT:         %94 = arith.divui %89, %c4_40 : index
// CHECK-NEXT:         %c2_41 = arith.constant 2 : index
// CHECK-NEXT:         %95 = arith.remui %94, %c2_41 : index
// CHECK-NEXT:         %c8_42 = arith.constant 8 : index
// CHECK-NEXT:         %96 = arith.divui %91, %c8_42 : index
// CHECK-NEXT:         %c8_43 = arith.constant 8 : index
// CHECK-NEXT:         %97 = arith.remui %91, %c8_43 : index
// CHECK-NEXT:         %98 = arith.xori %96, %95 : index
// CHECK-NEXT:         %c8_44 = arith.constant 8 : index
// CHECK-NEXT:         %99 = arith.muli %98, %c8_44 : index
// CHECK-NEXT:         %100 = arith.addi %99, %97 : index
// CHECK-NEXT:         %101 = nvgpu.device_async_copy %arg1[%92, %93], %arg16[%89, %100], 8 : memref<64x128xf16> to memref<32x16xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %c32_45 = arith.constant 32 : index
// CHECK-NEXT:         %102 = arith.addi %arg6, %c32_45 : index
// CHECK-NEXT:         %c2_46 = arith.constant 2 : index
// CHECK-NEXT:         %103 = arith.divui %arg6, %c2_46 : index
// CHECK-NEXT:         %c16_47 = arith.constant 16 : index
// CHECK-NEXT:         %104 = arith.addi %103, %c16_47 : index
// CHECK-NEXT:         %c2_48 = arith.constant 2 : index
// CHECK-NEXT:         %105 = arith.remui %arg6, %c2_48 : index
// CHECK-NEXT:         %c8_49 = arith.constant 8 : index
// CHECK-NEXT:         %106 = arith.muli %105, %c8_49 : index
// CHECK-NEXT:         %107 = arith.addi %arg17, %104 : index
// CHECK-NEXT:         %108 = arith.addi %0, %106 : index
// CHECK-NEXT:         %c4_50 = arith.constant 4 : index
// CHECK-NEXT:         %109 = arith.divui %104, %c4_50 : index
// CHECK-NEXT:         %c2_51 = arith.constant 2 : index
// CHECK-NEXT:         %110 = arith.remui %109, %c2_51 : index
// CHECK-NEXT:         %c8_52 = arith.constant 8 : index
// CHECK-NEXT:         %111 = arith.divui %106, %c8_52 : index
// CHECK-NEXT:         %c8_53 = arith.constant 8 : index
// CHECK-NEXT:         %112 = arith.remui %106, %c8_53 : index
// CHECK-NEXT:         %113 = arith.xori %111, %110 : index
// CHECK-NEXT:         %c8_54 = arith.constant 8 : index
// CHECK-NEXT:         %114 = arith.muli %113, %c8_54 : index
// CHECK-NEXT:         %115 = arith.addi %114, %112 : index
// CHECK-NEXT:         %116 = nvgpu.device_async_copy %arg1[%107, %108], %arg16[%104, %115], 8 : memref<64x128xf16> to memref<32x16xf16, #gpu.address_space<workgroup>>
// CHECK-NEXT:         %117 = nvgpu.device_async_create_group %73, %88, %101, %116
// CHECK-NEXT:         nvgpu.device_async_wait %117
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         %c8_55 = arith.constant 8 : index
// CHECK-NEXT:         %118 = arith.remui %2, %c8_55 : index
// CHECK-NEXT:         %c8_56 = arith.constant 8 : index
// CHECK-NEXT:         %119 = arith.divui %2, %c8_56 : index
// CHECK-NEXT:         %c2_57 = arith.constant 2 : index
// CHECK-NEXT:         %120 = arith.remui %119, %c2_57 : index
// CHECK-NEXT:         %c2_58 = arith.constant 2 : index
// CHECK-NEXT:         %121 = arith.divui %119, %c2_58 : index
// CHECK-NEXT:         %c8_59 = arith.constant 8 : index
// CHECK-NEXT:         %122 = arith.muli %120, %c8_59 : index
// CHECK-NEXT:         %c8_60 = arith.constant 8 : index
// CHECK-NEXT:         %123 = arith.muli %121, %c8_60 : index
// CHECK-NEXT:         %124 = arith.addi %122, %118 : index
// CHECK-NEXT:         %125 = arith.addi %6, %124 : index
// CHECK-NEXT:         %c2_61 = arith.constant 2 : index
// CHECK-NEXT:         %126 = arith.divui %125, %c2_61 : index
// CHECK-NEXT:         %c4_62 = arith.constant 4 : index
// CHECK-NEXT:         %127 = arith.remui %126, %c4_62 : index
// CHECK-NEXT:         %c8_63 = arith.constant 8 : index
// CHECK-NEXT:         %128 = arith.divui %123, %c8_63 : index
// CHECK-NEXT:         %c8_64 = arith.constant 8 : index
// CHECK-NEXT:         %129 = arith.remui %123, %c8_64 : index
// CHECK-NEXT:         %130 = arith.xori %128, %127 : index
// CHECK-NEXT:         %c8_65 = arith.constant 8 : index
// CHECK-NEXT:         %131 = arith.muli %130, %c8_65 : index
// CHECK-NEXT:         %132 = arith.addi %131, %129 : index
// CHECK-NEXT:         %133 = nvgpu.ldmatrix %arg15[%125, %132] {numTiles = 4 : i32, transpose = false} : memref<16x32xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %c8_66 = arith.constant 8 : index
// CHECK-NEXT:         %134 = arith.remui %2, %c8_66 : index
// CHECK-NEXT:         %c8_67 = arith.constant 8 : index
// CHECK-NEXT:         %135 = arith.divui %2, %c8_67 : index
// CHECK-NEXT:         %c2_68 = arith.constant 2 : index
// CHECK-NEXT:         %136 = arith.remui %135, %c2_68 : index
// CHECK-NEXT:         %c2_69 = arith.constant 2 : index
// CHECK-NEXT:         %137 = arith.divui %135, %c2_69 : index
// CHECK-NEXT:         %c8_70 = arith.constant 8 : index
// CHECK-NEXT:         %138 = arith.muli %137, %c8_70 : index
// CHECK-NEXT:         %c8_71 = arith.constant 8 : index
// CHECK-NEXT:         %139 = arith.muli %136, %c8_71 : index
// CHECK-NEXT:         %140 = arith.addi %139, %134 : index
// CHECK-NEXT:         %c4_72 = arith.constant 4 : index
// CHECK-NEXT:         %141 = arith.divui %140, %c4_72 : index
// CHECK-NEXT:         %c2_73 = arith.constant 2 : index
// CHECK-NEXT:         %142 = arith.remui %141, %c2_73 : index
// CHECK-NEXT:         %c8_74 = arith.constant 8 : index
// CHECK-NEXT:         %143 = arith.divui %138, %c8_74 : index
// CHECK-NEXT:         %c8_75 = arith.constant 8 : index
// CHECK-NEXT:         %144 = arith.remui %138, %c8_75 : index
// CHECK-NEXT:         %145 = arith.xori %143, %142 : index
// CHECK-NEXT:         %c8_76 = arith.constant 8 : index
// CHECK-NEXT:         %146 = arith.muli %145, %c8_76 : index
// CHECK-NEXT:         %147 = arith.addi %146, %144 : index
// CHECK-NEXT:         %148 = nvgpu.ldmatrix %arg16[%140, %147] {numTiles = 4 : i32, transpose = true} : memref<32x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %cst_77 = arith.constant dense<0.000000e+00> : vector<2x2xf16>
// CHECK-NEXT:         %149 = vector.extract %148[0] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %150 = vector.insert %149, %cst_77 [0] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %151 = vector.extract %148[1] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %152 = vector.insert %151, %150 [1] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %cst_78 = arith.constant dense<0.000000e+00> : vector<2x2xf16>
// CHECK-NEXT:         %153 = vector.extract %148[2] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %154 = vector.insert %153, %cst_78 [0] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %155 = vector.extract %148[3] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %156 = vector.insert %155, %154 [1] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %157 = nvgpu.mma.sync(%133, %152, %arg18) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         %158 = nvgpu.mma.sync(%133, %156, %arg19) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         %c8_79 = arith.constant 8 : index
// CHECK-NEXT:         %159 = arith.remui %2, %c8_79 : index
// CHECK-NEXT:         %c8_80 = arith.constant 8 : index
// CHECK-NEXT:         %160 = arith.divui %2, %c8_80 : index
// CHECK-NEXT:         %c2_81 = arith.constant 2 : index
// CHECK-NEXT:         %161 = arith.remui %160, %c2_81 : index
// CHECK-NEXT:         %c2_82 = arith.constant 2 : index
// CHECK-NEXT:         %162 = arith.divui %160, %c2_82 : index
// CHECK-NEXT:         %c8_83 = arith.constant 8 : index
// CHECK-NEXT:         %163 = arith.muli %161, %c8_83 : index
// CHECK-NEXT:         %c8_84 = arith.constant 8 : index
// CHECK-NEXT:         %164 = arith.muli %162, %c8_84 : index
// CHECK-NEXT:         %165 = arith.addi %163, %159 : index
// CHECK-NEXT:         %166 = arith.addi %6, %165 : index
// CHECK-NEXT:         %c16_85 = arith.constant 16 : index
// CHECK-NEXT:         %167 = arith.addi %164, %c16_85 : index
// CHECK-NEXT:         %c2_86 = arith.constant 2 : index
// CHECK-NEXT:         %168 = arith.divui %166, %c2_86 : index
// CHECK-NEXT:         %c4_87 = arith.constant 4 : index
// CHECK-NEXT:         %169 = arith.remui %168, %c4_87 : index
// CHECK-NEXT:         %c8_88 = arith.constant 8 : index
// CHECK-NEXT:         %170 = arith.divui %167, %c8_88 : index
// CHECK-NEXT:         %c8_89 = arith.constant 8 : index
// CHECK-NEXT:         %171 = arith.remui %167, %c8_89 : index
// CHECK-NEXT:         %172 = arith.xori %170, %169 : index
// CHECK-NEXT:         %c8_90 = arith.constant 8 : index
// CHECK-NEXT:         %173 = arith.muli %172, %c8_90 : index
// CHECK-NEXT:         %174 = arith.addi %173, %171 : index
// CHECK-NEXT:         %175 = nvgpu.ldmatrix %arg15[%166, %174] {numTiles = 4 : i32, transpose = false} : memref<16x32xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %c8_91 = arith.constant 8 : index
// CHECK-NEXT:         %176 = arith.remui %2, %c8_91 : index
// CHECK-NEXT:         %c8_92 = arith.constant 8 : index
// CHECK-NEXT:         %177 = arith.divui %2, %c8_92 : index
// CHECK-NEXT:         %c2_93 = arith.constant 2 : index
// CHECK-NEXT:         %178 = arith.remui %177, %c2_93 : index
// CHECK-NEXT:         %c2_94 = arith.constant 2 : index
// CHECK-NEXT:         %179 = arith.divui %177, %c2_94 : index
// CHECK-NEXT:         %c8_95 = arith.constant 8 : index
// CHECK-NEXT:         %180 = arith.muli %179, %c8_95 : index
// CHECK-NEXT:         %c8_96 = arith.constant 8 : index
// CHECK-NEXT:         %181 = arith.muli %178, %c8_96 : index
// CHECK-NEXT:         %182 = arith.addi %181, %176 : index
// CHECK-NEXT:         %c16_97 = arith.constant 16 : index
// CHECK-NEXT:         %183 = arith.addi %182, %c16_97 : index
// CHECK-NEXT:         %c4_98 = arith.constant 4 : index
// CHECK-NEXT:         %184 = arith.divui %183, %c4_98 : index
// CHECK-NEXT:         %c2_99 = arith.constant 2 : index
// CHECK-NEXT:         %185 = arith.remui %184, %c2_99 : index
// CHECK-NEXT:         %c8_100 = arith.constant 8 : index
// CHECK-NEXT:         %186 = arith.divui %180, %c8_100 : index
// CHECK-NEXT:         %c8_101 = arith.constant 8 : index
// CHECK-NEXT:         %187 = arith.remui %180, %c8_101 : index
// CHECK-NEXT:         %188 = arith.xori %186, %185 : index
// CHECK-NEXT:         %c8_102 = arith.constant 8 : index
// CHECK-NEXT:         %189 = arith.muli %188, %c8_102 : index
// CHECK-NEXT:         %190 = arith.addi %189, %187 : index
// CHECK-NEXT:         %191 = nvgpu.ldmatrix %arg16[%183, %190] {numTiles = 4 : i32, transpose = true} : memref<32x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK-NEXT:         %cst_103 = arith.constant dense<0.000000e+00> : vector<2x2xf16>
// CHECK-NEXT:         %192 = vector.extract %191[0] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %193 = vector.insert %192, %cst_103 [0] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %194 = vector.extract %191[1] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %195 = vector.insert %194, %193 [1] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %cst_104 = arith.constant dense<0.000000e+00> : vector<2x2xf16>
// CHECK-NEXT:         %196 = vector.extract %191[2] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %197 = vector.insert %196, %cst_104 [0] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %198 = vector.extract %191[3] : vector<2xf16> from vector<4x2xf16>
// CHECK-NEXT:         %199 = vector.insert %198, %197 [1] : vector<2xf16> into vector<2x2xf16>
// CHECK-NEXT:         %200 = nvgpu.mma.sync(%175, %195, %157) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         %201 = nvgpu.mma.sync(%175, %199, %158) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NEXT:         gpu.barrier
// CHECK-NEXT:         scf.yield %200, %201 : vector<2x2xf32>, vector<2x2xf32>
// CHECK-NEXT:       } {llvm.loop_annotation = #loop_annotation, xgpu.circular_buffer = {mode = "auto", prefetch = -1 : i64, stages = 2 : i64}}
// CHECK-NEXT:       %8 = arith.addi %6, %4 : index
// CHECK-NEXT:       %c2 = arith.constant 2 : index
// CHECK-NEXT:       %9 = arith.muli %5, %c2 : index
// CHECK-NEXT:       %10 = arith.addi %1, %8 : index
// CHECK-NEXT:       %11 = arith.addi %0, %9 : index
// CHECK-NEXT:       %12 = vector.extract %7#0[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %13 = memref.load %arg2[%10, %11] : memref<128x128xf32>
// CHECK-NEXT:       %14 = arith.addf %13, %12 : f32
// CHECK-NEXT:       memref.store %14, %arg2[%10, %11] : memref<128x128xf32>
// CHECK-NEXT:       %15 = arith.addi %1, %8 : index
// CHECK-NEXT:       %c1_9 = arith.constant 1 : index
// CHECK-NEXT:       %16 = arith.addi %9, %c1_9 : index
// CHECK-NEXT:       %17 = arith.addi %0, %16 : index
// CHECK-NEXT:       %18 = vector.extract %7#0[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %19 = memref.load %arg2[%15, %17] : memref<128x128xf32>
// CHECK-NEXT:       %20 = arith.addf %19, %18 : f32
// CHECK-NEXT:       memref.store %20, %arg2[%15, %17] : memref<128x128xf32>
// CHECK-NEXT:       %c8_10 = arith.constant 8 : index
// CHECK-NEXT:       %21 = arith.addi %8, %c8_10 : index
// CHECK-NEXT:       %22 = arith.addi %1, %21 : index
// CHECK-NEXT:       %23 = arith.addi %0, %9 : index
// CHECK-NEXT:       %24 = vector.extract %7#0[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %25 = memref.load %arg2[%22, %23] : memref<128x128xf32>
// CHECK-NEXT:       %26 = arith.addf %25, %24 : f32
// CHECK-NEXT:       memref.store %26, %arg2[%22, %23] : memref<128x128xf32>
// CHECK-NEXT:       %c8_11 = arith.constant 8 : index
// CHECK-NEXT:       %27 = arith.addi %8, %c8_11 : index
// CHECK-NEXT:       %28 = arith.addi %1, %27 : index
// CHECK-NEXT:       %c1_12 = arith.constant 1 : index
// CHECK-NEXT:       %29 = arith.addi %9, %c1_12 : index
// CHECK-NEXT:       %30 = arith.addi %0, %29 : index
// CHECK-NEXT:       %31 = vector.extract %7#0[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %32 = memref.load %arg2[%28, %30] : memref<128x128xf32>
// CHECK-NEXT:       %33 = arith.addf %32, %31 : f32
// CHECK-NEXT:       memref.store %33, %arg2[%28, %30] : memref<128x128xf32>
// CHECK-NEXT:       %34 = arith.addi %6, %4 : index
// CHECK-NEXT:       %c2_13 = arith.constant 2 : index
// CHECK-NEXT:       %35 = arith.muli %5, %c2_13 : index
// CHECK-NEXT:       %c8_14 = arith.constant 8 : index
// CHECK-NEXT:       %36 = arith.addi %35, %c8_14 : index
// CHECK-NEXT:       %37 = arith.addi %1, %34 : index
// CHECK-NEXT:       %38 = arith.addi %0, %36 : index
// CHECK-NEXT:       %39 = vector.extract %7#1[0, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %40 = memref.load %arg2[%37, %38] : memref<128x128xf32>
// CHECK-NEXT:       %41 = arith.addf %40, %39 : f32
// CHECK-NEXT:       memref.store %41, %arg2[%37, %38] : memref<128x128xf32>
// CHECK-NEXT:       %42 = arith.addi %1, %34 : index
// CHECK-NEXT:       %c1_15 = arith.constant 1 : index
// CHECK-NEXT:       %43 = arith.addi %36, %c1_15 : index
// CHECK-NEXT:       %44 = arith.addi %0, %43 : index
// CHECK-NEXT:       %45 = vector.extract %7#1[0, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %46 = memref.load %arg2[%42, %44] : memref<128x128xf32>
// CHECK-NEXT:       %47 = arith.addf %46, %45 : f32
// CHECK-NEXT:       memref.store %47, %arg2[%42, %44] : memref<128x128xf32>
// CHECK-NEXT:       %c8_16 = arith.constant 8 : index
// CHECK-NEXT:       %48 = arith.addi %34, %c8_16 : index
// CHECK-NEXT:       %49 = arith.addi %1, %48 : index
// CHECK-NEXT:       %50 = arith.addi %0, %36 : index
// CHECK-NEXT:       %51 = vector.extract %7#1[1, 0] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %52 = memref.load %arg2[%49, %50] : memref<128x128xf32>
// CHECK-NEXT:       %53 = arith.addf %52, %51 : f32
// CHECK-NEXT:       memref.store %53, %arg2[%49, %50] : memref<128x128xf32>
// CHECK-NEXT:       %c8_17 = arith.constant 8 : index
// CHECK-NEXT:       %54 = arith.addi %34, %c8_17 : index
// CHECK-NEXT:       %55 = arith.addi %1, %54 : index
// CHECK-NEXT:       %c1_18 = arith.constant 1 : index
// CHECK-NEXT:       %56 = arith.addi %36, %c1_18 : index
// CHECK-NEXT:       %57 = arith.addi %0, %56 : index
// CHECK-NEXT:       %58 = vector.extract %7#1[1, 1] : f32 from vector<2x2xf32>
// CHECK-NEXT:       %59 = memref.load %arg2[%55, %57] : memref<128x128xf32>
// CHECK-NEXT:       %60 = arith.addf %59, %58 : f32
// CHECK-NEXT:       memref.store %60, %arg2[%55, %57] : memref<128x128xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {xgpu.own}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%a: memref<128x64xf16>, %b: memref<64x128xf16>, %c: memref<128x128xf32>) {
  linalg.matmul ins(%a, %b : memref<128x64xf16>, memref<64x128xf16>) outs(%c : memref<128x128xf32>)
  return
}
