"""A bike shop's folder: repairs, rentals, suppliers, photos for sale, a price table, exports, and two copies of a website."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

REPAIRS = """ticket,customer,bike,work,hours,price,status
201,Okafor,city,brakes,1.5,75,paid
202,Lindner,race,wheel,2,120,open
203,Okafor,city,chain,0.5,30,paid
204,Sato,cargo,motor,4,260,open
205,Meyer,kids,tube,0.5,18,paid
206,Lindner,race,gears,1,60,paid
"""
RENTALS = """bike,rented,returned,days,deposit
city 1,2026-05-01,2026-05-03,2,100
city 2,2026-05-01,2026-05-08,7,100
cargo,2026-06-11,2026-06-12,1,300
kids,2026-07-20,,0,50
"""
PRICES = "article,buy,sell\nhelmet,22,39.9\nlock,11,24.5\nbell,2.1,6\npump,9,9\ntube,3,2.5\n"
PAGE = "<h1>Bikes</h1>\n<p>Open from 9 to 18</p>\n"

FILES: list[File] = [
    ("opening hours.txt", "Mon-Fri 9-18\nSat 10-14\n", 40),
    ("ToDo.md", "- order tubes\n- call Sato\n- [x] clean window\n", 2),
    ("Repairs/repairs 2026.csv", REPAIRS, 4),
    ("Repairs/checklist.txt", "brakes\nlights\nchain\ntires\n", 210),
    ("Repairs/Estimates/estimate Sato.pdf", pdf("Estimate for Mr Sato: motor, 260 EUR"), 12),
    ("Repairs/Estimates/estimate Lindner.pdf", pdf("Estimate for Ms Lindner: wheel, 120 EUR"), 16),
    ("Repairs/Photos/frame crack.jpg", jpg("crack"), 12),
    ("Repairs/Photos/motor sato.jpg", jpg("motor"), 13),
    ("Rental/rentals.csv", RENTALS, 60),
    ("Rental/terms.docx", docx("Rental terms: deposit is returned with the bike"), "2025-03-01"),
    ("Rental/terms_old.docx", docx("Rental terms of 2022"), "2022-04-01"),
    ("Rental/Mietvertrag Muster.docx", docx("Mietvertrag fuer Fahrraeder, Kaution"), "2024-05-05"),
    ("Suppliers/Velo Nord/catalog 2025.pdf", pdf("Catalog Velo Nord 2025"), "2025-01-10"),
    ("Suppliers/Velo Nord/catalog 2026.pdf", pdf("Catalog Velo Nord 2026"), "2026-01-12"),
    ("Suppliers/Velo Nord/Lieferschein 771.pdf", pdf("Lieferschein 771: 20 Schlauch"), 25),
    ("Suppliers/Speiche GmbH/Rechnung 9001.pdf", pdf("Rechnung 9001, 410,00 Euro"), 50),
    ("Suppliers/Speiche GmbH/Rechnung 9002.pdf", pdf("Rechnung 9002, 95,00 Euro"), 18),
    ("Suppliers/prices.csv", PRICES, 31),
    ("For sale/blue racer.jpg", jpg("blue"), 7),
    ("For sale/red cargo.png", png("red", 900, 600, 700_000), 8),
    ("For sale/red cargo text.txt", "Red cargo bike, two years old, 1900 EUR.\n", 8),
    ("For sale/sold/green kids.jpg", jpg("green"), 95),
    ("Website live/index.html", PAGE, 100),
    ("Website live/team.html", "<p>Ana and Piet</p>\n", 100),
    ("Website live/map.png", png("map", 200, 200), 100),
    ("Website draft/index.html", PAGE.replace("18", "19"), 6),
    ("Website draft/team.html", "<p>Ana and Piet</p>\n", 100),
    ("Website draft/winter.html", "<p>Winter check 49 EUR</p>\n", 6),
    ("exports/kasse_2026-08.csv", "day,sum\n1,410\n2,388.5\n", 80),
    ("exports/kasse_2026-09.csv", "day,sum\n1,295\n2,501\n3,77\n", 50),
    ("exports/full.sql", noise("fullsql", 3_100_000), 50),
    ("exports/full.sql.gz", noise("fullsqlgz", 800_000), 50),
    ("exports/~$draft.docx", "x", 300),
    ("temp/video test.mp4", noise("vt", 5_000_000), 33),
    ("temp/a.tmp", "a", 3),
    ("temp/b.tmp", "b", 3),
    ("temp/nothing/", "", 3),
    ("old bikes.zip", zipped({"list.csv": "bike,year\nA,2001\n", "pics/a.txt": "a"}), "2023-10-01"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
