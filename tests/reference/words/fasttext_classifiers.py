"""Trains the tiny classifiers of tests/fixtures/fasttext/classifiers and asks fastText's own program for its
predictions.

    python3 tests/reference/words/fasttext_classifiers.py

Needs the program only (Debian: fasttext). One thread and fixed texts give the same models again.
"""

import json
import random
import subprocess
import tempfile
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "fixtures" / "fasttext" / "classifiers"

WORDS = "wort über straße haus häuser maus mäuse laus läuse 日本 日本語 ab a 𝔘𝔫𝔦 x1 ... naïve".split()
LABELS = ["eins", "zwei", "straße", "日本", "a/b", "6", "sieben", "acht", "neun", "zehn", "elf"]
UNKNOWN = ["hausmaus", "überhaus", "日本人", "zzz", "😀", "__label__", "__label__none", "__label__eins", "#eins", "#none"]
# All that separates words; U+00A0 and U+3000 do not.
SPACES = [" ", "\t", "\v", "\f", "\r", "  ", " \u00a0 ", "\u3000"]

# file: (options of training, options of quantizing, number of labels, prefix of labels)
MODELS = {
    "softmax.bin": ("-loss softmax -minn 2 -maxn 3 -wordNgrams 3 -bucket 60", None, 11, "__label__"),
    "hs.bin": ("-loss hs -minn 1 -maxn 4 -bucket 60", None, 11, "__label__"),
    "ns.bin": ("-loss ns -wordNgrams 2 -bucket 60", None, 11, "#"),
    "ova.bin": ("-loss ova -minn 3 -maxn 3 -bucket 60", None, 11, "__label__"),
    "quantized.ftz": ("-loss softmax -minn 2 -maxn 3 -bucket 300", "-dsub 2", 11, "__label__"),
    "pruned.ftz": ("-loss hs -minn 2 -maxn 4 -wordNgrams 2 -bucket 900", "-dsub 2 -qnorm -cutoff 280", 11, "__label__"),
    "words-only.ftz": ("-loss ova -minn 2 -maxn 4 -bucket 400", "-dsub 4 -cutoff 300", 270, "__label__"),
    "quantized-output.ftz": ("-loss hs -minn 2 -maxn 3 -bucket 300", "-dsub 3 -qnorm -qout", 270, "__label__"),
    "quantized-softmax.ftz": ("-loss softmax -bucket 300 -wordNgrams 2", "-dsub 2 -qout", 270, "__label__"),
}
# How many labels at most (-1: all), and how probable at least.
QUESTIONS = [(1, 0.0), (-1, 0.0), (4, 0.1)]


def label_names(count):
    return (LABELS + [f"l{i}" for i in range(len(LABELS), count)])[:count]


def training(count, prefix):
    draw = random.Random(7)
    labels = label_names(count)
    for i in range(max(300, 2 * count)):
        # The first ones are frequent, so that the tree of hierarchical softmax is not balanced.
        label = labels[i % count] if i < count else labels[min(int(draw.expovariate(0.4)), count - 1)]
        start = labels.index(label)
        words = [WORDS[(start * 3 + draw.randrange(6)) % len(WORDS)] for _ in range(draw.randrange(1, 8))]
        second = [prefix + draw.choice(labels)] if i % 5 == 0 else []
        yield " ".join([prefix + label, *second, *words])


def questions():
    draw = random.Random(11)
    yield ""
    yield " \t "
    yield from WORDS[::4] + UNKNOWN
    for _ in range(16):
        words = [draw.choice(WORDS + UNKNOWN) for _ in range(draw.randrange(1, 12))]
        yield "".join(word + draw.choice(SPACES) for word in words)
    yield "maus" * 40
    yield " ".join(WORDS * 6)


def run(*arguments, **options):
    return subprocess.run(["fasttext", *map(str, arguments)], check=True, capture_output=True, **options).stdout


def train(folder, file):
    options, quantizing, count, prefix = MODELS[file]
    text = folder / f"{file}.txt"
    text.write_text("\n".join(training(count, prefix)) + "\n", encoding="utf-8")
    to = folder / Path(file).stem
    common = "-dim 6 -epoch 5 -thread 1 -minCount 1 -lr 0.8".split()
    run("supervised", "-input", text, "-output", to, "-label", prefix, *common, *options.split())
    if quantizing:
        run("quantize", "-input", text, "-output", to, *quantizing.split())
    return folder / file


def predictions(model, texts, k, threshold):
    out = run("predict-prob", model, "-", k, threshold, input=("\n".join(texts) + "\n").encode())
    lines = out.decode().split("\n")[:-1]
    assert len(lines) == len(texts), (model, len(lines), len(texts))
    return [[[fields[i], float(fields[i + 1])] for i in range(0, len(fields), 2)] for fields in map(str.split, lines)]


def write(name, lines):
    (OUT / name).write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    texts = list(questions())
    write("texts.json", [json.dumps(text, ensure_ascii=False) for text in texts])
    with tempfile.TemporaryDirectory() as name:
        for file in MODELS:
            model = train(Path(name), file)
            (OUT / file).write_bytes(model.read_bytes())
            answers = []
            for k, threshold in QUESTIONS:
                # All labels of a large set would make a large file.
                if k == -1 and MODELS[file][2] > 20:
                    k = 8
                found = predictions(model, texts, k, threshold)
                answers.append({"k": k, "threshold": threshold, "predictions": found})
            write(f"{file}.json", [json.dumps(answer, ensure_ascii=False, separators=(",", ":")) for answer in answers])


if __name__ == "__main__":
    main()
