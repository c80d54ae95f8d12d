# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of functions, parameters, results and calls, and constants, as those of the llvm
dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    FloatData,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.core.ir.elements import pack, repeated
from xgpu.core.ir.floats import from_bits
from xgpu.core.ir.locations import build
from xgpu.dialects.llvm.attributes import ConstantRangeAttr, FramePointerKindAttr, UWTableKindAttr
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType
from xgpu.frontend.llvm_ir.model import Attributes, Constant, Function, GlobalObject, Instruction
from xgpu.frontend.llvm_ir.source import decoded
from xgpu.frontend.llvm_ir.type_parser import (
    allocation_kind,
    allocation_size,
    is_float,
    memory_effects,
    memory_number,
)

if TYPE_CHECKING:
    from xgpu.frontend.llvm_ir.body import Body


# --- attribute import ----------------------------------------------------------------------------
# Attributes of functions, parameters, results and calls as those of the llvm dialect.


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
        from xgpu.frontend.llvm_ir.debug_import import attribute

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


# --- constant import -----------------------------------------------------------------------------
# Constants as attributes, and as operations at the start of a function or an initializer.
#
# A constant that a value of a function needs becomes an operation once a function, in the entry
# block, behind those that were made before.


def scalar(constant: Constant) -> Attribute | None:
    """The attribute of a number, None for any other constant."""
    t = constant.type
    if constant.kind == "int":
        return IntegerAttr(constant.data, t)  # pyright: ignore
    if constant.kind == "float" and _has_attribute(t):
        return FloatAttr.new([FloatData(from_bits(constant.data, t)), t])  # pyright: ignore
    return None


def _has_attribute(t: Attribute) -> bool:
    """Whether numbers of type `t` have attributes: all but PowerPC's pairs of doubles."""
    return isinstance(t, IntegerType) or (is_float(t) and t.name != "llvm.ppc_fp128")


def shape_of(t: Attribute) -> TensorType | VectorType | None:
    """The type of the elements attribute of constants of type `t`, None if there is none: vectors
    of numbers, and arrays of numbers or of such vectors."""
    shape: list[int] = []
    is_array = isinstance(t, LLVMArrayType)
    while isinstance(t, LLVMArrayType):
        shape.append(t.size)
        t = t.element_type
    if isinstance(t, VectorType):
        if t.get_num_scalable_dims() or not _has_attribute(t.element_type):
            return None
        return VectorType(t.element_type, (*shape, t.get_shape()[0]))
    if not is_array or not _has_attribute(t):
        return None
    return TensorType(t, shape)


def as_attribute(constant: Constant) -> Attribute | None:
    """The attribute that says all of a constant, None where operations have to."""
    kind = constant.kind
    if kind in ("int", "float"):
        return scalar(constant)
    if kind == "string":
        return StringAttr(decoded(constant.data))
    if kind == "zero":
        return _zero(constant)
    if kind not in ("data", "aggregate"):
        return None
    shape = shape_of(constant.type)
    if shape is None:
        return None
    numbers = _numbers(constant)
    if numbers is None:
        return None
    return elements(shape, numbers)


def _zero(constant: Constant) -> Attribute | None:
    shape = shape_of(constant.type)
    if shape is None:
        return None
    return elements(shape, [0] if _count(shape) else [])


def _count(shape: TensorType | VectorType) -> int:
    count = 1
    for size in shape.get_shape():
        count *= size
    return count


def elements(shape: TensorType | VectorType, numbers: Sequence[int]) -> Attribute:
    """Dense elements of integers, or of the bits of floats; one number stands for all."""
    t = shape.get_element_type()
    values: Sequence[float] = numbers
    if not isinstance(t, IntegerType):
        values = [from_bits(n, cast("AnyFloat", t)) for n in numbers]
    count = _count(shape)
    if len(values) == 1 and count != 1:
        data = repeated(pack(values, t), count)
    else:
        data = pack(values, t)
    # xDSL's check knows no sizes of wide types.
    return build(DenseIntOrFPElementsAttr, type=shape, data=BytesAttr(data))


