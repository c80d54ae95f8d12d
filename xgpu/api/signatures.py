# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program's kernels and functions take and give, read from its IR before it is lowered.

What is found is JSON: it is cached on disk with the program's code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    FusedLoc,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.api import elements
from xgpu.api.parameters import DYNAMIC
from xgpu.core.ir.symbols import symbol_name, visibility
from xgpu.core.support.demangle import demangled
from xgpu.dialects.llvm.types import DataLayout, LLVMFunctionType

if TYPE_CHECKING:
    from xgpu.api import descriptions
    from xgpu.api.descriptions import DescribedFunction, DescribedKernel, DescribedType
    from xgpu.dialects import gpu, llvm


#: Whether a kernel may write to its parameters, by module and name.
Written = dict[tuple[str, str], list[bool]]

_LAYOUT = DataLayout()
_SUBPROGRAM = "llvm.di_subprogram"
_LENGTH = re.compile(r"[1-9]\d*")
_KERNELS = ("gpu.func", "llvm.func", "func.func")
_READERS = frozenset(
    ("memref.load", "affine.load", "vector.load", "memref.dim", "memref.rank", "vector.gather",
     "affine.vector_load", "vector.maskedload", "memref.extract_strided_metadata",
     "gpu.subgroup_mma_load_matrix", "nvgpu.ldmatrix")
)  # fmt: skip
_VIEWS = frozenset(
    ("memref.subview", "memref.cast", "memref.expand_shape", "memref.collapse_shape",
     "memref.reinterpret_cast", "memref.reshape", "memref.transpose", "memref.view",
     "memref.memory_space_cast", "memref.assume_alignment")
)  # fmt: skip


def kernels_of(module: Operation) -> list[DescribedKernel]:
    """The kernels of each gpu.module: name, module, parameters, location, sizes asked for."""
    found: list[DescribedKernel] = []
    for op in module.regions[0].blocks[0].ops:
        if op.name != "gpu.module":
            continue
        name = symbol_name(op) or ""
        for function in op.regions[0].blocks[0].ops:
            if function.name in _KERNELS and _is_kernel(function):
                found.append(_kernel(name, function))
    return found


def _is_kernel(function: Operation) -> bool:
    marks = {**function.properties, **function.attributes}
    return "kernel" in marks or "gpu.kernel" in marks or "nvvm.kernel" in marks


def _kernel(module: str, function: Operation) -> DescribedKernel:
    name = symbol_name(function) or ""
    blocks = function.regions[0].blocks
    arguments = list(blocks[0].args)[: len(_inputs(function))] if blocks else []
    found: DescribedKernel = {
        "name": name, "module": module,
        "parameters": [_parameter(i, a, {}) for i, a in enumerate(arguments)],
        "location": _location(function), "block": _known_block(function),
    }  # fmt: skip
    for parameter, type in zip(found["parameters"] or (), _by_value(function), strict=False):
        if type is not None:
            size = _LAYOUT.size(type)
            parameter.update({"kind": "blob", "type": str(type), "size": size})  # type: ignore[typeddict-item]
    for parameter, argument in zip(found["parameters"] or (), arguments, strict=False):
        # PTX declares 64 bits: nothing says whether those that are not used are an address.
        if parameter["kind"] == "pointer" and argument.first_use is None:
            parameter.update({"kind": "blob", "size": 8})  # type: ignore[typeddict-item]
    shown = _source_name(function) or demangled(name)
    if shown != name:
        found["shown"] = shown
    return found


def _by_value(function: Operation) -> list[Attribute | None]:
    """The type of each argument that is a pointer to a copy of the caller's value, else None."""
    attributes = function.properties.get("arg_attrs")
    if not isinstance(attributes, ArrayAttr):
        return []
    given = cast("ArrayAttr[DictionaryAttr]", attributes).data
    return [attrs.data.get("llvm.byval") for attrs in given]


def _source_name(function: Operation) -> str:
    """What debug information calls a function: `scale<float, 4>`, `ops::add`; empty without it."""
    location = function.location
    if type(location) is not FusedLoc or getattr(location.metadata, "name", "") != _SUBPROGRAM:
        return ""
    name = cast("llvm.DiSubprogramAttr", location.metadata).name_
    if not isinstance(name, StringAttr):
        return ""
    # Tables of lines have no scopes; the symbol has them, each behind its length.
    spaces: list[str] = []
    rest = (symbol_name(function) or "").removeprefix("_ZN")
    while (length := _LENGTH.match(rest)) is not None and rest != symbol_name(function):
        end = length.end() + int(length[0])
        spaces.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join([*spaces[:-1], name.data])


def _inputs(function: Operation) -> Sequence[Attribute]:
    type = _function_type(function)
    return list(type.inputs if isinstance(type, FunctionType) else type.arguments)


def _function_type(function: Operation) -> FunctionType | LLVMFunctionType:
    type = function.properties.get("function_type")
    return cast(
        "FunctionType | LLVMFunctionType",
        type if type is not None else function.attributes["function_type"],
    )


