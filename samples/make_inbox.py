#!/usr/bin/env python3
"""Makes samples/inbox: a folder as people have them, for demonstrations and tests.

    make_inbox.py [FOLDER]          writes the files (default: the folder `inbox` beside this script)
    make_inbox.py --check [FOLDER]  compares instead, and names every file that is missing, extra or different

Needs nothing but Python, and makes the same bytes every time. Everything in the files is invented.
"""

import argparse
import sys
from pathlib import Path

from inbox_maker import containers, papers, pdf, programs, scenes, texts

OWN_FOLDER = Path(__file__).resolve().parent

HOLIDAY = "Urlaub 🌊 2026/"


def files() -> dict[str, bytes]:
    """Every file's content by its path, in the order of their making."""
    out: dict[str, bytes | str] = {}
    out |= documents()
    out |= pictures()
    out |= plain_texts()
    out |= project()
    return {path: content.encode() if isinstance(content, str) else content for path, content in out.items()}


def documents() -> dict[str, bytes | str]:
    """Reports, invoices, letters, archives and sound, with copies under other names."""
    report = pdf.pdf("Yearly report 2025", papers.REPORT)
    electricity = pdf.pdf("Invoice 00417", papers.ELECTRICITY)
    website = {f"website-backup/{name}": text.encode() for name, text in programs.WEBSITE.items()}
    archive = containers.archive(website)
    memo = containers.tune([(440, 400), (494, 400), (554, 800)])
    return {
        "Report.pdf": report,
        "Report (1).pdf": report,
        "Archiv alt/copy of Report.pdf": report,
        "Report final FINAL.pdf": pdf.pdf("Yearly report 2025", papers.REPORT_FINAL),
        "INV_00417.PDF": electricity,
        "Invoices/Kestrow Energy 2026-03-14.pdf": electricity,
        "Invoices/Rechnung 12.04.2026 Brellmoor.pdf": pdf.pdf("Rechnung B-2026/118", papers.PRINTING),
        "invoice_05-01-2026.pdf": pdf.pdf("Invoice TH-88120", papers.HOSTING),
        "Invoices/20260520 radwerk.pdf": pdf.pdf("Rechnung 2026-0093", papers.BICYCLE),
        "RG-2 Manual (EN).pdf": pdf.pdf("Rain gauge RG-2", papers.MANUAL),
        "Letter to landlord.docx": containers.docx(papers.LETTER),
        "Protokoll Vereinssitzung Februar.docx": containers.docx(papers.MINUTES),
        "CV draft v2.docx": containers.docx(papers.RESUME),
        **website,
        "website-backup.zip": archive,
        "Archiv alt/website-backup (1).zip": archive,
        "Voice memo 3.wav": memo,
        "Archiv alt/Voice memo 3 - Kopie.wav": memo,
        "doorbell idea.wav": containers.tune([(659, 600), (523, 900)]),
        "recording 2026-04-01.wav": containers.tune([(220, 300), (262, 300), (330, 300), (440, 900)]),
    }


def pictures() -> dict[str, bytes | str]:
    """Photographs of a holiday, screenshots and drawings."""
    first_evening = scenes.sunset(3, "2026:07:11 21:04:50")
    chart = scenes.chart_window()
    return {
        "IMG_20260711_210450.jpg": first_evening,
        HOLIDAY + "IMG_20260711_210450 (1).jpg": first_evening,
        HOLIDAY + "DSC00412.JPG": scenes.beach(5, "2026:07:12 10:31:07"),
        HOLIDAY + "DSC00413.JPG": scenes.beach(6, "2026:07:12 10:31:44"),
        HOLIDAY + "Möwen am Strand.jpg": scenes.beach(11, "2026:07:13 15:20:00"),
        HOLIDAY + "2026-07-14 Wanderung.jpeg": scenes.mountains(8, "2026:07:14 11:48:19"),
        HOLIDAY + "2026-07-14 Gipfel.jpeg": scenes.mountains(5, "2026:07:14 13:02:33"),
        HOLIDAY + "letzter abend.jpg": scenes.sunset(5, "2026:07:17 21:12:08"),
        "IMG_4711.jpg": scenes.mountains(21, "2025:12:27 12:00:59"),
        "Screenshot 2026-05-02 at 10.14.33.png": scenes.error_window(),
        "Bildschirmfoto 2026-08-31 um 09.02.11.png": chart,
        "Archiv alt/stromverbrauch.png": chart,
        "screenshot_20260601.PNG": scenes.table_window(),
        "Unbenannt.png": scenes.terminal_window(),
        "logo.svg": texts.LOGO,
        "floor plan SHED.svg": texts.FLOOR_PLAN,
    }


