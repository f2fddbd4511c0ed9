"""What the plain text files say: notes, tables, settings, mail, calendars, drawings."""

from random import Random

MEETING_NOTES = """Elderbrook, fence group, 21 April 2026

- 84 m of fence, posts every 2.5 m
- Orrin borrows the auger (only on Saturdays)
- paint: dark green, two coats, 6 litres
- next meeting 5 May, 18:30, shed
"""

# Same length as each other, one digit apart: only their content tells them apart.
METER_MARCH = "Meter reading: 4711\nDate: 2026-03-01\nRead by: Juna\n"
METER_APRIL = "Meter reading: 4868\nDate: 2026-04-01\nRead by: Juna\n"

SHOPPING = "Äpfel\nHafermilch (2x)\nGrüner Tee\nBrötchen\nKäse\nStreichhölzer\n"

TODO = """# To do

- [x] renew the library card
- [ ] order fence paint
- [ ] sort the photos of the holiday
- [ ] send the report to the auditors
- [x] dentist
"""

TODO_OLD = """# To do (January)

- [x] tax return
- [x] return the borrowed drill
- [ ] learn to bake bread
"""

IDEAS = """# Ideas for the weather station

Wind
: A cup anemometer from table tennis balls. See `weather-station/`.

Rain
: The gauge RG-2 tips once for 0.2 mm.

| Sensor | Price | Ordered |
|--------|------:|---------|
| BX-40 temperature | 6.90 | yes |
| HQ-2 humidity | 8.10 | no |
"""

BREAD = """Rye bread

500 g rye flour, 350 g water, 10 g salt, 150 g sourdough.
Mix, wait three hours, bake at 230 degrees for 50 minutes.
The crust should sound hollow.
"""

DRAFT = """The lighthouse keeper counted the gulls every evening, and every evening there was one more than the day
before. On the ninth of May he stopped counting, and that was the evening the letter came.
"""

BUDGET = """month,rent,food,travel,other
2026-01,640.00,287.15,44.00,61.20
2026-02,640.00,263.90,44.00,18.75
2026-03,640.00,301.42,92.50,230.00
2026-04,655.00,279.66,44.00,75.10
"""
BUDGET_NEW = BUDGET + "2026-05,655.00,290.31,120.80,33.45\n"

STATEMENT = """Buchung;Wertstellung;Text;Betrag
02.02.2026;02.02.2026;Miete Februar;-640,00
05.02.2026;06.02.2026;"Bäckerei Krumm; Karte";-7,35
14.02.2026;14.02.2026;Gutschrift Landamt Marrowfield;2.418,77
27.02.2026;01.03.2026;Büchergeld zurück;12,00
"""

CONTACTS = """name,phone,email,note
Orrin Vask,+00 555 0101,orrin@example.org,auger
Mette Ösk,+00 555 0102,mette.oesk@example.org,water
"Pennick, Tam",+00 555 0103,tam@example.com,"old colleague, owes me a book"
"""

CARD = """BEGIN:VCARD
VERSION:4.0
FN:Mette Ösk
EMAIL:mette.oesk@example.org
TEL:+00 555 0102
NOTE:Water, plot 17
END:VCARD
"""

SETTINGS = """{
  "theme": "dark",
  "font_size": 13,
  "recent": ["report.pdf", "budget 2026.csv"],
  "window": {"width": 1280, "height": 800, "maximised": false}
}
"""

RECIPES = """[
  {"name": "Rye bread", "minutes": 230, "tags": ["bread", "sour"]},
  {"name": "Lentil soup", "minutes": 40, "tags": ["soup"]},
  {"name": "Zwetschgenkuchen", "minutes": 75, "tags": ["cake", "plums"]}
]
"""

PLAYLIST = """<?xml version="1.0" encoding="UTF-8"?>
<playlist name="Morning">
  <track seconds="2">Voice memo 3.wav</track>
  <track seconds="3">doorbell idea.wav</track>
</playlist>
"""

ROUTER = """# Router of the shed
[network]
name = elderbrook-shed
channel = 6

[schedule]
on = 07:00
off = 22:00
"""

FESTIVAL = """name: Plum festival
date: 2026-09-12
stalls:
  - cake
  - second-hand tools
  - juice press
"""

LOG = "".join(
    f"2026-05-{day:02} 03:00:0{day % 7} backup: {'copied' if day != 11 else 'FAILED, disk full after'} {180 + day * 3} files\n"
    for day in range(1, 22)
)


def calendar(uid: str, start: str, end: str, title: str, place: str) -> str:
    """A calendar with one event; times in the form 20260605T160000Z."""
    return "\r\n".join(
        [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:-//Sample maker//EN",
            "BEGIN:VEVENT",
            f"UID:{uid}@example.org",
            "DTSTAMP:20260401T080000Z",
            f"DTSTART:{start}",
            f"DTEND:{end}",
            f"SUMMARY:{title}",
            f"LOCATION:{place}",
            "END:VEVENT",
            "END:VCALENDAR",
            "",
        ]
    )


MAIL_ORDER = """From: Tallowby Hosting <billing@tallowby.example>
To: Juna Telmer <juna@example.org>
Date: Fri, 01 May 2026 09:12:44 +0000
Subject: Re: Your order TH-88120
Message-ID: <88120@tallowby.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Hello Juna,

your web space is ready. The invoice over EUR 48.00 is in your account.

Tallowby Hosting
"""

MAIL_TICKETS = """From: Orrin Vask <orrin@example.org>
To: Juna Telmer <juna@example.org>
Date: Tue, 30 Jun 2026 17:40:02 +0200
Subject: Fwd: Train tickets
Message-ID: <tickets.3@example.org>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="part"

--part
Content-Type: text/plain; charset=utf-8

Two seats, coach 7, 11 July, leaves 08:14. Bring cake.

--part
Content-Type: text/html; charset=utf-8

<p>Two seats, coach 7, <b>11 July</b>, leaves 08:14. Bring cake.</p>

--part--
"""

LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120" width="120" height="120">
  <title>Elderbrook</title>
  <circle cx="60" cy="60" r="56" fill="#e9f3e6" stroke="#2f6b3a" stroke-width="6"/>
  <path d="M60 98 V52 M60 66 C38 62 34 46 36 34 C54 36 60 48 60 66 M60 58 C80 54 86 40 84 28 C66 32 60 42 60 58" \
fill="#5aa469" stroke="#2f6b3a" stroke-width="4"/>
</svg>
"""

FLOOR_PLAN = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 260" width="400" height="260">
  <title>Floor plan of the shed</title>
  <rect x="10" y="10" width="380" height="240" fill="none" stroke="#222" stroke-width="6"/>
  <path d="M240 10 V150 M240 200 V250" stroke="#222" stroke-width="4"/>
  <text x="70" y="130" font-family="sans-serif" font-size="20">Tools</text>
  <text x="280" y="130" font-family="sans-serif" font-size="20">Meeting</text>
</svg>
"""


def readings(seed: int, days: int) -> str:
    """A table of temperature and rain, one row an hour."""
    random = Random(seed)
    lines, tenths = ["time,temperature_c,rain_mm"], 90
    for day in range(1, days + 1):
        for hour in range(24):
            tenths += random.randrange(-9, 10) + (5 if 6 <= hour < 15 else -3)
            tenths = max(-40, min(tenths, 260))
            rain = random.choice([0, 0, 0, 0, 2, 4, 8]) if random.randrange(5) == 0 else 0
            lines.append(f"2026-04-{day:02}T{hour:02}:00,{tenths / 10:.1f},{rain / 10:.1f}")
    return "\n".join(lines) + "\n"
