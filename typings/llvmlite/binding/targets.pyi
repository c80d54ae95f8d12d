# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from typing import Self

from llvmlite.binding.ffi import ObjectRef
from llvmlite.binding.module import ModuleRef

class FeatureMap(dict[str, bool]):
    def flatten(self, sort: bool = True) -> str: ...

def get_host_cpu_features() -> FeatureMap: ...
def get_host_cpu_name() -> str: ...

class TargetData(ObjectRef):
    def get_abi_size(self, ty: object) -> int: ...
    def get_abi_alignment(self, ty: object) -> int: ...

class Target(ObjectRef):
    @classmethod
    def from_default_triple(cls) -> Self: ...
    @classmethod
    def from_triple(cls, triple: str) -> Self: ...
    def create_target_machine(
        self,
        cpu: str = "",
        features: str = "",
        opt: int = 2,
        reloc: str = "default",
        codemodel: str = "jitdefault",
        printmc: bool = False,
        jit: bool = False,
        abiname: str = "",
    ) -> TargetMachine: ...

class TargetMachine(ObjectRef):
    @property
    def triple(self) -> str: ...
    @property
    def target_data(self) -> TargetData: ...
    def emit_object(self, module: ModuleRef) -> bytes: ...
    def emit_assembly(self, module: ModuleRef) -> str: ...
