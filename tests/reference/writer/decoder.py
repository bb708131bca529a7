"""Llama's architecture in PyTorch, small."""

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    width: int
    layers: int
    heads: int
    kv_heads: int
    hidden: int
    context: int
    norm_eps: float = 1e-5
    rope_base: float = 10000.0

    @property
    def head(self):
        return self.width // self.heads


class Norm(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.eps = shape.norm_eps
        self.weight = nn.Parameter(torch.ones(shape.width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


def rotations(n, shape):
    """cos and sin for positions 0 to n - 1: [n, head size]."""
    size = shape.head
    angles = torch.arange(n)[:, None] / shape.rope_base ** (torch.arange(0, size, 2)[None] / size)
    return angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


class Layer(nn.Module):
    """Named as Hugging Face names them."""

    def __init__(self, shape):
        super().__init__()
        linear = lambda n_in, n_out: nn.Linear(n_in, n_out, bias=False)
        self.shape = shape
        width, kv = shape.width, shape.head * shape.kv_heads
        self.input_layernorm, self.post_attention_layernorm = Norm(shape), Norm(shape)
        self.self_attn = nn.ModuleDict(
            {
                "q_proj": linear(width, width),
                "k_proj": linear(width, kv),
                "v_proj": linear(width, kv),
                "o_proj": linear(width, width),
            }
        )
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": linear(width, shape.hidden),
                "up_proj": linear(width, shape.hidden),
                "down_proj": linear(shape.hidden, width),
            }
        )

    def forward(self, x, cos, sin, mask):
        n, t, width = x.shape
        size = self.shape.head
        heads = lambda y: y.view(n, t, -1, size).transpose(1, 2)
        shared = lambda y: y.repeat_interleave(self.shape.heads // self.shape.kv_heads, dim=1)
        attention, normed = self.self_attn, self.input_layernorm(x)
        q = rotated(heads(attention["q_proj"](normed)), cos, sin) / math.sqrt(size)
        k = shared(rotated(heads(attention["k_proj"](normed)), cos, sin))
        v = shared(heads(attention["v_proj"](normed)))
        seen = torch.softmax(q @ k.transpose(-1, -2) + mask, -1) @ v
        x = x + attention["o_proj"](seen.transpose(1, 2).reshape(n, t, width))
        normed, mlp = self.post_attention_layernorm(x), self.mlp
        return x + mlp["down_proj"](F.silu(mlp["gate_proj"](normed)) * mlp["up_proj"](normed))


class Decoder(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.05)

    def forward(self, ids):
        """Logits of what follows: [n, t] to [n, t, vocabulary]."""
        t = ids.shape[1]
        cos, sin = rotations(t, self.shape)
        mask = torch.full((t, t), -math.inf).triu(1)
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.norm(x) @ self.embed_tokens.weight.T

    def loss(self, rows, shares=None):
        """`shares`: how much each token counts; all alike without."""
        logits, wanted = self(rows[:, :-1]).flatten(0, 1), rows[:, 1:].reshape(-1)
        if shares is None:
            return F.cross_entropy(logits, wanted)
        shares = shares[:, 1:].reshape(-1)
        return (F.cross_entropy(logits, wanted, reduction="none") * shares).sum() / shares.sum()

    @torch.no_grad()
    def greedy(self, ids, end, most, guess=()):
        """The ids that follow these, up to one of `end`, which is left out. A `guess` that is right takes one pass."""
        ids, begun = list(ids), len(ids)
        if guess:
            likeliest = self(torch.tensor([[*ids, *guess]]))[0, begun - 1 :].argmax(-1).tolist()
            wrong = [i for i, (made, given) in enumerate(zip(likeliest, guess)) if made != given]
            ids += guess[: wrong[0] if wrong else len(guess)]
        while len(ids) < min(begun + most, self.shape.context):
            next = self(torch.tensor([ids]))[0, -1].argmax().item()
            if next in end:
                break
            ids.append(next)
        return ids[begun:]
