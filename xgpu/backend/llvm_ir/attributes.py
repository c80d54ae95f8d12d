# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of functions, parameters, results and calls as LLVM IR text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from xgpu.backend.llvm_ir.facts import MODREF, flag, integers, number, prop, text_of
from xgpu.backend.llvm_ir.types import Types, quoted
from xgpu.core.ir.errors import error
from xgpu.dialects import llvm

#: Attributes that LLVM knows by name; any other in `passthrough` is a string attribute.
_ENUM = frozenset(
    [
        "allocptr",
        "alwaysinline",
        "builtin",
        "noundef",
        "cold",
        "convergent",
        "fn_ret_thunk_extern",
        "hybrid_patchable",
        "inlinehint",
        "inreg",
        "jumptable",
        "minsize",
        "naked",
        "nest",
        "noalias",
        "nobuiltin",
        "nocallback",
        "nodivergencesource",
        "noduplicate",
        "noext",
        "nofree",
        "dead_on_unwind",
        "dead_on_return",
        "noimplicitfloat",
        "noinline",
        "nonlazybind",
        "nomerge",
        "nonnull",
        "norecurse",
        "noredzone",
        "noreturn",
        "nosync",
        "nocf_check",
        "noprofile",
        "skipprofile",
        "nounwind",
        "nosanitize_bounds",
        "nosanitize_coverage",
        "null_pointer_is_valid",
        "optdebug",
        "optforfuzzing",
        "optsize",
        "optnone",
        "readnone",
        "readonly",
        "returned",
        "immarg",
        "returns_twice",
        "safestack",
        "shadowcallstack",
        "signext",
        "speculatable",
        "ssp",
        "sspreq",
        "sspstrong",
        "strictfp",
        "sanitize_address",
        "sanitize_thread",
        "sanitize_type",
        "sanitize_memory",
        "sanitize_hwaddress",
        "sanitize_memtag",
        "sanitize_numerical_stability",
        "sanitize_realtime",
        "sanitize_realtime_blocking",
        "sanitize_alloc_token",
        "speculative_load_hardening",
        "swifterror",
        "swiftself",
        "swiftasync",
        "willreturn",
        "writable",
        "writeonly",
        "zeroext",
        "mustprogress",
        "presplitcoroutine",
        "coro_only_destroy_when_complete",
        "coro_elide_safe",
        "hot",
        "allocalign",
        "disable_sanitizer_instrumentation",
    ]
)
_INTEGER = frozenset(
    [
        "align",
        "allocsize",
        "dereferenceable",
        "dereferenceable_or_null",
        "memory",
        "nofpclass",
        "captures",
        "alignstack",
        "uwtable",
        "vscale_range",
        "allockind",
    ]
)

#: Unit attributes of `llvm.func` -> LLVM's.
_FUNCTION_FLAGS = (
    ("no_inline", "noinline"),
    ("always_inline", "alwaysinline"),
    ("inline_hint", "inlinehint"),
    ("optimize_none", "optnone"),
    ("convergent", "convergent"),
    ("no_unwind", "nounwind"),
    ("will_return", "willreturn"),
)
_FUNCTION_STRINGS = (
    ("target_cpu", "target-cpu"),
    ("tune_cpu", "tune-cpu"),
    ("reciprocal_estimates", "reciprocal-estimates"),
    ("prefer_vector_width", "prefer-vector-width"),
    ("denormal_fp_math", "denormal-fp-math"),
    ("denormal_fp_math_f32", "denormal-fp-math-f32"),
    ("fp_contract", "fp-contract"),
    ("instrument_function_entry", "instrument-function-entry"),
    ("instrument_function_exit", "instrument-function-exit"),
)
_FUNCTION_BOOLS = (
    ("no_infs_fp_math", "no-infs-fp-math"),
    ("no_nans_fp_math", "no-nans-fp-math"),
    ("no_signed_zeros_fp_math", "no-signed-zeros-fp-math"),
)
_ARM = (
    (
        ("arm_streaming", "aarch64_pstate_sm_enabled"),
        ("arm_locally_streaming", "aarch64_pstate_sm_body"),
        ("arm_streaming_compatible", "aarch64_pstate_sm_compatible"),
    ),
    (
        ("arm_new_za", "aarch64_new_za"),
        ("arm_in_za", "aarch64_in_za"),
        ("arm_out_za", "aarch64_out_za"),
        ("arm_inout_za", "aarch64_inout_za"),
        ("arm_preserves_za", "aarch64_preserves_za"),
    ),
)
#: The nvvm dialect's function attributes whose value is a number or a list of them.
_NVVM = {
    "nvvm.maxntid": "nvvm.maxntid",
    "nvvm.reqntid": "nvvm.reqntid",
    "nvvm.cluster_dim": "nvvm.cluster_dim",
    "nvvm.cluster_max_blocks": "nvvm.maxclusterrank",
    "nvvm.minctasm": "nvvm.minctasm",
    "nvvm.maxnreg": "nvvm.maxnreg",
}


