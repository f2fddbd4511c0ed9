"""Other words for a request that was not read in full: the first that can be read is the one that counts.

`wordings.py` changes every request and so has to be sure of itself. What is here is only tried where the reading
stopped, or where it is certain that nothing would be found: rule by rule, then by all that fit. It changes nothing about
what was read before. Each rule says what it may be used for: `any`, `keeps` (nothing is lost: copies, archives, new
folders) or `looks` (nothing is changed). One that drops what only tells how something came about (`shot in 2025`) looks;
one that says the same in another order is for any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from deputy_sidecar.offline.chore import Chore
from deputy_sidecar.offline.jobs.archives import Pack
from deputy_sidecar.offline.known_names import KnownNames
from deputy_sidecar.offline.lexicon import distance, lexicon
from deputy_sidecar.offline.stems import fold
from deputy_sidecar.offline.tokens import normal, tokens_of

__all__ = ["Other", "other_words"]

_UNIT: Final = r"(?:hours?|days?|weeks?|months?|years?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?)"
_NUMBER: Final = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half an?|einem?|einer?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)"
_SPAN: Final = rf"((?:{_NUMBER} )?{_UNIT})"
_DATE: Final = (
    r"(?=(?:in|on|at|since|from|during|before|after|between|over|within|this|last|today|yesterday|the (?:last|past)|\d|"
    r"im|am|seit|vor|nach|zwischen|heute|gestern|diese\w*|letzte\w*)\b)"
)
_SUPERLATIVE: Final = r"(?:biggest|largest|smallest|newest|latest|oldest|most recent)"
_SPACE: Final = r"(?:all |most |so much |the most |that much |too much |much )?(?:of )?(?:my |the |our )?(?:disk |hard drive |drive )?(?:space|room|storage|disk|memory)"
_MADE: Final = (
    r"(?:shot|taken|took|captured|snapped|recorded|filmed|received|arrived|dated|written|wrote|scanned|added|saved|made|make|created|"
    r"downloaded|drawn|drew|photographed|produced|generated|stored|acquired|obtained|uploaded|drafted|exported|imported|got|typed)"
)
# How a file was changed narrows the selection; how it was created does not.
_STATUS: Final = (
    r"(?:paid|signed|sent|answered|approved|deleted|removed|moved|renamed|copied|read|seen|opened|used|finished|lost|printed|shared|"
    r"needed|wanted|liked|closed|cancelled|canceled|rejected|returned|tagged|zipped|backed|missed|forgot|forgotten|checked|reviewed)\b"
)
_IRREGULAR: Final = (
    r"(?:made|wrote|took|got|bought|sold|gave|held|kept|had|did|drew|built|sang|sung|won|brought|found|put)"
)
_GEMACHT: Final = (
    r"(?:gemacht|aufgenommen|geschossen|geknipst|fotografiert|gefilmt|bekommen|erhalten|geschrieben|gescannt|gespeichert|"
    r"heruntergeladen|erstellt|bearbeitet|geändert|entstanden|eingegangen|angekommen|reingekommen|gekommen|dazugekommen)"
)
_TOUCHED: Final = (
    r"(?:touched|opened|used|changed|edited|looked at|looked into|needed|worked on|modified|viewed|read|updated)"
)
_BERÜHRT: Final = (
    r"(?:angefasst|geöffnet|benutzt|geändert|angeschaut|angesehen|gebraucht|verwendet|bearbeitet|angerührt|aufgemacht)"
)
_ZIP: Final = r"(?:zip(?:-? ?file|-? ?archive)?|archive(?: file)?|tar(?: ?file|ball)?)"
_ZIP_DE: Final = r"(?:zip(?:-? ?datei|-? ?archiv)?|archiv(?:datei)?)"
_FILE: Final = r"(?:\x00\d+\x00|[\w()-]+(?: [\w()-]+){0,3}\.\w+)"
_A_FOLDER: Final = (
    r"(?:an?|one|the|its own|their own)?\s?(?:new |single |common |separate |own |fresh |extra |different |big |shared )*"
    r"(?:sub)?(?:folder|directory|dir)"
)
_EIN_ORDNER: Final = (
    r"(?:einen?|einem|den|dem)? ?(?:neuen |gemeinsamen |eigenen |extra |separaten |weiteren )*(?:unter)?(?:ordner)"
)
_VERB: Final = r"(?:move|copy|put|zip(?: up)?|pack|delete|trash|remove|throw|bring|drop|compress|archive|tag|place|store|stick|back up)"
_VERB_DE: Final = r"(?:verschieb\w*|kopier\w*|legt?|lege|pack\w*|lösch\w*|schieb\w*|steck\w*|tu|stell\w*|zippe?|wirf|schmei\w+|benenn\w*)"
_CHECK: Final = r"(?:tell me|check|see|find out|look|let me know|say|verify|make sure)(?: first)?"
_IF_SO: Final = (
    r"if so|if yes|if it is|if they are|if it does|if that's (?:the case|so|true)|if that is (?:the case|so|true)|"
    r"if there (?:are|is)(?: any| some| one)?|in that case|then"
)
_STATE: Final = r"(?:still |really |already |now )*(empty|there|(?:bigger|larger|smaller|older|newer|more|less|over|under) (?:than )?[^,.;?]+?)"
_PRÜFE: Final = r"(?:sag mir|sag|prüfe?|schau|schau mal|schaue?n sie|sieh|sieh mal|guck|guck mal)(?: mal)?(?: nach)?"
_WENN_JA: Final = r"wenn ja|falls ja|wenn dem so ist|in dem fall|wenn es so ist|wenn er es ist|dann|falls"
_THEM: Final = r"(?:them|it|those|these|all of them|all of it|all those)"
_SIE: Final = r"(?:sie|es|das|die|diese|ihn|alle)"


def _with_zip(found: re.Match[str]) -> str:
    name = found.group("name")
    return f"{found.group('lead')} {name if '.' in name or name.startswith(chr(0)) else f'{name}.zip'}"


_MOST: Final = {
    "more recent": "newest", "newer": "newest", "bigger": "biggest", "larger": "largest", "older": "oldest",
    "smaller": "smallest", "heavier": "biggest",
}  # fmt: skip
_Plain = str | Callable[[re.Match[str]], str]
_RULES: Final[tuple[tuple[str, str, _Plain], ...]] = (
    # Verbs in two pieces.
    ("any", r"\b(?:nenne?|taufe?) (.+?) (?:in|zu|als) (\S.*?) um\b", r"benenne \1 in \2 um"),
    ("any", rf"^(?:leg|lege|tu|tue|steck|stecke|stell|stelle|pack|packe|fass|fasse|bring|bringe|füg|füge) (.+?) (?:zusammen |gemeinsam )?(?:in|als|zu) (?:ein|eine|einem|einer|einen) (?:neue[smnr]? )?{_ZIP_DE}(?: zusammen)? (?:namens|mit (?:dem )?namen|genannt) (\S+?)(?:\.zip)?$", r"packe \1 als \2.zip"),
    ("any", r"^benenne? (.+?) um (?:in|zu|auf) (\S.*)$", r"benenne \1 in \2 um"),
    ("keeps", r"^(?:mache?n?|erstelle?n?)(?: mir| bitte)* eine kopie (?:von|vom) (?:der |dem |den )?(.+?),? (?:und )?(?:nenne? (?:sie|es|die)|namens|mit (?:dem )?namen|als) (.+)$", r"kopiere \1 als \2"),
    ("any", r"\bin den (?:papierkorb|müll) (?:legen|werfen|tun|verschieben|schmeißen|packen)\b", "löschen"),
    # One file of several.
    ("any", r"^(?:put|combine|merge|join|copy|paste|write|collect) (both |all |the two |the )?([^,]+?) (?:together )?(?:in|into|to|as) (?:one|a single|a|a new|the same|one single) (?:text )?(?:file|document) (?:called |named )?(\S+\.\w+)$", lambda found: f"merge {'the two ' if (found[1] or '').strip() in {'both', 'the two'} else 'the '}{found[2]} into {found[3]}"),
    ("any", r"^(?:pack|schreib|füg|füge|fass|fasse|kopier|kopiere|pack)e? (beide |alle |die beiden |die )?([^,]+?) (?:zusammen )?in (?:eine|eine einzige|eine gemeinsame|eine neue) (?:text)?datei (?:namens )?(\S+\.\w+)(?: zusammen)?$", lambda found: f"füge {'die beiden ' if (found[1] or '').strip() in {'beide', 'die beiden'} else 'die '}{found[2]} in {found[3]} zusammen"),
    ("any", r"(\x00\d+\x00)[ -](?:files|dateien)\b", r"files with \1 in the name"),
    ("looks", r"^(?:what|how big) (?:is|are) (?:the )?(dimensions|resolution) of (?:the )?([^?]+?)\W*$", r"\1 of \2"),
    ("looks", r"^(?:the |die )?([\w. -]+?) (?:dimensions|resolution|abmessungen|auflösung)\W*$", r"dimensions of \1"),
    ("looks", r"^(?:what|how much) (?:is|are|will) (?:the |my |our )?(.+?) (?:going to |gonna )?cost\W*$", r"how much does \1 cost"),
    ("looks", r"^(?:are there |is there |any |gibt es |gibts |sind da )+(?:any |irgendwelche )?(?:errors?|fehler)(?: \w+)? (?:in|im) (?:the |my |dem |der |den )?([^?]+?)\W*(?:how many|wie ?viele)?\W*$", r'lines with "error" in \1'),
    ("looks", r"^when (?:is|was|did) (?:the |my |our )?(?:last|latest|newest) (.+?)(?: arrive| come)?(?: in)?\W*$", r"show the newest \1"),
    ("looks", r"^wann (?:ist|war|kam) (?:die|der|das|mein\w*|unser\w*) (?:letzte|neueste)[rsn]? (.+?)(?: an)?\W*$", r"zeige die neueste \1"),
    # What is left to do in texts.
    ("looks", r"^(?:all |the |open |any |my |list |show |find )*(todo|fixme)s? (?:in|from|across|inside) (?:the |my )?([^,?]+?)\W*$", r'lines with "\1" in files in \2'),
    ("looks", r"^(?:what does|what do|what did) (.+?) say about (?:the )?([^?]+?)\W*$", r'lines with "\2" in \1'),
    ("looks", r"^was (?:steht|sagt) (?:in |im )?(.+?) (?:über|zu|zum|zur) (?:den |dem |das |die )?([^?]+?)\W*$", r'Zeilen mit "\2" in \1'),
    ("any", r"\b(?:without|with no|lacking) (\S+) in (?:the |their |its )?(?:file ?)?names?\b", r"not called *\1*"),
    ("any", r"\bohne (\S+) im (?:datei)?namen\b", r"die nicht *\1* heißen"),
    # After a comma: what to do with it.
    ("any", rf"^((?:my|the|our|these|those|all|both|every) [^,?]+), (?:please )?({_VERB}) {_THEM}\b", r"\2 \1"),
    ("any", rf"^((?:die|das|den|meine?n?|alle|diese) [^,?]+), (?:bitte )?({_VERB_DE}) (?:bitte )?{_SIE}\b", r"\2 \1"),
    ("any", r",? so (?:that )?(?:it(?:['’]?s| is)|its name is|the name is)(?: called| named)? (?=[\w ()-]+\.\w+)", " to "),
    ("any", r"^(?:clean|clear|empty|purge|rid)(?: out| up)? (.+?) (?:of|from) ((?:all |its |the )?[^,]+)$", r"delete \2 in \1"),
    ("any", r",? (?:but )?only (?:those|the ones)(?: (?:that|which) (?:are|were))? (?=(?:older|newer|bigger|larger|smaller|over|under|from|changed|in) )", " "),
    ("any", r",? (?:aber )?nur (?:die|diejenigen|solche),? (?:die )?(?=(?:älter|neuer|größer|kleiner) )", " "),
    ("any", r"\b(the|my) (?:second |extra |spare )?(?:copy|duplicate) of (?:the |my )?([\w ]+?)(?=$| in | from )", r"\1 \2 copy"),
    ("any", r"\b(?:in|into|to) (?:a|the|one) (?:new )?(?:sub)?folder (?:called |named )?(\S+) (?:under|inside|within|in|below) (?:the )?(?:folder )?(\S+)$", r"to \2/\1"),
    ("any", rf"^keep (?:only )?(?:the )?((?:{_NUMBER} )?{_SUPERLATIVE} [\w ]+?)(?: in ([^,]+?))?(?:,| and| but)+ (?:please )?(?:delete|trash|remove|throw away|throw out|get rid of|bin) (?:all )?(?:of )?(?:the )?(?:others?|rest|other ones|remaining(?: ones)?)$", lambda found: f"delete all but the {found[1]}" + (f" in {found[2]}" if found[2] else "")),
    ("any", r"^behalte? (?:nur )?(die|das|den) ([\w ]+?)(?:,| und| aber)+ (?:bitte )?(?:lösche?|entferne?|wirf) (?:alle )?(?:die |den |das )?(?:anderen|andere|übrigen|rest)(?: weg)?$", r"lösche alle außer \1 \2"),
    ("any", r",? aber lass(?:e|t)? ([^,]+?) (?:liegen|stehen|da|dort|in ruhe|drin|übrig)$", r" außer \1"),
    ("any", r",? but (?:let|leave) ([^,]+?) (?:stay|alone|be|there|in place|in peace|as it is|where it is)$", r" except \1"),
    ("any", r"^(.*\b(?:to|into) (?:an? )?(?:new )?(?:folder )?(?:called |named )?(\S+?)),? (?:and then|then|and) (?:tell|show|list)(?: me)? what(?:'s| is) in (?:it|there)\W*$", r"\1. list the files in \2"),
    ("any", r"^empty (?:out )?(?:the |my )?(?:folder )?(?!files?\b|folders?\b|sub|dir|documents?\b|ones\b|text|and\b|or\b)([\w /-]+?)(?: folder)?$", r"delete all files in \1"),
    # A question, and what to do if the answer is yes.
    ("any", r"^(?:are|is) there (?:any )?([^?]+?)\? (?:if so|if yes|if there (?:are|is)(?: any)?|in that case),? (.+)$", r"if there are \1, \2"),
    ("any", r"^(?:gibt es|sind da|hat es) ([^?]+?)\? (?:wenn ja|falls ja|falls|dann),? (.+)$", r"wenn es \1 gibt, \2"),
    ("any", rf"^{_CHECK} (?:if|whether) there (?:are|is) (?:any )?(.+?)[,.;]? (?:and )?(?:{_IF_SO}),? (.+)$", r"if there are \1, \2"),
    ("any", rf"^(?:{_CHECK} (?:if|whether) |(?:is|are) )(?!there\b|it\b|they\b)(.+?) (?:is |are )?{_STATE}[,.;?]? (?:and )?(?:{_IF_SO}),? (.+)$", r"if \1 is \2, \3"),
    ("any", rf"^{_PRÜFE},? ob es (.+?) gibt[,.;]? (?:und )?(?:{_WENN_JA}),? (.+)$", r"wenn es \1 gibt, \2"),
    ("any", rf"^(?:{_PRÜFE},? ob |ist |sind )(?!es\b|da\b)(.+?) (?:noch |wirklich )?(leer|da|vorhanden)(?: ist| sind)?[,.;?]? (?:und )?(?:{_WENN_JA}),? (.+)$", r"wenn \1 \2 ist, \3"),
    # Two verbs for one thing: `take the scans and zip them`.
    ("any", rf"^(?!list\b.*\bit\b)(?:take|grab|pick|get|select|choose|find|check for|look for|search for|locate|identify|list|spot) (.+?),? (?:and then|then|and) ({_VERB}) {_THEM}\b", r"\2 \1"),
    ("any", rf"^(?:nimm|nehme?|such|suche|hol|find|finde|wähle?|liste|schau nach) (.+?),? und ({_VERB_DE}) {_SIE}\b", r"\2 \1"),
    ("any", r"^((?:alles|alle|die|das|sämtliche) [^?]+?) (?:soll|sollen|muss|müssen|kommt|kommen|gehört|gehören) (?:bitte )?(?:in|nach) (?:(?:den|das|die) )?(?:ordner )?([^?]+?)(?: rein| hinein| verschoben(?: werden)?)?$", r"verschiebe \1 nach \2"),
    # Folders that are asked for and named apart.
    ("any", r"^(?:i|we)(?:'d| would)? (?:need|want|like) (?:an?|one|some) (?:new )?(?=folder\b)", "create a "),
    ("any", r"\bfolder(?: for (?:my |our |the )?[\w ]+?)?,? (?:and )?(?:call|name|title) (?:it|that)\b", "folder called"),
    ("any", r"\b(ordner)(?: für [\w ]+?)?,? (?:und )?nenne? (?:ihn|es|den)\b", r"\1 namens"),
    ("any", r"\b(?:make|create|add)(?: an?)? new folder name\b", "make a new folder called"),
    ("any", rf"\b(?:in|into|to|inside|under) {_A_FOLDER} (?:named|called|titled|labell?ed|with the name|by the name of|name|:) ?", "into a folder called "),
    ("any", rf"\b(?:in|nach|unter) {_EIN_ORDNER} (?:namens|genannt|mit (?:dem )?namen|:) ?", "in einen Ordner namens "),
    ("any", r"^((?:create|make|add|set up)\b.*\b(?:folder|directory)\b.+? and (?:then )?(?:put|move|copy|place)\b.+?) (?:in(?:side)? (?:it|there)|inside|therein)$", r"\1 into it"),
    # Gathering is moving; with the originals left it is copying.
    ("any", r"^(?:gather|collect|put|bring|move|get|pull|assemble|round up)(?: together| up)? ([^,]+?),? (?:but |and )?(?:keep|keeping|leave|leaving)(?: all| all of)? the originals?(?: where (?:they are|it is)| in place| untouched| alone)?$", r"copy \1"),
    ("any", rf"^(?:gather|collect|round up|assemble|pull together|bring together|consolidate)(?: up| together)? (.+?) (?:together )?((?:in|into|to|inside|under) {_A_FOLDER}\b.*)$", r"move \1 \2"),
    ("any", rf"^(?:sammle|sammel|trag|bring) (.+?) (?:zusammen )?((?:in) {_EIN_ORDNER}\b.*?)(?: zusammen)?$", r"verschiebe \1 \2"),
    ("any", r"^(?:sort|arrange|put|organi[sz]e|group|file|split|divide|separate) (.+?) in(?:to)? (?:sub|different |separate |own )?folders? (?:by|according to|depending on|based on|for each) (.+)$", r"tidy up \1 by \2"),
    ("any", r"^(delete|remove|trash|throw away|lösche?) ((?:the|my|die|das|den) [^,]+?) (?:and|und) ((?:the|my|die|das|den) (?:oldest|newest|latest|biggest|largest|smallest|älteste\w*|neueste\w*|größte\w*|kleinste\w*) [^,]+)$", r"\1 \2. \1 \3"),
    ("any", r"^(?:make|create|save)(?: me| us)? (?:an? |another )?(?:copy|duplicate) of (.+?)(?:,| and)? (?:called|named|as|under the name|call it|name it) (.+)$", r"copy \1 as \2"),
    ("any", r"\b((?:two|three|four|five|both|zwei|drei|vier|beiden) (?!of\b|new\b|old\b)[\w-]+) (?:papers|documents|items|things|papiere|unterlagen)\b", r"\1 files"),
    ("any", r"^duplicate (?:duplicate (?=\S+\.\w+ ))?(\S.*?) (as|to|into) (.+)$", r"copy \1 \2 \3"),
    ("any", r"\b(?:the |an? )?(?:old |new |e-?mail |web |phone |telephone )*(?:address|number|url|link|sentence) (?=\x00|[\w.]+@|https?:|\d[\d-]{4,})", ""),
    # Archives.
    ("keeps", r"^((?:zip|pack|compress|archive|bundle|tar)(?: up)? [^,]+?)(?:,| and|, and) (?:call|name) (?:it|them|the (?:zip|archive|file)) (\S+)$", r"\1 as \2"),
    ("keeps", rf"^(?:back ?up|save|archive|store|pack|put|compress|zip)(?: up)? (.+?) (?:as|in|into|to) an? (?:single |new )?{_ZIP} (?:called|named) (\S+) (?:in|into|to|inside|under) (?:the |my )?(?:folder )?(.+)$", r"zip \1 as \2 and put the zip into \3"),
    ("keeps", rf"^(?:back ?up|save|archive|store|pack|put|compress|zip)(?: up)? (.+?) (?:as|in|into|to) an? (?:single |new )?{_ZIP} (?:in|into|to|inside|under) (?:the |my )?(?:folder )?(.+)$", r"zip \1 and put the zip into \2"),
    ("keeps", r"^((?:zip|pack|compress|bundle|archive)\b.+?\.(?:zip|tar|tgz|gz)),? and(?: then)? (move|put|place|drop|store|save) (?:it|them|that|this) ", r"\1 and \2 the zip "),
    ("keeps", r"^((?:zippe?|packe?|komprimiere?)\b.+?\.(?:zip|tar|tgz|gz)),? und(?: dann)? (leg|lege|pack|schieb|verschieb|verschiebe|stell|tu) (?:sie|es|das|die) (.+?)(?: ab)?$", r"\1 und \2 die Zip-Datei \3"),
    ("keeps", r"^(?:make|create|do) (?:an? )?(?:backup|archive|zip|copy) of (.+?),? (?:called|named|as|to|into|in) (\S+\.(?:zip|tar|tgz|gz))$", r"zip \1 as \2"),
    ("keeps", rf"^mache? aus (allen )?(.+?) eine?n? {_ZIP_DE},? und nenne? (?:sie|es|das) ([\w .-]+?\.(?:zip|tar|tgz|gz))$", lambda found: f'packe {"alle " if found[1] else ""}{found[2]} als "{found[3]}"'),
    ("keeps", rf"^(?:make|create|build) an? {_ZIP} (?:of|from|with|out of) (.+?),? and (?:call|name) it ([\w .-]+?\.(?:zip|tar|tgz|gz))$", r'zip \1 as "\2"'),
    ("keeps", rf"^mache? aus (.+?) eine?n? {_ZIP_DE}$", r"packe \1 in eine Zip-Datei"),
    ("keeps", rf"^mache? aus (.+?) eine?n? {_ZIP_DE} (?:namens|mit (?:dem )?namen|genannt) (\S+?)(?:\.zip)?$", r"packe \1 als \2.zip"),
    ("keeps", rf"\b(?:in|into|as|to) (?:an?|one) (?:new |single )?{_ZIP} (?:called|named|titled) (?P<name>\S+)", lambda found: _with_zip(_led(found, "as"))),
    ("keeps", rf"\b(?:in|als) (?:eine?[nrm]?|das|die) (?:neue[ns]? )?{_ZIP_DE} (?:namens|mit (?:dem )?namen|genannt) (?P<name>[^\s,]+)", lambda found: _with_zip(_led(found, "als"))),
    ("keeps", r"^(?:have|get|see) (.+ as \S+\.(?:zip|tar|tgz|gz))$", r"zip \1"),
    # What is left out, behind where things go.
    ("any", r"^((?:move|copy|put|zip|pack|bring|back up)\b[^,]+?) ((?:to|into|as|in)\b[^,]+), ?(?:but )?(?:except(?: for)?|not|without|leave out|leaving out|excluding|skip|skipping|apart from|other than) (?!the subfolders)([^,]+)$", r"\1 except \3 \2"),
    ("any", r"^((?:verschieb\w*|kopier\w*|pack\w*|leg|lege|zippe?)\b[^,]+?) ((?:nach|als|in)\b[^,]+), ?(?:aber )?(?:nicht|ohne|außer|nur nicht|bis auf) ([^,]+)$", r"\1 außer \3 \2"),
    # A text that is replaced, with what it is.
    ("any", rf"^(?:change|replace|set|update) (?:the )?[\w ]+? in ({_FILE}) from (\S+) to (\S+)$", r'replace "\2" with "\3" in \1'),
    ("any", r"^(change|replace|swap|substitute) (\S+) (with|by|to|for) (\S+) on (all|the|every|each|my|our)\b", r"\1 \2 \3 \4 in \5"),
    ("any", rf"^(?:ändere|ersetze|setze) (?:den |die |das )?[\w ]+? in ({_FILE}) von (\S+) (?:auf|in|zu) (\S+)$", r'ersetze "\2" durch "\3" in \1'),
    ("keeps", r"^((?:zip|pack|compress|bundle)(?: up)?) (?:the |my )?(?:folder )?(\S+) (?:without|except(?: for)?|minus|excluding|but not) (?:the |its )?(.+?) (as|into|to) (\S+)$", r"\1 all files in \2 except in \3 \4 \5"),
    # Two new names in one sentence.
    ("any", rf"^(rename) ({_FILE}) (to|into|as) ({_FILE}),? and ({_FILE}) (?:to|into|as) ({_FILE})$", r"rename \2 to \4. rename \5 to \6"),
    ("any", rf"^(benenne?) ({_FILE}) (in|zu) ({_FILE})(?: um)?,? und ({_FILE}) (?:in|zu) ({_FILE})(?: um)?$", r"benenne \2 in \4 um. benenne \5 in \6 um"),
    # What nobody has touched.
    ("any", rf"\b(?:that |which |and )?(?:nobody|no one|no-one|noone|none of us|no person)(?: has| have|'s|'ve)? (?:ever )?{_TOUCHED} (?:in|for|since|during|over|within)(?: the)?(?: last| past)? {_SPAN}\b", r"older than \1"),
    ("any", rf"\b(?:that |which |and )?(?:(?:i|we|you) )?(?:haven't|have not|hasn't|has not|havent|never|weren't|were not|wasn't|not)(?: been| i| we)? {_TOUCHED} (?:in|for|during|over|within)(?: the)?(?: last| past| more than| over| at least)? {_SPAN}\b", r"older than \1"),
    ("any", rf",? ?(?:die|das|den|der)? ?(?:niemand|keiner|ich|wir|man) (?:seit|in den letzten)(?: mehr als| über)? {_SPAN} (?:nicht(?: mehr)? )?{_BERÜHRT}(?: hat| habe| haben| hab)?\b", r" älter als \1"),
    ("any", rf"\b(?:hat|haben|habe) (?:seit|in den letzten)(?: mehr als| über)? {_SPAN} (?:keiner|niemand)(?: mehr)? {_BERÜHRT}", r"sind älter als \1"),
    ("any", rf"\b(?:wurden?|sind) (?:seit|in den letzten)(?: mehr als| über)? {_SPAN} nicht(?: mehr)? {_BERÜHRT}(?: worden)?", r"sind älter als \1"),
    ("any", r"\b(?:old|ancient|alte[nrs]?) (?=[^.?]*\b(?:older than|älter als)\b)", ""),
    # What is no longer needed.
    ("any", r"^(?:i|we) (?:do not|don't|no longer|never)(?: really)? (?:need|use|want) (the|my|our|these|those) ([^,;.]+?)(?: any ?more| any longer)?[,;.] ?(?:so |and )?(?:please |can you |could you |would you )?(delete|remove|trash|throw away|get rid of|bin) (?:it|them|those|that)(?: away)?(?: please)?$", r"\3 \1 \2"),
    ("any", r"^(?:ich|wir) (?:brauchen?|benötigen?) (die|den|das|diese|meine?n?) ([^,;.]+?) nicht mehr[,;.] ?(?:also |und )?(?:bitte )?(lösche?n?|entferne?n?|wirf|wegwerfen) ?(?:bitte )?(?:sie|es|ihn)?(?: bitte)?(?: weg)?$", r"lösche \1 \2"),
    # The answer says it anyway.
    ("any", r",? (?:and then|then|and) (?:tell|show|let) me (?:know )?how much (?:space|room|storage|disk space)(?: that| this| it)?(?: has| is| was| did)? (?:freed|saved|freed up|frees|saves|free|save|recovered|gained)(?: up)?\W*$", ""),
    ("any", r",? und (?:sag|zeig|sage|zeige) mir,? wie ?viel (?:platz|speicher) (?:das|es) (?:gespart|freigemacht|gebracht|frei gemacht)(?: hat)?\W*$", ""),
    ("looks", r",? and (?:when (?:did i (?:last |most recently )?(?:get|make|change|save|edit|touch|modify) (?:them|it)(?: last)?|were they (?:changed|made|saved|created)|are they from)|from when are they|since when|from when|how (?:old|big|large) (?:are they|is it|they are))\W*$", ""),
    ("looks", r",? und (?:von wann sind sie|von wann ist (?:sie|er|es)|wie (?:alt|groß) (?:sind sie|ist (?:sie|er|es))|wann wurden sie (?:zuletzt |das letzte mal )?geändert|wann habe? ich sie (?:zuletzt |das letzte mal )?geändert)\W*$", ""),
    # German infinitives as orders.
    ("any", r"^(?:wäre|ist) es (?:dir |ihnen |vielleicht )*möglich,? (?:mir |uns |bitte )*", ""),
    ("any", r"\b(vor|auf|um|an|ab|aus|ein|weg|zurück|raus|rein|hin|zusammen|nach|durch|unter)zu(\w+en)\b", r"\1\2"),
    ("any", r"\bzu (löschen|verschieben|kopieren|zeigen|finden|suchen|zählen|packen|sortieren|ordnen|öffnen|lesen|entfernen|legen)\b", r"\1"),
    # How something came about.
    ("looks", r"^what(?: all)? (?:has |have |had |is |was )?(?:just |newly )?(?:arrived|landed|turned up|come in|came in|came|shown up|showed up|been added|was added|appeared|got here)\b(?: (in|into|to))?", r"which files \1"),
    ("looks", rf"^what(?: all)? (?:did|have) (?:i|we) (?:do|done|write|written|change|changed|work on|worked on|save|saved|make|made|edit|edited|touch|touched|create|created|produce|add|added) {_DATE}", "which files changed "),
    ("looks", rf"^was (?:habe?n?|hab) (?:ich|wir) (.+?) {_GEMACHT}\W*$", r"welche Dateien geändert \1"),
    ("looks", rf"\b(?:came|come|have come|has come|arrived|got)(?: in| to us)? {_DATE}", ""),
    ("looks", r"^((?:how many|which|what) (?!of\b)[\w ]+?) (?:has|have|had|did|does) (?!i\b|we\b|you\b|they\b|it\b)([\w-]+) (?:received?|gotten|got|get|had|have|written|write|made?|make|sent|send|ordered|order)\W*$", r"\1 of \2"),
    ("looks", r"\bsheet music\b", "scores"),
    ("looks", rf"\b(?:that |which |what )?(?:i|we)(?:'ve| have| had)? (?:just |only |recently |last )?{_MADE} {_DATE}", ""),
    ("looks", rf"(?<=\w )(?:that |which )?(?:i|we|they)(?:'ve| have| had)? (?!{_STATUS})(?:\w+ed|{_IRREGULAR}) {_DATE}", ""),
    ("looks", rf"\b(?:that |which )?(?:was|were|are|is|got|has been|have been) (?!{_STATUS})(?:\w{{3,}}ed|given|held|sung|taught|built|won|brought|bought|sold) {_DATE}", ""),
    ("looks", rf"\b(?:that |which )?(?:was |were |are |is |got |have been |has been )?{_MADE} {_DATE}", ""),
    ("looks", rf",? (?:die|das|den|der|was) (?:ich|wir|du) (.*?){_GEMACHT}(?: habe?n?| hab)?\b", r" \1"),
    ("looks", rf"\b{_GEMACHT}(?: wurden?| worden| sind| ist)?\b", ""),
    # Which of them, and what it is about.
    ("looks", r"\b(newest|latest|current|last|final|most recent|oldest|first) (?:version|draft|edition|copy|revision|iteration|issue)s? (?:of|from)\b", r"\1 file of"),
    ("looks", r"^(?:was steht|steht was) (?:in|im) (?:der |dem )?(?:letzten|neuesten|aktuellen|jüngsten) ([\w ]+?)\W*$", r'lies die neueste Datei mit "\1" im Namen'),
    ("looks", r"^(?:die |das |den )?(?:letzte|neueste|aktuelle)n? (?:version|fassung|datei|entwurf) (?:vom|von|der|des) (?:dem |der |meinem )?([\w ]+?) (?:öffnen|aufmachen|anzeigen|zeigen|lesen)\W*$", r"lies die neueste Datei von \1"),
    ("looks", r"\b(im|vom|zum|beim) (?:letzten|aktuellsten) (?!woche|monat|jahr|tag|stunde|quartal|mal|sommer|winter|herbst|frühling|halbjahr|\d)(?=\w)", r"\1 neuesten "),
    ("looks", r"\b(neueste|aktuelle|letzte|neuste|älteste|erste)n? (?:version|fassung|ausgabe|kopie) (?:von|der|des|meiner|meines|vom)\b", r"neueste Datei von"),
    ("looks", r"\b(the|my|our) (?:last|final|current|most current) (?!thing\b|\d|one\b|two\b|three\b|four\b|five\b|few\b|couple\b|week|month|year|day|line|hour|minute|quarter|time|row|page|word|of\b)(?=[a-z])", r"\1 newest "),
    ("looks", r"\b(der|die|das|den|dem|mein|meine) letzte[nrsm]? (?!woche|monat|jahr|tag|zeile|stunde|quartal|mal|zwei|drei|vier|fünf|\d)(?=\w)", r"\1 neueste "),
    ("looks", r"\b(?:that |which )?(?:belongs?|pertains?|relates?|related|belonging|pertaining|relating) to\b", "of"),
    ("looks", r"\bgehör(?:en|t) zu[mr]?\b", "von"),
    ("looks", r"^((?:which|what) [\w -]+?) (?:still |already |yet )*(?:have|has|got|contain|carry|show)s?(?: still| any| some| an| a| open| unresolved| the| with)* ([\w-]+)(?: left)?(?: in (?:it|them))?\W*$", r"\1 about \2"),
    ("looks", r"^((?:which|what) [\w -]+?) (?:have|has|are|were|was|is|got)(?: been| already| now)* (?!deleted|moved|copied|renamed|changed|duplicated|tagged|used|opened|edited|modified|touched|created|saved|needed|sorted|zipped|packed|blurred|damaged|corrupted)([a-z]+(?:ed|en))\W*$", r"\1 about \2"),
    ("looks", r"^((?:welche|welcher|welches) [\w -]+?) (?:wurden?|sind|ist)(?: schon| bereits)* (?!gelöscht|verschoben|kopiert|umbenannt|geändert|geöffnet|bearbeitet|gespeichert|gebraucht|benutzt)(ge\w+(?:t|en)|\w+iert)\W*$", r"\1 über \2"),
    ("looks", r"\b(?:materials?|bits and pieces)\b", "files"),
    ("looks", r"^how (?:big|large) (?:is|are) (.+?),? (?:each|individually|one by one)(?: of (?:it|them))?(?:,? and (?:in total|together|altogether|all together))?\W*$", r"list \1"),
    ("looks", r"\b(?:an? |any )?(?:older|old|earlier|previous|other|second|newer) (?:versions?|cop(?:y|ies)|drafts?|editions?) of (?:the |my |our )?", ""),
    ("looks", r"^(?:was|welche \w+) (?:nimmt|nehmen|braucht|brauchen|belegt|belegen|verbraucht|frisst|fressen) (.*?) ?(?:am meisten|den meisten|so viel) (?:platz|speicher|speicherplatz)(?: weg| ein)?\W*$", r"was belegt den meisten platz \1"),
    # Where things are.
    ("looks", r"^(?:do you know |can you tell me |tell me )?where (?:i|we) (?:can find|could find|find|have put|put|saved|stored|keep|kept|left) ", "where is "),
    ("looks", r"^(?:what happened to|where (?:did|has|have)) (my|the|our) (.+?)(?: go| gone| gone to| went)?\W*$", r"where is \1 \2"),
    ("looks", r"^(?:weißt du,? )?wo (?:ich|wir) (.+?) (?:finde|finden|habe|haben|gespeichert habe|hingelegt habe|abgelegt habe)\W*$", r"wo ist \1"),
    ("looks", rf"^(?:what|which [\w ]+?)(?:'s| is| are)? (?:eat\w*|tak(?:es?|ing)|us(?:es?|ing)|hogg?\w*|fill\w*|clog\w*|occup\w+|wast\w+|need\w*)(?: up)? {_SPACE}\b", "what takes the most space"),
    ("looks", rf"^(show|list|find|give|which|what)(.*?) the ({_SUPERLATIVE}) ([\w ]+?) and the ({_SUPERLATIVE})(?: one)?(?= in |\W*$)", r"\1\2 the \3 \4. \1\2 the \5 \4"),
    ("looks", r"^(?:ist|liegt|steckt|befindet sich) (?:noch )?(?:in|im) (.+?) (?:noch )?(?:irgend)?(?:etwas|was)(?: drin)?\W*$", r"was ist in \1"),
    ("looks", r"^(?:which|what)(?: one)? of (?:the |my |our )?(?:two|three|both)(?: of)? (?:the |my |our )?([\w ]+?) (?:is|are|was) (?:the )?(more recent|newer|bigger|larger|older|smaller|heavier)(?: one)?\W*$", lambda found: f"the 1 {_MOST[found.group(2).lower()]} {found.group(1)}"),
    ("looks", r"^(?:which|what)(?: one)? of (.+?) (?:is|are|was) (?:the )?(more recent|newer|bigger|larger|older|smaller|heavier)(?: one)?\W*$", lambda found: f"which of {found.group(1)} is the {_MOST[found.group(2).lower()]}"),
    ("looks", r"^when (?:did|was|have) (?:i|we|anyone|somebody)? ?(?:last |most recently )?(?:work(?:ed)? on|touch(?:ed)?|saved?|updated?|write|written|modify|modified)(?: on)? (.+?)(?: last)?\W*$", r"when did i last change \1"),
    ("looks", r"^wann (?:habe?|hab|haben) (?:ich|wir) (?:zuletzt |das letzte mal )?an (.+?) gearbeitet\W*$", r"wann wurde \1 geändert"),
    ("looks", r"\b(?:zwei |mehrere |irgendwelche )?gleiche[nr]? (?=bild|foto|datei|video|dokument|lied)", "doppelte "),
    ("looks", r"\b(?:two|several|any|some) (?:identical|equal|of the same|the same) (?=\w)", "duplicate "),
    ("looks", r"^(where (?:is|are|was|were) .+?) (?:kept|stored|saved|located|filed|hidden|put|placed|left)\W*$", r"\1"),
    ("looks", r"^(wo .+?) (?:hingetan|hingelegt|abgelegt|hingepackt|gelassen|versteckt|verstaut|gespeichert|abgespeichert|geblieben|hingekommen|gelandet|abgeblieben|hin)\W*$", r"\1"),
    ("looks", rf"\b(?:did|have|had) (?:i|we)(?: ever)? (?:write|make|take|get|save|create|receive|scan|download|shoot|record|film|add|issue|store|collect|produce) {_DATE}", ""),
    # What a text says: the lines that hold it.
    ("looks", r"^(?:what(?:'s| is| was| are)|how (?:high|long|much) (?:is|was)) the ([\w-]+(?: [\w-]+)?) (?:in|according to|for|from) (?:the |my |our )?([^?]+?)\W*$", r'lines with "\1" in \2'),
    ("looks", r"^(?:was ist|wie (?:hoch|lang|lange) ist) (?:der|die|das) ([\w-]+) (?:in|laut|für|im|von) (?:der |die |das |dem |den )?([^?]+?)\W*$", r'Zeilen mit "\1" in \2'),
    ("looks", rf"^how many (\w+?)s? (?:are|is|were|do we have|do i have)(?: there)? in ({_FILE})\W*$", r'lines with "\1" in \2'),
    ("looks", rf"^wie viele (\w+?) (?:sind|gibt es|stehen|hat)(?: es)? in ({_FILE})\W*$", r'Zeilen mit "\1" in \2'),
    ("looks", rf"^what (?:can you|do you) (?:tell|know|say)(?: me| us)? about ({_FILE})\W*$", r"metadata of \1"),
    ("looks", rf"^(?:tell me|what is there|info|information|details|facts) (?:something |more |all |everything )?(?:about|on) ({_FILE})\W*$", r"metadata of \1"),
    # Figures.
    ("looks", r"^how (?:many pixels )?(?:wide|high|tall|long|large)?(?: in pixels)? ?(?:is|are|does) (?:the )?([^?]+\.\w+)(?: have)?(?: in pixels)?\W*$", r"dimensions of \1"),
    ("looks", r"^how (?:wide|high|tall|long|big|large) and (?:how )?(?:wide|high|tall|long|large) (?:is|are) (\S+?)\W*$", r"dimensions of \1"),
    ("looks", r"^how (?:many times|often) (?:does|do|did|is|has|was) (?:the (?:word|text|phrase|line) )?(\x00\d+\x00|\S+) (?:appear|occur|show up|come up|mentioned|been mentioned|written|used|found|get mentioned) in (.+?)\W*$", r"lines with \1 in \2"),
    ("looks", r"^wie oft (?:kommt|steht|taucht|wird) (?:das wort )?(\x00\d+\x00|\S+) in (.+?)(?: vor| auf| erwähnt| genannt)?\W*$", r"Zeilen mit \1 in \2"),
    ("looks", rf"^(?:which|what)(?: one| file| of these| of them| of the two)? is (bigger|larger|smaller|newer|older|heavier|more recent),? ({_FILE}) or ({_FILE})\W*$", lambda found: f"the {_MOST[found.group(1).lower()]} of {found.group(2)} and {found.group(3)}"),
    ("looks", r"^([^,?]+), what (?:does it|do they|is in it|is in them)(?: say| contain| read)?\W*$", r"read \1"),
    ("looks", r"\b(?:alles|alle dateien),? (?:was|die) (.+?) (?:betrifft|betreffen|angeht|angehen)\b", r"alle Dateien von \1"),
    # What it is called.
    ("looks", r"^(?:wie hei(?:ß|ss)(?:t|en)|how is|what is the name of) (.+?)(?: called)?(?: überhaupt| denn)?\W*$", r"list \1"),
    ("looks", r"^(?:zeige|zeig|list|show)(.*) (?:überhaupt|at all|denn)\W*$", r"list\1"),
    ("looks", r"\b(sum|avg|average|max|min|count|mean)\(([\w ]+)\) (?:for|of|in|from|over) ", r"\1 of \2 in "),
    ("looks", rf"^{_CHECK} (?:if|whether) (.+?) (is|are|has|have) (.+)$", r"\2 \1 \3"),
    ("looks", rf"^{_PRÜFE},? ob (.+?) (ist|sind|hat|haben)$", r"\2 \1"),
    ("looks", r"^(?:show |list |give |get |print |find )?(?:me )?(?:all |the )*lines (?:in|of|from) (\S+) (?:that |which )?(?:mention|contain|have|with|say|hold)(?:ing|s)? (?:the word )?(\S+)$", r'lines with "\2" in \1'),
    ("looks", r"^(?:zeig |zeige |finde )?(?:mir )?(?:alle |die )*zeilen (?:in|von|aus) (\S+) (?:mit|die) (\S+?)(?: enthalten| erwähnen| haben)?$", r'Zeilen mit "\2" in \1'),
    ("any", r"^(rename|change|turn) (?:every |all |each |the )*([^\s*]*)\*(\.\w+)(?: files?)? (?:to|into|->) ([^\s*]*)\*\3$", r'replace "\2" with "\4" in the names of \2*\3'),
    ("any", r"^(benenne?) (?:alle |jede |die )*([^\s*]*)\*(\.\w+) (?:in|zu) ([^\s*]*)\*\3(?: um)?$", r'ersetze "\2" durch "\4" im Namen von \2*\3'),
    ("keeps", r"^mache?n? (?:bitte )?(?:von|aus) (.+?) (?:eine )?(?:kopien?|sicherung|sicherheitskopie) (?:in|nach|im) (.+)$", r"kopiere \1 nach \2"),
    ("any", r"(?<!in )(?<!from )\bboth (?:the )?([^,]+? and )", r"\1"),
    ("keeps", r"\b(?:for|für) (?:my|our|his|her|their|meine?n?|unsere?n?) \w+(?= and\b| und\b|,|$)", ""),
    ("any", r"\b(?:die|meine) (?:zweite |überzählige |doppelte )?kopie von (?:der |dem |den |meiner |meinem )?([\w ]+?)(?=$| in | aus )", r"\1 copy"),
    ("any", r"^(move|copy|put) ([^,]+?) ((?:to|into) [^,]+?),? but only (?:the ones |those )?(?:that are |which are )?((?:over|under|above|below|older|newer|bigger|larger|smaller|from)\b[^,]+)$", r"\1 \2 \4 \3"),
    ("any", r"^(verschiebe?|kopiere?) ([^,]+?) ((?:nach|in) [^,]+?),? aber nur (?:die |diejenigen )?((?:über|unter|älter|neuer|größer|kleiner|von|aus)\b[^,]+)$", r"\1 \2 \4 \3"),
    ("looks", r"\b(\w+)[ -](?:versionen|fassungen|versions)\b", r"\1"),
    ("keeps", r"^(?:erstelle?|mache?)(?: bitte)? von (?:der datei |dem ordner |der |dem )?(.+?) eine (?:kopie|zweite fassung) (?:namens|mit (?:dem )?namen|genannt|als) (.+)$", r"kopiere \1 als \2"),
    ("looks", r"^([^,?]+?) (?:vs\.?|versus|and|und|gegen) ([^,?]+?)[,:] ?(?:any |what's the |is there a |gibt es )?(?:differences?|unterschiede?)\??$", r"compare \1 and \2"),
    ("any", r"^(?!(?:copy|kopier|zip|pack|find|list|show|zeig|such|liste|is|are|how|wie|what|was|which|welche)\w*\b)([^,?]+?) (?:to|into) a (?:new )?folder (?:called |named )?([^,?]+)$", r"move \1 into a folder called \2"),
    ("any", r"^(?!(?:kopier|zip|pack|find|zeig|such|liste|wie|was|welche)\w*\b)([^,?]+?) in einen (?:neuen )?ordner (?:namens )?([^,?]+)$", r"verschiebe \1 in einen Ordner namens \2"),
    ("any", r"^(?:get|take|grab|pull|fetch) (.+?) (?:off|out of|from) (?:the |my )?(.+?),? and (?:then )?(put|move|copy|place|drop|stick) them (.+)$", r"\3 \1 from \2 \4"),
    # Orders and comparisons without a verb that the grammar knows.
    ("any", r"^((?!wirf|schmei|tu\b|mach)[^?]+?)(?: (?:kann|können|soll|sollen|muss|müssen|darf|dürfen))?(?: bitte| jetzt| alle| endlich)* weg$", r"lösche \1"),
    ("any", r"^weg mit (?:dem |der |den |allen )?([^?]+)$", r"lösche \1"),
    ("looks", r"^(?:diff|compare|comparison of|difference between|vergleiche?|unterschied zwischen) (.+?) (?:vs\.?|versus|against|with|to|and|gegen|mit|und) (.+?)\??$", r"compare \1 and \2"),
    ("looks", r"^([^,?]+?) (?:vs\.?|versus|gegen) ([^,?]+)\??$", r"compare \1 and \2"),
    ("looks", r"^(?:ist|sind|steht|stehen|gibt es) in (.+?) (?:noch |irgendwo |auch |überhaupt )*(?:irgendwelche )?(\w+?)s? (?:drin|drinnen|enthalten|vorhanden)(?:,? (?:und )?(?:wenn|falls) ja,? wo)?\??$", r'welche Dateien in \1 enthalten "\2"'),
    ("looks", r"^(size|größe) (?!of\b|von\b|in\b)([^?]+?)\??$", r"\1 of \2"),
    ("any", r"^mache? aus (.+?) (?:eine|eine einzige|eine gemeinsame|eine neue) (?:text)?datei (?:namens )?(\S+\.\w+)$", r"füge \1 in \2 zusammen"),
    ("any", r"^(?:make|create|build) (?:one|a single|a) (?:text )?file (?:called |named )?(\S+\.\w+) (?:out of|from) (.+)$", r"merge \2 into \1"),
    # Whom it is for.
    ("keeps", r" for (?:(?:the|my|our) )?(?:delivery|printing|review|upload|sending|safekeeping|backup|storage|the record|later|reference)(?= |$)", ""),
    ("keeps", r" for (?:the|my|our) (?:printer|print shop|boss|manager|accountant|tax (?:office|adviser|advisor)|lawyer|wife|husband|kids|teacher|professor|supervisor|client|team|band|editor|landlord|doctor|bank|insurance|meeting)\b", ""),
    ("keeps", r" für (?:den|die|das|meinen?|unseren?) (?:drucker|druckerei|chef|chefin|steuerberater|steuerberaterin|finanzamt|anwalt|frau|mann|lehrerin|lehrer|bank|versicherung|arzt)\b", ""),
)  # fmt: skip


class _Led:
    """A match with the word that leads to its name."""

    def __init__(self, found: re.Match[str], lead: str) -> None:
        self.found, self.lead = found, lead

    def group(self, name: str) -> str:
        """The group, or the word."""
        return self.lead if name == "lead" else str(self.found.group(name))


def _led(found: re.Match[str], lead: str) -> re.Match[str]:
    return _Led(found, lead)  # type: ignore[return-value]


_COMPILED: Final = tuple((use, re.compile(pattern, re.IGNORECASE), plain) for use, pattern, plain in _RULES)
_QUOTED: Final = re.compile(r"(\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|'[^'\s][^']*'(?!\w))")
_KEEPS: Final = frozenset({"copy", "create"})
_USES: Final = ("any", "keeps", "looks")
SHORTEST_MISTYPED: Final = 5
SHORTEST_HALF: Final = 4
SHORTEST_MISTYPED_TWICE: Final = 7


@dataclass(frozen=True)
class Other:
    """A request in other words, and what they may be used for."""

    text: str
    use: str

    def may_be(self, chores: tuple[Chore, ...]) -> bool:
        """Whether these words may lead to such chores."""
        acts = [chore for chore in chores if chore.is_act]
        if self.use == "any" or not acts:
            return True
        return self.use == "keeps" and all(chore.verb in _KEEPS or isinstance(chore.job, Pack) for chore in acts)


def other_words(request: str, known: KnownNames | None) -> Iterator[Other]:
    """The request in other words: with each rule alone, then with all that fit, one after the other."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found.group())
        return f"\x00{len(held) - 1}\x00"

    def shown(text: str) -> str:
        return " ".join(re.sub(r"\x00(\d+)\x00", lambda found: held[int(found.group(1))], text).split())

    plain = _QUOTED.sub(hold, request).rstrip(" .!")
    mended, is_sure = _mended(plain, known)
    together, uses = (mended, ["any" if is_sure else "looks"]) if mended != plain else (plain, ["any"])
    seen = {shown(plain)}
    if together != plain:
        seen.add(shown(together))
        yield Other(shown(together), uses[0])
    for use, pattern, words in _COMPILED:
        alone = pattern.sub(words, plain)
        changed = pattern.sub(words, together)
        if changed != together:
            together = changed
            uses.append(use)
        for text, of in ((alone, use), (together, max(uses, key=_USES.index))):
            if shown(text) not in seen and text.strip():
                seen.add(shown(text))
                yield Other(shown(text), of)
    for own in _in_their_spelling(plain, known):
        texts = [("keeps", own), *((use, pattern.sub(words, own)) for use, pattern, words in _COMPILED)]
        for use, text in texts:
            if shown(text) not in seen:
                seen.add(shown(text))
                yield Other(shown(text), max(use, "keeps", key=_USES.index))
    for text in _counterparts(plain, known):
        yield Other(shown(text), "any")
    for text in _of_missing(plain, known):
        if shown(text) not in seen:
            seen.add(shown(text))
            yield Other(shown(text), "looks")


