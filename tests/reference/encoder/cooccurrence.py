"""Where static vectors start: a truncated SVD of positive pointwise mutual information between word pieces."""

import numpy as np
import torch

CHUNK = 40_000_000


def count_pairs(ids, lines, size, window):
    """Pieces of one line up to `window` apart, weighted by 1/distance: [size, size], symmetric."""
    counts = np.zeros(size * size, np.float32)
    for distance in range(1, window + 1):
        for start in range(0, len(ids) - distance, CHUNK):
            end = min(len(ids) - distance, start + CHUNK)
            there = slice(start + distance, end + distance)
            same = lines[start:end] == lines[there]
            keys = (ids[start:end].astype(np.int64) * size + ids[there])[same]
            counts += np.bincount(keys, minlength=size * size).astype(np.float32) / distance
    counts = counts.reshape(size, size)
    return counts + counts.T


def to_mutual_information(counts, context_power):
    """In place, and never negative; frequent contexts are damped by the power."""
    totals = counts.sum(1)
    contexts = totals**context_power
    contexts /= contexts.sum()
    for start in range(0, len(counts), 2000):
        block = counts[start : start + 2000]
        own = np.maximum(totals[start : start + 2000, None], 1e-9)
        with np.errstate(divide="ignore"):
            information = np.log(block / own / np.maximum(contexts, 1e-12))
        np.maximum(information, 0, out=block)
    return counts


def factors(matrix, width, oversampling, iterations, seed):
    """U sqrt(S) of a randomised SVD (Halko, Martinsson and Tropp 2011): [rows, width]."""
    matrix = torch.from_numpy(matrix)
    generator = torch.Generator().manual_seed(seed)
    basis = torch.randn(matrix.shape[1], width + oversampling, generator=generator)
    basis = torch.linalg.qr(matrix @ basis)[0]
    for _ in range(iterations):
        basis = torch.linalg.qr(matrix.T @ basis)[0]
        basis = torch.linalg.qr(matrix @ basis)[0]
    small = basis.T @ matrix
    rotation, squares, _ = torch.linalg.svd(small @ small.T)
    return ((basis @ rotation) * squares.sqrt().sqrt())[:, :width].numpy()


def start_vectors(ids, lines, size, recipe):
    counts = count_pairs(ids, lines, size, recipe.window)
    matrix = to_mutual_information(counts, recipe.context_power)
    width = recipe.factors or recipe.static_width
    return factors(matrix, width, recipe.oversampling, recipe.power_iterations, recipe.seed)
