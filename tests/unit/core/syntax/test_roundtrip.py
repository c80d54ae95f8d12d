# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text that is read and printed again: the same text comes out."""

from __future__ import annotations

import pytest

from xgpu.core.syntax import parse_attribute, parse_module, parse_type, print_module
from xgpu.core.syntax.printer import attribute_text


def generic(text: str, **options: bool) -> str:
    return print_module(parse_module(text, "f", allow_unregistered=True), generic=True, **options)


@pytest.mark.parametrize(
    "text",
    [
        "memref<4x?xf32, strided<[?, 1], offset: 3>, 3>",
        "memref<*xf32, 3>",
        "memref<f32>",
        "tensor<0x4xi1>",
        "tensor<2xcomplex<f32>, #a.b<1 -> 2>>",
        "vector<4x[8]xbf16>",
        "tuple<i1, tuple<>, none>",
        "(i32, () -> ()) -> ((i32) -> (f32, f64))",
        '!a.b<"x>", [1 -> 2]>',
        '!a<"b c">',
        "f8E4M3B11FNUZ",
        "ui7",
    ],
)
def test_types(text: str) -> None:
    assert attribute_text(parse_type(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "-7 : i8",
        "true",
        "0x7FC00001 : f32",
        "0x7FF0000000000000 : f64",
        "1.000000e-01 : f32",
        "9.997550e-02 : f16",
        "3.1415926535000001 : f64",
        "0.100000000000000005551 : f80",
        "[1, 2.000000e+00, 3 : index, 0x7FF0000000000000 : f64]",
        '{"1x" = 2 : i64, a, b.c = "q\\0A\\22\\\\"}',
        '@a::@"b c"::@d',
        "#foo.attr<a b> : !foo.ty",
        '#foo<"x y"> : tensor<4xf32>',
        "array<i1: true, false>",
        "array<f32: 1.500000e+00>",
        "array<i64>",
        "dense<> : tensor<0xf32>",
        "dense<[true, false]> : tensor<2xi1>",
        "dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>",
        "dense<7> : vector<4xi64>",
        "dense<(1,2)> : tensor<2xcomplex<i32>>",
        "dense<[1, 2]> : tensor<2xi128>",
        "dense<0xFF> : tensor<2xf8E5M2>",
        'dense<["a", "b"]> : tensor<2x!x.y>',
        "sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>",
        "dense_resource<k> : tensor<4xf32>",
        "affine_map<(d0, d1)[s0] -> (d0 * s0 - d1 * 3, (d0 + d1) floordiv 4 - 1, -d0)>",
        "affine_map<() -> ()>",
        "affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 * 3 - 5 == 0)>",
        "strided<[1, ?], offset: ?>",
        "unit",
        '"text" : i32',
        'loc(callsite("a"("b":1:2) at fused<"m">["c":1:2 to :4, "d":1:2 to 3:4]))',
        '#a.b<{2 -> 3}, "x">',
    ],
)
def test_attributes(text: str) -> None:
    assert attribute_text(parse_attribute(text)) == text


def test_many_elements_are_printed_in_hexadecimal() -> None:
    text = attribute_text(parse_attribute(f"dense<{list(range(120))}> : tensor<120xi20>"))
    assert text.startswith('dense<"0x000000010000020000')
    assert attribute_text(parse_attribute(text)) == text


def test_generic_form() -> None:
    text = """\
#map = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "m"}> ({
  "x.func"() <{a = #map}> ({
  ^bb0(%arg0: i32, %arg1: f32):
    %0:2 = "x.two"(%arg0, %1#1) {b} : (i32, f32) -> (i32, f32)
    "x.br"()[^bb1, ^bb2] : () -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb1
    %1:2 = "x.two"() : () -> (i32, f32)
    "x.br"()[^bb1] : () -> ()
  ^bb2:  // pred: ^bb0
    "x.return"(%0#0) ({
    }, {
    ^bb0(%arg2: i8):
      "a.b"() : () -> ()
    }) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
"""
    assert generic(text) == text


def test_locations_and_their_aliases() -> None:
    text = """\
#loc2 = loc("a":1:2)
"builtin.module"() ({
  "x.y"() ({
  ^bb0(%arg0: i32 loc("a":1:2)):
    "x.z"() : () -> () loc(#loc4)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc(unknown)
#loc1 = loc("f":3:4)
#loc3 = loc("n"(#loc2))
#loc4 = loc(fused[#loc3, #loc1])
"""
    assert generic(text, debuginfo=True) == text


def test_an_operation_has_the_place_of_its_name() -> None:
    module = parse_module('\n  %x = "a.b"() : () -> i1\n', "f", allow_unregistered=True)
    (op,) = module.body.block.ops
    assert str(op.location) == 'loc("f":2:8)'


def test_aliases_of_types_and_distinct_attributes() -> None:
    text = '!t = i32\n"a.b"() {x = !t, y = distinct[7]<>, z = distinct[7]<>} : () -> ()'
    assert "{x = i32, y = distinct[0]<>, z = distinct[0]<>}" in generic(text)


def test_resources() -> None:
    text = """\
module {
  "a.b"() {x = dense_resource<k> : tensor<1xi8>} : () -> ()
}

{-#
  dialect_resources: {
    builtin: {
      k: "0x0100000001"
    }
  }
#-}
"""
    module = parse_module(text, allow_unregistered=True)
    assert print_module(module) == text


def test_unknown_dialects_need_permission() -> None:
    from xgpu.core.ir.errors import DiagnosticError

    with pytest.raises(
        DiagnosticError, match="operation being parsed with an unregistered dialect"
    ):
        parse_module('"foo.bar"() : () -> ()')
