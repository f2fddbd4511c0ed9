"""A teacher's folder: classes, grades, absences, worksheets, a trip, two copies of a plan, and folders named like kinds."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

GRADES = """student,class,math,english,sport
Amira Khan,7a,2,1,3
Ben Wolff,7a,4,3,1
Clara Ruiz,7b,1,2,2
David Ostrow,7b,5,4,2
Elif Demir,7b,3,3,
"""
ABSENCES = """student,date,hours,excused
Amira Khan,2026-09-08,2,yes
Ben Wolff,2026-09-08,6,no
Ben Wolff,2026-10-20,4,no
David Ostrow,2026-10-21,6,yes
Elif Demir,2026-11-03,1,yes
"""
TRIP = """student,due,paid
Amira Khan,180,180
Ben Wolff,180,90
Clara Ruiz,180,180
David Ostrow,180,0
Elif Demir,150,150
"""
PLAN = "Mon math\nTue english\nWed sport\nThu math\nFri trip\n"

FILES: list[File] = [
    ("timetable.txt", PLAN, 20),
    ("supplies.txt", "chalk\nred pens 12\npaper 500 sheets\n", 33),
    ("Grades/grades autumn.csv", GRADES, 6),
    ("Grades/grades spring.csv", "student,class,math\nAmira Khan,7a,3\nBen Wolff,7a,4\n", 190),
    ("Grades/absences.csv", ABSENCES, 8),
    ("Worksheets/fractions v1.docx", docx("Fractions, first version"), 80),
    ("Worksheets/fractions v2.docx", docx("Fractions, second version with pictures"), 30),
    ("Worksheets/past tense.docx", docx("The past tense: was and were"), 44),
    ("Worksheets/solutions.pdf", pdf("Solutions for fractions"), 29),
    ("Worksheets/images/cake.png", png("cake", 400, 300, 90_000), 31),
    ("Worksheets/images/pie.png", png("pie", 1200, 900, 400_000), 31),
    ("Worksheets/images/ruler.jpg", jpg("ruler"), 30),
    ("Exams/2025/exam 7a.pdf", pdf("Exam 7a, fractions and angles"), "2025-11-14"),
    ("Exams/2026/exam 7a.pdf", pdf("Exam 7a, percentages"), "2026-05-20"),
    ("Exams/2026/exam 7b.pdf", pdf("Exam 7b, percentages and rates"), "2026-05-21"),
    ("Exams/scans/scan_01.jpg", jpg("scan1"), 18),
    ("Exams/scans/scan_02.jpg", jpg("scan2"), 18),
    ("Exams/scans/scan_02 copy.jpg", jpg("scan2"), 17),
    ("Trip Kassel/payments.csv", TRIP, 3),
    ("Trip Kassel/program.md", "# Trip\n- museum on Tuesday\n- boat at 14:00\n- Rückfahrt am Freitag\n", 15),
    ("Trip Kassel/Elternbrief.docx", docx("Liebe Eltern, die Fahrt kostet 180 Euro."), 40),
    ("Trip Kassel/bus offer.pdf", pdf("Offer: bus for 30 persons, 1,140.00 EUR"), 37),
    ("Trip Kassel/train offer.pdf", pdf("Offer: train for 30 persons, 990.00 EUR"), 36),
    ("videos/experiment.mp4", noise("experiment", 3_900_000), 70),
    ("videos/welcome.mov", noise("welcome", 1_200_000), 300),
    ("scripts/mark.py", "import csv\nprint('marks')\n", 60),
    ("scripts/readme.md", "run mark.py\n", 60),
    ("Plan A/timetable.txt", PLAN, 20),
    ("Plan A/rooms.txt", "7a room 12\n7b room 14\n", 20),
    ("Plan B/timetable.txt", PLAN.replace("Wed sport", "Wed art"), 10),
    ("Plan B/duty.txt", "Mon: yard\nThu: bus stop\n", 10),
    ("archive/old list.xls", noise("oldlist", 15_000), "2022-07-01"),
    ("archive/certificates.zip", zipped({"amira.txt": "A", "ben.txt": "B"}), "2025-07-20"),
    ("archive/notes/", "", 400),
    ("Thumbs.db", noise("th", 4_000), 500),
    ("new 1.txt", "", 9),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
