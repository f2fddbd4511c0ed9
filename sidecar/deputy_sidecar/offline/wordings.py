"""Turns of phrase to the plain wording that the grammar reads: `more than a year old` is `older than a year`.

Each rule holds for any number, name or kind in its place; what is in quotes is left alone. A rule never drops a word that
narrows what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["in_plain_words"]

_UNIT: Final = r"(?:minutes?|hours?|days?|weeks?|months?|years?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)"
_SPAN: Final = rf"((?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half an?|einem?|einer?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf) {_UNIT})"
_REL: Final = r"(?:(?:that|which) (?:is|are|was|were) |(?:that|which)(?:'s|'re) |who (?:is|are) )?"
_SAME: Final = r"(?:the same|identical|equal|the same (?:thing|file|data|content|picture|document)|duplicates|duplicates of each other|copies of each other)"
_FILE: Final = r"[\w()-]+(?:\.\w+)?"

_NOT: Final = "do|does|did|is|are|was|were|have|has|had|ca|could|should|would|wo"
_OF_FILES: Final = re.compile(
    r"\b(?:files?|folders?|photos?|pictures?|images?|videos?|pdfs?|documents?|fotos?|bilder|dateien|ordner|videos|dokumente)\b",
    re.IGNORECASE,
)
_RULES: Final[tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]] = (
    # Two steps of one thing.
    (r"^((?:how many|wie ?viele?) [^?]+?),? (?:and|und) (?:which|which ones|which ones are they|what are they|welche|welche sind das|which are they)\W*$", lambda found: re.sub(r"^(?:how many|wie ?viele?)", "which" if found[1][0].lower() == "h" else "welche", found[1], flags=re.IGNORECASE) if _OF_FILES.search(found[1]) else found[0]),
    # `Alles in Alt, was älter als ein Jahr ist, löschen`: the commas of a relative clause part no steps.
    (r",\s+(?:was|die|der|das) ((?:älter|neuer|größer|kleiner|mehr|über|unter|leer)\b[^,?.;]*?)(?: ist| sind| wurden?)?,\s+", r" \1 "),
    (r"^(?:tar\.gz|tgz|targz) (?!(?:of|from|with|out|in)\b|\S+\.(?:zip|tar|tgz|gz)\b)([\w/.-]+)(.*)$", lambda found: f"pack {found[1]}{found[2]} into {found[1].rstrip('/').rpartition('/')[2]}.tar.gz"),
    # Hasty typing: contractions without an apostrophe, and signs instead of words.
    (rf"(?<!\S)({_NOT})nt(?=[\s?!,]|$)", r"\1n't"),
    (r"(?<!\S)(what|where|who|how|that|there|when)s(?=[\s?!,]|$)", r"\1's"),
    (r"(?<!\S)w/o(?!\S)", "without"),
    (r"(?<!\S)w/(?!\S)", "with"),
    (r"(?<!\S)b/c(?!\S)", "because"),
    (r"(?<!\S)(für|auf|über|unter|an|vor)s(?!\S)", r"\1 das"),
    (r"\b(?:die |den )?beiden (?=(?:neu|ält|aelt|größ|groess|klein|jüng)\w*sten?\b)", "die 2 "),
    (
        r"(?<!\S)(aus|auf|mit|von|nach|bei|vor|an)['’]?(n|m)(?!\S)",
        lambda found: f"{found[1]} {'den' if found[2] == 'n' else 'dem'}" if found[1] + found[2] not in {"vom", "vorn"} else found[0],
    ),
    (r"(?<=\w )['’]?em(?!\S)", "them"),
    (r"(?<!\S)gimme(?!\S)", "give me"),
    (r"(?<!\S)lemme see(?!\S)", "show me"),
    (r"(?<!\S)(?:wanna|gonna)(?!\S)", "want to"),
    (r"(?<!\S)gotta(?!\S)", "have to"),
    (r"(?<!\S)(?:nen|'nen)(?!\S)", "einen"),
    (r"(?<!\S)(?:ne|'ne)(?!\S)", "eine"),
    (r"(?<!\S)(?:nem|'nem)(?!\S)", "einem"),
    (r"(?<!\S)(?:ner|'ner)(?!\S)", "einer"),
    (r"^how long ago (?:did|have) (?:i|we) (?:last )?", "when did i last "),
    (r"^how long ago (?:was|were) ", "when was "),
    (r"\b(?:across|throughout) (?=(?:all|the|my|every|each)\b)", "in "),
    (r"\beverywhere (?:in|on|within) ", "in all files in "),
    (r"\büberall (?:in|im|auf) (?:der |dem )?", "in allen Dateien in "),
    (r"\bfrom (before|after|since) (?=\w)", r"\1 "),
    (r"\b(?:von|aus der zeit) (vor|nach|seit) (?=\d|\w)", r"\1 "),
    (r",? (?:and )?(?:nothing else|only those|only these|just those|no others?|but nothing else)(?=[.!]?$)", ""),
    (r",? (?:und )?(?:sonst nichts|nur die|nichts anderes|nichts sonst)(?=[.!]?$)", ""),
    # What a new file says.
    (
        r"^((?:create|make|add|write|start|erstelle?|lege?|mache?|schreibe?)\b.*?\bs?\S+\.\w+\b.*?),?(?: and)? (?:that says|which says|saying|that reads|with the (?:text|words?|contents?|line)|and write|mit dem (?:text|inhalt)|in der steht|mit der zeile)\s*:?\s+([^\x00\"“„]+)$",
        r'\1 with the text "\2"',
    ),
    # Counting a mark in texts, and the number that tells a copy.
    (
        r"^(?:count|how many|wie viele|zähle?)(?: the| all)? ((?-i:TODO|FIXME|ERROR|WARN|WARNING|XXX|HACK|INFO|DEBUG))s?(?: are| sind| do i have| gibt es)?(?: there| es)? (?:in|across) ",
        r'lines with "\1" in ',
    ),
    (r"\bwith (?:the |a )?\((\d)\)(?: in (?:the|its) name)?(?=[\s.?!]*$)", r'with "(\1)" in the name'),
    (r"\bmit (?:der |dem |einer )?\((\d)\)(?: im namen)?(?=[\s.?!]*$)", r'mit "(\1)" im Namen'),
    (r"^(?:an? )?(?:zip|tar|tar\.gz|tgz|archive|backup) of (.+?) (?:named|called|as) (\S+\.(?:zip|tar|tgz|gz))$", r"pack \1 as \2"),
    # A numbered list of steps.
    (r"^\s*1[.)] (.+)$", lambda found: _steps(found[1]) or found[0]),
    # Years next to each other.
    (
        r"\b(from|in|of|aus|von) ((?:19|20)\d\d) (?:and|or|und|oder) ((?:19|20)\d\d)\b(?!\S*\.)",
        lambda found: found.expand(r"between \2 and \3") if int(found[3]) == int(found[2]) + 1 and found[1] in {"from", "in", "of"} else found[0],
    ),
    # Ages.
    (rf"\b{_REL}(?:more than|over|at least|upwards of|beyond) {_SPAN} old(?: or (?:more|older))?\b", r"older than \1"),
    (rf"\b{_REL}{_SPAN} old (?:or (?:more|older)|and (?:more|older|up))\b", r"older than \1"),
    (rf"\b{_REL}(?:less than|under|not even|at most|no more than) {_SPAN} old\b", r"newer than \1"),
    (rf"\b(?:from|changed|modified|edited|created|saved|made) (?:more than|over|at least) {_SPAN} ago\b", r"older than \1"),
    (rf"\b(?:from|changed|modified|edited|created|saved|made) less than {_SPAN} ago\b", r"newer than \1"),
    (rf"\b(?:mehr als|über|mindestens) {_SPAN} alte?n?(?: sind| ist)?\b", r"älter als \1"),
    (rf"\bweniger als {_SPAN} alte?n?(?: sind| ist)?\b", r"neuer als \1"),
    (
        r"\b(?:(?:that|which|i|we) )?(?:haven't|have not|hasn't|has not|havent|hasnt)(?: been)? (?:changed|touched|opened|edited|modified|used|updated) since ((?:19|20)\d\d)\b",
        r"changed until \1",
    ),
    (rf"\b(?:that (?:have|has) been |which (?:have|has) been |(?:have|has) been )?(?:lying|sitting|hanging|kicking) (?:around|about)(?: here| there)? (?:for )?(?:longer than|more than|over) {_SPAN}", r"older than \1"),
    (rf"\b(?:schon )?(?:länger als|seit mehr als|seit über|mehr als) {_SPAN} (?:hier |da )?(?:rum|herum)?(?:liegen|liegt)\b", r"älter als \1"),
    (rf"\bliegen (?:hier |da )?(?:schon )?(?:länger als|seit mehr als|seit über|mehr als) {_SPAN} (?:hier |da )?(?:rum|herum|unberührt)\b", r"sind älter als \1"),
    (rf"\b(?:schon )?(?:seit mehr als|seit über) {_SPAN} nicht(?: mehr)? (?:angefasst|geöffnet|benutzt|geändert|gebraucht)(?: wurden?| worden sind)?\b", r"älter als \1"),
    # What is left out, and what is kept.
    (r"\b((?:all|every|everything|each)\b[^,.;]*?),? but (?=(?:for )?the (?:latest|newest|last|oldest|first|biggest|largest|smallest|most recent)\b)", r"\1 except "),
    (r"\bbut only if (?:it's|it is|they're|they are) (?=older|newer|bigger|larger|smaller|empty|more|over|under)", "that are "),
    (r"\b(?:only )?if (?:it's|it is|they're|they are) (?=(?:older|newer|bigger|larger|smaller) than)", "that are "),
    (r"\b(?:die|der|das|den|mein|meine|all|alle) ganzen\b", "alle"),
    (r"\bthe whole lot of\b|\bthe entire set of\b|\bthe whole bunch of\b|\ball (?:of )?those\b(?= \w+s\b)", "all"),
    # Beginnings and ends of texts.
    (r"\b(?:the )?(first|last|top|bottom) line (of|in|from) ", r"\1 1 lines \2 "),
    (r"\b(?:(?:read|show|give|tell)(?: me)? )(?:its|the) (first|last) line\b", r"\1 1 lines of it"),
    (r"\bhow does (\S+\.\w+) (?:begin|start)\b\??", r"first 3 lines of \1"),
    (r"\bhow does (\S+\.\w+) end\b\??", r"last 3 lines of \1"),
    (r"\bwie (?:fängt|beginnt) (\S+\.\w+)(?: an)?\b\??", r"die ersten 3 Zeilen von \1"),
    (r"\b(?:die|der) (erste|letzte) zeile (von|in|aus) ", r"die \1n 1 Zeilen \2 "),
    # Comparing.
    (r"^(?:what|how) (?:differs|is different|changed|has changed|is the change) between\b", "difference between"),
    (rf"^how (?:do|does) ({_FILE}) (?:and|differ from) ({_FILE})(?: differ)?\??$", r"difference between \1 and \2"),
    (rf"^(?:i think |i believe )?({_FILE}) and ({_FILE})(?:,)? (?:are|look|seem)(?: like)?(?: they)? {_SAME}\b.*$", r"are \1 and \2 the same"),
    (rf"^(?:check|see|tell me|find out|verify|compare) (?:if|whether) ({_FILE}) and ({_FILE}) are {_SAME}\W*$", r"are \1 and \2 the same"),
    (rf"^(?:is|are) (?:there )?(?:a|any) differences? between ({_FILE}) and ({_FILE})\W*$", r"difference between \1 and \2"),
    (rf"^sind ({_FILE}) und ({_FILE}) (?:gleich|dasselbe|dieselbe|dieselben|identisch|die gleichen?)\W*$", r"sind \1 und \2 gleich"),
    (rf"^(?:was|worin) (?:unterscheide[tn](?: sich)?) ({_FILE}) (?:und|von) ({_FILE})\W*$", r"Unterschied zwischen \1 und \2"),
    # Sizes.
    (
        (r"^how much (?:disk |more )?(?:space|room|storage) (?:would|will|do|could|can) (?:i|we|it) (?:save|free(?: up)?|gain|get(?: back)?) (?:if|when|by) (?:i |we )?"
        r"(?:deleted?|removed?|trash(?:ed)?|deleting|removing|trashing|threw away|throw away)\b"),
        "total size of",
    ),
    (r"^wie ?viel (?:platz|speicher) (?:würde|werde|wird|spare) (?:ich |es )?(?:sparen|frei)?,? ?wenn ich (.+) (?:lösche|lösch|wegwerfe|löschen würde)\W*$", r"Gesamtgröße von \1"),
    (r"^how much (?:do|does|would) (.+) (?:weigh|take(?: up)?|use|need|occupy)\W*$", r"total size of \1"),
    (r"\bwhich (?:folder|directory|dir) (?:has|holds|contains|got) the most (?:files|stuff|things)\b", "count files per folder"),
    (r"\bwhich (?:folder|directory|dir) (?:has|holds|contains|got) the most (\w+)\b", r"count \1 per folder"),
    (r"\bin welchem (?:ordner|verzeichnis) (?:sind|liegen|gibt es) die meisten (\w+)\b", r"zähle \1 pro Ordner"),
    # Where something is from, what was made of it.
    (r"\b(?:that|which) (?:came|come|comes|was sent|were sent|is|are|was|were) from\b", "from"),
    (r"\b((?:which|what)\b[\w ]+?) (?:came|come|comes|arrived|was sent|were sent) from\b", r"\1 from"),
    (r"\b(?:in|from|of) the year (?=\d{4}\b)", "from "),
    (r"\b(?:that |which )?(?:still |already )?(?:have|has|got|having) (?:an? |any |some |the word )?([\w-]+|\x00\d+\x00) (?:in them|in it|inside|in there)\b", r"containing \1"),
    (r"^(?:which|what) (?:version|one|copy|draft|revision) of (?:my |the |our )?([\w ]+?) is (?:the )?(newest|latest|most recent|current|oldest)(?: one)?(?: again)?\W*$", r"\2 file of \1"),
    (r"\b(largest|biggest|smallest|newest|oldest|empty|which|all|every|new|list|count) dir(s)?\b", r"\1 folder\2"),
    (rf"^(?:what size is|how (?:big|large|wide|high|tall) is) ({_FILE})(?: in pixels?| in px)\W*$", r"dimensions of \1"),
    (rf"^(?:how wide|how high|how tall|how many pixels) is ({_FILE})\W*$", r"dimensions of \1"),
    (r"^count (?:files )?by (?:file )?(?:type|kind|extension) in (\S+)$", r"count files in \1 by type"),
    (r"^(count .+?) (?:per|by|for each|of each|for every|grouped by|broken down by) (?:file )?(extension|type|kind|format|ending) in (\S+)$", r"\1 in \3 per \2"),
    (r"^how much (?:space|room|storage|disk space) (?:would|does|will|could) (?:emptying|deleting|clearing|removing|trashing)(?: out)? (.+?) (?:free|save|give|gain|bring)(?: up| me| back)*\W*$", r"total size of \1"),
    (r"\b(?:whatever|whichever|anything that|all that) (?:is|are) (?=(?:bigger|larger|smaller|older|newer|over|under|more|less|empty)\b)", "everything that is "),
    (r"\b(last (?:year|month|week|summer|winter|spring|autumn|fall|night)|yesterday|this (?:year|month|week|summer|winter|spring)|today|january|february|march|april|june|july|august|september|october|november|december)['’]s ((?:[\w-]+ )*?[\w-]+)(?= (?:to|into|in|from|and)\b|\W*$)", r"\2 from \1"),
    (r"^((?:so |and )?do|have|did) (i|we) (?:still|even|already|actually|really|perhaps) (have|own|keep|got)\b", r"\1 \2 \3"),
    (r"^((?:count|how many|number of) [^?]*?(?:lines|words)\b[^?]*?) (?:per|of each|for each|in each|of every) file\b", r"\1"),
    # Contractions, and texts that are not there.
    (r"\b(i|we|you|they)['’]ve(?: got)?(?=\W*$)", r"\1 have"),
    (r"^(?:give|show|tell|list)(?: me| us)? the sizes? of (?:every|each|all(?: of)?(?: the| my)?|the) (?:sub)?(?:folders?|directories|directory)\W*$", "size of files per folder"),
    (r"\b(?:that |which )?(?:doesn't|don't|does not|do not) have (?:an? |any |the word )?([\w-]+)(?: in them| in it| inside)?(?=\W*$)", r"that do not contain \1"),
    (r"\b(?:that |which |who )?(?:doesn't|don't|does not|do not|didn't|did not) (?:import|contain|mention|include|hold|say|reference|refer to|talk about|speak of)s?\b", "that do not contain"),
    # What is to be read.
    (r"^(?:read|show|tell)(?: me| us)? what (?:it|there|is) ?(?:says|stands|reads|is written)? (?:in|on) (\S+\.\w+)\W*$", r"read \1"),
    (r"^what (?:does it say|does it read|is written|is there to read) (?:in|on) (\S+\.\w+)\W*$", r"read \1"),
    # The answer says where each is.
    (r",? (?:with|and|including|together with) (?:the |their |its )?(?:folders?|paths?|locations?|places?)(?: (?:it|they|each|each one)(?:'s| is|'re| are) in| of each)?(?=\W*$)", ""),
    (r",? und (?:sag|zeig)?(?: mir)? ?(?:in welchem ordner|wo) (?:sie|es|er|jede|jedes) (?:liegt|liegen|ist|sind)(?=\W*$)", ""),
    (r"^(?:show|give|read|tell|display)(?: me| us)? the (?:full |whole )?(?:text|wording) (?:of|in|from) (?!all\b|every\b|any\b)", "read "),
    (r"(?<=\w )['’]?em\b", "them"),
    (r"^([\w ]+?) ((?:19|20)\d\d) (?:vs\.?|versus|gegen|against) ((?:19|20)\d\d)\W*$", r"compare \1 \2 and \1 \3"),
    # `I need the exams in one zip` orders a zip, and looks for none.
    (r"^(?:ok(?:ay)?,? )?(?:so )?(?:i|we)(?:'d)? (?:just |really )*(?:need|want|would like|like|gotta have)(?: to have| to get)? (?!to\b)(.+?) (?:all )?(?:in|as|into|inside) (?:one|a|1)(?: single)? (?:zip|archive)(?: ?file)?\b", r"zip \1"),
    (r"^(?:ich|wir) (?:brauchen?|will|wollen|möchten?|hätten? gern) (.+?) (?:in|als) eine[rmn]? (?:einzige[nr] )?(?:zip|zip-?datei|archiv)\b", r"packe \1 in eine Zip-Datei"),
    # `Which folder is` would ask where something is.
    (r"^(?:which|what) (folder|directory) (?:is|would be) (?:the |my |our )?(biggest|largest|smallest|newest|oldest|emptiest)(?: one)?\W*$", r"\2 \1"),
    (r"^welche[rs]? (ordner|verzeichnis) ist (?:der |das |am )?(größte|kleinste|neueste|älteste)[rsn]*\W*$", r"\2r \1"),
    (r"\b(zweit|dritt|viert)(größt|kleinst|neuest|neust|ältest)(e[nrsm]?)\b", r"\1e \2\3"),
    # `The Scans-Ordner`.
    (r"\b(?:der|die|das|den|dem) (\w[\w&]*)-(?:Ordner|Verzeichnis)s?\b", r"den Ordner \1"),
    (r"\b(\w[\w&]*)-(?:Ordner|Verzeichnis)s?\b", r"Ordner \1"),
    # What is changed in names.
    (r"^(replace|change|swap|turn|ersetze) (.+?) in ((?:the |all )?(?:file ?)?names of .+?) (with|by|to|into) (.+)$", r"\1 \2 \4 \5 in \3"),
    # Asking whether, where and what about.
    (r"^is (?!there|any|some|it\b|this|that|all\b)(?:the )?(?:folder )?([\w/][\w /&.()-]*?)(?: folder)? (?:really |still |actually |now )?empty\W*$", r"what is in \1"),
    (r"^ist (?!da\b|es\b|das hier|alles)(?:der |das )?(?:ordner |verzeichnis )?([\w/][\w /&.()-]*?) (?:wirklich |noch |eigentlich )?leer\W*$", r"was ist in \1"),
    (r"^is (the [\w ]+?) (?:still )?(?:there|here|around|somewhere)(?: somewhere)?\W*$", r"where is \1"),
    (r"^(?:ist|sind) ((?:der|die|das) [\w ]+?) noch (?:da|hier|vorhanden)\W*$", r"wo ist \1"),
    (r"^(?:and |oh |ah )*(?:i(?:'m| am) |we(?:'re| are) )?(?:trying|struggling) to (?=find|locate|see|get|remember)", ""),
    (r"^i (?:just |totally |completely |always |keep )*(?:forgot|forget|forgetting|don't know|do not know|dont know|can't remember|cannot remember|don't remember|can't recall|have no idea|no longer know) (?=which|what|where|how many|how much|how big)", ""),
    (r"^(?:ich )?(?:weiß nicht(?: mehr)?|hab(?:e)? vergessen|vergesse immer),? (?=welche|wo|was|wie)", ""),
    (r"^(?:what|which) (?:files? )?(?:came|arrived|was added|were added|got added|is new|are new)(?: in)? (?:last|most recently|recently)\W*$", "newest files"),
    (r"^was (?:kam|ist|wurde) (?:zuletzt|als letztes|neu) (?:dazu|hinzu|hinzugekommen|dazugekommen|gespeichert|angelegt)(?: ?gekommen)?\W*$", "neueste Dateien"),
    (r"^was ist neu\W*$", "neueste Dateien"),
    (r"^(?:have you |you )?got (?:any|some) ", "are there any "),
    (r"^where (i|we) can (find|see) ", r"where can \1 \2 "),
    (
        r"^what (?:was|is|were) the last (?:thing|file|document)s? (?:that )?(?:i|we) (?:worked on|changed|edited|saved|added|made|wrote|touched)\b",
        "newest file",
    ),
)  # fmt: skip


def _steps(listed: str) -> str | None:
    """`move a to b 2) delete c` as two sentences; None if no second step follows."""
    parts = re.split(r"[\s,;.]+[2-9][.)] ", listed)
    return ". ".join(part.strip(" .,;") for part in parts) if len(parts) > 1 else None


_COMPILED: Final = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _RULES)
_QUOTED: Final = re.compile(r"(\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|'[^'\s][^']*'(?!\w))")


def in_plain_words(request: str) -> str:
    """The request in the words that the grammar reads."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found.group())
        return f"\x00{len(held) - 1}\x00"

    said = _QUOTED.sub(hold, request)
    for pattern, plain in _COMPILED:
        said = pattern.sub(plain, said)
    return re.sub(r"\x00(\d+)\x00", lambda found: held[int(found.group(1))], said).strip()
