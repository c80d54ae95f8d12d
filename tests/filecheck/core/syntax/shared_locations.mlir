// RUN: xgpu-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --allow-unregistered-dialect --mlir-print-debuginfo | xgpu-opt --allow-unregistered-dialect --mlir-print-debuginfo | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --allow-unregistered-dialect --symbol-dce --inline --sccp --mlir-print-debuginfo | filecheck %s --match-full-lines
// Each level of these mentions the one before twice: who follows all ways does not come to an end.

#l0 = loc("a":1:1)
#l1 = loc(fused[#l0, "b1"(#l0)])
#l2 = loc(fused[#l1, "b2"(#l1)])
#l3 = loc(fused[#l2, "b3"(#l2)])
#l4 = loc(fused[#l3, "b4"(#l3)])
#l5 = loc(fused[#l4, "b5"(#l4)])
#l6 = loc(fused[#l5, "b6"(#l5)])
#l7 = loc(fused[#l6, "b7"(#l6)])
#l8 = loc(fused[#l7, "b8"(#l7)])
#l9 = loc(fused[#l8, "b9"(#l8)])
#l10 = loc(fused[#l9, "b10"(#l9)])
#l11 = loc(fused[#l10, "b11"(#l10)])
#l12 = loc(fused[#l11, "b12"(#l11)])
#l13 = loc(fused[#l12, "b13"(#l12)])
#l14 = loc(fused[#l13, "b14"(#l13)])
#l15 = loc(fused[#l14, "b15"(#l14)])
#l16 = loc(fused[#l15, "b16"(#l15)])
#l17 = loc(fused[#l16, "b17"(#l16)])
#l18 = loc(fused[#l17, "b18"(#l17)])
#l19 = loc(fused[#l18, "b19"(#l18)])
#l20 = loc(fused[#l19, "b20"(#l19)])
#l21 = loc(fused[#l20, "b21"(#l20)])
#l22 = loc(fused[#l21, "b22"(#l21)])
#l23 = loc(fused[#l22, "b23"(#l22)])
#l24 = loc(fused[#l23, "b24"(#l23)])
#l25 = loc(fused[#l24, "b25"(#l24)])
#l26 = loc(fused[#l25, "b26"(#l25)])
#l27 = loc(fused[#l26, "b27"(#l26)])
#l28 = loc(fused[#l27, "b28"(#l27)])
#l29 = loc(fused[#l28, "b29"(#l28)])
#l30 = loc(fused[#l29, "b30"(#l29)])
#l31 = loc(fused[#l30, "b31"(#l30)])
#l32 = loc(fused[#l31, "b32"(#l31)])
#l33 = loc(fused[#l32, "b33"(#l32)])
#l34 = loc(fused[#l33, "b34"(#l33)])
#l35 = loc(fused[#l34, "b35"(#l34)])
#l36 = loc(fused[#l35, "b36"(#l35)])
#l37 = loc(fused[#l36, "b37"(#l36)])
#l38 = loc(fused[#l37, "b38"(#l37)])
#l39 = loc(fused[#l38, "b39"(#l38)])
#l40 = loc(fused[#l39, "b40"(#l39)])
#l41 = loc(fused[#l40, "b41"(#l40)])
#l42 = loc(fused[#l41, "b42"(#l41)])
#l43 = loc(fused[#l42, "b43"(#l42)])
#l44 = loc(fused[#l43, "b44"(#l43)])
#l45 = loc(fused[#l44, "b45"(#l44)])
#l46 = loc(fused[#l45, "b46"(#l45)])
#l47 = loc(fused[#l46, "b47"(#l46)])

