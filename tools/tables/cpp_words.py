# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of ODS's C++ expressions, and ours for them (`xgpu/core/ods/predicates.py`)."""

from __future__ import annotations

#: `isa<Class>(x)` for classes of the builtin dialect, without `::mlir::` and `Type`/`Attr`.
BUILTIN_CLASSES = {
    "IntegerType": "is_integer",
    "IndexType": "is_index",
    "FloatType": "is_float",
    "BFloat16Type": "is_bf16",
    "FloatTF32Type": "is_tf32",
    "VectorType": "is_vector",
    "FixedVectorType": "is_fixed_vector",
    "ScalableVectorType": "is_scalable_vector",
    "TensorType": "is_tensor",
    "RankedTensorType": "is_ranked_tensor",
    "UnrankedTensorType": "is_unranked_tensor",
    "MemRefType": "is_memref",
    "UnrankedMemRefType": "is_unranked_memref",
    "BaseMemRefType": "is_base_memref",
    "ShapedType": "is_shaped",
    "ComplexType": "is_complex",
    "FunctionType": "is_function",
    "TupleType": "is_tuple",
    "NoneType": "is_none",
    "Type": "is_any_type",
    "TypedAttr": "is_typed_attr",
    "StringAttr": "is_string",
    "BoolAttr": "is_bool",
    "IntegerAttr": "is_integer_attr",
    "FloatAttr": "is_float_attr",
    "UnitAttr": "is_unit",
    "TypeAttr": "is_type_attr",
    "ArrayAttr": "is_array",
    "DictionaryAttr": "is_dictionary",
    "AffineMapAttr": "is_affine_map",
    "IntegerSetAttr": "is_integer_set",
    "SymbolRefAttr": "is_symbol_ref",
    "FlatSymbolRefAttr": "is_flat_symbol_ref",
    "ElementsAttr": "is_elements",
    "DenseElementsAttr": "is_dense_elements",
    "DenseIntElementsAttr": "is_dense_int_elements",
    "DenseFPElementsAttr": "is_dense_float_elements",
    "DenseI8ArrayAttr": "is_dense_i8_array",
    "DenseI16ArrayAttr": "is_dense_i16_array",
    "DenseI32ArrayAttr": "is_dense_i32_array",
    "DenseI64ArrayAttr": "is_dense_i64_array",
    "DenseBoolArrayAttr": "is_dense_bool_array",
    "DenseF32ArrayAttr": "is_dense_f32_array",
    "DenseF64ArrayAttr": "is_dense_f64_array",
    "DenseArrayAttr": "is_dense_array",
    "LocationAttr": "is_location",
}

#: Classes that ODS does not define: C++ name without `mlir::` -> MLIR's name.
HANDWRITTEN_CLASSES = {
    "gpu::AsyncTokenType": "gpu.async.token",
    "gpu::MMAMatrixType": "gpu.mma_matrix",
    "gpu::SparseDnTensorHandleType": "gpu.sparse.dntensor_handle",
    "gpu::SparseSpMatHandleType": "gpu.sparse.spmat_handle",
    "gpu::SparseSpGEMMOpHandleType": "gpu.sparse.spgemmop_handle",
    "LLVM::LLVMVoidType": "llvm.void",
    "LLVM::LLVMTokenType": "llvm.token",
    "LLVM::LLVMPointerType": "llvm.ptr",
    "LLVM::LLVMStructType": "llvm.struct",
    "LLVM::LLVMArrayType": "llvm.array",
    "LLVM::LLVMFunctionType": "llvm.func",
    "LLVM::LLVMTargetExtType": "llvm.target",
}

#: Interfaces that predicates ask for: C++ name -> the word that holds the list of who has it.
INTERFACES = {
    "DeviceMappingAttrInterface": "is_device_mapping",
    "DeviceMaskingAttrInterface": "is_device_masking",
    "ub::PoisonAttrInterface": "is_poison",
    "LLVM::PointerElementTypeInterface": "is_pointer_element",
    "bufferization::BufferLikeType": "is_buffer_like",
    "bufferization::TensorLikeType": "is_tensor_like",
    "transform::TransformHandleTypeInterface": "is_transform_handle",
    "transform::TransformParamTypeInterface": "is_transform_param",
    "transform::TransformValueHandleTypeInterface": "is_transform_value_handle",
}

