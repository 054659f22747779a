"""Numbers as they are printed."""


def decimal(value: float, digits: int = 1, *, grouped: bool = False) -> str:
    """A number with a true minus; grouped by thousands if so said.

    >>> decimal(-12.34), decimal(-12345, 0, grouped=True)
    ('−12.3', '−12,345')
    """
    return f"{value:{',' if grouped else ''}.{digits}f}".replace("-", "−")
