"""The tagger, BERT's architecture with Hugging Face's names, and its training."""

import math
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from pieces import CasedPieces, learn
from texts import LABELS, Texts, rows_of
from bert import Embeddings, Layer

IGNORED = -100


@dataclass(frozen=True)
class Recipe:
    seed: int = 1
    pieces: int = 2600
    vocabulary_texts: int = 30_000
    positions: int = 128
    width: int = 96
    layers: int = 1
    head: int = 16
    inner: int = 192
    norm_eps: float = 1e-12
    steps: int = 4000
    batch: int = 48
    rate: float = 3e-3
    warm_up: int = 200
    lowest: float = 0.02
    decay: float = 0.01
    dropout: float = 0.1
    # A piece is replaced by [UNK] so often.
    hidden: float = 0.03


class Tagger(nn.Module):
    def __init__(self, pieces, recipe):
        super().__init__()
        layers = nn.ModuleList(Layer(recipe) for _ in range(recipe.layers))
        encoder = nn.ModuleDict({"layer": layers})
        self.bert = nn.ModuleDict({"embeddings": Embeddings(pieces, recipe), "encoder": encoder})
        self.classifier = nn.Linear(recipe.width, len(LABELS))
        self._dropout = recipe.dropout
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.05)
        self._start_positions()

    @torch.no_grad()
    def _start_positions(self):
        """Waves, so that a product of two positions depends on their distance."""
        positions = self.bert["embeddings"].position_embeddings.weight
        count, width = positions.shape
        rates = torch.exp(torch.arange(0, width, 2) * (-math.log(200.0) / width))
        angles = torch.arange(count)[:, None] * rates
        positions[:, 0::2], positions[:, 1::2] = angles.sin() * 0.1, angles.cos() * 0.1

    def forward(self, ids, mask):
        """Logits of labels: [n, t] to [n, t, labels]."""
        x = self.bert["embeddings"](ids)
        x = F.dropout(x, self._dropout, self.training)
        for layer in self.bert["encoder"]["layer"]:
            x = layer(x, (1 - mask)[:, None, None] * -1e4)
        return self.classifier(F.dropout(x, self._dropout, self.training))


def padded(rows, pieces, longest):
    """ids between [CLS] and [SEP], a mask of what is no padding, and labels"""
    rows = [(ids[: longest - 2], labels[: longest - 2]) for ids, labels in rows]
    shape = len(rows), max(len(ids) for ids, _ in rows) + 2
    ids, labels = torch.full(shape, pieces.pad), torch.full(shape, IGNORED)
    mask = torch.zeros(shape)
    for row, (own, targets) in enumerate(rows):
        end = len(own) + 2
        ids[row, :end] = torch.tensor([pieces.cls, *own, pieces.sep])
        labels[row, 1 : end - 1] = torch.tensor(targets)
        mask[row, :end] = 1
    return ids, mask, labels


def share_of_rate(step, recipe):
    turn = math.pi * max(0, step - recipe.warm_up) / (recipe.steps - recipe.warm_up)
    fall = recipe.lowest + (1 - recipe.lowest) * (1 + math.cos(turn)) / 2
    return min((step + 1) / recipe.warm_up, fall)


def vocabulary(recipe):
    texts = Texts(recipe.seed)
    return CasedPieces(learn([texts.draw()[0] for _ in range(recipe.vocabulary_texts)], recipe.pieces))


def train(recipe, pieces):
    torch.manual_seed(recipe.seed)
    torch.set_flush_denormal(True)
    texts = Texts(recipe.seed + 1)
    model = Tagger(len(pieces), recipe)
    optimizer = torch.optim.AdamW(
        model.parameters(), recipe.rate, betas=(0.9, 0.98), weight_decay=recipe.decay
    )
    begun, mean = time.time(), 0.0
    for step in range(recipe.steps):
        for group in optimizer.param_groups:
            group["lr"] = recipe.rate * share_of_rate(step, recipe)
        rows = [rows_of(*texts.draw(), pieces) for _ in range(recipe.batch)]
        ids, mask, labels = padded(rows, pieces, recipe.positions)
        hidden = (torch.rand(ids.shape) < recipe.hidden) & (labels != IGNORED)
        logits = model(ids.masked_fill(hidden, pieces.unk), mask)
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        mean += loss.item() / 500
        if step % 500 == 499:
            print(f"step {step + 1}, {time.time() - begun:.0f} s: {mean:.4f}", flush=True)
            mean = 0.0
    return model.eval()
