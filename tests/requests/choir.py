"""A choir's folder: scores and practice tracks, concerts, members, minutes, receipts, a small website, and some rubbish."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

MEMBERS = """name,voice,city,joined,fee
Hanna Vogel,alto,Jena,2019,60
Uwe Kern,bass,Weimar,2012,60
Mia Lang,soprano,Jena,2024,30
Tom Reis,tenor,Erfurt,2021,60
Ada Holm,soprano,Weimar,2023,30
Jan Beck,tenor,Jena,2025,30
"""
BUDGET = "item,planned,spent\nhall,400,420\nposters,120,95.50\nflowers,60,40\nsoloist,500,500\n"
AVE = pdf("Ave verum corpus, Mozart")

FILES: list[File] = [
    ("Read me first.txt", "Choir folder.\nHanna keeps the scores.\nUwe keeps the money.\n", "2022-09-01"),
    ("Scores/Bach - Jesu meine Freude.pdf", pdf("Jesu meine Freude, five voices"), "2023-10-02"),
    ("Scores/Bach - Magnificat.pdf", pdf("Magnificat in D, orchestra and trumpets"), "2024-09-11"),
    ("Scores/Mozart - Ave verum.pdf", AVE, "2022-03-03"),
    ("Scores/Mozart - Ave verum (1).pdf", AVE, "2022-03-04"),
    ("Scores/Rutter - Look at the world.pdf", pdf("Look at the world, John Rutter"), 26),
    ("Scores/alto/Bach alto.mp3", noise("bach alto", 900_000), "2024-10-01"),
    ("Scores/alto/Rutter alto.mp3", noise("rutter alto", 1_100_000), 25),
    ("Scores/tenor/Bach tenor.mp3", noise("bach tenor", 950_000), "2024-10-02"),
    ("Scores/tenor/Rutter tenor.ogg", noise("rutter tenor", 700_000), 24),
    ("Scores/Old/", "", 300),
    ("Concerts/2024 Christmas/program.docx", docx("Christmas program: Bach, Praetorius"), "2024-12-01"),
    ("Concerts/2024 Christmas/poster.png", png("xmas poster", 400, 600, 800_000), "2024-11-20"),
    *((f"Concerts/2024 Christmas/IMG_700{n}.jpg", jpg(f"c7{n}"), "2024-12-15") for n in (1, 2, 3)),
    ("Concerts/2026 Spring/program.docx", docx("Spring program: Rutter, Mozart"), "2026-04-20"),
    ("Concerts/2026 Spring/poster draft.png", png("draft", 200, 300, 50_000), "2026-03-20"),
    ("Concerts/2026 Spring/poster final.png", png("final", 800, 1200, 600_000), "2026-04-02"),
    ("Concerts/2026 Spring/recording.wav", noise("recording", 5_200_000), "2026-05-09"),
    *((f"Concerts/2026 Spring/IMG_810{n}.jpg", jpg(f"c8{n}"), "2026-05-09") for n in (1, 2, 3)),
    ("Concerts/2026 Spring/budget.csv", BUDGET, "2026-05-20"),
    ("Members/members.csv", MEMBERS, 18),
    ("Members/former members.csv", "name,voice,left\nEva Roth,alto,2020\n", "2021-01-10"),
    ("Members/birthday list.txt", "Hanna 3 May\nUwe 12 July\nMia 30 May\n", 90),
    ("Members/photo Hanna.jpg", jpg("hanna"), "2020-08-08"),
    ("Minutes/2025-11-03 Minutes.docx", docx("We sing in the museum. Uwe reports."), "2025-11-04"),
    ("Minutes/2026-02-02 Minutes.docx", docx("The choir buys new chairs."), "2026-02-03"),
    ("Minutes/2026-06-15 Minutes.docx", docx("Summer party in the garden of Ada."), "2026-06-16"),
    (
        "Minutes/Protokoll Sommer.md",
        "# Sommer\nDas Sommerfest war schön.\nTODO Rechnung zahlen\n",
        "2026-07-20",
    ),
    ("Kasse/Beleg Noten.pdf", pdf("Beleg: Noten, 84,50 Euro"), "2026-01-15"),
    ("Kasse/Beleg Saalmiete.pdf", pdf("Beleg: Saalmiete, 420,00 Euro"), "2026-05-12"),
    ("Kasse/Spendenquittung Vogel.pdf", pdf("Spende von Hanna Vogel, 100 Euro"), "2025-12-30"),
    (
        "Kasse/Kassenbuch 2025.csv",
        "datum,zweck,betrag\n2025-03-01,Noten,70\n2025-09-01,Miete,380\n",
        "2026-01-02",
    ),
    (
        "Kasse/Kassenbuch 2026.csv",
        "datum,zweck,betrag\n2026-01-15,Noten,84.5\n2026-05-12,Miete,420\n2026-06-15,Fest,95\n",
        30,
    ),
    ("Website/index.html", "<h1>Choir</h1>\n<p>Write to choir@old.example</p>\n", "2025-02-02"),
    ("Website/contact.html", "<p>choir@old.example</p>\n", "2025-02-03"),
    ("Website/news.html", "<p>Concert on Sunday</p>\n", 45),
    ("Website/style.css", "p { color: navy }\n", "2025-02-02"),
    ("Mist/tmp1.tmp", "x", 3),
    ("Mist/tmp2.tmp", "y", 120),
    ("Mist/leer.txt", "", 50),
    ("Mist/setup_player.exe", noise("player", 2_600_000), "2023-03-03"),
    ("Mist/alt.zip", zipped({"alt.txt": "alt\n", "bild.txt": "bild\n"}), "2023-04-04"),
    ("Mist/leerer Ordner/", "", 300),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
