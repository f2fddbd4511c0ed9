"""Pictures with a palette: a canvas, a tiny typeface, and PNG.

The deflate stream is written here and not by zlib, whose output differs between its versions.
"""

import struct
import zlib

# Each letter is five rows of three dots; a digit is one row, its bits the dots.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-/%,+!_=>() "
ROWS = (
    "25755 65656 34443 65556 74647 74644 34553 55755 72227 11152 55655 44447 57755 65555 25552 65644 25563 "
    "65655 34216 72222 55557 55552 55775 55255 55222 71247 75557 26227 71747 71717 55711 74717 74757 71122 "
    "75757 75717 00002 02020 00700 11244 51245 00024 02720 22202 00007 07070 42124 24442 21112 00000"
)
GLYPHS = dict(zip(LETTERS, ROWS.split(), strict=True))


class Canvas:
    """A picture whose dots are numbers of colours in a palette."""

    def __init__(self, width: int, height: int, palette: list[tuple[int, int, int]]) -> None:
        self.width, self.height, self.palette = width, height, palette
        self.rows = [bytearray(width) for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        """Fills a rectangle, cut at the edges."""
        left, right = max(x, 0), min(x + width, self.width)
        for row in self.rows[max(y, 0) : max(y + height, 0)]:
            row[left:right] = bytes([colour]) * max(right - left, 0)

    def write(self, x: int, y: int, text: str, colour: int, scale: int = 2) -> None:
        """Writes in capitals; a letter without a glyph is left blank."""
        for letter in text.upper():
            for row, dots in enumerate(GLYPHS.get(letter, "00000")):
                for column in range(3):
                    if int(dots) >> (2 - column) & 1:
                        self.fill(x + column * scale, y + row * scale, scale, scale, colour)
            x += 4 * scale

    def png(self) -> bytes:
        """The picture as a PNG file."""
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 3, 0, 0, 0)
        palette = b"".join(bytes(colour) for colour in self.palette)
        above = bytes(self.width)
        lines = bytearray()
        for row in self.rows:
            # Filter 2: the difference to the row above, zero wherever nothing changes.
            lines += b"\x02" + bytes((dot - up) & 255 for dot, up in zip(row, above, strict=True))
            above = bytes(row)
        chunks = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", deflated(bytes(lines))), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in chunks)


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def deflated(data: bytes) -> bytes:
    """A zlib stream in one block of fixed codes; of repetitions it knows runs of one byte."""
    bits, count = 0b011, 3  # last block, fixed codes; the first bit is the lowest
    out = bytearray(b"\x78\x01")

    def put(code: int, length: int) -> None:
        """Writes a code, its highest bit first."""
        nonlocal bits, count
        for place in range(length - 1, -1, -1):
            bits |= (code >> place & 1) << count
            count += 1
        while count >= 8:
            out.append(bits & 255)
            bits >>= 8
            count -= 8

    def literal(byte: int) -> None:
        put(0x30 + byte, 8) if byte < 144 else put(0x190 + byte - 144, 9)

    def repeat(length: int) -> None:
        """Repeats the last byte 3 to 10 times, or 258 times."""
        put(0xC5, 8) if length == 258 else put(length - 2, 7)
        put(0, 5)

    place = 0
    while place < len(data):
        byte = data[place]
        literal(byte)
        end = place + 1
        while end < len(data) and data[end] == byte:
            end += 1
        left = end - place - 1
        while left >= 3:
            length = 258 if left >= 258 else min(left, 10)
            repeat(length)
            left -= length
        for _ in range(left):
            literal(byte)
        place = end
    put(0, 7)  # end of block
    if count:
        out.append(bits & 255)
    return bytes(out) + struct.pack(">I", zlib.adler32(data))
