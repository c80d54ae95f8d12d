// RUN: xgpu-opt --gpu-vectorize-copies --canonicalize --cse %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --gpu-vectorize-copies="bytes=8" --canonicalize %s | filecheck %s --check-prefix=EIGHT
// RUN: xgpu-opt --gpu-vectorize-copies="bytes=0" %s | filecheck %s --check-prefix=NONE


#map = affine_map<(d0)[s0] -> (d0 * 16 + s0)>

// What is known needs no question; the tile has the buffer's layout.
// CHECK: #map = affine_map<()[s0, s1] -> (s0 + s1 * 16)>
// CHECK-NEXT: #map1 = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @known(%arg0: index) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<64x32xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c2, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       scf.forall (%arg14, %arg15) in (64, 4) {
// CHECK-NEXT:         %0 = arith.muli %arg15, %c4 : index
// CHECK-NEXT:         %1 = affine.apply #map()[%0, %arg1]
// CHECK-NEXT:         %2 = vector.load %memref[%arg14, %1] {alignment = 16 : i64} : memref<64x32xf32>, vector<4xf32>
// CHECK-NEXT:         vector.store %2, %arg13[%arg14, %0] {alignment = 16 : i64} : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 16 : i64}]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EIGHT: #map = affine_map<()[s0, s1] -> (s0 + s1 * 16)>
// EIGHT-NEXT: #map1 = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// EIGHT-NEXT: module {
// EIGHT-NEXT:   func.func @known(%arg0: index) {
// EIGHT-NEXT:     %c1 = arith.constant 1 : index
// EIGHT-NEXT:     %c2 = arith.constant 2 : index
// EIGHT-NEXT:     %c64 = arith.constant 64 : index
// EIGHT-NEXT:     %memref = gpu.alloc  () : memref<64x32xf32>
// EIGHT-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c2, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// EIGHT-NEXT:       scf.forall (%arg14, %arg15) in (64, 8) {
// EIGHT-NEXT:         %0 = arith.muli %arg15, %c2 : index
// EIGHT-NEXT:         %1 = affine.apply #map()[%0, %arg1]
// EIGHT-NEXT:         %2 = vector.load %memref[%arg14, %1] {alignment = 8 : i64} : memref<64x32xf32>, vector<2xf32>
// EIGHT-NEXT:         vector.store %2, %arg13[%arg14, %0] {alignment = 8 : i64} : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<2xf32>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       gpu.terminator
// EIGHT-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 8 : i64}]}
// EIGHT-NEXT:     return
// EIGHT-NEXT:   }
// NONE: #map = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// NONE-NEXT: module {
// NONE-NEXT:   func.func @known(%arg0: index) {
// NONE-NEXT:     %c1 = arith.constant 1 : index
// NONE-NEXT:     %c2 = arith.constant 2 : index
// NONE-NEXT:     %c64 = arith.constant 64 : index
// NONE-NEXT:     %memref = gpu.alloc  () : memref<64x32xf32>
// NONE-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c2, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// NONE-NEXT:       scf.forall (%arg14, %arg15) in (64, 16) {
// NONE-NEXT:         %0 = affine.apply #map(%arg1)[%arg15]
// NONE-NEXT:         %1 = memref.load %memref[%arg14, %0] : memref<64x32xf32>
// NONE-NEXT:         memref.store %1, %arg13[%arg14, %arg15] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       gpu.terminator
// NONE-NEXT:     }
// NONE-NEXT:     return
// NONE-NEXT:   }
func.func @known(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %a = gpu.alloc () : memref<64x32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%tile: memref<64x16xf32, #gpu.address_space<workgroup>>) {
    scf.forall (%i, %j) in (64, 16) {
      %column = affine.apply #map(%bx)[%j]
      %0 = memref.load %a[%i, %column] : memref<64x32xf32>
      memref.store %0, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}

// Address, stride and size are looked at before the loop; the tile is transposed.
// CHECK-NEXT:   func.func @asked(%arg0: memref<?x?xf32, strided<[?, 1], offset: ?>>, %arg1: index, %arg2: index) {
// CHECK-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<16x64xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT:       %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> -> index
// CHECK-NEXT:       %0 = arith.muli %offset, %c4 : index
// CHECK-NEXT:       %1 = arith.addi %intptr, %0 : index
// CHECK-NEXT:       %2 = arith.remui %arg2, %c4 : index
// CHECK-NEXT:       %3 = arith.cmpi eq, %2, %c0 : index
// CHECK-NEXT:       %4 = arith.remui %strides#0, %c4 : index
// CHECK-NEXT:       %5 = arith.cmpi eq, %4, %c0 : index
// CHECK-NEXT:       %6 = arith.andi %3, %5 : i1
// CHECK-NEXT:       %7 = arith.remui %1, %c16 : index
// CHECK-NEXT:       %8 = arith.cmpi eq, %7, %c0 : index
// CHECK-NEXT:       %9 = arith.andi %6, %8 : i1
// CHECK-NEXT:       scf.for %arg16 = %c0 to %arg1 step %c1 {
// CHECK-NEXT:         scf.if %9 {
// CHECK-NEXT:           scf.forall (%arg17, %arg18) in (64, 4) {
// CHECK-NEXT:             %10 = arith.muli %arg18, %c4 : index
// CHECK-NEXT:             %11 = affine.apply #map1(%arg16)[%10]
// CHECK-NEXT:             %12 = arith.cmpi ult, %arg17, %arg1 : index
// CHECK-NEXT:             %13 = arith.cmpi ult, %11, %arg2 : index
// CHECK-NEXT:             %14 = arith.andi %12, %13 : i1
// CHECK-NEXT:             %15 = scf.if %14 -> (vector<4xf32>) {
// CHECK-NEXT:               %23 = vector.load %arg0[%arg17, %11] {alignment = 16 : i64} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
// CHECK-NEXT:               scf.yield %23 : vector<4xf32>
// CHECK-NEXT:             } else {
// CHECK-NEXT:               scf.yield %cst : vector<4xf32>
// CHECK-NEXT:             }
// CHECK-NEXT:             %16 = vector.extract %15[0] : f32 from vector<4xf32>
// CHECK-NEXT:             memref.store %16, %arg15[%10, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %17 = vector.extract %15[1] : f32 from vector<4xf32>
// CHECK-NEXT:             %18 = arith.addi %10, %c1 : index
// CHECK-NEXT:             memref.store %17, %arg15[%18, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %19 = vector.extract %15[2] : f32 from vector<4xf32>
// CHECK-NEXT:             %20 = arith.addi %10, %c2 : index
// CHECK-NEXT:             memref.store %19, %arg15[%20, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:             %21 = vector.extract %15[3] : f32 from vector<4xf32>
// CHECK-NEXT:             %22 = arith.addi %10, %c3 : index
// CHECK-NEXT:             memref.store %21, %arg15[%22, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         } else {
// CHECK-NEXT:           scf.forall (%arg17, %arg18) in (64, 16) {
// CHECK-NEXT:             %10 = affine.apply #map1(%arg16)[%arg18]
// CHECK-NEXT:             %11 = arith.cmpi ult, %arg17, %arg1 : index
// CHECK-NEXT:             %12 = arith.cmpi ult, %10, %arg2 : index
// CHECK-NEXT:             %13 = arith.andi %11, %12 : i1
// CHECK-NEXT:             %14 = scf.if %13 -> (f32) {
// CHECK-NEXT:               %15 = memref.load %arg0[%arg17, %10] : memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:               scf.yield %15 : f32
// CHECK-NEXT:             } else {
// CHECK-NEXT:               scf.yield %cst_0 : f32
// CHECK-NEXT:             }
// CHECK-NEXT:             memref.store %14, %arg15[%arg18, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EIGHT-NEXT:   func.func @asked(%arg0: memref<?x?xf32, strided<[?, 1], offset: ?>>, %arg1: index, %arg2: index) {
// EIGHT-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
// EIGHT-NEXT:     %c8 = arith.constant 8 : index
// EIGHT-NEXT:     %c2 = arith.constant 2 : index
// EIGHT-NEXT:     %c4 = arith.constant 4 : index
// EIGHT-NEXT:     %c0 = arith.constant 0 : index
// EIGHT-NEXT:     %c1 = arith.constant 1 : index
// EIGHT-NEXT:     %c64 = arith.constant 64 : index
// EIGHT-NEXT:     %cst_0 = arith.constant 0.000000e+00 : f32
// EIGHT-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<16x64xf32, #gpu.address_space<workgroup>>) {
// EIGHT-NEXT:       %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
// EIGHT-NEXT:       %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>> -> index
// EIGHT-NEXT:       %0 = arith.muli %offset, %c4 : index
// EIGHT-NEXT:       %1 = arith.addi %intptr, %0 : index
// EIGHT-NEXT:       %2 = arith.remui %arg2, %c2 : index
// EIGHT-NEXT:       %3 = arith.cmpi eq, %2, %c0 : index
// EIGHT-NEXT:       %4 = arith.remui %strides#0, %c2 : index
// EIGHT-NEXT:       %5 = arith.cmpi eq, %4, %c0 : index
// EIGHT-NEXT:       %6 = arith.andi %3, %5 : i1
// EIGHT-NEXT:       %7 = arith.remui %1, %c8 : index
// EIGHT-NEXT:       %8 = arith.cmpi eq, %7, %c0 : index
// EIGHT-NEXT:       %9 = arith.andi %6, %8 : i1
// EIGHT-NEXT:       scf.for %arg16 = %c0 to %arg1 step %c1 {
// EIGHT-NEXT:         scf.if %9 {
// EIGHT-NEXT:           scf.forall (%arg17, %arg18) in (64, 8) {
// EIGHT-NEXT:             %10 = arith.muli %arg18, %c2 : index
// EIGHT-NEXT:             %11 = affine.apply #map1(%arg16)[%10]
// EIGHT-NEXT:             %12 = arith.cmpi ult, %arg17, %arg1 : index
// EIGHT-NEXT:             %13 = arith.cmpi ult, %11, %arg2 : index
// EIGHT-NEXT:             %14 = arith.andi %12, %13 : i1
// EIGHT-NEXT:             %15 = scf.if %14 -> (vector<2xf32>) {
// EIGHT-NEXT:               %19 = vector.load %arg0[%arg17, %11] {alignment = 8 : i64} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<2xf32>
// EIGHT-NEXT:               scf.yield %19 : vector<2xf32>
// EIGHT-NEXT:             } else {
// EIGHT-NEXT:               scf.yield %cst : vector<2xf32>
// EIGHT-NEXT:             }
// EIGHT-NEXT:             %16 = vector.extract %15[0] : f32 from vector<2xf32>
// EIGHT-NEXT:             memref.store %16, %arg15[%10, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:             %17 = vector.extract %15[1] : f32 from vector<2xf32>
// EIGHT-NEXT:             %18 = arith.addi %10, %c1 : index
// EIGHT-NEXT:             memref.store %17, %arg15[%18, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:         } else {
// EIGHT-NEXT:           scf.forall (%arg17, %arg18) in (64, 16) {
// EIGHT-NEXT:             %10 = affine.apply #map1(%arg16)[%arg18]
// EIGHT-NEXT:             %11 = arith.cmpi ult, %arg17, %arg1 : index
// EIGHT-NEXT:             %12 = arith.cmpi ult, %10, %arg2 : index
// EIGHT-NEXT:             %13 = arith.andi %11, %12 : i1
// EIGHT-NEXT:             %14 = scf.if %13 -> (f32) {
// EIGHT-NEXT:               %15 = memref.load %arg0[%arg17, %10] : memref<?x?xf32, strided<[?, 1], offset: ?>>
// EIGHT-NEXT:               scf.yield %15 : f32
// EIGHT-NEXT:             } else {
// EIGHT-NEXT:               scf.yield %cst_0 : f32
// EIGHT-NEXT:             }
// EIGHT-NEXT:             memref.store %14, %arg15[%arg18, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:           } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:         }
// EIGHT-NEXT:       }
// EIGHT-NEXT:       gpu.terminator
// EIGHT-NEXT:     }
// EIGHT-NEXT:     return
// EIGHT-NEXT:   }
// NONE-NEXT:   func.func @asked(%arg0: memref<?x?xf32, strided<[?, 1], offset: ?>>, %arg1: index, %arg2: index) {
// NONE-NEXT:     %c0 = arith.constant 0 : index
// NONE-NEXT:     %c1 = arith.constant 1 : index
// NONE-NEXT:     %c64 = arith.constant 64 : index
// NONE-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// NONE-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<16x64xf32, #gpu.address_space<workgroup>>) {
// NONE-NEXT:       scf.for %arg16 = %c0 to %arg1 step %c1 {
// NONE-NEXT:         scf.forall (%arg17, %arg18) in (64, 16) {
// NONE-NEXT:           %0 = affine.apply #map(%arg16)[%arg18]
// NONE-NEXT:           %1 = arith.cmpi ult, %arg17, %arg1 : index
// NONE-NEXT:           %2 = arith.cmpi ult, %0, %arg2 : index
// NONE-NEXT:           %3 = arith.andi %1, %2 : i1
// NONE-NEXT:           %4 = scf.if %3 -> (f32) {
// NONE-NEXT:             %5 = memref.load %arg0[%arg17, %0] : memref<?x?xf32, strided<[?, 1], offset: ?>>
// NONE-NEXT:             scf.yield %5 : f32
// NONE-NEXT:           } else {
// NONE-NEXT:             scf.yield %cst : f32
// NONE-NEXT:           }
// NONE-NEXT:           memref.store %4, %arg15[%arg18, %arg17] : memref<16x64xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:         } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       }
// NONE-NEXT:       gpu.terminator
// NONE-NEXT:     }
// NONE-NEXT:     return
// NONE-NEXT:   }
func.func @asked(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%tile: memref<16x64xf32, #gpu.address_space<workgroup>>) {
    scf.for %k = %c0 to %rows step %c1 {
      scf.forall (%i, %j) in (64, 16) {
        %column = affine.apply #map(%k)[%j]
        %row = arith.cmpi ult, %i, %rows : index
        %inside = arith.cmpi ult, %column, %columns : index
        %both = arith.andi %row, %inside : i1
        %0 = scf.if %both -> f32 {
          %1 = memref.load %a[%i, %column] : memref<?x?xf32, strided<[?, 1], offset: ?>>
          scf.yield %1 : f32
        } else {
          scf.yield %zero : f32
        }
        memref.store %0, %tile[%j, %i] : memref<16x64xf32, #gpu.address_space<workgroup>>
      } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    }
    gpu.terminator
  }
  return
}

