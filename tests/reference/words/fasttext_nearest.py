"""Trains a small fastText model with n-grams of one character, and asks fastText for what it gives.

    /usr/bin/python3 tests/reference/words/fasttext_nearest.py

Needs fastText's own program (Debian: fasttext). It prints five digits, so the values of the fixture are
computed here in float64 from the model, by the rules of fastText's source, and compared with what it prints.
One thread and a fixed text give the same model again. Some words of the text are not UTF-8.
"""

import json
import random
import struct
import subprocess
import tempfile
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "fixtures" / "fasttext"

WORDS = ["red", "reds", "blue", "blues", "grün", "grüne", "赤", "青い", "a", "<", "x>"]
BROKEN = [b"caf\xc3", b"caf\xe9", b"\xd1\x82\xd0"]
UNKNOWN = ["redblue", "b", "ü", "赤い", "<<", "zz"]
TEXTS = ["red blue", "red </s> zzzz 赤", "grün redblue"]
NEAREST = ["red", "redblue", "</s>", "赤い"]
ANALOGIES = [("red", "reds", "blue"), ("blue", "redblue", "b")]


def lines():
    draw = random.Random(11)
    texts = [word.encode() for word in WORDS] + BROKEN
    for _ in range(150):
        yield b" ".join(draw.choice(texts) for _ in range(6))


def ask(command, model, stdin, *more):
    """What the program prints. `analogies` never ends, so it is ended after its first answers."""
    arguments = ["fasttext", command, str(model), *more]
    if command != "analogies":
        return subprocess.run(arguments, input=stdin, check=True, capture_output=True).stdout
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        run.stdin.write(stdin)
        run.stdin.flush()
        lines = [run.stdout.readline() for _ in range(int(more[0]) + 1)]  # the first: "Loading model"
        run.kill()
    return b"".join(lines)


class Model:
    """A plain model, as fastText reads it."""

    def __init__(self, data):
        fields = struct.unpack_from("<14i", data)
        self.dim, self.bucket, self.minn, self.maxn = fields[2], fields[10], fields[11], fields[12]
        size, self.n_words = struct.unpack_from("<2i", data, 64)
        at = 64 + 28
        self.words = []
        for _ in range(size):
            end = data.index(b"\0", at)
            self.words.append(data[at:end])
            at = end + 10
        at += 1
        n_rows, dim = struct.unpack_from("<2q", data, at)
        values = struct.unpack_from(f"<{n_rows * dim}f", data, at + 16)
        self.rows = [values[i * dim : (i + 1) * dim] for i in range(n_rows)]

    def ngrams(self, word):
        text = b"<" + word + b">"
        starts = [i for i, c in enumerate(text) if c & 0xC0 != 0x80] + [len(text)]
        last = len(starts) - 1
        for i in range(last):
            for n in range(1, self.maxn + 1):
                if i + n > last:
                    break
                if n >= self.minn and not (n == 1 and (i == 0 or i + n == last)):
                    yield text[starts[i] : starts[i + n]]

    def vector(self, word):
        rows = [self.words.index(word)] if word in self.words else []
        if word != b"</s>":
            rows += [self.n_words + fnv(ngram) % self.bucket for ngram in self.ngrams(word)]
        if not rows:
            return [0.0] * self.dim
        return [sum(self.rows[r][i] for r in rows) / len(rows) for i in range(self.dim)]

    def nearest(self, vector, excluded):
        unit = normed(vector)
        found = []
        for word in self.words:
            if word in excluded:
                continue
            found.append((sum(a * b for a, b in zip(unit, normed(self.vector(word)))), word))
        return [[shown(word), score] for score, word in sorted(found, reverse=True)[:5]]

    def text(self, text):
        units = [normed(self.vector(word)) for word in text.encode().split()]
        units = [unit for unit in units if any(unit)]
        return [sum(unit[i] for unit in units) / len(units) for i in range(self.dim)]


def fnv(data):
    value = 2166136261
    for byte in data:
        value = (value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) & 0xFFFFFFFF
        value = value * 16777619 & 0xFFFFFFFF
    return value


def normed(vector):
    length = sum(x * x for x in vector) ** 0.5
    return [x / length for x in vector] if length > 0 else list(vector)


def shown(word):
    return word.decode("utf-8", "replace")


def compare(printed, computed):
    values = [float(x) for x in printed]
    assert len(values) == len(computed)
    for a, b in zip(values, computed):
        assert abs(a - b) <= 2e-5 * max(1, abs(b)), (a, b)


def check_scores(output, expected):
    rows = [line.rsplit(b" ", 1) for line in output.splitlines() if b" " in line]
    scores = [row[1] for row in rows][: len(expected)]
    compare(scores, [score for _, score in expected])


def answers_of(path):
    model = Model(path.read_bytes())
    words = [*model.words, *(word.encode() for word in UNKNOWN)]
    vectors = {word: model.vector(word) for word in words}
    asked = [word for word in words if word != b"</s>"]  # which ends the query
    printed = ask("print-word-vectors", path, b"\n".join(asked) + b"\n").splitlines()
    for word, line in zip(asked, printed, strict=True):
        compare(line.split(b" ")[-model.dim - 1 : -1], vectors[word])
    texts = {text: model.text(text) for text in TEXTS}
    printed = ask("print-sentence-vectors", path, "\n".join(TEXTS).encode() + b"\n").splitlines()
    for text, line in zip(TEXTS, printed, strict=True):
        compare(line.split()[-model.dim :], texts[text])
    nearest = {word: model.nearest(model.vector(word.encode()), [word.encode()]) for word in NEAREST}
    printed = ask("nn", path, "\n".join(NEAREST).encode() + b"\n", "5").split(b"Query word? ")[1:]
    for word, output in zip(NEAREST, printed):
        check_scores(output, nearest[word])
    analogies = []
    for a, b, c in ANALOGIES:
        parts = [normed(model.vector(word.encode())) for word in (a, b, c)]
        query = [x - y + z for x, y, z in zip(*parts)]
        found = model.nearest(query, [word.encode() for word in (a, b, c)])
        output = ask("analogies", path, f"{a} {b} {c}\n".encode(), "5").split(b"(A - B + C)? ")[1]
        check_scores(output, found)
        analogies.append({"a": a, "b": b, "c": c, "nearest": found})
    return {
        "vectors": [[shown(word), list(word), vector] for word, vector in vectors.items()],
        "texts": texts,
        "nearest": nearest,
        "analogies": analogies,
    }


def main():
    with tempfile.TemporaryDirectory() as name:
        text = Path(name) / "text.txt"
        text.write_bytes(b"\n".join(lines()) + b"\n")
        options = ["-dim", 4, "-epoch", 3, "-thread", 1, "-minCount", 1, "-lr", 0.3]
        options += ["-minn", 1, "-maxn", 3, "-bucket", 60]
        run = ["fasttext", "skipgram", "-input", text, "-output", Path(name) / "brackets", *options]
        subprocess.run([str(part) for part in run], check=True, capture_output=True)
        path = Path(name) / "brackets.bin"
        answers = answers_of(path)
        (OUT / "brackets.bin").write_bytes(path.read_bytes())
    (OUT / "brackets.json").write_text(json.dumps(answers, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
