"""A laptop that a flat shares: a student's seminar, a developer's project, a nurse's shifts, a musician's songs, downloads."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

SHIFTS = """date,nurse,ward,shift,hours
2026-11-02,Kim,3B,early,8
2026-11-02,Rosa,3B,late,8
2026-11-03,Kim,3B,night,10
2026-11-04,Dilan,ICU,early,8
2026-11-05,Rosa,ICU,night,10
2026-11-06,Kim,ICU,late,8
"""
DRUGS = """drug,stock,minimum,expires
ibuprofen,40,20,2027-03-01
saline,8,15,2026-12-15
heparin,0,5,2026-10-01
morphine,6,5,2027-08-01
"""
SETLIST = """song,key,minutes,tempo
Harbor,G,4,96
Slow Train,Em,6,70
Cold Coffee,C,3,128
Lanterns,D,5,110
"""
MAIN = """import sys


def main():
    # TODO: read the config
    print("hello")


if __name__ == "__main__":
    main()
"""
LECTURE = pdf("Lecture 2: supply and demand")

FILES: list[File] = [
    ("Downloads/setup-4.1.exe", noise("setup41", 2_400_000), 70),
    ("Downloads/lecture2.pdf", LECTURE, 35),
    ("Downloads/lecture2 (1).pdf", LECTURE, 34),
    ("Downloads/boarding pass.pdf", pdf("Boarding pass LH 1234, 2 October"), 56),
    ("Downloads/cat.gif", noise("cat", 150_000), 14),
    ("Downloads/invoice-8841.pdf", pdf("Invoice 8841, strings, 18.50 EUR"), 4),
    ("Downloads/movie.part", noise("part", 90_000), 2),
    ("Downloads/fonts.zip", zipped({"Lato.txt": "font", "licence.txt": "free"}), 20),
    ("Downloads/Screenshot 2026-11-20.png", png("shot20", 300, 200), "2026-11-20"),
    ("Downloads/Screenshot 2026-10-11.png", png("shot11", 300, 200), "2026-10-11"),
    ("Uni/Economics/lecture1.pdf", pdf("Lecture 1: markets"), "2026-10-12"),
    ("Uni/Economics/lecture2.pdf", LECTURE, "2026-10-19"),
    ("Uni/Economics/lecture3.pdf", pdf("Lecture 3: elasticity"), "2026-10-26"),
    ("Uni/Economics/summary.md", "# Summary\nMarkets clear.\nElasticity is a ratio.\n", 12),
    ("Uni/Seminar/paper draft 1.docx", docx("Draft about minimum wages"), "2026-09-01"),
    ("Uni/Seminar/paper draft 2.docx", docx("Draft about minimum wages and rents"), "2026-10-15"),
    ("Uni/Seminar/paper final.docx", docx("Minimum wages and rents, final text"), "2026-11-18"),
    ("Uni/Seminar/sources.bib", "@book{card1995}\n@article{dube2010}\n@article{neumark2007}\n", 40),
    ("Uni/Seminar/data.csv", "year,wage,rent\n2023,12,640\n2024,12.41,660\n2025,12.82,705\n", 44),
    ("Uni/grades.csv", "course,credits,grade\nMicro,6,1.7\nStats,9,2.3\nLaw,5,3.0\n", 90),
    ("code/app/main.py", MAIN, 6),
    ("code/app/util.py", "def add(a, b):\n    return a + b\n", 10),
    ("code/app/test_util.py", "from util import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n", 10),
    ("code/app/config.json", '{\n  "host": "dev.example.org",\n  "port": 8080\n}\n', 9),
    ("code/app/README.md", "# App\nRuns on dev.example.org\n", 9),
    ("code/app/build/app.log", "INFO start\nERROR no config\nINFO stop\nERROR disk full\n", 1),
    ("code/app/build/old.log", "INFO start\n", 120),
    ("code/notes.txt", "", 50),
    ("Hospital/shifts november.csv", SHIFTS, 18),
    ("Hospital/drugs.csv", DRUGS, 3),
    ("Hospital/handover 2026-11-05.txt", "Bed 4: pain\nBed 7: fever since Monday\n", "2026-11-05"),
    (
        "Hospital/handover 2026-11-06.txt",
        "Bed 4: home today\nBed 9: new, allergy to penicillin\n",
        "2026-11-06",
    ),
    ("Hospital/hygiene rules.pdf", pdf("Hygiene rules: wash your hands for 30 seconds"), "2025-01-01"),
    ("Music/setlist.csv", SETLIST, 5),
    ("Music/Demos/harbor demo.mp3", noise("harbor", 700_000), "2026-02-11"),
    ("Music/Demos/lanterns demo.mp3", noise("lanterns", 820_000), "2026-08-30"),
    ("Music/Demos/cold coffee.wav", noise("coldcoffee", 1_900_000), "2026-11-21"),
    ("Music/Lyrics/Harbor.txt", "Boats in the harbor\nsleep in the rain\n", 30),
    ("Music/Lyrics/Lanterns.txt", "Lanterns on the water\nLanterns in the rain\n", 30),
    ("Music/Lyrics/unfinished.txt", "", 3),
    ("Music/gig contract Blue Note.pdf", pdf("Gig at Blue Note, 12 December, fee 350 EUR"), 10),
    ("Pictures/flat.jpg", jpg("flat"), "2024-12-24"),
    ("Pictures/balcony.jpg", jpg("balcony"), "2025-07-05"),
    ("Pictures/sofa for sale.jpg", jpg("sofa"), 8),
    ("rent.txt", "rent 980\npaid by Kim\n", 26),
    ("old/", "", 200),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
