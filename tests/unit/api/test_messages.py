# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a caller in Python sees of mistakes, and the names that the API has."""

from __future__ import annotations

import os
import pickle
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import xgpu
from tests.support import processes
from xgpu.core.ir.errors import DeviceError, public
from xgpu.core.support.demangle import demangled

ROOT = Path(__file__).parents[3]
TEXT = """\
gpu.module @m {
  gpu.func @k(%x: memref<?xf32>, %n: index) kernel {
    %i = gpu.thread_id x
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %one = arith.constant 1.0 : f32
      memref.store %one, %x[%i] : memref<?xf32>
    }
    gpu.return
  }
}
func.func @twice(%a: index, %b: index) -> index {
  %c = arith.muli %a, %b : index
  return %c : index
}
func.func @sized(%n: index) {
  %a = gpu.alloc(%n) : memref<?xf32>
  gpu.dealloc %a : memref<?xf32>
  return
}
"""
BAD = "func.func @f() {\n  %a = arith.constant -inf : f32\n  return\n}\n"


@pytest.fixture(scope="module")
def module() -> xgpu.Module:
    return xgpu.load(TEXT, device="host", chip="sm_90")


def shown(call: Callable[[], object]) -> list[str]:
    """The lines of the traceback that a caller of `call` sees, without this test's own frames."""
    try:
        call()
    except Exception as problem:
        lines = "".join(traceback.format_exception(problem)).splitlines()
        own = [i for i, line in enumerate(lines) if Path(__file__).name in line]
        return lines[own[-1] :]
    raise AssertionError("nothing was raised")


def frames(lines: list[str]) -> int:
    return sum(line.startswith("  File ") for line in lines)


def test_a_mistake_in_a_text_is_short_and_its_last_line_says_it() -> None:
    lines = shown(lambda: xgpu.load(BAD, device="host"))
    assert len(lines) <= 11
    assert frames(lines) == 2
    assert lines[-1] == (
        "-:2:24: error: expected constant integer or floating point value; -inf of f32 is written "
        "as its bits, 0xFF800000 : f32"
    )


def test_notes_are_cut_but_kept() -> None:
    text = "func.func @f(%a: i32) {\n  %0 = arith.addf %a, %a : f32\n  return\n}\n"
    with pytest.raises(xgpu.DiagnosticError) as caught:
        xgpu.load(text, device="host")
    assert len(str(caught.value).splitlines()) <= 5
    assert len(caught.value.diagnostics[0].notes) == 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is xgpu.DiagnosticError