def memory(attr: llvm.MemoryEffectsAttr) -> str:
    """`memory(...)` of a `#llvm.memory_effects`."""
    names = ("argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1")
    other, *rest = (text_of(p) if not isinstance(p, int) else MODREF[p] for p in attr.data)
    parts = [other] + [f"{n}: {kind}" for n, kind in zip(names, rest, strict=False)]
    return f"memory({', '.join(parts)})"


def passthrough(op: Operation, attrs: Attribute | None, name: str) -> list[str]:
    """The attributes that an array of strings and pairs of strings names."""
    found: list[str] = []
    for entry in attrs.data if isinstance(attrs, ArrayAttr) else ():
        if isinstance(entry, StringAttr):
            found.append(_named(op, entry.data, ""))
            continue
        if not isinstance(entry, ArrayAttr) or len(entry.data) != 2:
            raise error(op, f"expected '{name}' to contain string or array attributes")
        key, value = entry.data
        if not isinstance(key, StringAttr) or not isinstance(value, StringAttr):
            raise error(op, f"expected arrays within '{name}' to contain two strings")
        found.append(_named(op, key.data, value.data))
    return found


def _named(op: Operation, key: str, value: str) -> str:
    if key in _INTEGER:
        if not value:
            raise error(op, f"LLVM attribute '{key}' expects a value")
        return _sized(key, int(value, 0))
    if key in _ENUM:
        if value:
            raise error(op, f"LLVM attribute '{key}' does not expect a value, found '{value}'")
        return key
    return f'"{quoted(key)}"="{quoted(value)}"' if value else f'"{quoted(key)}"'


def _sized(key: str, value: int) -> str:
    if key == "memory":
        # Two bits a location, in LLVM's order of locations.
        names = ("argmem: ", "inaccessiblemem: ", "errnomem: ", "")
        bits = [f"{n}{MODREF[value >> 2 * i & 3]}" for i, n in enumerate(names)]
        return f"memory({bits[3]}, {', '.join(bits[:3])})"
    if key == "uwtable":
        return "uwtable(sync)" if value == 1 else "uwtable"
    if key == "allocsize":
        element, count = value >> 32, value & 0xFFFFFFFF
        return f"allocsize({element})" if count == 0xFFFFFFFF else f"allocsize({element}, {count})"
    if key == "align":
        return f"align {value}"
    if key == "vscale_range":
        return f"vscale_range({value >> 32}, {value & 0xFFFFFFFF})"
    return f"{key}({value})"


