"""Trains the tiny fastText models of tests/fixtures/fasttext and asks fastText for their vectors.

    /usr/bin/python3 tests/reference/words/fasttext_models.py

Needs fastText's own program and its Python module (Debian: fasttext, python3-fasttext). One thread and
a fixed text give the same models again.
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

import fasttext

OUT = Path(__file__).resolve().parents[2] / "fixtures" / "fasttext"

WORDS = "wort über straße haus häuser maus mäuse laus läuse 日本 日本語 ab a".split()
# Not in the texts: they have n-grams only.
UNKNOWN = ["hausmaus", "überhaus", "日本人", "zzz"]


def sentences(with_labels):
    draw = random.Random(7)
    for i in range(200):
        words = [draw.choice(WORDS) for _ in range(6)]
        if with_labels:
            words.insert(0, f"__label__{'eins' if i % 2 else 'zwei'}")
        yield " ".join(words)


def run(*arguments):
    subprocess.run(["fasttext", *map(str, arguments)], check=True, capture_output=True)


def train(folder, name, kind, *options):
    text = folder / f"{name}.txt"
    text.write_text("\n".join(sentences(kind == "supervised")) + "\n", encoding="utf-8")
    common = ["-dim", 3, "-epoch", 2, "-thread", 1, "-minCount", 1, "-lr", 0.5]
    run(kind, "-input", text, "-output", folder / name, *common, *options)
    return text


def describe(path):
    model = fasttext.load_model(str(path))
    words, _ = model.get_words(include_freq=True)
    return {
        "words": words,
        "labels": [] if "skipgram" in path.stem else list(model.get_labels()),
        "dims": model.get_dimension(),
        "vectors": {word: [float(x) for x in model.get_word_vector(word)] for word in words + UNKNOWN},
    }


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    fasttext.FastText.eprint = lambda *_: None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train(folder, "skipgram", "skipgram", "-minn", 2, "-maxn", 4, "-bucket", 40)
        train(folder, "plain", "supervised")
        ngrams = ["-minn", 2, "-maxn", 3, "-bucket", 400]
        text = train(folder, "labels", "supervised", *ngrams)
        run("quantize", "-input", text, "-output", folder / "labels", "-dsub", 2)
        text = train(folder, "pruned", "supervised", *ngrams)
        run("quantize", "-input", text, "-output", folder / "pruned", "-qnorm", "-dsub", 2, "-cutoff", 300)
        answers = {}
        for file in ["skipgram.bin", "plain.bin", "labels.ftz", "pruned.ftz"]:
            answers[file] = describe(folder / file)
            (OUT / file).write_bytes((folder / file).read_bytes())
    text = json.dumps(answers, ensure_ascii=False, indent=1)
    (OUT / "answers.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
