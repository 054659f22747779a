"""Where the boards, the strategies and the templates of pages that come with ttrsim lie."""

from pathlib import Path


def data_folder() -> Path:
    """Where `maps/`, `strategies/` and `reports/templates/` lie: in the wheel, or the checkout's top level."""
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parents[1]
