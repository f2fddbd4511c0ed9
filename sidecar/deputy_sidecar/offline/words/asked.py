"""Words of questions: how they begin, which of their words say nothing of what is asked, and which name a value."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["ASKS", "BY_WHOM", "SAYS_MORE", "SAYS_NOTHING", "VALUE_OF"]

ASKS: Final = re.compile(
    r"(?:and |so |und |also )?(?:who|whom|whose|what|whats|what's|which|when|where|wheres|how|is|are|was|were|do|does|did|has|have|can|"
    r"any|anything|anyone|anybody|"
    r"wer|wem|wen|wessen|was|welche[rsnm]?|wann|wo|wie|wieviel\w*|ist|sind|war|waren|hat|haben|habe|gibt|steht|kommt|in welche[rm]|"
    r"show|list|find|tell|give|look up|search|zeig\w*|nenn\w*|such\w*|find\w*|sag|schau|gib)\b"
)
# What says how something is asked for, or that it is written somewhere, and nothing of what it is about.
SAYS_NOTHING: Final = frozenset(
    "need needs needed want wants wanted know say says said tell told mention mentions mentioned written write writes stand stands listen file files folder "
    "document documents paper text page pages thing things word words contain contains contained containing include includes "
    "given gave gives hold holds held about anything something somewhere anywhere still again ever please much many how when where why long often there "
    "open show view read look search find list get give up any all one ones again our my your his her their us we you he she it they them this that these those "
    "would could can will shall should may might must be being been am has had have having does did done not-really whats wheres whos "
    "braucht brauche brauchen weiss sagt sagen lautet heisst heissen steht stehen geschrieben erwaehnt erwaehnen vorkommt vorkommen vor kommt enthaelt enthalten "
    "dokument datei dateien ordner text seite wort woerter etwas irgendwo noch mal eigentlich denn wie wann wo wer was wieviel wieviele viel viele lange oft "
    "laut according gemaess mich mir dich dir uns ueberhaupt denn kosten kostet cost costs called named heisst "
    "dort da drin darin darueber davon dafuer dazu hierzu unser unsere unserem unseren mein meine meinem meiner meinen dein deine ihr ihre ihrem sein seine "
    "welche welcher welches welchen welchem jede jeder jedes alle alles einige "
    "du ich wir man er sie es nochmal genau".split()
)
# What somebody did: of no use but to ask who it was.
BY_WHOM: Final = frozenset(
    "wrote write written made make took taken sent send painted drew schrieb geschrieben gemacht geschickt".split()
)
# What tables say by their columns, but a line of a text only by the word itself.
SAYS_MORE: Final = frozenset(
    "buy bought buys sell sold sells live lives lived living work works play plays sing sings order ordered earned earn arbeiten arbeitet wohnen "
    "wohnt gekauft verkauft bestellt verdient".split()
)
# Words for what a value is: a line that has such a value says it.
_VALUES: Final = (
    (
        "number nummer telefonnummer price preis cost costs kosten kostet amount betrag sum summe total fee figure zahl rate",
        re.compile(r"\d"),
    ),
    ("email mail mailadresse", re.compile(r"\S@\S")),
)
VALUE_OF: Final = {word: pattern for words, pattern in _VALUES for word in words.split()}
