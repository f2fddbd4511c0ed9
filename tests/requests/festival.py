"""A small music festival's folder: acts, tickets, volunteers, posters, riders, press photos, a phone's dump, and old years."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

ACTS = """act,stage,day,fee,signed
Blue Tram,main,2026-08-07,1200,yes
Kiosk,tent,2026-08-07,300,no
Ola Berg,main,2026-08-08,900,yes
Die Pendler,tent,2026-08-08,450,no
Nachtbus,main,2026-08-08,700,yes
"""
TICKETS = """type,price,sold,capacity
day,25,180,200
weekend,45,320,300
student,15,60,100
vip,90,0,20
"""
VOLUNTEERS = """name,shift,hours,phone
Mara,bar,8,0170-1
Jonas,gate,6,
Sofia,bar,4,0170-3
Emil,stage,10,0170-4
Lotte,gate,6,
"""
COSTS_25 = "item,cost\nstage,2400\ntoilets,800\nsecurity,1500\n"
COSTS_26 = "item,cost\nstage,2600\ntoilets,950\nsecurity,1500\nlights,400\n"

FILES: list[File] = [
    ("README.md", "# Festival\nContact: ola@festival.example\nWifi password: sommer26\n", 50),
    ("Lineup/acts.csv", ACTS, 21),
    ("Lineup/Riders/Blue Tram rider.pdf", pdf("Rider Blue Tram: two vocal mics, vegan dinner for 5"), 30),
    ("Lineup/Riders/Kiosk rider.pdf", pdf("Rider Kiosk: one DI box"), 28),
    ("Lineup/Riders/Nachtbus rider v2.docx", docx("Rider Nachtbus: drum riser, towels"), 12),
    ("Lineup/Contracts/Blue Tram signed.pdf", pdf("Contract Blue Tram, fee 1200 EUR, signed"), 25),
    ("Lineup/Contracts/Kiosk draft.docx", docx("Contract Kiosk, fee 300 EUR, draft"), 24),
    ("Lineup/Contracts/Ola Berg signed.pdf", pdf("Contract Ola Berg, fee 900 EUR, signed"), 26),
    ("Money/tickets.csv", TICKETS, 2),
    ("Money/costs 2025.csv", COSTS_25, 380),
    ("Money/costs 2026.csv", COSTS_26, 14),
    ("Money/Receipts/Beleg Strom.pdf", pdf("Beleg Strom 212,40 Euro"), 16),
    ("Money/Receipts/Beleg Wasser.pdf", pdf("Beleg Wasser 58,10 Euro"), 15),
    ("Team/volunteers.csv", VOLUNTEERS, 5),
    ("Team/meeting 2026-05-04.txt", "Who brings tents?\nSofia asks the city.\n", "2026-05-04"),
    ("Team/meeting 2026-06-15.txt", "City says yes.\nEmil rents lights.\n", "2026-06-15"),
    ("Posters/poster A.png", png("pA", 800, 1200, 900_000), 60),
    ("Posters/poster B.png", png("pB", 1200, 800, 500_000), 58),
    ("Posters/poster B small.png", png("pBs", 300, 200, 40_000), 58),
    ("Posters/print/poster A.pdf", pdf("Poster A for print"), 55),
    ("Press/crowd.jpg", jpg("crowd"), 100),
    ("Press/crowd (1).jpg", jpg("crowd"), 99),
    ("Press/ola.jpg", jpg("ola"), 98),
    ("Press/press text.docx", docx("Three days of music by the lake"), 97),
    ("phone dump/IMG_5001.JPG", jpg("5001"), 1),
    ("phone dump/IMG_5002.JPG", jpg("5002"), 1),
    ("phone dump/VID_0007.mp4", noise("vid7", 4_100_000), 1),
    ("phone dump/voice 3.m4a", noise("voice3", 300_000), 2),
    ("phone dump/screenshot map.png", png("map", 90, 160, 5_000), 4),
    ("downloads/mixer_setup.exe", noise("mixer", 2_800_000), 33),
    ("downloads/stage plan.zip", zipped({"plan.txt": "stage left", "legend.txt": "x = power"}), 22),
    ("downloads/wetter.html", "<p>Regen</p>\n", 3),
    ("downloads/part1.crdownload", noise("part", 90_000), 3),
    ("old/2023/acts.csv", "act,fee\nBlue Tram,800\n", "2023-05-05"),
    ("old/2023/flyer.pdf", pdf("Flyer 2023"), "2023-06-01"),
    ("old/2024/flyer.pdf", pdf("Flyer 2024"), "2024-06-01"),
    ("old/unsorted/", "", 700),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
