"""Requests as people type them, each with the chore that it means, and what must not be taken for any."""

from typing import Any

import pytest

from deputy_sidecar.backends.offline import Offline
from deputy_sidecar.models import UserMessage
from deputy_sidecar.offline.matching import best_skill
from deputy_sidecar.offline.steps import Task

TOOLS = frozenset({"search", "code", "shell", "organize"})
# The request, how the title of its skill begins, and parameters of the first call.
MEANT: list[tuple[str, str, dict[str, Any]]] = [
    ("What's in here?", "Say what is", {}),
    ("what do I have in this directory", "Say what is", {}),
    ("show me everything in the Photos folder", "Say what is", {"path": "Photos"}),
    ("ls", "Say what is", {}),
    ("tell me what kinds of files are in here", "Say what is", {}),
    ("What's in my Downloads folder?", "Say what is", {"path": "~/Downloads"}),
    ("was liegt hier alles rum?", "Say what is", {}),
    ("Have a look at this folder and write me a summary in REPORT.md", "Find out", {}),
    ("make a report of everything in here including duplicates", "Find out", {}),
    ("where are my tax documents", "Find files", {"pattern": "*tax*"}),
    ("find the invoice from acme", "Find files", {}),
    ("I'm looking for a file called budget", "Find files", {"pattern": "*budget*"}),
    ("show me all the pictures", "Find files", {}),
    ("list every video bigger than 100MB", "Find files", {"min_bytes": 100000000}),
    ("which files did I change yesterday?", "Find files", {"newer_than": "2d"}),
    ("what did I edit this week", "Find files", {"newer_than": "7d"}),
    ("find anything older than a year", "Find files", {"older_than": "365d"}),
    ("find files over 1 gig", "Find files", {"min_bytes": 1000000000}),
    ("are there any spreadsheets in here?", "Find files", {}),
    ("zeig mir alle Fotos", "Find files", {}),
    ("wo ist die Datei steuer.pdf?", "Find files", {"pattern": "steuer.pdf"}),
    ("finde Dateien die älter als 2 Jahre sind", "Find files", {"older_than": "730d"}),
    ("what's eating up my disk", "Say what takes", {}),
    ("show me the ten largest files", "Name the largest", {}),
    ("top 5 biggest files please", "Name the largest", {}),
    ("which files are taking up the most space?", "Say what takes", {}),
    ("how big is the music folder?", "Say what takes", {"path": "music"}),
    ("Wie groß ist dieser Ordner?", "Say what takes", {}),
    ("which documents mention the word landlord?", "Search", {"pattern": "landlord"}),
    ('look for "John Smith" in all the text files', "Search", {"pattern": "John Smith"}),
    ("find every occurrence of foo_bar in the python code", "Search", {"pattern": "foo_bar"}),
    ("is there anything about insurance in these files?", "Search", {"pattern": "insurance"}),
    ("in which file did I write about the holiday", "Search", {"pattern": "holiday"}),
    ("wo steht das Wort Miete?", "Search", {"pattern": "Miete"}),
    ("can you show me notes.txt", "Read", {}),
    ("what does the README say?", "Read", {}),
    ("summarize todo.md for me", "Read", {"path": "todo.md"}),
    ("give me the gist of meeting.docx", "Read", {"path": "meeting.docx"}),
    ("was steht in notizen.txt?", "Read", {"path": "notizen.txt"}),
    ("do I have any duplicate photos?", "Find dup", {}),
    ("are any of these files the same?", "Find dup", {}),
    ("find files that I have twice", "Find dup", {}),
    ("show me double files", "Find dup", {}),
    ("gibt es hier Duplikate?", "Find dup", {}),
    ("put all the lines containing ERROR from the logs into errors.txt", "Collect", {"pattern": "ERROR"}),
    ("extract all TODOs and save them to todo.md", "Collect", {"pattern": "TODO"}),
    ("run ls -la", "Run", {"command": "ls -la"}),
    ("execute 'git status'", "Run", {"command": "git status"}),
    ("please run the tests with `make test`", "Run", {"command": "make test"}),
    ("clean up my desktop", "Tidy", {}),
    ("sort my downloads folder", "Tidy", {}),
    ("this folder is a mess, tidy it", "Tidy", {}),
    ("put these files in order", "Tidy", {}),
    ("räum hier mal auf", "Tidy", {}),
    ("give me a list of everything here", "Say what is", {}),
    ("can you tell me what's inside this folder please", "Say what is", {}),
    ("show the files", "Say what is", {}),
    ("how many things are in the invoices folder?", "Say what is", {"path": "invoices"}),
    ("inspect this directory and write down what you find in overview.md", "Find out", {}),
    ("write me a report on what's in this folder", "Find out", {}),
    ("look for presentations", "Find files", {}),
    ("where did I put my passport scan", "Find files", {}),
    ("find the contract with Miller", "Find files", {}),
    ("show me files from last month", "Find files", {"newer_than": "30d"}),
    ("all csv files please", "Find files", {"extension": "csv"}),
    ("which pictures are larger than 5 megabytes", "Find files", {"min_bytes": 5000000}),
    ("find zip files", "Find files", {"extension": "zip"}),
    ("do I have a file called passwords.txt", "Find files", {"pattern": "passwords.txt"}),
    ("list files modified in the last 3 days", "Find files", {"newer_than": "3d"}),
    ("welche Videos sind größer als 1 GB?", "Find files", {"min_bytes": 1000000000}),
    ("suche meine Steuererklärung", "Find files", {"pattern": "*steuererklärung*"}),
    ("biggest files?", "Name the largest", {}),
    ("what are my largest files", "Name the largest", {}),
    ("welche Dateien sind am größten", "Name the largest", {}),
    ("where did all my disk space go", "Say what takes", {}),
    ("how much room do the photos take up", "Say what takes", {}),
    ("which folder is the biggest", "Say what takes", {}),
    ("search all markdown files for deadline", "Search", {"pattern": "deadline"}),
    ('which file contains the phrase "net income"', "Search", {"pattern": "net income"}),
    ("find the word budget in my notes", "Search", {"pattern": "budget"}),
    ("in welcher Datei steht etwas über Urlaub?", "Search", {"pattern": "Urlaub"}),
    ("open letter.txt", "Read", {"path": "letter.txt"}),
    ("print the contents of config.yaml", "Read", {"path": "config.yaml"}),
    ("what's in shopping-list.txt?", "Read", {"path": "shopping-list.txt"}),
    ("tl;dr of report.md", "Read", {"path": "report.md"}),
    ("check for duplicates", "Find dup", {}),
    ("list identical pictures", "Find dup", {}),
    ("which photos do I have more than once?", "Find dup", {}),
    ("finde doppelte Fotos", "Find dup", {}),
    ("save every line with TODO in it to tasks.txt", "Collect", {"pattern": "TODO"}),
    ("run `df -h`", "Run", {"command": "df -h"}),
    ("execute the command uname -a", "Run", {"command": "uname -a"}),
    ("führe `date` aus", "Run", {"command": "date"}),
    ("organize my downloads by type", "Tidy", {}),
    ("my desktop is a mess, please clean it up", "Tidy", {}),
    ("sort these files into folders", "Tidy", {}),
    ("räume meine Downloads auf", "Tidy", {}),
    ("hey, what is all this stuff in here?", "Say what is", {}),
    ("which files are in the backup folder", "Say what is", {"path": "backup"}),
    ("anything bigger than 50 MB here?", "Find files", {"min_bytes": 50000000}),
    ("files I touched today", "Find files", {"newer_than": "1d"}),
    ("find old pictures from before 2020-01-01", "Find files", {"older_than": "2020-01-01"}),
    ("where's my resume?", "Find files", {"pattern": "*resume*"}),
    ("get me all word documents", "Find files", {"extension": "docx"}),
    ("which of my notes mention Paul", "Search", {"pattern": "Paul"}),
    ('find "TODO" in the source files', "Search", {"pattern": "TODO"}),
    ("read me the file poem.txt", "Read", {"path": "poem.txt"}),
    ("what is report.pdf about?", "Read", {"path": "report.pdf"}),
    ("show duplicates", "Find dup", {}),
    ("is anything stored twice?", "Find dup", {}),
    ("how large is this folder", "Say what takes", {}),
    ("why is my disk full", "Say what takes", {}),
    ("the 20 largest files in ~/Videos", "Name the largest", {"path": "~/Videos"}),
    ("run `git log --oneline` please", "Run", {"command": "git log --oneline"}),
    ("tidy this up please", "Tidy", {}),
    ("could you organise my pictures by date", "Tidy", {}),
    ("liste alle Dateien auf", "Say what is", {}),
    ("welche PDFs habe ich?", "Find files", {"extension": "pdf"}),
]
NOT_MEANT = [
    "delete all duplicates",
    "remove old files",
    "write me a poem",
    "compress the pictures",
    "rename all photos by date",
    "what time is it",
    "send the report to Anna",
    "play some music",
    "merge the pdfs into one file",
    "encrypt my notes.txt",
    "replace foo with bar in all files",
    "lösche alle doppelten Dateien",
    "how do I find duplicate files with python?",
    "delete the biggest files",
    "move all pdfs to Documents",
    "find me a cheap flight",
    "write a letter to my landlord",
    "rename these pictures",
    "unzip backup.zip",
    "convert report.docx to pdf",
    "edit notes.txt and fix typos",
    "what's the capital of France",
    "schreibe ein Gedicht",
    "verschiebe alle Bilder",
    "make a copy of this folder",
    "back up my documents",
    "uninstall firefox",
    "kill the process on port 80",
    "copy all photos to /backup",
]


