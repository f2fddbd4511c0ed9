"""The household's folder that the requests are about: real pictures, documents and archives, with dates of their own."""

from __future__ import annotations

import io
import os
import random
import struct
import zipfile
import zlib
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

__all__ = ["File", "build", "docx", "jpg", "noise", "pdf", "place", "png", "zipped"]

# Path, content, and when it was changed: a day, or how many days ago. A folder's path ends in `/`.
File = tuple[str, bytes | str, str | int]


@cache
def noise(name: str, size: int) -> bytes:
    """Bytes that no other file has."""
    return random.Random(name).randbytes(size)


def png(name: str, width: int, height: int, padding: int = 200) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress(b"".join(b"\0" + bytes(3 * width) for _ in range(height)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, data)
        for kind, data in (
            (b"IHDR", header),
            (b"paDd", noise(name, padding)),
            (b"IDAT", pixels),
            (b"IEND", b""),
        )
    )


def jpg(name: str) -> bytes:
    return (
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
        + noise(name, 2000)
        + b"\xff\xd9"
    )


def pdf(text: str) -> bytes:
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def zipped(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 12, 0, 0)), text)
    return out.getvalue()


def docx(text: str) -> bytes:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    package = "http://schemas.openxmlformats.org/package/2006"
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>',
        }
    )


EXPENSES = """date,category,amount
2026-01-03,rent,850.00
2026-01-05,food,80.25
2026-01-09,bus,47.50
2026-01-12,food,40.50
"""
MEMBERS = """name,city,age,email
Anna Bauer,Berlin,30,anna@example.org
Ben Ott,Hamburg,40,ben@example.org
Carl Dietz,Berlin,45,carl@example.org
Dora Engel,Munich,61,dora@example.org
"""
RECIPES = "Pancakes\n200 g flour\n2 eggs\nFry.\n\nPea soup\nLet it simmer\nserve hot\n"
SALES_2025 = "month,amount\n2025-01,100\n2025-02,250\n"
MILLER = docx("Lease agreement with Miller, notice period three months.")

