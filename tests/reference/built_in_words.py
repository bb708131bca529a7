"""Makes the word vectors that the words page has built in, from public-domain books.

    /usr/bin/python3 tests/reference/built_in_words.py BOOKS.txt.xz web/demo/public/models/books-96.fifu

BOOKS is text, a paragraph a line, xz-compressed. Needs Debian's python3-numpy and python3-scipy, and the
project's own command line (npm run build) for the last step, the quantization; takes about three minutes.

Words: the positive pointwise mutual information of words up to five apart, factored (Levy, Goldberg and
Dagan 2015: contexts smoothed by 0.75, nearer ones counting more, frequent words thinned out, singular values
to the power of 0.25). N-grams: the vectors whose sums come nearest to the words' vectors (Zhao, Mudgal and
Liang 2018), by ridge regression. Everything is seeded; the bytes depend on the libraries' versions only.
"""

import lzma
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

ROOT = Path(__file__).resolve().parents[2]

# Letters, with apostrophes inside; numbers and punctuation go.
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
LEAST_PARAGRAPH = 5  # words; shorter ones are headings and page furniture
LEAST_COUNT = 40
WINDOW = 5
SMOOTHING = 0.75
THINNING = 1e-4
DIMS = 96
POWER = 0.25
ROUNDS, SPARE = 8, 32  # of the subspace iteration
MIN_N, MAX_N = 3, 6
LEAST_WORDS = 6  # that an n-gram must be part of
RIDGE = 1.0
QUANTIZATION = ["--type", "opq", "--subquantizers", "48", "--seed", "1"]

METADATA = f"""\
[provenance]
text = "433,441 paragraphs of public-domain books of 1885 and later"
method = "PPMI and SVD; n-grams by ridge regression"
made_by = "tests/reference/built_in_words.py"

[settings]
dims = {DIMS}
window = {WINDOW}
min_count = {LEAST_COUNT}
min_n = {MIN_N}
max_n = {MAX_N}
min_words_of_an_ngram = {LEAST_WORDS}
"""


