"""The `kernel` decorator, the options it compiles with, and the bit instructions.

With NUMBA_DISABLE_JIT=1 the same kernels run as plain Python and give the same bytes.
"""

import hashlib
import os
import platform
import sys
import warnings
from functools import partial
from pathlib import Path

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from ttrsim.core.code_cache import CodeCache, cache_folder

COMPILED = not numba.config.DISABLE_JIT
PACKAGE = Path(__file__).parents[1]
HAS_DEPOSIT = llvmlite.binding.get_host_cpu_features().get("bmi2", False)
"""True if this machine can spread bits over a mask in one instruction, which finds the n-th bit set without a loop."""
TESTED = numba.__version__ in ("0.68.0", "0.68.1") and (sys.platform, platform.machine()) == ("linux", "x86_64")
"""True if `ttrsim.core.parts`, which is made of numba's insides, was tested with this numba on such a machine."""
PARTS = COMPILED and TESTED and os.environ.get("TTRSIM_PARTS", "1") != "0"
"""True if kernels are compiled as parts, which takes a quarter of the time, or by numba alone, which gives the same."""


def _fingerprint() -> str:
    """Return a digest of everything that all compiled code depends on.

    Where numba keeps the code, that is the text of all kernels, for its own keys miss edits in other files.
    """
    digest = hashlib.sha256()
    texts = [PACKAGE / "core" / name for name in ("parts.py", "code_key.py", "code_cache.py")]
    if not PARTS:
        texts = [path for folder in ("core", "kit") for path in sorted((PACKAGE / folder).glob("*.py"))]
    for path in texts:
        digest.update(path.name.encode() + path.read_bytes())
    cpu = [llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()]
    flags = [PARTS, numba.config.BOUNDSCHECK, numba.config.OPT, *cpu, sys.version]
    digest.update(repr([numba.__version__, llvmlite.__version__, np.__version__, *flags]).encode())
    return digest.hexdigest()[:16]


CACHE_FOLDER = cache_folder(_fingerprint())
numba.config.CACHE_DIR = str(CACHE_FOLDER)
warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)
# Without parts, a function that hands another on as an argument is compiled each time: numba cannot keep such code.
warnings.filterwarnings("ignore", "Cannot cache compiled function", numba.NumbaWarning)

OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}

if COMPILED:
    if PARTS:
        from ttrsim.core.parts import Kernel, Unit

        CODE_CACHE = CodeCache(CACHE_FOLDER)

        def _made(kind, function, *, inline=False, checked=False):
            options = {**OPTIONS, "nopython": True, "forceinline": inline, "boundscheck": checked}
            return kind(function, options, CODE_CACHE)

        def compile_for(signature, function):
            """Compile a function for this signature alone, or fetch it from the cache."""
            unit = _made(Unit, function)
            unit.compile(signature)
            unit.disable_compile()
            return unit

        kernel_with = partial(_made, Kernel)
    else:

        def kernel_with(function, *, inline=False, checked=False):
            options = {"forceinline": True} if inline else {}
            return numba.njit(function, cache=True, **OPTIONS, **options, boundscheck=checked)

        def compile_for(signature, function):
            """Compile a function for this signature alone, or fetch it from the cache."""
            return numba.njit(signature, cache=True, **OPTIONS)(function)

    def kernel(function):
        """Compile a function, as the decorator of every kernel."""
        return kernel_with(function)

    def inline_kernel(function):
        """Compile a kernel of every turn, and copy it into its callers: so they play 15 % more games."""
        return kernel_with(function, inline=True)

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

    @intrinsic
    def copy_record(typing_context, target, source):
        """Write a record over another of the same type."""
        if target != source:
            return None

        def codegen(context, builder, signature, args):
            cgutils.raw_memcpy(builder, args[0], args[1], cgutils.intp_t(target.size), 1)
            return context.get_dummy_value()

        return numba.void(target, source), codegen

    @intrinsic
    def clear_record(typing_context, target):
        """Fill a record with zeros."""

        def codegen(context, builder, signature, args):
            cgutils.memset(builder, args[0], cgutils.intp_t(target.size), 0)
            return context.get_dummy_value()

        return numba.void(target), codegen

    @kernel
    def count(word):
        """Return how many bits of a 64-bit word are set, as a signed number."""
        return np.int64(_ones(word))

    @kernel
    def lowest(word):
        """Return the index of the lowest bit set; 64 for an empty word."""
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
            """Return the index of the n-th bit set in a word, from 0."""
            return lowest(_deposit(np.uint64(1) << np.uint64(n), word))

    else:

        @kernel
        def nth(word, n):
            """Return the index of the n-th bit set in a word, from 0."""
            for _ in range(n):
                word &= word - np.uint64(1)
            return lowest(word)

else:
    np.seterr(over="ignore")  # 64-bit arithmetic wraps around, as it does compiled

    def kernel(function):
        """Return the function as it is, where a kernel would be compiled."""
        return function

    inline_kernel = kernel

    def kernel_with(function, *, inline=False, checked=False):
        """Return the function as it is, where a kernel would be compiled with these options."""
        return function

    def compile_for(signature, function):
        """Compile a function for one signature; here it leaves the function as it is."""
        return function

    def copy_record(target, source):
        """Write a record over another of the same type."""
        for name in target.dtype.names:
            target[name] = source[name]

    def clear_record(target):
        """Fill a record with zeros."""
        for name in target.dtype.names:
            target[name] = np.zeros((), target.dtype[name])

    def count(word):
        """Return how many bits of a 64-bit word are set."""
        return int(word).bit_count()

    def lowest(word):
        """Return the index of the lowest bit set; 64 for an empty word."""
        word = int(word)
        return (word & -word).bit_length() - 1 if word else 64

    def nth(word, n):
        """Return the index of the n-th bit set in a word, from 0."""
        return [i for i in range(64) if int(word) >> i & 1][int(n)]
