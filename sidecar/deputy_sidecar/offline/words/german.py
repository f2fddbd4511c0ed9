"""German: the same meanings as in `english`; umlauts and ß are matched in either spelling."""

from __future__ import annotations

from typing import Final

__all__ = ["FILLERS", "MEANINGS", "MONTHS", "NUMBERS", "PHRASE_FILLERS", "TIMES", "TYPOS", "VAGUE"]

MEANINGS: Final[dict[str, str]] = {
    "do:list": "liste|list|zeig|zeige|zeig mir|zeige mir|finde|find|auflisten|anzeigen|gib mir|ich suche|finden|heraussuchen|finde mir|anzeige|eine liste von|eine liste aller"
    "|nenn mir|nenne mir|nenne|nenn|zeigen|ich möchte sehen|ich will sehen|ich brauche",
    "do:where": "wo ist|wo sind|wo liegt|wo liegen|wo habe ich|wo hab ich|wo finde ich|wo",
    "do:which": "welche|welcher|welches|welchen|was|was für|welche von|welchem|in welchen dateien|in welcher datei|was sind|was ist|welches ist|welche sind",
    "do:exists": "gibt es|gibt's|gibts|habe ich|hab ich|haben wir|existiert|existieren|ist da|sind da|gibt es hier|ob es",
    "do:count": "wie viele|wieviele|anzahl|anzahl der|zähle|zähl|anzahl von|wie viel|zählen",
    "do:size": "wie groß|größe von|größe|wie viel platz|wieviel platz|wie viel speicher|wie viel speicherplatz|gesamtgröße|gesamtgröße der|wieviel speicherplatz|gesamtgröße aller|größe des|größe der",
    "do:usage": "was belegt den meisten platz|was braucht am meisten platz|speicherbelegung|was verbraucht den meisten platz|braucht am meisten platz|belegt am meisten platz|belegt den meisten platz|nimmt am meisten platz weg|verbraucht am meisten platz|braucht den meisten platz",
    "do:trash": "lösche|lösch|löschen|entferne|entfern|entfernen|wirf|schmeiß|schmeiss|schmeiße|wegwerfen|wegschmeißen|werfen|gelöscht|beseitige|löscht|lösche mir|wegmachen|entsorge|entsorgen|wirf weg|rauswerfen",
    "do:move": "legen|stecken|bewegen|verschiebe|verschieb|verschieben|bewege|beweg|leg|lege|pack|packe|schieb|schiebe|tu|steck|stecke|verlege|räume|räum|ablegen|tue|leg ab|bringe|schieben|packen",
    "do:copy": "kopiere|kopier|kopieren|sichere|sichern|kopie von|dupliziere",
    "do:rename": "benennen|nennen|benenne|benenn|umbenennen|nenne um|benenne um|umzubenennen",
    "do:create": "legen|machen|erzeugen|erstelle|erstell|erstellen|lege an|leg an|anlegen|mach|mache|erzeuge|lege|leg",
    "do:read": "zeigen den inhalt von|zeigen mir den inhalt von|den inhalt der|inhalt der|inhalt des|den inhalt des|den inhalt vom|zeig mir was steht in|lies|lese|öffne|inhalt von|den inhalt von|zeig den inhalt von|zeig mir den inhalt von|zeige mir den inhalt von|zeige den inhalt von|was steht in|lies vor|zeig den inhalt der datei|zeige mir den inhalt der datei|zeig mir den inhalt der datei|inhalt der datei|öffnen|den inhalt der datei",
    "do:search": "suche|such|suche nach|such nach|suchen|such mir|durchsuche",
    "do:lines": "zeilen mit|alle zeilen mit|die zeilen mit|jede zeile mit|alle zeilen die|zeilen die",
    "do:head": "anfang von|den anfang von|ersten zeilen von|anfang der datei",
    "do:tail": "ende von|das ende von|letzten zeilen von|ende der datei",
    "do:tidy": "räum auf|räume auf|aufräumen|räum hier auf|ordne|organisiere|sortiere in ordner|bring ordnung in|ausmisten",
    "do:group": "sortiere|sortier|gruppiere|sortieren|gruppieren|sortiert|ordne",
    "do:tree": "ordnerbaum|baum|ordnerstruktur|verzeichnisbaum|struktur",
    "do:overview": "überblick|übersicht|was ist in|was liegt in|was ist hier|was liegt hier|inhalt|was liegt hier rum|überblick über|übersicht über|was ist alles in|was liegt im|was ist im|was ist alles im|was liegt hier alles rum|was befindet sich in|was befindet sich im",
    "do:write": "schreib|schreibe|speicher|speichere|sammle|sammel|exportiere|speichern|schreiben",
    "do:report": "schreib einen bericht|erstelle einen bericht|bericht über",
    "do:undo": "machen das rückgängig|machen das wieder rückgängig|machen es rückgängig|mach das rückgängig|mach es rückgängig|rückgängig|mach rückgängig|rückgängig machen|mach das wieder rückgängig|nimm das zurück",
    "do:when": "wann habe ich|wann hab ich|wann wurde|wie alt ist|wann ist|wann wurden",
    "do:pack": "zippe|packe zusammen|komprimiere|verpacke",
    "do:unpack": "entpacke|entpack|entzippe",
    "do:replace": "ersetze|ersetz|ersetzen",
    "do:compare": "vergleiche|vergleich|unterschied zwischen|unterschiede zwischen",
    "do:words": "wie viele wörter|wieviele wörter|wie viele worte|anzahl der wörter in",
    "do:linecount": "wie viele zeilen|wieviele zeilen|anzahl der zeilen in|anzahl der zeilen von",
    "file": "datei|dateien|files|file|sachen|dinge|elemente",
    "folder": "ordner|ordnern|verzeichnis|verzeichnisse|verzeichnissen|unterordner|unterordnern",
    "all": "alle|alles|allen|aller|jede|jeden|jedes|sämtliche|alle die|was für|irgendwelche|allem|irgendein|irgendeine|sämtlicher|jeder|jedem",
    "here": "hier|in diesem ordner|in diesem verzeichnis|dieser ordner|diesen ordner|im ordner|hier drin|hier rum|im aktuellen ordner|diesem ordner|dieses ordners|insgesamt|hier alle|irgendwo|in dem ordner|im verzeichnis",
    "top": "auf oberster ebene|direkt hier|nicht in unterordnern|ohne unterordner|nicht in einem unterordner|direkt im ordner|aber nicht in unterordnern",
    "inside": "direkt in",
    "recursive": "mit unterordnern|und unterordner|auch in unterordnern|einschließlich unterordner|in allen unterordnern|inklusive unterordner|samt unterordnern",
    "empty": "leer|leere|leeren|leerer|leeres|die leer sind|ganz leer|komplett leer|leer ist|leer sind|der leer ist|die leer ist|ohne inhalt",
    "duplicate": "doppelt|doppelte|doppelten|duplikat|duplikate|duplikaten|identisch|identische|identischen|mehrfach|mit gleichem inhalt|mit demselben inhalt|dubletten|zweimal|gleichen inhalt|denselben inhalt",
    "new": "neu|neuen|neue|neuer|neues",
    "biggest": "größte|größten|größter|größtes|am größten|die größten|dickste|dicksten|am meisten platz",
    "smallest": "kleinste|kleinsten|kleinster|kleinstes|am kleinsten",
    "newest": "neueste|neuesten|neuester|neuestes|neuste|neusten|zuletzt geänderte|zuletzt geänderten|am neuesten|jüngste|jüngsten|neustes|zuletzt bearbeitete|zuletzt bearbeiteten",
    "oldest": "älteste|ältesten|ältester|ältestes|am ältesten",
    "more": "mehr|mehr als|größer als|über|mindestens|>|größer|schwerer als",
    "less": "weniger|weniger als|kleiner als|unter|höchstens|<|kleiner|bis zu|maximal",
    "older": "älter als|älter",
    "newer": "neuer als|jünger als|neuer|jünger",
    "before": "vor|vor dem|bevor",
    "after": "nach dem|danach als|später als",
    "since": "seit|seit dem|seit der|ab dem|ab",
    "until": "bis|bis zum|bis zu",
    "between": "zwischen",
    "ago": "her",
    "lastn": "in den letzten|der letzten|die letzten|letzte|letzten|letzter|letztes|in der letzten|vom letzten|von der letzten|im letzten|aus dem letzten|aus der letzten|innerhalb der letzten|aus den letzten|vergangenen|vorigen|voriges|vergangene|vorige|in den vergangenen|von letzter|vom letztem|aus letztem|von letztem|letztem|den letzten|während der letzten",
    "this": "diese|dieses|diesen|dieser|in diesem|aus diesem|von diesem|diesem",
    "untouched": "nicht angefasst seit|seit nicht geändert|nicht geändert seit|nicht mehr geändert seit",
    "changed": "geändert|bearbeitet|verändert|angefasst|gemacht|aufgenommen|erstellt|zuletzt geändert|zuletzt bearbeitet|geändert habe|geändert wurden|bearbeitet habe|geänderte|geänderten|bearbeitete|bearbeiteten|geändert hab|geändert wurde|angelegt|gespeichert|geändert worden|dazugekommen",
    "and": "und|sowie|und auch|plus|&|wie auch",
    "or": "oder|/|entweder",
    "not": "nicht|kein|keine|keinen|nicht die|keines|die nicht",
    "except": "außer|ausser|aber nicht|bis auf|ausgenommen|mit ausnahme von|ohne|aber keine|aber kein|außer den|ohne die|außer die|außer der|mit ausnahme der|aber ohne|nur nicht|jedoch nicht|jedoch keine|außer denen",
    "but": "aber|jedoch",
    "then": "dann|danach|und dann|und danach|anschließend|und anschließend|hinterher|zum schluss|, dann|im anschluss|als nächstes|und zuletzt",
    "first": "zuerst|erst|zunächst|als erstes",
    "if": "wenn|falls|sofern|nur wenn|vorausgesetzt",
    "unless": "es sei denn|außer wenn|wenn nicht",
    "only": "nur|nur die",
    "in": "in|im|aus|vom|innerhalb von|unter|aus dem|in der|in dem|unterhalb von|von",
    "in_folder": "im ordner|in dem ordner|aus dem ordner|vom ordner|im verzeichnis|aus dem verzeichnis|des ordners|von ordner|aus ordner|in ordner|in den ordnern|aus den ordnern|der ordner",
    "not_in": "nicht in|die nicht in|nicht im|außer in|außer im|außer denen in|außer die in|außer denen im|außer die im|die nicht im|aber nicht in|aber nicht im|nicht aus|außer denen aus|ohne die in|ohne die im|außer aus|außer den in|außer den im|ohne die aus",
    "to": "nach|in|in den|in das|ins|in den ordner|in das verzeichnis|zu|als|in einen ordner|->|in die|in der|im|in ordner|im ordner|zum ordner|in dem ordner",
    "new_folder": "einen ordner namens|einen neuen ordner namens|einen ordner|einen neuen ordner|ordner namens|neuer ordner namens|einen ordner mit dem namen|ein verzeichnis namens|ein neues verzeichnis namens|ein verzeichnis|einen unterordner|einen unterordner namens|einem ordner namens|einem neuen ordner|einem neuen ordner namens|den ordner namens|ordner mit namen|neuen ordner|neuen ordner namens|die ordner",
    "there": "dorthin|dahin|dort hinein|hinein|da rein|darein|dort|darin",
    "named": "namens|mit dem namen|genannt|heißt|heißen|mit namen|die heißt|die heißen|der name ist",
    "name_has": "deren name enthält|die im namen haben|mit namen die enthalten|im namen haben|deren namen enthalten",
    "in_name": "im namen|im dateinamen|im titel|im namen haben",
    "starts": "beginnend mit|die anfangen mit|die beginnen mit|deren name beginnt mit|deren namen beginnen mit|fängt an mit|mit dem anfang|deren name anfängt mit|beginnt mit|anfangend mit",
    "start_end": "anfangen|beginnen|beginnt|anfängt|losgehen|starten",
    "ends": "endend auf|die enden auf|mit der endung|endet auf|die enden mit|mit endung|enden auf|endend mit",
    "extension": "vom typ|mit der dateiendung|mit dateiendung",
    "no_extension": "ohne endung|ohne dateiendung",
    "end_end": "enden|endet|aufhören",
    "holds": "kommt das wort|kommt der name|kommt der begriff|kommt der text|enthalten|enthält|die enthalten|erwähnen|erwähnt|mit dem wort|mit dem text|nach dem wort|die das wort enthalten|steht das wort|das wort|den text|kommt das wort vor|das wort enthalten|das wort enthält|steht|den begriff|die das wort|kommt vor|mit dem begriff|kommt|die den text",
    "holds_end": "enthalten|enthält|vorkommt|vor|steht|vorkommen|erwähnen",
    "holds_not": "nicht das wort|nicht enthalten|nicht das wort enthalten|ohne das wort|aber nicht das wort",
    "tagged": "getaggt als|getaggt mit|mit dem tag|mit tag|markiert als|sind markiert als|haben den tag|hat den tag|mit dem schlagwort",
    "about": "über",
    "and_sizes": "und ihre größe|mit größe|mit größen|und größe|und ihre größen|mit größenangabe|mit ihrer größe",
    "and_dates": "mit datum|und datum",
    "by_size": "nach größe|der größe nach|nach größe sortiert|nach der größe|sortiert nach größe",
    "by_date": "nach datum|nach alter|nach datum sortiert|nach änderungsdatum|sortiert nach datum",
    "by_name": "nach name|nach namen|alphabetisch|nach name sortiert|sortiert nach name|sortiert nach namen",
    "by_kind": "nach typ|nach art|nach dateityp|nach endung|nach dateityp sortiert",
    "by_year": "nach jahr|nach jahren|pro jahr",
    "by_month": "nach monat|nach monaten|pro monat",
    "descending": "absteigend|die größten zuerst|größte zuerst|neueste zuerst|die neuesten zuerst|größten zuerst|neuste zuerst|die neusten zuerst",
    "ascending": "aufsteigend|die kleinsten zuerst|kleinste zuerst|älteste zuerst|die ältesten zuerst|ältesten zuerst|kleinsten zuerst",
    "top_n": "ersten|erste",
    "each_folder": "pro ordner|in jedem ordner|je ordner|jedes ordners|für jeden ordner",
    "pronoun": "sie|er|ihm|es|diese|die gleichen|ihn|dieselben|das|diese dateien|davon|beide|alle davon",
    "one": "einen",
    "nth:1": "der erste davon|der erste datei|der ersten davon|der ersten datei|die erste davon|die erste datei|die ersten davon|die ersten datei|das erste davon|das erste datei|das ersten davon|das ersten datei|den erste davon|den erste datei|den ersten davon|den ersten datei|nummer 1",
    "nth:2": "der zweite|der zweite davon|der zweite datei|der zweiten|der zweiten davon|der zweiten datei|die zweite|die zweite davon|die zweite datei|die zweiten|die zweiten davon|die zweiten datei|das zweite|das zweite davon|das zweite datei|das zweiten|das zweiten davon|das zweiten datei|den zweite|den zweite davon|den zweite datei|den zweiten|den zweiten davon|den zweiten datei|nummer 2",
    "nth:3": "der dritte|der dritte davon|der dritte datei|der dritten|der dritten davon|der dritten datei|die dritte|die dritte davon|die dritte datei|die dritten|die dritten davon|die dritten datei|das dritte|das dritte davon|das dritte datei|das dritten|das dritten davon|das dritten datei|den dritte|den dritte davon|den dritte datei|den dritten|den dritten davon|den dritten datei|nummer 3",
    "nth:4": "der vierte|der vierte davon|der vierte datei|der vierten|der vierten davon|der vierten datei|die vierte|die vierte davon|die vierte datei|die vierten|die vierten davon|die vierten datei|das vierte|das vierte davon|das vierte datei|das vierten|das vierten davon|das vierten datei|den vierte|den vierte davon|den vierte datei|den vierten|den vierten davon|den vierten datei|nummer 4",
    "nth:5": "der fünfte|der fünfte davon|der fünfte datei|der fünften|der fünften davon|der fünften datei|die fünfte|die fünfte davon|die fünfte datei|die fünften|die fünften davon|die fünften datei|das fünfte|das fünfte davon|das fünfte datei|das fünften|das fünften davon|das fünften datei|den fünfte|den fünfte davon|den fünfte datei|den fünften|den fünften davon|den fünften datei|nummer 5",
    "nth:6": "der sechste|der sechste davon|der sechste datei|der sechsten|der sechsten davon|der sechsten datei|die sechste|die sechste davon|die sechste datei|die sechsten|die sechsten davon|die sechsten datei|das sechste|das sechste davon|das sechste datei|das sechsten|das sechsten davon|das sechsten datei|den sechste|den sechste davon|den sechste datei|den sechsten|den sechsten davon|den sechsten datei|nummer 6",
    "nth:7": "der siebte|der siebte davon|der siebte datei|der siebten|der siebten davon|der siebten datei|die siebte|die siebte davon|die siebte datei|die siebten|die siebten davon|die siebten datei|das siebte|das siebte davon|das siebte datei|das siebten|das siebten davon|das siebten datei|den siebte|den siebte davon|den siebte datei|den siebten|den siebten davon|den siebten datei|nummer 7",
    "nth:8": "der achte|der achte davon|der achte datei|der achten|der achten davon|der achten datei|die achte|die achte davon|die achte datei|die achten|die achten davon|die achten datei|das achte|das achte davon|das achte datei|das achten|das achten davon|das achten datei|den achte|den achte davon|den achte datei|den achten|den achten davon|den achten datei|nummer 8",
    "nth:9": "der neunte|der neunte davon|der neunte datei|der neunten|der neunten davon|der neunten datei|die neunte|die neunte davon|die neunte datei|die neunten|die neunten davon|die neunten datei|das neunte|das neunte davon|das neunte datei|das neunten|das neunten davon|das neunten datei|den neunte|den neunte davon|den neunte datei|den neunten|den neunten davon|den neunten datei|nummer 9",
    "nth:10": "der zehnte|der zehnte davon|der zehnte datei|der zehnten|der zehnten davon|der zehnten datei|die zehnte|die zehnte davon|die zehnte datei|die zehnten|die zehnten davon|die zehnten datei|das zehnte|das zehnte davon|das zehnte datei|das zehnten|das zehnten davon|das zehnten datei|den zehnte|den zehnte davon|den zehnte datei|den zehnten|den zehnten davon|den zehnten datei|nummer 10",
    "trash_can": "in den papierkorb|in papierkorb|in den müll|weg|in die tonne",
    "lowercase": "in kleinbuchstaben|kleingeschrieben|auf kleinbuchstaben",
    "uppercase": "in großbuchstaben|auf großbuchstaben",
    "with": "mit",
    "word": "wort|text|begriff",
    "copy_noun": "kopien|kopie",
    "save_space": "würde ich sparen wenn ich lösche|spare ich wenn ich lösche",
    "keep_one": "behalte je eine|aber behalte eine|lass eine übrig|behalte eine",
    "prefix": "präfix",
    "inside_all": "den inhalt von|inhalt von|den inhalt des ordners|alles in|alles aus|alles im ordner|alles aus dem ordner|alles im|den kompletten inhalt von|alles in dem ordner",
}

