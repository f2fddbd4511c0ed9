"""The three folders that the requests are about: names, sizes, contents and dates as real folders have them."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime, timedelta
from pathlib import Path

__all__ = ["FOLDERS", "build"]

# A name, then its size in KB or its text, then its date: a day, or how many days ago. A folder's name ends in `/`.
Spec = list[tuple[str, float | str, str | float]]

HOME: Spec = [
    ("Invoices/invoice_2024-01_acme.pdf", 120, "2024-01-15"),
    ("Invoices/invoice_2024-02_acme.pdf", 95, "2024-02-14"),
    ("Invoices/invoice_2025-03_globex.pdf", 210, "2025-03-02"),
    ("Invoices/Rechnung Telekom März.pdf", 80, "2025-03-28"),
    ("Letters/landlord.docx", 30, "2023-11-05"),
    ("Letters/cover letter.docx", 25, 20),
    ("Letters/letter to grandma.txt", "Dear grandma,\nour landlord sends his regards.\n", 45),
    ("Taxes/tax return 2023.pdf", 450, "2024-05-20"),
    ("Taxes/tax return 2024.pdf", 480, "2025-05-18"),
    ("Taxes/Steuer 2024.xlsx", 60, "2025-05-17"),
    ("Notes/ideas.md", "# Ideas\nlearn the piano\n", 0.999),
    ("Notes/shopping.txt", "bread\nmilk\nsee the dentist\n", 60),
    ("Notes/meeting notes.md", "# Meeting\nthe budget is too small\n", 3),
    ("Notes/todo.txt", "buy milk\nTODO call the bank\nwater plants\nbook train\nTODO fix bike\nsleep\n", 30),
    ("Notes/empty.txt", "", 30),
    ("Old/budget_old.xlsx", 45, "2021-06-01"),
    ("Old/cv_2019.doc", 50, "2019-04-01"),
    ("Old/backup.zip", 5000, "2022-02-02"),
    ("Empty folder/", 0, 30),
    ("Archive/", 0, 30),
    ("Scans/scan001.jpg", 1200, 50),
    ("Scans/scan001 (1).jpg", 1200, 50),
    ("Scans/passport.jpg", 1100, 200),
    ("budget.xlsx", 70, 1),
    ("budget copy.xlsx", 70, 1),
    ("presentation.pptx", 8000, 100),
    ("Setup.exe", 15000, "2024-07-10"),
    ("recipes.docx", 40, "2025-10-10"),
    ("untitled.tmp", "", 10),
    ("draft.tmp", 3, 10),
    ("novel.epub", 600, 300),
    ("README.txt", "Read me first.\n", 80),
    ("Letters/Bewerbung.docx", 28, 90),
]
PHOTOS: Spec = [
    ("IMG_0001.jpg", 1500, "2024-07-03"),
    ("IMG_0002.jpg", 2500, "2024-07-04"),
    ("IMG_0003.jpg", 3500, "2025-08-10"),
    ("IMG_0004.jpg", 2800, "2025-08-11"),
    ("IMG_0005.jpg", 4500, 3),
    ("IMG_0006.jpg", 2900, 1),
    ("Screenshot 2025-01-05.png", 300, "2025-01-05"),
    ("Screenshot 2025-02-10.png", 350, "2025-02-10"),
    ("holiday/beach.jpg", 1900, "2023-08-01"),
    ("holiday/sunset.JPG", 1700, "2023-08-02"),
    ("holiday/video1.mp4", 40000, "2023-08-02"),
    ("holiday/notes.txt", "sun and sea\n", "2023-08-03"),
    ("wedding/DSC_1001.jpg", 3900, "2025-05-05"),
    ("wedding/DSC_1002.jpg", 900, "2025-05-05"),
    ("wedding/DSC_1002 copy.jpg", 900, "2025-05-05"),
    ("wedding/speech.mp3", 5000, "2022-05-05"),
    ("raw/DSC_1001.CR2", 20000, "2022-05-05"),
    ("raw/DSC_1002.CR2", 22000, "2022-05-05"),
    ("music/song one.mp3", 4000, "2020-01-01"),
    ("music/song two.flac", 30000, "2022-01-01"),
    ("music/podcast.m4a", 7000, "2019-12-01"),
    ("clips/cat.mov", 60000, "2023-03-03"),
    ("clips/dog.avi", 12000, "2023-03-04"),
    ("clips/old clip.wmv", 8000, "2018-06-01"),
    ("logo.svg", 0.8, "2023-01-01"),
    ("icon.gif", 20, "2023-01-01"),
    ("cover.png", 600, "2023-01-02"),
    ("thumbs.db", 50, "2023-01-01"),
    ("empty album/", 0, 30),
]
WORK: Spec = [
    ("logs/app-2025-01.log", 800, "2026-01-31"),
    ("logs/app-2025-02.log", 900, "2026-02-28"),
    ("logs/error.log", "ERROR disk full\nINFO retry\nERROR connection lost\n", 2 + 8),
    ("logs/old.log", 200, "2023-05-05"),
    ("empty.log", "", 20),
    ("data/sales.csv", "date,region,amount\n2026-01-01,north,100\n2026-01-02,south,200\n2026-01-03,north,150\n", 30),
    ("data/customers.csv", "name,city,note\nAnna,Berlin,invoice open\nBob,Paris,ok\n", 40),
    ("data/export.json", "{}\n", 40),
    ("src/main.py", "import sys\n# TODO handle errors\nfoo = 1\nprint(foo)\n", 2),
    ("src/utils.py", "def helper():\n    return 1  # FIXME slow\n", 100),
    ("src/test_main.py", "import main\n", 100),
    ("src/index.js", "console.log(1)\n", 200),
    ("src/style.css", "a {}\n", 200),
    ("docs/readme.md", "# Docs\n", 100),
    ("docs/guide.md", "# Guide\nrun the install script first\nthen send an invoice to us\n", 100),
    ("docs/changelog.md", "# Changes\n", 100),
    ("docs/spec.pdf", 300, "2025-02-03"),
    ("reports/report_jan.docx", 40, "2026-01-31"),
    ("reports/report_feb.docx", 41, "2026-02-28"),
    ("reports/report_final.docx", 42, "2026-03-31"),
    ("reports/report_final_v2.docx", 43, "2026-04-01"),
    ("build/out.o", 500, 20),
    ("build/app.bin", 10000, 20),
    ("main.py.bak", "import sys\n", 50),
    ("config.yaml", "port: 8080\nhost: localhost\n", 100),
    ("notes.txt", "the deadline is friday\n", 1),
    ("deploy.sh", "rsync -a src/ server:\n", 200),
    ("cache.tmp", 5, 20),
    ("data.tar.gz", 700, 300),
    ("backup/main.py", "import sys\n# TODO handle errors\nfoo = 1\nprint(foo)\n", 20),
    ("Makefile", "all:\n\techo hi\n", 100),
    ("tmp/", 0, 20),
]
FOLDERS: dict[str, Spec] = {"home": HOME, "photos": PHOTOS, "work": WORK}


def build(name: str, root: Path, now: datetime) -> None:
    """Makes the folder; files of the same size differ in content, except for those that are named as copies."""
    for path, content, when in FOLDERS[name]:
        at = (
            now - timedelta(days=when)
            if isinstance(when, (int, float))
            else datetime.fromisoformat(when + "T12:00:00").astimezone()
        )
        entry = root / path
        entry.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            entry.mkdir(exist_ok=True)
            continue
        if isinstance(content, str):
            entry.write_text(content, encoding="utf-8")
        else:
            same_as = path.replace(" copy", "").replace(" (1)", "")
            with entry.open("wb") as file:
                file.write(hashlib.sha256(same_as.encode()).digest())
                # Sparse: the sizes are real, the room they take is not.
                file.truncate(round(content * 1000))
        os.utime(entry, (at.timestamp(), at.timestamp()))
