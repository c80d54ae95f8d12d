// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Attributes and types with parameters.

// CHECK: module {
// CHECK-NEXT:   func.func private @mappings() attributes {test.attrs = [#gpu.block<x>, #gpu.block<linear_dim_0>, #gpu.thread<y>, #gpu.thread<linear_dim_9>, #gpu.warp<z>, #gpu.warpgroup<linear_dim_1>, #gpu.lane<linear_dim_2>, #gpu.mask<255>, #gpu.mask<16>, #gpu.memory_space<global>, #gpu.memory_space<workgroup>, #gpu.memory_space<private>, #gpu.address_space<global>]}
func.func private @mappings() attributes {test.attrs = [#gpu.block<x>, #gpu.block<linear_dim_0>, #gpu.thread<y>, #gpu.thread<linear_dim_9>, #gpu.warp<z>, #gpu.warpgroup<linear_dim_1>, #gpu.lane<linear_dim_2>, #gpu.mask<255>, #gpu.mask<0x10>, #gpu.memory_space<global>, #gpu.memory_space<workgroup>, #gpu.memory_space<private>, #gpu.address_space<global>]}

// CHECK-NEXT:   func.func private @loop_mappings() attributes {test.attrs = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = thread_z, map = (d0) -> (d0 + 1), bound = (d0) -> (d0 * 2)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
func.func private @loop_mappings() attributes {test.attrs = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = thread_z, map = (d0) -> (d0 + 1), bound = (d0) -> (d0 * 2)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}

// CHECK-NEXT:   func.func private @objects() attributes {test.attrs = [#gpu.select_object, #gpu.select_object<0 : i64>, #gpu.select_object<#nvvm.target>, #gpu.object<#nvvm.target, assembly = "a">, #gpu.kernel_table<>, #gpu.kernel_table<[#gpu.kernel_metadata<"a", () -> ()>]>, #gpu.kernel_metadata<"b", (i32, memref<?xf32>) -> (), arg_attrs = [{a = 1 : i32}, {}], metadata = {b}>]}
func.func private @objects() attributes {test.attrs = [#gpu.select_object, #gpu.select_object<0 : i64>, #gpu.select_object<#nvvm.target>, #gpu.object<#nvvm.target, assembly = "a">, #gpu.kernel_table<>, #gpu.kernel_table<[#gpu.kernel_metadata<"a", () -> ()>]>, #gpu.kernel_metadata<"b", (i32, memref<?xf32>) -> (), arg_attrs = [{a = 1 : i32}, {}], metadata = {b}>]}

// CHECK-NEXT:   func.func private @types(!gpu.async.token, !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<8x32xsi8, "BOp">, !gpu.mma_matrix<16x16xi32, "COp">, !gpu.sparse.dntensor_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spgemmop_handle, memref<4xf32, #gpu.address_space<private>>)
// CHECK-NEXT: }
func.func private @types(!gpu.async.token, !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<8x32xsi8, "BOp">, !gpu.mma_matrix<16x16xi32, "COp">, !gpu.sparse.dntensor_handle, !gpu.sparse.spmat_handle, !gpu.sparse.spgemmop_handle, memref<4xf32, #gpu.address_space<private>>)