METHODS = {
    "getElementType": "element_type",
    "getRank": "rank",
    "getShape": "shape",
    "getNumElements": "element_count",
    "getAddressSpace": "address_space",
    "getInt": "integer",
    "getValue": "value",
    "getValueType": "value_type",
    "getScalableDims": "scalable_dims",
    "hasRank": "has_rank",
    "hasStaticShape": "has_static_shape",
    "isStrided": "is_strided",
    "isF16": "is_f16",
    "isF32": "is_f32",
    "isF64": "is_f64",
    "isF80": "is_f80",
    "isF128": "is_f128",
    "isBF16": "is_bf16",
    "isIndex": "is_index",
    "isInteger": "is_integer",
    "isSignlessInteger": "is_signless",
    "isSignedInteger": "is_signed",
    "isUnsignedInteger": "is_unsigned",
    "isSignlessIntOrIndex": "is_signless_or_index",
    "isStrictlyPositive": "is_positive",
    "isNegative": "is_negative",
    "isPowerOf2": "is_power_of_2",
    "getInputs": "inputs",
    "getResults": "results_of",
    "size": "len",
    "asArrayRef": "array_values",
    "getDimSize": "dim_size",
    "getOperationName": "operation_name",
}

FUNCTIONS = {
    "LLVM::isCompatibleOuterType": "is_llvm_compatible",
    "LLVM::isCompatibleType": "is_llvm_compatible",
    "LLVM::isCompatibleFloatingPointType": "is_llvm_float",
    "LLVM::isCompatibleVectorType": "is_llvm_vector",
    "LLVM::isScalableVectorType": "is_llvm_scalable_vector",
    "isScalableVectorType": "is_llvm_scalable_vector",
    "LLVM::isLoadableType": "is_llvm_loadable",
    "getVectorNumElements": "llvm_vector_length",
    "getElementTypeOrSelf": "element_or_self",
    "getI1SameShape": "i1_same_shape",
    "getValAndBoolStructType": "value_and_i1_struct",
    "hasNItems": "has_items",
    "hasNItemsOrMore": "has_items_or_more",
    "hasNItemsOrLess": "has_items_or_fewer",
    "is_sorted": "is_sorted",
    "isOpaqueTypeWithName": "is_opaque",
    "bufferization::detail::typesMatchAfterBufferization": "matches_after_bufferization",
}

#: Whole snippets that no expression grammar should be stretched for, spaces squeezed -> our words.
SNIPPETS = {
    "[](ArrayRef<int64_t> a) { return std::adjacent_find(std::begin(a), std::end(a)) == "
    "std::end(a); }(cast<DenseI64ArrayAttr>($_self).asArrayRef())": (
        "has_no_neighbours_alike(array_values(t))"
    ),
    "$_self.hasTrait<ValueSemantics>()": "has_value_semantics(t)",
    "$_self.hasTrait<gpu::OffloadingTranslationAttrTrait>()": "is_offloading_translation(t)",
    "!getStringLiteral() || (!getSource() && getPunctuation() == PrintPunctuation::NewLine)": (
        "vector_print_is_literal_or_value(op)"
    ),
    "(getSrcVectorBitWidth() <= 131072) && (getResVectorBitWidth() <= 131072)": (
        "vector_bits(op.srcvec.type) <= 131072 and vector_bits(op.res.type) <= 131072"
    ),
    "(getSrcVectorBitWidth() <= 131072) && (getDstVectorBitWidth() <= 131072)": (
        "vector_bits(op.srcvec.type) <= 131072 and vector_bits(op.dstvec.type) <= 131072"
    ),
    "(getPos() % getResultVectorType().getNumElements()) == 0": (
        "op.pos.value.data % element_count(op.results[0].type) == 0"
    ),
    "(getPos() % getSourceVectorType().getNumElements()) == 0": (
        "op.pos.value.data % element_count(op.operands[0].type) == 0"
    ),
}
