# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inline PTX as CUDA C++ writes it, whose addresses are registers: all of it is watched."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu

_PROGRAM = """module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global external @bars() {addr_space = 3 : i32, alignment = 128 : i64} :
        !llvm.array<64 x i64>
    gpu.func @k(%g: memref<64xi32>) kernel {
      %bars = llvm.mlir.addressof @bars : !llvm.ptr<3>
      %generic = llvm.addrspacecast %bars : !llvm.ptr<3> to !llvm.ptr
      %r32 = llvm.ptrtoint %bars : !llvm.ptr<3> to i32
      %r64 = llvm.ptrtoint %generic : !llvm.ptr to i64
      %at = memref.extract_aligned_pointer_as_index %g : memref<64xi32> -> index
      %g64 = arith.index_cast %at : index to i64
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %n = arith.constant 16 : i32
      %yes = arith.constant true
      %t = gpu.thread_id x
      %ti = arith.index_cast %t : index to i32
      %first = arith.cmpi eq, %ti, %zero : i32
      scf.if %first {
        nvvm.mbarrier.init %bars, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      scf.if %first {
        STATEMENT
      }
      gpu.return
    }
  }
  func.func @main() {
    %one = arith.constant 1 : index
    %n = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %t0 = gpu.wait async
    %g, %t1 = gpu.alloc async [%t0] () : memref<64xi32>
    %t2 = gpu.memset async [%t1] %g, %zero : memref<64xi32>, i32
    %t3 = gpu.launch_func async [%t2] @m::@k blocks in (%one, %one, %one)
        threads in (%n, %one, %one) args(%g : memref<64xi32>)
    %t4 = gpu.dealloc async [%t3] %g : memref<64xi32>
    gpu.wait [%t4]
    return
  }
}"""
_WAIT = (
    "{{\\0A.reg .pred P1;\\0A{again}:\\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1;\\0A"
    "@P1 bra {done};\\0Abra {again};\\0A{done}:\\0A}}"
)
_ARRIVE = 'llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" {at} : ({type}) -> ()\n'  # noqa: E501
_ADDRESSES = [("%r32", "i32", "r"), ("%bars", "!llvm.ptr<3>", "r")]


def program(statement):
    return _PROGRAM.replace("STATEMENT", statement)


def statement(text, constraints, operands, types):
    return f'llvm.inline_asm has_side_effects "{text}", "{constraints}" {operands} : {types}'


def one(text, at, type, letter, rest=""):
    return statement(text, letter + (",r" if rest else ""), f"{at}{', ' * bool(rest)}{rest}",
                     f"({type}{', i32' * bool(rest)}) -> ()")  # fmt: skip


@pytest.mark.parametrize("address", _ADDRESSES, ids=["register", "pointer"])
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("mbarrier.inval.shared::cta.b64 [$0];", ""),
        ("mbarrier.arrive.shared::cta.b64 _, [$0];", ""),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], $1;", "%zero"),
        ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "%zero"),
        ("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];", ""),
        ("mbarrier.init.shared::cta.b64 [$0+64], $1;", "%one"),
        ("st.shared.u32 [$0+128], $1;", "%one"),
    ],
)
def test_one_instruction(address, text, rest):
    found = xgpu.sanitize(program(one(text, *address, rest)))
    assert not found, found.text()


def test_an_address_of_64_bits():
    text = one("mbarrier.arrive.b64 _, [$0];", "%r64", "i64", "l")
    found = xgpu.sanitize(program(text))
    assert not found, found.text()


@pytest.mark.parametrize("address", _ADDRESSES, ids=["register", "pointer"])
@pytest.mark.parametrize("labels", [("LAB_WAIT", "DONE"), ("again", "done")])
def test_a_loop_that_waits(address, labels):
    at, type, letter = address
    again, done = labels
    arrive = _ARRIVE.format(at=at, type=type)
    wait = one(_WAIT.format(again=again, done=done), at, type, letter, "%zero")
    found = xgpu.sanitize(program(arrive + wait))
    assert not found, found.text()


def test_groups_of_copies_by_threads():
    text = one("cp.async.ca.shared.global [$0+128], [$1], 4;", "%r32", "i32", "r", "%g64")
    text = text.replace('"r,r"', '"r,l"').replace("(i32, i32)", "(i32, i64)")
    commit = statement("cp.async.commit_group;", "", "", "() -> ()")
    wait = statement("cp.async.wait_group 0;", "", "", "() -> ()")
    found = xgpu.sanitize(program("\n".join((text, commit, wait))))
    assert not found, found.text()


def test_under_a_predicate():
    text = statement(
        "@$2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,b",
        "%r32, %zero, %yes", "(i32, i32, i1) -> ()",
    )  # fmt: skip
    found = xgpu.sanitize(program(text))
    assert not found, found.text()


def test_what_no_table_has_is_an_error_with_its_line():
    text = one("mbarrier.frobnicate.b64 [$0];", "%r32", "i32", "r")
    with pytest.raises(xgpu.DiagnosticError, match=r"mbarrier\.frobnicate"):
        xgpu.sanitize(program(text))


def test_a_report_names_the_instruction_among_others():
    text = statement(
        r"{\0A.reg .pred q;\0Asetp.ne.b32 q, $1, 0;\0A"
        r"@q mbarrier.arrive.shared::cta.b64 _, [$0+8];\0A@!q st.shared.b32 [$0+1024], $1;}",
        "r,r", "%r32, %one", "(i32, i32) -> ()",
    )  # fmt: skip
    found = xgpu.sanitize(program(text))
    assert [f.kind for f in found] == ["sync", "init"]
    assert "in kernel 'k' (mbarrier.arrive.shared::cta.b64)" in found.text()


def test_a_sparse_product_is_refused_by_its_name():
    name = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"
    text = "%d = llvm.mlir.constant(0 : i64) : i64\n%x = " + statement(
        name + " {$0, $1, $2, $3}, $4, $5, $6, 0, 1, 1, 1, 0, 0;", "=r,=r,=r,=r,l,l,r",
        "%d, %d, %zero", "(i64, i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>",
    )  # fmt: skip
    with pytest.raises(xgpu.DeviceError, match=f"does not know what '{name}' does to memory"):
        xgpu.sanitize(program(text))


def test_only_kernels_that_are_launched_are_looked_at():
    name = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"
    product = statement(
        name + " {$0, $1, $2, $3}, $4, $5, $6, 0, 1, 1, 1, 0, 0;", "=r,=r,=r,=r,l,l,r",
        "%d, %d, %zero", "(i64, i64, i32) -> !llvm.struct<(i32, i32, i32, i32)>",
    )  # fmt: skip
    text = f"""
    gpu.module @m {{
      gpu.func @sparse() kernel {{
        %zero = llvm.mlir.constant(0 : i32) : i32
        %d = llvm.mlir.constant(0 : i64) : i64
        %x = {product}
        gpu.return
      }}
      gpu.func @plain(%x: memref<?xf32>) kernel {{
        %i = gpu.thread_id x
        %v = memref.load %x[%i] : memref<?xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %x[%i] : memref<?xf32>
        gpu.return
      }}
    }}
    """
    with xgpu.sanitized() as watched:
        kernels = xgpu.load(text, "host").kernels
        x = np.ones(32, np.float32)
        kernels["plain"][1, 32](x)
        assert x.tolist() == [2] * 32
        with pytest.raises(xgpu.DeviceError, match=f"does not know what '{name}' does to memory"):
            kernels["sparse"][1, 128]()
    assert not watched.findings()
