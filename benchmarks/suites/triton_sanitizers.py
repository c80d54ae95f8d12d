# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of Triton's own sanitizers, ConSan and GSan: what the sanitizer says of their kernels.

    python benchmarks/suites/triton_sanitizers.py TRITON [--list] [--only REGEX] [--every N]

TRITON is its repository, for `python/test/gluon/test_consan.py` and `python/test/gsan`. Triton has
to be installed, and gcc, which compiles its launcher; PyTorch is not needed. Triton compiles the
kernels without instrumentation for sm_90a, those that need a later chip for sm_100a, a device of
each. Its PTX runs by `xgpu-cuda --sanitize`, a process a test.

What a test expects is what it asserts itself: that the kernel fails, with a text, or that it does
not. GSan names the line that it expects; the detail of `--list` says whether a report names it. A
test that expects a failure is found if there is a report. Initialization is not looked for: kernels
of ConSan's tests read memory that nothing has written.

Left out: tests of Triton's cache and scratch memory, and what a test says of the state that GSan
keeps; its kernel counts as correct there.
"""

from __future__ import annotations

import ctypes
import importlib.util
import inspect
import itertools
import os
import re
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import table

#: Files of the repository: the row of the table.
FILES = {
    "python/test/gluon/test_consan.py": "ConSan", "python/test/gsan/test_gsan_failures.py": "GSan",
    "python/test/gsan/test_gsan.py": "GSan",
}  # fmt: skip
#: By the number of the device that is one.
_CHIPS = ("sm_90a", "sm_100a")
#: Tests of other things than what a kernel does.
_LEFT_OUT = re.compile(
    "test_cache_miss|profile_scratch|updates_(atomic_)?shadow|only_records|initializes_allocations"
)
#: What an error of a kernel is called, by Triton or here.
_DEVICE = re.compile("the kernel ends|Triton Error .CUDA")
_UNDER_DRIVER = "XGPU_CUDA_RECORDS"


class _Checked(Exception):
    """What a test looks at behind its launch is the state of Triton's sanitizer."""


class Array(np.ndarray[Any, Any]):
    """An array in memory of the device that the host reaches, with as much of a tensor as Triton
    and its tests ask for."""

    def data_ptr(self) -> int:
        return int(self.ctypes.data)

    def stride(self, axis: int | None = None) -> Any:
        strides = tuple(step // self.itemsize for step in self.strides)
        return strides if axis is None else strides[axis]

    def numel(self) -> int:
        return self.size

    def is_contiguous(self) -> bool:
        return bool(self.flags.c_contiguous)

    def element_size(self) -> int:
        return self.itemsize

    @classmethod
    def of(cls, values: Any) -> Array:
        """A copy of the values on the device."""
        values = np.asarray(values)
        address = ctypes.c_uint64()
        size = max(values.nbytes, 1)
        if code := ctypes.CDLL("libcuda.so.1").cuMemAllocManaged(
            ctypes.byref(address), ctypes.c_size_t(size), 1
        ):
            raise MemoryError(f"cuMemAllocManaged: {code}")
        memory = (ctypes.c_ubyte * size).from_address(address.value or 0)
        made = np.frombuffer(memory, values.dtype, values.size).reshape(values.shape).view(cls)
        made[...] = values
        return made


def _driver(chip: str = _CHIPS[0]) -> ctypes.CDLL:
    """The driver, with the context of the device that is a chip."""
    library = ctypes.CDLL("libcuda.so.1")
    context, device = ctypes.c_void_p(), ctypes.c_int()
    library.cuInit(0)
    library.cuDeviceGet(ctypes.byref(device), _CHIPS.index(chip))
    library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    library.cuCtxSetCurrent(context)
    return library


def _torch(chip: str) -> types.ModuleType:
    """What the tests ask PyTorch for, over `Array`."""
    torch: Any = types.ModuleType("torch")
    for name in ("float16", "float32", "int8", "uint8", "int16", "int32", "int64"):
        setattr(torch, name, np.dtype(name))
    torch.bool, torch.Tensor, torch.dtype = np.dtype("bool"), Array, np.dtype
    numbers = np.random.default_rng(1)

    def shape(sizes: tuple[Any, ...]) -> Any:
        return sizes[0] if len(sizes) == 1 else sizes

    def filled(value: object, *sizes: Any, dtype: Any = torch.float32, **_: Any) -> Array:
        return Array.of(np.full(shape(sizes), value, dtype))

    torch.zeros = torch.empty = partial(filled, 0)
    torch.ones = partial(filled, 1)
    torch.full = lambda size, value, dtype=None, **_: Array.of(np.full(size, value, dtype))
    torch.randn = lambda *sizes, dtype=torch.float32, **_: Array.of(
        numbers.standard_normal(shape(sizes)).astype(dtype)
    )
    torch.arange = lambda *ends, dtype=torch.int64, **_: Array.of(np.arange(*ends, dtype=dtype))
    torch.tensor = lambda values, dtype=None, **_: Array.of(np.asarray(values, dtype))
    torch.zeros_like = torch.empty_like = lambda like, **_: Array.of(np.zeros_like(like))
    number = int(re.sub(r"\D", "", chip))
    torch.cuda = types.SimpleNamespace(
        get_device_capability=lambda *_: divmod(number, 10), device_count=lambda: 1,
        current_device=lambda: _CHIPS.index(chip), use_mem_pool=lambda *_: nullcontext(),
        is_available=lambda: True,
        synchronize=lambda *_: _synchronized(), set_device=lambda *_: None,
        current_stream=lambda *_: types.SimpleNamespace(cuda_stream=0),
    )  # fmt: skip
    torch.version = types.SimpleNamespace(hip=None)
    torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda _: 0)
    torch.testing = types.SimpleNamespace(assert_close=np.testing.assert_allclose)
    return torch