FILES: list[File] = [
    ("todo.txt", "call the bank\nwater the plants\n", 0),
    ("recipes.txt", RECIPES, "2025-03-02"),
    ("Ideen.md", "# Ideen\nGarten\n", 1),
    ("Archive/", "", 300),
    ("Documents/Contract Miller.docx", MILLER, "2024-05-12"),
    ("Documents/Contract Miller (1).docx", MILLER, "2024-05-13"),
    ("Documents/tax 2023.pdf", pdf("Tax assessment 2023 Finanzamt Mitte"), "2024-02-20"),
    ("Documents/tax 2024.pdf", pdf("Tax assessment 2024 Finanzamt Mitte, to be paid"), "2025-02-18"),
    ("Documents/letter to landlord.txt", "Dear Mr Miller,\nas our landlord you know the roof.\n", 40),
    ("Documents/cv_old.docx", docx("Curriculum vitae 2021"), "2021-06-01"),
    ("Documents/cv_new.docx", docx("Curriculum vitae of today, longer"), 20),
    ("Documents/empty note.txt", "", 5),
    ("Documents/Board Minutes March.md", "# March\nThe board agreed.\n", 240),
    ("Documents/Board Minutes April.md", "# April\nThe board disagreed.\n", 210),
    ("Downloads/setup-tool-1.2.exe", noise("setup", 3_000_000), 200),
    ("Downloads/ubuntu-guide.pdf", pdf("How to install Ubuntu on any machine"), 5),
    ("Downloads/invoice-acme-0042.pdf", pdf("ACME invoice 0042, total 120.00 EUR"), 10),
    ("Downloads/invoice-acme-0043.pdf", pdf("ACME invoice 0043, total 75.50 EUR."), 12),
    ("Downloads/IMG_1001.jpg", jpg("IMG_1001"), 1),
    ("Downloads/IMG_1002.jpg", jpg("IMG_1002"), 2),
    ("Downloads/IMG_1003.jpg", jpg("IMG_1003"), 3),
    ("Downloads/IMG_1004.jpg", jpg("beach"), 4),
    ("Downloads/Screenshot 2026-10-03 at 10.11.12.png", png("shot", 60, 40), "2026-10-03"),
    ("Downloads/song one.mp3", noise("song", 1_200_000), 60),
    ("Downloads/podcast-ep12.mp3", noise("podcast", 2_500_000), 61),
    ("Downloads/movie clip.mp4", noise("movie", 6_000_000), 63),
    ("Downloads/archive.zip", zipped({"a.txt": "first\n", "sub/b.txt": "second\n"}), 62),
    ("Downloads/report.tmp", "half a report", 20),
    ("Downloads/cache.tmp", "cached things", 21),
    ("Downloads/report (copy).csv", SALES_2025, 30),
    ("Pictures/Summer 2025/notes.txt", "the sea was warm\n", "2025-07-14"),
    *((f"Pictures/Summer 2025/DSC_000{n}.JPG", jpg(f"DSC_{n}"), f"2025-07-{11 + n}") for n in range(1, 6)),
    ("Pictures/Winter/snow1.png", png("snow1", 30, 20), "2026-02-02"),
    ("Pictures/Winter/snow2.png", png("snow2", 30, 20), "2026-02-03"),
    ("Pictures/wallpaper.png", png("wall", 640, 400, 1_500_000), "2026-01-20"),
    ("Pictures/raw/", "", 300),
    ("Projects/website/index.html", "<h1>Demo</h1>\n", 90),
    ("Projects/website/style.css", "h1 { color: teal }\n", 90),
    ("Projects/website/app.js", "const a = 1;\n// TODO remove\nconsole.log(a);\nexport {};\n", 80),
    ("Projects/website/README.md", "# Demo site\nOpen index.html.\n", 90),
    ("Projects/website/LICENSE", "Do as you like.\n", 90),
    ("Projects/scripts/backup.sh", "tar cf /tmp/b.tar .\n", 95),
    ("Projects/scripts/convert.py", "# TODO arguments\nprint(1)\n", 95),
    ("Projects/old/", "", 300),
    ("data/expenses.csv", EXPENSES, 50),
    ("data/members.csv", MEMBERS, 55),
    ("data/sales_2025.csv", SALES_2025, 310),
    ("data/sales_2026.csv", "month,amount\n2026-01,300\n2026-02,900\n2026-03,450\n", 100),
    ("data/log_a.log", "boot\nERROR net down\n", 40),
    ("data/log_b.log", "disk ok\n", 45),
    ("data/log_c.log", "ERROR disk full\nshutdown\n", 5),
    ("Urlaub Fotos/strand.jpg", jpg("beach"), 0),
    ("Urlaub Fotos/berg.jpg", jpg("mountain"), 33),
    ("Rechnungen/Rechnung 01.pdf", pdf("Rechnung 01 Stadtwerke, 90,00 Euro"), "2024-04-02"),
    ("Rechnungen/Rechnung 02.pdf", pdf("Rechnung 02 Telefon, 35,00 Euro"), "2025-04-02"),
    ("Rechnungen/Rechnung 03.pdf", pdf("Rechnung 03 Dachdecker, 1200,00 Euro"), "2026-04-02"),
    ("Rechnungen/Angebot Dach.pdf", pdf("Angebot: neues Dach"), "2026-03-02"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)


def place(root: Path, files: list[File]) -> None:
    """Makes files with their dates."""
    now = datetime.now().astimezone()
    noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
    for path, content, when in files:
        entry = root / path
        entry.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            entry.mkdir(exist_ok=True)
            continue
        entry.write_bytes(content.encode() if isinstance(content, str) else content)
        if isinstance(when, str):
            at = datetime.fromisoformat(f"{when}T12:00:00").astimezone()
        else:
            at = (
                noon - timedelta(days=when) if when else max(now - timedelta(minutes=1), noon.replace(hour=0))
            )
        os.utime(entry, (at.timestamp(), at.timestamp()))
