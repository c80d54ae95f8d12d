# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which functions of a program do nothing but launch one graph whose nodes their arguments say.

Called again with the same arguments such a function would set each node to what it is and launch
the graph as it is. So it reads nothing but its arguments, what it has stored itself, and the
program's handles; it calls nothing but what makes, changes and launches graphs and waits for them;
and it does so once. Read off the program's LLVM IR, line by line: what is not known is refused.
"""

from __future__ import annotations

import re

_FUNCTION = re.compile(
    r'^define void @("?)([^"(\n]+)\1\([^\n]*\{\n(.*?)^\}', re.MULTILINE | re.DOTALL
)
_CALLS = frozenset((
    "xgpu_at", "mgpuAnnotate", "mgpuGraphCreate", "mgpuGraphAddKernel", "mgpuGraphAddMemcpy",
    "mgpuGraphAddMemset", "mgpuGraphAddEmpty", "mgpuGraphInstantiate",
    "mgpuGraphExecKernelSetParams", "mgpuGraphExecMemcpySetParams", "mgpuGraphExecMemsetSetParams",
    "mgpuGraphLaunch", "mgpuStreamCreate", "mgpuStreamSynchronize", "mgpuStreamDestroy",
))  # fmt: skip
# What computes a value of values.
_PURE = frozenset((
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "fcmp", "select",
    "sext", "zext", "trunc", "fadd", "fsub", "fmul", "fdiv", "fpext", "fptrunc", "sitofp", "uitofp",
    "fptosi", "fptoui", "bitcast", "ptrtoint", "inttoptr", "insertvalue", "extractvalue", "phi",
    "freeze",
))  # fmt: skip
_VALUE = re.compile(r"(%[\w.]+) = (\w+) ?(.*)")
_CALL = re.compile(r"(?:%[\w.]+ = )?call \w+ @(\w+)\(")
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
        elif _CALL.match(line):
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
