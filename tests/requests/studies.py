"""A student's folder: lectures, a thesis, programs with their data, music and pictures."""

from __future__ import annotations

from pathlib import Path

from household import File, docx, jpg, noise, pdf, place, png, zipped

__all__ = ["build"]

MEASURED = """sensor,day,value
north,1,20.5
south,1,22.0
north,2,19.5
south,2,23.0
west,2,18.0
"""
THESIS = docx("On the sleep of bees. Final text.")

FILES: list[File] = [
    ("Einkaufsliste.txt", "Milch\nBrot\nÄpfel\nKaffee\n", 1),
    ("Hausarbeit.odt", noise("hausarbeit", 40_000), "2025-06-30"),
    ("Lectures/Biology/lecture01.pdf", pdf("Cells and membranes"), "2026-04-14"),
    ("Lectures/Biology/lecture02.pdf", pdf("Photosynthesis in plants"), "2026-04-21"),
    ("Lectures/Biology/lecture03.pdf", pdf("Bees and other pollinators"), "2026-04-28"),
    (
        "Lectures/Biology/notes.md",
        "# Cells\nmitochondria\n# Plants\nPhotosynthesis needs light.\n",
        "2026-04-29",
    ),
    ("Lectures/Physics/week1.pptx", noise("week1", 250_000), "2026-04-15"),
    ("Lectures/Physics/week2.pptx", noise("week2", 350_000), "2026-04-22"),
    ("Lectures/Physics/formulas.txt", "E = mc2\nF = ma\nU = RI\n", "2026-05-02"),
    ("Thesis/thesis_v1.docx", docx("On the sleep of bees. Draft."), "2026-02-01"),
    ("Thesis/thesis_v2.docx", docx("On the sleep of bees. Second draft."), "2026-05-01"),
    ("Thesis/thesis_final.docx", THESIS, 14),
    ("Thesis/chapter1.md", "# Introduction\nBees sleep.\n", 60),
    ("Thesis/chapter2.md", "# Method\nWe filmed bees at night.\nTODO: add figure\n", 50),
    ("Thesis/chapter3.md", "# Results\nThey slept for six hours.\nTODO: check numbers\n", 40),
    ("Thesis/references.bib", "@book{bee, title={Bees}}\n", 41),
    ("Thesis/figures/fig1.png", png("fig1", 300, 200), 45),
    ("Thesis/figures/fig2.png", png("fig2", 800, 600), 44),
    ("Thesis/figures/sketch.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", 43),
    ("Thesis/old/", "", 300),
    ("Code/analysis.py", "import helpers\n\ndef mean(values):\n    return sum(values) / len(values)\n", 20),
    ("Code/helpers.py", "def load(path):\n    return open(path).read()\n", 22),
    ("Code/plot.py", "import analysis\nprint('plot')\n", 21),
    ("Code/test_analysis.py", "import analysis\n", 20),
    ("Code/main.c", "int main(void) { return 0; }\n", "2024-11-11"),
    ("Code/Makefile", "all:\n\tcc main.c\n", "2024-11-11"),
    ("Code/build/", "", 19),
    ("Data/run_01.csv", MEASURED, 35),
    ("Data/run_02.csv", "sensor,day,value\nnorth,1,30\n", 34),
    ("Data/run_03.csv", MEASURED, 33),
    ("Data/results.json", '{"mean": 20.6}\n', 32),
    ("Data/raw.tar.gz", noise("raw", 900_000), 36),
    ("Music/01 Sunrise.mp3", noise("sunrise", 1_500_000), "2023-07-07"),
    ("Music/02 Noon.mp3", noise("noon", 1_800_000), "2023-07-08"),
    ("Music/03 Night.flac", noise("night", 4_500_000), "2023-07-09"),
    ("Music/cover.jpg", jpg("cover"), "2023-07-07"),
    ("Fotos/2024/IMG_2001.jpg", jpg("IMG_2001"), "2024-08-03"),
    ("Fotos/2024/IMG_2002.jpg", jpg("IMG_2002"), "2024-08-04"),
    ("Fotos/2025/IMG_3001.jpg", jpg("IMG_3001"), "2025-09-01"),
    ("Fotos/2025/IMG_3002.jpg", jpg("IMG_3002"), "2025-09-02"),
    ("Fotos/2025/IMG_3003.heic", noise("heic", 60_000), "2025-12-24"),
    ("Fotos/2025/IMG_3001 (1).jpg", jpg("IMG_3001"), "2025-09-03"),
    ("Bewerbung/Lebenslauf.pdf", pdf("Lebenslauf, geboren in Kiel"), 25),
    ("Bewerbung/Anschreiben Museum.docx", docx("Sehr geehrte Frau Lorenz, das Museum in Kiel"), 24),
    ("Bewerbung/Anschreiben Zoo.docx", docx("Sehr geehrter Herr Wolf, der Zoo"), 23),
    ("Bewerbung/Zeugnis.pdf", pdf("Zeugnis der Schule in Kiel"), "2021-07-01"),
    ("Videos/lecture capture.mkv", noise("capture", 5_500_000), "2026-04-14"),
    ("Videos/party.mp4", noise("party", 3_200_000), "2025-12-31"),
    ("Videos/clip.mov", noise("clip", 400_000), 7),
    ("notes.zip", zipped({"a.md": "# a", "b.md": "# b"}), 16),
    ("junk.tmp", "x", 2),
    ("Data/leftover.tmp", "y", 70),
]


def build(root: Path) -> None:
    """Makes the folder as of now."""
    place(root, FILES)
