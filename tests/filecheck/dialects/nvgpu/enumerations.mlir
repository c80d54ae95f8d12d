// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// Every case of every enumeration, as an attribute in full.

// CHECK: module {
// CHECK-NEXT:   func.func private @interleave() attributes {test.cases = [#nvgpu<interleave none>, #nvgpu<interleave interleave_16b>, #nvgpu<interleave interleave_32b>]}
func.func private @interleave() attributes {test.cases = [#nvgpu<interleave none>, #nvgpu<interleave interleave_16b>, #nvgpu<interleave interleave_32b>]}

// CHECK-NEXT:   func.func private @l2promo() attributes {test.cases = [#nvgpu<l2promo none>, #nvgpu<l2promo l2promo_64b>, #nvgpu<l2promo l2promo_128b>, #nvgpu<l2promo l2promo_256b>]}
func.func private @l2promo() attributes {test.cases = [#nvgpu<l2promo none>, #nvgpu<l2promo l2promo_64b>, #nvgpu<l2promo l2promo_128b>, #nvgpu<l2promo l2promo_256b>]}

// CHECK-NEXT:   func.func private @oob() attributes {test.cases = [#nvgpu<oob zero>, #nvgpu<oob nan>]}
func.func private @oob() attributes {test.cases = [#nvgpu<oob zero>, #nvgpu<oob nan>]}

// CHECK-NEXT:   func.func private @rcp_rounding_mode() attributes {test.cases = [#nvgpu<rcp_rounding_mode approx>, #nvgpu<rcp_rounding_mode rn>, #nvgpu<rcp_rounding_mode rz>, #nvgpu<rcp_rounding_mode rm>, #nvgpu<rcp_rounding_mode rp>]}
func.func private @rcp_rounding_mode() attributes {test.cases = [#nvgpu<rcp_rounding_mode approx>, #nvgpu<rcp_rounding_mode rn>, #nvgpu<rcp_rounding_mode rz>, #nvgpu<rcp_rounding_mode rm>, #nvgpu<rcp_rounding_mode rp>]}

// CHECK-NEXT:   func.func private @swizzle() attributes {test.cases = [#nvgpu<swizzle none>, #nvgpu<swizzle swizzle_32b>, #nvgpu<swizzle swizzle_64b>, #nvgpu<swizzle swizzle_128b>]}
// CHECK-NEXT: }
func.func private @swizzle() attributes {test.cases = [#nvgpu<swizzle none>, #nvgpu<swizzle swizzle_32b>, #nvgpu<swizzle swizzle_64b>, #nvgpu<swizzle swizzle_128b>]}
