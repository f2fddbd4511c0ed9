"""A small workshop's folder: customers, accounts, letters, and what piles up between them."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

ORDERS = """id,customer,product,quantity,price,date
1001,Baker,chair,4,59.90,2026-01-14
1002,Miller,table,1,420.00,2026-01-20
1003,Baker,lamp,2,35.50,2026-02-02
1004,Quick,chair,10,59.90,2026-02-11
1005,Miller,shelf,3,110.00,2026-03-05
1006,Quick,lamp,1,35.50,2026-03-09
"""
STOCK = """item,quantity,minimum
chair,12,5
table,2,3
lamp,0,4
shelf,7,2
"""
STAFF = """name,role,phone
Ines Vogt,carpenter,0151-22
Paul Reuter,office,0151-23
Omar Said,driver,0151-24
"""
LETTER = docx("Dear customer, thank you for your order.")

FILES: list[File] = [
    ("README.txt", "Shared folder of the workshop.\nAsk Paul before deleting.\n", "2023-05-04"),
    ("price list.txt", "chair 59.90\ntable 420.00\nlamp 35.50\nshelf 110.00\n", 70),
    ("website backup.zip", zipped({"index.html": "<p>Workshop</p>", "img/logo.txt": "logo"}), "2025-11-30"),
    ("Inbox/offer Nordwind.pdf", pdf("Offer of Nordwind: oak boards, 1,900.00 EUR"), 6),
    ("Inbox/offer Suedholz.docx", docx("Offer of Suedholz: pine boards, 1,150.00 EUR"), 8),
    ("Inbox/scan0001.pdf", pdf("Delivery note 88"), 3),
    ("Inbox/scan0002.pdf", pdf("Parking ticket, city of Kiel"), 2),
    ("Inbox/scan0003.pdf", pdf("Delivery note 91"), 1),
    ("Inbox/meeting notes 2026-09-14.txt", "Omar gets a new van.\nPaul orders oak.\n", "2026-09-14"),
    (
        "Inbox/meeting notes 2026-10-12.txt",
        "Ines shows the new shelf.\nHoliday plan is late.\n",
        "2026-10-12",
    ),
    ("Inbox/door.jpg", jpg("door"), 4),
    ("Inbox/workbench.jpg", jpg("workbench"), 5),
    ("Customers/Baker/contract.pdf", pdf("Contract with Baker, two years"), "2025-01-10"),
    ("Customers/Baker/invoice 2025-03.pdf", pdf("Invoice Baker March 2025"), "2025-03-28"),
    ("Customers/Baker/invoice 2026-01.pdf", pdf("Invoice Baker January 2026"), "2026-01-30"),
    ("Customers/Baker/logo.png", png("baker", 120, 80), "2025-01-11"),
    ("Customers/Miller & Sons/contract.docx", docx("Contract with Miller and Sons, cancelled"), "2024-06-18"),
    ("Customers/Miller & Sons/invoice 2026-02.pdf", pdf("Invoice Miller February 2026"), "2026-02-27"),
    ("Customers/Quick/", "", 100),
    ("Accounts/orders.csv", ORDERS, 30),
    ("Accounts/stock.csv", STOCK, 9),
    ("Accounts/stock old.csv", STOCK, 200),
    ("Accounts/payments 2025.csv", "month,paid\n2025-11,1200\n2025-12,800\n", "2026-01-03"),
    ("Accounts/payments 2026.csv", "month,paid\n2026-01,950\n2026-02,1100\n2026-03,700\n", "2026-04-02"),
    ("Accounts/staff.csv", STAFF, 120),
    ("Templates/letter.docx", LETTER, "2025-08-08"),
    ("Templates/invoice.docx", docx("Invoice number, date, amount"), "2025-08-09"),
    ("Templates/Old/letter.docx", LETTER, "2022-02-02"),
    ("Templates/Old/fax.docx", docx("Fax cover sheet"), "2019-03-03"),
    ("Staff/holiday plan.txt", "Ines: August\nPaul: July\nOmar: December\n", 15),
    ("Staff/phone list.txt", "Ines 0151-22\nPaul 0151-23\n", 400),
    ("Staff/empty.txt", "", 33),
    ("Backup/", "", 300),
    ("temp/export.bak", noise("export", 700_000), 45),
    ("temp/orders.bak", noise("orders", 300_000), 12),
    ("temp/debug.log", "start\nWARN slow disk\nWARN slow disk\nend\n", 11),
    ("temp/cache/", "", 11),
    ("temp/install.msi", noise("install", 4_000_000), 150),
    ("temp/training.mp4", noise("training", 5_000_000), 90),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