#t0 = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "a">
#t1 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t0, #t0>
#t2 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t1, #t1>
#t3 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t2, #t2>
#t4 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t3, #t3>
#t5 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t4, #t4>
#t6 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t5, #t5>
#t7 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t6, #t6>
#t8 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t7, #t7>
#t9 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t8, #t8>
#t10 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t9, #t9>
#t11 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t10, #t10>
#t12 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t11, #t11>
#t13 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t12, #t12>
#t14 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t13, #t13>
#t15 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t14, #t14>
#t16 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t15, #t15>
#t17 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t16, #t16>
#t18 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t17, #t17>
#t19 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t18, #t18>
#t20 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t19, #t19>
#t21 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t20, #t20>
#t22 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t21, #t21>
#t23 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t22, #t22>
#t24 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t23, #t23>
#t25 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t24, #t24>
#t26 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t25, #t25>
#t27 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t26, #t26>
#t28 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t27, #t27>
#t29 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t28, #t28>
#t30 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t29, #t29>
#t31 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t30, #t30>
#t32 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t31, #t31>
#t33 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t32, #t32>
#t34 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t33, #t33>
#t35 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t34, #t34>
#t36 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t35, #t35>
#t37 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t36, #t36>
#t38 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t37, #t37>
#t39 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t38, #t38>
#t40 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t39, #t39>
#t41 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t40, #t40>
#t42 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t41, #t41>
#t43 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t42, #t42>
#t44 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t43, #t43>
#t45 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t44, #t44>
#t46 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t45, #t45>
#t47 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #t46, #t46>

// Never a place: none of the ways leads to one.
#u0 = loc("u")
#u1 = loc(fused[#u0, "v1"(#u0)])
#u2 = loc(fused[#u1, "v2"(#u1)])
#u3 = loc(fused[#u2, "v3"(#u2)])
#u4 = loc(fused[#u3, "v4"(#u3)])
#u5 = loc(fused[#u4, "v5"(#u4)])
#u6 = loc(fused[#u5, "v6"(#u5)])
#u7 = loc(fused[#u6, "v7"(#u6)])
#u8 = loc(fused[#u7, "v8"(#u7)])
#u9 = loc(fused[#u8, "v9"(#u8)])
#u10 = loc(fused[#u9, "v10"(#u9)])
#u11 = loc(fused[#u10, "v11"(#u10)])
#u12 = loc(fused[#u11, "v12"(#u11)])
#u13 = loc(fused[#u12, "v13"(#u12)])
#u14 = loc(fused[#u13, "v14"(#u13)])
#u15 = loc(fused[#u14, "v15"(#u14)])
#u16 = loc(fused[#u15, "v16"(#u15)])
#u17 = loc(fused[#u16, "v17"(#u16)])
#u18 = loc(fused[#u17, "v18"(#u17)])
#u19 = loc(fused[#u18, "v19"(#u18)])
#u20 = loc(fused[#u19, "v20"(#u19)])
#u21 = loc(fused[#u20, "v21"(#u20)])
#u22 = loc(fused[#u21, "v22"(#u21)])
#u23 = loc(fused[#u22, "v23"(#u22)])
#u24 = loc(fused[#u23, "v24"(#u23)])
#u25 = loc(fused[#u24, "v25"(#u24)])
#u26 = loc(fused[#u25, "v26"(#u25)])
#u27 = loc(fused[#u26, "v27"(#u26)])
#u28 = loc(fused[#u27, "v28"(#u27)])
#u29 = loc(fused[#u28, "v29"(#u28)])
#u30 = loc(fused[#u29, "v30"(#u29)])
#u31 = loc(fused[#u30, "v31"(#u30)])
#u32 = loc(fused[#u31, "v32"(#u31)])
#u33 = loc(fused[#u32, "v33"(#u32)])
#u34 = loc(fused[#u33, "v34"(#u33)])
#u35 = loc(fused[#u34, "v35"(#u34)])
#u36 = loc(fused[#u35, "v36"(#u35)])
#u37 = loc(fused[#u36, "v37"(#u36)])
#u38 = loc(fused[#u37, "v38"(#u37)])
#u39 = loc(fused[#u38, "v39"(#u38)])
#u40 = loc(fused[#u39, "v40"(#u39)])
#u41 = loc(fused[#u40, "v41"(#u40)])
#u42 = loc(fused[#u41, "v42"(#u41)])
#u43 = loc(fused[#u42, "v43"(#u42)])
#u44 = loc(fused[#u43, "v44"(#u43)])
#u45 = loc(fused[#u44, "v45"(#u44)])
#u46 = loc(fused[#u45, "v46"(#u45)])
#u47 = loc(fused[#u46, "v47"(#u46)])

