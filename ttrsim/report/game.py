"""One game, played and recorded: shown as a page, a picture, a film or JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttrsim.files import write_file
from ttrsim.games import SeatedGame
from ttrsim.recording import Recording


@dataclass(frozen=True)
class Game:
    """A game, with everything that happened in it."""

    seated: SeatedGame
    recording: Recording
    number: int  # what the user calls it

    def __repr__(self) -> str:
        from ttrsim.notebook import game_words

        return f"<{game_words(self)}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import game_html

        return game_html(self)

    def html(self, path: str | Path) -> None:
        """Write a page that shows the game turn by turn."""
        from ttrsim.report.replay import replay_page

        write_file(Path(path), replay_page(self.seated, self.recording, self.number))

    def png(self, path: str | Path) -> None:
        """Draw the board at the end."""
        from ttrsim.report.picture import draw_end

        draw_end(self.seated, self.recording, path)

    def gif(self, path: str | Path) -> None:
        """Draw the board turn by turn, as a moving picture."""
        from ttrsim.report.film import draw_film

        draw_film(self.seated, self.recording, path)

    def json(self) -> dict[str, Any]:
        """Return every decision and what came of it."""
        from ttrsim.report.game_json import game_json

        return game_json(self.seated, self.recording, self.number)