def _in_their_spelling(text: str, known: KnownNames | None) -> Iterator[str]:
    """`Website live` as it is written, where common words alone would be none: `compare website live and website draft`."""
    said = text
    for path in sorted(known.folders if known is not None else (), key=len, reverse=True):
        name = path.rpartition("/")[2]
        if " " in name:
            said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _, name=name: name, said, flags=re.IGNORECASE)  # type: ignore[misc]
    if said != text:
        yield said


def _counterparts(text: str, known: KnownNames | None) -> Iterator[str]:
    """`Rename cv_new.docx to cv.docx and delete the old one`: `cv_old.docx`, the name with that word instead."""
    paths = known.paths if known is not None else {}
    for one in re.finditer(r"\b(?:the|die|den|das) (\w+?)(?:e|en|er|es)? (?:one|file|version|datei)\b", text):
        names = [normal(token.text) for token in tokens_of(text[: one.start()]) if token.sort == "file"]
        word = normal(one[1])
        others = [other for name in names for other in paths if name in paths and _differ_by(name, other, word)]
        found = {path for other in others for path in paths[other]}
        if len(found) == 1:
            yield f"{text[: one.start()]}{found.pop()}{text[one.end() :]}"


def _differ_by(name: str, other: str, word: str) -> bool:
    """Whether two file names are the same but for one of their words."""
    one, two = re.split(r"[\s_.-]+", name), re.split(r"[\s_.-]+", other)
    different = [(left, right) for left, right in zip(one, two, strict=False) if left != right]
    return len(one) == len(two) and len(different) == 1 and different[0][1] == word


