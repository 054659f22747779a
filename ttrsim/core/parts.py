"""Compile kernels as parts: the only module that depends on numba's insides.

numba compiles each function with its wrappers and a copy of everything it calls, and optimises each of these copies
anew. Here a kernel becomes a *part*: its own instructions alone. Only functions that Python calls (*units*) and large
parts are linked with the parts they call, optimised once, and turned into machine code; large parts are then called by
their symbols. `code_cache` keeps all of it under keys of its content.
"""

import gc
import hashlib
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from types import CodeType, FunctionType
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, compiler, funcdesc, itanium_mangler, sigutils, types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, _pass_registry, register_pass
from numba.core.environment import Environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.typed_passes import NativeLowering

from ttrsim.core.code_cache import Code, CodeCache
from ttrsim.core.code_key import content_key

LARGE = 1000
"""From how many instructions on, with all it would take over from others, a part becomes machine code."""
NEEDLESS = frozenset(
    "AnnotateTypes DumpParforDiagnostics FindLiterallyCalls InlineClosureLikes InlineInlinables "
    "LiteralPropagationSubPipelinePass LiteralUnroll MakeFunctionToJitFunction NopythonRewrites "
    "NoPythonSupportedFeatureValidation WithLifting".split()
)
"""Steps of numba for what core and kit do not use: closures, generators, `with`, arithmetic of whole arrays."""


class Kernel(CPUDispatcher):
    """A function compiled as a part for the kernels that call it, and as a unit if Python calls it."""

    is_unit = False

    def __init__(self, function: FunctionType, options: dict[str, Any], code_cache: CodeCache) -> None:
        kept = Kept(function, options, code_cache, self.is_unit)
        super().__init__(function, {}, options, pipeline_class=partial(Pipeline, kept))
        self.kept = kept
        self._unit: Unit | None = None

    def __call__(self, *args: Any) -> Any:
        if self._unit is None:
            self._unit = Unit(self.py_func, self.targetoptions, self.kept.code_cache)
        return self._unit(*args)

    @global_compiler_lock
    def compile(self, sig: Any) -> Any:
        """Compile for a signature, or fetch the kept code. numba's own way also times each call of LLVM."""
        args, returns = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            if not self._can_compile:
                raise RuntimeError("compilation disabled")
            with self._compiling_counter, _garbage_left():
                result = self.kept.fetch(args, self.targetctx)
                self.add_overload(self._compiler.compile(args, returns) if result is None else result)
        return self.overloads[args].entry_point

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Find the version for arguments of these types, not one for each whole number written out."""
        args = tuple(types.unliteral(arg) for arg in args)
        return super().get_call_template(args, {name: types.unliteral(arg) for name, arg in kws.items()})


class Unit(Kernel):
    """A function with wrappers, for Python to call or to hand to a kernel."""

    is_unit = True
    __call__ = CPUDispatcher.__call__


class Kept:
    """The code of one function, for each combination of types of arguments."""

    def __init__(self, function: FunctionType, options: dict[str, Any], code_cache: CodeCache, is_unit: bool) -> None:
        self.function, self.options, self.code_cache, self.is_unit = function, options, code_cache, is_unit

    def key(self, args: Iterable[Any]) -> str:
        """Return the key of the code for arguments of these types."""
        content = content_key(self.function, lines=self.options["boundscheck"])
        options = sorted(self.options.items())
        return _digest(f"{content} {options} {self.is_unit} {[_type_digest(arg) for arg in args]}")

    def fetch(self, args: tuple[Any, ...], target: Any) -> Any:
        """Return what numba needs to know of a compiled function, if its code is there."""
        key = self.key(args)
        code = self.code_cache.get(key)
        if code is None:
            return None
        bound = Bound(self, key, code, args)
        target.insert_user_function(bound.entry, bound.description, [bound])
        return compiler.compile_result(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=bound.entry,
            library=bound,
            signature=typing.signature(code.returns, *args),
            objectmode=False,
            lifted=(),
            fndesc=bound.description,
            environment=bound.environment,
            reload_init=[],
        )


class Bound:
    """Code under its key as a library of numba's: what callers link, and what Python calls if it is a unit."""

    _reload_init = frozenset[Any]()

    def __init__(self, kept: Kept, key: str, code: Code, args: tuple[Any, ...]) -> None:
        self.key, self.codegen, self.name = key, cpu_target.target_context.codegen(), code.symbol
        function = kept.function
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self.environment = Environment(function.__globals__)
        self.description = funcdesc.PythonFunctionDescriptor(
            native=True,
            modname=function.__module__,
            qualname=function.__qualname__,
            unique_name=code.symbol,
            doc="",
            typemap=None,
            restype=code.returns,
            calltypes=None,
            args=names,
            kws=(),
            mangler=_mangler(key),
            argtypes=tuple(args),
            inline=kept.options["forceinline"],
        )
        self.entry: Any = [].append  # nobody calls it, but numba wants a built-in function for each
        if code.is_object:
            _load(code, kept.code_cache)
        if kept.is_unit:
            self.entry = cpu_target.target_context.get_executable(self, self.description, self.environment)

    def _ensure_finalized(self) -> None:
        """Do nothing, because the library is complete."""

    def get_pointer_to_function(self, symbol: str) -> Any:
        """Return the address of a function in machine code."""
        self.codegen._engine.finalize_object()
        return self.codegen._engine.get_function_address(symbol)


