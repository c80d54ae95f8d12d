# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX equals mlir-opt's, byte for byte, for kernels of many kinds: the same text goes through the
whole of `gpu-lower-to-nvvm-pipeline` in both.

Kernels that every type or function gives are made here; the others are files in `ptx/`.
"""

from __future__ import annotations

import os
import pathlib
import re
from typing import Any

import pytest
from reference import llvm_bin

from tests.support import processes
from xgpu.backend.nvptx import compiler as nvptx
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, parse_module
from xgpu.core.syntax.verify import verify_module

pytestmark = [pytest.mark.parity, pytest.mark.sampled(2)]
MLIR_OPT = f"{llvm_bin()}/mlir-opt"

FLOATS = ("f16", "bf16", "f32", "f64")
MATH = [
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sqrt",
    "rsqrt",
    "erf",
    "floor",
    "ceil",
    "absf",
    "exp2",
    "log2",
    "log10",
    "log1p",
    "expm1",
]


def axpy(t: str) -> str:
    mul, add = ("arith.mulf", "arith.addf") if t in FLOATS else ("arith.muli", "arith.addi")
    return f"""gpu.func @k(%a: {t}, %x: memref<?x{t}>, %y: memref<?x{t}>) kernel {{
      %i = gpu.global_id x
      %0 = memref.load %x[%i] : memref<?x{t}>
      %1 = memref.load %y[%i] : memref<?x{t}>
      %2 = {mul} %a, %0 : {t}
      %3 = {add} %2, %1 : {t}
      memref.store %3, %y[%i] : memref<?x{t}>
      gpu.return
    }}"""


def math(name: str, t: str) -> str:
    return f"""gpu.func @k(%x: memref<?x{t}>) kernel {{
      %i = gpu.thread_id x
      %0 = memref.load %x[%i] : memref<?x{t}>
      %1 = math.{name} %0 : {t}
      memref.store %1, %x[%i] : memref<?x{t}>
      gpu.return
    }}"""


def files() -> dict[str, str]:
    """The kernels in `ptx/`: contents of a gpu.module, or a program (`// launched`)."""
    found: dict[str, str] = {}
    for file in sorted((pathlib.Path(__file__).parent / "ptx").glob("*.mlir")):
        text = file.read_text()
        found[file.stem] = text if "// launched" in text else in_module(text)
    return found


def in_module(kernel: str) -> str:
    return f"module attributes {{gpu.container_module}} {{ gpu.module @m {{\n{kernel}\n}} }}"


KERNELS = {
    **{f"axpy-{t}": in_module(axpy(t)) for t in (*FLOATS, "i8", "i32", "i64")},
    **{f"{name}-{t}": in_module(math(name, t)) for name in MATH for t in ("f32", "f64")},
    **files(),
}

#: Functions of f64 that the default run compares.
_OF_F64 = ("exp",)
#: The same of float: what has a body of its own in libdevice.
_OF_F32 = ("exp", "tan", "rsqrt", "absf")


def _marks(name: str) -> list[pytest.MarkDecorator]:
    function, _, element = name.partition("-")
    shown = _OF_F64 if element == "f64" else _OF_F32
    return [pytest.mark.long] if function in MATH and function not in shown else []


#: Kernel and level of LLVM's optimization; levels other than the default for some.
CASES = [
    *(pytest.param(name, 2, marks=_marks(name)) for name in KERNELS),
    ("exp-f32", 0),
    *(
        pytest.param(name, level, marks=pytest.mark.long)
        for name in ("exp-f32", "axpy-f32", "matmul_tiled_f32", "adjacent_halves")
        for level in (0, 1, 3)
    ),
]


#: The declaration of dynamic memory, which MLIR makes a static byte: docs/reference/deviations.md.
DYNAMIC = re.compile(
    r"\t// demoted variable\n\t\.shared \.align 16 \.b8 __dynamic_shmem__\d+;\n"
    r"|// __dynamic_shmem__\d+ has been demoted\n"
    r"|\.extern \.shared \.align 16 \.b8 __dynamic_shmem__\d+\[\];\n"
)


def assembly(text: str) -> str:
    quoted = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    assert quoted is not None
    return re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), quoted[1])


def toolkit() -> str:
    """The folder that has libdevice, from a toolkit or from the wheel that tests are run with."""
    path = nvptx.libdevice_path()
    assert path is not None, "no libdevice: pip install nvidia-nvvm cuda-pathfinder"
    return path.removesuffix("/nvvm/libdevice/libdevice.10.bc")


@pytest.mark.parametrize(("name", "level"), CASES)
def test_ptx(name: str, level: int) -> None:
    text = KERNELS[name]
    named = re.search(r"// chip: (\S+) (\S+)", text)
    chip, features = (named[1], named[2]) if named else ("sm_80", "+ptx70")
    options = f"cubin-chip={chip} cubin-features={features} cubin-format=isa opt-level={level}"
    done = processes.run(
        [MLIR_OPT, f"--gpu-lower-to-nvvm-pipeline={options}"],
        input=text,
        capture_output=True,
        text=True,
        env={**os.environ, "CUDA_ROOT": toolkit()},
    )
    assert done.returncode == 0, done.stderr
    module = parse_module(text)
    verify_module(module)
    pipeline = f"builtin.module(gpu-lower-to-nvvm-pipeline{{{options}}})"
    parse_pipeline(pipeline).run(module, context(), [])
    (binary,) = (op for op in module.body.block.ops if op.name == "gpu.binary")
    objects: Any = binary.properties["objects"]
    ours, theirs = objects.data[0].object.data, assembly(done.stdout)
    if ".extern .shared" not in ours:
        assert ours == theirs
        return
    assert "__dynamic_shmem__0 has been demoted" in theirs
    # An empty line stands where there is no other variable of the function.
    ours, theirs = (DYNAMIC.sub("", text).replace("\n\n", "\n") for text in (ours, theirs))
    assert ours == theirs
