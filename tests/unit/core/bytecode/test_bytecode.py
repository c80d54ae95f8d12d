# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytecode: what is written is read as the same module, and what is damaged is one diagnostic.

`tests/parity/test_bytecode.py` compares the bytes with mlir-opt's. Here is one file of ours in
hexadecimal that mlir-opt 22.1 has read as this module, and writes so itself.
"""

from __future__ import annotations

import pathlib
import random
from typing import Any

import pytest
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, UnitAttr, i32
from xdsl.ir import Attribute

from xgpu.core.bytecode import read_bytecode, write_bytecode
from xgpu.core.bytecode.encoding import NATIVE_PROPERTIES, Cursor, Emitter
from xgpu.core.bytecode.numbering import Numbering
from xgpu.core.ir.construction import next_use, set_uses, using_operation
from xgpu.core.ir.errors import DiagnosticError, UsageError
from xgpu.core.syntax import parse_module, print_module
from xgpu.core.syntax.verify import verify_module
from xgpu.driver import compiler
from xgpu.tools.xgpu_opt import main

#: Blocks, forward references, segments, flags, floats, dense constants, all kinds of resources.
MODULE = """
#map = affine_map<(d0, d1) -> (d1, d0)>
module @m attributes {
  t.note = "\\C3\\28", t.list = [1 : i8, -2 : i64, 0x7FC00001 : f32, @m::@f, unit]
} {
  func.func @f(%c: i1, %n: index, %m: memref<4x?xf32, #map, 3 : i32>) -> i32 {
    %a = arith.constant -7 : i32
    %b = arith.addi %a, %a overflow<nsw> : i32
    cf.cond_br %c, ^later, ^first(%b : i32)
  ^first(%x: i32):
    %d = memref.alloc(%n) {alignment = 64 : i64} : memref<?xvector<[4]x2xi7>>
    %i = affine.linearize_index disjoint [%n, %n] by (3, 5) : index
    cf.br ^defines
  ^uses:
    %o = arith.addi %forward, %x : i32
    cf.br ^last(%o : i32)
  ^defines:
    %forward = arith.muli %a, %x : i32
    cf.br ^uses
  ^later:
    cf.br ^first(%a : i32)
  ^last(%r: i32):
    %t = arith.constant dense<[true, false, true]> : tensor<3xi1>
    %s = arith.constant dense<2.5> : tensor<2x2xbf16>
    %w = arith.constant dense<[1, -1]> : tensor<2xi100>
    %z = arith.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f64>>
    %k = arith.constant dense_resource<blob> : tensor<2xi8>
    %q = scf.if %c -> i32 {
      scf.yield %r : i32
    } else {
      %e = "unknown.uses_nothing"() ({ "unknown.end"() : () -> () }) : () -> i32
      scf.yield %e : i32
    }
    return %q : i32
  }
  llvm.func @g(%p: !llvm.ptr, %v: i32) attributes {
    t.loop = #llvm.loop_annotation<mustProgress = true, unroll = <count = 2 : i32>>,
    t.var = #llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">, name = "v", line = 3>,
    t.sparse = sparse<[[0, 1]], 3> : tensor<2x2xi32>, t.array = array<i1: true, false>,
    t.words = dense<["a", "b"]> : tensor<2x!llvm.ptr>, t.small = 1.0 : f8E5M2
  } {
    %0 = llvm.getelementptr inbounds %p[%v, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i8>
    %1 = llvm.add %v, %v overflow<nsw, nuw> : i32
    llvm.return loc(callsite("in"("x.c":3:4) at fused<"why">["y.c":1:2 to 3:4, unknown]))
  }
}
{-#
  dialect_resources: {builtin: {blob: "0x100000000102"}},
  external_resources: {tool: {flag: true, text: "words"}}
#-}
"""


def generic(module: ModuleOp) -> str:
    return print_module(module, generic=True, debuginfo=True)


def again(module: ModuleOp, version: int | None = None) -> ModuleOp:
    return read_bytecode(write_bytecode(module, version=version), allow_unregistered=True)


def module_of(text: str = MODULE) -> ModuleOp:
    module = parse_module(text, "m.mlir", allow_unregistered=True)
    verify_module(module)
    return module


@pytest.mark.parametrize("version", range(7))
def test_every_version_is_read_as_the_same_module(version: int) -> None:
    text = MODULE
    if version < NATIVE_PROPERTIES:  # in which flags that are no attributes are lost
        for flag in (" disjoint", " inbounds", " overflow<nsw, nuw>"):
            text = text.replace(flag, "")
    module = module_of(text)
    found = again(module_of(), version=version)
    verify_module(found)
    assert generic(found) == generic(module)
    assert write_bytecode(found, version=version) == write_bytecode(module, version=version)


SMALL = """
func.func @f(%a: i32) -> i32 {
  %c = arith.constant 5 : i32
  %d = arith.addi %a, %c : i32
  return %d : i32
}
"""
SMALL_BYTES = """
4d4cef520d74657374000121070105090b01030f030507130505171b032b170501150b130b0b13130f13131305035901
050f17027f050f170101010d030511170105031701051d110115170107111701091117010b072361726974682e6f7665
72666c6f773c6e6f6e653e000102020503010301045b050150030107044b0301050350090307043703070f03030b0007
420f05030109461107030105010305041303050603010501008513050f0b130f0f0d0b116275696c74696e0066756e63
006172697468006d6f64756c650072657475726e00636f6e7374616e740061646469006d2e6d6c6972006600081f0905
01010d010501010701030d032b
"""


def test_bytes_are_those_of_mlir_opt() -> None:
    module = module_of(SMALL)
    assert write_bytecode(module, producer="test").hex() == SMALL_BYTES.replace("\n", "")
    assert generic(read_bytecode(bytes.fromhex(SMALL_BYTES))) == generic(module)


@pytest.mark.parametrize(
    "value", [0, 1, 127, 128, (1 << 14) - 1, 1 << 14, 1 << 35, 1 << 55, 1 << 56, (1 << 64) - 1]
)
def test_integers_of_variable_width(value: int) -> None:
    out = Emitter()
    out.varint(value)
    out.signed(-(value >> 1))
    out.integer(value, 64)
    out.integer(value * value, 200)
    cursor = Cursor(bytes(out.data), "-")
    found = cursor.varint(), cursor.signed(), cursor.integer(64), cursor.integer(200)
    assert found == (value, -(value >> 1), value, value * value)
    assert cursor.at == cursor.end


def test_unregistered_operations_and_dialects() -> None:
    text = (
        '"foo.op"() <{a = #foo<x y>}> ({^bb(%x: !bar.type<1>): "foo.end"(%x) : (!bar.type<1>) '
        '-> ()}) {b = 1 : i8} : () -> ()\n"foo.op"() : () -> ()\nmgpu.annotate "own"'
    )
    module = parse_module(text, allow_unregistered=True)
    data = write_bytecode(module)
    assert generic(read_bytecode(data, allow_unregistered=True)) == generic(module)
    with pytest.raises(DiagnosticError, match="dialect 'foo' is unknown"):
        read_bytecode(data)


def uses(module: ModuleOp) -> list[list[tuple[str, int]]]:
    """The users of each value, in the order of its list of uses."""
    found: list[list[tuple[str, int]]] = []
    for op in module.walk():
        values = [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
        for value in values:
            found.append([])
            use = value.first_use
            while use is not None:
                found[-1].append((str(using_operation(use).attributes.get("n")), use.index))
                use = next_use(use)
    return found


def test_the_order_of_uses_is_kept() -> None:
    users = "".join(
        f'"unknown.use"(%a, %b, %a) {{n = {n} : i32}} : (i32, i32, i32) -> ()\n' for n in range(9)
    )
    module = parse_module(
        f'%a, %b = "unknown.def"() : () -> (i32, i32)\n{users}', allow_unregistered=True
    )
    rng = random.Random(1)
    operations = [op for op in module.walk() if op.name == "unknown.use"]
    for op in rng.sample(operations, 5):
        op.operands = list(op.operands)  # its uses are the newest now
    assert uses(again(module)) == uses(module)
    assert uses(again(module)) != uses(parse_module(print_module(module), allow_unregistered=True))


def test_few_uses_out_of_order_are_pairs() -> None:
    users = "".join(f'"unknown.use"(%a) {{n = {n} : i32}} : (i32) -> ()\n' for n in range(20))
    module = parse_module(f'%a = "unknown.def"() : () -> i32\n{users}', allow_unregistered=True)
    value = next(op for op in module.walk() if op.name == "unknown.def").results[0]
    found = list(value.uses)
    found[3], found[7], found[9] = found[7], found[9], found[3]
    set_uses(value, found)
    plain = parse_module(print_module(module), allow_unregistered=True)
    # A count, and three pairs.
    assert len(write_bytecode(module)) - len(write_bytecode(plain)) < 10
    assert uses(again(module)) == uses(module) != uses(plain)


def test_blobs_are_aligned_in_the_file() -> None:
    text = MODULE.replace("0x100000000102", "0x40000000" + "ab" * 40)
    data = write_bytecode(module_of(text))
    assert data.index(b"\xab" * 40) % 64 == 0
    elided = write_bytecode(module_of(text), elide_resources=True)
    assert b"\xab\xab" not in elided
    assert "xgpu_resources" not in vars(read_bytecode(elided, allow_unregistered=True))


def test_distinct_attributes_stay_distinct() -> None:
    text = """
    #a = #llvm.access_group<id = distinct[0]<>>
    #b = #llvm.access_group<id = distinct[1]<>>
    "unknown.op"() {a = #a, b = #b, c = [#a, distinct[2]<unit>, distinct[3]<unit>]} : () -> ()
    """
    module = parse_module(text, allow_unregistered=True)
    assert generic(again(module)) == generic(module)


def test_attributes_in_attributes_to_a_depth() -> None:
    nested: Attribute = UnitAttr()
    for _ in range(100):
        nested = ArrayAttr([nested, IntegerAttr(1, i32)])
    module = ModuleOp([], {"nested": nested})
    assert again(module).attributes["nested"] == nested


# -- what is wrong


def fails(data: bytes) -> str:
    """The message of the one diagnostic about `data`."""
    with pytest.raises(DiagnosticError) as caught:
        read_bytecode(data, "x.mlirbc")
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.message


def test_a_truncated_file_is_one_diagnostic() -> None:
    data = write_bytecode(module_of(SMALL))
    for end in range(len(data)):
        assert ", at offset " in fails(data[:end])


def test_messages() -> None:
    data = write_bytecode(module_of(SMALL), producer="p")
    assert fails(b"module {}") == "expected MLIR's bytecode, at offset 0"
    newer = data[:4] + b"\x0f" + data[5:]
    assert fails(newer) == "bytecode version 7 is newer than the current version 6, at offset 4"
    section = data[7 : 9 + (data[8] >> 1)]  # behind the version and the producer: the dialects
    assert fails(data + section) == f"duplicate top-level section: DIALECT, at offset {len(data)}"
    with pytest.raises(UsageError, match=r"unsupported version requested 7, must be in range"):
        write_bytecode(module_of(SMALL), version=7)


def test_an_attribute_that_refers_to_itself() -> None:
    module = ModuleOp([], {"a": ArrayAttr([ArrayAttr([UnitAttr()])])})
    data = write_bytecode(module, producer="p")
    # An array of one element is its code, a count and an index.
    at = [place for place in range(len(data)) if data[place : place + 2] == b"\x01\x03"]
    messages = set[str]()
    for place in at:
        for index in range(8):
            changed = bytearray(data)
            changed[place + 2] = index << 1 | 1
            try:
                read_bytecode(bytes(changed))
            except DiagnosticError as problem:
                messages.add(problem.message.partition(",")[0])
    assert "attribute or type refers to itself" in messages


def test_attributes_that_refer_to_each_other_at_a_depth() -> None:
    nested: Attribute = ArrayAttr([UnitAttr()])
    for _ in range(100):
        nested = ArrayAttr([nested])
    module = ModuleOp([], {"nested": nested})
    numbering = Numbering(module, 6, {})
    unit, outer = (numbering.attribute_number(a) << 1 | 1 for a in (UnitAttr(), nested))
    # The innermost array holds the outermost one.
    data = write_bytecode(module).replace(bytes((1, 3, unit)), bytes((1, 3, outer)))
    assert fails(data).startswith("attribute or type refers to itself, at offset")


def test_numbers_that_cannot_be_right_are_refused() -> None:
    out = Emitter()
    out.varint(1 << 40)
    with pytest.raises(DiagnosticError, match="expected 1099511627776 blocks, but only 0 bytes"):
        Cursor(bytes(out.data), "-").count("blocks")


@pytest.mark.long
def test_damaged_files_are_diagnostics() -> None:
    """2,000 files with changed, missing and additional bytes: a module, or one diagnostic."""
    rng = random.Random(20)
    seeds = [write_bytecode(module_of(text)) for text in (MODULE, SMALL, SMALL)]
    seeds.append(write_bytecode(module_of(MODULE), version=3))
    refused = 0
    for number in range(2000):
        data = bytearray(seeds[number % len(seeds)])
        at = rng.randrange(4, len(data))
        if number % 5 == 0:
            del data[at:]
        elif number % 5 == 1:
            data[at:at] = rng.randbytes(rng.randrange(1, 9))
        elif number % 5 == 2:
            del data[at : at + rng.randrange(1, 9)]
        else:
            for _ in range(rng.choice((1, 1, 2, 5))):
                data[rng.randrange(4, len(data))] = rng.randrange(256)
        try:
            module = read_bytecode(bytes(data), allow_unregistered=True)
            verify_module(module)
            print_module(module)
        except DiagnosticError:
            refused += 1
    assert refused > 1500


# -- tools


def test_tools_read_and_write_it(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, file = tmp_path / "f.mlir", tmp_path / "f.mlirbc"
    source.write_text(SMALL)
    assert main([str(source), "--emit-bytecode", "-o", str(file)]) == 0
    assert file.read_bytes() == write_bytecode(parse_module(SMALL, str(source)))
    assert main([str(file), "--split-input-file", "--verify-roundtrip"]) == 0
    text = capsys.readouterr().out
    assert main([str(source)]) == 0
    assert text == capsys.readouterr().out
    programs: tuple[Any, ...] = (file, str(file), file.read_bytes())
    for program in programs:
        assert print_module(compiler.parse(program)) == text.rstrip("\n") + "\n"
    file.write_bytes(file.read_bytes()[:100])
    assert main([str(file)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{file}:0:0: error: attempting to parse ")
    assert f"{file}:0:0: note: in bytecode version 6 produced by: xgpu" in error
    assert main([str(source), "--emit-bytecode", "--emit-bytecode-version=x"]) == 1
    assert "Invalid argument 'x', only integer is supported" in capsys.readouterr().err
    assert main([str(source), "--emit-bytecode-version=4"]) == 1
    assert capsys.readouterr() == (
        "", "xgpu-opt: option '--emit-bytecode-version' needs '--emit-bytecode'\n"
    )  # fmt: skip