def plain_texts() -> dict[str, bytes | str]:
    """Notes, tables, settings, mail and calendars."""
    return {
        "meeting notes.txt": texts.MEETING_NOTES,
        "Archiv alt/Meeting Notes copy.txt": texts.MEETING_NOTES,
        "zähler märz.txt": texts.METER_MARCH,
        "zähler april.txt": texts.METER_APRIL,
        "Einkaufsliste.txt": texts.SHOPPING,
        "TODO.md": texts.TODO,
        "Archiv alt/todo OLD.md": texts.TODO_OLD,
        "ideas weather.md": texts.IDEAS,
        "bread.txt": texts.BREAD,
        "novel_draft_3.txt": texts.DRAFT,
        "budget 2026.csv": texts.BUDGET,
        "Archiv alt/Copy of budget 2026.csv": texts.BUDGET,
        "budget 2026 NEW.csv": texts.BUDGET_NEW,
        "kontoauszug_02_2026.csv": texts.STATEMENT,
        "Contacts export.csv": texts.CONTACTS,
        "mette.vcf": texts.CARD,
        "settings.json": texts.SETTINGS,
        "recipes.json": texts.RECIPES,
        "playlist.xml": texts.PLAYLIST,
        "router.ini": texts.ROUTER,
        "Festival.yaml": texts.FESTIVAL,
        "backup.log": texts.LOG,
        "dentist.ics": texts.calendar(
            "dentist", "20260605T140000Z", "20260605T143000Z", "Dentist", "12 Hill Street"
        ),
        "Sommerfest.ics": texts.calendar(
            "plums", "20260912T120000Z", "20260912T180000Z", "Plum festival", "Elderbrook"
        ),
        "Re_ Your order.eml": texts.MAIL_ORDER,
        "Fwd Train tickets.eml": texts.MAIL_TICKETS,
    }


def project() -> dict[str, bytes | str]:
    """Loose scripts, and a small project in its own folder."""
    return {
        "fix_names.py": programs.FIX_NAMES,
        "Backup.sh": programs.BACKUP,
        "primes.rs": programs.PRIMES,
        "water query.sql": programs.QUERY,
        "weather-station/README.md": programs.STATION_README,
        "weather-station/Cargo.toml": programs.STATION_CARGO,
        "weather-station/src/main.rs": programs.STATION_MAIN,
        "weather-station/plot.py": programs.STATION_PLOT,
        "weather-station/test_plot.py": programs.STATION_TEST,
        "weather-station/data/readings.csv": texts.readings(4, 30),
        "weather-station/docs/sketch.svg": programs.STATION_SKETCH,
    }


def differences(folder: Path, wanted: dict[str, bytes]) -> list[str]:
    """One line for each file that is missing, different or not wanted."""
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    lines = [f"extra: {path}" for path in sorted(present - wanted.keys())]
    for path, content in wanted.items():
        if path not in present:
            lines.append(f"missing: {path}")
        elif (folder / path).read_bytes() != content:
            lines.append(f"different: {path}")
    return lines


def main() -> int:
    """Writes or compares; the exit code is 1 when something differs."""
    parser = argparse.ArgumentParser(description="Makes samples/inbox, a folder as people have them.")
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("folder", nargs="?", type=Path, default=OWN_FOLDER / "inbox")
    arguments = parser.parse_args()
    wanted = files()
    if arguments.check:
        found = differences(arguments.folder, wanted)
        print("\n".join(found) or f"{len(wanted)} files are as they should be")
        return 1 if found else 0
    for path, content in wanted.items():
        target = arguments.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    print(f"wrote {len(wanted)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
