# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native sources give the same as machine code and as Python."""

from __future__ import annotations

import ctypes
import inspect
import math
import random
import struct
from functools import cache

import pytest

from xgpu.host_device.abi.structs import WARP_OPERATIONS, ctypes_struct
from xgpu.host_device.native import parts, prelude, tensor_library
from xgpu.host_device.native.interpret import _kinds, interpret
from xgpu.host_device.native.language import compile_sources
from xgpu.host_device.native.prelude import ptr

pytestmark = pytest.mark.sampled(2)

LIBDEVICE = ("directed_rounding", "libdevice_rounding", "libdevice")
CTYPES = {
    "i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
    "i64": ctypes.c_int64, "f32": ctypes.c_float, "f64": ctypes.c_double,
}  # fmt: skip
EDGES = {
    "i1": [0, 1],
    "i32": [0, 1, -1, 2**31 - 1, -(2**31), 31, 32, 128],
    "i64": [0, 1, -1, 2**63 - 1, -(2**63), 2**31, 2**52 + 1],
    "f32": [0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 1e-45, 3.4028234663852886e38],
    "f64": [0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 5e-324, 1.7e308],
}


@cache
def machine(names):
    """The functions of sources as machine code, by name."""
    from llvmlite import binding

    from xgpu.host_device.machine.cpu import compile_ir, create_jit

    builder = binding.JITLibraryBuilder()
    builder.add_object_img(compile_ir(compile_sources(parts.sources(names), "test"), 2))
    process = ctypes.CDLL("libm.so.6")
    functions = {}
    for name in names:
        for key, value in vars(interpret(name)).items():
            if inspect.isfunction(value) and value.__module__.endswith(f".{name}"):
                functions[key] = value
    for key in [k for k, f in functions.items() if "extern" in vars(f)]:
        del functions[key]
        at = getattr(process, key, None)
        builder.import_symbol(key, ctypes.cast(at, ctypes.c_void_p).value if at else 1)
    for key in functions:
        builder.export_symbol(key)
    jit = create_jit()
    tracker = builder.link(jit, "test")
    functions = {k: (f, tracker[k]) for k, f in functions.items()}
    functions["kept"] = (jit, tracker)
    return functions


def run_machine(address, function, arguments):
    *parameters, result = _kinds(inspect.unwrap(function))
    types = [CTYPES.get(k.__name__, ctypes.c_void_p) for k in parameters]
    returned = None if result is None else CTYPES.get(result.__name__, ctypes.c_void_p)
    return ctypes.CFUNCTYPE(returned, *types)(address)(*arguments)


def same(a, b):
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", float(b)) or (a != a and b != b)
    return int(a) == int(b)


def scalar_functions(names):
    import importlib

    for name in names:
        module = importlib.import_module(f"xgpu.host_device.native.sources.{name}")
        for key, value in vars(module).items():
            if not inspect.isfunction(value) or not value.__module__.endswith(f".{name}"):
                continue
            kinds = _kinds(inspect.unwrap(value))
            if "extern" not in vars(value) and all(k and k.__name__ in CTYPES for k in kinds):
                yield key


SLOW = {"positive_erfcinv", "bessel_series"}
LIBDEVICE_FUNCTIONS = sorted(set(scalar_functions(LIBDEVICE)) - SLOW)
LIBRARY_FUNCTIONS = sorted(
    {"xgpu_small_from_float", "xgpu_small_to_float", "small_code", "swizzled", "reduce_step",
     "reduce_float", "pending_bytes", "round_up", "shared_window", "xgpu_mbarrier_pending"}
)  # fmt: skip
TENSOR_FUNCTIONS = [
    "column_of", "decode", "descriptor_field", "element_bits", "fragment_place", "lane_of",
    "metadata_place", "odd_single", "operand_address", "power_of_two", "quad_place", "swizzle_of",
]  # fmt: skip


def values_of(kind, seed):
    values = list(EDGES[kind])
    for _ in range(8):
        if kind[0] == "i":
            values.append(seed.randrange(-(2**15), 2**15))
        else:
            values.append(seed.choice([seed.uniform(-3, 3), seed.uniform(-1e6, 1e6)]))
    if kind == "f32":
        values = [ctypes.c_float(v).value for v in values]
    return values


@pytest.mark.parametrize("name", LIBDEVICE_FUNCTIONS)
def test_libdevice(name):
    compare(machine(LIBDEVICE)[name], name)


