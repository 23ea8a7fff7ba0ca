"""Compilation of entry points to one WebAssembly module.

Numba lowers the kernels to LLVM IR as for the CPU, but with the data layout of wasm32, and LLVM compiles
this IR. IR that was made for the CPU cannot be used, because it contains sizes of 64-bit pointers.
`compile_module` therefore changes Numba for the rest of its process, which can no longer run kernels, so
`building.py` starts a process for it. The changes need private parts of Numba; `check` tests for them.
"""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import codegen, types
from numba.core.registry import cpu_target

from pocketmars_env.core.compiled import linking
from pocketmars_env.core.compiled.apart import Apart
from pocketmars_env.core.compiled.compiling import IS_COMPILED, OPTIONS, inner_kernel
from pocketmars_env.core.compiled.linking import LinkableLibrary
from pocketmars_env.core.compiled.signatures import signature_of

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
"""Extensions of WebAssembly that all current browsers support."""
RUNTIME = """
define void @NRT_incref(ptr %0) alwaysinline { ret void }
define void @NRT_decref(ptr %0) alwaysinline { ret void }
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %0) alwaysinline {
  %2 = call double @llvm.sqrt.f64(double %0)
  ret double %2
}
"""
"""LLVM IR of functions that Numba expects outside of kernels; arrays in kernels have no reference counts."""
STACK_BYTES = 1 << 20

PARTS = (
    (codegen.JITCPUCodegen, ("_library_class", "set_env")),
    (LinkableLibrary, ("_optimize_functions", "_get_module_for_linking", "get_pointer_to_function")),
)
"""The private attributes of Numba that this module uses, besides those of `linking.py`."""


def linker() -> list[str]:
    """Return the command of a linker for WebAssembly, LLVM's or ziglang's; an empty list without both."""
    if shutil.which("wasm-ld"):
        return ["wasm-ld"]
    return [sys.executable, "-m", "ziglang", "wasm-ld"] if importlib.util.find_spec("ziglang") else []


def check() -> None:
    """Raise a ValueError that says what to install or change if this machine cannot compile WebAssembly."""
    if not IS_COMPILED:
        raise ValueError("unset NUMBA_DISABLE_JIT")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    is_known = all(hasattr(owner, name) for owner, names in PARTS for name in names)
    try:
        llvm.Target.from_triple(TRIPLE)
    except RuntimeError:
        is_known = False
    if not (is_known and linking.IS_POSSIBLE):
        raise ValueError(f"install another version of Numba: {numba.__version__} cannot compile WebAssembly")
    if not linker():
        raise ValueError("install a linker: the extra wasm, or apt-get install lld")


def compile_module(
    entry_points: Mapping[str, Callable[..., Any]], state: np.dtype[Any]
) -> tuple[bytes, dict[str, str]]:
    """Return a WebAssembly module that exports functions by name, and the types of their results.

    `state` is the dtype of the game's state records.
    """
    check()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    layout = str(machine.target_data)
    parts: list[Any] = []
    lower_for(machine.target_data, parts)
    results = {}
    for name, function in entry_points.items():
        call, results[name] = caller_of(function, state)
        parts.append(named(call, name))
    whole = llvm.parse_assembly(RUNTIME)
    whole.triple, whole.data_layout = TRIPLE, layout
    for part in parts:
        part.triple, part.data_layout = TRIPLE, layout
        whole.link_in(part)
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in entry_points:
            value.linkage = llvm.Linkage.internal
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(whole, builder)
    assert "numba.dynamic.globals" not in str(whole), "an address of this process is left in the code"
    return linked(machine.emit_object(whole), entry_points), results


