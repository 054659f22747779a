"""Guard a game against users' own strategies.

Such a strategy and everything it calls of core and kit are compiled with bounds checks, so that no index leads beyond
what it is shown. It is shown copies, and whatever it could write in earlier games is cleared before its first decision
of a game. Strategies that come with ttrsim are trusted and play without a guard.
"""

from importlib import import_module
from types import FunctionType, ModuleType

import numba
import numpy as np

from ttrsim.core.constants import OPENING, SEATS
from ttrsim.core.jit import COMPILED, clear_record, copy_record, kernel, kernel_with
from ttrsim.core.names import name_key

KERNEL = numba.core.dispatcher.Dispatcher if COMPILED else FunctionType
CONSTANT = (int, float, np.generic, np.ndarray, tuple)
OPEN_PACKAGES = ("ttrsim.bot", "ttrsim.core", "ttrsim.kit")
MARK = "_checked"
"""The addition to the names of functions compiled with bounds checks: numba's cache goes by names."""

_dispatchers = {}


@kernel
def show(board, table, hand, mind, room):
    """Copy what the strategy may see into the room, and clean up before its seat's first decision of a game."""
    if table.phase == OPENING:
        copy_record(room.board, board)
        clear_record(mind.work)
        mind.work.fresh = 1
    copy_record(room.table, table)
    copy_record(room.hand, hand)


@kernel
def clear_room(table, room):
    """Clear the games imagined before, at a seat's first decision of a game."""
    if table.phase == OPENING:
        clear_record(room.game)
        for seat in range(SEATS):
            clear_record(room.minds[seat])


def checked(value):
    """Return a kernel with bounds checks in all it calls, or a module of ttrsim with such kernels; else the value."""
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == "ttrsim":
        return CheckedModule(value)
    if COMPILED and isinstance(value, KERNEL):
        return _checked_dispatcher(value)
    return value


class CheckedModule(ModuleType):
    """A module as strategies import it: constants and bounds-checked kernels, but nothing they are made with."""

    def __init__(self, module):
        super().__init__(module.__name__)
        self.__dict__["__path__"] = []  # `import ttrsim.kit.hands` asks for it
        self._module = module
        self.__all__ = [name for name, value in vars(module).items() if _is_open(module.__name__, name, value)]

    def __reduce__(self):
        """Pickle by name: numba alone, without `parts`, pickles what a function refers to that is an argument."""
        return _checked_module, (self._module.__name__,)

    def __getattr__(self, name):
        if name not in self.__all__:
            raise AttributeError(f"{self.__name__} has no {name!r} for strategies")
        return checked(getattr(self._module, name))


def _checked_module(name):
    return CheckedModule(import_module(name))


def _is_open(module, name, value):
    """Return whether a strategy may have the value that a module holds under this name."""
    if name.startswith("_"):
        return False
    if isinstance(value, ModuleType):
        return value.__name__ == f"{module}.{name}" and value.__name__.startswith(OPEN_PACKAGES)
    return isinstance(value, (KERNEL, *CONSTANT)) or value is name_key


def _checked_dispatcher(dispatcher):
    if dispatcher not in _dispatchers:
        copy, inline = _copied(dispatcher.py_func), bool(dispatcher.targetoptions.get("forceinline"))
        _dispatchers[dispatcher] = kernel_with(copy, inline=inline, checked=True)
        _fill_names(copy, dispatcher.py_func)  # not before: a field may have the name of the kernel itself
    return _dispatchers[dispatcher]


def _copied(function):
    """Return the same function under another name, with no meaning for any of the names in it yet."""
    copy = FunctionType(function.__code__, {"__name__": function.__module__}, function.__name__, function.__defaults__)
    copy.__qualname__, copy.__doc__ = function.__qualname__ + MARK, function.__doc__
    return copy


def _fill_names(copy, function):
    """Give the names in a copied function the meanings they have in the function, with bounds checks in kernels."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            copy.__globals__[name] = checked(function.__globals__[name])
