"""A static model by itself: the mean of several trainings, with all directions of the text vectors nearly equally strong."""

from dataclasses import replace

import numpy as np

from static_training import StaticVectors, train_static
from texts import rows

EVERY = 20


def mean_of_trainings(start, packed, labels, pieces, data, recipe):
    """All start from the same vectors, so that their axes agree. They differ in the order of the batches."""
    seeds = range(recipe.seed, recipe.seed + recipe.trainings)
    trained = [
        train_static(start.copy(), packed, labels, pieces, data, replace(recipe, seed=seed)) for seed in seeds
    ]
    return np.mean(trained, axis=0)


def emphasized(vectors, power):
    """Rare pieces are longer; this raises the lengths to a power."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return vectors * lengths ** (power - 1)


def whitened(vectors, pieces, data, power):
    """Turned to the principal axes of text vectors, each divided by a power of its standard deviation."""
    paragraphs = [row[0] for i, row in enumerate(rows(data, "text_modern.txt")) if i % EVERY == 0]
    texts = StaticVectors(vectors, pieces).embed(paragraphs)
    _, sizes, axes = np.linalg.svd(texts - texts.mean(0), full_matrices=False)
    deviations = sizes / np.sqrt(len(texts))
    return (vectors @ (axes.T / deviations**power)).astype(np.float32)


def with_unseen(vectors, unk):
    """Pieces that no text has, such as ##!, have no vector of their own: they get that of [UNK]."""
    return np.where(vectors.any(1, keepdims=True), vectors, vectors[unk])


def static_model(start, packed, labels, pieces, data, recipe):
    mean = mean_of_trainings(start, packed, labels, pieces, data, recipe)
    vectors = whitened(emphasized(mean, recipe.emphasis), pieces, data, recipe.whitening)
    return with_unseen(vectors, pieces.unk)
