"""One vector for each word piece; a text is their sum. What the encoder starts from, and nearly as good."""

import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from batches import Batches, ranking_loss, rate
from scores import dev_scores

RARE_COUNT, RARE_WEIGHT = 3, 0.5


def weighted(vectors, counts, common):
    """Lengths that common pieces lose (smooth inverse frequency, Arora and others 2017)."""
    weights = common / (common + counts / counts.sum())
    weights[counts < RARE_COUNT] = RARE_WEIGHT
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return (vectors / lengths * weights[:, None]).astype(np.float32)


class StaticVectors(nn.Module):
    def __init__(self, start, pieces):
        super().__init__()
        rows = torch.from_numpy(start)
        self.bag = nn.EmbeddingBag.from_pretrained(rows, freeze=False, mode="sum", sparse=True)
        self._pieces = pieces

    def forward(self, texts):
        texts = [ids if len(ids) else [self._pieces.unk] for ids in texts]
        starts = np.cumsum([0] + [len(ids) for ids in texts[:-1]])
        ids = torch.from_numpy(np.concatenate(texts).astype(np.int64))
        return F.normalize(self.bag(ids, torch.from_numpy(starts)))

    @torch.no_grad()
    def embed(self, texts):
        return self([self._pieces.encode(text, 256) for text in texts]).numpy()


def train_static(start, packed, labels, pieces, data, recipe):
    torch.manual_seed(recipe.seed)
    batches = Batches(packed, labels, recipe, 0)
    model = StaticVectors(start, pieces)
    optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=recipe.static_rate)
    print("static, at the start:", dev_scores(model.embed, data), flush=True)
    begun = time.time()
    for step in range(1, recipe.static_steps + 1):
        share = rate(step, recipe.static_steps, recipe.warm_up, recipe.static_lowest)
        optimizer.param_groups[0]["lr"] = recipe.static_rate * share
        left, right, against, numbers = batches.draw(recipe.static_batch, recipe.longest_pair)
        against = None if against is None else model(against)
        loss = ranking_loss(model(left), model(right), against, numbers, recipe.scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            scores = dev_scores(model.embed, data)
            print(f"static, step {step}, {time.time() - begun:.0f} s: {scores}", flush=True)
    return model.bag.weight.detach().numpy()
