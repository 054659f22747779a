"""The compiled core: whole games, played on records by the rules of the board.

Beyond the standard library it imports nothing but numba, llvmlite, numpy and itself.
"""
