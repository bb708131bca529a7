"""The training data: xz-compressed tab-separated rows, and the plain text that is counted."""

import lzma


def rows(data, name):
    with lzma.open(data / "train" / f"{name}.xz", "rt", encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def twice(lines):
    """What people write today and what they ask weighs more than old books."""
    for line in lines:
        yield line
        yield line


def plain_lines(data):
    yield from twice(f"{a} {b}" for a, b, kind in rows(data, "pairs_wikisplit.tsv") if kind == "whole")
    for premise, hypothesis, _, _ in rows(data, "triples_snli.tsv"):
        yield from (premise, hypothesis, hypothesis)
    for name in ("pairs_esnli_expl.tsv", "pairs_tatoeba.tsv", "pairs_medquad.tsv"):
        for row in rows(data, name):
            yield from row
    for a, b, kind in rows(data, "pairs_wordnet.tsv"):
        if kind in ("gloss", "example"):
            yield f"{a} : {b}"
    yield from twice(f"{row[0]} {row[1]}" for row in rows(data, "pairs_trivia.tsv"))
    yield from twice(row[0] for row in rows(data, "intents.tsv"))
    yield from (row[0] for row in rows(data, "pairs_scitldr.tsv"))
    yield from (" ".join(row) for row in rows(data, "pairs_docs.tsv"))
    yield from twice(row[0] for row in rows(data, "text_modern.txt"))
    yield from (row[1] for row in rows(data, "verses_bible4.tsv"))
    yield from (row[0] for row in rows(data, "text_books.txt"))
