"""Photographs: a baseline JPEG encoder in whole numbers, with the date of the picture as EXIF."""

import math
import struct

Pixel = tuple[int, int, int]

# Steps of quantisation in zigzag order: coarse for fine detail.
STEPS = [min(3 + place * 3 // 4, 60) for place in range(64)]

# Where the coefficients of a block go: along the diagonals, each in the other direction than the last.
ZIGZAG = sorted(
    range(64),
    key=lambda place: (place // 8 + place % 8, place // 8 if (place // 8 + place % 8) % 2 else place % 8),
)

# The cosines of the transform, as whole numbers so that every machine computes the same.
SHIFT = 12
COSINES = [
    [
        round(math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(0.5) if u == 0 else 1) / 2 * (1 << SHIFT))
        for x in range(8)
    ]
    for u in range(8)
]

# Code lengths: how many symbols have a code of 1, 2, ... 16 bits. Brightness steps all get four bits.
DC_LENGTHS = [0, 0, 0, 12] + [0] * 12
DC_SYMBOLS = list(range(12))
# For the other coefficients: what a smooth picture has most comes first, the end of a block before all.
AC_SYMBOLS = [run << 4 | size for run in range(16) for size in range(1, 11)]
AC_SYMBOLS.sort(key=lambda symbol: ((symbol >> 4) + 2 * (symbol & 15), symbol))
AC_SYMBOLS = [0x00, *AC_SYMBOLS, 0xF0]
AC_LENGTHS = [0, 1, 2, 2, 3, 4, 4, 6, 10, 130] + [0] * 6


def codes(lengths: list[int], symbols: list[int]) -> dict[int, tuple[int, int]]:
    """Symbol to code and length, in the canonical order that the standard prescribes."""
    table, code, place = {}, 0, 0
    for length, count in enumerate(lengths, start=1):
        for symbol in symbols[place : place + count]:
            table[symbol] = (code, length)
            code += 1
        place += count
        code <<= 1
    return table


class Bits:
    """A stream of bits, the highest first, with a zero byte after every 0xFF."""

    def __init__(self) -> None:
        self.out, self.value, self.count = bytearray(), 0, 0

    def put(self, value: int, length: int) -> None:
        self.value = self.value << length | value
        self.count += length
        while self.count >= 8:
            self.count -= 8
            byte = self.value >> self.count & 255
            self.out += bytes([byte, 0]) if byte == 255 else bytes([byte])
        self.value &= (1 << self.count) - 1

    def close(self) -> bytes:
        if self.count:
            self.put((1 << (8 - self.count)) - 1, 8 - self.count)
        return bytes(self.out)


def transformed(block: list[list[int]]) -> list[int]:
    """Cosine transform and quantisation of 8 by 8 values around zero, in zigzag order."""
    rows = [[sum(map(int.__mul__, cosines, row)) for cosines in COSINES] for row in block]
    columns = list(zip(*rows, strict=True))
    out = [0] * 64
    for u, column in enumerate(columns):
        for v, cosines in enumerate(COSINES):
            out[v * 8 + u] = sum(map(int.__mul__, cosines, column))
    unit = 1 << (2 * SHIFT)
    return [rounded(out[ZIGZAG[place]], STEPS[place] * unit) for place in range(64)]


def rounded(value: int, step: int) -> int:
    """Division with rounding away from zero at the half."""
    return (abs(value) + step // 2) // step * (1 if value >= 0 else -1)


def magnitude(value: int) -> tuple[int, int]:
    """How many bits a coefficient has, and which; negative ones as their complement."""
    size = abs(value).bit_length()
    return size, value if value >= 0 else value + (1 << size) - 1


def encoded(planes: list[list[list[int]]], width: int, height: int) -> bytes:
    """The compressed picture: for each square of 8 by 8 one block of each plane."""
    bits, before = Bits(), [0, 0, 0]
    dc, ac = codes(DC_LENGTHS, DC_SYMBOLS), codes(AC_LENGTHS, AC_SYMBOLS)
    for y in range(0, height, 8):
        for x in range(0, width, 8):
            for number, plane in enumerate(planes):
                block = transformed([row[x : x + 8] for row in plane[y : y + 8]])
                size, value = magnitude(block[0] - before[number])
                before[number] = block[0]
                bits.put(*dc[size])
                bits.put(value, size)
                run = 0
                last = max((place for place in range(1, 64) if block[place]), default=0)
                for coefficient in block[1 : last + 1]:
                    if coefficient == 0:
                        run += 1
                        continue
                    while run > 15:
                        bits.put(*ac[0xF0])
                        run -= 16
                    size, value = magnitude(coefficient)
                    bits.put(*ac[run << 4 | size])
                    bits.put(value, size)
                    run = 0
                if last < 63:
                    bits.put(*ac[0x00])
    return bits.close()


def segment(marker: int, data: bytes) -> bytes:
    """A marker with its length and data."""
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def exif(taken: str, camera: str) -> bytes:
    """Maker, model and time (`2026:07:14 18:30:12`) in the form that cameras write."""
    maker, _, model = camera.partition(" ")
    texts = {0x010F: maker, 0x0110: model, 0x0132: taken}
    date_entry = 8 + 2 + 4 * 12 + 4
    values_at = date_entry + 2 + 2 * 12 + 4
    values, entries = b"", []
    for tag, text in [*texts.items(), (0x9003, taken)]:
        data = text.encode("ascii") + b"\0"
        if len(data) <= 4:
            raise ValueError(f"{text!r} is so short that it would have to stand in the entry itself")
        entries.append(struct.pack("<HHII", tag, 2, len(data), values_at + len(values)))
        # Values start at an even place.
        values += data + b"\0" * (len(data) % 2)
    pointer = struct.pack("<HHII", 0x8769, 4, 1, date_entry)
    version = struct.pack("<HHI4s", 0x9000, 7, 4, b"0230")
    first = struct.pack("<H", 4) + b"".join(entries[:3]) + pointer + struct.pack("<I", 0)
    second = struct.pack("<H", 2) + version + entries[3] + struct.pack("<I", 0)
    return b"Exif\0\0" + b"II*\0" + struct.pack("<I", 8) + first + second + values


def jpeg(rows: list[list[Pixel]], taken: str, camera: str) -> bytes:
    """A JPEG file; width and height are multiples of eight."""
    height, width = len(rows), len(rows[0])
    planes = [
        [[(77 * r + 150 * g + 29 * b) // 256 - 128 for r, g, b in row] for row in rows],
        [[(-43 * r - 85 * g + 128 * b) // 256 for r, g, b in row] for row in rows],
        [[(128 * r - 107 * g - 21 * b) // 256 for r, g, b in row] for row in rows],
    ]
    components = b"".join(bytes([number, 0x11, 0]) for number in (1, 2, 3))
    return b"".join(
        [
            b"\xff\xd8",
            segment(0xE1, exif(taken, camera)),
            segment(0xDB, bytes([0, *STEPS])),
            segment(0xC0, struct.pack(">BHHB", 8, height, width, 3) + components),
            segment(0xC4, bytes([0x00, *DC_LENGTHS, *DC_SYMBOLS])),
            segment(0xC4, bytes([0x10, *AC_LENGTHS, *AC_SYMBOLS])),
            segment(0xDA, b"\x03" + b"".join(bytes([number, 0]) for number in (1, 2, 3)) + b"\0\x3f\0"),
            encoded(planes, width, height),
            b"\xff\xd9",
        ]
    )