def first_call(goal: str) -> dict[str, Any]:
    call: dict[str, Any] = Offline().next_plan(Task.of([UserMessage(text=goal)], TOOLS)).tool_calls[0].parameters
    return call


@pytest.mark.parametrize(("goal", "title", "parameters"), MEANT, ids=[case[0] for case in MEANT])
def test_requests_as_people_type_them(goal: str, title: str, parameters: dict[str, Any]) -> None:
    skill = best_skill(goal)
    assert skill is not None
    assert skill.title.startswith(title)
    if parameters:
        call = first_call(goal)
        call["path"] = call.get("path") or call.get("paths", ["."])[0]
        assert {name: call.get(name) for name in parameters} == parameters


@pytest.mark.parametrize("goal", NOT_MEANT)
def test_what_no_chore_can_do_is_taken_for_none(goal: str) -> None:
    assert best_skill(goal) is None


def test_kinds_with_many_extensions_and_topics_are_looked_for_by_name() -> None:
    assert first_call("show me all the pictures")["pattern"].startswith("*.{jpg,jpeg,png,")
    assert first_call("find me screenshots")["pattern"] == "*{screen?shot,screenshot,bildschirmfoto}*"
    assert first_call("find the invoice from acme")["pattern"] == "*{invoice,acme}*"
    assert first_call("where is the file report.pdf")["pattern"] == "report.pdf"
