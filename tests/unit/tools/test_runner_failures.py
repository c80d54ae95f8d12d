# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`xgpu-runner --device=cuda` over xgpu's own driver, and each of its calls failing in
turn: exit code 0 or 1, one error with 1, and what can be released is.
"""

from __future__ import annotations

import pytest

pytest.importorskip("cuda.bindings.driver", reason="needs cuda-python")

from tests.support.cuda_programs import PROGRAMS
from tests.support.injection import MODES, calls_of, check_failures, first_of, installed
from xgpu.core.passes.pipeline_text import parse_pipeline
from xgpu.core.syntax import context, print_module
from xgpu.driver import compiler
from xgpu.tools import xgpu_runner

#: Which calls fail in the short form: one of that many.
STEP = 97


def lowered(name):
    """A program as text: lowered before where that takes options, which the tool has none for."""
    text, options = PROGRAMS[name]
    if not options:
        return text
    module = compiler.parse(text, f"{name}.mlir")
    pipeline = f"gpu-lower-to-nvvm-pipeline{{cubin-chip=sm_90 cubin-format=isa {options}}}"
    parse_pipeline(f"builtin.module({pipeline})").run(module, context())
    return print_module(module)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The programs as files, by name."""
    folder = tmp_path_factory.mktemp("programs")
    for name in PROGRAMS:
        (folder / f"{name}.mlir").write_text(lowered(name))
    return {name: str(folder / f"{name}.mlir") for name in PROGRAMS}


@pytest.fixture
def run(capfd, files):
    """What runs a program, and gives its errors."""

    def made(name, fake):
        with installed(fake):
            code = xgpu_runner.main(
                ["--device=cuda", "-O0", "--entry-point-result=void", files[name]]
            )
        text = capfd.readouterr().err
        errors = [line for line in text.splitlines() if "error: " in line]
        assert code in (0, 1), text
        assert len(errors) == code, text
        return errors

    return made


_CALLS = {}


@pytest.fixture
def calls(run):
    """How many calls a program makes, counted once."""

    def made(name):
        if name not in _CALLS:
            _CALLS[name] = calls_of(lambda fake: run(name, fake))
        return _CALLS[name]

    return made


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_some_calls_fail(name, mode, run, calls):
    first = first_of(name + mode, STEP)
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), first, STEP)


@pytest.mark.parametrize("step", [
    pytest.param(29, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.exhaustive)
])  # fmt: skip
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_more_calls_fail(name, mode, step, run, calls):
    check_failures(name, lambda fake: run(name, fake), mode, calls(name), 1, step)
