# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR, PTX and SASS of gpu.modules for an explorer page, each line with the place in the source
that it comes from, and what kernels take of a processor."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation

from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.locations import SourceLocation
from xgpu.core.ir.symbols import symbol_name
from xgpu.tools.explorer.model import NONE, CodeLine, DeviceCode, Exploration, KernelFacts

if TYPE_CHECKING:
    from xgpu.core.passes.base import Pass
    from xgpu.dialects.nvvm.attributes import NVVMTargetAttr
    from xgpu.driver.gpu_module_to_binary import GpuModuleToBinaryPass


def compiled_code(program: Operation, p: Pass, exploration: Exploration) -> list[DeviceCode]:
    """The code of each gpu.module in `program`, which stays as it is, as the pass `p`,
    `gpu-module-to-binary`, would compile it for GPUs, with lines of the source."""
    from xgpu.driver.gpu_module_to_binary import GpuModuleToBinaryPass

    if not isinstance(p, GpuModuleToBinaryPass):
        return []
    found: list[DeviceCode] = []
    ops = (op for region in program.regions for block in region.blocks for op in block.ops)
    for op in ops:
        if op.name != "gpu.module":
            continue
        targets = cast("ArrayAttr[NVVMTargetAttr] | None", op.properties.get("targets"))
        for target in targets.data if targets is not None else ():
            if target.name == "nvvm.target":
                found.append(_compiled(op.clone(), target, p, exploration))
    return found


def _compiled(
    module: Operation, target: NVVMTargetAttr, p: GpuModuleToBinaryPass, exploration: Exploration
) -> DeviceCode:
    from llvmlite import binding

    from xgpu.backend.llvm_ir.parsing import RefusedError
    from xgpu.backend.nvptx.cubin import find_tool
    from xgpu.backend.nvptx.resources import assembled, disassembled
    from xgpu.transforms.llvm.ensure_debug_info_scope_on_llvm_func import add_scopes

    code = DeviceCode(symbol_name(module) or "", target.chip)
    add_scopes(module, "DebugDirectivesOnly")
    try:
        bitcode = p.serialize(module, target, "offload")
        code.llvm = read_llvm(str(binding.parse_bitcode(cast("bytes", bitcode))), exploration)
        ptx = str(p.serialize(module, target, "assembly")).rstrip("\0")
        code.ptx = read_ptx(ptx, exploration)
        code.kernels = kernels_of_ptx(ptx, target.chip)
        if find_tool("ptxas") is None:
            return code
        machine = assembled(ptx, target.chip, lines=True)
        code.kernels = [
            _facts(name, target.chip, r.registers, r.spilled, r.shared)
            for name, r in machine.kernels.items()
        ]
        sass = disassembled(machine.cubin, lines=True)
        code.sass = [] if sass is None else read_sass(sass, exploration)
    except RefusedError as refused:
        code.problem = str(refused.at(module))
    except DiagnosticError as problem:
        code.problem = str(problem)
    return code


# -- What kernels take

#: Threads of a block for which the page shows the occupancy.
_BLOCKS = (64, 128, 256, 512, 1024)
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")
_SHARED = re.compile(r"\.shared\s+(?:\.align\s+\d+\s+)?\.b8\s+([\w$]+)\[(\d+)\]")


def _facts(
    name: str, chip: str, registers: int | None, spilled: int | None, shared: int
) -> KernelFacts:
    from xgpu.backend.nvptx.resources import occupancy

    found = ((threads, occupancy(chip, threads, registers, shared)) for threads in _BLOCKS)
    busy = [(threads, part) for threads, part in found if part is not None]
    return KernelFacts(name, registers, spilled, shared, busy)


