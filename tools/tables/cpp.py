# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ expressions of ODS predicates, said in the words of `xgpu/ods/predicates.py`.

ODS states what a type must be as C++ (`::llvm::isa<::mlir::MemRefType>($_self)`). This module
parses such expressions and writes the same fact as a Python expression over the functions of our
predicate table (`is_memref(t)`). What has no word there is collected in `UNKNOWN` and stops the
generator: a predicate is never dropped silently.
"""

from __future__ import annotations

import keyword
import re

#: `isa<Class>(x)` for classes of the builtin dialect, without `::mlir::` and `Type`/`Attr`.
BUILTIN_CLASSES = {
    "IntegerType": "is_integer",
    "IndexType": "is_index",
    "FloatType": "is_float",
    "BFloat16Type": "is_bf16",
    "FloatTF32Type": "is_tf32",
    "VectorType": "is_vector",
    "FixedVectorType": "is_fixed_vector",
    "ScalableVectorType": "is_scalable_vector",
    "TensorType": "is_tensor",
    "RankedTensorType": "is_ranked_tensor",
    "UnrankedTensorType": "is_unranked_tensor",
    "MemRefType": "is_memref",
    "UnrankedMemRefType": "is_unranked_memref",
    "BaseMemRefType": "is_base_memref",
    "ShapedType": "is_shaped",
    "ComplexType": "is_complex",
    "FunctionType": "is_function",
    "TupleType": "is_tuple",
    "NoneType": "is_none",
    "Type": "is_any_type",
    "TypedAttr": "is_typed_attr",
    "StringAttr": "is_string",
    "BoolAttr": "is_bool",
    "IntegerAttr": "is_integer_attr",
    "FloatAttr": "is_float_attr",
    "UnitAttr": "is_unit",
    "TypeAttr": "is_type_attr",
    "ArrayAttr": "is_array",
    "DictionaryAttr": "is_dictionary",
    "AffineMapAttr": "is_affine_map",
    "IntegerSetAttr": "is_integer_set",
    "SymbolRefAttr": "is_symbol_ref",
    "FlatSymbolRefAttr": "is_flat_symbol_ref",
    "ElementsAttr": "is_elements",
    "DenseElementsAttr": "is_dense_elements",
    "DenseIntElementsAttr": "is_dense_int_elements",
    "DenseFPElementsAttr": "is_dense_float_elements",
    "DenseI8ArrayAttr": "is_dense_i8_array",
    "DenseI16ArrayAttr": "is_dense_i16_array",
    "DenseI32ArrayAttr": "is_dense_i32_array",
    "DenseI64ArrayAttr": "is_dense_i64_array",
    "DenseBoolArrayAttr": "is_dense_bool_array",
    "DenseF32ArrayAttr": "is_dense_f32_array",
    "DenseF64ArrayAttr": "is_dense_f64_array",
    "DenseArrayAttr": "is_dense_array",
    "LocationAttr": "is_location",
}

#: Classes that ODS does not define: C++ name without `mlir::` -> MLIR's name.
HANDWRITTEN_CLASSES = {
    "gpu::AsyncTokenType": "gpu.async.token",
    "gpu::MMAMatrixType": "gpu.mma_matrix",
    "gpu::SparseDnTensorHandleType": "gpu.sparse.dntensor_handle",
    "gpu::SparseSpMatHandleType": "gpu.sparse.spmat_handle",
    "gpu::SparseSpGEMMOpHandleType": "gpu.sparse.spgemmop_handle",
    "LLVM::LLVMVoidType": "llvm.void",
    "LLVM::LLVMTokenType": "llvm.token",
    "LLVM::LLVMPointerType": "llvm.ptr",
    "LLVM::LLVMStructType": "llvm.struct",
    "LLVM::LLVMArrayType": "llvm.array",
    "LLVM::LLVMFunctionType": "llvm.func",
    "LLVM::LLVMTargetExtType": "llvm.target",
}

#: Interfaces that predicates ask for: C++ name -> the word that holds the list of who has it.
INTERFACES = {
    "DeviceMappingAttrInterface": "is_device_mapping",
    "DeviceMaskingAttrInterface": "is_device_masking",
    "ub::PoisonAttrInterface": "is_poison",
    "LLVM::PointerElementTypeInterface": "is_pointer_element",
    "bufferization::BufferLikeType": "is_buffer_like",
    "bufferization::TensorLikeType": "is_tensor_like",
    "transform::TransformHandleTypeInterface": "is_transform_handle",
    "transform::TransformParamTypeInterface": "is_transform_param",
    "transform::TransformValueHandleTypeInterface": "is_transform_value_handle",
}

METHODS = {
    "getElementType": "element_type",
    "getRank": "rank",
    "getShape": "shape",
    "getNumElements": "element_count",
    "getAddressSpace": "address_space",
    "getInt": "integer",
    "getValue": "value",
    "getValueType": "value_type",
    "getScalableDims": "scalable_dims",
    "hasRank": "has_rank",
    "hasStaticShape": "has_static_shape",
    "isStrided": "is_strided",
    "isF16": "is_f16",
    "isF32": "is_f32",
    "isF64": "is_f64",
    "isF80": "is_f80",
    "isF128": "is_f128",
    "isBF16": "is_bf16",
    "isInteger": "is_integer",
    "isSignlessInteger": "is_signless",
    "isSignedInteger": "is_signed",
    "isUnsignedInteger": "is_unsigned",
    "isSignlessIntOrIndex": "is_signless_or_index",
    "isStrictlyPositive": "is_positive",
    "isNegative": "is_negative",
    "isPowerOf2": "is_power_of_2",
    "getInputs": "inputs",
    "getResults": "results_of",
    "size": "len",
    "asArrayRef": "array_values",
    "getDimSize": "dim_size",
    "getOperationName": "operation_name",
}

FUNCTIONS = {
    "LLVM::isCompatibleOuterType": "is_llvm_compatible",
    "LLVM::isCompatibleType": "is_llvm_compatible",
    "LLVM::isCompatibleFloatingPointType": "is_llvm_float",
    "LLVM::isCompatibleVectorType": "is_llvm_vector",
    "LLVM::isScalableVectorType": "is_llvm_scalable_vector",
    "isScalableVectorType": "is_llvm_scalable_vector",
    "LLVM::isLoadableType": "is_llvm_loadable",
    "getVectorNumElements": "llvm_vector_length",
    "getElementTypeOrSelf": "element_or_self",
    "getI1SameShape": "i1_same_shape",
    "getValAndBoolStructType": "value_and_i1_struct",
    "hasNItems": "has_items",
    "hasNItemsOrMore": "has_items_or_more",
    "hasNItemsOrLess": "has_items_or_fewer",
    "is_sorted": "is_sorted",
    "isOpaqueTypeWithName": "is_opaque",
    "bufferization::detail::typesMatchAfterBufferization": "matches_after_bufferization",
}

#: Whole snippets that no expression grammar should be stretched for, spaces squeezed -> our words.
SNIPPETS = {
    "[](ArrayRef<int64_t> a) { return std::adjacent_find(std::begin(a), std::end(a)) == "
    "std::end(a); }(cast<DenseI64ArrayAttr>($_self).asArrayRef())": (
        "has_no_neighbours_alike(array_values(t))"
    ),
    "$_self.hasTrait<ValueSemantics>()": "has_value_semantics(t)",
    "$_self.hasTrait<gpu::OffloadingTranslationAttrTrait>()": "is_offloading_translation(t)",
    "!getStringLiteral() || (!getSource() && getPunctuation() == PrintPunctuation::NewLine)": (
        "vector_print_is_literal_or_value(op)"
    ),
    "(getSrcVectorBitWidth() <= 131072) && (getResVectorBitWidth() <= 131072)": (
        "vector_bits(op.srcvec.type) <= 131072 and vector_bits(op.res.type) <= 131072"
    ),
    "(getSrcVectorBitWidth() <= 131072) && (getDstVectorBitWidth() <= 131072)": (
        "vector_bits(op.srcvec.type) <= 131072 and vector_bits(op.dstvec.type) <= 131072"
    ),
    "(getPos() % getResultVectorType().getNumElements()) == 0": (
        "op.pos.value.data % element_count(op.results[0].type) == 0"
    ),
    "(getPos() % getSourceVectorType().getNumElements()) == 0": (
        "op.pos.value.data % element_count(op.operands[0].type) == 0"
    ),
}

UNKNOWN: set[str] = set()

_TOKEN = re.compile(
    r"\s+|(?P<op>&&|\|\||==|!=|<=|>=|->|::|[-+*/%&|~!<>?:()\[\]{},.;=])"
    r"|(?P<num>\d+)u?\b|(?P<name>\$?[A-Za-z_]\w*)|(?P<str>\"[^\"]*\")"
)
_TEMPLATES = {"isa", "cast", "dyn_cast", "hasTrait", "static_cast", "ArrayRef", "SmallVector"}
_TEMPLATES |= {"hasPromiseOrImplementsInterface", "equal_to"}


class CannotTranslate(Exception):
    """The expression uses something that has no word in our predicate table."""


def _squeeze(text: str) -> str:
    text = text.replace("::mlir::", "").replace("::llvm::", "").replace("mlir::", "")
    text = re.sub(r"\bllvm::", "", text)
    return re.sub(r"\s+", " ", text).strip()


class Translator:
    """Translates C++ predicate expressions; knows the C++ classes of ODS attributes and types."""

    def __init__(self, classes: dict[str, str], enums: dict[str, str]) -> None:
        self.classes = classes | HANDWRITTEN_CLASSES
        self.enums = enums

    def translate(self, text: str) -> str:
        """The Python expression that says what the C++ expression `text` says."""
        text = _squeeze(text)
        for snippet, words in SNIPPETS.items():
            text = text.replace(snippet, f"@{{{words}}}") if snippet in text else text
        # A snippet's words are already ours: keep them as one opaque name.
        self.opaque: list[str] = []

        def keep(match: re.Match[str]) -> str:
            self.opaque.append(match[1])
            return f"opaque_{len(self.opaque) - 1}"

        text = re.sub(r"@\{(.*?)\}", keep, text)
        self.tokens = self._tokenize(text)
        self.at = 0
        try:
            result = self._ternary()
            if self.at != len(self.tokens):
                raise CannotTranslate(f"trailing {self.tokens[self.at :]}")
        except (CannotTranslate, IndexError) as error:
            UNKNOWN.add(f"{text}    ({error})")
            return "unknown(t)"
        return _strip(result)

    def _tokenize(self, text: str) -> list[str]:
        tokens: list[str] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise CannotTranslate(f"character {text[at]!r}")
            at = match.end()
            if match[0].strip():
                tokens.append(match["num"] or match[0])
        return tokens

    def _peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, token: str) -> None:
        if (found := self._next()) != token:
            raise CannotTranslate(f"expected {token}, found {found}")

    def _ternary(self) -> str:
        cond = self._or()
        if self._peek() != "?":
            return cond
        self._next()
        then = self._ternary()
        self._expect(":")
        return f"({then} if {cond} else {self._ternary()})"

    def _or(self) -> str:
        parts = [self._and()]
        while self._peek() == "||":
            self._next()
            parts.append(self._and())
        parts = list(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else "(" + " or ".join(parts) + ")"

    def _and(self) -> str:
        parts = [self._compare()]
        while self._peek() == "&&":
            self._next()
            parts.append(self._compare())
        parts = [p for p in dict.fromkeys(parts) if p != "True"] or ["True"]
        if len(parts) == 1:
            return parts[0]
        return " and ".join(_strip(p) if " or " not in p and " if " not in p else p for p in parts)

    def _compare(self) -> str:
        left = self._sum()
        while self._peek() in ("==", "!=", "<", ">", "<=", ">="):
            op = self._next()
            left = f"{left} {op} {self._sum()}"
        return left

    def _sum(self) -> str:
        left = self._unary()
        while self._peek() in ("+", "-", "*", "%", "&"):
            op = self._next()
            left = f"{left} {op} {self._unary()}"
        return left

    def _unary(self) -> str:
        token = self._peek()
        if token == "!":
            self._next()
            inner = _strip(self._unary())
            one = " and " not in inner and " or " not in inner and " == " not in inner
            return f"not {inner}" if one else f"not ({inner})"
        if token in ("-", "~"):
            self._next()
            return f"{token}{self._unary()}"
        return self._postfix()

    def _postfix(self) -> str:
        value = self._primary()
        while self._peek() in (".", "->"):
            self._next()
            value = self._method(value)
        return value

    def _method(self, receiver: str) -> str:
        name = self._next()
        template = self._template(name)
        args = self._arguments()
        if name == "hasPromiseOrImplementsInterface":
            return "True"  # Interfaces attach at run time; `transform` alone asks for them.
        if name == "getType" and not args:
            is_attribute = receiver.startswith(("t", "attr"))
            return f"type_of({receiver})" if is_attribute else f"{receiver}.type"
        if receiver == "op" and name in ("getOperand", "getResult"):
            return f"op.{name[3:].lower()}s[{args[0]}]"
        if receiver == "op" and name in ("getNumOperands", "getNumResults"):
            return f"len(op.{name[6:].lower()})"
        if name == "getTypes" and receiver.startswith("op."):
            return f"types_of({receiver})"
        if name not in METHODS or template:
            raise CannotTranslate(f"method {name}")
        return f"{METHODS[name]}({', '.join([receiver, *args])})"

    def _template(self, name: str) -> list[str]:
        if name not in _TEMPLATES or self._peek() != "<":
            return []
        self._next()
        depth, words, text = 1, [], ""
        while depth:
            token = self._next()
            depth += (token == "<") - (token == ">")
            if token == "," and depth == 1:
                words.append(text)
                text = ""
            elif depth:
                text += token
        return [*words, text]

    def _arguments(self) -> list[str]:
        self._expect("(")
        args: list[str] = []
        while self._peek() != ")":
            args.append(_strip(self._ternary()))
            if self._peek() == ",":
                self._next()
        self._next()
        return args

    def _primary(self) -> str:
        token = self._next()
        if token == "(":
            inner = self._ternary()
            self._expect(")")
            plain = " and " not in inner and " or " not in inner and " if " not in inner
            return inner if plain else f"({_strip(inner)})"
        if token == "[":
            return self._lambda()
        if token.isdigit() or token.startswith('"'):
            return token
        if token.startswith("opaque_"):
            return (
                f"({self.opaque[int(token[7:])]})"
                if " " in self.opaque[int(token[7:])]
                else (self.opaque[int(token[7:])])
            )
        if token == "$_self":
            return "t"
        if token == "$_op":
            return "op"
        if token in ("true", "false"):
            return token.capitalize()
        if token.startswith("$"):
            name = _snake(token[1:])
            return f"op.{name}_" if keyword.iskeyword(name) else f"op.{name}"
        if token == "::":
            token = self._next()
        while self._peek() == "::":
            self._next()
            token += "::" + self._next()
        template = self._template(token)
        if token in ("ArrayRef", "SmallVector") and self._peek() in ("(", "{"):
            return self._list()
        if self._peek() != "(":
            return token
        return self._call(token, template)

    def _list(self) -> str:
        self._next()
        braces = self._peek() == "{"
        if braces:
            self._next()
        items: list[str] = []
        while self._peek() not in ("}", ")"):
            items.append(self._ternary())
            if self._peek() == ",":
                self._next()
        self._next()
        if braces and self._peek() == ")":
            self._next()
        return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"

    def _lambda(self) -> str:
        if self._peek() == "&":
            self._next()
        self._expect("]")
        self._expect("(")
        parameter = self.tokens[self.tokens.index(")", self.at) - 1]
        self.at = self.tokens.index(")", self.at) + 1
        self._expect("{")
        self._expect("return")
        body = self._ternary()
        self._expect(";")
        self._expect("}")
        if self._peek() != "(":
            return f"\\{parameter}\\{body}"
        argument = self._arguments()[0]
        return _wrap(re.sub(rf"\b{parameter}\b", lambda _: argument, body))

    def _call(self, name: str, template: list[str]) -> str:
        args = self._arguments()
        if name == "isa":
            return self._isa(template, args[0])
        if name in ("cast", "dyn_cast", "static_cast"):
            return args[0]
        if name == "all_of":
            _, parameter, body = args[1].split("\\", 2)
            # `attr && p(attr)`: elements are never null here.
            body = re.sub(rf"^{parameter} and ", "", body)
            if body in ("True", parameter):
                return "True"
            return f"all({_strip(body)} for {parameter} in {args[0]})"
        if name not in FUNCTIONS:
            raise CannotTranslate(f"function {name}")
        if name == "getElementTypeOrSelf" and args[0].startswith("op."):
            args[0] += "" if args[0].endswith(".type") else ".type"
        return f"{FUNCTIONS[name]}({', '.join(args)})"

    def _isa(self, classes: list[str], value: str) -> str:
        words = [self._is_one(cls, value) for cls in classes]
        return words[0] if len(words) == 1 else "(" + " or ".join(words) + ")"

    def _is_one(self, cls: str, value: str) -> str:
        if cls in BUILTIN_CLASSES:
            return f"{BUILTIN_CLASSES[cls]}({value})"
        if cls in INTERFACES:
            return f"{INTERFACES[cls]}({value})"
        for candidate in (cls, cls.removeprefix("LLVM::")):
            if candidate in self.classes:
                return f'named({value}, "{self.classes[candidate]}")'
        if cls in self.enums:
            return re.sub(r"\bt\b", lambda _: value, self.enums[cls])
        raise CannotTranslate(f"class {cls}")


def _strip(text: str) -> str:
    """`text` without parentheses around the whole."""
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if depth == 0 and at < len(text) - 1:
                return text
        if text.endswith(",)") or text == "()" or _is_tuple(text):
            return text
        text = text[1:-1]
    return text


def _is_tuple(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 1:
            return True
    return False


def _wrap(text: str) -> str:
    return f"({text})" if " or " in text and not text.startswith("(") else text


def _snake(name: str) -> str:
    """MLIR's field name as the accessor's: `valueToStore` -> `value_to_store`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "_" + m[1].lower(), name)