def _of_missing(text: str, known: KnownNames | None) -> Iterator[str]:
    """Words that no name has: `Kuchenrezepte` as its two words, where names have both; `delivery notes` as a text of files."""
    if known is None:
        return
    tokens = [token for token in tokens_of(text) if token.sort == "word"]
    for at, token in enumerate(tokens):
        if not known.is_missing(token.text):
            continue
        for cut in range(len(token.text) - SHORTEST_HALF, SHORTEST_HALF - 1, -1):
            front, tail = token.text[:cut].rstrip("-"), token.text[cut:].capitalize()
            if known.is_there(front) and known.is_there(tail) and token.text[:1].isupper():
                yield re.sub(rf"\b{re.escape(token.text)}\b", f"{front} {tail}", text)
                break
        behind = tokens[at + 1] if at + 1 < len(tokens) else None
        if behind is not None and text[token.end : behind.start] == " " and _is_noun(behind.form):
            pair = f"{token.text} {behind.text.removesuffix('s')}"
            yield f'{text[: token.start]}files containing "{pair}"{text[behind.end :]}'


def _is_noun(form: str) -> bool:
    """Whether a word is a kind of files, or none that the vocabulary has."""
    return any((form,) in lexicon(each).kinds for each in ("en", "de")) or not any(
        lexicon(each).is_word(form) for each in ("en", "de")
    )


