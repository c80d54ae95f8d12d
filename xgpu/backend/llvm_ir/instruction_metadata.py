# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands behind instructions: `!tbaa`, `!alias.scope`, `!llvm.loop`, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.facts import flag, integers, number, prop
from xgpu.dialects import llvm
from xgpu.dialects.llvm.attributes import LOOP_PARTS

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.core.ods.attributes import StructAttr


def access_metadata(w: FunctionWriter, op: Operation) -> str:
    """What a memory access carries behind itself."""
    properties = op.properties
    if not properties:
        return ""
    text, md = "", w.module.metadata
    if flag(op, "invariant"):
        text += f", !invariant.load {md.node('!{}')}"
    if (attr := prop(op, "dereferenceable")) is not None:
        text += md.dereferenceable(cast("StructAttr", attr))
    if flag(op, "nontemporal"):
        text += f", !nontemporal {md.tuple(['i32 1'])}"
    if flag(op, "invariantGroup"):
        text += f", !invariant.group {md.node('!{}')}"
    return text + alias_metadata(w, op)


def alias_metadata(w: FunctionWriter, op: Operation) -> str:
    text, md = "", w.module.metadata
    if (attr := prop(op, "access_groups")) is not None and attr.data:  # pyright: ignore
        text += f", !llvm.access.group {md.access_groups(cast('ArrayAttr', attr))}"
    for name, kind in (("alias_scopes", "alias.scope"), ("noalias_scopes", "noalias")):
        if (attr := prop(op, name)) is not None and attr.data:  # pyright: ignore
            text += f", !{kind} {md.alias_scopes(attr.data)}"  # pyright: ignore
    if (attr := prop(op, "tbaa")) is not None and attr.data:  # pyright: ignore
        if len(attr.data) == 1:  # pyright: ignore
            text += f", !tbaa {md.tbaa(attr.data[0])}"  # pyright: ignore
        else:
            w.module.warn(
                op,
                "TBAA access tags were not translated, because LLVM IR only supports a single "
                "tag per instruction",
            )
    return text


def branch_metadata(w: FunctionWriter, op: Operation) -> str:
    """Branch weights and loop annotation of a branch."""
    text = ""
    if weights := integers(prop(op, "branch_weights")):
        text += f", !prof {w.module.metadata.branch_weights(weights)}"
    if (attr := prop(op, "loop_annotation")) is not None:
        text += f", !llvm.loop {loop(w, op, cast('llvm.LoopAnnotationAttr', attr))}"
    return text


#: Sub-attribute of a loop annotation -> its parameters as (name, LLVM's option, how).
#: "flag" adds the bare option if true, "off" if false, "bool" the value, "i32" a number,
#: "loop" a follow-up loop.
_LOOP_PARAMETERS = [
    "disableNonforced",
    "vectorize",
    "interleave",
    "unroll",
    "unrollAndJam",
    "licm",
    "distribute",
    "pipeline",
    "peeled",
    "unswitch",
    "mustProgress",
    "isVectorized",
    "startLoc",
    "endLoc",
    "parallelAccesses",
]


def loop(w: FunctionWriter, op: Operation, attr: llvm.LoopAnnotationAttr) -> str:
    """The loop metadata of a `#llvm.loop_annotation`: a node that mentions itself first."""
    md = w.module.metadata
    # One annotation in two functions is two loops.
    key = (attr, w.module.function)
    if (found := md.by_attr.get(key)) is not None:
        return found
    reference = md.by_attr[key] = md.reserve()
    values = dict(zip(_LOOP_PARAMETERS, attr.data, strict=False))
    parts: list[str] = [reference]
    for name in ("startLoc", "endLoc"):
        if values[name] is not None and (at := w.module.location_node(values[name], w.subprogram)):
            parts.append(at)
    if number(values["disableNonforced"]):
        parts.append(md.tuple(['!"llvm.loop.disable_nonforced"']))
    if number(values["mustProgress"]):
        parts.append(md.tuple(['!"llvm.loop.mustprogress"']))
    if number(values["isVectorized"]):
        parts.append(md.tuple(['!"llvm.loop.isvectorized"', "i32 1"]))
    for name, options in LOOP_PARTS:
        if values[name] is None:
            continue
        for (_, option, how), value in zip(options, values[name].data, strict=False):
            if value is not None and (part := _loop_option(w, op, option, how, value)):
                parts.append(part)
    if values["parallelAccesses"]:
        groups = [md.access_group(a) for a in values["parallelAccesses"]]
        parts.append(md.tuple(['!"llvm.loop.parallel_accesses"', *groups]))
    md.set(reference, f"distinct !{{{', '.join(parts)}}}")
    return reference


def _loop_option(
    w: FunctionWriter, op: Operation, option: str, how: str, value: Attribute
) -> str | None:
    md = w.module.metadata
    if how == "loop":
        return md.tuple([f'!"{option}"', loop(w, op, cast("llvm.LoopAnnotationAttr", value))])
    n = number(value)
    if how == "i32":
        width = value.type.width.data if isinstance(value, IntegerAttr) else 32  # pyright: ignore
        return md.tuple([f'!"{option}"', f"i{width} {n}"])
    if how == "either":
        on, off = option.split("|")
        return md.tuple([f'!"{on if n else off}"'])
    if how == "flag":
        return md.tuple([f'!"{option}"']) if n else None
    if how == "not":
        n = not n
    return md.tuple([f'!"{option}"', "i1 true" if n else "i1 false"])