def kernels_of_ptx(ptx: str, chip: str) -> list[KernelFacts]:
    """What PTX itself says of its kernels: static shared memory, of the variables of a kernel and
    of those of the module that it names."""
    sizes = {name: int(size) for name, size in _SHARED.findall(ptx)}
    parts = _ENTRY.split(ptx)
    found: list[KernelFacts] = []
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        words = set(re.findall(r"[\w$]+", body))
        shared = sum(size for variable, size in sizes.items() if variable in words)
        found.append(_facts(name, chip, None, None, shared))
    return found


# -- Locations of lines

_METADATA = re.compile(r"^!(\d+) = (?:distinct )?!(\w+)\((.*)\)$")
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|!?[\w.]+)')
_DEBUG = re.compile(r"!dbg !(\d+)")


def read_llvm(text: str, exploration: Exploration) -> list[CodeLine]:
    """The lines of LLVM IR, whose `!dbg` says where they come from."""
    nodes: dict[str, tuple[str, dict[str, str]]] = {}
    lines = text.rstrip("\n").splitlines()
    for line in lines:
        if (node := _METADATA.match(line)) is not None:
            nodes["!" + node[1]] = (node[2], dict(_FIELD.findall(node[3])))
    indices = {name: exploration.location_index(_location(nodes, name)) for name in nodes}
    found: list[CodeLine] = []
    for line in lines:
        debug = _DEBUG.search(line)
        found.append(CodeLine(line, NONE if debug is None else indices.get("!" + debug[1], NONE)))
    return found


def _location(nodes: dict[str, tuple[str, dict[str, str]]], name: str) -> SourceLocation | None:
    """The place that a node of metadata stands for; None where it is no place."""
    kind, fields = nodes[name]
    if kind not in ("DILocation", "DISubprogram") or "line" not in fields:
        return None
    scope: dict[str, str] = fields
    while "file" not in scope:
        kind, scope = nodes.get(scope.get("scope", ""), ("", {}))
        if not scope:
            return None
    file = nodes.get(scope["file"], ("", {}))[1]
    path = os.path.join(_text(file.get("directory")), _text(file.get("filename")))
    return SourceLocation(path, int(fields["line"]), int(fields.get("column", "0")))


def _text(quoted: str | None) -> str:
    """A string of LLVM IR, where `\\22` is a byte."""
    if quoted is None:
        return ""
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), quoted[1:-1])


_PTX_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"')
_PTX_PLACE = re.compile(r"^\s*\.loc\s+(\d+) (\d+) (\d+)")


def read_ptx(text: str, exploration: Exploration) -> list[CodeLine]:
    """The lines of PTX, each with the place that the last `.loc` before it names."""
    lines = text.rstrip("\n").splitlines()
    files = {m[1]: m[2] for line in lines if (m := _PTX_FILE.match(line)) is not None}
    found: list[CodeLine] = []
    index = NONE
    for line in lines:
        if (place := _PTX_PLACE.match(line)) is not None:
            file = files.get(place[1], "")
            number, column = int(place[2]), int(place[3])
            index = exploration.location_index(
                SourceLocation(file, number, column) if number else None
            )
        elif line.startswith(("}", ".visible", ".func", ".extern")):
            index = NONE
        found.append(CodeLine(line, index))
    return found


#: Blanks behind the address of an instruction.
_SASS_GAP = re.compile(r"(?<=\*/)\s+")
_SASS_PLACE = re.compile(r'^\s*//## File "([^"]*)", line (\d+)')


def read_sass(text: str, exploration: Exploration) -> list[CodeLine]:
    """The lines of SASS, each with the place that the last comment of nvdisasm before it names."""
    found: list[CodeLine] = []
    index = NONE
    for line in text.rstrip("\n").splitlines():
        if (place := _SASS_PLACE.match(line)) is not None:
            index = exploration.location_index(SourceLocation(place[1], int(place[2]), 0))
            continue
        if line.lstrip().startswith(".section"):
            index = NONE
        found.append(CodeLine(_SASS_GAP.sub("  ", line.rstrip()), index))
    return found