FILLERS: Final = (
    "ein eine einen einem einer eines der die das den dem des bitte mal kannst du könntest würdest ich mir mein meine meinen meinem meiner meines dein ist sind war wurde wurden habe hab hat haben "
    "und-bitte doch noch denn eigentlich gerade jetzt hallo hi hey danke gern gerne ok okay so da dazu davon drin drauf sich man wir uns es auf an um zu ab aus vor weg rein raus hin her heraus raus "
    "möchte will würde soll sollen können kann werden wird dass damit ja schnell einfach lieber liegen liegt befinden befindet sagen gern mitteilen verraten zeigen-bitte netterweise freundlicherweise insgesamt vorhanden computer sein gibt zum zur am im vom von "
    "vielen dank lass auch diese welches in dem jahr aus brauchen belegen braucht belegt nehmen ihre ihrer mache sehr gesamt nochmal etwas was einmal"
)
PHRASE_FILLERS: Final = "können sie|könnten sie|würden sie|können sie mir|könnten sie mir|würden sie mir|können sie mir sagen|kannst du mir sagen|sag mir|sagen sie mir|ich hätte gerne gewusst|ich wüsste gern|wären sie so nett|wären sie so freundlich|seien sie so nett und|ich bitte sie|guten abend|schönen dank|besten dank|kannst du|könntest du|würdest du|kannst du mir|könntest du mir|kannst du bitte|könntest du bitte|ich möchte|ich will|ich hätte gern|ich hätte gerne|ich würde gern|vielen dank|danke schön|wenn du kannst|wenn möglich|wenn es geht|sei so gut und|sei so nett und|guten tag|guten morgen|wärst du so nett|aus dem jahr|im jahr|aus jahr|des jahres|vom jahr"
VAGUE: Final = (
    "gut gute guten schlecht schlechte beste besten schön schöne schönen wichtig wichtige wichtigen unwichtig unwichtige unwichtigen alt alte alten groß große großen klein kleine kleinen unnötig unnötige unnötigen überflüssig "
    "überflüssige überflüssigen unscharf unscharfe unscharfen kaputt kaputte kaputten veraltet veraltete veralteten aktuell aktuelle andere anderen restliche restlichen paar einige viele meisten privat private privaten bezahlt bezahlte unbezahlte offene offenen "
    "falsche falschen richtige interessante langweilige ähnliche ähnlichen letzte letzten erste ersten zweite zweiten ganzen ungenutzte nutzlose nutzlosen brauche mehr benötigte"
)
NUMBERS: Final = "null ein|eins|eine|einen|einem|einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig"
MONTHS: Final = "januar|jan februar|feb märz|mär april|apr mai juni|jun juli|jul august|aug september|sep|sept oktober|okt november|nov dezember|dez"
# Times and units.
TIMES: Final[dict[str, str]] = {
    "heute|heutige|heutigen": "time:today",
    "gestern|gestrige|gestrigen": "time:yesterday",
    "vorgestern": "time:before_yesterday",
    "minute|minuten": "unit:minute",
    "stunde|stunden": "unit:hour",
    "tag|tage|tagen": "unit:day",
    "woche|wochen": "unit:week",
    "monat|monate|monaten|monats": "unit:month",
    "jahr|jahre|jahren|jahres": "unit:year",
    "byte|bytes": "bytes:1",
    "kb|kilobyte": "bytes:1000",
    "mb|megabyte": "bytes:1000000",
    "gb|gigabyte": "bytes:1000000000",
    "tb|terabyte": "bytes:1000000000000",
    "ein halbes|einem halben": "number:half",
    "dutzend|ein dutzend": "number:12",
    "hundert": "number:100",
    "zeile|zeilen": "line",
}
# Mistakes that many make, and that are too short to be told from other words.
TYPOS: Final[dict[str, str]] = {
    mistake: word
    for word, mistakes in {
        "und": "udn unf",
        "die": "dei",
        "zeig": "zieg zeih",
        "nach": "nahc",
        "nicht": "nciht nich",
        "welche": "wleche welhce",
        "dateien": "datein dateine",
    }.items()
    for mistake in mistakes.split()
}