module {
"test.a"() : () -> () loc(#l47)
"test.b"() : () -> () loc(#later)
"test.c"() {l = #l47} : () -> () loc("c")
"test.d"() {t = #t47} : () -> () loc("d")
"test.e"() : () -> () loc(#u47)
} loc("m")

#later = loc(callsite(#l47 at #u47))

// CHECK: #di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "a">
// CHECK-NEXT: #loc1 = loc("a":1:1)
// CHECK-NEXT: #di_composite_type = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_basic_type, #di_basic_type>
// CHECK-NEXT: #loc5 = loc("b1"(#loc1))
// CHECK-NEXT: #di_composite_type1 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type, #di_composite_type>
// CHECK-NEXT: #loc7 = loc(fused[#loc1, #loc5])
// CHECK-NEXT: #di_composite_type2 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type1, #di_composite_type1>
// CHECK-NEXT: #loc9 = loc("b2"(#loc7))
// CHECK-NEXT: #di_composite_type3 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type2, #di_composite_type2>
// CHECK-NEXT: #loc11 = loc(fused[#loc1, #loc5, #loc9])
// CHECK-NEXT: #di_composite_type4 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type3, #di_composite_type3>
// CHECK-NEXT: #loc13 = loc("b3"(#loc11))
// CHECK-NEXT: #di_composite_type5 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type4, #di_composite_type4>
// CHECK-NEXT: #loc15 = loc(fused[#loc1, #loc5, #loc9, #loc13])
// CHECK-NEXT: #di_composite_type6 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type5, #di_composite_type5>
// CHECK-NEXT: #loc17 = loc("b4"(#loc15))
// CHECK-NEXT: #di_composite_type7 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type6, #di_composite_type6>
// CHECK-NEXT: #loc19 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17])
// CHECK-NEXT: #di_composite_type8 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type7, #di_composite_type7>
// CHECK-NEXT: #loc21 = loc("b5"(#loc19))
// CHECK-NEXT: #di_composite_type9 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type8, #di_composite_type8>
// CHECK-NEXT: #loc23 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21])
// CHECK-NEXT: #di_composite_type10 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type9, #di_composite_type9>
// CHECK-NEXT: #loc25 = loc("b6"(#loc23))
// CHECK-NEXT: #di_composite_type11 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type10, #di_composite_type10>
// CHECK-NEXT: #loc27 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25])
// CHECK-NEXT: #di_composite_type12 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type11, #di_composite_type11>
// CHECK-NEXT: #loc29 = loc("b7"(#loc27))
// CHECK-NEXT: #di_composite_type13 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type12, #di_composite_type12>
// CHECK-NEXT: #loc31 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29])
// CHECK-NEXT: #di_composite_type14 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type13, #di_composite_type13>
// CHECK-NEXT: #loc33 = loc("b8"(#loc31))
// CHECK-NEXT: #di_composite_type15 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type14, #di_composite_type14>
// CHECK-NEXT: #loc35 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33])
// CHECK-NEXT: #di_composite_type16 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type15, #di_composite_type15>
// CHECK-NEXT: #loc37 = loc("b9"(#loc35))
// CHECK-NEXT: #di_composite_type17 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type16, #di_composite_type16>
// CHECK-NEXT: #loc39 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37])
// CHECK-NEXT: #di_composite_type18 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type17, #di_composite_type17>
// CHECK-NEXT: #loc41 = loc("b10"(#loc39))
// CHECK-NEXT: #di_composite_type19 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type18, #di_composite_type18>
// CHECK-NEXT: #loc43 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41])
// CHECK-NEXT: #di_composite_type20 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type19, #di_composite_type19>
// CHECK-NEXT: #loc45 = loc("b11"(#loc43))
// CHECK-NEXT: #di_composite_type21 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type20, #di_composite_type20>
// CHECK-NEXT: #loc47 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45])
// CHECK-NEXT: #di_composite_type22 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type21, #di_composite_type21>
// CHECK-NEXT: #loc49 = loc("b12"(#loc47))
// CHECK-NEXT: #di_composite_type23 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type22, #di_composite_type22>
// CHECK-NEXT: #loc51 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49])
// CHECK-NEXT: #di_composite_type24 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type23, #di_composite_type23>
// CHECK-NEXT: #loc53 = loc("b13"(#loc51))
// CHECK-NEXT: #di_composite_type25 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type24, #di_composite_type24>
// CHECK-NEXT: #loc55 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53])
// CHECK-NEXT: #di_composite_type26 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type25, #di_composite_type25>
// CHECK-NEXT: #loc57 = loc("b14"(#loc55))
// CHECK-NEXT: #di_composite_type27 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type26, #di_composite_type26>
// CHECK-NEXT: #loc59 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57])
// CHECK-NEXT: #di_composite_type28 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type27, #di_composite_type27>
// CHECK-NEXT: #loc61 = loc("b15"(#loc59))
// CHECK-NEXT: #di_composite_type29 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type28, #di_composite_type28>
// CHECK-NEXT: #loc63 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61])
// CHECK-NEXT: #di_composite_type30 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type29, #di_composite_type29>
// CHECK-NEXT: #loc65 = loc("b16"(#loc63))
// CHECK-NEXT: #di_composite_type31 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type30, #di_composite_type30>
// CHECK-NEXT: #loc67 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65])
// CHECK-NEXT: #di_composite_type32 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type31, #di_composite_type31>
// CHECK-NEXT: #loc69 = loc("b17"(#loc67))
// CHECK-NEXT: #di_composite_type33 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type32, #di_composite_type32>
// CHECK-NEXT: #loc71 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69])
// CHECK-NEXT: #di_composite_type34 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type33, #di_composite_type33>
// CHECK-NEXT: #loc73 = loc("b18"(#loc71))
// CHECK-NEXT: #di_composite_type35 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type34, #di_composite_type34>
// CHECK-NEXT: #loc75 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73])
// CHECK-NEXT: #di_composite_type36 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type35, #di_composite_type35>
// CHECK-NEXT: #loc77 = loc("b19"(#loc75))
// CHECK-NEXT: #di_composite_type37 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type36, #di_composite_type36>
// CHECK-NEXT: #loc79 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77])
// CHECK-NEXT: #di_composite_type38 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type37, #di_composite_type37>
// CHECK-NEXT: #loc81 = loc("b20"(#loc79))
// CHECK-NEXT: #di_composite_type39 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type38, #di_composite_type38>
// CHECK-NEXT: #loc83 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81])
// CHECK-NEXT: #di_composite_type40 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type39, #di_composite_type39>
// CHECK-NEXT: #loc85 = loc("b21"(#loc83))
// CHECK-NEXT: #di_composite_type41 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type40, #di_composite_type40>
// CHECK-NEXT: #loc87 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85])
// CHECK-NEXT: #di_composite_type42 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type41, #di_composite_type41>
// CHECK-NEXT: #loc89 = loc("b22"(#loc87))
// CHECK-NEXT: #di_composite_type43 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type42, #di_composite_type42>
// CHECK-NEXT: #loc91 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89])
// CHECK-NEXT: #di_composite_type44 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type43, #di_composite_type43>
// CHECK-NEXT: #loc93 = loc("b23"(#loc91))
// CHECK-NEXT: #di_composite_type45 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type44, #di_composite_type44>
// CHECK-NEXT: #loc95 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93])
// CHECK-NEXT: #di_composite_type46 = #llvm.di_composite_type<tag = DW_TAG_structure_type, elements = #di_composite_type45, #di_composite_type45>
// CHECK-NEXT: #loc97 = loc("b24"(#loc95))
// CHECK-NEXT: #loc99 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97])
// CHECK-NEXT: #loc101 = loc("b25"(#loc99))
// CHECK-NEXT: #loc103 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101])
// CHECK-NEXT: #loc105 = loc("b26"(#loc103))
// CHECK-NEXT: #loc107 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105])
// CHECK-NEXT: #loc109 = loc("b27"(#loc107))
// CHECK-NEXT: #loc111 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109])
// CHECK-NEXT: #loc113 = loc("b28"(#loc111))
// CHECK-NEXT: #loc115 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113])
// CHECK-NEXT: #loc117 = loc("b29"(#loc115))
// CHECK-NEXT: #loc119 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117])
// CHECK-NEXT: #loc121 = loc("b30"(#loc119))
// CHECK-NEXT: #loc123 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121])
// CHECK-NEXT: #loc125 = loc("b31"(#loc123))
// CHECK-NEXT: #loc127 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125])
// CHECK-NEXT: #loc129 = loc("b32"(#loc127))
// CHECK-NEXT: #loc131 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129])
// CHECK-NEXT: #loc133 = loc("b33"(#loc131))
// CHECK-NEXT: #loc135 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133])
// CHECK-NEXT: #loc137 = loc("b34"(#loc135))
// CHECK-NEXT: #loc139 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137])
// CHECK-NEXT: #loc141 = loc("b35"(#loc139))
// CHECK-NEXT: #loc143 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141])
// CHECK-NEXT: #loc145 = loc("b36"(#loc143))
// CHECK-NEXT: #loc147 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145])
// CHECK-NEXT: #loc149 = loc("b37"(#loc147))
// CHECK-NEXT: #loc151 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149])
// CHECK-NEXT: #loc153 = loc("b38"(#loc151))
// CHECK-NEXT: #loc155 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153])
// CHECK-NEXT: #loc157 = loc("b39"(#loc155))
// CHECK-NEXT: #loc159 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157])
// CHECK-NEXT: #loc161 = loc("b40"(#loc159))
// CHECK-NEXT: #loc163 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161])
// CHECK-NEXT: #loc165 = loc("b41"(#loc163))
// CHECK-NEXT: #loc167 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165])
// CHECK-NEXT: #loc169 = loc("b42"(#loc167))
// CHECK-NEXT: #loc171 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169])
// CHECK-NEXT: #loc173 = loc("b43"(#loc171))
// CHECK-NEXT: #loc175 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169, #loc173])
// CHECK-NEXT: #loc177 = loc("b44"(#loc175))
// CHECK-NEXT: #loc179 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169, #loc173, #loc177])
// CHECK-NEXT: #loc181 = loc("b45"(#loc179))
// CHECK-NEXT: #loc183 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169, #loc173, #loc177, #loc181])
// CHECK-NEXT: #loc185 = loc("b46"(#loc183))
// CHECK-NEXT: #loc187 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169, #loc173, #loc177, #loc181, #loc185])
// CHECK-NEXT: #loc189 = loc("b47"(#loc187))
// CHECK-NEXT: #loc191 = loc(fused[#loc1, #loc5, #loc9, #loc13, #loc17, #loc21, #loc25, #loc29, #loc33, #loc37, #loc41, #loc45, #loc49, #loc53, #loc57, #loc61, #loc65, #loc69, #loc73, #loc77, #loc81, #loc85, #loc89, #loc93, #loc97, #loc101, #loc105, #loc109, #loc113, #loc117, #loc121, #loc125, #loc129, #loc133, #loc137, #loc141, #loc145, #loc149, #loc153, #loc157, #loc161, #loc165, #loc169, #loc173, #loc177, #loc181, #loc185, #loc189])
// CHECK-NEXT: module {
// CHECK-NEXT:   "test.a"() : () -> () loc(#loc191)
// CHECK-NEXT:   "test.b"() : () -> () loc(#loc193)
// CHECK-NEXT:   "test.c"() {l = #loc191} : () -> () loc(#loc3)
// CHECK-NEXT:   "test.d"() {t = #di_composite_type46} : () -> () loc(#loc4)
// CHECK-NEXT:   "test.e"() : () -> () loc(#loc192)
// CHECK-NEXT: } loc(#loc)
// CHECK-NEXT: #loc = loc("m")
// CHECK-NEXT: #loc2 = loc("u")
// CHECK-NEXT: #loc3 = loc("c")
// CHECK-NEXT: #loc4 = loc("d")
// CHECK-NEXT: #loc6 = loc("v1"(#loc2))
// CHECK-NEXT: #loc8 = loc(fused[#loc2, #loc6])
// CHECK-NEXT: #loc10 = loc("v2"(#loc8))
// CHECK-NEXT: #loc12 = loc(fused[#loc2, #loc6, #loc10])
// CHECK-NEXT: #loc14 = loc("v3"(#loc12))
// CHECK-NEXT: #loc16 = loc(fused[#loc2, #loc6, #loc10, #loc14])
// CHECK-NEXT: #loc18 = loc("v4"(#loc16))
// CHECK-NEXT: #loc20 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18])
// CHECK-NEXT: #loc22 = loc("v5"(#loc20))
// CHECK-NEXT: #loc24 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22])
// CHECK-NEXT: #loc26 = loc("v6"(#loc24))
// CHECK-NEXT: #loc28 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26])
// CHECK-NEXT: #loc30 = loc("v7"(#loc28))
// CHECK-NEXT: #loc32 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30])
// CHECK-NEXT: #loc34 = loc("v8"(#loc32))
// CHECK-NEXT: #loc36 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34])
// CHECK-NEXT: #loc38 = loc("v9"(#loc36))
// CHECK-NEXT: #loc40 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38])
// CHECK-NEXT: #loc42 = loc("v10"(#loc40))
// CHECK-NEXT: #loc44 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42])
// CHECK-NEXT: #loc46 = loc("v11"(#loc44))
// CHECK-NEXT: #loc48 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46])
// CHECK-NEXT: #loc50 = loc("v12"(#loc48))
// CHECK-NEXT: #loc52 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50])
// CHECK-NEXT: #loc54 = loc("v13"(#loc52))
// CHECK-NEXT: #loc56 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54])
// CHECK-NEXT: #loc58 = loc("v14"(#loc56))
// CHECK-NEXT: #loc60 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58])
// CHECK-NEXT: #loc62 = loc("v15"(#loc60))
// CHECK-NEXT: #loc64 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62])
// CHECK-NEXT: #loc66 = loc("v16"(#loc64))
// CHECK-NEXT: #loc68 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66])
// CHECK-NEXT: #loc70 = loc("v17"(#loc68))
// CHECK-NEXT: #loc72 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70])
// CHECK-NEXT: #loc74 = loc("v18"(#loc72))
// CHECK-NEXT: #loc76 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74])
// CHECK-NEXT: #loc78 = loc("v19"(#loc76))
// CHECK-NEXT: #loc80 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78])
// CHECK-NEXT: #loc82 = loc("v20"(#loc80))
// CHECK-NEXT: #loc84 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82])
// CHECK-NEXT: #loc86 = loc("v21"(#loc84))
// CHECK-NEXT: #loc88 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86])
// CHECK-NEXT: #loc90 = loc("v22"(#loc88))
// CHECK-NEXT: #loc92 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90])
// CHECK-NEXT: #loc94 = loc("v23"(#loc92))
// CHECK-NEXT: #loc96 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94])
// CHECK-NEXT: #loc98 = loc("v24"(#loc96))
// CHECK-NEXT: #loc100 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98])
// CHECK-NEXT: #loc102 = loc("v25"(#loc100))
// CHECK-NEXT: #loc104 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102])
// CHECK-NEXT: #loc106 = loc("v26"(#loc104))
// CHECK-NEXT: #loc108 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106])
// CHECK-NEXT: #loc110 = loc("v27"(#loc108))
// CHECK-NEXT: #loc112 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110])
// CHECK-NEXT: #loc114 = loc("v28"(#loc112))
// CHECK-NEXT: #loc116 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114])
// CHECK-NEXT: #loc118 = loc("v29"(#loc116))
// CHECK-NEXT: #loc120 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118])
// CHECK-NEXT: #loc122 = loc("v30"(#loc120))
// CHECK-NEXT: #loc124 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122])
// CHECK-NEXT: #loc126 = loc("v31"(#loc124))
// CHECK-NEXT: #loc128 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126])
// CHECK-NEXT: #loc130 = loc("v32"(#loc128))
// CHECK-NEXT: #loc132 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130])
// CHECK-NEXT: #loc134 = loc("v33"(#loc132))
// CHECK-NEXT: #loc136 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134])
// CHECK-NEXT: #loc138 = loc("v34"(#loc136))
// CHECK-NEXT: #loc140 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138])
// CHECK-NEXT: #loc142 = loc("v35"(#loc140))
// CHECK-NEXT: #loc144 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142])
// CHECK-NEXT: #loc146 = loc("v36"(#loc144))
// CHECK-NEXT: #loc148 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146])
// CHECK-NEXT: #loc150 = loc("v37"(#loc148))
// CHECK-NEXT: #loc152 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150])
// CHECK-NEXT: #loc154 = loc("v38"(#loc152))
// CHECK-NEXT: #loc156 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154])
// CHECK-NEXT: #loc158 = loc("v39"(#loc156))
// CHECK-NEXT: #loc160 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158])
// CHECK-NEXT: #loc162 = loc("v40"(#loc160))
// CHECK-NEXT: #loc164 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162])
// CHECK-NEXT: #loc166 = loc("v41"(#loc164))
// CHECK-NEXT: #loc168 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166])
// CHECK-NEXT: #loc170 = loc("v42"(#loc168))
// CHECK-NEXT: #loc172 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170])
// CHECK-NEXT: #loc174 = loc("v43"(#loc172))
// CHECK-NEXT: #loc176 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170, #loc174])
// CHECK-NEXT: #loc178 = loc("v44"(#loc176))
// CHECK-NEXT: #loc180 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170, #loc174, #loc178])
// CHECK-NEXT: #loc182 = loc("v45"(#loc180))
// CHECK-NEXT: #loc184 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170, #loc174, #loc178, #loc182])
// CHECK-NEXT: #loc186 = loc("v46"(#loc184))
// CHECK-NEXT: #loc188 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170, #loc174, #loc178, #loc182, #loc186])
// CHECK-NEXT: #loc190 = loc("v47"(#loc188))
// CHECK-NEXT: #loc192 = loc(fused[#loc2, #loc6, #loc10, #loc14, #loc18, #loc22, #loc26, #loc30, #loc34, #loc38, #loc42, #loc46, #loc50, #loc54, #loc58, #loc62, #loc66, #loc70, #loc74, #loc78, #loc82, #loc86, #loc90, #loc94, #loc98, #loc102, #loc106, #loc110, #loc114, #loc118, #loc122, #loc126, #loc130, #loc134, #loc138, #loc142, #loc146, #loc150, #loc154, #loc158, #loc162, #loc166, #loc170, #loc174, #loc178, #loc182, #loc186, #loc190])
// CHECK-NEXT: #loc193 = loc(callsite(#loc191 at #loc192))
