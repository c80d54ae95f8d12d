# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is seen of a program's functions, line by line on their LLVM IR; what is not known is none.

`graph_functions` do nothing but launch one graph whose nodes their arguments say. Called again with
the same arguments such a function would set each node to what it is and launch the graph as it is.
So it reads nothing but its arguments, what it has stored itself, and the program's handles; it
calls nothing but what makes, changes and launches graphs and waits for them; and it does so once.

`straight_functions` have no loops, small frames, and call nothing that may take long but waits for
streams and events: they can run in a caller's thread, whose stack may be small, and which has to
hear of Ctrl-C.
"""

from __future__ import annotations

import re

_FUNCTION = re.compile(
    r'^define void @("?)([^"(\n]+)\1\([^\n]*\{\n(.*?)^\}', re.MULTILINE | re.DOTALL
)
_ANY_FUNCTION = re.compile(
    r'^define (?:internal |private )?[^@\n]*@("?)([^"(\n]+)\1\([^\n]*\{\n(.*?)^\}',
    re.MULTILINE | re.DOTALL,
)
_CALLS = frozenset((
    "xgpu_at", "mgpuAnnotate", "mgpuGraphCreate", "mgpuGraphAddKernel", "mgpuGraphAddMemcpy",
    "mgpuGraphAddMemset", "mgpuGraphAddEmpty", "mgpuGraphInstantiate",
    "mgpuGraphExecKernelSetParams", "mgpuGraphExecMemcpySetParams", "mgpuGraphExecMemsetSetParams",
    "mgpuGraphLaunch", "mgpuStreamCreate", "mgpuStreamSynchronize", "mgpuStreamDestroy",
))  # fmt: skip
_SOON = _CALLS | frozenset((
    "mgpuLaunchKernel", "mgpuLaunchClusterKernel", "mgpuStreamWaitEvent", "mgpuEventCreate",
    "mgpuEventRecord", "mgpuEventSynchronize", "mgpuEventDestroy", "mgpuGraphAddClusterKernel",
    "malloc", "free",
))  # fmt: skip
_FRAME_BYTES = 1 << 16
_ALLOCA = re.compile(
    r"alloca (?:i8, i64 (\d+)|(?:i\d+|ptr|float|double)(?:, i64 (\d+))?)(?:, align \d+)?$"
)
# What computes a value of values.
_PURE = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "fcmp", "select",
    "sext", "zext", "trunc", "fadd", "fsub", "fmul", "fdiv", "fpext", "fptrunc", "sitofp", "uitofp",
    "fptosi", "fptoui", "bitcast", "ptrtoint", "inttoptr", "insertvalue", "extractvalue", "phi",
    "freeze",
))  # fmt: skip
_VALUE = re.compile(r"(%[\w.]+) = (\w+) ?(.*)")
_CALL = re.compile(r"(?:%[\w.]+ = )?(?:tail )?call [^@(]*@([\w.]+)\(")
_LABEL = re.compile(r"([\w.]+):")
# The program's own words: graphs with their nodes, and kernels, set when the program starts.
_HANDLES = re.compile(
    r"ptr (?:getelementptr inbounds nuw \(i8, ptr )?@(mgpu_graph_\d+|\w+_function)\b"
)


def graph_functions(text: str) -> frozenset[str]:
    """Their names."""
    if "@mgpuGraphLaunch(" not in text:
        return frozenset()
    return frozenset(
        match[2] for match in _FUNCTION.finditer(text) if _is_one(match[3].splitlines())
    )


def straight_functions(text: str) -> frozenset[str]:
    """Their names."""
    if "@mgpu" not in text:
        return frozenset()
    return frozenset(
        match[2] for match in _ANY_FUNCTION.finditer(text) if _is_straight(match[3].splitlines())
    )


def _is_straight(lines: list[str]) -> bool:
    passed: set[str] = set()  # labels of blocks that have begun
    room = _FRAME_BYTES
    for line in map(str.strip, lines):
        label = _LABEL.match(line)
        if label is not None:
            passed.add(label[1])
        elif line.startswith(("br ", "switch ")) or "to label" in line:
            if any(target in passed for target in re.findall(r"label %([\w.]+)", line)):
                return False
        elif " call " in f" {line}":
            name = _called(line)
            if name not in _SOON and not name.startswith("llvm."):
                return False
        elif "alloca " in line:
            found = _ALLOCA.search(line)
            room -= room + 1 if found is None else int(found[1] or 8 * int(found[2] or 1))
            if room < 0:
                return False
    return True


def _is_one(lines: list[str]) -> bool:
    own: set[str] = set()  # addresses of what the function has allocated
    passed: set[str] = set()  # labels of blocks that have begun
    launches = 0
    for line in map(str.strip, lines):
        label = _LABEL.match(line)
        if label is not None:
            passed.add(label[1])
        elif line.startswith("br "):
            if any(target in passed for target in re.findall(r"label %([\w.]+)", line)):
                return False
        elif "call " in line:
            name = _called(line)
            if name not in _CALLS:
                return False
            launches += name == "mgpuGraphLaunch"
        elif not _is_harmless(line, own):
            return False
    return launches == 1


def _called(line: str) -> str:
    found = _CALL.match(line)
    return "" if found is None else found[1]


def _is_harmless(line: str, own: set[str]) -> bool:
    if not line or line == "ret void":
        return True
    if line.startswith("store "):
        place = re.search(r", (ptr (?:%[\w.]+|@\w+|getelementptr .*\)))(?:, align \d+)?$", line)
        return place is not None and _is_known(place[1], own)
    found = _VALUE.match(line)
    if found is None:
        return False
    name, operation, rest = found.groups()
    if operation == "alloca":
        own.add(name)
        return True
    if operation == "getelementptr":
        base = re.search(r"ptr (%[\w.]+)", rest)
        if base is not None and base[1] in own:
            own.add(name)
        return True  # an address alone does nothing
    if operation == "load":
        return _is_known(rest.partition(", ")[2], own)
    return operation in _PURE


def _is_known(place: str, own: set[str]) -> bool:
    """Whether `ptr ..` is the function's own memory or the program's handles."""
    if _HANDLES.match(place):
        return True
    address = re.match(r"ptr (%[\w.]+)", place)
    return address is not None and address[1] in own
