"""What forms can ask for, one family a module; each has its forms in English and German next to what they do."""

from __future__ import annotations

from typing import Final

from deputy_sidecar.offline.forms import Form
from deputy_sidecar.offline.jobs import additions, archives, facts, renames, tables, tags, texts

__all__ = ["FORMS"]

FORMS: Final[tuple[Form, ...]] = (
    *archives.FORMS,
    *tables.FORMS,
    *renames.FORMS,
    *texts.FORMS,
    *additions.FORMS,
    *facts.FORMS,
    *tags.FORMS,
)
