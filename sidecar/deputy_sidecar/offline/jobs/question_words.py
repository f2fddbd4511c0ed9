"""What the words of a question to a table mean: what is computed, bounds, order, and words that say nothing."""

from __future__ import annotations

from typing import Final

__all__ = [
    "AMOUNTS",
    "COLUMNS",
    "COMPARED",
    "HINTS",
    "HOW",
    "IN_AND_OUT",
    "MEANINGS",
    "MONEY",
    "OF_DAYS",
    "OF_VERBS",
    "PLAIN",
    "PRICES",
    "SAME_VALUES",
]

_COMPUTED: Final = {
    "count": "how many|number of|count of|count|wie viele|wieviele|anzahl",
    "sum": "sum of|sum|total|totals|in total|total of|add up|altogether|all together|summe|insgesamt|zusammen|gesamt|how much|wie viel|wieviel|gesamtsumme|together|did we spend|did i spend|have we spent|have i spent|did we pay|did i pay|did we earn|did i earn|did we make|did we take|wir ausgegeben|ich ausgegeben|wir eingenommen",
    "average": "average|mean|avg|on average|durchschnitt|schnitt|durchschnittliche|durchschnittlichen|durchschnittlicher|im schnitt|im durchschnitt|mittelwert",
    "max": "highest|largest|biggest|maximum|max|best|strongest|most expensive|greatest|oldest|latest|newest|longest|fastest|heaviest|tallest|strongest|am hoechsten|am groessten|am teuersten|am aeltesten|am laengsten|am schnellsten|am schwersten|schnellste|schnellsten|schwerste|schwersten|laengste|laengsten|hoechste|hoechsten|groesste|groessten|teuerste|teuersten|aelteste|meisten|most|maximal",
    "min": "lowest|smallest|minimum|min|worst|weakest|cheapest|least|youngest|earliest|shortest|slowest|lightest|am niedrigsten|am kleinsten|am billigsten|am guenstigsten|am juengsten|am kuerzesten|am langsamsten|am leichtesten|langsamste|langsamsten|leichteste|leichtesten|kuerzeste|kuerzesten|niedrigste|niedrigsten|kleinste|kleinsten|billigste|guenstigste|guenstigsten|juengste|wenigsten|minimal",
}  # fmt: skip
_BOUNDS: Final = {
    ">": "after|later than|spaeter als|over|above|more than|greater than|larger than|higher than|bigger than|older than|faster than|longer than|heavier than|taller than|more expensive than|dearer than|schneller als|laenger als|schwerer als|exceeding|ueber|mehr als|groesser als|hoeher als|aelter als|teurer als|>",
    "<": "before|earlier than|vor|frueher als|under|below|less than|fewer than|smaller than|lower than|younger than|cheaper than|slower than|shorter than|lighter than|langsamer als|kuerzer als|leichter als|unter|weniger als|kleiner als|niedriger als|juenger als|billiger als|<",
    ">=": "since|seit|at least|no less than|mindestens|>=|or more",
    "<=": "until|bis|at most|no more than|up to|hoechstens|maximal|<=",
}  # fmt: skip
_PER: Final = "per|by|for each|each|for every|grouped by|pro|je|fuer jeden|fuer jede|nach"
_NOT: Final = (
    "not|except|without|other than|but not|isn't|aren't|nicht|ausser|ohne|no|never|hasn't|hasnt|haven't|havent|didn't|didnt|"
    "doesn't|doesnt|don't|dont|kein|keine|keinen|keinem|keiner|nie"
)
_COMPARE: Final = (
    "compare|compared|comparison|difference|differences|versus|vs|vergleiche|vergleich|unterschied|differenz"
)
_OR: Final = "or|oder"
_MINUS: Final = "minus|abzueglich"
# Income minus expenses.
_BALANCE: Final = "balance|net balance|net|saldo|kassenstand|kontostand|profit|gewinn|surplus|ueberschuss"
_MARGIN: Final = "margin|margins|markup|profit margin|marge|gewinnspanne|handelsspanne"
# Pieces times their price.
_WORTH: Final = "worth|revenue|turnover|total value|total worth|umsatz|gesamtwert"
_SORTED: Final = "sort by|sorted by|sort|sorted|order by|ordered by|in order of|sortiert nach|sortiere nach|sortiere|sortiert|geordnet nach"
_DESCENDING: Final = "descending|in descending order|highest first|largest first|biggest first|newest first|oldest first|absteigend|hoechste zuerst|groesste zuerst|from high to low"
_ASCENDING: Final = (
    "ascending|in ascending order|lowest first|smallest first|aufsteigend|kleinste zuerst|from low to high"
)
_FIRST: Final = "first|top|the first|die ersten|ersten|first rows"
_DIFFERENT: Final = "different|distinct|unique|verschiedene|verschiedenen|unterschiedliche"
_FREQUENT: Final = "the most entries|most entries|most rows|most records|most lines|meisten eintraege|meisten zeilen|most often|am haeufigsten|most frequent"
_WHO: Final = "which|who|whose|welche|welcher|welches|wer"
# Words that say nothing a table could be asked about.
PLAIN: Final = frozenset(
    "provide calculate compute determine kindly pls berechne berechnen nenn nenne gib ermittle mein meine meinen unser unsere unseren unserem but aber yet still their theirs noch already schon zahlen zahlt bezahlen verdienen bekommen how done happened made see any some my our filter filtere anyone anybody someone somebody everyone everybody see jemand niemand alle row rows entry entries record records line lines person people item items ones those all every any list show find "
    "display what what's whats value values number amount name data information info table file column field "
    "live lives lived living look according rows columns only just sing sings play plays place placed have has had made make buy bought order ordered come comes came work works cost costs "
    "ordered bought sold earned received paid spent came went got brought used joined costs charged billed owes owe owed ausgegeben "
    "eingenommen bezahlt gekauft verkauft verdient bestellt erhalten bekommen gezahlt eingegangen gab gaben kamen kam "
    "belong belongs there where with whose is are was were does do did in of from on at for to the a an and me give tell "
    "find get see please sell sold spend spent paid pay stand stands equals equal exactly currently right now been it its "
    "when wann gekostet they them he she sie er denn mal noch each also und auch "
    "zeile zeilen eintrag eintraege datensaetze person personen leute alle zeig zeige liste finde wert werte wohnen wohnt "
    "sind ist hat haben kostet kosten kommen kommt arbeiten arbeitet mit aus von in im der die das den dem ein eine einen "
    "wie hoch sich beläuft laut according und gibt es was wo mir bitte steht stehen habe ich spalte tabelle datei welchem fuer".split()
)