class Fresh(codegen.CPUCodeLibrary):
    """The library that numba writes the instructions of a function into, from which code is made."""

    def finish(self, kept: Kept, description: Any) -> Code:
        """Return the code: machine code for a unit or a large function, else bitcode."""
        module, symbol, returns = self._final_module, description.llvm_func_name, description.restype
        own = {f.name for f in module.functions if not f.is_declaration} | {description.env_name}
        calls = [library.key for library in self._linking_libraries if isinstance(library, Bound)]
        for library in self._linking_libraries:
            if not isinstance(library, Bound) and library is not rtsys.library:
                module.link_in(library._get_module_for_linking(), preserve=True)
        _hide(module, own)
        bitcode, objects = kept.code_cache.closure(calls)
        size = str(module).count("\n  ")  # each instruction has a line of its own, indented
        small = size + sum(code.size for code in bitcode.values()) < LARGE
        if not kept.is_unit and (small or kept.options["forceinline"]):
            return Code(symbol, returns, False, module.as_bitcode(), tuple(dict.fromkeys(calls)), size)
        for code in bitcode.values():
            module.link_in(llvm.parse_bitcode(code.data))
        _hide(module, own)
        manager, builder = self._codegen._module_pass_manager()
        manager.run(module, builder)
        return Code(symbol, returns, True, self._codegen._tm.emit_object(module), tuple(objects), 0)


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """numba's step from typed code to instructions, without the wrappers that make a function callable."""

    _name = "ttrsim_part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Write the instructions, and make and keep code of them."""
        kept, target, flags = state.pipeline.kept, state.targetctx, state.flags
        key = kept.key(state.args)
        library = Fresh(target.codegen(), state.func_id.func_qualname)
        description = funcdesc.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=_mangler(key),
            inline=flags.forceinline,
            noalias=flags.noalias,
            abi_tags=[],
        )
        with target.push_code_library(library):
            lowering = self.lowering_class(target, library, description, state.func_ir, metadata=state.metadata)
            lowering.lower()
            if kept.is_unit:
                lowering.create_cpython_wrapper(flags.release_gil)
                lowering.create_cfunc_wrapper()
        code = library.finish(kept, description)
        kept.code_cache.put(key, code)
        state.library = bound = Bound(kept, key, code, state.args)
        target.insert_user_function(bound.entry, bound.description, [bound])
        state["cr"] = compiler._LowerResult(bound.description, None, cfunc=bound.entry, env=bound.environment)
        return True


class Steps(PassManager):
    """The steps of a compilation in order, without numba's notes of all types after each."""

    def run(self, state: Any) -> None:
        """Take all steps."""
        for step, _ in self.passes:
            found = _pass_registry.get(step).pass_inst
            found.analysis = self._analysis
            found.run_pass(state)


class Pipeline(compiler.CompilerBase):
    """numba's steps for a function, with another way to instructions and without needless ones."""

    def __init__(self, kept: Kept, *args: Any) -> None:
        super().__init__(*args)
        self.kept = kept

    def define_pipelines(self) -> list[PassManager]:
        """Return the steps."""
        manager, needless = Steps("ttrsim_parts"), NEEDLESS if _is_plain(self.kept.function) else ()
        for step, name in compiler.DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            if step.__name__ not in needless:
                manager.add_pass(PartLowering if step is NativeLowering else step, name)
        manager.finalize()
        return [manager]


def _is_plain(function: FunctionType) -> bool:
    """Return whether a function is one of core or kit with no other function in it."""
    others = [constant for constant in function.__code__.co_consts if isinstance(constant, CodeType)]
    return function.__module__.startswith(("ttrsim.core.", "ttrsim.kit.")) and not others


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Collect no garbage during this block, because all that numba has made would be searched again and again."""
    back = gc.enable if gc.isenabled() else gc.disable
    gc.disable()
    try:
        yield
    finally:
        back()


def _load(code: Code | None, code_cache: CodeCache) -> None:
    """Load machine code, after the code that it calls."""
    assert code is not None
    if code.symbol not in _objects:
        for key in code.calls:
            _load(code_cache.get(key), code_cache)
        _objects[code.symbol] = llvm.object_file.ObjectFileRef.from_data(code.data)
        cpu_target.target_context.codegen()._engine._ee.add_object_file(_objects[code.symbol])


_objects: dict[str, Any] = {}
"""The machine code that was loaded, by symbol; the engine needs it kept."""


def _hide(module: Any, own: set[str]) -> None:
    """Hide all functions of a module but its own, so that equal names in two modules do not meet."""
    environments = (variable for variable in module.global_variables if "NumbaEnv" in variable.name)
    for value in (*module.functions, *environments):
        if not value.is_declaration and value.name not in own:
            value.linkage = "internal"


def _mangler(key: str) -> Any:
    """Return a function that names a function and its environment by the key alone, the same in every process."""

    def mangle(name: str, args: Any, *, abi_tags: Any = (), uid: Any = None) -> Any:
        environment = ".NumbaEnv." if name.startswith(".NumbaEnv") else ""
        return itanium_mangler.mangle(f"{environment}ttrsim.{key}", ())

    return mangle


@cache
def _type_digest(of: Any) -> str:
    """Return a digest of a type: with a record's fields, and the content of a function that is an argument."""
    if isinstance(of, types.Dispatcher):
        options = of.dispatcher.targetoptions
        return _digest(f"{content_key(of.dispatcher.py_func, lines=options['boundscheck'])} {sorted(options.items())}")
    text = repr(of)
    return _digest(f"{text} {uuid.uuid4()}" if " at 0x" in text else text)  # an address means nothing elsewhere


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