def read_paragraphs(path):
    """Lists of lower-case words; a possessive's ending is left out, so that its word counts as itself."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            found = WORD.findall(line.lower().replace("’", "'"))
            if len(found) >= LEAST_PARAGRAPH:
                yield [word.removesuffix("'s") for word in found]


def read_text(path):
    """The vocabulary, most frequent first, its counts, and the text as ids; -1 for what is in no window."""
    paragraphs = list(read_paragraphs(path))
    counts = Counter(word for words in paragraphs for word in words)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    kept = [(word, count) for word, count in ranked if count >= LEAST_COUNT]
    ids = {word: i for i, (word, _) in enumerate(kept)}
    text = []
    for words in paragraphs:
        text.extend(ids.get(word, -1) for word in words)
        text.extend([-1] * WINDOW)
    return list(ids), np.array([count for _, count in kept]), np.array(text, np.int32)


def count_pairs(text, counts):
    """Symmetric, weighted: by distance, and by how often a thinned text would keep both words."""
    share = counts / counts.sum()
    keep = np.minimum(1.0, np.sqrt(THINNING / share))
    shape = (len(counts), len(counts))
    pairs = sparse.csr_matrix(shape, dtype=np.float64)
    for distance in range(1, WINDOW + 1):
        a, b = text[:-distance], text[distance:]
        both = (a >= 0) & (b >= 0)
        a, b = a[both], b[both]
        weight = keep[a] * keep[b] * (WINDOW + 1 - distance) / WINDOW
        pairs = pairs + sparse.coo_matrix((weight, (a, b)), shape=shape).tocsr()
    return (pairs + pairs.T).tocoo()


def mutual_information(pairs):
    row = np.asarray(pairs.tocsr().sum(axis=1)).ravel()
    context = row**SMOOTHING
    context /= context.sum()
    value = np.log(pairs.data / (row[pairs.row] * context[pairs.col]))
    positive = value > 0
    at = (pairs.row[positive], pairs.col[positive])
    return sparse.csr_matrix((value[positive].astype(np.float32), at), shape=pairs.shape)


def factor(matrix):
    """The first left singular vectors, times their values to a power, by subspace iteration."""
    start = np.random.default_rng(1).standard_normal((matrix.shape[0], DIMS + SPARE))
    basis = start.astype(np.float32)
    for _ in range(ROUNDS):
        basis, _ = np.linalg.qr(matrix @ basis)
        basis, _ = np.linalg.qr(matrix.T @ basis)
    left, values, _ = np.linalg.svd(matrix @ basis, full_matrices=False)
    return left[:, :DIMS] * values[:DIMS] ** POWER


def ngrams_of(word):
    """In the order of finalfusion: each start, longest first."""
    bracketed = f"<{word}>"
    for start in range(len(bracketed)):
        for n in range(min(MAX_N, len(bracketed) - start), MIN_N - 1, -1):
            yield bracketed[start : start + n]


def fit_ngrams(words, vectors):
    """N-grams, most shared first, and their vectors, whose sums are near to those of the words."""
    parts = [Counter(ngrams_of(word)) for word in words]
    shared = Counter(ngram for part in parts for ngram in part)
    ranked = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
    ids = {ngram: i for i, (ngram, n) in enumerate(ranked) if n >= LEAST_WORDS}
    cells = [
        (count, row, ids[ngram])
        for row, part in enumerate(parts)
        for ngram, count in part.items()
        if ngram in ids
    ]
    data, rows, columns = map(np.array, zip(*cells))
    sums = sparse.csr_matrix((data, (rows, columns)), (len(words), len(ids)), np.float64)
    return list(ids), solve(sums, vectors.astype(np.float64))


def solve(sums, target):
    """Conjugate gradients on the normal equations, all columns at once."""
    solution = np.zeros((sums.shape[1], target.shape[1]))
    rest = sums.T @ target
    step, error = rest.copy(), (rest * rest).sum(axis=0)
    for _ in range(100):
        image = sums.T @ (sums @ step) + RIDGE * step
        length = error / (step * image).sum(axis=0)
        solution += length * step
        rest -= length * image
        error, before = (rest * rest).sum(axis=0), error
        step = rest + (error / before) * step
    return solution


def chunk(kind, payload):
    return struct.pack("<IQ", kind, len(payload)) + payload


def text(string):
    encoded = string.encode()
    return struct.pack("<I", len(encoded)) + encoded


def numbers(kind, offset, head, array):
    """A chunk of floats: finalfusion pads after the type, never by nothing."""
    start = offset + 12 + len(head) + 4
    padding = bytes(4 - start % 4)
    return chunk(kind, head + struct.pack("<I", 10) + padding + array.astype("<f4").tobytes())


def write_fifu(path, words, ngrams, vectors, parts):
    """Metadata, an explicit vocabulary (id 8), the matrix and the words' norms."""
    lengths = np.linalg.norm(vectors, axis=1)
    rows = np.concatenate([vectors / lengths[:, None], parts])
    out = b"FiFu" + struct.pack("<II4I", 0, 4, 5, 8, 2, 6)
    out += chunk(5, METADATA.encode())
    vocabulary = struct.pack("<QQII", len(words), len(ngrams), MIN_N, MAX_N)
    vocabulary += b"".join(map(text, words))
    vocabulary += b"".join(text(ngram) + struct.pack("<Q", i) for i, ngram in enumerate(ngrams))
    out += chunk(8, vocabulary)
    out += numbers(2, len(out), struct.pack("<QI", *rows.shape), rows)
    out += numbers(6, len(out), struct.pack("<Q", len(lengths)), lengths)
    Path(path).write_bytes(out)


def main(books, target):
    words, counts, text = read_text(books)
    vectors = factor(mutual_information(count_pairs(text, counts)))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    ngrams, parts = fit_ngrams(words, vectors / lengths)
    print(f"{len(words)} words, {len(ngrams)} n-grams")
    with tempfile.TemporaryDirectory() as folder:
        whole = f"{folder}/books.fifu"
        write_fifu(whole, words, ngrams, vectors, parts)
        ambry = ["node", str(ROOT / "dist/cli/main.js"), "quantize", whole, target]
        subprocess.run([*ambry, *QUANTIZATION], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
