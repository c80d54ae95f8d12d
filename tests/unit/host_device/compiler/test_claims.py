# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What code claims to LLVM, and the build that checks it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerType, VectorType, i1, i8, i64
from xdsl.ir import Region

from tests.fuzz import kernel_runs
from tests.support import processes
from tests.support.kernel_launch import host_object
from tests.support.some_cases import short, some
from tests.support.strategy_codes import STRATEGIES, StrategyCodes
from tests.support.typed_kernels import TypedKernel
from tests.unit.host_device.compiler.test_block_sizes import KERNELS
from xgpu.core import ods
from xgpu.core.ir.errors import DeviceError
from xgpu.host_device.compiler import claims
from xgpu.host_device.compiler.emission import Builder
from xgpu.host_device.compiler.types import size_and_alignment
from xgpu.host_device.machine.claim_checks import with_checks
from xgpu.host_device.machine.cpu import (
    HostTarget,
    compile_ir,
    create_jit,
    host_target,
    made_for,
    optimize,
    parse,
    target_machine,
)
from xgpu.host_device.native.library import native_library
from xgpu.host_device.native.signals import caught_faults

CHECKED = HostTarget("", True)


# -- derived


@pytest.mark.parametrize(
    ("count", "element", "expected"),
    [(32, i1, (4, 4)), (16, i1, (2, 2)), (4, i1, (1, 1)), (33, i1, (8, 8)), (3, i8, (4, 4)),
     (32, i64, (256, 256))],
)  # fmt: skip
def test_vectors_are_packed(count: int, element: Any, expected: tuple[int, int]) -> None:
    assert size_and_alignment(VectorType(element, (count,))) == expected


def test_types_have_llvms_sizes() -> None:
    layout = target_machine().target_data
    for width in (1, 3, 8, 12, 16, 24, 32, 48, 64):
        for count in (1, 2, 3, 4, 5, 8, 16, 17, 32):
            ty = VectorType(IntegerType(width), (count,))
            module = parse(f"@g = external global <{count} x i{width}>")
            kind = module.get_global_variable("g").global_value_type
            found = size_and_alignment(ty)
            assert found == (layout.get_abi_size(kind), layout.get_abi_alignment(kind)), ty


def test_alignment_follows_from_the_allocation_and_the_steps() -> None:
    b = Builder(Region(), 32)
    masks = b.alloca(VectorType(i1, (32,)), 8)
    index = b.value("llvm.mlir.undef", (), i64)
    assert claims.of_address(masks) == 64
    assert claims.of_address(b.address(masks, 2, VectorType(i1, (32,)))) == 8
    assert claims.of_address(b.address(masks, index, VectorType(i1, (32,)))) == 4
    numbers = b.alloca(VectorType(i64, (32,)), 8)
    element = b.address(numbers, index, VectorType(i64, (32,)))
    assert claims.of_address(element) == 64
    assert claims.of_address(b.address(element, 24)) == 8
    pointer = b.value("llvm.mlir.undef", (), masks.type)
    assert claims.of_address(pointer) is None
    assert claims.access(pointer, i64) is None
    assert claims.access(pointer, i64, 2) == claims.aligned(2)


def test_flags_are_kept_where_a_thread_executes_the_operation() -> None:
    flags = ods.attr_class("llvm.overflow")("nsw")
    fast = ods.attr_class("llvm.fastmath")("nnan, contract")
    given: Mapping[str, Any] = {"overflowFlags": flags, "fastmathFlags": fast}
    assert claims.kept(given, executed=True) == given
    left = claims.kept(given, executed=False)
    assert "overflowFlags" not in left
    assert cast("Any", left["fastmathFlags"]).data == "contract"


# -- each claim


