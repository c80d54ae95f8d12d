# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the standard library makes of kept code is what it makes of texts."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

#: Prints what it made, and how much it compiled for it.
PROGRAM = """
import json, re, sys
compiled = []
def hear(event, arguments):
    if event == "compile" and arguments[1] in ("<string>", "<dataclass>"):
        compiled.append(str(arguments[0]))
from xgpu.tools.startup import begin, fast_imports
begin()
parsed = []
plain = re._parser.parse
def parse(text, *rest):
    parsed.append(str(text))
    return plain(text, *rest)
re._parser.parse = parse
with fast_imports():
    import collections, dataclasses, typing
of_imports = len(parsed)
sys.addaudithook(hear)

found = []
for text, flags in (
    (r"(?P<word>\\w+)\\s*=\\s*(\\d+)?", 0), (r"(?i)[a-zß-ü]+", 0),
    (r"a(?:b|cd)*+e{2,5}?", re.ASCII),
    (r"^x.y$", re.M | re.S), (r"(?<=a)b(?!c)(d)\\1", re.I), (r"[^\\W\\d_]{3}", 0), ("x y", re.X),
    ("x y", 0),
):
    made = re.compile(text, flags)
    match = [m.span() for m in made.finditer("one = 12 ABI ß abcdee x\\ny abdd xyz x y")]
    found.append([made.pattern, made.flags, made.groups, dict(made.groupindex), match])
found.append(str(re.compile(rb"a\\xff").findall(b"a\\xffa")))
try:
    re.compile("(")
except re.error as e:
    found.append(str(e))

@dataclasses.dataclass(frozen=True, order=True)
class Point:
    x: int
    y: "list[int]" = dataclasses.field(default_factory=list, compare=False)
point = Point(1, [2])
found += [repr(point), point == Point(1), point < Point(2), hash(point) == hash(Point(1))]
try:
    point.x = 2
except dataclasses.FrozenInstanceError as e:
    found.append(str(e))
@dataclasses.dataclass(frozen=True)
class Named(Point):
    name: str = ""
    def __eq__(self, other):
        return super().__eq__(other)
    __hash__ = Point.__hash__
child = Named(1, [2], "a")
found += [child == Named(1, [3], "b"), child == Point(1), hash(child) == hash(point), repr(child)]
for change in (lambda: setattr(child, "name", "b"), lambda: delattr(child, "x"),
               lambda: setattr(child, "other", 1), lambda: delattr(child, "other")):
    try:
        change()
    except dataclasses.FrozenInstanceError as e:
        found.append(str(e))
@dataclasses.dataclass(unsafe_hash=True, slots=True)
class Node:
    value: int
    next: object = dataclasses.field(default=None, hash=False)
node = Node(1)
node.next = node
found += [repr(node), hash(node) == hash(Node(1)), node == node, node == Node(2), node != 1]
for cls in (Point, Named, Node):
    for name in ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__"):
        found.append(getattr(cls, name).__qualname__)
Pair = collections.namedtuple("Pair", "left right", defaults=(3,))
found += [repr(Pair(1)), Pair(1, 2)._asdict(), Pair.__new__.__doc__]
class Row(typing.NamedTuple):
    file: "str | None"
    line: "Missing" = 0
found += [repr(Row("a")), [str(t) for t in Row.__annotations__.values()]]
try:
    typing.ForwardRef("a b")
except SyntaxError as e:
    found.append(str(e))
print(json.dumps(
    {"found": found, "compiled": compiled, "parsed": parsed, "of imports": of_imports}
))
"""


def process(cache: pathlib.Path, **variables: str) -> Any:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XGPU_NO_CACHE": "", **variables}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return json.loads(done.stdout)


