"""Takes off what people wrap a request in: greetings, politeness, slang, and how much they would like it done.

Only the two ends are looked at, and only whole phrases of these lists are taken, so nothing that narrows a request is lost.
"""

from __future__ import annotations

import re
from typing import Final

from deputy_sidecar.offline.frames import as_order
from deputy_sidecar.offline.tokens import normal

__all__ = ["without_courtesies"]

_GREETED: Final = (
    "(?:hello|hi|hey|good morning|hallo|liebe?r?) (?:love|dear|honey|darling|sweetie|again|everyone|all|folks|team|zusammen|du|ihr|ihr lieben|nochmal)(?=[!,.])|morning(?=[!,])|afternoon(?=[!,])|evening(?=[!,])|gruess dich|gruesse|gruezi|huhu|tach|oh dear|dear me|oh god|ach je|oh je|hey|hi|hello|yo|ey|howdy|hallo|hi there|hey there|hello there|hiya|good (?:morning|day|afternoon|evening)|guten (?:morgen|tag|abend)|moin|servus|"
    "gruess gott|na|ach|tja|also|lol|haha|omg|bro|bruh|dude|man|mate|buddy|fam|ugh|oof|hm+|um+|uh+|er+|ah|oh|oh no|oh my|well|so|okay|ok|alright|all right|right|"
    "listen|look|excuse me|entschuldigung|entschuldigen sie|verzeihung|no[, ]+wait|wait(?=,)|sorry|du(?! -)|hoer mal|sag mal|pass auf|quick question|kurze frage|"
    "sorry to (?:bother|trouble) you|(?:please )?(?:be|act) (?:very |really )?careful[,;]?(?: but| and)?|careful[,;]?(?: but| and)?|don't worry,? but|no (?:rush|hurry),? but|"
    "(?:sei|seien sie) (?:bitte )?vorsichtig[,;]?(?: aber| und)?|vorsicht[,;]?(?: aber)?|and(?= please| be | could you| would you)|und(?= bitte)|another thing|i'm afraid|i am afraid|i'm sorry(?: but)?|"
    "sorry to bother you|dear (?:sir|computer|deputy|assistant|friend|machine|helper)|liebe[rs]? (?:maschine|programm|computerchen|app|helferlein)|my dear|my friend|(?:mein )?liebe?r? (?:computer|deputy|helfer|freund|assistent)|(?:computer|deputy|assistant)(?=,)|"
    "oje|mist|hold on|my bad|moment|oops|whoops|oopsie|ups|hoppla|huch|then|and then|now then|next|dann|nun|jetzt|now|today(?=,)|first of all|by the way|btw|one more thing|noch etwas|noch was|uebrigens|actually|eigentlich|basically|honestly|seriously|"
    "please and thank you|thanks|thank you|danke|super|prima|great|perfect|cool|nice|good|gut"
)  # fmt: skip
_ASKED: Final = (
    "please|pls|plz|pleeease|kindly|would you|bitte|bitte mal|mal|just|quickly|simply|"
    "(?:can|could|would|will) (?:you|u|ya)(?: (?:please|pls|plz|kindly|possibly|maybe|perhaps|quickly|just|also|be able to|mind|for me))*"
    "(?: be so (?:kind|good|nice|sweet|lovely)(?: as to|,? and)?)?|"
    "be so (?:kind|good|nice|sweet)(?: as to|,? and)|be a (?:dear|darling|good sport) and|do me a (?:favor|favour)(?: and|,)?|do us a (?:favor|favour)(?: and|,)?|"
    "(?:i would|i should|i'd|id|we would|we should|we'd) (?:really )?(?:like|love|want|prefer|appreciate it if|be grateful if|be happy if|be glad if)(?: for)?(?: you| u)? ?(?:to|could|would|can)?|"
    "i(?:'m| am)? (?:want|need|wanna|require|beg|asking|ask)(?: you| u) (?:to )?|i wanna|i want to|i need to|i have to|i gotta|"
    "(?:is it|would it be|is there a way|is there any way) (?:possible )?(?:for you )?to|"
    "i (?:was|am) wondering if (?:you|u) (?:could|can|would)|i wonder if (?:you|u) (?:could|can|would)|"
    "i was (?:just )?wondering(?= which| what| how| where)|i wonder(?= which| what| how| where)|i(?:'d| would) like to know(?= which| what| how| where| if)|i (?:want|need) to know(?= which| what| how| where| if)|"
    "do you know(?= which| what| how| where)|any idea(?= which| what| how| where)|"
    "it would be (?:nice|great|lovely|good|awesome|wonderful|helpful) if (?:you|u) (?:could|can|would)|"
    "(?:let's|lets|let us)|you (?:should|must|have to|need to|may|can)(?: now)?|go ahead and|go and|time to|help me (?:to )?(?=delete|move|find|copy|rename|list|sort|clean|remove|put|make|create|count)|"
    "(?:koennten|koennen|wuerden|moechten|wollen) sie(?: (?:mir|uns|bitte|mal|vielleicht|so (?:nett|lieb|freundlich|gut)(?: sein)?(?:,? und)?))*|"
    "(?:koenntest|kannst|wuerdest|magst|willst) (?:du|d)(?: (?:mir|uns|bitte|mal|doch|vielleicht|kurz|schnell|so (?:nett|lieb|freundlich|gut)(?: sein)?(?:,? und)?))*|"
    "(?:waeren sie|waerst du|waere es|seien sie|sei|seid)(?: bitte)? so (?:nett|lieb|freundlich|gut)(?:,? und)?|"
    "(?:tun|tu|tust) (?:sie )?(?:du )?mir (?:bitte )?(?:den|einen) gefallen(?:,? und)?|"
    "ich (?:haette|wuerde|moechte|will|wollte|braeuchte|muss)(?: (?:gern|gerne|bitte|mal|jetzt))*(?: wissen(?=,? (?:wie|welche|wo|was|ob)))?|ich wuesste gern(?:e)?|"
    "es waere (?:nett|schoen|gut|toll|super)(?:,)? wenn (?:du|sie)(?= )|lass uns|lasst uns|weisst du(?=,? (?:wie|welche|wo|was))|wissen sie(?=,? (?:wie|welche|wo|was))"
)  # fmt: skip
_ENDS: Final = (
    "please|pls|plz|kindly|thanks(?: (?:a (?:lot|million|bunch|ton)|(?:so )+much|very much|in advance|again|man|mate|dude|buddy))?|thank you(?: (?:so much|very much|in advance|kindly))?|"
    "thx|ty|tysm|cheers|lol|haha|bro|bruh|dude|man|mate|buddy|fam|ok|okay|k|alright|all right|will you|would you|could you|can you|won't you|"
    "if you (?:can|could|please|would|like|will|don't mind|do not mind|wouldn't mind|have time|have a (?:minute|moment|second|sec))|if (?:possible|that's ok|that is ok|that's okay|that is possible|it's not too much trouble|(?:that|it) is not too much trouble|that's not too much trouble|it isn't too much trouble|it is no trouble)|"
    "when you (?:can|have time|have a (?:minute|moment|second|sec)|get a chance)|right now|right away|straight away|immediately|at once|now|asap|quickly|quick|for me|for us|just for me|"
    "i beg you|my dear|my friend|"
    "bitte|danke|vielen dank|danke schoen|dankeschoen|besten dank|herzlichen dank|danke im voraus|merci|lg|mfg|gell|ja|wenn (?:es|das) geht|wenn's geht|wenn moeglich|"
    "wenn du (?:kannst|magst|zeit hast)|wenn sie (?:koennen|moechten|so nett waeren)|sofort|gleich|schnell|jetzt|fuer mich|mal eben"
)  # fmt: skip
_LEAD: Final = re.compile(rf"(?:(?:{_GREETED}|{_ASKED})(?:\s*[,!:.…]+\s*|\s+|$))+")
# Without a mark these could be the first word of a request: `right click.png`, `man.pdf`.
_END: Final = re.compile(rf"(?:(?:\s*[,.!?:;…-]+\s*|\s+)(?:{_ENDS}))+\s*[.!?…]*$")
_SMILE: Final = re.compile(r"\s*(?:[:;]-?[)(DP]|<3|[\U0001F300-\U0001FAFF\u2600-\u27BF])+\s*")


def without_courtesies(request: str) -> str:
    """The request alone."""
    asked = _SMILE.sub(" ", request).strip()
    kept = as_order(_cut(as_order(asked)) or asked)
    return _cut(kept) or request


def _cut(asked: str) -> str:
    # Normal form may be longer than what was typed: `ö` is two letters there.
    lengths = [len(normal(char)) for char in asked]
    plain = normal(asked)
    if len(plain) != sum(lengths):
        return asked
    lead = _LEAD.match(plain)
    begin = _typed(lengths, lead.end()) if lead is not None else 0
    rest = asked[begin:]
    tail = _END.search(normal(rest))
    if tail is not None:
        rest = rest[: _typed([len(normal(char)) for char in rest], tail.start())]
    return rest.strip(" ,")


def _typed(lengths: list[int], at: int) -> int:
    """The place in what was typed of a place in its normal form."""
    done = 0
    for place, length in enumerate(lengths):
        if done >= at:
            return place
        done += length
    return len(lengths)