def _outcome(body: str, *arguments: int, head: str = "ptr %p") -> str | None:
    """Which claim of a function of one pointer does not hold, or None. The pointer is to 64-bit
    numbers, at a multiple of 64."""
    text = (
        f"define void @f({head}) {{\n  %x = load i64, ptr %p\n"
        f"  %q = getelementptr i64, ptr %p, i64 1\n  %y = load i64, ptr %q\n{body}\n"
        "  ret void\n}\ndeclare void @llvm.assume(i1)\n"
    )
    memory = ctypes.create_string_buffer(256)
    begin = -(-ctypes.addressof(memory) // 64) * 64
    for at, number in enumerate(arguments):
        ctypes.c_int64.from_address(begin + 8 * at).value = number
    from llvmlite import binding

    native = native_library()
    with made_for(CHECKED):
        code = compile_ir(text, 2)
        builder = binding.JITLibraryBuilder().add_object_img(code)
        tracker = builder.export_symbol("f").link(create_jit(), "test claims")
        with caught_faults():
            outcome = native.guard(tracker["f"], begin)
        return native.false_claim() or f"code {outcome}" if outcome else None


#: What claims something, arguments with which that holds, and those with which it does not.
CLAIMS: dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    "align 16 of 'load i32'": (
        "%a = getelementptr i8, ptr %p, i64 %x\n%v = load volatile i32, ptr %a, align 16",
        (16,), (8,)),
    "align 32 of 'store <32 x i1>'": (
        "%a = getelementptr i8, ptr %p, i64 %x\n"
        "store volatile <32 x i1> zeroinitializer, ptr %a, align 32", (32,), (4,)),
    "align 8 of 'atomicrmw add i32'": (
        "%a = getelementptr i8, ptr %p, i64 %x\n%v = atomicrmw add ptr %a, i32 1 seq_cst, align 8",
        (8,), (12,)),
    "align 8 of 'llvm.masked.gather'": (
        "%w = insertelement <2 x i64> <i64 8, i64 8>, i64 %x, i32 1\n"
        "%a = getelementptr i8, ptr %p, <2 x i64> %w\n"
        "%v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 8 %a, "
        "<2 x i1> <i1 true, i1 true>, <2 x i32> poison)\n"
        "store volatile <2 x i32> %v, ptr %p", (16,), (12,)),
    "nsw of 'add i64'": ("%v = add nsw i64 %x, %y", (1, 2), ((1 << 63) - 1, 1)),
    "nuw of 'sub i64'": ("%v = sub nuw i64 %x, %y", (2, 1), (1, 2)),
    "nsw of 'mul <2 x i64>'": (
        "%w = insertelement <2 x i64> <i64 1, i64 1>, i64 %x, i32 1\n"
        "%v = mul nsw <2 x i64> %w, %w", (5,), (1 << 40,)),
    "nuw of 'shl i64'": ("%v = shl nuw i64 %x, 4", (1,), (1 << 62,)),
    "exact of 'lshr i64'": ("%v = lshr exact i64 %x, 2", (8,), (6,)),
    "exact of 'udiv i64'": ("%v = udiv exact i64 %x, 3", (9,), (10,)),
    "disjoint of 'or i64'": ("%v = or disjoint i64 %x, %y", (1, 2), (3, 2)),
    "nneg of 'zext i32'": (
        "%n = trunc i64 %x to i32\n%v = zext nneg i32 %n to i64", (7,), (-1,)),
    "nsw of 'trunc i64'": ("%v = trunc nsw i64 %x to i8", (-3,), (200,)),
    "samesign of 'icmp i64'": ("%v = icmp samesign ult i64 %x, %y", (1, 2), (1, -2)),
    "nuw of 'getelementptr i8'": ("%v = getelementptr nuw i8, ptr %p, i64 %x", (8,), (-8,)),
    "inbounds of an index": (
        "%v = getelementptr inbounds i64, ptr %p, i64 %x", (1,), (1 << 61,)),
    "nnan of 'fadd double'": (
        "%n = bitcast i64 %x to double\n%v = fadd nnan double %n, 1.0", (0,), (0x7FF8 << 48,)),
    "ninf of 'fmul double'": (
        "%n = bitcast i64 %x to double\n%v = fmul ninf double %n, %n", (0,), (0x7FE0 << 48,)),
    "nonnull of what is loaded": ("%v = load ptr, ptr %p, !nonnull !{}", (1,), (0,)),
    "range of what is loaded": (
        "%v = load i64, ptr %p, !range !{i64 0, i64 10}", (9,), (10,)),
    "llvm.assume": ("%c = icmp eq i64 %x, 1\ncall void @llvm.assume(i1 %c)", (1,), (2,)),
    "align 32 of llvm.assume": (
        "%a = getelementptr i8, ptr %p, i64 %x\n"
        'call void @llvm.assume(i1 true) [ "align"(ptr %a, i64 32) ]', (32,), (16,)),
    "a shift by less than its bits of 'shl i64'": (
        "%v = shl i64 1, %x\nstore volatile i64 %v, ptr %p", (63,), (64,)),
    "the lane of 'extractelement <4 x i32>'": (
        "%v = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 %x\n"
        "store volatile i32 %v, ptr %p", (3,), (4,)),
    "not zero of 'llvm.cttz.i64'": (
        "%v = call i64 @llvm.cttz.i64(i64 %x, i1 true)\nstore volatile i64 %v, ptr %p",
        (4,), (0,)),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_false_claim_is_found(claim: str) -> None:
    body, good, bad = CLAIMS[claim]
    assert _outcome(body, *good) is None
    assert _outcome(body, *bad) == f"{claim}, in 'f'"


def test_what_arguments_claim() -> None:
    head = "ptr nonnull align 64 dereferenceable(64) %p"
    assert _outcome("", head=head) is None
    assert _outcome("", head="ptr align 65536 %p") == "align 65536 of a parameter, in 'f'"
    call = "%a = getelementptr i8, ptr %p, i64 %x\n"
    call += "call void @llvm.memset.p0.i64(ptr align 8 %a, i8 0, i64 8, i1 false)"
    assert _outcome(call, 16) is None
    assert _outcome(call, 4) == "align 8 of an argument of 'llvm.memset.p0.i64', in 'f'"


def test_what_is_not_reached() -> None:
    body = """
  %c = icmp eq i64 %x, 1
  br i1 %c, label %bad, label %good
bad:
  unreachable
good:"""
    assert _outcome(body, 0) is None
    assert _outcome(body, 1) == "control gets to 'unreachable', in 'f'"


def test_poison_that_is_not_chosen_is_no_claim() -> None:
    body = "%v = shl i64 1, %x\n%c = icmp ult i64 %x, 64\n%w = select i1 %c, i64 %v, i64 0\n"
    assert _outcome(body + "store volatile i64 %w, ptr %p", 100) is None


def test_lanes_that_are_off_claim_nothing() -> None:
    body = (
        "%w = insertelement <2 x i64> <i64 8, i64 8>, i64 %x, i32 1\n"
        "%a = getelementptr i8, ptr %p, <2 x i64> %w\n"
        "%v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 8 %a, "
        "<2 x i1> <i1 true, i1 false>, <2 x i32> zeroinitializer)\n"
        "store volatile <2 x i32> %v, ptr %p"
    )
    assert _outcome(body, 12) is None


#: A function for narrow vectors, of which another that says nothing of vectors becomes part.
INLINED = """
declare void @llvm.masked.scatter.v32i32.v32p0(<32 x i32>, <32 x ptr>, <32 x i1>)
define internal void @part(ptr %p) alwaysinline {
  store i32 1, ptr %p
  ret void
}
define void @f(ptr %p, i32 %m) nounwind "prefer-vector-width"="256" "min-legal-vector-width"="0" {
  call void @part(ptr %p)
  %mask = bitcast i32 %m to <32 x i1>
  %a = getelementptr i32, ptr %p, <32 x i32> zeroinitializer
  call void @llvm.masked.scatter.v32i32.v32p0(
      <32 x i32> zeroinitializer, <32 x ptr> align 4 %a, <32 x i1> %mask)
  ret void
}
"""


def _register_widths(text: str) -> dict[str, set[str]]:
    """What callers and callees of checks of vectors say of the width of registers."""
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}$", text, re.MULTILINE))
    widths: dict[str, str] = {}
    called: dict[str, list[str]] = {}
    caller = ""
    for line in text.splitlines():
        if head := re.match(r"define .*?@([\w.]+)\(.*\) (#\d+)", line):
            caller = head[1]
            widths[caller] = " ".join(re.findall(r'"[\w-]+-vector-width"="\d+"', groups[head[2]]))
        elif call := re.search(r"call void @(xgpu\.claim\.\d+)\(<", line):
            called.setdefault(call[1], []).append(caller)
    return {name: {widths[f] for f in (name, *callers)} for name, callers in called.items()}


