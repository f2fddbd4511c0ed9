"""What the pictures show: landscapes for photographs, windows for screenshots."""

from collections.abc import Callable
from random import Random

from inbox_maker.jpeg import Pixel, jpeg
from inbox_maker.raster import Canvas

WIDTH, HEIGHT = 384, 256
CAMERA = "Nordlicht K2-40"


def blend(low: Pixel, high: Pixel, part: int, whole: int) -> Pixel:
    """The colour at `part` of `whole` on the way from one to the other."""
    red, green, blue = (a + (b - a) * part // whole for a, b in zip(low, high, strict=True))
    return red, green, blue


def ridge(random: Random, base: int, roughness: int) -> list[int]:
    """The height of a line of hills at each column: a walk whose slope changes slowly."""
    height, slope, line = base * 16, 0, []
    for _ in range(WIDTH):
        slope = max(-roughness, min(roughness, slope + random.randrange(-2, 3)))
        height += slope + (base * 16 - height) // 64
        line.append(height // 16)
    return line


def photograph(
    seed: int, sky: tuple[Pixel, Pixel], hills: list[tuple[int, int, Pixel]], sun: Pixel, taken: str
) -> bytes:
    """Hills before a sky with a sun; each row of hills is (height above the ground, roughness, colour)."""
    random = Random(seed)
    sun_x, sun_y, sun_size = (
        random.randrange(60, WIDTH - 60),
        random.randrange(40, 100),
        random.randrange(14, 26),
    )
    lines = [(ridge(random, base, roughness), colour) for base, roughness, colour in hills]
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            distance = (x - sun_x) ** 2 + (y - sun_y) ** 2
            pixel = sun if distance < sun_size**2 else blend(*sky, y, HEIGHT)
            for line, colour in lines:
                if HEIGHT - y < line[x]:
                    pixel = blend(colour, (0, 0, 0), min(line[x] - HEIGHT + y, 120), 240)
            grain = random.getrandbits(3) - 4
            row.append((clamped(pixel[0] + grain), clamped(pixel[1] + grain), clamped(pixel[2] + grain)))
        rows.append(row)
    return jpeg(rows, taken, CAMERA)


def clamped(value: int) -> int:
    """The value as one byte."""
    return max(0, min(value, 255))


def beach(seed: int, taken: str) -> bytes:
    """Sand, sea and a light sky."""
    hills = [(92, 1, (40, 110, 150)), (40, 6, (222, 196, 140))]
    return photograph(seed, ((90, 160, 220), (230, 235, 230)), hills, (255, 250, 220), taken)


def mountains(seed: int, taken: str) -> bytes:
    """Three chains of mountains, the nearest the darkest."""
    hills = [(150, 30, (140, 150, 175)), (105, 24, (95, 110, 120)), (60, 16, (45, 75, 50))]
    return photograph(seed, ((70, 120, 200), (215, 225, 240)), hills, (255, 255, 240), taken)


def sunset(seed: int, taken: str) -> bytes:
    """A red sky over dark water."""
    hills = [(100, 3, (80, 50, 70)), (70, 1, (50, 35, 65))]
    return photograph(seed, ((60, 40, 90), (250, 130, 60)), hills, (255, 225, 130), taken)


def window(title: str, draw: Callable[[Canvas], None]) -> bytes:
    """A screenshot: a desktop with one window."""
    palette = [
        (38, 70, 83),
        (250, 250, 250),
        (30, 30, 34),
        (210, 214, 220),
        (231, 111, 81),
        (42, 157, 143),
        (120, 126, 134),
    ]
    canvas = Canvas(640, 400, palette)
    canvas.fill(20, 16, 600, 368, 1)
    canvas.fill(20, 16, 600, 24, 3)
    for place in range(3):
        canvas.fill(30 + 18 * place, 23, 10, 10, 4 if place == 0 else 6)
    canvas.write(100, 23, title, 2)
    draw(canvas)
    return canvas.png()


def error_window() -> bytes:
    """A dialogue that says what went wrong."""

    def draw(canvas: Canvas) -> None:
        canvas.write(60, 90, "Export failed", 4, 4)
        canvas.write(60, 140, "The disk is full: 0 MB of 512 MB left.", 2)
        canvas.write(60, 164, "Error code: 0x1C", 6)
        canvas.fill(440, 320, 150, 36, 5)
        canvas.write(468, 333, "Try again", 1)

    return window("Photo sorter 3.2", draw)


def chart_window() -> bytes:
    """A bar for each month."""

    def draw(canvas: Canvas) -> None:
        canvas.write(50, 60, "Electricity in 2026 (kWh)", 2, 3)
        for month, value in enumerate([212, 198, 187, 150, 131, 118, 109, 115]):
            canvas.fill(60 + month * 66, 340 - value, 44, value, 5 if month % 2 else 4)
            canvas.write(66 + month * 66, 325 - value, str(value), 2)
            canvas.write(66 + month * 66, 350, "JANFEBMARAPRMAYJUNJULAUG"[month * 3 : month * 3 + 3], 6)

    return window("Meter readings", draw)


def table_window() -> bytes:
    """A table of a booking."""

    def draw(canvas: Canvas) -> None:
        canvas.write(50, 60, "Booking 88-2041", 2, 3)
        rows = [
            ("Room", "Seaview 12"),
            ("Arrival", "2026-07-11"),
            ("Departure", "2026-07-18"),
            ("Guests", "2"),
            ("Total", "EUR 742.00"),
        ]
        for place, (name, value) in enumerate(rows):
            canvas.fill(50, 100 + place * 40, 540, 36, 3 if place % 2 else 1)
            canvas.write(64, 113 + place * 40, name, 6)
            canvas.write(260, 113 + place * 40, value, 2)

    return window("Guesthouse Tidewater", draw)


def terminal_window() -> bytes:
    """A build in a terminal."""

    def draw(canvas: Canvas) -> None:
        canvas.fill(20, 40, 600, 344, 2)
        lines = [
            "> make test",
            "running 48 tests",
            "test parses_empty_line ... ok",
            "test rounds_half_up ... failed",
            "  left: 2",
            "  right: 3",
            "47 passed, 1 failed",
            ">",
        ]
        for place, line in enumerate(lines):
            canvas.write(40, 60 + place * 24, line, 4 if "failed" in line else 1)

    return window("Terminal", draw)
