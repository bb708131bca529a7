"""Writes tests/fixtures/static_encoder/cases.json: made-up static encoders, texts, and their vectors in float64 by
the rules of Model2Vec and of sentence-transformers' StaticEmbedding.

    python3 tests/reference/models/static_encoder.py

Every text is made of words of the vocabulary, of words that it lacks, and of single spaces, so that the tokens need no
tokenizer here: a word is looked up whole, or as `play` and `##ing`, else it is [UNK].
"""
import json
import math
import pathlib
import random
import struct

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "static_encoder" / "cases.json"
TOKENS = ["[PAD]", "[UNK]", "a", "cat", "dog", "play", "##ing", "river", "der", "fluß", "mountain", "x", "zz", "word"]
TEXTS = ["cat", "a cat playing", "unknowable cat", "unknowable", "", "der fluß river",
         " ".join(["mountain", "dog", "word"] * 60), "x " * 9 + "zz"]


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def f16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def tokenize(text):
    ids = []
    for word in text.split():
        if word in TOKENS:
            ids.append(TOKENS.index(word))
        elif word.endswith("ing") and word[:-3] in TOKENS:
            ids += [TOKENS.index(word[:-3]), TOKENS.index("##ing")]
        else:
            ids.append(TOKENS.index("[UNK]"))
    return ids


def median_length():
    lengths = sorted(len(token) for token in TOKENS)
    half = len(lengths) // 2
    return (lengths[half - 1] + lengths[half]) // 2


def embed(case, text):
    if case["max_seq_length"]:
        text = text[:case["max_seq_length"] * median_length()]
    ids = tokenize(text)
    if case["drop_unknown"]:
        ids = [i for i in ids if TOKENS[i] != "[UNK]"]
    if case["max_seq_length"]:
        ids = ids[:case["max_seq_length"]]
    dim = len(case["rows"][0])
    total = [0.0] * dim
    for i in ids:
        row = case["mapping"][i] if case["mapping"] else i
        factor = case["weights"][i] if case["weights"] else 1.0
        if case["scales"]:
            factor *= case["scales"][row if len(case["scales"]) > 1 else 0]
        for j in range(dim):
            total[j] += factor * case["rows"][row][j]
    mean = [value / max(len(ids), 1) for value in total]
    length = math.sqrt(sum(value * value for value in mean))
    if case["normalize"] and length > 0:
        mean = [value / length for value in mean]
    return mean


def make(rng, name, dim, dtype, normalize=True, drop_unknown=True, weighted=False, n_rows=len(TOKENS), scales=0,
         max_seq_length=0):
    narrow = {"f32": f32, "f16": f16}.get(dtype)
    rows = [[narrow(rng.gauss(0, 1)) if narrow else rng.randint(-127, 127) for _ in range(dim)] for _ in range(n_rows)]
    shared = n_rows != len(TOKENS)
    return dict(name=name, dtype=dtype, normalize=normalize, drop_unknown=drop_unknown, max_seq_length=max_seq_length,
                median_token_length=median_length() if max_seq_length else 0,
                rows=rows, scales=[f32(rng.uniform(0.001, 0.1)) for _ in range(scales)],
                weights=[f32(rng.uniform(0.1, 2)) for _ in TOKENS] if weighted else [],
                mapping=[rng.randrange(n_rows) for _ in TOKENS] if shared else [])


def main():
    rng = random.Random(7)
    n = len(TOKENS)
    cases = [
        make(rng, "plain f32", 5, "f32"),
        make(rng, "f32 that is not normalized, with unknown words", 7, "f32", normalize=False, drop_unknown=False),
        make(rng, "f16", 16, "f16"),
        make(rng, "f16 with weights, cut to 6 tokens", 9, "f16", weighted=True, max_seq_length=6),
        make(rng, "int8 without a scale", 8, "i8", normalize=False),
        make(rng, "int8 with one scale", 6, "i8", normalize=False, scales=1),
        make(rng, "int8 with a scale for each row", 13, "i8", normalize=False, scales=n),
        make(rng, "a quantized vocabulary", 4, "f32", weighted=True, n_rows=3),
        make(rng, "a quantized vocabulary of int8", 12, "i8", weighted=True, n_rows=5, scales=5),
    ]
    for case in cases:
        case["vectors"] = [embed(case, text) for text in TEXTS]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(dict(tokens=TOKENS, texts=TEXTS, cases=cases), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