def _synchronized() -> None:
    if code := ctypes.CDLL("libcuda.so.1").cuCtxSynchronize():
        raise RuntimeError(f"the kernel ends with the driver's result {code}")


class _Words(str):
    """A text that has every word, and keeps those that it is asked for."""

    asked: list[str]

    def __contains__(self, word: object) -> bool:
        self.asked.append(str(word))
        return True

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def _module(path: Path, chip: str) -> Any:
    """A file of tests as a module, for a chip: Triton believes to have one."""
    torch: Any = _torch(chip)
    sys.modules["torch"] = torch
    import triton._internal_testing as testing

    for module in [m for n, m in sys.modules.items() if n.startswith("triton.") and m]:
        if isinstance(getattr(module, "torch", None), types.ModuleType):
            setattr(module, "torch", torch)  # noqa: B010
    testing.is_cuda = lambda: True
    pools = types.ModuleType("triton.experimental.gsan")
    pools.create_mem_pool = lambda *_, **__: None  # type: ignore[attr-defined]
    package = Path(testing.__file__ or "").parent / "experimental" / "gsan"
    pools.__path__ = [str(package)]
    sys.modules["triton.experimental.gsan"] = pools
    allocator: Any = types.ModuleType("triton.experimental.gsan._allocator")
    allocator.__getattr__ = lambda _: None
    sys.modules[allocator.__name__] = allocator
    # What the state of GSan is made of differs between versions, and no test here looks at it.
    state: Any = types.ModuleType("triton._C.libtriton.gsan_testing")
    known = testing.triton._C.libtriton.gsan_testing
    state.__getattr__ = lambda name: getattr(known, name, None)
    sys.modules[state.__name__] = state
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _cases(module: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Tests that run on this chip: the name, the function's, and its arguments."""
    for name, function in vars(module).items():
        if not name.startswith("test_") or _LEFT_OUT.search(name):
            continue
        marks = getattr(function, "pytestmark", [])
        if any(m.name in ("skip", "skipif") and (not m.args or m.args[0]) for m in marks):
            continue
        choices = [_choices(m) for m in marks if m.name == "parametrize"]
        if "num_ctas" in inspect.signature(function).parameters:
            choices.append([{"num_ctas": n} for n in (1, 2, 4)])
        for chosen in itertools.product(*choices):
            given = {k: v for values in chosen for k, v in values.items()}
            shown = ",".join(f"{k}={v}" for k, v in given.items())
            yield f"{name}[{shown}]", name, given


def _choices(mark: Any) -> list[dict[str, Any]]:
    names = mark.args[0]
    words = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    found = list[dict[str, Any]]()
    for value in mark.args[1]:
        value = getattr(value, "values", value)
        values = value if len(words) > 1 or isinstance(value, tuple) else (value,)
        found.append(dict(zip(words, values, strict=True)))
    return found


def run(path: Path, chip: str, name: str, given: dict[str, Any]) -> Iterator[table.Outcome]:
    """A test, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        yield _outcome(_module(path, chip), FILES_BY_NAME[path.name], chip, name, given)


FILES_BY_NAME = {Path(file).name: suite for file, suite in FILES.items()}


def _outcome(module: Any, suite: str, chip: str, name: str, given: dict[str, Any]) -> table.Outcome:
    import pytest
    import triton

    from xgpu.driver.sanitizer import part_of_process

    _driver(chip)
    active: Any = triton.runtime.driver.active
    # Triton binds this function when it first asks for its driver, for whatever chip that is.
    active.get_device_capability = sys.modules["torch"].cuda.get_device_capability
    active.get_current_device = lambda: _CHIPS.index(chip)
    active.get_current_stream = lambda _: 0
    # The kernels are compiled as they stand.
    type(triton.knobs.compilation).instrumentation_mode = property(
        lambda _: "", lambda _, __: None, lambda _: None
    )
    triton.set_allocator(lambda size, *_: Array.of(np.zeros(size, np.uint8)))
    words, fails, ended = _Words(), list[str](), ""
    words.asked = []

    def in_process(function: Callable[..., None], args: Any = (), kwargs: Any = None, **_: Any):
        nonlocal ended
        changed = {"monkeypatch": types.SimpleNamespace(setenv=lambda *_: None)}
        names = list(inspect.signature(function).parameters)
        call = dict(zip(names, args, strict=False)) | dict(kwargs or {})
        try:
            function(**call | {k: v for k, v in changed.items() if k in call})
            _synchronized()
        except RuntimeError as error:
            if not _DEVICE.search(str(error)):
                raise
            ended = str(error)
        return types.SimpleNamespace(exc=None, driver_stderr_output=words)

    def failure(case: str, *, runner: Any, source_function: Any, marker: str, error: str,
                runner_args: Any = (), runner_kwargs: Any = None) -> None:  # fmt: skip
        in_process(runner, runner_args, runner_kwargs)
        fails.append(module._expected_file_line(source_function, marker))
        words.asked.append(error)

    def checked(*_: object) -> None:
        raise _Checked

    module.run_in_process = in_process
    module.assert_expected_cuda_failure = lambda _: fails.append("")
    module._run_failure_case = failure
    for other in ("_assert_cross_sm_sync", "_assert_transitive_sync", "shadow_cell_from_address"):
        if hasattr(module, other):
            setattr(module, other, checked)
    fixtures = {
        "device": "cuda", "run_wrapper": True, "monkeypatch": None, "fresh_knobs": triton.knobs,
        "with_gsan": None, "capfd": None, "with_allocator": None,
    }  # fmt: skip
    begin = time.perf_counter()
    with part_of_process() as watched:
        try:
            asked = inspect.signature(getattr(module, name)).parameters
            getattr(module, name)(**{k: v for k, v in fixtures.items() if k in asked} | given)
            _synchronized()
        except _Checked:
            pass
        except pytest.skip.Exception as skipped:
            return table.Outcome(group=suite, reason=f"skipped: {skipped}")
        except Exception as error:
            if not _DEVICE.search(str(error)):
                said = str(error).strip().splitlines() or [""]
                reason = f"{type(error).__name__}: {said[-1][:100]}"
                return table.Outcome(group=suite, reason=reason, detail=str(error)[-600:])
            ended = str(error)
    findings = list(watched.findings())
    found = table.by_kind(finding.kind for finding in findings)
    lines = sorted({
        f"{Path(side).name}" for finding in findings
        for side in re.findall(r"[\w/.-]+\.py:\d+", finding.text())
    })  # fmt: skip
    expected = bool(fails)
    if ended and not findings:  # such as an operation that is not there: no verdict
        return table.Outcome(group=suite, reason=f"an error of the device: {ended[:80]}")
    named = ""
    if any(fails):
        named = f" ({'names' if fails[0] in lines else 'does not name'} {fails[0]})"
    detail = f"expects {words.asked} | at {lines[:4]}{named} | {ended[:120]} | " + " ".join(
        finding.headline() for finding in findings[:2]
    )
    seconds = {"watched": time.perf_counter() - begin}
    if lines or not findings:
        group = f"{suite}, {'fails' if expected else 'correct'}"
    else:
        group = f"{suite}, reported without a line of Python"
    return table.Outcome(
        group=group, expected="mistake" if expected else "", seconds=seconds, detail=detail,
        found={"mistake": sum(found.values())} | found if found else {},
    )  # fmt: skip


def main() -> int:
    """Run the suite; the exit code of `table.main`."""
    args = table.options(__doc__ or "").parse_args()
    if _UNDER_DRIVER not in os.environ:
        command = [
            sys.executable, "-m", "xgpu.tools.xgpu_cuda", "--sanitize=memory,race,sync",
            f"--chip={','.join(_CHIPS)}", sys.executable, *sys.argv
        ]  # fmt: skip
        os.execv(sys.executable, command)
    programs = dict[str, table.Program]()
    for file, suite in FILES.items():
        path = (args.folder / file).resolve()
        for chip in _CHIPS:
            for name, function, given in _cases(_module(path, chip)):
                call = partial(run, path, chip, function, given)
                programs.setdefault(name, table.Program(name, suite, call))
    table.import_compiler()
    return table.main(programs.values(), args)


if __name__ == "__main__":
    sys.exit(main())
