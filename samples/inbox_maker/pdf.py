"""PDF documents whose text can be selected and extracted: lines on pages, in Helvetica."""

LINES_PER_PAGE = 46


def pdf(title: str, text: str) -> bytes:
    """A4 pages; a line that begins with `# ` is a heading, a tab moves to the next column."""
    lines = text.strip("\n").split("\n")
    pages = [lines[start : start + LINES_PER_PAGE] for start in range(0, len(lines), LINES_PER_PAGE)]
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        font("Helvetica"),
        font("Helvetica-Bold"),
        b"<< /Title (" + escaped(title) + b") /Producer (Sample maker) >>",
    ]
    for number, page in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> "
            + f"/Contents {7 + 2 * number} 0 R >>".encode()
        )
        content = b"".join(drawn(line, 780 - 16 * place) for place, line in enumerate(page))
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    return file_of(objects)


def font(name: str) -> bytes:
    """One of the typefaces that every reader has."""
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def escaped(text: str) -> bytes:
    """Text as it stands between the brackets of a string."""
    data = text.encode("cp1252")
    return data.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def drawn(line: str, y: int) -> bytes:
    """The operators that draw one line."""
    heading = line.startswith("# ")
    face = b"/F2 16 Tf" if heading else b"/F1 11 Tf"
    cells = line.removeprefix("# ").split("\t")
    return b"".join(
        b"BT " + face + f" {60 + 160 * column} {y} Td (".encode() + escaped(cell) + b") Tj ET\n"
        for column, cell in enumerate(cells)
        if cell
    )


def file_of(objects: list[bytes]) -> bytes:
    """The objects with the table that says where each begins."""
    out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 5 0 R >>\n".encode()
    return bytes(out) + f"startxref\n{table}\n%%EOF\n".encode()