MISTAKES = {
    "a name": lambda m, x: m.kernels["q"],
    "an attribute": lambda m, x: m.kernels.q,
    "a grid": lambda m, x: m.kernels.k[0, 1],
    "no block": lambda m, x: m.kernels.k[1],
    "too few": lambda m, x: m.kernels.k[1, 1](x),
    "a keyword": lambda m, x: m.kernels.k[1, 1](x, m=3),
    "an element type": lambda m, x: m.kernels.k[1, 1](x.astype("f8"), 3),
    "a block": lambda m, x: m.kernels.k[1, 2048](x, 3),
    "an occupancy": lambda m, x: m.kernels.k.occupancy(2048),
    "a function": lambda m, x: m.functions.twice("a", 1),
    "an entry": lambda m, x: xgpu.run(TEXT, entry="no", device="host"),
    "a device": lambda m, x: xgpu.load(TEXT, device="gpu"),
    "a stream": lambda m, x: xgpu.Stream("gpu"),
    "an event": lambda m, x: xgpu.Event("gpu"),
    "a shape": lambda m, x: xgpu.empty((-1,), device="host"),
    "a negative size": lambda m, x: m.functions.sized(-75),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_traceback_ends_at_the_call(module: xgpu.Module, what: str) -> None:
    x = np.zeros(8, np.float32)
    lines = shown(lambda: MISTAKES[what](module, x))
    assert len(lines) <= 10
    assert frames(lines) <= 3
    assert re.match(r"(xgpu\.)?\w+Error: .*\w", lines[-1]) or ": error: " in lines[-1]


def test_internals_are_shown_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XGPU_DEBUG", "1")
    assert frames(shown(lambda: xgpu.load(BAD, device="host"))) > 5


def test_an_internal_error_keeps_its_frames() -> None:
    def inner() -> None:
        raise TypeError("a defect")

    @public
    def function() -> None:
        inner()

    assert frames(shown(function)) >= 1
    with pytest.raises(TypeError) as caught:
        function()
    assert [f.name for f in traceback.extract_tb(caught.value.__traceback__)][-1] == "inner"


def test_a_builder_ends_at_the_call() -> None:
    from xgpu.dialects import gpu

    lines = shown(lambda: gpu.ThreadIdOp(dimension="w"))
    assert frames(lines) <= 2
    assert lines[-1] == "ValueError: dimension must be one of x, y, z, but is 'w'"


# -- names


def test_arguments_by_the_names_of_parameters(module: xgpu.Module) -> None:
    x = np.zeros(8, np.float32)
    module.kernels.k[1, 8](n=3, x=x)
    assert x.sum() == 3
    module.kernels["k"][1, 8](x, n=5)
    assert x.sum() == 5
    assert module.functions.twice(b=3, a=2) == 6
    for call, words in (
        (lambda: module.kernels.k[1, 8](x, m=5),
         "kernel 'k' has no parameter 'm'; there are: x, n"),
        (lambda: module.kernels.k[1, 8](x, 3, n=5), "kernel 'k': argument 'n' is given twice"),
        (lambda: module.kernels.k[1, 8](n=5),
         "kernel 'k' takes 2 arguments (x, n), but 1 was given; missing: x"),
        (lambda: module.functions.twice(2, bb=1),
         "function 'twice' has no parameter 'bb'; did you mean 'b'?"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=f"^{re.escape(words)}$"):
            call()


def test_kernels_and_functions_are_attributes(module: xgpu.Module) -> None:
    assert module.kernels.k is module.kernels["k"]
    assert "k" in dir(module.kernels)
    assert {"twice", "sized"} <= set(dir(module.functions))
    with pytest.raises(AttributeError, match=r"^no function 'twic'; did you mean 'twice'\?$"):
        _ = module.functions.twic
    assert not hasattr(module.kernels, "__array__")


def test_what_is_public() -> None:
    assert dir(xgpu) == sorted(xgpu.__all__)
    for name in xgpu.__all__:
        assert getattr(xgpu, name) is not None
    assert issubclass(xgpu.ProgramError, xgpu.UsageError)
    with pytest.raises(xgpu.UsageError, match="entry point 'no' not found"):
        xgpu.run(TEXT, entry="no", device="host")


def test_the_document_names_what_is_public() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text()
    assert set(re.findall(r"^## xgpu\.(\w+)", text, re.MULTILINE)) == {
        name for name in xgpu.__all__ if name not in ("MLIR_VERSION", "__version__")
    }


# -- values out of range


def test_values_out_of_range_are_refused_in_a_sentence(module: xgpu.Module) -> None:
    x = np.zeros(8, np.float32)
    of_n = "kernel 'k', argument 'n' of type index"
    text = "func.func @main() { return }"
    for kind, words, call in (
        (ValueError, f"{of_n}: expected an index of at least 0, but -1 was given",
         lambda: module.kernels.k[1, 1](x, -1)),
        (ValueError, "kernel 'k': block has 2048 threads, the limit is 1024",
         lambda: module.kernels.k.occupancy(2048)),
        (ValueError, "kernel 'k': block has 4096 threads, the limit is 1024",
         lambda: module.kernels.k.occupancy((64, 64))),
        (xgpu.UsageError, "executor is 3, expected one of concurrent.futures, or with a map like",
         lambda: xgpu.explore(text, executor=3)),
        (xgpu.UsageError, "executor is 3, expected one of concurrent.futures, or with a map like",
         lambda: xgpu.autotune(text, {"opt_level": [1]}, executor=3, device="host")),
        (xgpu.UsageError, "launch is 3, expected a function of a module and the inputs",
         lambda: xgpu.autotune(text, {"opt_level": [1]}, launch=3, device="host")),
        (xgpu.UsageError, "device is 'cuda', expected 'host'",
         lambda: xgpu.explore(text, device="cuda")),
        (xgpu.UsageError, "chip is 90, expected a name", lambda: xgpu.load(text, chip=90)),
        (xgpu.DeviceError, "gpu.alloc of -300 bytes: a size is negative",
         lambda: module.functions.sized(-75)),
    ):  # fmt: skip
        with pytest.raises(kind, match=re.escape(words)):
            call()
    assert module.functions.twice(-2, 3) == -6  # of the host's code an index is any number
    assert xgpu.explore(text, device="host").runs == 0


def test_options_of_a_pass_of_ours_in_xdsl() -> None:
    from xgpu.universe import module_pass

    lower = module_pass("gpu-lower-to-nvvm-pipeline")
    lower(cubin_chip="sm_90")
    with pytest.raises(TypeError, match="cubin_chip is 90, expected a str"):
        lower(cubin_chip=90)
    with pytest.raises(ValueError, match="stages is -1, expected at least 0"):
        module_pass("gpu-gemm-pipeline")(stages=-1)


def test_a_view_with_gaps_is_told_of_the_type_that_takes_it() -> None:
    text = "gpu.module @m {{ gpu.func @k(%x: {}) kernel {{ gpu.return }} }}"
    x = np.zeros((8, 8), np.float32)
    for type, view in (("memref<?xf32>", x[0, ::2]), ("memref<4x?xf32>", x[::2])):
        kernel = xgpu.load(text.format(type), device="host").kernels.k
        with pytest.raises(ValueError, match="expected a contiguous array") as caught:
            kernel[1, 1](view)
        found = re.search(r"of type (memref<[^:]*: \?>>?) takes any strides$", str(caught.value))
        assert found is not None
        xgpu.load(text.format(found[1]), device="host").kernels.k[1, 1](view)


def test_wrong_kinds_of_a_mark_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n@pytest.mark.xgpu_sanitize('rce')\ndef test_it():\n    pass\n"
        "@pytest.mark.xgpu_sanitize(3)\ndef test_that():\n    pass\n"
    )
    done = processes.run(
        [sys.executable, "-m", "pytest", "-q", *processes.ONLY_OUR_PLUGIN, "test_it.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert "2 failed" in done.stdout
    assert "xgpu_sanitize: sanitizer 'rce', expected one of" in done.stdout
    assert "xgpu_sanitize: kind is 3, expected a name" in done.stdout
    assert "Traceback" not in done.stdout
    assert "pytest_plugin.py" not in done.stdout


# -- names of kernels that C++ has mangled

MANGLED = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry _ZN2ns5scaleIfLi4EEEvPT_i(.param .u64 x, .param .u32 n) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [n];
  setp.eq.s32 %p, %r1, 7;
  @%p trap;
  st.global.u32 [%rd1+16], %r1;
  ret;
}
"""
NAME = "ns::scale<float, 4>"


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z1sPfi", "s"), ("_ZN2ns5scaleIfLi4EEEvPT_i", NAME), ("_ZN12_GLOBAL__N_11kEPi",
         "(anonymous namespace)::k"), ("_ZN5kerns3addB2v1EPf", "kerns::add"), ("scale", "scale"),
        ("_Z", "_Z"),
    ],
)  # fmt: skip
def test_demangled_names(symbol: str, name: str) -> None:
    assert demangled(symbol) == name


def test_errors_of_a_run_name_kernels_as_the_program_does() -> None:
    x = np.zeros(4, np.float32)
    with xgpu.load(MANGLED, "host") as module:
        kernel = module.kernels[NAME]
        assert kernel.symbol == "_ZN2ns5scaleIfLi4EEEvPT_i"
        with pytest.raises(TypeError) as few:
            kernel[1, 1](x)
        with pytest.raises(DeviceError) as large:
            kernel[1, 2048](x, 1)
        with pytest.raises(DeviceError) as trap:
            kernel[1, 1](x, 7)
    for caught in (few, large, trap):
        assert str(caught.value).startswith(f"kernel '{NAME}'")


def test_the_sanitizer_names_kernels_as_the_program_does() -> None:
    x = np.zeros(4, np.float32)
    with xgpu.load(MANGLED, "host") as module, xgpu.sanitized() as watched:
        module.kernels[NAME][1, 1](x, 1)
    (found,) = watched.findings()
    assert f" in kernel '{NAME}'" in found.sides[0].did
    assert found.sides[0].kernel == NAME


def test_a_trap_of_a_vector_of_threads_names_no_other_thread() -> None:
    """Which of the threads has trapped is not known: the first of the vector was named."""
    text = MANGLED.replace("ld.param.u32 %r1, [n];", "mov.u32 %r1, %tid.x;")
    with xgpu.load(text, "host") as module, pytest.raises(DeviceError) as caught:
        module.kernels[NAME][1, 32](np.zeros(8, np.float32), 0)
    assert str(caught.value) == f"kernel '{NAME}': trap in block (0, 0, 0)"
