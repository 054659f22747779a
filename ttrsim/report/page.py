"""Pages from the templates: one file each, with nothing to fetch."""

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ttrsim.data import data_folder


def render(template: str, **context: Any) -> str:
    """The page that a template of `reports/templates` makes of the context; what is put in is text, never markup."""
    loader = FileSystemLoader(data_folder() / "reports" / "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return made.get_template(template).render(context)
