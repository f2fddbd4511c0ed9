"""A photographer's folder, who also sells prints: shoots with dates in the pictures, bookings, invoices, stock, a card dump."""

from __future__ import annotations

import struct
from pathlib import Path

from household import File, docx, noise, pdf, place, png, zipped

__all__ = ["build", "taken"]


def taken(name: str, when: str, size: int = 3000) -> bytes:
    """A picture that says when it was taken, as cameras write it (`2026:03:14 10:00:00`)."""
    moment = when.encode() + b"\0"
    # One entry points to the part that has the moment; offsets count from the byte order.
    first = struct.pack("<H", 1) + struct.pack("<HHII", 0x8769, 4, 1, 26) + struct.pack("<I", 0)
    second = struct.pack("<H", 1) + struct.pack("<HHII", 0x9003, 2, len(moment), 44) + struct.pack("<I", 0)
    facts = b"Exif\0\0II*\0" + struct.pack("<I", 8) + first + second + moment
    marked = b"\xff\xe1" + struct.pack(">H", len(facts) + 2) + facts
    return b"\xff\xd8" + marked + b"\xff\xfe" + struct.pack(">H", size + 2) + noise(name, size) + b"\xff\xd9"


BOOKINGS = """date,client,kind,hours,price,paid
2026-03-14,Meier,wedding,8,1600,yes
2026-04-02,Tran,portrait,1,120,yes
2026-04-18,Kita Sonnenhof,school,5,450,no
2026-05-09,Rossi,wedding,10,2000,no
2026-06-20,Tran,family,2,240,yes
2026-07-11,Holm,portrait,1.5,180,no
"""
STOCK = """item,size,price,count
print,A4,25,12
print,A3,45,3
frame,A4,18,0
frame,A3,29,6
postcard,A6,1.5,240
"""
ORDERS = """order,buyer,item,size,quantity,shipped
1,Holm,print,A3,2,yes
2,Okoye,postcard,A6,30,no
3,Holm,frame,A3,2,yes
4,Brandt,print,A4,1,no
"""
SAME = taken("tran241", "2026:04:02 15:10:00")

FILES: list[File] = [
    ("todo.txt", "call Rossi about album\norder A4 frames\nback up card\n", 3),
    ("bookings 2026.csv", BOOKINGS, 12),
    ("Shoots/2026-03 Meier wedding/DSC_0101.JPG", taken("m101", "2026:03:14 11:00:00"), "2026-03-15"),
    ("Shoots/2026-03 Meier wedding/DSC_0102.JPG", taken("m102", "2026:03:14 12:30:00"), "2026-03-15"),
    ("Shoots/2026-03 Meier wedding/DSC_0103.JPG", taken("m103", "2026:03:14 16:45:00", 9000), "2026-03-15"),
    ("Shoots/2026-03 Meier wedding/DSC_0101.NEF", noise("nef101", 1_200_000), "2026-03-15"),
    ("Shoots/2026-03 Meier wedding/selection.txt", "DSC_0101\nDSC_0103\n", "2026-03-20"),
    ("Shoots/2026-04 Tran portrait/DSC_0240.JPG", taken("t240", "2026:04:02 15:00:00"), "2026-04-03"),
    ("Shoots/2026-04 Tran portrait/DSC_0241.JPG", SAME, "2026-04-03"),
    ("Shoots/2026-04 Tran portrait/DSC_0241 copy.JPG", SAME, "2026-04-06"),
    ("Shoots/2026-05 Rossi wedding/DSC_0300.JPG", taken("r300", "2026:05:09 13:00:00"), "2026-05-10"),
    ("Shoots/2026-05 Rossi wedding/DSC_0301.JPG", taken("r301", "2026:05:09 14:00:00"), "2026-05-10"),
    ("Shoots/2026-05 Rossi wedding/ceremony.mp4", noise("ceremony", 4_200_000), "2026-05-10"),
    ("Delivered/Meier.zip", zipped({"DSC_0101.JPG": "a", "DSC_0103.JPG": "b"}), "2026-04-01"),
    ("Delivered/Tran/DSC_0240.JPG", taken("t240", "2026:04:02 15:00:00"), "2026-04-10"),
    ("Invoices/2026-001 Meier.pdf", pdf("Invoice 2026-001, Meier, 1,600.00 EUR"), "2026-03-30"),
    ("Invoices/2026-002 Tran.pdf", pdf("Invoice 2026-002, Tran, 120.00 EUR"), "2026-04-04"),
    ("Invoices/2026-003 Kita Sonnenhof.pdf", pdf("Invoice 2026-003, Kita, 450.00 EUR"), "2026-04-25"),
    ("Invoices/2026-004 Rossi.pdf", pdf("Invoice 2026-004, Rossi, 2,000.00 EUR"), "2026-05-20"),
    ("Invoices/reminder Rossi.docx", docx("Dear Ms Rossi, invoice 2026-004 is still open."), 40),
    ("Invoices/overdue/", "", 90),
    ("Contracts/Meier wedding.docx", docx("Contract with Meier, wedding, deposit 400 EUR"), "2025-11-02"),
    ("Contracts/Rossi wedding.docx", docx("Contract with Rossi, wedding, deposit 500 EUR"), "2026-01-15"),
    ("Contracts/model release.docx", docx("I agree that my picture is published"), "2024-06-06"),
    ("Shop/stock.csv", STOCK, 5),
    ("Shop/orders.csv", ORDERS, 4),
    ("Shop/labels/label_A4.png", png("la4", 400, 300, 40_000), 60),
    ("Shop/labels/label_A3.png", png("la3", 600, 400, 60_000), 60),
    ("Shop/notes.txt", "", 33),
    ("Card dump/IMG_7001.jpg", taken("c1", "2026:10:02 09:00:00"), 9),
    ("Card dump/IMG_7002.jpg", taken("c2", "2026:10:03 18:20:00"), 9),
    ("Card dump/IMG_7003.jpg", taken("c3", "2026:11:01 08:00:00"), 9),
    ("Card dump/MOV_0001.mp4", noise("mov1", 2_600_000), 9),
    ("Card dump/.DS_Store", noise("ds", 6148), 9),
    ("Card dump/empty/", "", 9),
    ("Receipts/2025/lens 2025-02-11.pdf", pdf("Receipt lens, 899.00 EUR"), "2025-02-11"),
    ("Receipts/2025/paper 2025-09-01.pdf", pdf("Receipt paper, 49.90 EUR"), "2025-09-01"),
    ("Receipts/2026/train 2026-05-08.pdf", pdf("Receipt train, 64.20 EUR"), "2026-05-08"),
    ("Receipts/2026/ink 2026-08-19.pdf", pdf("Receipt ink, 112.00 EUR"), "2026-08-19"),
    ("Portfolio/portfolio_v1.pdf", pdf("Portfolio, first version"), "2024-03-03"),
    ("Portfolio/portfolio_v2.pdf", pdf("Portfolio, second version"), "2025-03-03"),
    ("Portfolio/portfolio_final.pdf", pdf("Portfolio, final version"), "2026-02-02"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
