"""Files of a user, left beside and within those of a run, which must stay what and where they are."""

import contextlib
import random
from pathlib import Path

PLACES = ("", "/shards", "/shards/*", "/summary", "/strategies", "/unfinished")
"""Folders of a run in which a user may leave a file."""


class Belongings:
    """The files that were left in a folder, by what they hold."""

    def __init__(self, path: Path, dice: random.Random) -> None:
        self.path, self.dice = path, dice
        self.files: dict[Path, bytes] = {}

    def leave(self) -> None:
        """Leave a file, or a folder with one, if there is the folder for it yet."""
        found = self.path.parent.glob(self.path.name + self.dice.choice(PLACES))
        places = sorted(place for place in found if place.is_dir())
        if not places:
            return
        name = f"notes-{self.dice.randrange(10**9)}"
        path = self.dice.choice(places) / self.dice.choice([f"{name}.txt", f"{name}/notes.txt", f"{name}.parquet"])
        content = self.dice.randbytes(100)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # the place is gone meanwhile
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            self.files[path] = content

    def lost(self) -> list[str]:
        """Return which of them are not as they were, and forget them."""
        gone = [path for path, content in self.files.items() if not path.is_file() or path.read_bytes() != content]
        for path in gone:
            del self.files[path]
        return [str(path.relative_to(self.path)) for path in gone]

    def take_away(self, said: str) -> bool:
        """Remove those that a command names, as it asks for, and return whether there are any."""
        named = [path for path in self.files if self._name(path) in said]
        for path in named:
            del self.files[path]
            path.unlink()
            if path.name == "notes.txt":
                path.parent.rmdir()
        return bool(named)

    def _name(self, path: Path) -> str:
        return path.parent.name if path.name == "notes.txt" else path.name
