"""Ways to damage a file."""

from pathlib import Path


def damage_truncated(path: Path) -> None:
    """Cut off the second half of a file."""
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def damage_altered(path: Path) -> None:
    """Flip a bit in the middle of a file."""
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 1
    path.write_bytes(text)


def damage_removed(path: Path) -> None:
    """Remove a file."""
    path.unlink()
