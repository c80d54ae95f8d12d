# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Named metadata of a module: its flags, linker options, libraries, identification."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    FloatData,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    f64,
    i32,
)

from xgpu.core.ir.floats import from_bits
from xgpu.frontend.llvm_ir.debug_attributes import attribute
from xgpu.frontend.llvm_ir.model import (
    Constant,
    Metadata,
    MetadataConstant,
    MetadataString,
    Module,
    Node,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute

_BEHAVIORS = {
    1: "error",
    2: "warning",
    3: "require",
    4: "override",
    5: "append",
    6: "append_unique",
    7: "max",
    8: "min",
}
_COUNTS = (
    "TotalCount",
    "MaxCount",
    "MaxInternalCount",
    "MaxFunctionCount",
    "NumCounts",
    "NumFunctions",
)
#: Says that something is left out.
Warn = Callable[[str], None]


class _Malformed(Exception):
    """A flag's value is not what its key asks for; `args[0]` says why."""


def module_flags(module: Module, as_text: Callable[[object], str], warn: Warn) -> list[Attribute]:
    """`#llvm.mlir.module_flag` of each flag that MLIR has."""
    found: list[Attribute] = []
    for node in module.named_metadata.get("llvm.module.flags", ()):
        behavior, key = node.integer(0), node.string(1)
        if behavior not in _BEHAVIORS or key is None or len(node.operands) != 3:
            continue
        try:
            value = _value(module, key, node.operands[2], as_text)
        except _Malformed as reason:
            warn(str(reason))
            value = None
        if value is None:
            warn(f"unsupported module flag value for key '{key}' : {as_text(node.operands[2])}")
            continue
        found.append(
            attribute(
                "mlir.module_flag",
                behavior=_BEHAVIORS[behavior],
                key=StringAttr(key),
                value=value,
            )
        )
    return found


def _value(
    module: Module, key: str, value: Metadata | None, as_text: Callable[[object], str]
) -> Attribute | None:
    if isinstance(value, MetadataConstant) and isinstance(value.value, Constant):
        constant = value.value
        return IntegerAttr(constant.data & 0xFFFF_FFFF, i32) if constant.kind == "int" else None
    if isinstance(value, MetadataString):
        return StringAttr(value.text)
    if isinstance(value, Node) and key == "CG Profile":
        return ArrayAttr([_call_edge(module, entry) for entry in value.operands])
    if isinstance(value, Node) and key == "ProfileSummary":
        return _Summary(value, as_text).read()
    return None


def _call_edge(module: Module, entry: Metadata | None) -> Attribute:
    """`!{ptr @from, ptr @to, i64 n}`, of which each function may be null."""
    if not isinstance(entry, Node) or entry.integer(2) is None:
        raise _Malformed("expected a caller, a callee and a count in 'CG Profile'")
    ends: list[SymbolRefAttr | None] = []
    for place in (0, 1):
        function = entry.constant(place)
        if function is None or function.kind != "global":
            ends.append(None)
        else:
            ends.append(SymbolRefAttr(module.symbols[function.data].name))
    return attribute("cgprofile_entry", **{"from": ends[0]}, to=ends[1], count=entry.integer(2))


class _Summary:
    """The entries of a profile's summary, pairs of a key and a value in a fixed order."""

    def __init__(self, node: Node, as_text: Callable[[object], str]) -> None:
        self.node = node
        self.as_text = as_text
        self.at = 0

    def read(self) -> Attribute:
        if len(self.node.operands) < 8:
            raise _Malformed(
                f"expected at 8 entries in 'ProfileSummary': {self.as_text(self.node)}"
            )
        form = self._pair("ProfileFormat").string(1)
        if form not in ("SampleProfile", "InstrProf", "CSInstrProf"):
            raise _Malformed(
                "expected 'SampleProfile', 'InstrProf' or 'CSInstrProf' values, but found: "
                f"{self.as_text(self._pair('ProfileFormat', -1).operands[1])}"
            )
        counts = [self._count(name) for name in _COUNTS]
        partial = self._count("IsPartialProfile") if self._is("IsPartialProfile") else None
        ratio = self._ratio() if self._is("PartialProfileRatio") else None
        return attribute(
            "profile_summary",
            format=form,
            total_count=counts[0],
            max_count=counts[1],
            max_internal_count=counts[2],
            max_function_count=counts[3],
            num_counts=counts[4],
            num_functions=counts[5],
            is_partial_profile=partial,
            partial_profile_ratio=ratio,
            detailed_summary=self._details(),
        )

    def _is(self, key: str) -> bool:
        if self.at >= len(self.node.operands):
            return False
        entry = self.node.operands[self.at]
        return isinstance(entry, Node) and entry.string(0) == key

    def _pair(self, key: str, offset: int = 0) -> Node:
        """The pair of `key`, which is left behind unless `offset` says otherwise."""
        place = self.at + offset
        entry = self.node.operands[place] if place < len(self.node.operands) else None
        if not isinstance(entry, Node) or len(entry.operands) != 2:
            raise _Malformed(f"expected 2-element tuple metadata: {self.as_text(entry)}")
        if entry.string(0) != key:
            raise _Malformed(f"expected '{key}' key, but found: {self.as_text(entry.operands[0])}")
        if not offset:
            self.at += 1
        return entry

    def _count(self, key: str) -> int:
        entry = self._pair(key)
        value = entry.integer(1)
        if value is None:
            raise _Malformed(
                f"expected integer metadata value for key '{key}': {self.as_text(entry)}"
            )
        return value

    def _ratio(self) -> Attribute:
        entry = self._pair("PartialProfileRatio")
        value = entry.constant(1)
        if value is None or value.kind != "float":
            raise _Malformed(
                "expected double metadata value for key 'PartialProfileRatio': "
                f"{self.as_text(entry)}"
            )
        return FloatAttr.new([FloatData(from_bits(value.data, f64)), f64])

    def _details(self) -> tuple[Attribute, ...]:
        listed = self._pair("DetailedSummary").operands[1]
        if not isinstance(listed, Node):
            raise _Malformed(
                f"expected tuple value for 'DetailedSummary' key: {self.as_text(listed)}"
            )
        return tuple(self._detail(entry) for entry in listed.operands)

    def _detail(self, entry: Metadata | None) -> Attribute:
        if not isinstance(entry, Node) or len(entry.operands) != 3:
            raise _Malformed(f"'DetailedSummary' entry expects 3 operands: {self.as_text(entry)}")
        numbers = [entry.integer(place) for place in range(3)]
        if None in numbers:
            raise _Malformed(
                "expected only integer entries in 'DetailedSummary': " + self.as_text(entry)
            )
        return attribute(
            "profile_summary_detailed",
            cut_off=numbers[0],
            min_count=numbers[1],
            num_counts=numbers[2],
        )


# --- other named metadata ------------------------------------------------------------------------
def linker_options(module: Module) -> list[Attribute]:
    """The options of each `llvm.linker_options`."""
    return [
        ArrayAttr([StringAttr(node.string(place) or "") for place in range(len(node.operands))])
        for node in module.named_metadata.get("llvm.linker.options", ())
    ]


def module_strings(module: Module) -> dict[str, Attribute]:
    """Attributes of the module that are strings in named metadata."""
    found: dict[str, Attribute] = {}
    libraries = [
        StringAttr(text)
        for node in module.named_metadata.get("llvm.dependent-libraries", ())
        if len(node.operands) == 1 and (text := node.string(0)) is not None
    ]
    if libraries:
        found["llvm.dependent_libraries"] = ArrayAttr(libraries)
    for name in ("llvm.ident", "llvm.commandline"):
        nodes = module.named_metadata.get(name, ())
        if len(nodes) == 1 and len(nodes[0].operands) == 1:
            text = nodes[0].string(0)
            if text is not None:
                found[name] = StringAttr(text)
    return found
