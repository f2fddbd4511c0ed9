"""Messages that keep their catalog id and arguments, so that a screen can translate them.

`generated/messages.py` has a function for each message. Other texts, such as errors raised by a user's own backend,
are shown unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deputy_sidecar.models import CatalogueMessage

__all__ = ["Said", "argument"]


class Said(str):
    """A message in English, with its id and arguments."""

    id: str
    args: dict[str, Any]

    def __new__(cls, id: str, args: dict[str, Any], english: str) -> Said:  # noqa: A002
        """Creates a message. `args` are in the wire format."""
        said = super().__new__(cls, english)
        said.id = id
        said.args = args
        return said

    def message(self, clean: Callable[[str], str]) -> CatalogueMessage:
        """Returns the wire format. `clean` removes the secrets from every text in it."""
        return CatalogueMessage(id=self.id, args=_cleaned(self.args, clean), text=clean(self))


def argument(said: str) -> dict[str, Any]:
    """Returns the wire format of a text within a message."""
    return {"id": said.id, "args": said.args} if isinstance(said, Said) else {"text": said}


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: each if name == "id" else _cleaned(each, clean) for name, each in value.items()}
    return clean(value) if isinstance(value, str) else value
