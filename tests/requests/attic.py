"""One computer of a family: a family tree, games, a small server's files, taxes, recipes, books, and a folder to sort."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

PEOPLE = """given,family,born,died,place
Karl,Schmidt,1899,1967,Bremen
Emma,Schmidt,1901,1980,Bremen
Otto,Brandt,1925,1944,Kiel
Lena,Brandt,1928,2010,Hamburg
"""
LETTER = jpg("letter 1944")
ACCESS = "GET / 200\nGET /shop 404\nGET /about 200\nPOST /login 500\n"

FILES: list[File] = [
    ("Family tree/schmidt.ged", "0 HEAD\n1 CHAR UTF-8\n1 NAME Karl /Schmidt/\n", "2023-01-15"),
    ("Family tree/people.csv", PEOPLE, "2023-02-20"),
    ("Family tree/Scans/birth 1901.tif", noise("birth", 300_000), "2021-05-05"),
    ("Family tree/Scans/wedding 1923.jpg", jpg("wedding"), "2021-05-06"),
    ("Family tree/Scans/letter 1944.jpg", LETTER, "2021-05-07"),
    ("Family tree/Scans/letter 1944 (2).jpg", LETTER, "2021-05-08"),
    (
        "Family tree/Letters/Emma to Karl.txt",
        "Dear Karl,\nthe harvest was poor.\nYours, Emma\n",
        "2022-02-02",
    ),
    (
        "Family tree/Letters/Karl to Emma.txt",
        "Dear Emma,\nthe ship leaves Bremen on Friday.\nKarl\n",
        "2022-02-03",
    ),
    ("Family tree/Letters/transcript.docx", docx("Letter of 1944, written in Bremen"), "2022-03-01"),
    ("Games/Saves/slot1.sav", noise("slot1", 120_000), 2),
    ("Games/Saves/slot2.sav", noise("slot2", 130_000), 9),
    ("Games/Saves/slot3.sav", noise("slot3", 90_000), 200),
    ("Games/Mods/better-trees.jar", noise("trees", 1_400_000), 100),
    ("Games/Mods/fast-boats.jar", noise("boats", 600_000), 60),
    ("Games/Mods/old-map.zip", zipped({"map.dat": "map", "readme.txt": "old map"}), 500),
    ("Games/Clips/win.mp4", noise("win", 4_800_000), 3),
    ("Games/Clips/fail.mp4", noise("fail", 2_100_000), 6),
    ("Games/Clips/boss fight.mkv", noise("boss", 5_900_000), 31),
    ("Games/Screens/castle.png", png("castle", 320, 200, 40_000), "2026-08-01"),
    ("Games/Screens/dragon.png", png("dragon", 640, 400, 90_000), "2026-08-02"),
    ("Games/Screens/village.png", png("village", 320, 200, 20_000), "2026-08-09"),
    ("Games/server.properties", "motd=hello\nmax-players=10\npvp=true\n", 80),
    ("Games/latest.log", "INFO start\nWARN lag\nERROR timeout\nINFO stop\n", 1),
    ("Server/docker-compose.yml", "services:\n  web:\n    image: nginx\n", 150),
    ("Server/nginx.conf", "server_name old.example.org;\nlisten 80;\n", 140),
    ("Server/app.conf", "host=old.example.org\nport=8080\n", 130),
    ("Server/backup.sh", "tar cf b.tar .\n", 160),
    ("Server/restore.sh", "tar xf b.tar\n", 161),
    ("Server/notes.md", "# Server\nTODO renew certificate\nTODO move to new host\n", 20),
    ("Server/logs/access.log", ACCESS, 1),
    ("Server/logs/access.log.1", "GET / 200\n", 8),
    ("Server/logs/error.log", "disk full\ndisk full\nout of memory\n", 4),
    ("Server/dumps/db-2026-01.sql", noise("db1", 400_000), "2026-01-31"),
    ("Server/dumps/db-2026-02.sql", noise("db2", 450_000), "2026-02-28"),
    ("Server/dumps/db-2026-03.sql", noise("db3", 500_000), "2026-03-31"),
    ("Server/certs/", "", 300),
    ("Steuer/2024/Bescheid.pdf", pdf("Steuerbescheid 2024"), "2025-06-10"),
    ("Steuer/2024/Rechnung Laptop.pdf", pdf("Rechnung Laptop 999,00 Euro"), "2024-05-05"),
    ("Steuer/2025/Rechnung Stuhl.pdf", pdf("Rechnung Stuhl 249,00 Euro"), "2025-03-08"),
    ("Steuer/2025/Rechnung Handy.pdf", pdf("Rechnung Handy 399,00 Euro"), "2025-10-19"),
    ("Steuer/2025/Notizen.txt", "Handy nur halb\nStuhl ganz\n", "2026-02-11"),
    ("Rezepte/Apfelkuchen.txt", "Äpfel\nMehl\nZucker\n", "2020-10-10"),
    ("Rezepte/Linsensuppe.txt", "Linsen\nMöhren\nEssig\n", "2021-11-11"),
    ("Rezepte/Brot.docx", docx("Brot: Mehl, Wasser, Salz"), "2022-12-12"),
    ("Rezepte/cookies.txt", "flour\nsugar\nchocolate\n", 70),
    ("Bücher/verne.epub", noise("verne", 350_000), "2019-01-01"),
    ("Bücher/kafka.epub", noise("kafka", 250_000), "2019-02-02"),
    ("Bücher/manual.pdf", pdf("Manual of the washing machine"), "2018-03-03"),
    ("Sort me/invoice_2025_01.pdf", pdf("Invoice for hosting, 12.00 EUR"), "2025-01-31"),
    ("Sort me/invoice_2025_02.pdf", pdf("Invoice for a domain, 15.00 EUR"), "2025-02-28"),
    ("Sort me/IMG_0420.jpg", jpg("0420"), 15),
    ("Sort me/IMG_0421.jpg", jpg("0421"), 14),
    ("Sort me/voice memo.m4a", noise("memo", 200_000), 13),
    ("Sort me/untitled.txt", "", 12),
    ("Sort me/untitled 2.txt", "buy a rope\n", 11),
    ("Sort me/setup.dmg", noise("dmg", 1_700_000), 400),
    ("Sort me/letter.odt", noise("odt", 30_000), 410),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
