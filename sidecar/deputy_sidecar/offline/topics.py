"""Words that name no kind: whether they are pieces of names, words of a text, or the thing itself that is acted on."""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.lexicon import Term
from deputy_sidecar.offline.nouns import Head
from deputy_sidecar.offline.selector import Named
from deputy_sidecar.offline.slots import OWN, Slots
from deputy_sidecar.offline.stems import stem_of
from deputy_sidecar.offline.tokens import normal

__all__ = ["INDEFINITE", "Topics"]

INDEFINITE: Final = frozenset("a an one ein eine einen eines einer".split())
# Nouns that look like words that describe.
_NOUNS: Final = frozenset("wedding meeting building painting drawing recording training spring morning evening".split())
# What holds no lines that one reads.
_NO_TEXT: Final = (".csv", ".tsv", ".zip", ".tar", ".gz", ".tgz", ".jpg", ".png", ".mp3", ".mp4")
_LOOKS: Final = frozenset("list which where exists count search read".split())


class Topics(Slots):
    """Reads words that no kind and no filler accounts for."""

    def _is_of_place(self, word: str) -> bool:
        """Whether the folder that is looked in says it already."""
        pieces = [stem_of(each) for place in self.places for each in re.split(r"[\W_]+", place) if each]
        return stem_of(word) in pieces

    def _file_behind(self) -> int | None:
        """Where the text file begins that `in` leads to right behind this word."""
        at = self.at + 1
        if at >= len(self.terms) or self.terms[at].form not in {"in", "from", "of", "aus", "von", "in der datei"}:
            return None
        at += 1
        while at < len(self.terms) and self.terms[at].means("filler", "file"):
            at += 1
        if at >= len(self.terms) or self.terms[at].token.sort not in {"file", "path"}:
            return None
        name = self.terms[at].text.lower()
        return at if "." in name.rpartition("/")[2] and not name.endswith(_NO_TEXT) else None

    def _says_what(self) -> bool:
        """Whether something else says what is meant: where nothing does, a word that no name has is worth saying so."""
        return bool(self.heads or self.ahead or self.places or self.text) or any(
            term.kind is not None or term.token.is_name for term in self.terms
        )

    def _may_be_a_verb(self) -> bool:
        """`Play the recording`, `post news.html`: in front of a thing, and nothing else says what is done."""
        if self.inner or self.verb_words or any(not each.means("filler") for each in self.terms[: self.at]):
            return False
        behind = self._term(1)
        return behind is not None and (
            behind.form in OWN | INDEFINITE
            or behind.token.is_name
            or behind.means("pronoun", "newest", "oldest", "all")
        )

    def _is_noun(self, term: Term) -> bool:
        """Whether a word that looks like one that describes is a noun: `wedding`, `the washing machine`."""
        behind = self._term(1)
        leads = term.form.endswith("ing") and behind is not None and behind.is_unknown
        return term.form in _NOUNS or (leads and self._may_be_in_text())

    def _may_be_in_text(self) -> bool:
        """Whether a word that no name has may be looked for in texts, such as `delivery`: where nothing is changed."""
        return not (self.is_act or self.inner or self.is_test) and bool(self.verbs) and set(self.verbs) <= _LOOKS

    def _beside_a_kind(self) -> bool:
        return any(
            each is not None and (each.kind is not None or each.means("file", "folder", "all", "do:exists"))
            for each in (self._term(1), self._term(-1))
        )

    def _take_number(self) -> bool:
        if self.number is not None and self.order is None:
            if self.is_exact_number and self.expected is None:
                self.expected, self.number = int(self.number), None
            return True
        if self.number is not None:
            self.limit, self.number = int(self.number), None
        return True

    def _topic_head(self, *, alone: bool) -> Head:
        if alone:
            self._open(Head())
        return self.heads[-1]

    def _acted_on(self, term: Term, *, alone: bool) -> bool:
        behind = self._term(1)
        if not alone:
            head = self.heads[-1]
            if head.is_exact or head.behind:
                return False
            before = self._term(-1)
            is_beside_a_kind = before is not None and before.kind is not None and self.scene.is_there(term.text)
            if (head.topics and head.what is None) or is_beside_a_kind:
                # `PDF scans`.
                head.topics.append(term.text)
                self.at += 1
                return True
            return False
        if self.target is not None:
            return False
        if self.language == "de" and not term.text[:1].isupper() and behind is not None and behind.kind is not None:
            return False
        if (
            self.language == "en"
            and self.article
            and not term.form.endswith("s")
            and not (behind is not None and (behind.kind or behind.is_unknown or behind.means("file")))
        ):
            # One thing: `the data` is what is called so.
            self._open(self._thing(term.text))
            self.at += 1
            return True
        at_end = behind is None or behind.means("to", "in", "and", "then", "filler") or behind.token.sort == "mark"
        if (self.language == "de" or not self.article) and at_end and not self.is_all_ahead and self.expected is None:
            self._open(self._thing(term.text))
        else:
            self._open(Head(topics=[term.text]))
        self.at += 1
        return self._take_number()

    def _thing(self, word: str) -> Head:
        """What is called so; where nothing is, the one file whose name holds the word."""
        if self._is_described(word):
            before = self._term(-1)
            # `Die Belege` are several, `die Quittung` is one.
            is_many = (
                word.lower().endswith(("e", "en", "er", "s"))
                if before is not None and before.form == "die"
                else word.lower().endswith("s")
            )
            return Head(topics=[word], is_single=self.article and not is_many)
        known = self.scene.known
        paths = known.paths.get(normal(word), []) if known is not None else []
        if len(paths) == 1 and known is not None and paths[0] not in known.folders:
            # `Throw away run_02`, which is `run_02.csv`.
            return Head(entries="file", what=Named(paths[0].rpartition("/")[2], "is"), is_exact=True)
        return Head(entries=None, what=Named(word, "is"), is_exact=True)

    def _is_described(self, word: str) -> bool:
        """Whether names hold the word, and none is just that."""
        known = self.scene.known
        return known is not None and normal(word) not in known.paths and self.scene.is_there(word)
