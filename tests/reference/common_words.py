"""Lists the English words that readers of documentation may type: packages/site-search/words/english.txt.

    /usr/bin/python3 tests/reference/common_words.py DATA packages/site-search/words/english.txt

DATA is the folder with `train` and `train_docs`, the texts of the default model. A word counts once a line. It must occur
twice in two of the four groups of sources, so that names and misspellings of one source stay out. The order is by the sum
of the logarithms of the counts in each group, with weights, and the best are written in the order of their letters.
"""

import collections
import lzma
import math
import pathlib
import re
import sys

WORDS = 36_000
GROUPS = {
    "documentation": (2, ["train_docs/text_wide.txt.xz", "train_docs/pairs_docs2.tsv.xz", "train_docs/pairs_commits2.tsv.xz"]),
    "questions": (
        1.5,
        ["train_docs/pairs_questions2.tsv.xz", "train_docs/pairs_textbooks2.tsv.xz", "train/pairs_trivia.tsv.xz"]
        + ["train/pairs_medquad.tsv.xz", "train/intents.tsv.xz", "train/pairs_wikisplit.tsv.xz", "train/text_modern.txt.xz"],
    ),
    "dictionaries": (1, ["train_docs/pairs_terms2.tsv.xz", "train/pairs_wordnet.tsv.xz"]),
    "books": (1, ["train/text_books.txt.xz"]),
}
EVERY_BOOK_LINE = 4  # one in so many paragraphs of books is counted: there are far more of them
WORD = re.compile(r"(?<![\w'-])[a-z][a-z]+(?!\w)")
LONGEST, LEAST, LEAST_GROUPS = 20, 2, 2
SCALE = 2e7  # counts are as if each group had so many words


def count(folder, paths):
    counts = collections.Counter()
    for path in paths:
        with lzma.open(folder / path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if "books" in path and number % EVERY_BOOK_LINE:
                    continue
                counts.update(set(WORD.findall(" ".join(line.split("\t")[:2]).lower())))
    return counts


def main(data, out):
    counted = [(weight, count(pathlib.Path(data), paths)) for weight, paths in GROUPS.values()]
    totals = [sum(counts.values()) for _, counts in counted]

    def is_word(word):
        holders = sum(counts[word] >= LEAST for _, counts in counted)
        return len(word) <= LONGEST and holders >= LEAST_GROUPS and not re.search(r"(.)\1\1", word)

    def score(word):
        return sum(
            weight * math.log1p(counts[word] * SCALE / total) for (weight, counts), total in zip(counted, totals)
        )

    words = [word for word in set().union(*(counts for _, counts in counted)) if is_word(word)]
    words.sort(key=lambda word: (-score(word), word))
    pathlib.Path(out).write_text("\n".join(sorted(words[:WORDS])) + "\n")


main(*sys.argv[1:])
