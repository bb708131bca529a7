"""Pairs of texts that mean the same or belong together, by source, as lists of word-piece ids."""

import random
import re

import numpy as np

from texts import rows

SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])")


class Packed:
    """Lists of ids one after another."""

    def __init__(self, lists):
        self.ids = np.array([id for ids in lists for id in ids], np.uint16)
        self.starts = np.cumsum([0] + [len(ids) for ids in lists])

    def __len__(self):
        return len(self.starts) - 1

    def __getitem__(self, i):
        return self.ids[self.starts[i] : self.starts[i + 1]]


def sentences(paragraph):
    return [one for one in SENTENCE.split(paragraph) if len(one.split()) > 3][:10]


def neighbours(paragraphs):
    """Sentences that follow each other."""
    for paragraph in paragraphs:
        parts = sentences(paragraph)
        yield from ((parts[i], parts[i + 1]) for i in range(0, len(parts) - 1, 2))


def cloze(paragraphs, chance):
    """One sentence, and the rest of its paragraph."""
    for paragraph in paragraphs:
        parts = sentences(paragraph)
        if len(parts) >= 3:
            i = chance.randrange(len(parts))
            yield parts[i], " ".join(parts[:i] + parts[i + 1 :])


def text_pairs(data, seed):
    """(source, its pairs)."""
    wordnet = list(rows(data, "pairs_wordnet.tsv"))
    for source, kind in (("gloss",) * 2, ("synonyms", "syn"), ("hypernyms", "hyper"), ("usage", "example")):
        yield source, (row[:2] for row in wordnet if row[2] == kind)
    split = list(rows(data, "pairs_wikisplit.tsv"))
    yield "split_whole", (row[:2] for row in split if row[2] == "whole")
    yield "split_part", (row[:2] for row in split if row[2] == "part")
    snli = list(rows(data, "triples_snli.tsv"))
    yield "snli", (row[:2] for row in snli if row[3] == "entail")
    yield "snli_against", ((row[2], row[2]) for row in snli if row[3] == "entail")
    yield "snli_neutral", (row[:2] for row in snli if row[3] == "neutral")
    for source in ("tatoeba", "medquad", "scitldr", "docs"):
        yield source, rows(data, f"pairs_{source}.tsv")
    yield "esnli", rows(data, "pairs_esnli_expl.tsv")
    yield "examples", rows(data, "pairs_psexamples.tsv")
    yield "trivia", (row[:2] for row in rows(data, "pairs_trivia.tsv") if len(row[1]) > 3)
    verses = list(rows(data, "verses_bible4.tsv"))
    yield "verses", (row[:2] for row in verses)
    yield "verses_apart", ((row[i], row[i + 2]) for row in verses for i in (0, 1))
    yield "intents", ((row[0], row[0]) for row in rows(data, "intents.tsv"))
    for kind, name, every in (("modern", "text_modern.txt", 1), ("books", "text_books.txt", 3)):
        paragraphs = [row[0] for i, row in enumerate(rows(data, name)) if i % every == 0]
        yield f"next_{kind}", neighbours(paragraphs)
        yield f"cloze_{kind}", cloze(paragraphs, random.Random(seed))


def intent_labels(data):
    """One number for each row of the source `intents`, the same for utterances of one intent."""
    numbers = {}
    return np.array([numbers.setdefault(row[1], len(numbers)) for row in rows(data, "intents.tsv")])


def pack(data, pieces, longest, seed):
    """{source: (its left sides, its right sides)}; pairs with an empty side are left out."""
    packed = {}
    for source, pairs in text_pairs(data, seed):
        encoded = ([pieces.encode(text, longest) for text in pair] for pair in pairs)
        whole = [pair for pair in encoded if all(pair)]
        packed[source] = tuple(Packed([pair[side] for pair in whole]) for side in (0, 1))
        print(f"{source}: {len(whole)} pairs", flush=True)
    return packed
