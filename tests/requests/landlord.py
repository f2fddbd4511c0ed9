"""A landlord's folder: two houses, three tenants, rents and bills, meters, offers, advertisements, and old things."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

RENTS_2026 = """tenant,month,paid
Lopez,2026-01,780
Chen,2026-01,640
Ivanov,2026-01,910
Lopez,2026-02,780
Chen,2026-02,640
Ivanov,2026-02,0
"""
REPAIRS = """date,house,what,cost
2025-11-03,Elm Street,boiler,1450
2026-02-14,Harbour Road,gutter,310
2026-03-20,Elm Street,lock,95
2026-07-01,Harbour Road,window,640
"""
GAS = pdf("Gas bill 2025, 1,312.40 EUR")

FILES: list[File] = [
    ("readme.txt", "Two houses, three tenants.\nAsk Vera about the keys.\n", "2024-01-05"),
    ("Keys.md", "Cellar: hook 3\nAttic: hook 5\n", 17),
    ("Houses/Elm Street 4/floor plan.pdf", pdf("Floor plan Elm Street, three rooms"), "2019-05-05"),
    ("Houses/Elm Street 4/roof.jpg", jpg("roof"), "2025-06-01"),
    ("Houses/Elm Street 4/kitchen before.jpg", jpg("kitchen before"), "2025-06-02"),
    ("Houses/Elm Street 4/kitchen after.jpg", jpg("kitchen after"), "2025-09-20"),
    ("Houses/Elm Street 4/insurance.pdf", pdf("Fire insurance, policy 77-12"), "2023-03-01"),
    ("Houses/Harbour Road 9/floor plan.pdf", pdf("Floor plan Harbour Road, five rooms"), "2020-02-02"),
    ("Houses/Harbour Road 9/basement.jpg", jpg("basement"), 9),
    (
        "Houses/Harbour Road 9/energy certificate.pdf",
        pdf("Energy certificate, valid until 2029"),
        "2022-08-08",
    ),
    ("Tenants/Lopez/lease.docx", docx("Lease of Maria Lopez, rent 780 EUR"), "2023-09-01"),
    ("Tenants/Lopez/reminder 1.txt", "Dear Ms Lopez,\nthe rent of May is missing.\n", 150),
    ("Tenants/Lopez/reminder 2.txt", "Dear Ms Lopez,\nplease pay by Friday.\n", 120),
    ("Tenants/Chen/lease.docx", docx("Lease of Li Chen, rent 640 EUR"), "2024-04-01"),
    ("Tenants/Chen/deposit.pdf", pdf("Deposit of Li Chen, 1,280 EUR received"), "2024-04-03"),
    ("Tenants/Ivanov/lease.docx", docx("Lease of Oleg Ivanov, rent 910 EUR"), "2021-01-01"),
    ("Tenants/Ivanov/notice.pdf", pdf("Notice by Oleg Ivanov, he leaves in March"), 22),
    ("Tenants/Former/", "", 300),
    ("Money/rents 2025.csv", "tenant,month,paid\nLopez,2025-12,760\nChen,2025-12,640\n", "2026-01-02"),
    ("Money/rents 2026.csv", RENTS_2026, 40),
    ("Money/repairs.csv", REPAIRS, 35),
    ("Money/Tax/statement 2024.xlsx", noise("st24", 22_000), "2025-05-30"),
    ("Money/Tax/statement 2025.xlsx", noise("st25", 26_000), "2026-05-28"),
    ("Money/bills/water 2025.pdf", pdf("Water bill 2025, 820.10 EUR"), "2026-01-20"),
    ("Money/bills/gas 2025.pdf", GAS, "2026-01-22"),
    ("Money/bills/gas 2025 copy.pdf", GAS, "2026-01-25"),
    ("Money/bills/chimney.pdf", pdf("Chimney sweep, 89.00 EUR"), 28),
    ("Meters/meter_2026_07.txt", "water 120\ngas 340\n", 115),
    ("Meters/meter_2026_08.txt", "water 131\ngas 352\n", 84),
    ("Meters/meter_2026_09.txt", "water 140\ngas 371\n", 54),
    ("Handwerker/Angebot Maler.pdf", pdf("Angebot Maler, 2.300,00 Euro"), 31),
    ("Handwerker/Angebot Fliesen.pdf", pdf("Angebot Fliesenleger, 1.150,00 Euro"), 29),
    ("Handwerker/Telefonnummern.txt", "Maler Krause 040-11\nKlempner Wulf 040-12\n", 200),
    ("Ads/flat to let.docx", docx("Bright flat to let, two rooms, balcony"), 13),
    ("Ads/living room.png", png("living", 640, 480, 900_000), 14),
    ("Ads/balcony.png", png("balcony", 320, 240, 300_000), 14),
    ("New folder/", "", 60),
    ("New folder (2)/untitled.txt", "", 61),
    ("Old stuff/scan.tmp", "half a scan", 410),
    ("Old stuff/backup_2022.zip", zipped({"tenants.txt": "Lopez\n", "rents.txt": "760\n"}), "2022-12-31"),
    ("Old stuff/tour.mp4", noise("tour", 4_500_000), "2024-07-07"),
    ("Old stuff/Thumbs.db", noise("thumbs", 9_000), "2021-02-03"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
