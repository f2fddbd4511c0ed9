"""Words for people that know which message of the catalogue they are, so that a screen says them in its language.

`generated/messages.py` has a function for each message. A text that is none, such as what a backend of a person's own
raises, is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deputy_sidecar.models import CatalogueMessage

__all__ = ["Said", "argument"]


class Said(str):
    """A message's English, with its id and what fills its places."""

    id: str
    args: dict[str, Any]

    def __new__(cls, id: str, args: dict[str, Any], english: str) -> Said:  # noqa: A002
        """`args` as they are on the wire."""
        said = super().__new__(cls, english)
        said.id = id
        said.args = args
        return said

    def message(self, clean: Callable[[str], str]) -> CatalogueMessage:
        """As it is on the wire; `clean` takes the secrets out of every text in it."""
        return CatalogueMessage(id=self.id, args=_cleaned(self.args, clean), text=clean(self))


def argument(said: str) -> dict[str, Any]:
    """Words within a message."""
    return {"id": said.id, "args": said.args} if isinstance(said, Said) else {"text": said}


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: each if name == "id" else _cleaned(each, clean) for name, each in value.items()}
    return clean(value) if isinstance(value, str) else value