def _numbers(constant: Constant) -> list[int] | None:
    """The numbers of an aggregate, depth first; None if there is anything else in it."""
    found: list[int] = []
    pending = [constant]
    while pending:
        current = pending.pop()
        if current.kind == "aggregate":
            pending += reversed(current.operands)
        elif current.kind == "data":
            found += current.data
        elif current.kind in ("int", "float"):
            found.append(current.data)
        else:
            return None
    return found


# --- operations ----------------------------------------------------------------------------------
def convert(body: Body, constant: Constant) -> SSAValue:
    """The operation of a constant whose parts have theirs, at the builder's place."""
    attribute = as_attribute(constant)
    if attribute is not None:
        return _create(body, "llvm.mlir.constant", constant.type, value=attribute)
    return _CONVERTERS.get(constant.kind, _unhandled)(body, constant)


def _create(body: Body, name: str, t: Attribute, **properties: Attribute) -> SSAValue:
    return body.builder.create(name, (), (t,), properties).results[0]


def _plain(name: str) -> Callable[[Body, Constant], SSAValue]:
    def convert(body: Body, constant: Constant) -> SSAValue:
        return _create(body, name, constant.type)

    return convert


def _global(body: Body, constant: Constant) -> SSAValue:
    symbol = body.context.symbol(constant.data)
    return _create(body, "llvm.mlir.addressof", constant.type, global_name=SymbolRefAttr(symbol))


def _local_equivalent(body: Body, constant: Constant) -> SSAValue:
    symbol = body.context.symbol(constant.operands[0].data)
    return _create(
        body, "llvm.dso_local_equivalent", constant.type, function_name=SymbolRefAttr(symbol)
    )


def _block_address(body: Body, constant: Constant) -> SSAValue:
    function, block = constant.data
    number = body.context.source.blocks[function][block].number
    tag = ods.attr_class("llvm.blocktag")
    address = ods.attr_class("llvm.blockaddress")
    symbol = SymbolRefAttr(body.context.symbol(function))
    return _create(
        body, "llvm.blockaddress", constant.type, block_addr=address(symbol, tag(number))
    )


def _aggregate(body: Body, constant: Constant) -> SSAValue:
    """One element after the other inserted into an undefined value."""
    t = constant.type
    whole = _create(body, "llvm.mlir.undef", t)
    in_vector = not isinstance(t, LLVMArrayType | LLVMStructType)
    for place, part in enumerate(constant.operands):
        value = body.values[part]
        if in_vector:
            index = _create(body, "llvm.mlir.constant", i32, value=IntegerAttr(place, i32))
            op = body.builder.create("llvm.insertelement", (whole, value, index), (t,))
        else:
            op = body.builder.create(
                "llvm.insertvalue", (whole, value), (t,), {"position": body.position((place,))}
            )
        whole = op.results[0]
    return whole


def _expression(body: Body, constant: Constant) -> SSAValue:
    """An expression is what the instruction of its name is."""
    opcode, flags, about = constant.data
    instruction = Instruction()
    instruction.opcode = opcode
    instruction.flags = list(flags)
    instruction.type = constant.type
    instruction.operands = list(constant.operands)
    instruction.extra = {"source": about, "mask": about}
    body.instruction(instruction)
    return body.values.pop(instruction)


def _zero_operation(body: Body, constant: Constant) -> SSAValue:
    return _create(body, "llvm.mlir.zero", constant.type)


_REASONS = {
    "ptrauth": " since ptrauth(...) is unsupported",
    "no_cfi": " since no_cfi is unsupported",
}


def _unhandled(body: Body, constant: Constant) -> SSAValue:
    reason = _REASONS.get(constant.kind, "")
    raise body.messages.unhandled("constant in", body.current, reason)


_CONVERTERS: dict[str, Callable[[Body, Constant], SSAValue]] = {
    "null": _plain("llvm.mlir.zero"),
    "zero": _zero_operation,
    "none": _plain("llvm.mlir.none"),
    "poison": _plain("llvm.mlir.poison"),
    "undef": _plain("llvm.mlir.undef"),
    "global": _global,
    "dso_local_equivalent": _local_equivalent,
    "blockaddress": _block_address,
    "aggregate": _aggregate,
    "expression": _expression,
}