def function_attributes(op: Operation, *, device: bool = True) -> list[str]:
    """What stands behind the parameters of a function: attributes, in any order."""
    found = passthrough(op, prop(op, "passthrough"), "passthrough")
    for name, text in _FUNCTION_FLAGS:
        if flag(op, name):
            found.append(text)
    for choices in _ARM:
        found += [f'"{text}"' for name, text in choices if flag(op, name)][:1]
    for name, text in _FUNCTION_STRINGS:
        if (attr := prop(op, name)) is not None:
            found.append(f'"{text}"="{quoted(text_of(attr))}"')
    for name, text in _FUNCTION_BOOLS:
        if (attr := prop(op, name)) is not None:
            found.append(f'"{text}"="{"true" if number(attr) else "false"}"')
    if (attr := prop(op, "target_features")) is not None:
        features = ",".join(text_of(f) for f in attr.data[0] or ())  # pyright: ignore
        found.append(f'"target-features"="{quoted(features)}"')
    if (attr := prop(op, "frame_pointer")) is not None:
        found.append(f'"frame-pointer"="{text_of(attr)}"')
    if (attr := prop(op, "uwtable_kind")) is not None:
        kind = text_of(attr)
        found += {"none": [], "sync": ["uwtable(sync)"], "async": ["uwtable"]}[kind]
    if (attr := prop(op, "vscale_range")) is not None:
        low, high = (number(p) for p in attr.data)  # pyright: ignore
        found.append(f"vscale_range({low},{high})")
    if (attr := prop(op, "memory_effects")) is not None:
        found.append(memory(cast("llvm.MemoryEffectsAttr", attr)))
    if device:
        found += nvvm_attributes(op)
    return found


def nvvm_attributes(op: Operation) -> Iterable[str]:
    """The nvvm dialect's discardable attributes of a kernel, as LLVM's NVPTX reads them."""
    for name, text in _NVVM.items():
        attr = op.attributes.get(name)
        if attr is None:
            continue
        values = [number(attr)] if isinstance(attr, IntegerAttr) else integers(attr)
        yield f'"{text}"="{",".join(map(str, values))}"'
    if "nvvm.blocksareclusters" in op.attributes:
        yield '"nvvm.blocksareclusters"'


_TYPED = frozenset(
    (
        "llvm.byref",
        "llvm.byval",
        "llvm.elementtype",
        "llvm.inalloca",
        "llvm.preallocated",
        "llvm.sret",
    )
)
_PARAMETER_FLAGS = frozenset(
    f"llvm.{n}"
    for n in [
        "allocalign",
        "allocptr",
        "inreg",
        "nest",
        "noalias",
        "nofree",
        "nonnull",
        "noundef",
        "readnone",
        "readonly",
        "returned",
        "signext",
        "writeonly",
        "zeroext",
        "swiftself",
        "swifterror",
        "swiftasync",
        "immarg",
        "writable",
        "dead_on_unwind",
    ]
)
_PARAMETER_SIZES = frozenset(
    f"llvm.{n}" for n in ("dereferenceable", "dereferenceable_or_null", "alignstack", "nofpclass")
)


def parameter(
    op: Operation, attrs: DictionaryAttr | None, types: Types, *, nvvm: bool = True
) -> str:
    """The attributes of one parameter or result, with a blank behind each."""
    if attrs is None:
        return ""
    text = ""
    for name, value in attrs.data.items():
        if name in _PARAMETER_FLAGS:
            if not isinstance(value, UnitAttr):
                raise error(op, "unsupported parameter attribute type")
            text += name[5:] + " "
        elif name in _TYPED:
            text += f"{name[5:]}({types(value)}) "
        elif name == "llvm.align":
            text += f"align {number(value)} "
        elif name in _PARAMETER_SIZES:
            text += f"{name[5:]}({number(value)}) "
        elif name == "llvm.nocapture":
            text += "captures(none) "
        elif name == "llvm.range":
            text += constant_range(cast("llvm.ConstantRangeAttr", value)) + " "
        elif name == "nvvm.grid_constant" and nvvm:
            text += '"nvvm.grid_constant" '
    return text


def constant_range(attr: llvm.ConstantRangeAttr) -> str:
    """`range(iN lower, upper)` of a `#llvm.constant_range`: (width, lower, upper)."""
    width, lower, upper = attr.width, attr.lower, attr.upper
    return f"range(i{width} {lower}, {upper})"


def each(attrs: Attribute | None, count: int) -> list[DictionaryAttr | None]:
    """The dictionaries of an `arg_attrs` or `res_attrs`, None where there is none."""
    if attrs is None:
        return [None] * count
    found = list(cast("ArrayAttr[DictionaryAttr]", attrs).data)
    return found + [None] * (count - len(found))
