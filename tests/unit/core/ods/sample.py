# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Handwritten definitions for the tests of the engine."""

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IndexType, IntegerAttr, IntegerType, MemRefType, i32, i64

from xgpu.core.ods import constraints, registry
from xgpu.core.ods.dialect import make_dialect
from xgpu.core.ods.spec import OPTIONAL, VARIADIC, AttrField, Field, OpSpec


class Constraint(constraints.Constraint):
    # Fields here, computed there.
    kind = type = element = cases = bits = separator = mnemonic = None

    def __init__(self, name, summary, check, kind="any", buildable=None, **more):
        super().__init__(name, "", summary)
        self.check, self.kind = check, kind
        self._fixed = buildable
        self.__dict__.update(more)

    def buildable(self):
        return self._fixed

    @property
    def is_buildable(self):
        return self._fixed is not None


ANY = Constraint("AnyType", "any type", lambda t: True)
ANY_ATTR = Constraint("AnyAttr", "any attribute", lambda t: True, "any")
INT = Constraint("Int", "integer", lambda t: isinstance(t, IntegerType))
INDEX = Constraint("Index", "index", lambda t: t == IndexType(), buildable=IndexType())
MEMREF = Constraint("AnyMemRef", "memref of any type values", lambda t: isinstance(t, MemRefType))
I64 = Constraint(
    "I64Attr",
    "64-bit signless integer attribute",
    lambda a: isinstance(a, IntegerAttr) and a.type == i64,
    "typed-int",
    type=i64,
)
UNIT = Constraint("UnitAttr", "unit attribute", lambda a: True, "unit")
REGION = Constraint("AnyRegion", "any region", lambda r: True)

I32 = i32


def field(name, constraint=ANY, quantity="one", effects=()):
    return Field(name, quantity, constraint, effects)


def attr(name, constraint=ANY_ATTR, optional=False, default=None):
    return AttrField(name, constraint, optional, default)


SPECS = (
    OpSpec(
        "t.add",
        operands=(field("lhs", INT), field("rhs", INT)),
        results=(field("result", INT),),
        traits=("Pure", "SameOperandsAndResultType"),
        format="$lhs `,` $rhs attr-dict `:` type($result)",
    ),
    OpSpec(
        "t.load",
        operands=(field("memref", MEMREF, effects=("read",)), field("indices", INDEX, VARIADIC)),
        results=(field("result"),),
        attrs=(attr("nontemporal", UNIT, True),),
        traits=(
            (
                "TypesMatchWith",
                "result type matches element type of 'memref'",
                "memref",
                "result",
                "element_type(t)",
            ),
        ),
        format=(
            "$memref `[` $indices `]` (`nontemporal` $nontemporal^)? attr-dict `:` type($memref)"
        ),
    ),
    OpSpec(
        "t.many",
        operands=(field("a", ANY, VARIADIC), field("maybe", INDEX, OPTIONAL), field("last", INT)),
        traits=("AttrSizedOperandSegments",),
        attrs=(attr("count", I64, default="4"),),
    ),
    OpSpec("t.end", traits=("Terminator", ("HasParent", "t.box"))),
    OpSpec(
        "t.box",
        regions=(field("body", REGION),),
        traits=("IsolatedFromAbove", "SingleBlock", ("SingleBlockImplicitTerminator", "t.end")),
        format="$body attr-dict",
    ),
)


def context() -> Context:
    registry.register(*SPECS)
    ctx = Context()
    ctx.load_dialect(Builtin)
    ctx.register_dialect("t", lambda: make_dialect("t", [s.name for s in SPECS], []))
    ctx.allow_unregistered = True
    return ctx
