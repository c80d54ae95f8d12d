# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of functions, parameters, results and calls as those of the llvm dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)

from xgpu.core import ods
from xgpu.dialects.llvm.attributes import (
    ConstantRangeAttr,
    FramePointerKindAttr,
    UWTableKindAttr,
)
from xgpu.frontend.llvm_ir.attribute_parser import (
    allocation_kind,
    allocation_size,
    memory_effects,
    memory_number,
)
from xgpu.frontend.llvm_ir.model import Attributes, Function, GlobalObject, Instruction

if TYPE_CHECKING:
    from xdsl.ir import Attribute

UNIT = UnitAttr()

#: Attributes of parameters and results that the llvm dialect has under the same name.
_PARAMETERS_WORDS = """
align alignstack allocalign allocptr byref byval dereferenceable dereferenceable_or_null
elementtype inalloca inreg nest noalias nofree nonnull noundef preallocated range readnone
readonly returned signext sret writeonly zeroext
"""
_PARAMETERS = frozenset(_PARAMETERS_WORDS.split())
#: LLVM's attributes of functions that are properties of `llvm.func`, flags.
_FUNCTION_FLAGS = {
    "noinline": "no_inline",
    "alwaysinline": "always_inline",
    "inlinehint": "inline_hint",
    "optnone": "optimize_none",
    "convergent": "convergent",
    "nounwind": "no_unwind",
    "willreturn": "will_return",
}
_CALL_FLAGS = {k: v for k, v in _FUNCTION_FLAGS.items() if k != "optnone"}
_FUNCTION_STRINGS = {
    "target-cpu": "target_cpu",
    "tune-cpu": "tune_cpu",
    "reciprocal-estimates": "reciprocal_estimates",
    "prefer-vector-width": "prefer_vector_width",
    "denormal-fp-math": "denormal_fp_math",
    "denormal-fp-math-f32": "denormal_fp_math_f32",
    "fp-contract": "fp_contract",
    "instrument-function-entry": "instrument_function_entry",
    "instrument-function-exit": "instrument_function_exit",
}
_FUNCTION_BOOLS = {
    "no-infs-fp-math": "no_infs_fp_math",
    "no-nans-fp-math": "no_nans_fp_math",
    "no-signed-zeros-fp-math": "no_signed_zeros_fp_math",
}
#: Of each list, the first that is there counts.
_ARM = (
    (
        ("aarch64_pstate_sm_enabled", "arm_streaming"),
        ("aarch64_pstate_sm_body", "arm_locally_streaming"),
        ("aarch64_pstate_sm_compatible", "arm_streaming_compatible"),
    ),
    (
        ("aarch64_new_za", "arm_new_za"),
        ("aarch64_in_za", "arm_in_za"),
        ("aarch64_out_za", "arm_out_za"),
        ("aarch64_inout_za", "arm_inout_za"),
        ("aarch64_preserves_za", "arm_preserves_za"),
    ),
)
#: What `passthrough` leaves out, since a property says it. MLIR keeps "target-cpu",
#: "prefer-vector-width" and "reciprocal-estimates" in both.
_SAID = frozenset(
    (
        *_FUNCTION_FLAGS,
        *(
            name
            for name in _FUNCTION_STRINGS
            if name not in ("target-cpu", "prefer-vector-width", "reciprocal-estimates")
        ),
        *_FUNCTION_BOOLS,
        *(name for choices in _ARM for name, _ in choices),
        *("frame-pointer", "memory", "target-features", "uwtable", "vscale_range"),
    )
)


# --- parameters and results ----------------------------------------------------------------------
def parameter(attributes: Attributes) -> DictionaryAttr:
    """The attributes of one parameter or result, those that MLIR has."""
    found: dict[str, Attribute] = {}
    for name, value in attributes.merged().known.items():
        if name == "captures":
            if value == "none":
                found["llvm.nocapture"] = UNIT
        elif name in _PARAMETERS:
            found[f"llvm.{name}"] = _parameter_value(name, value)
    return DictionaryAttr(dict(sorted(found.items())))


def _parameter_value(name: str, value: object) -> Attribute:
    if value is True:
        return UNIT
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if name == "range":
        return ConstantRangeAttr(*cast("tuple[int, int, int]", value))
    return cast("Attribute", value)


def argument_attributes(i: Instruction, immediates: tuple[int, ...] = ()) -> dict[str, Attribute]:
    """`arg_attrs` and `res_attrs` of a call, without the arguments at `immediates`."""
    arguments = [
        a for place, a in enumerate(i.extra["argument_attributes"]) if place not in immediates
    ]
    return _attribute_lists(arguments, i.extra["result_attributes"])


def signature_attributes(function: Function) -> dict[str, Attribute]:
    """`arg_attrs` and `res_attrs` of a function."""
    dictionaries = [parameter(a.attributes) for a in function.arguments]
    found: dict[str, Attribute] = {}
    if any(d.data for d in dictionaries):
        found["arg_attrs"] = ArrayAttr(dictionaries)
    if function.result_attributes:
        found["res_attrs"] = ArrayAttr([parameter(function.result_attributes)])
    return found


def _attribute_lists(arguments: list[Attributes], result: Attributes) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    if any(arguments):
        found["arg_attrs"] = ArrayAttr([parameter(a) for a in arguments])
    if result:
        found["res_attrs"] = ArrayAttr([parameter(result)])
    return found


