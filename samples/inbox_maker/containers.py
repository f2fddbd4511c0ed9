"""Files that wrap others: ZIP archives, Word documents, sound."""

import io
import math
import wave
import zipfile
from xml.sax.saxutils import escape

CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/word/document.xml" \
ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>
"""
RELATIONS = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\
<Relationship Id="rId1" Target="word/document.xml" \
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>
"""
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def archive(files: dict[str, bytes]) -> bytes:
    """A ZIP archive; stored and not compressed, because compressed bytes differ between versions of zlib."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as target:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=(2026, 3, 1, 12, 0, 0))
            entry.create_system = 3  # Unix, on whatever machine this runs
            entry.external_attr = 0o644 << 16
            target.writestr(entry, content)
    return out.getvalue()


def docx(text: str) -> bytes:
    """A Word document, one paragraph a line; a line that begins with `# ` is bold."""
    paragraphs = []
    for line in text.strip("\n").split("\n"):
        style = "<w:rPr><w:b/></w:rPr>" if line.startswith("# ") else ""
        words = escape(line.removeprefix("# "))
        paragraphs.append(f'<w:p><w:r>{style}<w:t xml:space="preserve">{words}</w:t></w:r></w:p>')
    document = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<w:document xmlns:w="{WORD}"><w:body>{"".join(paragraphs)}</w:body></w:document>\n'
    )
    parts = {"[Content_Types].xml": CONTENT_TYPES, "_rels/.rels": RELATIONS, "word/document.xml": document}
    return archive({name: part.encode() for name, part in parts.items()})


def tune(notes: list[tuple[int, int]]) -> bytes:
    """A sound file of notes (Hertz, milliseconds), each fading away; 8000 samples of one byte a second."""
    samples = bytearray()
    for pitch, duration in notes:
        count = duration * 8
        for place in range(count):
            loudness = 90.3 * (count - place) / count
            samples.append(128 + round(loudness * math.sin(2 * math.pi * pitch * place / 8000)))
    out = io.BytesIO()
    with wave.open(out, "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(1)
        target.setframerate(8000)
        target.writeframes(bytes(samples))
    return out.getvalue()
