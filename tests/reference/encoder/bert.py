"""The encoder, BERT's architecture with Hugging Face's names, so that its state is a checkpoint as it stands."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Embeddings(nn.Module):
    def __init__(self, pieces, recipe):
        super().__init__()
        self.word_embeddings = nn.Embedding(pieces, recipe.width)
        self.position_embeddings = nn.Embedding(recipe.positions, recipe.width)
        self.token_type_embeddings = nn.Embedding(2, recipe.width)
        self.LayerNorm = nn.LayerNorm(recipe.width, eps=recipe.norm_eps)

    def forward(self, ids):
        positions = self.position_embeddings.weight[: ids.shape[1]]
        first_type = self.token_type_embeddings.weight[0]
        return self.LayerNorm(self.word_embeddings(ids) + positions + first_type)


def add_and_norm(n_in, recipe):
    norm = nn.LayerNorm(recipe.width, eps=recipe.norm_eps)
    return nn.ModuleDict({"dense": nn.Linear(n_in, recipe.width), "LayerNorm": norm})


class Layer(nn.Module):
    def __init__(self, recipe):
        super().__init__()
        width = recipe.width
        parts = {name: nn.Linear(width, width) for name in ("query", "key", "value")}
        self.attention = nn.ModuleDict(
            {"self": nn.ModuleDict(parts), "output": add_and_norm(width, recipe)}
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(width, recipe.inner)})
        self.output = add_and_norm(recipe.inner, recipe)
        self._head = recipe.head

    def linears(self):
        """(those that read the stream, those that write to it)"""
        attention = self.attention
        readers = [*attention["self"].values(), self.intermediate["dense"]]
        return readers, [attention["output"]["dense"], self.output["dense"]]

    def forward(self, x, bias):
        n, t, width = x.shape
        heads = lambda y: y.view(n, t, -1, self._head).transpose(1, 2)
        query, key, value = (heads(part(x)) for part in self.attention["self"].values())
        weights = torch.softmax(query @ key.transpose(2, 3) / math.sqrt(self._head) + bias, -1)
        seen = (weights @ value).transpose(1, 2).reshape(n, t, width)
        output = self.attention["output"]
        x = output["LayerNorm"](x + output["dense"](seen))
        inner = F.gelu(self.intermediate["dense"](x))
        return self.output["LayerNorm"](x + self.output["dense"](inner))


class Bert(nn.Module):
    def __init__(self, pieces, recipe):
        super().__init__()
        self.embeddings = Embeddings(pieces, recipe)
        layers = nn.ModuleList(Layer(recipe) for _ in range(recipe.layers))
        self.encoder = nn.ModuleDict({"layer": layers})

    def forward(self, ids, mask):
        """Unit vectors: the mean over [CLS] to [SEP]."""
        x = self.embeddings(ids)
        for layer in self.encoder["layer"]:
            x = layer(x, (1 - mask)[:, None, None] * -1e4)
        return F.normalize((x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True))

    @torch.no_grad()
    def start_as_static(self, vectors, special):
        """Answers as the static vectors do, from the first step on.

        LayerNorm makes all tokens equally long, but the length of a static vector is the weight of its piece. So
        a vector of length w <= 1 is completed to length 1 by ±sqrt((1 - w²)/2) on two further coordinates, which
        the last LayerNorm's gain of 0 then drops; the others sum to 0, so that LayerNorm changes nothing but the
        common scale. Special pieces get w = 0; what layers add begins near 0.
        """
        count, width = len(vectors), self.embeddings.word_embeddings.weight.shape[1]
        zero_sum = np.linalg.svd(np.eye(width - 2) - 1 / (width - 2))[0][:, : vectors.shape[1]]
        lengths = np.linalg.norm(vectors, axis=1)
        weights = np.minimum(1, lengths / np.quantile(lengths, 0.995))
        weights[special] = 0
        rows = np.zeros((count, width), np.float32)
        directions = vectors / np.maximum(lengths, 1e-9)[:, None]
        rows[:, 2:] = (directions * weights[:, None]) @ zero_sum.T
        rows[:, 0] = np.sqrt((1 - weights**2) / 2)
        rows[:, 1] = -rows[:, 0]
        self.embeddings.word_embeddings.weight.copy_(torch.from_numpy(rows))
        self.embeddings.position_embeddings.weight.zero_()
        self.embeddings.token_type_embeddings.weight.zero_()
        for layer in self.encoder["layer"]:
            for linears, deviation in zip(layer.linears(), (0.02, 0.002)):
                for linear in linears:
                    linear.weight.normal_(0, deviation)
                    linear.bias.zero_()
        self.encoder["layer"][-1].output["LayerNorm"].weight[:2] = 0

    @torch.no_grad()
    def fill_untrained(self, trained):
        """Positions that no training text reached get the mean of the others, and the second kind of token, which
        no text has, the vector of the first."""
        positions = self.embeddings.position_embeddings.weight
        positions[trained:] = positions[:trained].mean(0)
        types = self.embeddings.token_type_embeddings.weight
        types[1] = types[0]
