// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every case of every enumeration, as an attribute in full.

// CHECK: module {
// CHECK-NEXT:   func.func private @action() attributes {test.cases = [#nvvm<action decrease>, #nvvm<action increase>]}
func.func private @action() attributes {test.cases = [#nvvm<action decrease>, #nvvm<action increase>]}

// CHECK-NEXT:   func.func private @block_scale_format() attributes {test.cases = [#nvvm.block_scale_format<ue8m0>, #nvvm.block_scale_format<ue4m3>]}
func.func private @block_scale_format() attributes {test.cases = [#nvvm.block_scale_format<ue8m0>, #nvvm.block_scale_format<ue4m3>]}

// CHECK-NEXT:   func.func private @block_scale_kind() attributes {test.cases = [#nvvm.block_scale_kind<mxf8f6f4>, #nvvm.block_scale_kind<mxf4>, #nvvm.block_scale_kind<mxf4nvf4>]}
func.func private @block_scale_kind() attributes {test.cases = [#nvvm.block_scale_kind<mxf8f6f4>, #nvvm.block_scale_kind<mxf4>, #nvvm.block_scale_kind<mxf4nvf4>]}

// CHECK-NEXT:   func.func private @cache_eviction_priority() attributes {test.cases = [#nvvm<cache_eviction_priority evict_normal>, #nvvm<cache_eviction_priority evict_first>, #nvvm<cache_eviction_priority evict_last>, #nvvm<cache_eviction_priority evict_unchanged>, #nvvm<cache_eviction_priority no_allocate>]}
func.func private @cache_eviction_priority() attributes {test.cases = [#nvvm<cache_eviction_priority evict_normal>, #nvvm<cache_eviction_priority evict_first>, #nvvm<cache_eviction_priority evict_last>, #nvvm<cache_eviction_priority evict_unchanged>, #nvvm<cache_eviction_priority no_allocate>]}

// CHECK-NEXT:   func.func private @cluster_launch_control_query_type() attributes {test.cases = [#nvvm<cluster_launch_control_query_type is_canceled>, #nvvm<cluster_launch_control_query_type get_first_cta_id_x>, #nvvm<cluster_launch_control_query_type get_first_cta_id_y>, #nvvm<cluster_launch_control_query_type get_first_cta_id_z>]}
func.func private @cluster_launch_control_query_type() attributes {test.cases = [#nvvm<cluster_launch_control_query_type is_canceled>, #nvvm<cluster_launch_control_query_type get_first_cta_id_x>, #nvvm<cluster_launch_control_query_type get_first_cta_id_y>, #nvvm<cluster_launch_control_query_type get_first_cta_id_z>]}

// CHECK-NEXT:   func.func private @cta_group() attributes {test.cases = [#nvvm.cta_group<cta_1>, #nvvm.cta_group<cta_2>]}
func.func private @cta_group() attributes {test.cases = [#nvvm.cta_group<cta_1>, #nvvm.cta_group<cta_2>]}

// CHECK-NEXT:   func.func private @dot_accumulate_type() attributes {test.cases = [#nvvm.dot_accumulate_type<signed>, #nvvm.dot_accumulate_type<unsigned>]}
func.func private @dot_accumulate_type() attributes {test.cases = [#nvvm.dot_accumulate_type<signed>, #nvvm.dot_accumulate_type<unsigned>]}

// CHECK-NEXT:   func.func private @fp_rnd_mode() attributes {test.cases = [#nvvm.fp_rnd_mode<none>, #nvvm.fp_rnd_mode<rn>, #nvvm.fp_rnd_mode<rm>, #nvvm.fp_rnd_mode<rp>, #nvvm.fp_rnd_mode<rz>, #nvvm.fp_rnd_mode<rna>, #nvvm.fp_rnd_mode<rs>]}
func.func private @fp_rnd_mode() attributes {test.cases = [#nvvm.fp_rnd_mode<none>, #nvvm.fp_rnd_mode<rn>, #nvvm.fp_rnd_mode<rm>, #nvvm.fp_rnd_mode<rp>, #nvvm.fp_rnd_mode<rz>, #nvvm.fp_rnd_mode<rna>, #nvvm.fp_rnd_mode<rs>]}

// CHECK-NEXT:   func.func private @grid_dep_action() attributes {test.cases = [#nvvm<grid_dep_action wait>, #nvvm<grid_dep_action launch_dependents>]}
func.func private @grid_dep_action() attributes {test.cases = [#nvvm<grid_dep_action wait>, #nvvm<grid_dep_action launch_dependents>]}

// CHECK-NEXT:   func.func private @ld_st_matrix_elt_type() attributes {test.cases = [#nvvm.ld_st_matrix_elt_type<b16>, #nvvm.ld_st_matrix_elt_type<b8>, #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>, #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>]}
func.func private @ld_st_matrix_elt_type() attributes {test.cases = [#nvvm.ld_st_matrix_elt_type<b16>, #nvvm.ld_st_matrix_elt_type<b8>, #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>, #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>]}

// CHECK-NEXT:   func.func private @load_cache_modifier() attributes {test.cases = [#nvvm<load_cache_modifier ca>, #nvvm<load_cache_modifier cg>, #nvvm<load_cache_modifier cs>, #nvvm<load_cache_modifier lu>, #nvvm<load_cache_modifier cv>]}
func.func private @load_cache_modifier() attributes {test.cases = [#nvvm<load_cache_modifier ca>, #nvvm<load_cache_modifier cg>, #nvvm<load_cache_modifier cs>, #nvvm<load_cache_modifier lu>, #nvvm<load_cache_modifier cv>]}

// CHECK-NEXT:   func.func private @match_sync_kind() attributes {test.cases = [#nvvm<match_sync_kind any>, #nvvm<match_sync_kind all>]}
func.func private @match_sync_kind() attributes {test.cases = [#nvvm<match_sync_kind any>, #nvvm<match_sync_kind all>]}

// CHECK-NEXT:   func.func private @mem_order() attributes {test.cases = [#nvvm.mem_order<weak>, #nvvm.mem_order<relaxed>, #nvvm.mem_order<acquire>, #nvvm.mem_order<release>, #nvvm.mem_order<acq_rel>, #nvvm.mem_order<sc>, #nvvm.mem_order<mmio>, #nvvm.mem_order<volatile>]}
func.func private @mem_order() attributes {test.cases = [#nvvm.mem_order<weak>, #nvvm.mem_order<relaxed>, #nvvm.mem_order<acquire>, #nvvm.mem_order<release>, #nvvm.mem_order<acq_rel>, #nvvm.mem_order<sc>, #nvvm.mem_order<mmio>, #nvvm.mem_order<volatile>]}

// CHECK-NEXT:   func.func private @mem_scope() attributes {test.cases = [#nvvm.mem_scope<cta>, #nvvm.mem_scope<cluster>, #nvvm.mem_scope<gpu>, #nvvm.mem_scope<sys>]}
func.func private @mem_scope() attributes {test.cases = [#nvvm.mem_scope<cta>, #nvvm.mem_scope<cluster>, #nvvm.mem_scope<gpu>, #nvvm.mem_scope<sys>]}

// CHECK-NEXT:   func.func private @memory_space() attributes {test.cases = [#nvvm.memory_space<generic>, #nvvm.memory_space<global>, #nvvm.memory_space<shared>, #nvvm.memory_space<constant>, #nvvm.memory_space<local>, #nvvm.memory_space<tensor>, #nvvm.memory_space<shared_cluster>]}
func.func private @memory_space() attributes {test.cases = [#nvvm.memory_space<generic>, #nvvm.memory_space<global>, #nvvm.memory_space<shared>, #nvvm.memory_space<constant>, #nvvm.memory_space<local>, #nvvm.memory_space<tensor>, #nvvm.memory_space<shared_cluster>]}

// CHECK-NEXT:   func.func private @mma_b1op() attributes {test.cases = [#nvvm.mma_b1op<none>, #nvvm.mma_b1op<xor_popc>, #nvvm.mma_b1op<and_popc>]}
func.func private @mma_b1op() attributes {test.cases = [#nvvm.mma_b1op<none>, #nvvm.mma_b1op<xor_popc>, #nvvm.mma_b1op<and_popc>]}

// CHECK-NEXT:   func.func private @mma_frag() attributes {test.cases = [#nvvm.mma_frag<a>, #nvvm.mma_frag<b>, #nvvm.mma_frag<c>]}
func.func private @mma_frag() attributes {test.cases = [#nvvm.mma_frag<a>, #nvvm.mma_frag<b>, #nvvm.mma_frag<c>]}

// CHECK-NEXT:   func.func private @mma_int_overflow() attributes {test.cases = [#nvvm.mma_int_overflow<satfinite>, #nvvm.mma_int_overflow<wrapped>]}
func.func private @mma_int_overflow() attributes {test.cases = [#nvvm.mma_int_overflow<satfinite>, #nvvm.mma_int_overflow<wrapped>]}

// CHECK-NEXT:   func.func private @mma_kind() attributes {test.cases = [#nvvm.mma_kind<f8f6f4>]}
func.func private @mma_kind() attributes {test.cases = [#nvvm.mma_kind<f8f6f4>]}

// CHECK-NEXT:   func.func private @mma_layout() attributes {test.cases = [#nvvm.mma_layout<row>, #nvvm.mma_layout<col>]}
func.func private @mma_layout() attributes {test.cases = [#nvvm.mma_layout<row>, #nvvm.mma_layout<col>]}

// CHECK-NEXT:   func.func private @mma_type() attributes {test.cases = [#nvvm.mma_type<f16>, #nvvm.mma_type<f32>, #nvvm.mma_type<tf32>, #nvvm.mma_type<bf16>, #nvvm.mma_type<s8>, #nvvm.mma_type<u8>, #nvvm.mma_type<s32>, #nvvm.mma_type<s4>, #nvvm.mma_type<u4>, #nvvm.mma_type<b1>, #nvvm.mma_type<f64>, #nvvm.mma_type<e4m3>, #nvvm.mma_type<e5m2>, #nvvm.mma_type<e3m2>, #nvvm.mma_type<e2m3>, #nvvm.mma_type<e2m1>]}
func.func private @mma_type() attributes {test.cases = [#nvvm.mma_type<f16>, #nvvm.mma_type<f32>, #nvvm.mma_type<tf32>, #nvvm.mma_type<bf16>, #nvvm.mma_type<s8>, #nvvm.mma_type<u8>, #nvvm.mma_type<s32>, #nvvm.mma_type<s4>, #nvvm.mma_type<u4>, #nvvm.mma_type<b1>, #nvvm.mma_type<f64>, #nvvm.mma_type<e4m3>, #nvvm.mma_type<e5m2>, #nvvm.mma_type<e3m2>, #nvvm.mma_type<e2m3>, #nvvm.mma_type<e2m1>]}

// CHECK-NEXT:   func.func private @permute_mode() attributes {test.cases = [#nvvm.permute_mode<default>, #nvvm.permute_mode<f4e>, #nvvm.permute_mode<b4e>, #nvvm.permute_mode<rc8>, #nvvm.permute_mode<ecl>, #nvvm.permute_mode<ecr>, #nvvm.permute_mode<rc16>]}
func.func private @permute_mode() attributes {test.cases = [#nvvm.permute_mode<default>, #nvvm.permute_mode<f4e>, #nvvm.permute_mode<b4e>, #nvvm.permute_mode<rc8>, #nvvm.permute_mode<ecl>, #nvvm.permute_mode<ecr>, #nvvm.permute_mode<rc16>]}

// CHECK-NEXT:   func.func private @prefetch_cache_level() attributes {test.cases = [#nvvm<prefetch_cache_level L1>, #nvvm<prefetch_cache_level L2>]}
func.func private @prefetch_cache_level() attributes {test.cases = [#nvvm<prefetch_cache_level L1>, #nvvm<prefetch_cache_level L2>]}

// CHECK-NEXT:   func.func private @proxy_kind() attributes {test.cases = [#nvvm.proxy_kind<alias>, #nvvm.proxy_kind<async>, #nvvm.proxy_kind<async.global>, #nvvm.proxy_kind<async.shared>, #nvvm.proxy_kind<tensormap>, #nvvm.proxy_kind<generic>]}
func.func private @proxy_kind() attributes {test.cases = [#nvvm.proxy_kind<alias>, #nvvm.proxy_kind<async>, #nvvm.proxy_kind<async.global>, #nvvm.proxy_kind<async.shared>, #nvvm.proxy_kind<tensormap>, #nvvm.proxy_kind<generic>]}

// CHECK-NEXT:   func.func private @reduction() attributes {test.cases = [#nvvm.reduction<popc>, #nvvm.reduction<and>, #nvvm.reduction<or>]}
func.func private @reduction() attributes {test.cases = [#nvvm.reduction<popc>, #nvvm.reduction<and>, #nvvm.reduction<or>]}

// CHECK-NEXT:   func.func private @redux_kind() attributes {test.cases = [#nvvm<redux_kind add>, #nvvm<redux_kind and>, #nvvm<redux_kind max>, #nvvm<redux_kind min>, #nvvm<redux_kind or>, #nvvm<redux_kind umax>, #nvvm<redux_kind umin>, #nvvm<redux_kind xor>, #nvvm<redux_kind fmin>, #nvvm<redux_kind fmax>]}
func.func private @redux_kind() attributes {test.cases = [#nvvm<redux_kind add>, #nvvm<redux_kind and>, #nvvm<redux_kind max>, #nvvm<redux_kind min>, #nvvm<redux_kind or>, #nvvm<redux_kind umax>, #nvvm<redux_kind umin>, #nvvm<redux_kind xor>, #nvvm<redux_kind fmin>, #nvvm<redux_kind fmax>]}

// CHECK-NEXT:   func.func private @sat_mode() attributes {test.cases = [#nvvm.sat_mode<none>, #nvvm.sat_mode<satfinite>]}
func.func private @sat_mode() attributes {test.cases = [#nvvm.sat_mode<none>, #nvvm.sat_mode<satfinite>]}

// CHECK-NEXT:   func.func private @scale_vec_size() attributes {test.cases = [#nvvm.scale_vec_size<x1>, #nvvm.scale_vec_size<x2>, #nvvm.scale_vec_size<x4>]}
func.func private @scale_vec_size() attributes {test.cases = [#nvvm.scale_vec_size<x1>, #nvvm.scale_vec_size<x2>, #nvvm.scale_vec_size<x4>]}

// CHECK-NEXT:   func.func private @shared_space() attributes {test.cases = [#nvvm.shared_space<cta>, #nvvm.shared_space<cluster>]}
func.func private @shared_space() attributes {test.cases = [#nvvm.shared_space<cta>, #nvvm.shared_space<cluster>]}

// CHECK-NEXT:   func.func private @shfl_kind() attributes {test.cases = [#nvvm<shfl_kind bfly>, #nvvm<shfl_kind up>, #nvvm<shfl_kind down>, #nvvm<shfl_kind idx>]}
func.func private @shfl_kind() attributes {test.cases = [#nvvm<shfl_kind bfly>, #nvvm<shfl_kind up>, #nvvm<shfl_kind down>, #nvvm<shfl_kind idx>]}

// CHECK-NEXT:   func.func private @tcgen05_cp_multicast() attributes {test.cases = [#nvvm.tcgen05_cp_multicast<none>, #nvvm.tcgen05_cp_multicast<warpx2_02_13>, #nvvm.tcgen05_cp_multicast<warpx2_01_23>, #nvvm.tcgen05_cp_multicast<warpx4>]}
func.func private @tcgen05_cp_multicast() attributes {test.cases = [#nvvm.tcgen05_cp_multicast<none>, #nvvm.tcgen05_cp_multicast<warpx2_02_13>, #nvvm.tcgen05_cp_multicast<warpx2_01_23>, #nvvm.tcgen05_cp_multicast<warpx4>]}

// CHECK-NEXT:   func.func private @tcgen05_cp_shape() attributes {test.cases = [#nvvm.tcgen05_cp_shape<shape_128x256b>, #nvvm.tcgen05_cp_shape<shape_4x256b>, #nvvm.tcgen05_cp_shape<shape_128x128b>, #nvvm.tcgen05_cp_shape<shape_64x128b>, #nvvm.tcgen05_cp_shape<shape_32x128b>]}
func.func private @tcgen05_cp_shape() attributes {test.cases = [#nvvm.tcgen05_cp_shape<shape_128x256b>, #nvvm.tcgen05_cp_shape<shape_4x256b>, #nvvm.tcgen05_cp_shape<shape_128x128b>, #nvvm.tcgen05_cp_shape<shape_64x128b>, #nvvm.tcgen05_cp_shape<shape_32x128b>]}

// CHECK-NEXT:   func.func private @tcgen05_cp_src_fmt() attributes {test.cases = [#nvvm.tcgen05_cp_src_fmt<b6x16_p32>, #nvvm.tcgen05_cp_src_fmt<b4x16_p64>]}
func.func private @tcgen05_cp_src_fmt() attributes {test.cases = [#nvvm.tcgen05_cp_src_fmt<b6x16_p32>, #nvvm.tcgen05_cp_src_fmt<b4x16_p64>]}

// CHECK-NEXT:   func.func private @tcgen05_fence() attributes {test.cases = [#nvvm.tcgen05_fence<before>, #nvvm.tcgen05_fence<after>]}
func.func private @tcgen05_fence() attributes {test.cases = [#nvvm.tcgen05_fence<before>, #nvvm.tcgen05_fence<after>]}

// CHECK-NEXT:   func.func private @tcgen05_ldst_shape() attributes {test.cases = [#nvvm.tcgen05_ldst_shape<shape_16x64b>, #nvvm.tcgen05_ldst_shape<shape_16x128b>, #nvvm.tcgen05_ldst_shape<shape_16x256b>, #nvvm.tcgen05_ldst_shape<shape_32x32b>, #nvvm.tcgen05_ldst_shape<shape_16x32bx2>]}
func.func private @tcgen05_ldst_shape() attributes {test.cases = [#nvvm.tcgen05_ldst_shape<shape_16x64b>, #nvvm.tcgen05_ldst_shape<shape_16x128b>, #nvvm.tcgen05_ldst_shape<shape_16x256b>, #nvvm.tcgen05_ldst_shape<shape_32x32b>, #nvvm.tcgen05_ldst_shape<shape_16x32bx2>]}

// CHECK-NEXT:   func.func private @tcgen05_mma_block_scale() attributes {test.cases = [#nvvm.tcgen05_mma_block_scale<default>, #nvvm.tcgen05_mma_block_scale<block16>, #nvvm.tcgen05_mma_block_scale<block32>]}
func.func private @tcgen05_mma_block_scale() attributes {test.cases = [#nvvm.tcgen05_mma_block_scale<default>, #nvvm.tcgen05_mma_block_scale<block16>, #nvvm.tcgen05_mma_block_scale<block32>]}

// CHECK-NEXT:   func.func private @tcgen05_mma_collectorb() attributes {test.cases = [#nvvm.tcgen05_mma_collectorb<b0>, #nvvm.tcgen05_mma_collectorb<b1>, #nvvm.tcgen05_mma_collectorb<b2>, #nvvm.tcgen05_mma_collectorb<b3>]}
func.func private @tcgen05_mma_collectorb() attributes {test.cases = [#nvvm.tcgen05_mma_collectorb<b0>, #nvvm.tcgen05_mma_collectorb<b1>, #nvvm.tcgen05_mma_collectorb<b2>, #nvvm.tcgen05_mma_collectorb<b3>]}

// CHECK-NEXT:   func.func private @tcgen05_mma_collectorop() attributes {test.cases = [#nvvm.tcgen05_mma_collectorop<discard>, #nvvm.tcgen05_mma_collectorop<lastuse>, #nvvm.tcgen05_mma_collectorop<fill>, #nvvm.tcgen05_mma_collectorop<use>]}
func.func private @tcgen05_mma_collectorop() attributes {test.cases = [#nvvm.tcgen05_mma_collectorop<discard>, #nvvm.tcgen05_mma_collectorop<lastuse>, #nvvm.tcgen05_mma_collectorop<fill>, #nvvm.tcgen05_mma_collectorop<use>]}

// CHECK-NEXT:   func.func private @tcgen05_mma_kind() attributes {test.cases = [#nvvm.tcgen05_mma_kind<f8f6f4>, #nvvm.tcgen05_mma_kind<i8>, #nvvm.tcgen05_mma_kind<f16>, #nvvm.tcgen05_mma_kind<tf32>]}
func.func private @tcgen05_mma_kind() attributes {test.cases = [#nvvm.tcgen05_mma_kind<f8f6f4>, #nvvm.tcgen05_mma_kind<i8>, #nvvm.tcgen05_mma_kind<f16>, #nvvm.tcgen05_mma_kind<tf32>]}

// CHECK-NEXT:   func.func private @tcgen05_wait() attributes {test.cases = [#nvvm.tcgen05_wait<load>, #nvvm.tcgen05_wait<store>]}
func.func private @tcgen05_wait() attributes {test.cases = [#nvvm.tcgen05_wait<load>, #nvvm.tcgen05_wait<store>]}

// CHECK-NEXT:   func.func private @tma_load_mode() attributes {test.cases = [#nvvm.tma_load_mode<tile>, #nvvm.tma_load_mode<im2col>, #nvvm.tma_load_mode<im2col_w>, #nvvm.tma_load_mode<im2col_w_128>, #nvvm.tma_load_mode<tile_gather4>]}
func.func private @tma_load_mode() attributes {test.cases = [#nvvm.tma_load_mode<tile>, #nvvm.tma_load_mode<im2col>, #nvvm.tma_load_mode<im2col_w>, #nvvm.tma_load_mode<im2col_w_128>, #nvvm.tma_load_mode<tile_gather4>]}

// CHECK-NEXT:   func.func private @tma_redux_kind() attributes {test.cases = [#nvvm.tma_redux_kind<add>, #nvvm.tma_redux_kind<max>, #nvvm.tma_redux_kind<min>, #nvvm.tma_redux_kind<inc>, #nvvm.tma_redux_kind<dec>, #nvvm.tma_redux_kind<and>, #nvvm.tma_redux_kind<or>, #nvvm.tma_redux_kind<xor>]}
func.func private @tma_redux_kind() attributes {test.cases = [#nvvm.tma_redux_kind<add>, #nvvm.tma_redux_kind<max>, #nvvm.tma_redux_kind<min>, #nvvm.tma_redux_kind<inc>, #nvvm.tma_redux_kind<dec>, #nvvm.tma_redux_kind<and>, #nvvm.tma_redux_kind<or>, #nvvm.tma_redux_kind<xor>]}

// CHECK-NEXT:   func.func private @tma_store_mode() attributes {test.cases = [#nvvm.tma_store_mode<tile>, #nvvm.tma_store_mode<im2col>, #nvvm.tma_store_mode<tile_scatter4>]}
func.func private @tma_store_mode() attributes {test.cases = [#nvvm.tma_store_mode<tile>, #nvvm.tma_store_mode<im2col>, #nvvm.tma_store_mode<tile_scatter4>]}

// CHECK-NEXT:   func.func private @vote_sync_kind() attributes {test.cases = [#nvvm<vote_sync_kind any>, #nvvm<vote_sync_kind all>, #nvvm<vote_sync_kind ballot>, #nvvm<vote_sync_kind uni>]}
func.func private @vote_sync_kind() attributes {test.cases = [#nvvm<vote_sync_kind any>, #nvvm<vote_sync_kind all>, #nvvm<vote_sync_kind ballot>, #nvvm<vote_sync_kind uni>]}

// CHECK-NEXT:   func.func private @wgmma_scale_in() attributes {test.cases = [#nvvm.wgmma_scale_in<one>, #nvvm.wgmma_scale_in<neg>]}
func.func private @wgmma_scale_in() attributes {test.cases = [#nvvm.wgmma_scale_in<one>, #nvvm.wgmma_scale_in<neg>]}

// CHECK-NEXT:   func.func private @wgmma_scale_out() attributes {test.cases = [#nvvm.wgmma_scale_out<zero>, #nvvm.wgmma_scale_out<one>]}
func.func private @wgmma_scale_out() attributes {test.cases = [#nvvm.wgmma_scale_out<zero>, #nvvm.wgmma_scale_out<one>]}

// CHECK-NEXT:   func.func private @wgmma_type() attributes {test.cases = [#nvvm.wgmma_type<f16>, #nvvm.wgmma_type<tf32>, #nvvm.wgmma_type<u8>, #nvvm.wgmma_type<s8>, #nvvm.wgmma_type<b1>, #nvvm.wgmma_type<bf16>, #nvvm.wgmma_type<e4m3>, #nvvm.wgmma_type<e5m2>, #nvvm.wgmma_type<f32>, #nvvm.wgmma_type<s32>]}
// CHECK-NEXT: }
func.func private @wgmma_type() attributes {test.cases = [#nvvm.wgmma_type<f16>, #nvvm.wgmma_type<tf32>, #nvvm.wgmma_type<u8>, #nvvm.wgmma_type<s8>, #nvvm.wgmma_type<b1>, #nvvm.wgmma_type<bf16>, #nvvm.wgmma_type<e4m3>, #nvvm.wgmma_type<e5m2>, #nvvm.wgmma_type<f32>, #nvvm.wgmma_type<s32>]}
