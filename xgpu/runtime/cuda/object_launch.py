# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that take Python's objects, in machine code: a function for CPython that checks each
argument against what the last launch had in its place, writes its words and calls the driver.

It is a builtin function as C extensions have them: CPython calls it with an array of objects, and
nothing stands between. Of arrays it reads two objects by their places in memory (`Layout`), numbers
it asks CPython for. Whatever is not as the plan says, it leaves to Python: another type, shape or
device, a number that does not fit, another context, another launch of the same plan under way, a
module that is closed, an error of the driver.

A plan's words are its own while it is busy; the interpreter's lock guards the sign that it is, and
is given away while the driver works, since a queue that is full makes a launch wait.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xgpu.runtime.cuda.direct_text import DIRECT_LAUNCH
from xgpu.runtime.cuda.gate import GateRecord
from xgpu.runtime.cuda.structures import DirectRecord, offset

_L = ctypes.c_uint64
#: The function of `object_text`.
OBJECT_LAUNCH = "xgpu_direct.objects"
#: That of `record_text`.
RECORD_LAUNCH = "xgpu_direct.record"
#: What CPython is asked for.
INTERPRETER = (
    "PyLong_AsUnsignedLongLong", "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble",
    "PyBool_FromLong", "PyEval_SaveThread", "PyEval_RestoreThread",
)  # fmt: skip
_FASTCALL = 0x80  # METH_FASTCALL: an array of arguments and their number
_ONE = 0x08  # METH_O: one argument

#: What an argument is expected to be: an array, an integer, a double or float from a Python float.
ARRAY, INTEGER, DOUBLE, SINGLE = range(4)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where an array of `array_type` keeps its view, and a view its address, its key and whether it
    is lent, in bytes from the object's beginning."""

    array_type: type
    view: int
    address: int
    key: int
    lent: int


@dataclass(frozen=True, slots=True)
class Expected:
    """What one argument has to be. `at` is its first word; an array has the view's `key`, and its
    memref begins `before` bytes before its first element; an integer lies in `low` .. `high`.
    """

    kind: int
    at: int
    key: object = None
    before: int = 0
    low: int = 0
    high: int = 0
    mask: int = -1


class _Entry(ctypes.Structure):
    _fields_ = (
        ("kind", _L), ("at", _L), ("key", _L), ("before", ctypes.c_int64), ("low", ctypes.c_int64),
        ("high", ctypes.c_int64), ("mask", ctypes.c_int64),
    )  # fmt: skip


class Plan(ctypes.Structure):
    """`record` is a DirectRecord, the rest what machine code reads besides."""

    _fields_ = (
        ("record", DirectRecord), ("count", _L), ("words", _L), ("entries", _L), ("busy", _L),
        ("unlent", _L), ("array_type", _L), ("int_type", _L), ("float_type", _L), ("false", _L),
    )  # fmt: skip


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )  # fmt: skip


def object_launch(
    entry: int, record: DirectRecord, words: bytes, expected: Sequence[Expected], array_type: type,
    unlent: bool,
) -> Callable[..., bool]:  # fmt: skip
    """A launch of one kernel with given sizes, by the machine code at `entry`: called with the
    arguments, it says whether it was made.

    `words` are the words of all arguments as the last launch had them; `unlent` says that arrays
    which others read without asking are not for machine code: somebody has to wait then.
    """
    made = builtin(entry, Plan(), record, words, expected, array_type, unlent)
    return cast("Callable[..., bool]", made)


def builtin(
    entry: int, plan: Plan, record: DirectRecord, words: bytes, expected: Sequence[Expected],
    array_type: type, unlent: bool = False, kept: object = None,
) -> Callable[..., int]:  # fmt: skip
    """A function for CPython: the machine code at `entry` over `plan`, which becomes what the rest
    says; `kept` lives as long as it does."""
    count = len(words) // 8
    copied = (_L * max(count, 1)).from_buffer_copy(words.ljust(8, b"\0"))
    base = ctypes.addressof(copied)
    pointers = (_L * max(count, 1))(*(base + 8 * i for i in range(count)))
    entries = (_Entry * max(len(expected), 1))(*map(_entry, expected))
    ctypes.memmove(ctypes.addressof(plan), ctypes.addressof(record), ctypes.sizeof(record))
    plan.record.parameters = ctypes.addressof(pointers)
    plan.count, plan.words, plan.entries = len(expected), base, ctypes.addressof(entries)
    plan.unlent, plan.array_type = int(unlent), id(array_type)
    plan.int_type, plan.float_type, plan.false = id(int), id(float), id(False)
    method = _Method(b"launch", entry, _FASTCALL, None)
    # The function keeps what it reads alive, the keys too, which it compares by address: another
    # thread may put a new function in its place while it runs.
    keys = tuple(e.key for e in expected)
    everything = (plan, pointers, entries, copied, method, record, keys, kept)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    return make(ctypes.addressof(method), ctypes.addressof(plan), everything)