def _consonants(word: str) -> str:
    return re.sub(r"[aeiouy]", "", word)


def _mended(text: str, known: KnownNames | None) -> tuple[str, bool]:
    """With words that no vocabulary and no name has as the one piece of a name that is nearest; and whether only letters were
    swapped or doubled.
    """
    is_sure = True
    if known is None:
        return text, is_sure
    for token in tokens_of(text):
        if token.sort != "word" or len(token.form) < SHORTEST_MISTYPED or not token.form.isalpha():
            continue
        if known.is_there(token.text) or any(
            lexicon(each).is_word(token.form) or lexicon(each).mend(token.form) for each in ("en", "de")
        ):
            continue
        kinds = {
            kind: key[0]
            for each in ("en", "de")
            for key, kind in lexicon(each).kinds.items()
            if len(key) == 1 and key[0][0] == token.form[0] and _consonants(key[0]) == _consonants(token.form)
        }
        if len(kinds) == 1:
            # `Pciturs`: the vowels are lost first.
            text = re.sub(rf"\b{re.escape(token.text)}\b", next(iter(kinds.values())), text)
            is_sure = False
            continue
        form = fold(token.text)
        most = 2 if len(form) >= SHORTEST_MISTYPED_TWICE else 1
        near = {
            piece: apart
            for piece in known.pieces
            if len(piece) >= SHORTEST_MISTYPED
            and piece[0] == form[0]
            and (apart := min(distance(form, each, most) for each in (piece, f"{piece}s"))) <= most
        }
        best = [piece for piece, apart in near.items() if apart == min(near.values())]
        if len(best) == 1:
            text = re.sub(rf"\b{re.escape(token.text)}\b", best[0], text)
            is_sure = is_sure and sorted(best[0]) == sorted(normal(token.text))
    return text, is_sure