// Rows of 6: vectors of 2 at most.
// CHECK-NEXT:   func.func @halves(%arg0: memref<64x6xf16>) {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %assume_align = memref.assume_alignment %arg0, 8 : memref<64x6xf16>
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x6xf16, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       scf.forall (%arg14, %arg15) in (64, 3) {
// CHECK-NEXT:         %0 = arith.muli %arg15, %c2 : index
// CHECK-NEXT:         %1 = vector.load %assume_align[%arg14, %0] {alignment = 4 : i64} : memref<64x6xf16>, vector<2xf16>
// CHECK-NEXT:         vector.store %1, %arg13[%arg14, %0] {alignment = 4 : i64} : memref<64x6xf16, #gpu.address_space<workgroup>>, vector<2xf16>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 4 : i64}]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// EIGHT-NEXT:   func.func @halves(%arg0: memref<64x6xf16>) {
// EIGHT-NEXT:     %c2 = arith.constant 2 : index
// EIGHT-NEXT:     %c1 = arith.constant 1 : index
// EIGHT-NEXT:     %c64 = arith.constant 64 : index
// EIGHT-NEXT:     %assume_align = memref.assume_alignment %arg0, 8 : memref<64x6xf16>
// EIGHT-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x6xf16, #gpu.address_space<workgroup>>) {
// EIGHT-NEXT:       scf.forall (%arg14, %arg15) in (64, 3) {
// EIGHT-NEXT:         %0 = arith.muli %arg15, %c2 : index
// EIGHT-NEXT:         %1 = vector.load %assume_align[%arg14, %0] {alignment = 4 : i64} : memref<64x6xf16>, vector<2xf16>
// EIGHT-NEXT:         vector.store %1, %arg13[%arg14, %0] {alignment = 4 : i64} : memref<64x6xf16, #gpu.address_space<workgroup>>, vector<2xf16>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       gpu.terminator
// EIGHT-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 4 : i64}]}
// EIGHT-NEXT:     return
// EIGHT-NEXT:   }
// NONE-NEXT:   func.func @halves(%arg0: memref<64x6xf16>) {
// NONE-NEXT:     %c1 = arith.constant 1 : index
// NONE-NEXT:     %c64 = arith.constant 64 : index
// NONE-NEXT:     %assume_align = memref.assume_alignment %arg0, 8 : memref<64x6xf16>
// NONE-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c64, %arg11 = %c1, %arg12 = %c1) workgroup(%arg13 : memref<64x6xf16, #gpu.address_space<workgroup>>) {
// NONE-NEXT:       scf.forall (%arg14, %arg15) in (64, 6) {
// NONE-NEXT:         %0 = memref.load %assume_align[%arg14, %arg15] : memref<64x6xf16>
// NONE-NEXT:         memref.store %0, %arg13[%arg14, %arg15] : memref<64x6xf16, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       gpu.terminator
// NONE-NEXT:     }
// NONE-NEXT:     return
// NONE-NEXT:   }
func.func @halves(%a: memref<64x6xf16>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %aligned = memref.assume_alignment %a, 8 : memref<64x6xf16>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%tile: memref<64x6xf16, #gpu.address_space<workgroup>>) {
    scf.forall (%i, %j) in (64, 6) {
      %0 = memref.load %aligned[%i, %j] : memref<64x6xf16>
      memref.store %0, %tile[%i, %j] : memref<64x6xf16, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}

// Odd rows, an index that does not begin at a multiple, neighbours in another dimension, another
// mapping, what is computed on the way: nothing is done.
// CHECK-NEXT:   func.func @left(%arg0: memref<64x33xf32>, %arg1: memref<64x64xf32>, %arg2: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// CHECK-NEXT:         %0 = memref.load %arg0[%arg16, %arg17] : memref<64x33xf32>
// CHECK-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// CHECK-NEXT:         %0 = arith.addi %arg2, %arg17 : index
// CHECK-NEXT:         %1 = memref.load %arg1[%arg16, %0] : memref<64x64xf32>
// CHECK-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       scf.forall (%arg16, %arg17) in (16, 64) {
// CHECK-NEXT:         %0 = memref.load %arg1[%arg17, %arg16] : memref<64x64xf32>
// CHECK-NEXT:         memref.store %0, %arg15[%arg17, %arg16] : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// CHECK-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// CHECK-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
// CHECK-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// CHECK-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// CHECK-NEXT:         %1 = arith.addf %0, %0 : f32
// CHECK-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// EIGHT-NEXT:   func.func @left(%arg0: memref<64x33xf32>, %arg1: memref<64x64xf32>, %arg2: index) {
// EIGHT-NEXT:     %c1 = arith.constant 1 : index
// EIGHT-NEXT:     %c64 = arith.constant 64 : index
// EIGHT-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// EIGHT-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// EIGHT-NEXT:         %0 = memref.load %arg0[%arg16, %arg17] : memref<64x33xf32>
// EIGHT-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// EIGHT-NEXT:         %0 = arith.addi %arg2, %arg17 : index
// EIGHT-NEXT:         %1 = memref.load %arg1[%arg16, %0] : memref<64x64xf32>
// EIGHT-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       scf.forall (%arg16, %arg17) in (16, 64) {
// EIGHT-NEXT:         %0 = memref.load %arg1[%arg17, %arg16] : memref<64x64xf32>
// EIGHT-NEXT:         memref.store %0, %arg15[%arg17, %arg16] : memref<64x16xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// EIGHT-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// EIGHT-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
// EIGHT-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// EIGHT-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// EIGHT-NEXT:         %1 = arith.addf %0, %0 : f32
// EIGHT-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// EIGHT-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// EIGHT-NEXT:       gpu.terminator
// EIGHT-NEXT:     }
// EIGHT-NEXT:     return
// EIGHT-NEXT:   }
// EIGHT-NEXT: }
// NONE-NEXT:   func.func @left(%arg0: memref<64x33xf32>, %arg1: memref<64x64xf32>, %arg2: index) {
// NONE-NEXT:     %c1 = arith.constant 1 : index
// NONE-NEXT:     %c64 = arith.constant 64 : index
// NONE-NEXT:     gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c1, %arg10 = %c1, %arg11 = %c1) threads(%arg6, %arg7, %arg8) in (%arg12 = %c64, %arg13 = %c1, %arg14 = %c1) workgroup(%arg15 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// NONE-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// NONE-NEXT:         %0 = memref.load %arg0[%arg16, %arg17] : memref<64x33xf32>
// NONE-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// NONE-NEXT:         %0 = arith.addi %arg2, %arg17 : index
// NONE-NEXT:         %1 = memref.load %arg1[%arg16, %0] : memref<64x64xf32>
// NONE-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       scf.forall (%arg16, %arg17) in (16, 64) {
// NONE-NEXT:         %0 = memref.load %arg1[%arg17, %arg16] : memref<64x64xf32>
// NONE-NEXT:         memref.store %0, %arg15[%arg17, %arg16] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// NONE-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// NONE-NEXT:         memref.store %0, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
// NONE-NEXT:       scf.forall (%arg16, %arg17) in (64, 16) {
// NONE-NEXT:         %0 = memref.load %arg1[%arg16, %arg17] : memref<64x64xf32>
// NONE-NEXT:         %1 = arith.addf %0, %0 : f32
// NONE-NEXT:         memref.store %1, %arg15[%arg16, %arg17] : memref<64x16xf32, #gpu.address_space<workgroup>>
// NONE-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// NONE-NEXT:       gpu.terminator
// NONE-NEXT:     }
// NONE-NEXT:     return
// NONE-NEXT:   }
// NONE-NEXT: }
func.func @left(%odd: memref<64x33xf32>, %a: memref<64x64xf32>, %at: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%tile: memref<64x16xf32, #gpu.address_space<workgroup>>) {
    scf.forall (%i, %j) in (64, 16) {
      %0 = memref.load %odd[%i, %j] : memref<64x33xf32>
      memref.store %0, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall (%i, %j) in (64, 16) {
      %column = arith.addi %at, %j : index
      %0 = memref.load %a[%i, %column] : memref<64x64xf32>
      memref.store %0, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall (%i, %j) in (16, 64) {
      %0 = memref.load %a[%j, %i] : memref<64x64xf32>
      memref.store %0, %tile[%j, %i] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    scf.forall (%i, %j) in (64, 16) {
      %0 = memref.load %a[%i, %j] : memref<64x64xf32>
      memref.store %0, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%i, %j) in (64, 16) {
      %0 = memref.load %a[%i, %j] : memref<64x64xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}