# Words for one value of a cell in either language.
SAME_VALUES: Final = tuple(
    frozenset(group.split())
    for group in (
        "open unpaid offen offene offenen offener offenes",
        "paid bezahlt bezahlte bezahlten beglichen",
        "done finished completed erledigt erledigte erledigten fertig abgeschlossen",
        "sold verkauft verkaufte verkauften",
        "cancelled canceled storniert stornierte stornierten abgesagt",
        "yes ja",
        "no nein",
        "active aktiv aktive aktiven",
        "pending waiting ausstehend ausstehende ausstehenden",
        "overdue late ueberfaellig ueberfaellige ueberfaelligen",
    )
)
# Other words for columns; used only if exactly one column of the table belongs to the word's group.
COLUMNS: Final = tuple(
    frozenset(group.split())
    for group in (
        "amount betrag ausgabe ausgaben expense expenses kosten summe umsatz einnahmen paid spent sales",
        "quantity qty menge stueckzahl stueck units",
        "city town ort stadt wohnort place",
        "date datum day tag",
        "age alter old alt",
        "phone telefon telefonnummer handy mobile",
        "role job position beruf aufgabe",
        "price preis",
        "tenant mieter renter",
        "customer kunde client",
        "product artikel item ware",
        "month monat",
        "house haus building",
        "voice stimme stimmlage",
        "fee beitrag gebuehr",
        "email mail mailadresse",
        "purpose zweck reason",
        "died death gestorben starb sterbejahr todesjahr",
        "born birth geboren geburtsjahr geburtstag birthday",
        "family surname lastname familie familienname nachname",
        "given firstname vorname",
        "weight gewicht weigh wiegt",
        "salary wage gehalt lohn",
        "joined eingetreten beigetreten eintritt beitritt eintrittsdatum",
        "absent absence absences missing missed fehltage fehlzeiten fehlt fehlen gefehlt abwesend",
        "rent miete kaltmiete warmmiete",
        "owner besitzer eigentuemer",
        "score points punkte punktzahl",
        "grade zensur note noten",
        "category kategorie sorte",
        "item artikel posten",
        "sold verkauft verkauf",
        "bought gekauft",
        "rented vermietet verliehen",
        "returned zurueck zurueckgegeben",
        "hours stunden std",
        "days tage",
    )
)
PRICES: Final = frozenset("price cost costs amount total preis betrag kosten".split())
MONEY: Final = frozenset("euro euros eur € dollar dollars usd $ pound pounds gbp £ chf franken".split())
# Columns that a verb is about, by the verb.
IN_AND_OUT: Final = (
    frozenset("income incomes revenue einnahme einnahmen eingang received earned credit haben in".split()),
    frozenset("expense expenses ausgabe ausgaben ausgang spent debit soll out".split()),
)
OF_VERBS: Final = {
    verb: frozenset(columns.split())
    for verbs, columns in (
        (
            "pay pays paid paying zahlt zahlen bezahlt gezahlt",
            "fee beitrag gebuehr rent miete paid amount betrag price preis",
        ),
        ("cost costs kostet kosten gekostet", "price cost costs preis kosten amount betrag"),
        ("earn earns verdient verdienen", "salary wage income gehalt lohn einkommen"),
        (
            "earned received eingenommen income incomes einnahme einnahmen",
            "income incomes revenue einnahme einnahmen eingang received earned credit haben",
        ),
        (
            "spent spend ausgegeben expense expenses ausgabe ausgaben",
            "expense expenses ausgabe ausgaben ausgang spent debit paid cost costs kosten",
        ),
        (
            "ordered bought sold bestellt gekauft verkauft",
            "quantity qty count menge anzahl stueck",
        ),
        ("weigh weighs wiegt wiegen", "weight gewicht"),
        ("scored", "score points punkte"),
    )
    for verb in verbs.split()
}
_PAID: Final = frozenset("spent paid cost costs amount betrag ausgaben kosten ausgegeben bezahlt".split())
_AGES: Final = frozenset("age alter".split())
_SPANS: Final = frozenset(
    "days hours minutes duration length pages min mins time tage stunden minuten dauer laenge seiten".split()
)
_SPEEDS: Final = frozenset("tempo speed bpm pace geschwindigkeit kmh".split())
_WEIGHTS: Final = frozenset("weight kg gewicht".split())
_HEIGHTS: Final = frozenset("height groesse hoehe".split())
# Of these more is better; of grades and of costs it may not be.
_YIELDS: Final = frozenset(
    "score points punkte sales revenue amount income profit umsatz einnahmen betrag gewinn".split()
)
AMOUNTS: Final = frozenset("quantity qty count amount menge anzahl stueck stueckzahl".split())
HINTS: Final = {
    **dict.fromkeys(
        ("cheapest", "most expensive", "teuerste", "teuersten", "billigste", "guenstigste", "guenstigsten"), PRICES
    ),
    **dict.fromkeys(("how many altogether",), AMOUNTS),
    # `How much did we spend`, where a table has what was planned as well.
    **dict.fromkeys(
        (phrase for phrase in _COMPUTED["sum"].split("|") if "spen" in phrase or "pay" in phrase or "ausge" in phrase),
        _PAID,
    ),
    **dict.fromkeys(("how much", "wie viel", "wieviel"), _PAID),
    **dict.fromkeys(("most", "meisten", "least", "fewest", "wenigsten"), AMOUNTS),
    **dict.fromkeys(("oldest", "youngest", "aelteste", "juengste"), _AGES),
    **dict.fromkeys(("longest", "shortest", "am laengsten", "am kuerzesten", "laengste", "kuerzeste"), _SPANS),
    **dict.fromkeys(("fastest", "slowest", "am schnellsten", "am langsamsten", "schnellste", "langsamste"), _SPEEDS),
    **dict.fromkeys(("heaviest", "lightest", "am schwersten", "am leichtesten", "schwerste", "leichteste"), _WEIGHTS),
    **dict.fromkeys(("tallest",), _HEIGHTS),
    **dict.fromkeys(("am aeltesten", "am juengsten"), _AGES),
    **dict.fromkeys(("am teuersten", "am billigsten", "am guenstigsten"), PRICES),
    **dict.fromkeys(("best", "worst", "strongest", "weakest"), _YIELDS),
}
# Columns that a comparative is about, by its first word.
COMPARED: Final = {
    form: columns
    for forms, columns in (
        ("older younger aelter juenger", _AGES),
        ("faster slower schneller langsamer", _SPEEDS),
        ("longer shorter laenger kuerzer", _SPANS),
        ("heavier lighter schwerer leichter", _WEIGHTS),
        ("taller", _HEIGHTS),
        ("cheaper expensive dearer teurer billiger guenstiger", PRICES),
    )
    for form in forms.split()
}
# Columns that a question with `how` asks for.
HOW: Final = {
    **dict.fromkeys(("how long", "wie lang", "wie lange"), _SPANS),
    **dict.fromkeys(("how fast", "wie schnell"), _SPEEDS),
    **dict.fromkeys(("how heavy", "wie schwer"), _WEIGHTS),
    **dict.fromkeys(("how tall", "how high", "wie gross"), _HEIGHTS),
    **dict.fromkeys(("how expensive", "wie teuer"), PRICES),
}
# What these rank by is no column of numbers but the days.
OF_DAYS: Final = frozenset("latest newest earliest".split())


def _phrases(text: str, meaning: str) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): meaning for phrase in text.split("|")}


MEANINGS: Final[dict[tuple[str, ...], str]] = {
    phrase: meaning
    for group in (
        *(_phrases(words, f"compute:{what}") for what, words in _COMPUTED.items()),
        *(_phrases(words, f"bound:{what}") for what, words in _BOUNDS.items()),
        _phrases(_PER, "per"),
        _phrases(_NOT, "not"),
        _phrases(_SORTED, "sort"),
        _phrases(_DESCENDING, "descending"),
        _phrases(_ASCENDING, "ascending"),
        _phrases(_FIRST, "first"),
        _phrases(_DIFFERENT, "distinct"),
        _phrases(_WHO, "who"),
        _phrases(_COMPARE, "compare"),
        _phrases(_OR, "or"),
        _phrases(_MINUS, "minus"),
        _phrases(_BALANCE, "balance"),
        _phrases(_WORTH, "worth"),
        _phrases(_MARGIN, "margin"),
        _phrases(_FREQUENT, "frequent"),
    )
    for phrase, meaning in group.items()
}
