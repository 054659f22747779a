"""The compiled core: whole games on records, by the rules of the board. It imports numba, numpy and itself alone."""
