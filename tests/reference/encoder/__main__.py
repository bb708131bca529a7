"""Trains the static encoder that the search page has built in, and without --static the transformer beside it.

    SOURCE_DATE_EPOCH=EPOCH /usr/bin/python3 tests/reference/encoder "$AMBRY_DATA" WORK \\
        web/demo/public/models/english-static-336.weights --static
    SOURCE_DATE_EPOCH=1795341600 /usr/bin/python3 tests/reference/encoder "$AMBRY_DATA" WORK \\
        web/demo/public/models/english-192x1.weights

Needs Debian's python3-torch, python3-numpy and libopenblas0-pthread (with the reference BLAS alone products take
twenty times as long), and the project's own command line (npm run build) for the last step. Runs on one core in
a quarter of an hour and ten gigabytes of memory; it is no part of the build or the tests.

The data is described in its own README: train/ has the text and the pairs, tokenizers/bert/vocab.txt the word
pieces of bert-base-uncased, eval/ what the training is measured by (and never sees). Each step leaves what it made
in the folder WORK and is skipped when that is there, so that another training can start from the same pairs:
--set pieces=16384 --set layers=2 changes numbers of recipe.py. Everything is seeded; the bytes depend on the
libraries' and the processor's versions only.
"""

import argparse
import os
import pickle
from dataclasses import fields, replace
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy as np
import torch

from bert_training import train_bert
from cooccurrence import start_vectors
from export import ambry, write_directory, write_static_directory
from pairs import intent_labels, pack
from recipe import Recipe, static_recipe
from static_model import static_model
from static_training import train_static, weighted
from vocabulary import choose, count_pieces, encode_lines
from word_pieces import WordPieces


def kept(path, make):
    """What an earlier run left at the path, else what is made now and left there."""
    if not path.exists():
        made = make()
        with path.open("wb") as file:
            pickle.dump(made, file)
    with path.open("rb") as file:
        return pickle.load(file)


def vocabulary(data, path, size):
    if not path.exists():
        whole = WordPieces(data / "tokenizers/bert/vocab.txt")
        tokens = choose(whole.tokens, count_pieces(data, whole), size)
        path.write_text("\n".join(tokens) + "\n", encoding="utf-8")
    return WordPieces(path)


def counts_and_start(data, pieces, recipe):
    ids, lines = encode_lines(data, pieces)
    counts = np.bincount(ids, minlength=len(pieces))
    print(f"{len(ids)} pieces of text", flush=True)
    return counts, start_vectors(ids, lines, len(pieces), recipe)


def changed(recipe, settings):
    types = {one.name: one.type for one in fields(Recipe)}
    pairs = (setting.split("=", 1) for setting in settings)
    return replace(recipe, **{name: types[name](value) for name, value in pairs})


def main(data, work, target, recipe, static):
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    work.mkdir(exist_ok=True)
    size = recipe.pieces
    pieces = vocabulary(data, work / f"vocab-{size}.txt", size)
    make_start = lambda: counts_and_start(data, pieces, recipe)
    factors = recipe.factors or recipe.static_width
    counts, start = kept(work / f"start-{size}-{factors}.pickle", make_start)
    make_pairs = lambda: pack(data, pieces, recipe.longest_pair, recipe.seed)
    packed = kept(work / f"pairs-{size}.pickle", make_pairs)
    labels = intent_labels(data)
    assert len(packed["intents"][0]) == len(labels), "an utterance without pieces has shifted the labels"
    assert len(packed["snli_against"][0]) == len(packed["snli"][0]), "contradictions are not beside their pairs"
    start = weighted(start[:, : recipe.static_width].copy(), counts, recipe.common)
    directory = work / target.stem
    if static:
        vectors = static_model(start, packed, labels, pieces, data, recipe)
        write_static_directory(directory, vectors, pieces)
        ambry("quantize", directory, target, "--type", "int8")
    else:
        vectors = train_static(start, packed, labels, pieces, data, recipe)
        model = train_bert(vectors, packed, labels, pieces, data, recipe)
        write_directory(directory, model, pieces, recipe)
        ambry("quantize", directory, target, "--type", "int8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("data", "work", "target"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--static", action="store_true", help="only static vectors, wider ones")
    options = parser.parse_args()
    recipe = changed(static_recipe() if options.static else Recipe(), options.set)
    main(options.data, options.work, options.target, recipe, options.static)
