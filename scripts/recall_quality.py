"""Runs labeled questions and prints the quality of recall: `recall_quality.py [FOLDER]`.

The default folder is `samples/recall`. Passages and questions are embedded with this machine's model. The
passages of another folder are searched with that folder's questions.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples" / "recall"


def questions_of(folder: Path) -> str:
    """Returns only the questions, one per line."""
    lines = (folder / "questions.tsv").read_text().splitlines()
    return "".join(line.split("\t", 2)[2] + "\n" for line in lines)


def main() -> None:
    """Embeds the texts and runs the questions."""
    samples = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SAMPLES
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        passages, asked = here / "passages", here / "asked"
        packed = samples / "passages.txt.xz"
        if packed.exists():
            passages.write_bytes(lzma.decompress(packed.read_bytes()))
        else:
            passages.write_text((samples / "passages.txt").read_text() + questions_of(SAMPLES))
        asked.write_text(questions_of(samples))
        dimension = ""
        for texts in (passages, asked):
            embed = [sys.executable, str(ROOT / "scripts" / "embed_lines.py"), str(texts), f"{texts}.vectors"]
            dimension = subprocess.run(embed, check=True, capture_output=True, text=True).stdout.strip()
        bench = [str(ROOT / "scripts" / "run_bench.sh"), "recall_quality"]
        files = [f"{passages}", f"{passages}.vectors", str(samples / "questions.tsv"), f"{asked}.vectors"]
        subprocess.run([*bench, *files, dimension], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
