# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that makes the operation of what was read. A part of the writer of fast readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xgpu.ods.spec import ONE
from xgpu.ods.type_predicates import Repetition
from xgpu.syntax.formats.code_writer import CodeWriter, UnsupportedError
from xgpu.syntax.formats.reader_state import OPERAND, RESULT

#: As many operands are linked without a loop.
_UNROLLED = 4


class FinishWriter(CodeWriter):
    """Checks types and makes the operation."""

    def finish(self) -> None:
        operands = self.finish_operands()
        results = self.finish_results(operands)
        self.finish_properties()
        self.rebase()
        self.add("op = new(cls)")
        self.link_operands(operands)
        self.make_results(results)
        if self.has_properties or self.has_attributes or self.cls.segmented_operands:
            self.add("op.properties = properties")
        else:
            self.add("op.properties = {**defaults}" if self.defaults else "op.properties = {}")
        self.add("op.attributes = {}")
        self.add("op.location = loc = new(SourceLoc)")
        self.add("loc.source = p.source")
        self.add("loc.position = p._starts[at]")
        self.add("op._successors = op._successor_uses = ()")
        if self.spec.successors:
            listed = ", ".join(f"s{index}" for index in range(len(self.spec.successors)))
            self.add(f"op.successors = ({listed},)")
        self.add("op.regions = ()")
        self.add("p._at = i")
        self.add("if texts[i] == 'loc':")
        self.add("    p._trailing_location(op)")
        self.add("return op")

    def finish_properties(self) -> None:
        spec = self.spec
        if self.cls.segmented_operands:
            if self.all_operands:
                raise UnsupportedError
            counts = ", ".join(
                "1" if field.quantity == ONE else f"len(o{index} or ())"
                for index, field in enumerate(spec.operands)
            )
            self.add(f"properties['operandSegmentSizes'] = segments(({counts},))")
            self.has_properties = True
        if self.defaults and (self.has_properties or self.has_attributes):
            self.add("properties = {**defaults, **properties}")

    def finish_operands(self) -> list[str]:
        """Checks the types of all operands; the parts of a tuple of them."""
        fields = self.spec.operands
        if not self.all_operands:
            for index, field in enumerate(fields):
                if index not in self.read_operands:
                    # Only a clause has it, which was not there.
                    if field.quantity == ONE:
                        raise UnsupportedError
                    self.add(f"o{index} = ()")
        if self.all_operands or self.all_types:
            if not self.all_types:
                raise UnsupportedError
            flat = "o_all"
            if not self.all_operands:
                flat = "flat"
                self.add(f"flat = ({', '.join(self.part(index) for index in range(len(fields)))},)")
            self.bail(f"t_all is None or len(t_all) != len({flat})")
            self.compare_lists(flat, "t_all")
            return [f"*{flat}"]
        for index, field in enumerate(fields):
            if index not in self.read_operands:
                continue
            derivation = self.derivations.get(f"{OPERAND} {index}")
            if derivation is None:
                raise UnsupportedError
            value = f"o{index}"
            if field.quantity == ONE:
                ty = self.type_of(f"{OPERAND} {index}")
                self.bail(f"{value}._type is not {ty} and {value}._type != {ty}")
                continue
            self.add(f"if {value}:")
            self.indent += 1
            if derivation[0] == "explicit":
                if f"t{index}" not in self.read_types:
                    raise UnsupportedError
                self.bail(f"t{index} is None or len(t{index}) != len({value})")
                self.compare_lists(value, f"t{index}")
                self.indent -= 1
                self.add(f"elif t{index}:")
                self.add("    return None")
                continue
            elif derivation[0] == "transform":
                # One that gives several types says how many operands there must be.
                raise UnsupportedError
            else:
                computed = dict(self.computed)
                ty = self.type_of(f"{OPERAND} {index}")
                # What was computed in this branch is not known outside.
                self.computed = computed
                self.add(f"for v in {value}:")
                self.add(f"    if v._type is not {ty} and v._type != {ty}:")
                self.add("        return None")
            self.indent -= 1
        return [self.part(index) for index in range(len(fields))]

    def part(self, index: int) -> str:
        """An operand of the definition in a tuple of all."""
        if self.spec.operands[index].quantity == ONE:
            return f"o{index}"
        return f"*(o{index} or ())"

    def compare_lists(self, values: str, types: str) -> None:
        self.add(f"for v, t in zip({values}, {types}):")
        self.add("    if v._type is not t and v._type != t:")
        self.add("        return None")

    def type_of(self, key: str) -> str:
        """The variable with the type of a single operand or result."""
        known = self.computed.get(key)
        if known is not None:
            return known
        derivation = self.derivations.get(key)
        if derivation is None:
            raise UnsupportedError
        name = f"{'t' if key.startswith(OPERAND) else 'r'}{key.rpartition(' ')[2]}"
        how = derivation[0]
        if how == "fixed":
            found = self.constant(derivation[1])
        elif how == "explicit":
            found = self.explicit_type(key, name)
        elif not derivation[1].startswith((OPERAND, RESULT)) or not self.is_one(derivation[1]):
            raise UnsupportedError
        elif how == "same":
            found = self.type_of(derivation[1])
        else:
            _, source, transform, field = derivation
            found = name
            given = self.type_of(source)
            memo = self.constant(_Derived(transform, field))
            self.add(f"{name} = {memo}.type if {memo}.of is {given} else {memo}.find({given})")
            self.bail(f"{name} is None")
        self.computed[key] = found
        return found

    def is_one(self, key: str) -> bool:
        kind, _, index = key.partition(" ")
        fields = self.spec.operands if kind == OPERAND else self.spec.results
        return fields[int(index)].quantity == ONE

    def explicit_type(self, key: str, name: str) -> str:
        if not self.is_one(key):
            raise UnsupportedError
        if f"{name}s" in self.read_types:
            self.bail(f"{name}s is None or len({name}s) != 1")
            self.add(f"{name} = {name}s[0]")
        elif name in self.read_types:
            if name in self.optional:
                self.bail(f"{name} is None")
        else:
            raise UnsupportedError
        return name

    def finish_results(self, operands: list[str]) -> list[str]:
        """The parts of a sequence of the types of all results."""
        fields = self.spec.results
        if self.all_results:
            self.bail("r_all is None")
            return ["*r_all"]
        found: list[str] = []
        for index, field in enumerate(fields):
            key = f"{RESULT} {index}"
            derivation = self.derivations.get(key)
            if derivation is None and self.infer is not None and not found:
                return self.inferred(operands)
            if field.quantity == ONE:
                found.append(self.type_of(key))
            elif f"r{index}" in self.read_types:
                found.append(f"*(r{index} or ())")
            else:
                raise UnsupportedError
        if not fields and self.infer is not None:
            raise UnsupportedError
        return found

    def inferred(self, operands: list[str]) -> list[str]:
        if not (self.has_properties or self.has_attributes):
            self.has_properties = True
        self.add("try:")
        self.add(f"    inferred = infer(({_listed(operands)}), properties, [], {{}})")
        self.add("except Exception:")
        self.add("    return None")
        return ["*inferred"]

    def link_operands(self, operands: list[str]) -> None:
        if not operands:
            self.add("op._operands = no_values")
            self.add("op._operand_uses = ()")
            return
        if len(operands) > _UNROLLED or any(part[0] == "*" for part in operands):
            self.add(f"add_operands(op, ({_listed(operands)}))")
            return
        for index, operand in enumerate(operands):
            # SSAValue.add_use
            use = f"u{index}"
            self.add(f"{use} = new(Use)")
            self.add(f"{use}._operation = op")
            self.add(f"{use}._index = {index}")
            self.add(f"u = {operand}.first_use")
            self.add(f"{use}._prev_use = None")
            self.add(f"{use}._next_use = u")
            self.add("if u is not None:")
            self.add(f"    u._prev_use = {use}")
            self.add(f"{operand}.first_use = {use}")
        self.add(f"op._operands = Values(({_listed(operands)}))")
        uses = [f"u{index}" for index in range(len(operands))]
        self.add(f"op._operand_uses = ({_listed(uses)})")

    def make_results(self, results: list[str]) -> None:
        if not results:
            self.add("op.results = no_values")
        elif len(results) == 1 and results[0][0] != "*":
            self.add("r = new(OpResult)")
            self.add(f"r._type = {results[0]}")
            self.add("r.op = op")
            self.add("r.index = 0")
            self.add("op.results = Values((r,))")
        else:
            self.add(
                f"op.results = Values([OpResult(t, op, n) "
                f"for n, t in enumerate(({_listed(results)}))])"
            )


def _listed(parts: Sequence[str]) -> str:
    return "".join(f"{part}, " for part in parts)


class _Derived:
    """A type that follows from another; the last one is remembered."""

    __slots__ = ("field", "of", "transform", "type")

    def __init__(self, transform: Callable[[Any], Any], field: Any) -> None:
        self.transform = transform
        self.field = field
        self.of: Any = None
        self.type: Any = None

    def find(self, given: Any) -> Any:
        """The type that follows from `given`; None if that is wrong or there is not one."""
        if self.field is not None and not self.field.constraint.check(given):
            return None
        found = self.transform(given)
        if isinstance(found, Repetition):
            return None
        if isinstance(found, list | tuple):
            if len(found) != 1:
                return None
            found = found[0]
        if found is not None:
            self.of, self.type = given, found
        return found
