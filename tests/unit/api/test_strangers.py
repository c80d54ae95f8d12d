# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong arguments of all kinds: one error that says what is wrong."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest

import xgpu
from xgpu.core.ir.errors import DeviceError, UsageError

FUNCTIONS = """
func.func private @printF32(f32)
func.func @print(%a: f32) { func.call @printF32(%a) : (f32) -> () return }
func.func @twice(%a: f32) {
  func.call @printF32(%a) : (f32) -> ()
  func.call @printF32(%a) : (f32) -> ()
  return
}
func.func @new(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
}
func.func @small(%b: bf16) -> bf16 { return %b : bf16 }
func.func @same(%a: memref<4xf32>) -> memref<4xf32> { return %a : memref<4xf32> }
"""

PRINTS = """
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @p(%a: f32) kernel { gpu.printf "x %f\\n", %a : f32 gpu.return }
  }
  func.func @launch(%a: f32) {
    %c = arith.constant 1 : index
    gpu.launch_func @k::@p blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : f32)
    return
  }
}
"""


@pytest.fixture(scope="module")
def functions():
    return xgpu.load(FUNCTIONS, "host").functions


class Stopped(Exception):
    pass


@pytest.mark.parametrize("kind", [Stopped, SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("aside", [False, True])
def test_what_the_output_raises_is_raised(kind, aside):
    """By who called the function, in the main thread and in others; then it can be called again."""
    seen = []

    def output(text):
        seen.append(text)
        if len(seen) == 1:
            raise kind("enough")

    module = xgpu.load(FUNCTIONS, "host", output=output)
    heard = []

    def call():
        try:
            module.functions["print"](1.0)
        except kind as problem:
            heard.append(str(problem))
        module.functions["print"](2.0)

    if aside:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join(300)
    else:
        call()
    assert heard == ["enough"]
    assert seen == ["1", "2"]
    module.close()


def test_what_the_output_of_a_kernel_raises():
    def output(text):
        raise Stopped(text)

    with (
        xgpu.load(PRINTS, "host", output=output) as module,
        pytest.raises(Stopped, match=r"x 1\.0"),
    ):
        module.functions["launch"](1.0)


@pytest.mark.parametrize("what", ["call", "close", "token"])
@pytest.mark.parametrize("aside", [False, True])
def test_a_program_is_not_used_from_what_it_calls(what, aside):
    """It would wait for itself, or end under its own feet."""
    uses = {
        "call": lambda: module.functions["print"](1.0),
        "close": lambda: module.close(),
        "token": lambda: module.functions["print"]._program.engine(),
    }
    module = xgpu.load(FUNCTIONS, "host", output=lambda _: uses[what]())
    heard = []

    def call():
        try:
            module.functions["print"](1.0)
        except UsageError as problem:
            heard.append(str(problem))

    thread = threading.Thread(target=call, daemon=True)
    if aside:
        thread.start()
        thread.join(300)
        assert not thread.is_alive()
    else:
        call()
    assert heard == ["the program is running: what it calls back cannot call or close it"]
    module.close()


@pytest.mark.parametrize("size", [2**50, -1])
def test_results_without_memory(functions, size):
    with pytest.raises(DeviceError, match=rf"function 'new' .*\({size}\) without memory"):
        functions["new"](size)
    assert functions["new"](0).shape == (0,)


@pytest.mark.parametrize("number", [1e39, -1e39, 3.4e38])
def test_numbers_beyond_bfloat16(functions, number):
    with pytest.raises(ValueError, match="does not fit in bf16"):
        functions["small"](number)
    assert functions["small"](float("inf")) == float("inf")
    assert functions["small"](3.38e38) == pytest.approx(3.38e38, rel=2**-8)


def test_objects_that_say_themselves_what_they_are(functions):
    """And not their classes: NumPy takes them."""

    class Described:
        pass

    x = np.arange(4, dtype=np.float32)
    said = Described()
    said.__array_interface__ = x.__array_interface__
    assert functions["same"](said).address == x.ctypes.data
    said.__array_interface__ = {"shape": (4,)}
    with pytest.raises(TypeError, match="its array interface is none"):
        functions["same"](said)


@pytest.mark.parametrize("given", [xgpu.Array, np.ndarray, object()])
def test_what_is_no_array(functions, given):
    with pytest.raises(TypeError, match=r"function 'same', argument 'a' .*expected an array"):
        functions["same"](given)


def test_where_numpy_puts_elements():
    a = xgpu.zeros((2, 3), "float32", "host")
    with pytest.raises(TypeError, match="out is a list, expected a NumPy array"):
        a.numpy([1])
    out = np.zeros((2, 3), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        a.numpy(out)


def test_names_that_are_no_texts(module):
    assert 3 not in module.kernels
    assert module.kernels.get(None) is None
    with pytest.raises(KeyError, match="no kernel 1: names are texts"):
        module.kernels[1]


def test_sizes_that_are_none(module, add):
    with pytest.raises(TypeError, match="grid size x is array"):
        add[np.array([1, 1]), 4]
    with pytest.raises(TypeError, match="shared is 'x', expected bytes"):
        add.occupancy(32, "x")
    with pytest.raises(ValueError, match="shared is -5, expected bytes"):
        add.occupancy(32, -5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fast": "yes"}, "fast is 'yes', expected True or False"),
        ({"ftz": 2}, "ftz is 2, expected True or False"),
        ({"libraries": None}, "libraries is None, expected libraries of ctypes"),
        ({"libraries": ctypes}, "libraries is .*expected libraries of ctypes"),
        ({"filename": 3}, "filename is 3, expected a text"),
    ],
)
def test_options_of_another_kind(options, words):
    with pytest.raises(UsageError, match=words):
        xgpu.load("module {}", "host", **options)
    assert xgpu.load("module {}", "host", fast=np.True_, libraries=()).device == "host"


def test_a_folder_is_no_program(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read '.*': Is a directory"):
        xgpu.load(str(tmp_path), "host")


def test_a_closed_module_shows_itself(add):
    from tests.unit.api.conftest import ADD

    module = xgpu.load(ADD, "host")
    kernel = module.kernels["add"]
    assert "max threads" in kernel._repr_html_()
    module.close()
    assert "parameters" in kernel._repr_html_()
    assert "kernel" in module._repr_html_()


TILED = """
func.func @f(%a: memref<4xf32>) attributes {tile = 1 : i64} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  memref.store %x, %a[%c0] : memref<4xf32>
  return
}
"""


ZEROS = (np.zeros(4, np.float32),)


def _tuned(parameters, source=TILED, inputs=ZEROS, **options):
    return xgpu.autotune(source, parameters, inputs, device="host", **{"keep": False, **options})


@pytest.mark.parametrize("keep", [False, True])
def test_variants_that_fail_are_out(keep):
    """Whatever the caller's functions raise, or give."""

    def source(tile):
        if tile == 2:
            raise RuntimeError("no tile 2")
        return TILED

    tuned = _tuned({"tile": [1, 2]}, source, keep=keep)
    assert tuned.best == {"tile": 1}
    assert [why for *_, why in tuned.results] in (["", "RuntimeError: no tile 2"], [])

    gives = {1: np.zeros(2), 2: 1 / 3, 3: np.zeros(3), 4: "text", 5: np.zeros(2)}

    def launch(module, a, tile):
        return gives[tile]

    tuned = _tuned({"tile": [1, 2, 3, 4, 5, 6]}, launch=launch)
    assert [why.split(":")[0] for *_, why in tuned.results] == [
        "", *["gives something else than the first variant"] * 3, "", "KeyError",
    ]  # fmt: skip
    with pytest.raises(DeviceError, match="no variant can run; the first: ZeroDivisionError"):
        _tuned({"tile": [1, 2]}, launch=lambda module, a: 1 / 0)


@pytest.mark.parametrize(
    ("parameters", "options", "words"),
    [
        (5, {}, "parameters is 5, expected lists of values by name"),
        ({"tile": 4}, {}, "parameter 'tile' has 4, expected a list of values"),
        ({"tile": "12"}, {}, "parameter 'tile' has '12', expected a list of values"),
        ({"tile": ["a"]}, {}, "parameter 'tile' is 'a', expected an integer attribute"),
        ({"tile": [1]}, {"inputs": None}, "inputs is None, expected a list"),
        ({"tile": [1]}, {"repeats": "x"}, "repeats is 'x', expected an integer"),
    ],
)
def test_tuning_with_arguments_of_another_kind(parameters, options, words):
    with pytest.raises(UsageError, match=words):
        _tuned(parameters, **options)
