"""What is done by one tool from end to end: tidying by a draft, a plan that was shown before, a command, a report."""

from __future__ import annotations

import re
from typing import Any, Final

from deputy_sidecar.offline.chore import REPORT, Chore
from deputy_sidecar.offline.inventory import check, take_inventory
from deputy_sidecar.offline.phrasing import say
from deputy_sidecar.offline.report import folder_report
from deputy_sidecar.offline.results import duplicate_groups, listing
from deputy_sidecar.offline.steps import Call, Calls, EndedError, NotPossibleError
from deputy_sidecar.offline.steps import Chore as Steps
from deputy_sidecar.offline.words.told import steps_done, told

__all__ = ["apply_plan", "report", "run_command", "tidy"]

_DRAFT: Final = re.compile(r"draft: ([0-9a-f]{64})")
_LEFT: Final = "left alone: "
MOST_LEFT_ALONE: Final = 10


def run_command(command: str) -> Steps:
    """Runs a command as it was given."""
    (result,) = yield Calls(f"I run `{command}`.", [Call("shell", {"command": command})])
    if result.is_denied:
        raise EndedError(f"I did not run `{command}`: that was denied ({result.reason}).")
    said = "I ran" if result.ok else "This command failed:"
    return f"{said} `{command}`.\n\n{result.content.strip()}"


def apply_plan(digest: str) -> Steps:
    """Submits a plan that was shown before."""
    return _submit(digest, {}, "the plan")


def tidy(chore: Chore, language: str = "en") -> Steps:
    """Has a plan drafted for a folder, and submits it."""
    german = language == "de"
    places = chore.selector.places
    where: dict[str, Any] = {"paths": list(places)} if places else {}
    wishes = {"by": chore.target} if chore.target is not None else {}
    folder = " and ".join(places) or "this folder"
    (result,) = yield Calls(f"I look through {folder}.", [Call("organize", {"action": "scan", **where, **wishes})])
    found = listing(check(result, f"look through {folder}").content)
    left = [line.removeprefix(_LEFT) for line in found.lines if line.startswith(_LEFT)]
    shown = [f"- {line}" for line in left[:MOST_LEFT_ALONE]]
    if len(left) > MOST_LEFT_ALONE:
        shown.append("- " + say(language, "more", count=len(left) - MOST_LEFT_ALONE))
    alone = f"\n\n{'Nicht angefasst' if german else 'Left alone'}:\n" + "\n".join(shown) if shown else ""
    draft = next((match.group(1) for line in found.lines if (match := _DRAFT.fullmatch(line))), None)
    if draft is None:
        if german:
            return f"Hier ist nichts aufzuräumen: {told(found.summary, language)}.{alone}"
        return f"Nothing is to be tidied in {folder}: {found.summary}.{alone}"
    return (yield from _submit(draft, where, folder, language)) + alone


def _submit(draft: str, where: dict[str, Any], what: str, language: str = "en") -> Steps:
    call = Call("organize", {"action": "submit_plan", **where, "draft": draft})
    (result,) = yield Calls("This is the plan.", [call])
    said = result.content.strip()
    if result.is_denied and language == "de":
        raise EndedError(say(language, "denied", reason=result.reason))
    if result.is_denied:
        raise EndedError(f"Nothing was changed: the plan was denied ({result.reason}).")
    if not result.ok:
        # How far the job got, and how it is tried again or undone, is the tool's to say.
        raise EndedError(f"I could not carry out {what} in full: {said}")
    return steps_done(said, language) if language == "de" else f"Done. {said[:1].upper()}{said[1:]}"


def report(chore: Chore) -> Steps:
    """Looks at everything in a folder, and writes a report on it."""
    folder = chore.selector.places[0] if chore.selector.places else "."
    output = chore.output or REPORT
    inventory = yield from take_inventory(folder)
    (found,) = yield Calls(
        "I look for files that have the same content.", [Call("search", {"action": "duplicates", "path": folder})]
    )
    content = check(found, "look for duplicate files").content
    # A report of an earlier run is not a finding.
    inventory.files.pop(output, None)
    findings = folder_report(inventory, duplicate_groups(content), listing(content))
    (written,) = yield Calls(
        f"I write what I found to {output}.",
        [Call("code", {"action": "write", "path": output, "content": findings.markdown})],
    )
    if written.ok:
        return f"{findings.in_words}\n\nI wrote the report to {output}."
    if written.is_denied:
        raise EndedError(f"{findings.in_words}\n\nI did not write {output}: that was denied ({written.reason}).")
    raise NotPossibleError(f"{findings.in_words}\n\nI could not write {output}: {written.reason}")
