"""What a situation is: some files, the right calls of a model, and what the model reads afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from drive import Json

__all__ = ["Arguments", "Call", "Situation"]

#: Arguments of a call, or how a model gets them from the results that it has read.
Arguments = Json | Callable[[list[str]], Json]


@dataclass(frozen=True)
class Call:
    """A call as a model writes it, and what its result has to show."""

    function: str
    arguments: Arguments = field(default_factory=dict)
    #: Texts in the result, in this order.
    shows: Sequence[str] = ()
    #: Texts that are not in the result.
    hides: Sequence[str] = ()
    fails: bool = False
    #: Whether the name and the arguments fit the schema that the request declared.
    fits: bool = True


@dataclass(frozen=True)
class Situation:
    """A short task: its files, the calls of the model, and the files at the end."""

    name: str
    #: An answer of the model each. One answer can contain several calls.
    turns: Sequence[Call | Sequence[Call]]
    files: dict[str, str | bytes] = field(default_factory=dict)
    #: Contents at the end; `None` where there is no file.
    after: dict[str, str | bytes | None] = field(default_factory=dict)
    #: Whether the folder is a git repository. The task then begins with fewer functions.
    repository: bool = False
    #: The answers of the model in an earlier task in this folder.
    earlier: Sequence[Call | Sequence[Call]] = ()
    #: Whether `make test` plays it in every dialect, and not only in the first.
    in_every_dialect: bool = False
