"""What the documents say: reports, invoices, letters. All persons, firms and numbers are invented."""

REPORT = """
# Allotment association Elderbrook: yearly report 2025

The association has 64 plots, 61 of them let. Four plots changed hands, two
of them to families who had waited since 2022.

# Water
Reading in January	18 402 m3
Reading in December	20 117 m3
Used	1 715 m3	4 % less than in 2024

The new tap by the tool shed was paid from the reserve. The pump was
serviced in April; its bearing should be looked at again in 2027.

# Money
Income	EUR 9 216.00
Spending	EUR 7 804.55
Surplus	EUR 1 411.45

The surplus goes to the reserve for the fence along the footpath.

# Meetings
Two general meetings, 43 and 38 members present. Minutes lie in the shed.

Juna Telmer, treasurer
"""

# The later version: one figure and the last paragraph differ, so it is no duplicate of the first.
REPORT_FINAL = (
    REPORT.replace("EUR 7 804.55", "EUR 7 904.55")
    .replace("EUR 1 411.45", "EUR 1 311.45")
    .replace(
        "Minutes lie in the shed.", "Minutes lie in the shed.\nApproved by the auditors on 14 February 2026."
    )
)


def invoice(firm: str, number: str, date: str, items: list[tuple[str, int]], note: str) -> str:
    """An invoice with its sum; prices in cents."""
    total = sum(price for _, price in items)
    lines = "\n".join(f"{name}\t\t{price / 100:.2f}" for name, price in items)
    return f"""
# {firm}
Invoice {number}
Date	{date}

To: Juna Telmer, 7 Millrace Lane, Elderbrook

# Items
{lines}

Total (EUR)		{total / 100:.2f}

{note}
"""


ELECTRICITY = invoice(
    "Kestrow Energy",
    "00417",
    "2026-03-14",
    [("Electricity, 597 kWh", 19104), ("Basic charge, 3 months", 2850)],
    "Paid by direct debit on 28 March 2026.",
)
PRINTING = invoice(
    "Brellmoor Druck",
    "B-2026/118",
    "12.04.2026",
    [("200 Handzettel, A5, grün", 4900), ("Versand", 590)],
    "Zahlbar innerhalb von 14 Tagen. Vielen Dank für Ihren Auftrag!",
)
HOSTING = invoice(
    "Tallowby Hosting",
    "TH-88120",
    "05/01/2026",
    [("Web space, 12 months", 3600), ("Domain elderbrook.example", 1200)],
    "Thank you. No signature needed.",
)
BICYCLE = invoice(
    "Radwerk Ostermole",
    "2026-0093",
    "2026-05-20",
    [("Bremsbeläge", 2490), ("Arbeitszeit, 45 Minuten", 4125), ("Kettenöl", 890)],
    "Bar bezahlt.",
)

MANUAL = (
    """
# Rain gauge RG-2: short manual

1. Screw the gauge to a post, one metre above the ground.
2. Level it with the bubble in the lid.
3. Insert two AA cells. The lamp blinks three times.
4. Press SET until the display shows the month.

# Cleaning
Rinse the funnel twice a year. Never use solvents.

# Faults
Lamp stays dark	Change the cells
Shows E1	The bucket is stuck
Shows E2	Send it in
"""
    + "\n" * 30
    + """
# Technical data
Resolution	0.2 mm
Range	0 to 400 mm an hour
Weight	310 g
"""
)

LETTER = """
# The heating in the second bedroom

Dear Mr Vask,

since 3 November the radiator in the second bedroom stays cold, although the valve is open and the boiler runs. I have bled it twice without success.

Please send somebody before the end of the month. I am at home on Tuesdays and Thursdays.

Kind regards
Juna Telmer
"""

MINUTES = """
# Protokoll der Vereinssitzung vom 9. Februar 2026

Anwesend: 43 Mitglieder. Beginn 19:05 Uhr, Ende 20:40 Uhr.

1. Der Kassenbericht wird einstimmig angenommen.
2. Der Zaun am Fußweg wird im Mai erneuert; drei Helfer melden sich.
3. Die Wasseruhr bei Parzelle 17 läuft rückwärts. Frau Ösk prüft das.

Nächste Sitzung: 8. Juni 2026.
"""

RESUME = """
# Juna Telmer

Surveyor, 11 years in the field

# Work
2019 to today: Land office Marrowfield, boundary surveys
2015 to 2019: Pennick and Daughters, site surveys

# Education
2015: Diploma in surveying, Northmoor College

# Languages
English, German, a little Danish
"""