def lower_for(target: Any, parts: list[Any]) -> None:
    """Make Numba lower all functions for a target, and neither optimize nor run them.

    The IR of kernels that are compiled apart is added to `parts` when a caller is lowered.
    """
    own: Any = cpu_target.target_context.codegen()
    own._target_data, own._data_layout = target, str(target)

    def not_optimized(library: Any, module: Any) -> None:
        module.data_layout = own._data_layout

    def ensure_compiled(apart: Any) -> Any:
        if apart._result is None:
            kernel = inner_kernel(apart.front.py_func, is_inlined=False)
            apart._result = lowered(kernel, apart._arguments)
            parts.append(named(apart._result, apart._symbol))
        return apart._result

    for owner, name, value in (
        (codegen.JITCPUCodegen, "_library_class", LinkableLibrary),
        (codegen.JITCPUCodegen, "set_env", lambda *_: None),
        (LinkableLibrary, "_optimize_functions", not_optimized),
        (LinkableLibrary, "get_pointer_to_function", lambda *_: 0),
        (Apart, "ensure_compiled", ensure_compiled),
    ):
        setattr(owner, name, value)


def lowered(kernel: Any, arguments: tuple[Any, ...]) -> Any:
    """Return Numba's result of lowering a kernel with the given argument types."""
    kernel.compile(arguments)
    (result,) = kernel.overloads.values()
    return result


def named(result: Any, name: str) -> Any:
    """Return the IR of a lowered function and of all functions that it calls, under a new name."""
    module = result.library._get_module_for_linking().clone()
    function = module.get_function(result.fndesc.llvm_func_name)
    function.name, function.linkage = name, llvm.Linkage.external
    return module


# --- exported functions ---------------------------------------------------------------------------


def caller_of(function: Callable[..., Any], state: np.dtype[Any]) -> tuple[Any, str]:
    """Return a lowered function through which JavaScript calls an entry point, and the type of its result.

    Its parameters are a pointer and the lengths of the axes for an array, the parameters of all fields for
    a tuple, and a 32-bit integer for a bool or an int64. As in all functions of Numba, two pointers come
    first: one to the result, and one to an error, which kernels never write.
    """
    kinds: list[Any] = []
    scope: dict[str, Any] = {
        "carray": vars(numba)["carray"],
        "entry": inner_kernel(function, is_inlined=True),
    }
    arguments = ", ".join(expression(kind, kinds, scope) for kind in signature_of(function, state))
    names = ", ".join(f"a{number}" for number in range(len(kinds)))
    exec(f"def call({names}):\n    return entry({arguments})", scope)
    result = lowered(linking.linked(scope["call"], OPTIONS), tuple(kinds))  # keeps the 32-bit integers
    return result, str(result.signature.return_type)


def expression(kind: Any, kinds: list[Any], scope: dict[str, Any]) -> str:
    """Return an expression for an argument of a type, and append the types of its parameters to `kinds`."""

    def parameter(*added: Any) -> str:
        kinds.extend(added)
        return f"a{len(kinds) - 1}"

    if isinstance(kind, types.Array):
        pointer = parameter(types.CPointer(kind.dtype))
        lengths = "".join(f"{parameter(types.int32)}, " for _ in range(kind.ndim))
        return f"carray({pointer}, ({lengths}))"
    if isinstance(kind, types.BaseTuple):
        made = ", ".join(expression(part, kinds, scope) for part in tuple(cast(Any, kind)))
        if not isinstance(kind, types.BaseNamedTuple):
            return f"({made},)"
        maker = cast(Any, kind).instance_class
        scope[maker.__name__] = maker
        return f"{maker.__name__}({made})"
    if isinstance(kind, types.Boolean):
        return f"({parameter(types.int32)} != 0)"
    return parameter(types.int32 if kind == types.int64 else kind)


def linked(compiled: bytes, names: Mapping[str, Any]) -> bytes:
    """Return the module that the linker makes of an object file."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "kernels.o"), Path(folder, "kernels.wasm")
        source.write_bytes(compiled)
        flags = ["--no-entry", "--gc-sections", "--strip-all", "--stack-first", "--allow-undefined"]
        flags += ["-z", f"stack-size={STACK_BYTES}", "--export=__heap_base"]
        flags += [f"--export={name}" for name in names]
        subprocess.run([*linker(), *flags, str(source), "-o", str(target)], check=True)
        return target.read_bytes()
