"""Asks the labelled questions of `samples/recall` and prints how well recall answers: `recall_quality.py`.

Passages and questions are embedded with the model of this machine.
"""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples" / "recall"


def main() -> None:
    """Embeds and asks."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        passages, asked = here / "passages", here / "asked"
        passages.write_bytes(lzma.decompress((SAMPLES / "passages.txt.xz").read_bytes()))
        questions = (SAMPLES / "questions.tsv").read_text().splitlines()
        asked.write_text("".join(line.split("\t", 2)[2] + "\n" for line in questions))
        dimension = ""
        for texts in (passages, asked):
            embed = [sys.executable, str(ROOT / "scripts" / "embed_lines.py"), str(texts), f"{texts}.vectors"]
            dimension = subprocess.run(embed, check=True, capture_output=True, text=True).stdout.strip()
        bench = [str(ROOT / "scripts" / "run_bench.sh"), "recall_quality"]
        files = [f"{passages}", f"{passages}.vectors", str(SAMPLES / "questions.tsv"), f"{asked}.vectors"]
        subprocess.run([*bench, *files, dimension], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
