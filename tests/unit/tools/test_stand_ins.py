# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tool leaves for later at its start is what it would have been at once."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

#: What is in sys.modules that `import_syntax` would stand for is taken out of it before.
BEGIN = """
import json, sys
from xgpu.tools import stand_ins
for name in (*stand_ins._MODULES, "dataclasses", "typing_extensions"):
    sys.modules.pop(name, None)
from xgpu.tools.startup import import_syntax
import_syntax()
"""


def process(program: str, cache: pathlib.Path, **variables: str) -> Any:
    """What a process prints as JSON at its end."""
    environment = {
        **os.environ, "PYTHONHASHSEED": "0", "XDG_CACHE_HOME": str(cache), "XGPU_NO_CACHE": "",
        **variables,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


DEFINITIONS = """
from xdsl.dialects import builtin
from xdsl.ir import ParametrizedAttribute
classes = [c for _, c in sorted(vars(builtin).items()) if isinstance(c, type)
           and issubclass(c, ParametrizedAttribute) and c is not ParametrizedAttribute
           and "get_irdl_definition" in vars(c)]
for c in classes:
    assert c.get_irdl_definition() == c.get_irdl_definition().from_pyrdl(c)
kinds = sorted({type(c.get_irdl_definition()).__name__ for c in classes})
print(json.dumps([kinds, [repr(c.get_irdl_definition()) for c in classes]]))
"""


def test_definitions(tmp_path: pathlib.Path) -> None:
    """Those that were worked out when asked are those that xDSL works out at once."""
    at_once = process(DEFINITIONS, tmp_path, XGPU_NO_CACHE="1")
    later = [process(DEFINITIONS, tmp_path) for _ in range(2)]  # the second has kept code
    plain = re.compile(r" at 0x[0-9a-f]+")
    assert at_once[0] == ["ParamAttrDef"]
    assert len(at_once[1]) > 40
    for found in later:
        assert found[0] == ["ParamAttrDef"]
        assert [plain.sub("", text) for text in found[1]] == [
            plain.sub("", text) for text in at_once[1]
        ]


def test_definitions_are_left_for_later(tmp_path: pathlib.Path) -> None:
    program = """
from xdsl.dialects.builtin import ComplexType, i32
print(json.dumps([type(c.get_irdl_definition()).__name__ for c in (ComplexType, type(i32))]))
"""
    assert process(program, tmp_path) == ["Later", "ParamAttrDef"]


@pytest.mark.parametrize("name", ["inspect", "copy", "ctypes", "string", "struct"])
def test_modules_come_when_asked_for(name: str, tmp_path: pathlib.Path) -> None:
    program = f"""
before = {name!r} in sys.modules
import {name} as module
print(json.dumps([before, type(module).__name__, module.__file__ is not None]))
"""
    assert process(program, tmp_path) == [False, "module", True]


def test_who_holds_a_stand_in_has_the_module(tmp_path: pathlib.Path) -> None:
    program = """
import dataclasses
from xdsl.utils import bitwise_casts
held = [dataclasses.inspect, dataclasses.copy, bitwise_casts.ctypes]
bits = bitwise_casts.convert_f32_to_u32(1.5)
@dataclasses.dataclass
class Point:
    x: int
    y: list
kept = "c_float" in vars(bitwise_casts.ctypes)
copied = dataclasses.asdict(Point(1, [2]))
import inspect, copy, ctypes
same = [dataclasses.inspect.signature is inspect.signature, dataclasses.copy.copy is copy.copy,
        bitwise_casts.ctypes.c_float is ctypes.c_float]
print(json.dumps([[type(m).__name__ for m in held], bits, copied, Point.__doc__, same, kept]))
"""
    kinds, bits, copied, doc, same, kept = process(program, tmp_path)
    assert kinds == ["_StandIn"] * 3
    assert bits == 0x3FC00000
    assert copied == {"x": 1, "y": [2]}
    assert doc == "Point(x: int, y: list)"
    assert same == [True] * 3
    assert kept


FACTS = """
import inspect, string
from types import SimpleNamespace
from functools import partial
async def wait(): ...
class Plain:
    x: "int"
    y: list["Plain"]
    def f(self, a, *, b=1): ...
class Child(Plain): ...
ours = stand_ins._MODULES["inspect"]
def same(name, *arguments, **options):
    return ours[name](*arguments, **options) == getattr(inspect, name)(*arguments, **options)
found = [same("isclass", o) for o in (Plain, Plain(), list[int], None, wait)]
found += [same("ismethod", o) for o in (Plain.f, Plain().f, len, Plain, None)]
found += [same("iscoroutinefunction", o) for o in (wait, Plain.f, partial(wait), Plain, len)]
found += [same("getfullargspec", Plain.f)]
found += [same("get_annotations", o, eval_str=e) for o in (Plain, Child) for e in (0, True)]
found += [(name in ours["signature"](f).parameters) == (name in inspect.signature(f).parameters)
          for name in ("a", "b", "c", "module") for f in (Plain.f, wait)
]
found += [stand_ins._MODULES["string"]["hexdigits"] == string.hexdigits]
print(json.dumps(found))
"""


def test_facts_are_those_of_the_modules(tmp_path: pathlib.Path) -> None:
    found = process(FACTS, tmp_path)
    assert len(found) > 20
    assert all(found), found


def test_typing_extensions_is_whole(tmp_path: pathlib.Path) -> None:
    program = """
before = "_socket" in sys.modules
import typing_extensions, _socket
from typing_extensions import CapsuleType
try:
    typing_extensions.Missing
except AttributeError as e:
    found = str(e)
print(json.dumps([before, CapsuleType is type(_socket.CAPI), found,
                  typing_extensions.__all__.count("CapsuleType")]))
"""
    message = "module 'typing_extensions' has no attribute 'Missing'"
    expected = [False, True, message, 1]
    assert process(program, tmp_path) == expected


NAMES = """
from xgpu.tools import later_definitions
from xdsl.dialects import builtin
from xdsl.ir import ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from typing import ClassVar
Constant = ClassVar
class Parent(ParametrizedAttribute):
    name = "parent"
    SIZE: "ClassVar[int]" = 1
    second: "builtin.IntegerType" = param_def()
class Plain(Parent):
    name = "plain"
    first: "builtin.IntAttr"
    second: "builtin.IndexType" = param_def()
class Own(Parent):
    name = "own"
    OTHER: "Constant[int]" = 1
class Evaluated(Parent):
    name = "evaluated"
    first: builtin.IntAttr
found = []
classes = [c for c in vars(builtin).values() if isinstance(c, type)
           and issubclass(c, ParametrizedAttribute) and c is not ParametrizedAttribute
           and "get_irdl_definition" in vars(c)]
for c in (*classes, Parent, Plain, Own, Evaluated):
    early = later_definitions._parameter_names(c)
    made = later_definitions._plain(c)
    found.append([early, [name for name, _ in made.parameters]])
    later = later_definitions.Later(c)
    assert [n for n, _ in later.parameters] == found[-1][1]
    for (_, one), (_, other) in zip(later.parameters, made.parameters):
        assert one.converter == other.converter, (c, one.converter, other.converter)
        assert one.constr == other.constr, (c, one.constr, other.constr)
print(json.dumps(found))
"""


def test_names_of_parameters(tmp_path: pathlib.Path) -> None:
    """What annotations say without being evaluated is what xDSL makes of them."""
    found = process(NAMES, tmp_path)
    *of_xdsl, parent, plain, own, evaluated = found
    if of_xdsl[0][0] is None:
        pytest.skip("annotations are made when they are asked for")
    assert len(of_xdsl) > 40
    assert all(early == made for early, made in (*of_xdsl, parent, plain))
    assert plain[0] == ["second", "first"]
    assert own[0] is evaluated[0] is None


def test_an_attribute_without_parameters_needs_no_definition(tmp_path: pathlib.Path) -> None:
    program = """
from xdsl.dialects.builtin import BFloat16Type, FloatAttr, IntegerType, NoneAttr
kinds = lambda: [type(c.get_irdl_definition()).__name__ for c in (BFloat16Type, NoneAttr)]
NoneAttr()
found = kinds()
try:
    IntegerType("many")
except Exception as e:
    found.append(str(e).splitlines()[0])
try:
    BFloat16Type.new([NoneAttr()])
except ValueError:
    found.append("refused")
print(json.dumps([found, BFloat16Type() == BFloat16Type(), NoneAttr().parameters]))
"""
    found = process(program, tmp_path)
    assert found[0][:2] == ["Later"] * 2
    plain = process(program, tmp_path, XGPU_NO_CACHE="1")
    assert found[0][2:] == plain[0][2:]
    assert found[1:] == plain[1:] == [True, []]


#: Each in a process of its own: what the first asks for loads the module.
ASKED = {
    "annotations of a class": "inspect.get_annotations(Plain)",
    "annotations of a function": "inspect.get_annotations(Plain.f)",
    "values of annotations": "inspect.get_annotations(Plain, eval_str=True)",
    "arguments": "inspect.getfullargspec(Plain.f)",
    "a coroutine": "inspect.iscoroutinefunction(partial(wait))",
}


@pytest.mark.parametrize("what", ASKED)
def test_stand_ins_answer_while_they_stand(what: str, tmp_path: pathlib.Path) -> None:
    """As dataclasses ask from Python 3.12 on."""
    program = f"""
from functools import partial
async def wait(): ...
class Plain:
    x: "int"
    def f(self, a: int): ...
for name in ("inspect", "dataclasses"):
    sys.modules.pop(name, None)
with stand_ins.stand_ins():
    import inspect
    kind = type(inspect).__name__
    answer = repr({ASKED[what]})
sys.modules.pop("inspect", None)
import inspect
print(json.dumps([kind, answer == repr({ASKED[what]})]))
"""
    assert process(program, tmp_path) == ["_StandIn", True]


def test_resources_come_without_what_reads_archives() -> None:
    """And `tempfile` and `zipfile` are themselves for whoever asks, also for a resource's file."""
    program = """
import sys
from xgpu.tools.stand_ins import import_resources
import_resources()
import importlib.resources
print("zipfile" in sys.modules, "tempfile" in sys.modules)
with importlib.resources.as_file(importlib.resources.files("json") / "decoder.py") as path:
    print(path.name)
from importlib.resources import _common
print(_common.tempfile.gettempdir() != "" if hasattr(_common, "tempfile") else True)
import tempfile, zipfile
print(tempfile.mkstemp.__module__, zipfile.ZipFile.__module__ in ("zipfile", "zipfile._path"))
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(pathlib.Path(__file__).parents[3])},
    )  # fmt: skip
    assert done.stdout.split("\n")[:-1] == [
        "False False", "decoder.py", "True", "tempfile True"
    ]  # fmt: skip