def _known_block(function: Operation) -> list[int] | None:
    """The size of blocks that the kernel says it is launched with."""
    marks = {**function.properties, **function.attributes}
    for name in ("known_block_size", "gpu.known_block_size", "nvvm.reqntid"):
        sizes = marks.get(name)
        if isinstance(sizes, DenseArrayBase):
            values = [int(v) for v in sizes.get_values()]
            return [*values, 1, 1][:3]
    return None


def functions_of(module: Operation, kernels: list[DescribedKernel]) -> list[DescribedFunction]:
    """The functions of the host that can be called: defined, and not private."""
    written: Written = {
        (k["module"], k["name"]): [p.get("written", True) for p in k["parameters"] or ()]
        for k in kernels
    }
    found: list[DescribedFunction] = []
    for op in module.regions[0].blocks[0].ops:
        if op.name != "func.func" or not op.regions[0].blocks:
            continue
        if visibility(op) == "private":
            continue
        arguments = op.regions[0].blocks[0].args
        found.append(
            {
                "name": symbol_name(op) or "",
                "parameters": [_parameter(i, a, written) for i, a in enumerate(arguments)],
                "results": [described(t) for t in cast("FunctionType", _function_type(op)).outputs],
                "location": _location(op),
            }
        )
    return found


def _location(op: Operation) -> list[str | int] | None:
    from xgpu.core.ir.locations import source_location

    location = source_location(op.location)
    return None if location is None else list(location)


def _parameter(index: int, argument: SSAValue, kernels: Written) -> DescribedType:
    found = described(argument.type)
    found["name"] = argument.name_hint or f"#{index}"
    if found["kind"] == "memref" or found["kind"] == "unranked":
        found["written"] = not _is_only_read(argument, kernels)
    return found


def _is_only_read(value: SSAValue, kernels: Written) -> bool:
    """Whether nothing that gets `value` may write to its memory."""
    for use in value.uses:
        op = use.operation
        if op.name in _READERS:
            continue
        if op.name == "vector.transfer_read" and use.index == 0:
            continue
        if op.name in ("memref.copy", "gpu.memcpy") and op.operands[use.index] is _source(op):
            continue
        if op.name in _VIEWS and all(_is_only_read(r, kernels) for r in op.results):
            continue
        if op.name == "gpu.launch_func" and not _written_by_launch(
            cast("gpu.LaunchFuncOp", op), value, kernels
        ):
            continue
        return False
    return True


def _written_by_launch(op: gpu.LaunchFuncOp, value: SSAValue, kernels: Written) -> bool:
    kernel = op.properties["kernel"]
    name = (kernel.root_reference.data, kernel.nested_references.data[-1].data)
    flags = kernels.get(name)
    operands = list(op.kernel_operands)
    if flags is None or len(flags) != len(operands):
        return True
    return any(flag for flag, operand in zip(flags, operands, strict=True) if operand is value)


def _source(op: Operation) -> SSAValue:
    return op.operands[0] if op.name == "memref.copy" else op.operands[-1]


def described(type: Attribute) -> DescribedType:
    """A type as `parameters.from_json` reads it, without a name."""
    text = str(type)
    if isinstance(type, MemRefType):
        return _memref(type, text)
    if isinstance(type, UnrankedMemRefType) and str(type.element_type) in elements.ACCEPTED:
        element = str(type.element_type)
        return {
            "kind": "unranked", "name": "", "type": text, "element": element, "written": True,
        }  # fmt: skip
    if text == "!gpu.async.token":
        return {"kind": "token", "name": "", "type": text}
    if text.startswith("!llvm.ptr"):
        return {"kind": "pointer", "name": "", "type": text}
    if text in ("i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64"):
        return {"kind": "scalar", "name": "", "type": text}
    if text in ("complex<f32>", "complex<f64>"):
        return {"kind": "complex", "name": "", "type": text}
    return {"kind": "other", "name": "", "type": text}


def _memref(type: MemRefType, text: str) -> DescribedType:
    element = str(type.element_type)
    if element not in elements.ACCEPTED:
        return {"kind": "other", "name": "", "type": text}
    sizes = [int(n) if n >= 0 else DYNAMIC for n in type.get_shape()]
    layout = type.layout
    found: descriptions.MemRefType = {
        "kind": "memref", "name": "", "type": text, "element": element, "sizes": sizes,
        "strides": None, "offset": 0, "written": True,
    }  # fmt: skip
    if isinstance(layout, NoneAttr):
        return found
    if not isinstance(layout, StridedLayoutAttr):
        return {"kind": "other", "name": "", "type": text}
    found["strides"] = [_static(s) for s in layout.strides.data]
    found["offset"] = _static(layout.offset)
    return found


def _static(attribute: object) -> int:
    """A stride or an offset; DYNAMIC where the type does not say."""
    number = getattr(attribute, "data", None)
    if not isinstance(number, int) or number == -(2**63):
        return DYNAMIC
    return number
