"""A sports club's folder: members and dues in German and English, minutes, receipts, a class list, a retiree's family things."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

MEMBERS = """nr;name;ort;eintritt;beitrag;bezahlt
1;Bernd Kahl;Aachen;2011-04-01;60;ja
2;Ute Sommer;Düren;2019-09-15;60;nein
3;Ali Demir;Aachen;2024-01-10;30;ja
4;Petra Wolf;Jülich;2024-05-03;60;nein
5;Max Kahl;Aachen;2025-02-20;30;ja
"""
CASH = """Datum;Zweck;Einnahme;Ausgabe
2026-01-10;Beiträge;240;0
2026-02-03;Bälle;0;89,90
2026-03-15;Hallenmiete;0;150
2026-05-01;Sommerfest;312,50;0
2026-05-02;Getränke;0;98,40
"""
CLASS = """student,class,math,english,absent
Lena,7a,2,1,3
Tom,7a,4,3,11
Yusuf,7b,1,2,0
Marie,7b,3,2,5
Finn,7b,5,4,8
"""
TEAM = """player,goals,games
Ali,7,10
Max,3,9
Ute,7,8
"""
TWIN = jpg("sommerfest1")

FILES: list[File] = [
    ("Mitglieder.csv", MEMBERS, 20),
    ("Kasse/Kassenbuch 2026.csv", CASH, 25),
    ("Kasse/Kassenbuch 2025.csv", "Datum;Zweck;Einnahme;Ausgabe\n2025-01-09;Beiträge;210;0\n", "2025-12-30"),
    ("Kasse/Belege/Bälle.pdf", pdf("Rechnung Sport Lang, 89,90 Euro"), "2026-02-03"),
    ("Kasse/Belege/Hallenmiete.pdf", pdf("Rechnung Stadt, Hallenmiete, 150,00 Euro"), "2026-03-15"),
    ("Kasse/Belege/Getränke.pdf", pdf("Rechnung Getraenke Koch, 98,40 Euro"), "2026-05-02"),
    ("Kasse/Belege/Scan_20260502.pdf", pdf("Quittung ohne Namen"), "2026-05-02"),
    (
        "Protokolle/Protokoll 2025-03-12.docx",
        docx("Protokoll, Vorsitz Bernd Kahl, neue Trikots"),
        "2025-03-13",
    ),
    (
        "Protokolle/Protokoll 2026-03-11.docx",
        docx("Protokoll, Vorsitz Ute Sommer, Hallenmiete"),
        "2026-03-12",
    ),
    ("Protokolle/Protokoll 2026-09-09.docx", docx("Protokoll, Vorsitz Ute Sommer, Sommerfest"), "2026-09-10"),
    ("Protokolle/Entwurf.docx", docx("Entwurf Einladung Weihnachtsfeier"), 6),
    ("Fotos/Sommerfest 1.jpg", TWIN, "2026-05-01"),
    ("Fotos/Sommerfest 2.jpg", jpg("sommerfest2"), "2026-05-01"),
    ("Fotos/Sommerfest 1 (1).jpg", TWIN, "2026-05-04"),
    ("Fotos/Mannschaft.png", png("mannschaft", 1200, 800, 500_000), "2025-08-20"),
    ("Fotos/Turnier.mp4", noise("turnier", 3_700_000), "2025-06-14"),
    ("Fotos/leer/", "", 100),
    ("Team/goals.csv", TEAM, 15),
    ("Team/training.md", "# Training\n- Mon 18:00 hall\n- Thu 19:00 field\n- TODO ask city for keys\n", 11),
    ("Team/lineup.txt", "Ali\nMax\nUte\nBernd\n", 7),
    ("School/class list.csv", CLASS, 8),
    ("School/Worksheets/fractions.docx", docx("Worksheet fractions: add the fractions"), "2026-09-20"),
    ("School/Worksheets/fractions solution.docx", docx("Solutions for fractions"), "2026-09-20"),
    ("School/Worksheets/geometry.pdf", pdf("Worksheet geometry, angles"), "2026-10-05"),
    ("School/Worksheets/percent.pdf", pdf("Worksheet percent, discounts"), "2026-11-02"),
    ("School/Tests/test 1 math.docx", docx("Test 1: fractions, 30 points"), "2026-10-01"),
    ("School/Tests/test 2 math.docx", docx("Test 2: geometry, 25 points"), "2026-11-10"),
    ("School/letters/parents evening.docx", docx("Dear parents, the evening is on 3 December"), 5),
    ("School/letters/trip.docx", docx("Dear parents, we go to the zoo, 12 EUR per child"), 16),
    ("Opa Heinz/Stammbaum.txt", "Heinz *1948\nGerda *1950\nBernd *1975\n", "2023-02-02"),
    ("Opa Heinz/Rente 2025.pdf", pdf("Rentenbescheid 2025, 1.420,00 Euro"), "2025-07-01"),
    ("Opa Heinz/Rente 2026.pdf", pdf("Rentenbescheid 2026, 1.475,00 Euro"), "2026-07-01"),
    ("Opa Heinz/Enkel.jpg", jpg("enkel"), "2026-08-15"),
    ("Opa Heinz/Rezept Apfelkuchen.txt", "6 Äpfel\n200 g Butter\n250 g Mehl\n3 Eier\n", "2022-10-10"),
    ("Alt/Satzung alt.pdf", pdf("Satzung von 1998"), "2018-01-01"),
    ("Alt/backup.zip", zipped({"Mitglieder 2019.csv": "nr;name\n", "Kasse 2019.csv": "x\n"}), "2019-12-31"),
    ("Alt/~$Entwurf.docx", "x", 500),
    ("Alt/notes.bak", "old", 800),
    ("Satzung.pdf", pdf("Satzung des Vereins, Beitrag 60 Euro"), "2024-02-02"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
