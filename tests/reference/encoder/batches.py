"""Batches of pairs for contrastive training: each from one source, so that its other pairs are of the same kind."""

import numpy as np
import torch
from torch.nn import functional as F


class Batches:
    """`column` says which of the recipe's two shares of the sources counts."""

    def __init__(self, packed, labels, recipe, column):
        self._packed, self._dropped = packed, recipe.dropped
        self._chance = np.random.default_rng(recipe.seed)
        self._sources = list(recipe.shares)
        weights = np.array([recipe.shares[source][column] for source in self._sources])
        self._weights = weights / weights.sum()
        self._of_label = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]

    def draw(self, size, most):
        """Left sides, right sides, what contradicts the left sides (or nothing), and the pairs' numbers."""
        source = self._sources[self._chance.choice(len(self._sources), p=self._weights)]
        left, right = self._packed[source]
        if source == "intents":
            a, b = self._of_different_labels(size)
        else:
            a = b = self._chance.integers(0, len(left), size)
        against = self._sides(self._packed["snli_against"][0], a, most) if source == "snli" else None
        return self._sides(left, a, most), self._sides(right, b, most), against, a

    def _of_different_labels(self, size):
        """Two utterances of one intent, no intent twice: they would be each other's false negatives."""
        labels = self._chance.permutation(len(self._of_label))[:size]
        return np.array([self._chance.choice(self._of_label[label], 2) for label in labels]).T

    def _sides(self, side, numbers, most):
        """The ids of some texts, of which some pieces are dropped."""
        return [self._thinned(side[number][:most].astype(np.int64)) for number in numbers]

    def _thinned(self, ids):
        if len(ids) <= 4:
            return ids
        kept = ids[self._chance.random(len(ids)) >= self._dropped]
        return kept if len(kept) > 2 else ids


def ranking_loss(left, right, against, numbers, scale):
    """Multiple-negatives ranking both ways: each side must find its other one among all in the batch. A pair that
    was drawn twice is not its own negative."""
    scores = scale * left @ right.T
    same = torch.from_numpy(numbers[:, None] == numbers[None])
    scores = scores.masked_fill(same.fill_diagonal_(False), -1e4)
    wanted = torch.arange(len(numbers))
    forward = scores if against is None else torch.cat([scores, scale * left @ against.T], 1)
    return (F.cross_entropy(forward, wanted) + F.cross_entropy(scores.T, wanted)) / 2


def rate(step, steps, warm_up, lowest):
    """Up within `warm_up` steps, then straight down to the lowest share of the rate."""
    return min(1, step / warm_up) * max(lowest, 1 - step / steps)
