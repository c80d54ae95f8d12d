# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library's code, called by machine code, in processes of their own."""

from __future__ import annotations

import sys
import textwrap

import pytest

from tests.support import processes
from xgpu.api.cuda_driver.library_file import is_possible

pytestmark = pytest.mark.skipif(
    not is_possible(), reason="the library is written for Linux on x86-64"
)


def run(text):
    done = processes.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, seconds=100
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_arguments_arrive_as_they_are_declared():
    """Every function gets a word for each parameter; words of the sign bit and of a number."""
    run("""
        import ctypes
        from xgpu.api.cuda_driver.library import connect
        from xgpu.api.cuda_driver.calls import Recorder
        from xgpu.api.cuda_driver.table import FUNCTIONS, Needs
        recorder = Recorder(keeps_calls=False)
        library = connect(recorder=recorder).library
        seen = []
        checked = 0
        for function in FUNCTIONS.values():
            if function.needs is Needs.NOTHING:
                continue
            recorder.observers[function.answers[0][0]] = lambda *given: seen.append(given)
            types = [p.ctype for p in function.parameters]
            words = [0xFEDCBA9080808080 + number for number in range(len(types))]
            for symbol in function.symbols:
                call = getattr(library, symbol)
                assert call(*map(ctypes.c_uint64, words)) == 3, symbol
                assert seen.pop() == tuple(t(w).value for t, w in zip(types, words)), symbol
                checked += 1
        assert checked > 250
    """)


def test_a_pending_exception_stays():
    """A destructor of C++ calls functions while an exception is raised, with Python's lock and
    without it. They do their work, and the exception goes on."""
    run("""
        import ctypes
        from llvmlite import binding
        from xgpu.api.cuda_driver.library import connect
        library = connect().library
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine(jit=True)
        module = binding.parse_assembly('''
        declare void @PyErr_SetNone(ptr)
        declare ptr @PyEval_SaveThread()
        declare void @PyEval_RestoreThread(ptr)
        define i32 @with_lock(ptr %error, ptr %function, ptr %a, i64 %b) {
          call void @PyErr_SetNone(ptr %error)
          %result = call i32 %function(ptr %a, i64 %b)
          ret i32 %result
        }
        define i32 @without_lock(ptr %error, ptr %function, ptr %a, i64 %b) {
          call void @PyErr_SetNone(ptr %error)
          %state = call ptr @PyEval_SaveThread()
          %result = call i32 %function(ptr %a, i64 %b)
          call void @PyEval_RestoreThread(ptr %state)
          ret i32 %result
        }''')
        engine = binding.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        def call(name, function, *arguments):
            prototype = ctypes.PYFUNCTYPE(
                ctypes.c_int32, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64
            )
            place = ctypes.cast(getattr(library, function), ctypes.c_void_p)
            try:
                prototype(engine.get_function_address(name))(KeyError, place, *arguments)
            except KeyError:
                return
            raise AssertionError(f"{function}: the exception is lost")
        out = ctypes.c_uint64()
        for name in ("with_lock", "without_lock"):
            call(name, "cuInit", 0, 0)
            call(name, "cuDevicePrimaryCtxRetain", ctypes.addressof(out), 0)
            assert out.value
            call(name, "cuCtxSetCurrent", out.value, 0)
            out.value = 0
            call(name, "cuMemAlloc_v2", ctypes.addressof(out), 256)
            assert out.value
            call(name, "cuMemFree_v2", out.value, 0)
            call(name, "cuMemFree_v2", 64, 0)  # it is refused
        assert library.cuCtxSynchronize() == 0
    """)
