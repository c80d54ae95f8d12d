# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that use several GPUs of different kinds: their kernels are compiled for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xgpu.backend.nvptx.cubin import bundle
from xgpu.core.ir.errors import DiagnosticError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute, Operation

_RUNTIME = "mgpuSetDefaultDevice"
_OPERATION = "set_default_device"


def chooses_devices(source: str) -> bool:
    """Whether a program, as text, may use another device than the one that it is run on."""
    return _OPERATION in source or _RUNTIME in source


def others_for(module: ModuleOp, device: object) -> tuple[str, ...]:
    """The chips of other devices that a program may use."""
    from xgpu.core.ir.construction import nested_operations  # a cached program needs no xDSL

    if not any(_chooses(op) for op in nested_operations(module)):
        return ()
    return tuple(getattr(device, "other_chips", ()))


def _chooses(op: Operation) -> bool:
    from xdsl.dialects.builtin import SymbolRefAttr

    if op.name == f"gpu.{_OPERATION}":
        return True
    callee = op.properties.get("callee")
    return isinstance(callee, SymbolRefAttr) and callee.string_value() == _RUNTIME


def kernels_alone(module: ModuleOp) -> list[ModuleOp]:
    """A program for each kernel module of a program, with nothing else in it."""
    from xgpu.core.passes.pipeline_text import parse_pipeline
    from xgpu.core.syntax import context

    names = {op.name.partition(".")[0] for op in module.walk()}
    loops = "convert-linalg-to-loops," if "linalg" in names else ""
    outlined = module.clone()
    steps = f"builtin.module({loops}convert-nvgpu-to-nvvm,gpu-kernel-outlining)"
    parse_pipeline(steps).run(outlined, context())
    count = sum(op.name == "gpu.module" for op in outlined.regions[0].blocks[0].ops)
    return [_only(outlined.clone(), number) for number in range(count)]


def _only(module: ModuleOp, number: int) -> ModuleOp:
    """Take everything out of a program but one of its kernel modules."""
    ops = list(module.regions[0].blocks[0].ops)
    kept = [op for op in ops if op.name == "gpu.module"][number]
    for op in ops:
        if op is not kept:
            op.detach()
            op.erase(safe_erase=False)
    return module


def add_code(
    module: ModuleOp, copies: dict[str, list[ModuleOp]], lower: Callable[[ModuleOp, str], None],
    code_of: Callable[[ModuleOp], dict[str, bytes]], chip: str,
) -> None:  # fmt: skip
    """Let the binaries of `module`, which is lowered for `chip`, hold code for other chips too:
    that of `copies`, which are `kernels_alone`. What cannot be compiled for one of them is left out
    for it, as a program may keep what needs a chip's own features to devices that have them;
    a launch there is an error.
    """
    more: dict[str, dict[str, bytes]] = {}
    for other, copy in ((o, c) for o, each in copies.items() for c in each):
        try:
            lower(copy, other)
        except DiagnosticError:
            continue
        for name, code in code_of(copy).items():
            more.setdefault(name, {})[other] = code
    for op in module.regions[0].blocks[0].ops:
        if op.name == "gpu.binary":
            added = more.get(op.properties["sym_name"].data, {})  # type: ignore[attr-defined]
            op.properties["objects"] = _bundled(op.properties["objects"], chip, added)


def _bundled(objects: Attribute, chip: str, added: dict[str, bytes]) -> Attribute:
    from xdsl.dialects.builtin import ArrayAttr, BytesAttr

    from xgpu.dialects.gpu.attributes import ObjectAttr

    assert isinstance(objects, ArrayAttr)
    first = objects.data[0]
    assert isinstance(first, ObjectAttr)
    own = first.object.data
    raw = own if isinstance(own, bytes) else own.encode("utf-8", "surrogateescape")
    image = BytesAttr(bundle({chip: raw, **added}))
    made = ObjectAttr(first.target, "bin", image, first.properties, first.kernels)
    return ArrayAttr([made, *objects.data[1:]])
