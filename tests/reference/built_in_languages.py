"""Trains the built-in language identifier and writes it as a quantized model of fastText.

    python3 tests/reference/built_in_languages.py web/demo/public/models/languages-14.ftz

Its texts are web/demo/corpus/languages.txt: sentences as they are, and without capital letters or marks, parts of sentences, and
common words in any order. It needs fastText's own program (Debian: fasttext). One thread and fixed texts give the same file again.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[2] / "web" / "demo" / "corpus" / "languages.txt"
WORD_LINES = 800
PARTS = 5
TRAINING = (
    "-loss softmax -dim 16 -minn 1 -maxn 4 -bucket 8000 -minCount 8 -minCountLabel 1 -lr 0.4 -epoch 30 -thread 1 -seed 7"
)
QUANTIZING = "-dsub 2"


def languages():
    """The words and the sentences of each language."""
    found = {}
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            words, sentences = found.setdefault(line[1:-1], ([], []))
        elif line.startswith("="):
            words += line[1:].split()
        elif line and not line.startswith("#"):
            sentences.append(line)
    return found


def plain(text):
    """As people type it in a hurry."""
    return "".join(char for char in text.lower() if char not in ".,?!¿¡")


def examples(words, sentences, draw):
    for sentence in sentences:
        yield sentence
        yield plain(sentence)
        pieces = sentence.split()
        for _ in range(PARTS):
            size = min(len(pieces), draw.randrange(2, 6))
            start = draw.randrange(len(pieces) - size + 1)
            part = " ".join(pieces[start : start + size])
            yield part if draw.random() < 0.5 else plain(part)
    deck = []
    for _ in range(WORD_LINES):
        size = draw.randrange(1, 7)
        if len(deck) < size:
            # Each word comes equally often.
            deck = draw.sample(words, len(words))
        line = " ".join(deck.pop() for _ in range(size))
        yield line if draw.random() < 0.5 else line[0].upper() + line[1:]


def training():
    draw = random.Random(7)
    lines = [
        f"__label__{code} {text}"
        for code, (words, sentences) in languages().items()
        for text in examples(words, sentences, draw)
    ]
    draw.shuffle(lines)
    return "\n".join(lines) + "\n"


def run(*arguments):
    subprocess.run(["fasttext", *map(str, arguments)], check=True, capture_output=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "texts.txt"
        model = Path(folder) / "languages"
        text.write_text(training(), encoding="utf-8")
        run("supervised", "-input", text, "-output", model, *TRAINING.split())
        run("quantize", "-input", text, "-output", model, *QUANTIZING.split())
        Path(sys.argv[1]).write_bytes(model.with_suffix(".ftz").read_bytes())


main()