def record_launch(entry: int) -> Callable[[int], int]:
    """The function `RECORD_LAUNCH`, which is at `entry`: called with the address of a record, it
    gives what `direct_text` says, and -1 where the record's gate is closed."""
    method = _Method(b"launch", entry, _ONE, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    return make(ctypes.addressof(method), None, method)


def record_text() -> str:
    """LLVM IR of the function `RECORD_LAUNCH`, beside that of `direct_text`."""
    return _RECORD_TEXT + _GATES


def _entry(e: Expected) -> _Entry:
    key = 0 if e.key is None else id(e.key)
    return _Entry(e.kind, 8 * e.at, key, e.before, e.low, e.high, e.mask)


_ANSWER = """
  %done = icmp eq i32 %result, 0
  %said = zext i1 %done to i64
  %answer = call ptr @PyBool_FromLong(i64 %said)
"""


def object_text(
    layout: Layout, name: str = OBJECT_LAUNCH, direct: str = DIRECT_LAUNCH, answer: str = _ANSWER
) -> str:
    """LLVM IR of the function `name`; see `object_launch`. `direct` gets the plan when its words
    are there, and `answer` makes an object, %answer, of its result."""
    return (
        _TEXT.replace("$direct", direct)
        .replace("$name", name)
        .replace("$answer", answer.strip())
        .replace("$entry_bytes", str(ctypes.sizeof(_Entry)))
        .replace("$type", str(_type_offset()))
        .replace("$view", str(layout.view))
        .replace("$address", str(layout.address))
        .replace("$keyed", str(layout.key))
        .replace("$lent", str(layout.lent))
        + _GATES
        + "".join(_reader("plan", Plan, name) for name in _PLAN_FIELDS)
        + "".join(_reader("entry", _Entry, name) for name in _ENTRY_FIELDS)
    )


_PLAN_FIELDS = (
    "count", "words", "entries", "busy", "unlent", "array_type", "int_type", "float_type", "false",
)  # fmt: skip
_ENTRY_FIELDS = ("kind", "at", "key", "before", "low", "high", "mask")


def _reader(what: str, structure: type[ctypes.Structure], field: str) -> str:
    return f"""
define internal i64 @{what}.{field}(ptr %base) alwaysinline {{
  %at = getelementptr i8, ptr %base, i64 {offset(structure, field)}
  %value = load i64, ptr %at
  ret i64 %value
}}
"""


def _type_offset() -> int:
    """Where an object says its type: behind the number of its references."""
    return object.__basicsize__ - ctypes.sizeof(ctypes.c_void_p)


_TEXT = """
declare i64 @PyLong_AsUnsignedLongLong(ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare double @PyFloat_AsDouble(ptr)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define internal i64 @field(ptr %object, i64 %offset) alwaysinline {
  %at = getelementptr i8, ptr %object, i64 %offset
  %value = load i64, ptr %at
  ret i64 %value
}

define ptr @$name(ptr %self, ptr %arguments, i64 %number) {
begin:
  %overflow = alloca i32
  %plan.number = call i64 @PyLong_AsUnsignedLongLong(ptr %self)
  %plan = inttoptr i64 %plan.number to ptr
  %count = call i64 @plan.count(ptr %plan)
  %busy = call i64 @plan.busy(ptr %plan)
  %as.many = icmp eq i64 %count, %number
  %free = icmp eq i64 %busy, 0
  %open = call i1 @gate.open(ptr %plan)
  %ready = and i1 %open, %free
  %fits = and i1 %as.many, %ready
  %words.number = call i64 @plan.words(ptr %plan)
  %words = inttoptr i64 %words.number to ptr
  %entries.number = call i64 @plan.entries(ptr %plan)
  %entries = inttoptr i64 %entries.number to ptr
  %unlent = call i64 @plan.unlent(ptr %plan)
  %array.type = call i64 @plan.array_type(ptr %plan)
  %int.type = call i64 @plan.int_type(ptr %plan)
  %float.type = call i64 @plan.float_type(ptr %plan)
  %false = call i64 @plan.false(ptr %plan)
  br i1 %fits, label %loop, label %slow

loop:
  %i = phi i64 [0, %begin], [%next, %stored]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %launch

look:
  %argument.at = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %argument.at
  %kind.of = call i64 @field(ptr %argument, i64 $type)
  %entry.offset = mul i64 %i, $entry_bytes
  %entry = getelementptr i8, ptr %entries, i64 %entry.offset
  %kind = call i64 @entry.kind(ptr %entry)
  %place.offset = call i64 @entry.at(ptr %entry)
  %place = getelementptr i8, ptr %words, i64 %place.offset
  switch i64 %kind, label %slow [i64 0, label %array
                                 i64 1, label %integer
                                 i64 2, label %float
                                 i64 3, label %float]

array:
  %is.array = icmp eq i64 %kind.of, %array.type
  br i1 %is.array, label %viewed, label %slow
viewed:
  %view.number = call i64 @field(ptr %argument, i64 $view)
  %view = inttoptr i64 %view.number to ptr
  %key = call i64 @field(ptr %view, i64 $keyed)
  %expected.key = call i64 @entry.key(ptr %entry)
  %same.key = icmp eq i64 %key, %expected.key
  %lent = call i64 @field(ptr %view, i64 $lent)
  %is.lent = icmp ne i64 %lent, %false
  %matters = icmp ne i64 %unlent, 0
  %refused = and i1 %is.lent, %matters
  %kept = xor i1 %refused, true
  %both = and i1 %same.key, %kept
  br i1 %both, label %addressed, label %slow
addressed:
  %address.number = call i64 @field(ptr %view, i64 $address)
  %address.object = inttoptr i64 %address.number to ptr
  %address = call i64 @PyLong_AsUnsignedLongLong(ptr %address.object)
  %before = call i64 @entry.before(ptr %entry)
  %first = sub i64 %address, %before
  %second.place = getelementptr i64, ptr %place, i64 1
  store i64 %first, ptr %place
  store i64 %first, ptr %second.place
  br label %stored

integer:
  %is.int = icmp eq i64 %kind.of, %int.type
  br i1 %is.int, label %counted, label %slow
counted:
  %value = call i64 @PyLong_AsLongLongAndOverflow(ptr %argument, ptr %overflow)
  %flag = load i32, ptr %overflow
  %whole = icmp eq i32 %flag, 0
  %low = call i64 @entry.low(ptr %entry)
  %high = call i64 @entry.high(ptr %entry)
  %mask = call i64 @entry.mask(ptr %entry)
  %above = icmp sge i64 %value, %low
  %below = icmp sle i64 %value, %high
  %between = and i1 %above, %below
  %integral = and i1 %between, %whole
  %masked = and i64 %value, %mask
  store i64 %masked, ptr %place
  br i1 %integral, label %stored, label %slow

float:
  %is.float = icmp eq i64 %kind.of, %float.type
  br i1 %is.float, label %real, label %slow
real:
  %double = call double @PyFloat_AsDouble(ptr %argument)
  %is.double = icmp eq i64 %kind, 2
  br i1 %is.double, label %wide, label %narrow
wide:
  store double %double, ptr %place
  br label %stored
narrow:
  %single = fptrunc double %double to float
  %back = fpext float %single to double
  %size = call double @llvm.fabs.f64(double %back)
  %was = call double @llvm.fabs.f64(double %double)
  %infinite = fcmp oeq double %size, 0x7FF0000000000000
  %finite.was = fcmp olt double %was, 0x7FF0000000000000
  %lost = and i1 %infinite, %finite.was
  store i64 0, ptr %place
  store float %single, ptr %place
  br i1 %lost, label %slow, label %stored

stored:
  %next = add i64 %i, 1
  br label %loop

launch:
  %busy.place = getelementptr i8, ptr %plan, i64 $busy
  store i64 1, ptr %busy.place
  call void @gate.pass(ptr %plan, i64 1)
  %thread = call ptr @PyEval_SaveThread()
  %result = call i32 @$direct(ptr %plan)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @gate.pass(ptr %plan, i64 -1)
  store i64 0, ptr %busy.place
  $answer
  ret ptr %answer

slow:
  %no = call ptr @PyBool_FromLong(i64 0)
  ret ptr %no
}

declare double @llvm.fabs.f64(double)
""".replace("$busy", str(offset(Plan, "busy")))

# Of a record: whether its gate is open, and one more or less inside.
_GATES = f"""
define internal i1 @gate.open(ptr %record) alwaysinline {{
  %gate.at = getelementptr i8, ptr %record, i64 {offset(DirectRecord, "gate")}
  %gate = load ptr, ptr %gate.at
  %closed.at = getelementptr i8, ptr %gate, i64 {offset(GateRecord, "closed")}
  %closed = load i64, ptr %closed.at
  %open = icmp eq i64 %closed, 0
  ret i1 %open
}}

define internal void @gate.pass(ptr %record, i64 %by) alwaysinline {{
  %gate.at = getelementptr i8, ptr %record, i64 {offset(DirectRecord, "gate")}
  %gate = load ptr, ptr %gate.at
  %inside.at = getelementptr i8, ptr %gate, i64 {offset(GateRecord, "inside")}
  %inside = load i64, ptr %inside.at
  %now = add i64 %inside, %by
  store i64 %now, ptr %inside.at
  ret void
}}
"""

_RECORD_TEXT = f"""
declare i64 @PyLong_AsUnsignedLongLong(ptr)
declare ptr @PyLong_FromLong(i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define ptr @{RECORD_LAUNCH}(ptr %self, ptr %argument) {{
  %address = call i64 @PyLong_AsUnsignedLongLong(ptr %argument)
  %record = inttoptr i64 %address to ptr
  %open = call i1 @gate.open(ptr %record)
  br i1 %open, label %launch, label %slow
launch:
  call void @gate.pass(ptr %record, i64 1)
  %thread = call ptr @PyEval_SaveThread()
  %result = call i32 @{DIRECT_LAUNCH}(ptr %record)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @gate.pass(ptr %record, i64 -1)
  %wide = sext i32 %result to i64
  %said = call ptr @PyLong_FromLong(i64 %wide)
  ret ptr %said
slow:
  %no = call ptr @PyLong_FromLong(i64 -1)
  ret ptr %no
}}
"""