@pytest.mark.parametrize("name", LIBRARY_FUNCTIONS)
def test_library(name):
    if name.startswith("xgpu_small_") or name == "small_code":
        seed = random.Random(name)
        formats = [(3, 4, 7, 0x7E, 0x7F), (2, 5, 15, 0x7B, 0x7F), (3, 2, 1, 0x1F, 0x1F)]
        tests = []
        for mantissa, exponent, bias, largest, nan in formats:
            for _ in range(60):
                value = seed.choice(values_of("f32", seed))
                if name == "small_code":
                    bits = struct.unpack("<i", struct.pack("<f", abs(value)))[0]
                    tests.append((bits, mantissa, bias))
                elif name == "xgpu_small_from_float":
                    flag = seed.randrange(2)
                    tests.append((value, mantissa, exponent, bias, largest, nan, flag))
                else:
                    code = seed.randrange(1 << (1 + mantissa + exponent))
                    tests.append((code, mantissa, exponent, bias, nan, 0, seed.randrange(2)))
        compare(machine(parts.SOURCES)[name], name, tests)
    else:
        compare(machine(parts.SOURCES)[name], name)


@pytest.mark.parametrize("name", TENSOR_FUNCTIONS)
def test_tensor_library(name):
    arguments = None
    if name == "fragment_place":
        arguments = [
            (which, row, col, 16, 8, width, layout)
            for which in range(3) for row in range(16) for col in range(8)
            for width in (1, 2, 4) for layout in (0, 1)
        ]  # fmt: skip
    compare(machine(tensor_library.SOURCES)[name], name, arguments)


def compare(function, name, tests=None):
    python, address = function
    seed = random.Random(name)
    if tests is None:
        *kinds, _ = _kinds(inspect.unwrap(python))
        choices = [values_of(k.__name__, seed) for k in kinds]
        tests = [tuple(seed.choice(c) for c in choices) for _ in range(60)]
    for arguments in tests:
        expected = run_machine(address, python, arguments)
        try:
            found = python(*arguments)
        except OverflowError:  # ctypes refuses what C rounds to infinity
            continue
        assert same(expected, found), (name, arguments, expected, found)


def warp(count, operation, mask, seed):
    """Records of a block whose threads wait for a collective."""
    block = ctypes_struct("Block")()
    threads = (ctypes_struct("Thread") * count)()
    block.threads, block.count = ctypes.addressof(threads), count
    for lane, thread in enumerate(threads):
        thread.block = ctypes.addressof(block)
        thread.linear = lane
        thread.state = 3  # waits for its warp
        thread.wait_id, thread.mask = operation, mask
        thread.value = seed.randrange(-(2**31), 2**31)
        thread.argument_b, thread.argument_c = seed.randrange(32), 31
        if mask != -1 and operation in _FROM_MEMBERS:
            thread.argument_b = _FROM_MEMBERS[operation]
    return block, threads


#: Shuffles of some lanes by so much read from members alone; others are told of by Python.
_FROM_MEMBERS = {WARP_OPERATIONS["SHFL_BFLY"]: 0, WARP_OPERATIONS["SHFL_IDX"]: 5}


@pytest.mark.parametrize("operation", [n for n in WARP_OPERATIONS if n != "TOGETHER"])
@pytest.mark.parametrize(("count", "mask"), [(32, -1), (20, (1 << 20) - 1), (32, 0x7F0)])
def test_a_warp_collective(operation, count, mask):
    python, address = machine(parts.SOURCES)["complete"]
    results = []
    for run in (python, lambda t: run_machine(address, python, (int(t),))):
        _, threads = kept = warp(count, WARP_OPERATIONS[operation], mask, random.Random(1))
        first = (mask & -mask).bit_length() - 1
        assert run(ptr(ctypes.addressof(threads[first])))
        results.append([(t.state, t.predicate, t.result) for t in threads])
        del kept
    assert results[0] == results[1]
    assert any(state == 0 for state, _, _ in results[0])


def test_what_has_no_python_says_so():
    with pytest.raises(NotImplementedError, match="neither Python nor in the C library"):
        interpret("guards").xgpu_slot_table()
    with pytest.raises(TypeError, match="types differ: i32 and i64"):
        prelude.i32(1) + prelude.i64(1)