# --- functions -----------------------------------------------------------------------------------
def function_properties(function: Function) -> dict[str, Attribute]:
    """The properties of `llvm.func` that a function's attributes say."""
    attributes = function.attributes.merged()
    known, strings = attributes.known, attributes.strings
    found: dict[str, Attribute] = {}
    _add_memory(found, memory_effects(known.get("memory")))
    if entries := listed(attributes, _SAID):
        found["passthrough"] = ArrayAttr(entries)
    found.update({ours: UNIT for theirs, ours in _FUNCTION_FLAGS.items() if theirs in known})
    for choices in _ARM:
        name = next((ours for theirs, ours in choices if theirs in strings), None)
        if name is not None:
            found[name] = UNIT
    for theirs, ours in _FUNCTION_STRINGS.items():
        if theirs in strings:
            found[ours] = StringAttr(strings[theirs])
    for theirs, ours in _FUNCTION_BOOLS.items():
        if theirs in strings:
            found[ours] = IntegerAttr(-int(strings[theirs] == "true"), i1)
    if (scale := known.get("vscale_range")) is not None:
        found["vscale_range"] = _scale(scale)
    if (kind := strings.get("frame-pointer")) is not None:
        found["frame_pointer"] = FramePointerKindAttr(kind)
    if (features := strings.get("target-features")) is not None:
        found["target_features"] = _features(features)
    if (kind := known.get("uwtable")) is not None:
        found["uwtable_kind"] = UWTableKindAttr("sync" if kind == 1 else "async")
    return found


def _scale(text: object) -> Attribute:
    """`vscale_range(1,16)`; without an upper bound it is 0."""
    cls = ods.attr_class("llvm.vscale_range")
    bounds = [int(part) for part in str(text).split(",")]
    upper = bounds[1] if len(bounds) > 1 else bounds[0]
    return cls(IntegerAttr(bounds[0], i32), IntegerAttr(upper, i32))


def _features(text: str) -> Attribute:
    cls = ods.attr_class("llvm.target_features")
    return cls(tuple(StringAttr(part) for part in text.split(",") if part))


def _add_memory(found: dict[str, Attribute], effects: tuple[int, ...]) -> None:
    """`memory_effects`, unless every location is read and written."""
    if any(effect != 3 for effect in effects):
        from xgpu.frontend.llvm_ir.debug_attributes import attribute

        words = ("none", "read", "write", "readwrite")
        names = ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1")
        parts = {name: words[e] for name, e in zip(names, effects, strict=True)}
        found["memory_effects"] = attribute("memory_effects", **parts)


def listed(attributes: Attributes, left_out: frozenset[str] = frozenset()) -> list[Attribute]:
    """Attributes by their names in LLVM, as `passthrough` has them: a string, or a pair of
    strings for one with a value."""
    found: list[Attribute] = []
    for name, value in attributes.known.items():
        if name in left_out:
            continue
        number = _encoded(name, value)
        found.append(StringAttr(name) if number is None else _pair(name, str(number)))
    for name, value in attributes.strings.items():
        if name not in left_out:
            found.append(_pair(name, value) if value else StringAttr(name))
    return found


def _pair(name: str, value: str) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(name), StringAttr(value)])


def _encoded(name: str, value: Any) -> int | None:
    """LLVM's number for the value of an attribute, None for one without value."""
    if value is True:
        return None
    if isinstance(value, int):
        return value
    if name == "allockind":
        return allocation_kind(value)
    if name == "allocsize":
        return allocation_size(value)
    if name == "memory":
        return memory_number(memory_effects(value))
    return None


_fast_math: dict[tuple[str, ...], Attribute] = {}


def fast_math(flags: list[str]) -> dict[str, Attribute]:
    """The property of fast-math flags, none if there are none."""
    if not flags:
        return {}
    key = tuple(flags)
    found = _fast_math.get(key)
    if found is None:
        cls = ods.attr_class("llvm.fastmath")
        found = _fast_math[key] = cls(flags)
    return {"fastmathFlags": found}


# --- calls ---------------------------------------------------------------------------------------
_READING_BUNDLES_NOT = frozenset(("ptrauth", "kcfi", "convergencectrl", "deactivation-symbol"))
_CLOBBERING_BUNDLES_NOT = _READING_BUNDLES_NOT | {"deopt", "funclet"}


def call_properties(i: Instruction, target: GlobalObject | None) -> dict[str, Attribute]:
    """The properties of `llvm.call` that its own attributes say, and what it does to memory."""
    known = i.extra["attributes"].merged().known
    found: dict[str, Attribute] = fast_math(i.flags)
    found.update({ours: UNIT for theirs, ours in _CALL_FLAGS.items() if theirs in known})
    effects = memory_effects(known.get("memory"))
    if isinstance(target, Function):
        of_callee = memory_effects(target.attributes.merged().known.get("memory"))
        also = _bundle_effects(i)
        effects = tuple(a & (c | also) for a, c in zip(effects, of_callee, strict=True))
    _add_memory(found, effects)
    return found


def _bundle_effects(i: Instruction) -> int:
    """What operand bundles may do to memory beyond the function that is called."""
    tags = [tag for tag, _ in i.extra["bundles"]]
    reads = any(tag not in _READING_BUNDLES_NOT for tag in tags)
    writes = any(tag not in _CLOBBERING_BUNDLES_NOT for tag in tags)
    return int(reads) | int(writes) << 1
