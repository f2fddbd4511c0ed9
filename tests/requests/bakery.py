"""A bakery's folder: deliveries, staff, allergens, a till's exports, photos of cakes, letters, and what nobody has sorted."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped
from studio import taken

__all__ = ["build"]

DELIVERIES = """date,supplier,goods,kg,price,invoice,paid
2026-09-03,Muehle Nord,flour,200,140,M-881,yes
2026-09-17,Hofer,butter,40,260,H-12,yes
2026-10-01,Muehle Nord,flour,250,180,M-902,yes
2026-10-15,Hofer,butter,30,201,H-19,no
2026-11-05,Nussland,almonds,15,165,N-7,no
"""
STAFF = """name,role,start,hourly,weekly hours,phone
Carla,baker,2019-03-01,19.5,40,0170-1
Ben,baker,2023-08-15,17,30,0170-2
Fatma,sales,2021-05-01,14.5,25,
Jo,sales,2025-11-01,13.9,12,0170-4
"""
PRODUCTS = """product,price,cost,allergens
rye bread,4.2,1.1,gluten
croissant,1.9,0.6,gluten milk
almond cake,3.5,1.4,nuts egg
macaron,2.2,0.7,nuts egg
"""
CAKE = jpg("weddingcake")

FILES: list[File] = [
    ("shopping list.txt", "yeast\nbaking paper\nsalt\n", 2),
    ("Deliveries/deliveries.csv", DELIVERIES, 9),
    ("Deliveries/Invoices/M-881.pdf", pdf("Invoice M-881, Muehle Nord, 140.00 EUR"), "2026-09-04"),
    ("Deliveries/Invoices/H-12.pdf", pdf("Invoice H-12, Hofer, 260.00 EUR"), "2026-09-18"),
    ("Deliveries/Invoices/M-902.pdf", pdf("Invoice M-902, Muehle Nord, 180.00 EUR"), "2026-10-02"),
    ("Deliveries/Invoices/H-19.pdf", pdf("Invoice H-19, Hofer, 201.00 EUR"), "2026-10-16"),
    ("Deliveries/Paid/", "", 70),
    ("Staff/staff.csv", STAFF, 22),
    ("Staff/Contracts/Carla.pdf", pdf("Contract Carla, baker, 40 hours"), "2019-03-01"),
    ("Staff/Contracts/Ben.pdf", pdf("Contract Ben, baker, 30 hours"), "2023-08-15"),
    ("Staff/rota week 47.txt", "Mon Carla Ben\nTue Carla Fatma\nSat Jo Ben\n", 10),
    ("Staff/rota week 48.txt", "Mon Ben Fatma\nTue Carla Jo\nSat Carla Ben\n", 3),
    ("Products/products.csv", PRODUCTS, 50),
    ("Products/Recipes/rye bread.docx", docx("Rye bread: 900 g rye flour, 20 g salt"), "2024-01-20"),
    ("Products/Recipes/croissant.docx", docx("Croissant: 500 g flour, 280 g butter"), "2025-02-02"),
    ("Products/Recipes/macaron.txt", "Macaron\n120 g almonds\n3 egg whites\n", "2025-06-06"),
    ("Products/Photos/wedding cake.jpg", CAKE, "2026-06-20"),
    ("Products/Photos/wedding cake (1).jpg", CAKE, "2026-06-21"),
    ("Products/Photos/croissants.jpg", taken("croissants", "2026:08:09 06:10:00"), "2026-08-10"),
    ("Products/Photos/logo.png", png("logo", 500, 500, 30_000), "2022-02-02"),
    ("Till/till_2026-10-30.csv", "item,sold,sum\nrye bread,41,172.2\ncroissant,88,167.2\n", "2026-10-30"),
    ("Till/till_2026-10-31.csv", "item,sold,sum\nrye bread,52,218.4\ncroissant,97,184.3\n", "2026-10-31"),
    ("Till/till_2025-12-24.csv", "item,sold,sum\nrye bread,90,360\n", "2025-12-24"),
    ("Till/error.log", "10:01 OK\n10:07 ERROR printer\n11:30 ERROR card reader\n", 4),
    (
        "Letters/Gesundheitsamt.docx",
        docx("Sehr geehrte Damen und Herren, die Kontrolle am 12. Mai"),
        "2026-05-13",
    ),
    ("Letters/Vermieter Kündigung.docx", docx("Hiermit kuendigen wir den Lagerraum"), "2025-10-10"),
    ("Letters/Bank offer.pdf", pdf("Loan offer, 4.1 percent, valid until 31 January"), 12),
    ("Letters/draft.docx", docx("Draft of a letter to the landlord"), 6),
    ("unsorted/scan_001.pdf", pdf("Energy bill, 512.30 EUR"), 15),
    ("unsorted/scan_002.pdf", pdf("Insurance, 88.00 EUR"), 14),
    ("unsorted/WhatsApp Image.jpeg", jpg("whatsapp"), 5),
    ("unsorted/~tmp1.tmp", "x", 5),
    ("unsorted/song.mp3", noise("song", 600_000), 300),
    ("unsorted/blank.txt", "", 80),
    ("old website.zip", zipped({"index.html": "<p>Bakery</p>", "menu.html": "<p>Bread</p>"}), "2021-01-01"),
    ("video oven.mov", noise("oven", 3_300_000), "2024-11-11"),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