def _optimized(text: str) -> str:
    module = parse(with_checks(str(parse(text))))
    optimize(module, 0)
    return str(module)


def test_checks_find_vectors_where_callers_put_them() -> None:
    """LLVM changes what a function says of the width of registers as it inlines others into it: a
    check that says something else looks for its operands in other registers."""
    found = _register_widths(_optimized(INLINED))
    assert found
    assert all(len(widths) == 1 for widths in found.values()), found


@pytest.mark.parametrize("strategy", STRATEGIES[:2])
def test_checks_of_kernels_find_vectors_where_callers_put_them(strategy: str) -> None:
    """Of a kernel for narrow vectors with gathers, and with what is inlined into it."""
    kernel = kernel_runs.kernel_of(457)
    codes = StrategyCodes(host_object(kernel.text), "k", kernel.block)
    found = _register_widths(_optimized(codes._text(strategy)[0]))
    assert found
    assert all(len(widths) == 1 for widths in found.values()), found


# -- kernels


def test_a_false_claim_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The alignment that a lane mask in a slot once had, at sizes at which it does no harm."""
    right = claims.access

    def wrong(address: Any, ty: Any, alignment: int = 0) -> Any:
        is_slot = ty == VectorType(i1, (32,)) and claims.of_address(address) == 4
        return claims.aligned(32) if is_slot else right(address, ty, alignment)

    monkeypatch.setattr(claims, "access", wrong)
    data = host_object(KERNELS["two sums"][0])
    for size in (64, 96, 160, 352, 1024):
        given = np.ones(size, np.float32)
        with made_for(CHECKED):
            codes = StrategyCodes(data, "k", (size, 1, 1))
            with pytest.raises(DeviceError) as raised:
                codes.launch("block-loops", 0, 1, given, given.copy())
        text = str(raised.value)
        assert "false claim: align 32 of 'store <32 x i1>', in 'xgpu.body.k' at -:" in text
        assert "block (0, 0, 0)" in text


@pytest.mark.parametrize(("name", "size"), some(list(KERNELS), [32, 80, 256], of=3))
def test_kernels_claim_what_holds(name: str, size: int) -> None:
    data = host_object(KERNELS[name][0])
    with made_for(CHECKED):
        codes = StrategyCodes(data, "k", (size, 1, 1))
        given = np.linspace(-1, 1, size).astype(np.float32)
        for strategy in STRATEGIES:
            if codes.has(strategy):
                codes.launch(strategy, 0, 1, given, given.copy())


def _flagged(condition: str) -> str:
    return f"""
    module attributes {{gpu.container_module}} {{
      gpu.module @m {{
        gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>) kernel {{
          %i = gpu.thread_id x
          %x = memref.load %in[%i] : memref<?xi32>
          %most = arith.constant 1000 : i32
          %zero = arith.constant 0 : i32
          %c = {condition}
          %r = scf.if %c -> (i32) {{
            %y = arith.muli %x, %x overflow<nsw, nuw> : i32
            scf.yield %y : i32
          }} else {{
            scf.yield %zero : i32
          }}
          memref.store %r, %out[%i] : memref<?xi32>
          gpu.return
        }}
      }}
    }}
    """


def test_flags_hold_for_the_threads_that_execute_an_operation() -> None:
    """A product that is small where it is computed: no branch guards it in a vector."""
    data = host_object(_flagged("arith.cmpi ult, %x, %most : i32"))
    given = np.array([3, 1 << 20, 999, -5] * 8, np.int32)
    with made_for(CHECKED):
        for strategy in STRATEGIES:
            found = np.zeros(32, np.int32)
            StrategyCodes(data, "k", (32, 1, 1)).launch(strategy, 0, 1, given.copy(), found)
            assert found.tolist() == [9, 0, 998001, 0] * 8
    data = host_object(_flagged("arith.cmpi ne, %x, %most : i32"))
    with made_for(CHECKED), pytest.raises(DeviceError, match="nsw of 'mul i32'"):
        StrategyCodes(data, "k", (32, 1, 1)).launch("threads", 0, 1, given, np.zeros(32, np.int32))


def _shifted(statement: str) -> str:
    return f"""
    module attributes {{gpu.container_module}} {{
      gpu.module @m {{
        gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>) kernel {{
          %i = gpu.thread_id x
          %x = memref.load %in[%i] : memref<?xi32>
          %one = arith.constant 1 : i32
          %most = arith.constant 32 : i32
          %c = arith.cmpi ult, %x, %most : i32
          scf.if %c {{
            %y = {statement} : i32
            %d = arith.cmpi ne, %y, %most : i32
            scf.if %d {{
              memref.store %y, %out[%i] : memref<?xi32>
            }}
          }}
          gpu.return
        }}
      }}
    }}
    """


@pytest.mark.parametrize("strategy", STRATEGIES[:2])
def test_lanes_that_do_not_run_give_no_poison(strategy: str) -> None:
    """Of a shift by too much in such a lane: the mask of the inner condition is made of it."""
    given = np.array([3, 32, 31, -1] * 8, np.int32)
    found = np.zeros(32, np.int32)
    with made_for(CHECKED):
        codes = StrategyCodes(host_object(_shifted("arith.shli %one, %x")), "k", (32, 1, 1))
        codes.launch(strategy, 0, 1, given, found)
    assert found.tolist() == [8, 0, -(1 << 31), 0] * 8


UNIFORM = """
    module attributes {gpu.container_module} {
      gpu.module @m {
        gpu.func @k(%in: memref<?xi32>, %out: memref<?xi32>, %n: i32) kernel {
          %i = gpu.thread_id x
          %t = arith.index_cast %i : index to i32
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : i32
          %most = arith.constant 1000 : i32
          %u = memref.load %in[%zero] : memref<?xi32>
          %v = arith.addi %u, %t : i32
          %few = arith.cmpi ult, %v, %most : i32
          %a = scf.if %few -> (i32) {
            %y = arith.muli %u, %u overflow<nsw> : i32
            scf.yield %y : i32
          } else {
            scf.yield %one : i32
          }
          gpu.barrier
          %small = arith.cmpi ult, %n, %most : i32
          %b = scf.if %small -> (i32) {
            %y = arith.muli %n, %n overflow<nsw> : i32
            scf.yield %y : i32
          } else {
            scf.yield %one : i32
          }
          %r = arith.addi %a, %b : i32
          memref.store %r, %out[%i] : memref<?xi32>
          gpu.return
        }
      }
    }
    """


def test_flags_do_not_hold_before_a_branch() -> None:
    """What is the same for a block is computed before its branches, and for a side that no thread
    takes."""
    data = host_object(UNIFORM)
    with made_for(CHECKED):
        for strategy in STRATEGIES:
            for number, expected in ((1 << 20, 2), (30, 1800)):
                given, found = np.full(32, number, np.int32), np.zeros(32, np.int32)
                codes = StrategyCodes(data, "k", (32, 1, 1))
                codes.launch(strategy, 0, 1, given, found, ctypes.c_int32(number))
                assert found.tolist() == [expected] * 32


@pytest.mark.parametrize("seed", short([0, 3, 7, 11], 3))
def test_random_kernels_claim_what_holds(seed: int) -> None:
    with made_for(CHECKED):
        kernel = kernel_runs.kernel_of(seed)
        assert kernel_runs.check_kernel(kernel.text, kernel, seed, 1, (0,)) is None


def test_wide_vectors_that_live_across_waits() -> None:
    """A frame has the alignment of the widest of them, which is more than 64 bytes."""
    kernel = next(
        k for k in map(TypedKernel, range(100)) if k.threads == 256 and "i64" in k.text
    )  # fmt: skip
    with made_for(CHECKED):
        assert kernel_runs.check_kernel(kernel.text, kernel, 0, 1, (0,)) is None


# -- all of it


def _checked(*command: str) -> None:
    import os
    import pathlib
    import sys

    root = pathlib.Path(__file__).resolve().parents[4]
    environment = {**os.environ, "XGPU_HOST_TARGET": "checked"}
    run = processes.run(
        [sys.executable, *command], cwd=root, env=environment, capture_output=True, text=True,
        check=False, timeout=3600, seconds=3600,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, 5000, 500))
def test_many_random_kernels_claim_what_holds(first: int) -> None:
    _checked("-m", "tests.fuzz.programs", "kernels", "--seeds", f"{first}:{first + 500}")


#: Kernels that break what they claim themselves: their tests expect another fault, or further ones.
WRONG_ON_PURPOSE = (
    "tests/unit/host_device/compiler/test_warp_kernels.py::test_a_fault_names_the_thread",
    "tests/unit/host_device/device/test_pages.py::test_use_before_the_beginning",
    "tests/circular/test_mutations.py::test_a_mistake_is_found",
)


@pytest.mark.exhaustive
@pytest.mark.skipif(host_target().is_checked, reason="this is the checked build")
@pytest.mark.parametrize(
    "folder",
    ["tests/unit/host_device/compiler", "tests/unit/host_device/device", "tests/circular",
     "tests/filecheck/conversion", "tests/filecheck/transforms",
     "tests/unit/runtime/test_examples.py", "tests/unit/api/test_gallery.py"],
)  # fmt: skip
def test_the_suite_claims_what_holds(folder: str) -> None:
    left_out = [f"--deselect={name}" for name in WRONG_ON_PURPOSE]
    _checked("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", folder, *left_out)