def test_kept_code_makes_what_texts_make(tmp_path: pathlib.Path) -> None:
    plain = process(tmp_path, XGPU_NO_CACHE="1")
    assert not (tmp_path / "xgpu").exists()
    first, second = process(tmp_path), process(tmp_path)
    assert first["found"] == second["found"] == plain["found"]
    assert len(first["compiled"]) > 10
    assert len(first["parsed"]) >= len(plain["parsed"]) == plain["of imports"] + 10
    # What cannot be kept: an error each, expressions of bytes.
    assert second["compiled"] == ["b'a b'"]
    assert [text for text in second["parsed"] if not text.startswith("b'")] == ["("]


#: Prints which methods of a class are those that dataclasses writes, before and after each is used.
LATER = """
import json, sys
from xgpu.tools.startup import begin, fast_imports
begin()
with fast_imports():
    import dataclasses
@dataclasses.dataclass(frozen=True, order=True)
class Point:
    x: int
class Other(Point): ...
def written():
    return [name for name in ("__repr__", "__eq__", "__hash__", "__lt__")
            if "dataclass" in getattr(Point, name).__code__.co_filename]
found = [written()]
for use in (repr, hash, lambda point: point == Other(1), lambda point: point < Other(2)):
    use(Other(1))
    found.append(written())
print(json.dumps(found))
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="dataclasses writes all methods at once")
def test_methods_are_written_when_they_are_called(tmp_path: pathlib.Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "XGPU_NO_CACHE": ""}
    done = subprocess.run(
        [sys.executable, "-c", LATER], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    names = ["__repr__", "__hash__", "__eq__", "__lt__"]
    for count, written in enumerate(found):
        assert set(written) == set(names[:count])


@pytest.mark.parametrize("where", [0.01, 0.5, 0.9])
def test_a_damaged_file_is_made_again(tmp_path: pathlib.Path, where: float) -> None:
    """All of it, or the group of texts that is damaged."""
    plain = process(tmp_path)
    (kept,) = (tmp_path / "xgpu").glob("dataclasses-*")
    data = bytearray(kept.read_bytes())
    data[int(len(data) * where)] ^= 0x10
    kept.write_bytes(data)
    again = process(tmp_path)
    assert again["found"] == plain["found"]
    made = len(again["compiled"]) + len(again["parsed"])
    assert len(process(tmp_path)["compiled"]) + len(process(tmp_path)["parsed"]) < made
    assert process(tmp_path)["compiled"] == ["b'a b'"]


#: Asks for texts in groups; says which parts of the file were read for it.
GROUPS = """
import json, sys
from xgpu.core.support import cache, kept_code
read = []
plain = cache.Parts._read
def note(self, name, use):
    if name in self:
        read.append(name)
    return plain(self, name, use)
cache.Parts._read = note
kept_code.begin()
first, later = json.loads(sys.argv[1])
found = [eval(kept_code.code_of(text, "eval", group=group)) for text, group in first]
kept_code.mark_core()
found += [eval(kept_code.code_of(text, "eval", group=group)) for text, group in later]
print(json.dumps([found, read]))
"""


def groups(cache: pathlib.Path, first: list[list[str]], later: list[list[str]]) -> Any:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XGPU_NO_CACHE": ""}
    command = [sys.executable, "-c", GROUPS, json.dumps([first, later])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_run_reads_what_it_asks_for(tmp_path: pathlib.Path) -> None:
    """What every run asks for at once, of what others have asked for the groups that it needs."""
    every, one, other = [["1", "every"]], [["2", "one"], ["3", "one"]], [["4", "other"]]
    groups(tmp_path, every, one)
    groups(tmp_path, every, other)
    (kept,) = (tmp_path / "xgpu").iterdir()
    before = kept.stat().st_ino
    assert groups(tmp_path, every, []) == [[1], ["*"]]
    assert groups(tmp_path, every, one) == [[1, 2, 3], ["*", "one"]]
    assert groups(tmp_path, every, other) == [[1, 4], ["*", "other"]]
    assert kept.stat().st_ino == before  # there was nothing to write
    assert groups(tmp_path, one, every) == [[2, 3, 1], ["*", "one"]]
    assert groups(tmp_path, every, one) == [[1, 2, 3], ["*"]]
    assert groups(tmp_path, every, other) == [[1, 4], ["*", "other"]]
