"""All numba machinery: the `kernel` decorator, the cache folder and the bit instructions.

With NUMBA_DISABLE_JIT=1 the same kernels run as plain Python and give the same bytes.
"""

import getpass
import hashlib
import os
import sys
import tempfile
import warnings
from pathlib import Path

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

COMPILED = not numba.config.DISABLE_JIT
PACKAGE = Path(__file__).parents[1]
HAS_DEPOSIT = llvmlite.binding.get_host_cpu_features().get("bmi2", False)
"""Whether this machine can spread bits over a mask in one instruction, which finds the n-th bit set without a loop."""


def _user_cache() -> Path:
    """The user's folder for things that can be made again."""
    if os.environ.get("TTRSIM_CACHE_DIR"):
        return Path(os.environ["TTRSIM_CACHE_DIR"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ttrsim" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ttrsim"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ttrsim"


def _fingerprint() -> str:
    """Changes with anything compiled code depends on; numba's own key misses edits in other files and flags."""
    digest = hashlib.sha256()
    for folder in ("core", "kit"):
        for path in sorted((PACKAGE / folder).glob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    flags = [numba.config.BOUNDSCHECK, numba.config.OPT, llvmlite.binding.get_host_cpu_name(), sys.version]
    digest.update(repr([numba.__version__, llvmlite.__version__, np.__version__, *flags]).encode())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> Path:
    """The folder, made if need be; or one for temporary files where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:  # numba would put code beside the sources, under a key that misses edits in other files
        fallback = Path(tempfile.gettempdir()) / f"ttrsim-{getpass.getuser()}" / folder.name
        fallback.mkdir(parents=True, exist_ok=True)
        return fallback


CACHE_FOLDER = _writable(_user_cache() / _fingerprint())
numba.config.CACHE_DIR = str(CACHE_FOLDER)
warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)

if COMPILED:
    OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    kernel = numba.njit(**OPTIONS)
    """Decorator of every compiled function."""

    inline_kernel = numba.njit(**OPTIONS, forceinline=True)
    """Decorator of those on the way of every turn: they become part of their callers, which plays 15 % more games."""

    def compile_for(signature, function):
        """Compile a function for this signature alone, or fetch it from the cache."""
        return numba.njit(signature, **OPTIONS)(function)

    @intrinsic
    def _ones(typing_context, word):
        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return numba.uint64(numba.uint64), codegen

    @intrinsic
    def _trailing_zeros(typing_context, word):
        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], cgutils.false_bit)

        return numba.uint64(numba.uint64), codegen

    def external(name, signature, function):
        """Compile a function apart, for kernels to call by name: they need not be compiled with all it is made of."""
        compiled = compile_for(signature, function).overloads[signature.args]
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
        llvmlite.binding.add_symbol(name, address)
        return numba.types.ExternalFunction(name, signature)

    @intrinsic
    def copy_record(typing_context, target, source):
        """Write a record over another of the same type."""

        def codegen(context, builder, signature, args):
            cgutils.raw_memcpy(builder, args[0], args[1], cgutils.intp_t(target.size), 1)
            return context.get_dummy_value()

        return numba.void(target, source), codegen

    @kernel
    def count(word):
        """How many bits of a 64-bit word are set, as a signed number."""
        return np.int64(_ones(word))

    @kernel
    def lowest(word):
        """Index of the lowest bit set; 64 for an empty word."""
        return np.int64(_trailing_zeros(word))

    if HAS_DEPOSIT:

        @intrinsic
        def _deposit(typing_context, bits, mask):
            def codegen(context, builder, signature, args):
                word = ir.IntType(64)
                function = ir.FunctionType(word, [word, word])
                deposit = cgutils.get_or_insert_function(builder.module, function, "llvm.x86.bmi.pdep.64")
                return builder.call(deposit, args)

            return numba.uint64(numba.uint64, numba.uint64), codegen

        @kernel
        def nth(word, n):
            """Index of the n-th bit set in a word, from 0."""
            return lowest(_deposit(np.uint64(1) << np.uint64(n), word))

    else:

        @kernel
        def nth(word, n):
            """Index of the n-th bit set in a word, from 0."""
            for _ in range(n):
                word &= word - np.uint64(1)
            return lowest(word)

else:
    np.seterr(over="ignore")  # 64-bit arithmetic wraps around, as it does compiled

    def kernel(function):
        """Decorator of every compiled function; here it leaves the function as it is."""
        return function

    inline_kernel = kernel

    def compile_for(signature, function):
        """Compile a function for one signature; here it leaves the function as it is."""
        return function

    def external(name, signature, function):
        """Compile a function apart; here it leaves the function as it is."""
        return function

    def copy_record(target, source):
        """Write a record over another of the same type."""
        for name in target.dtype.names:
            target[name] = source[name]

    def count(word):
        """How many bits of a 64-bit word are set."""
        return int(word).bit_count()

    def lowest(word):
        """Index of the lowest bit set; 64 for an empty word."""
        word = int(word)
        return (word & -word).bit_length() - 1 if word else 64

    def nth(word, n):
        """Index of the n-th bit set in a word, from 0."""
        return [i for i in range(64) if int(word) >> i & 1][int(n)]
