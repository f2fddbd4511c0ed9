"""Words as pieces of names: without their plural, in either spelling of umlauts, and with the words that mean the same.

`Receipts` finds `Beleg Miete.pdf`, and `Verträge` finds `contract.docx`: people name files in one language and talk
in another.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from deputy_sidecar.offline.tokens import normal

__all__ = ["fold", "globs_of", "halves", "holds", "stem_of", "stems_of"]

# Endings of plurals and cases, the longest first, and how much has to be left: `Bäcker` is no `back`.
_ENDINGS: Final = (("ern", 5), ("ies", 4), ("es", 5), ("en", 5), ("er", 5), ("e", 5), ("n", 5), ("s", 3), ("y", 4))
SHORTEST_HISSED: Final = 5
SHORTEST_PIECE: Final = 4
# What may follow a stem in a whole word.
_TAILS: Final = ("", "s", "e", "es", "n", "en", "er", "ern", "y", "ies")
_SAME: Final = (
    "receipt beleg quittung kassenbon kassenzettel",
    "contract vertrag",
    "letter brief anschreiben",
    "minutes protokoll",
    "recipe rezept",
    "certificate zeugnis zertifikat urkunde",
    "cv cvs resume lebenslauf",
    "holiday vacation urlaub ferien",
    "tax steuer",
    "insurance versicherung",
    "rent miete",
    "offer quote angebot",
    "statement kontoauszug",
    "poster plakat",
    "wedding hochzeit",
    "birthday geburtstag",
    "christmas weihnacht weihnachten xmas",
    "easter ostern",
    "school schule",
    "homework hausaufgabe",
    "lecture vorlesung",
    "draft entwurf",
    "template vorlage",
    "ticket fahrkarte",
    "passport reisepass",
    "recording aufnahme",
    "donation spende",
    "payment zahlung",
    "invitation einladung",
    "beach strand",
    "mountain berg",
    "garden garten",
    "application bewerbung",
    "screenshot bildschirmfoto",
    "list liste",
    "plan plan",
    "music musik",
    "picture bild",
    "photo foto",
    "document dokument",
    "invoice rechnung bill",
    "project projekt",
    "book buch",
    "backup sicherung",
    "customer kunde",
    "data daten",
    "member mitglied mitglieder",
    "note notiz",
    "order bestellung",
    "concert konzert",
    "thesis abschlussarbeit",
    "report bericht",
    "budget haushalt",
    "game spiel",
    "save spielstand savegame",
    "summer sommer",
    "family familie",
    "chapter kapitel",
    "biology biologie",
    "physics physik",
    "soup suppe",
    "apple apfel",
    "cake kuchen",
    "bread brot",
    "dictionary wörterbuch",
    "salary gehalt lohn",
    "bank konto account",
    "doctor arzt",
    "car auto",
    "house haus",
    "price preis",
    "score sheetmusic noten partitur",
    "phone telefon handy",
    "number nummer",
    "address adresse anschrift",
    "meeting sitzung besprechung treffen",
    "program programme programm",
    "lease mietvertrag",
    "warranty guarantee garantie",
    "manual handbuch anleitung bedienungsanleitung",
    "delivery lieferung",
    "deliverynote lieferschein",
    "reminder mahnung",
    "pension rente",
    "child kind kinder children",
    "dog hund",
    "cat katze",
    "trip reise journey",
    "party feier fest",
    "winter winter",
    "spring fruehling fruehjahr",
    "autumn fall herbst",
    "week woche",
    "month monat",
    "year jahr",
    "staff personal employee mitarbeiter",
    "appointment termin",
    "calendar kalender",
    "exercise uebung",
    "exam klausur pruefung",
    "solution loesung",
    "result ergebnis",
    "figure abbildung",
    "table tabelle tisch",
    "shopping einkauf",
    "insurance versicherung police",
    "electricity strom",
    "water wasser",
    "gas gas",
    "kitchen kueche",
    "bathroom bad",
    "roof dach",
    "door tuer",
    "window fenster",
    "key schluessel",
    "cost kosten",
    "income einnahmen einkommen",
    "expense ausgaben ausgabe",
    "song lied",
    "lyrics liedtext",
    "choir chor",
    "practice probe uebe",
    "rehearsal probe",
    "teacher lehrer lehrerin",
    "student schueler studentin",
    "class klasse",
    "group gruppe",
    "team mannschaft",
    "company firma unternehmen",
    "supplier lieferant",
    "stock lager bestand",
    "tool werkzeug",
    "machine maschine",
    "computer rechner",
    "hard disk festplatte",
    "password passwort kennwort",
    "account konto",
    "grandma oma grandmother grossmutter",
    "grandpa opa grandfather grossvater",
    "mother mutter mum mom",
    "father vater dad",
    "baby saeugling",
    "birth geburt",
    "death tod",
    "marriage heirat",
    "divorce scheidung",
    "church kirche",
    "museum museum",
    "zoo zoo",
    "story geschichte erzaehlung",
    "poem gedicht",
    "diary tagebuch journal",
    "essay aufsatz hausarbeit",
    "presentation praesentation vortrag",
    "speech rede",
    "flyer flugblatt handzettel",
    "map karte landkarte",
    "card karte",
    "logo logo",
    "cover titelbild einband",
    "label etikett",
    "shelf regal",
    "chair stuhl",
    "lamp lampe",
    "van transporter lieferwagen",
    "tree baum",
    "flower blume",
    "sea meer",
    "lake see",
    "snow schnee",
    "town stadt city",
    "street strasse",
    "train zug bahn",
    "flight flug",
    "hotel hotel",
    "booking buchung reservation reservierung",
    "confirmation bestaetigung",
    "complaint beschwerde reklamation",
    "answer antwort reply",
    "question frage",
    "survey umfrage",
    "protocol protokoll",
    "ship schiff",
    "wood holz",
    "bed bett",
    "cupboard schrank",
    "wall wand",
    "floor boden",
    "room zimmer raum",
    "flat apartment wohnung",
    "tenant mieter",
    "landlord vermieter",
    "heating heizung",
    "repair reparatur",
    "notice kuendigung",
    "deposit kaution",
    "painter maler",
    "plumber klempner",
    "tile fliese",
    "work arbeit",
    "job stelle beruf",
    "office buero",
    "shop laden geschaeft",
    "market markt",
    "egg ei eier",
    "milk milch",
    "flour mehl",
    "sugar zucker",
    "butter butter",
    "meat fleisch",
    "fish fisch",
    "wine wein",
    "beer bier",
    "coffee kaffee",
    "tea tee",
    "horse pferd",
    "bird vogel",
    "bee biene",
    "farm bauernhof",
    "river fluss",
    "island insel",
    "country land",
    "village dorf",
    "bridge bruecke",
    "airport flughafen",
    "boat boot",
    "bicycle bike fahrrad",
    "wheel rad",
    "engine motor",
    "brother bruder",
    "sister schwester",
    "son sohn",
    "daughter tochter",
    "wife frau",
    "husband mann",
    "friend freund freundin",
    "neighbour neighbor nachbar",
    "health gesundheit",
    "hospital krankenhaus",
    "medicine medizin",
    "tooth zahn",
    "eye auge",
    "law gesetz recht",
    "court gericht",
    "police polizei",
    "election wahl",
    "war krieg",
    "peace frieden",
    "history geschichte",
    "art kunst",
    "science wissenschaft",
    "language sprache",
    "word wort",
    "page seite",
    "summary zusammenfassung",
    "decision beschluss entscheidung",
    "vote abstimmung",
    "board vorstand",
    "treasurer kassenwart",
    "donor spender",
    "guest gast",
    "menu speisekarte",
    "dinner abendessen",
    "breakfast fruehstueck",
    "lunch mittagessen",
)


def fold(text: str) -> str:
    """A form in which `ä`, `ae` and `a` are the same."""
    return re.sub(r"([aou])e", r"\1", normal(text))


@cache
def stem_of(word: str) -> str:
    """The word without its ending."""
    form = fold(word).strip("'’.-").removesuffix("'s")
    if form.endswith(("xes", "shes", "ches", "sses", "zes")) and len(form) >= SHORTEST_HISSED:
        return form[:-2]
    if form.endswith("lves"):
        # `Shelves`.
        return f"{form[:-3]}f"
    for ending, least in _ENDINGS:
        if form.endswith(ending) and len(form) - len(ending) >= least and not form.endswith("ss"):
            return form[: -len(ending)]
    return form


@cache
def stems_of(word: str) -> tuple[str, ...]:
    """The word's stem, then those of words that mean the same."""
    own = stem_of(word)
    alike = _alike().get(own)
    if alike is not None:
        return (own, *(each for each in alike if each != own))
    return (own, *_compounds(fold(word)))


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _SAME:
        stems = tuple(dict.fromkeys(stem_of(each) for each in group.split()))
        for stem in stems:
            found.setdefault(stem, stems)
    return found


