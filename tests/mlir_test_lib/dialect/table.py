# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that show what an analysis found: a part of MLIR's test dialect, written by hand."""

OPS = {
    "test.call_on_device": """\
operands forwarded*:AnyType, device:AnyType
attrs callee:SymbolRefAttr
results results_*:AnyType
traits CallOpInterface
format $callee `(` $forwarded `)` `,` $device attr-dict `:` functional-type(operands, results)
""",
    "test.call_with_segments": """\
operands prefix*:AnyType, args*:AnyType, suffix*:AnyType
attrs callee:FlatSymbolRefAttr
traits AttrSizedOperandSegments, CallOpInterface
format $callee `(` ($prefix^ `:` type($prefix))? `)` `(` ($args^ `:` type($args))? `)` `(` ($suffix^ `:` type($suffix))? `)` attr-dict
""",
    "test.compare": """\
operands var_operands*:Index
attrs cmp:StrAttr="EQ", lhs_map?:AffineMapAttr, rhs_map?:AffineMapAttr, compose?:UnitAttr
""",
    "test.constant": """\
attrs value:AnyAttr
results :AnyType
traits ConstantLike, Pure
""",
    "test.destination_style_op": """\
operands inputs*:AnyType, outputs*:AnyType
results results_*:AnyType
traits AttrSizedOperandSegments, DestinationStyleOpInterface
format attr-dict (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`->` type($results_)^)?
""",
    "test.elementwise_mappable": """\
operands var_operands*:AnyType
results var_results*:AnyType
traits Elementwise, Scalarizable, Vectorizable, Tensorizable
""",
    "test.finish": """\
traits Terminator
""",
    "test.graph_region": """\
regions region:AnyRegion
traits HasOnlyGraphRegion
format attr-dict-with-keyword $region
""",
    "test.increment": """\
operands value:InferIntRangeType
results result:InferIntRangeType
traits NoMemoryEffect, InferIntRangeInterface
trait AllTypesMatch<value, result>
format attr-dict $value `:` type($result)
""",
    "test.nvvm_requires_sm_80": """\
trait NVVMRequiresSM<80>
format attr-dict
""",
    "test.nvvm_requires_sm_90a": """\
trait NVVMRequiresSMa<90>
format attr-dict
""",
    "test.nvvm_requires_sm_90a_or_sm_100a": """\
trait NVVMRequiresSMa<90,100>
format attr-dict
""",
    "test.read_buffer": """\
operands buffer:AnyRankedOrUnrankedMemRef [read write]
""",
    "test.op_funcref": """\
attrs func:FlatSymbolRefAttr
""",
    "test.op_nonnorm": """\
operands X:AnyMemRef, Y:AnyMemRef
""",
    "test.op_norm": """\
operands X:AnyMemRef, Y:AnyMemRef
traits MemRefsNormalizable
""",
    "test.op_norm_ret": """\
operands X:AnyMemRef
results Y:AnyMemRef, Z:AnyMemRef
traits MemRefsNormalizable
""",
    "test.reflect_bounds": """\
operands value:InferIntRangeType
attrs umin?:APIntAttr, umax?:APIntAttr, smin?:APIntAttr, smax?:APIntAttr
results result:InferIntRangeType
traits InferIntRangeInterface
trait AllTypesMatch<value, result>
format attr-dict $value `:` type($result)
""",
    "test.symbol_scope": """\
regions region:region_with_1_blocks
traits SymbolTable, SingleBlock
trait SingleBlockImplicitTerminator<test.finish>
""",
    "test.symbol_scope_isolated": """\
regions region:region_with_1_blocks
traits IsolatedFromAbove, SymbolTable, SingleBlock
trait SingleBlockImplicitTerminator<test.finish>
""",
    "test.value_with_bounds": """\
attrs min:IndexAttr, max:IndexAttr
results result:Index
traits NoMemoryEffect
format attr-dict
""",
    "test.with_bounds": """\
attrs umin:APIntAttr, umax:APIntAttr, smin:APIntAttr, smax:APIntAttr
results fakeVal:InferIntRangeType
traits NoMemoryEffect, InferIntRangeInterface
format attr-dict `:` type($fakeVal)
""",
    "test.with_bounds_region": """\
attrs umin:APIntAttr, umax:APIntAttr, smin:APIntAttr, smax:APIntAttr
regions region:region_with_1_blocks
traits SingleBlock, NoTerminator, InferIntRangeInterface
hooks custom_format
""",
}

ATTRS = {
    "test.const_memory_space": """\
param addressSpace:unsigned=0
format (`<` $addressSpace^ `>`)?
""",
    "test.memref_element": """\
type
""",
}

ENUMS = {}

TYPES = {
    "InferIntRangeType": (
        "is_integer(t) or is_index(t) or is_vector(t)",
        "integer or index or vector of integer or index values of ranks of more than zero",
    ),
}

ATTR_CONSTRAINTS = {
    "APIntAttr": ("any", "is_integer_attr(t)", "arbitrary integer attribute"),
}
