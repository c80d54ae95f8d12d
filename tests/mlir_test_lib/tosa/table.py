# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of the tosa dialect that MLIR's tests of sharding use."""

_FORMAT = "format operands attr-dict `:` functional-type(operands, results)\n"
_UNARY = f"operands input1:AnyType\nresults output:AnyType\ntraits Pure\n{_FORMAT}"

OPS = {
    **{f"tosa.{name}": _UNARY for name in ("abs", "sigmoid", "tanh")},
    "tosa.add": f"""\
operands input1:AnyType, input2:AnyType
results output:AnyType
traits Pure
{_FORMAT}""",
    "tosa.matmul": f"""\
operands a:AnyType, b:AnyType, a_zp:AnyType, b_zp:AnyType
results output:AnyType
traits Pure
{_FORMAT}""",
    "tosa.negate": f"""\
operands input1:AnyType, input1_zp:AnyType, output_zp:AnyType
results output:AnyType
traits Pure
{_FORMAT}""",
}