def _compounds(form: str) -> tuple[str, ...]:
    """`Preisliste` as `price*list`: a compound of two words that are called otherwise in the other language."""
    alike, parts = _alike(), halves(form)
    return tuple(f"{one}*{other}" for one in alike[stem_of(parts[0])] for other in alike[parts[1]]) if parts else ()


@cache
def halves(form: str) -> tuple[str, str] | None:
    """The two words of a compound that have others for them: the first, and the stem of the last."""
    alike = _alike()
    for at in range(SHORTEST_PIECE, len(form) - SHORTEST_PIECE + 1):
        first, last = form[:at], stem_of(form[at:])
        # The `s` and `n` that join: `Geburtstagsliste`.
        front = next((each for each in (first, first[:-1], stem_of(first)) if stem_of(each) in alike), None)
        if front is None or (front != first and first[-1:] not in "sne"):
            continue
        if last in alike:
            return front, last
    return None


def holds(name: str, stem: str) -> bool:
    """Whether a name holds a stem; of a compound, both words in their order."""
    at = 0
    for piece in stem.split("*"):
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _letters(stem: str) -> str:
    """The stem for a glob, in which a vowel may have its dots in either spelling."""
    out = ""
    for char in stem:
        out += {"a": "{a,ä,ae}", "o": "{o,ö,oe}", "u": "{u,ü,ue}"}.get(char) or (
            f"[{char}]" if char in "?[]{}!" else char
        )
    return out


def globs_of(word: str, *, is_whole: bool) -> list[str]:
    """Globs for names that hold the word, anywhere or as a word of its own."""
    found: list[str] = []
    for stem in stems_of(word):
        said = _letters(stem)
        if not is_whole:
            found.append(f"*{said}*")
            continue
        for front in ("", "*[!a-zA-ZäöüÄÖÜ]"):
            for tail in _TAILS:
                found += [f"{front}{said}{tail}", f"{front}{said}{tail}[!a-zA-ZäöüÄÖÜ]*"]
    return found
