"""Writes tests/fixtures/encoder/*.json: sentence vectors of BERT encoders with made-up weights,
computed by PyTorch in float64 on padded, masked batches.

    OMP_NUM_THREADS=2 python3 tests/reference/models/bert_reference.py      (Debian: python3-torch)

The weights are no files: each number is a hash of its tensor's name and its place, so that every
test in every language makes the same ones (tests/core/infer/encoder/synthetic_bert.h does the same in C++).

    z = fnv1a64(name) + (index + 1) * 0x9E3779B97F4A7C15, mixed by splitmix64's finaliser
    u = (z >> 40) / 2^23 - 1, exactly a float32 in [-1, 1)

    matrices of linear layers    u * f32(2 / sqrt(columns))
    embedding tables             u
    LayerNorm weights            1 + 0.25 u
    biases of every kind         0.25 u

In the int8 cases linear layers and word embeddings are int8 q with one float32 scale a row and, for
queries, one int8 zero point a row: q = z >> 56 as signed, -128 counted as -127; zero points are
floor(16 u) of `<name>.zero_point`; scales are f32(2 / sqrt(columns) / 128) * (1 + 0.25 u) of
`<name>.scale`, each step rounded to float32. Embeddings count as columns = 4.
"""
import json
import math
import pathlib

import numpy as np
import torch

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "encoder"

CASES = {
    "minilm_l6": dict(
        config=dict(vocab_size=30522, hidden_size=384, num_layers=6, num_heads=12,
                    intermediate_size=1536, max_positions=512, hidden_act="gelu"),
        lengths=[9, 1, 17, 5], poolings=["mean"]),
    "three_layers_5x24": dict(
        config=dict(vocab_size=1013, hidden_size=120, num_layers=3, num_heads=5,
                    intermediate_size=347, max_positions=64, hidden_act="gelu"),
        lengths=[6, 64, 1, 31], poolings=["mean", "cls", "max", "mean_sqrt_len", "lasttoken"],
        n_prompt=4),
    "one_layer_gelu_new": dict(
        config=dict(vocab_size=50, hidden_size=12, num_layers=1, num_heads=2,
                    intermediate_size=20, max_positions=16, hidden_act="gelu_new"),
        lengths=[3, 16, 2], poolings=["mean", "none"], normalize=False),
    "one_layer_relu": dict(
        config=dict(vocab_size=50, hidden_size=14, num_layers=1, num_heads=2,
                    intermediate_size=9, max_positions=16, hidden_act="relu"),
        lengths=[3, 16, 2], poolings=["mean", "none"], normalize=False),
    "two_layers_int8": dict(
        config=dict(vocab_size=301, hidden_size=72, num_layers=2, num_heads=3,
                    intermediate_size=130, max_positions=40, hidden_act="gelu"),
        lengths=[12, 40, 1, 7], poolings=["mean", "cls"], int8=True),
}


def hashes(name, count):
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        z = np.uint64(h) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(name, count):
    return ((hashes(name, count) >> np.uint64(40)).astype(np.float32) / np.float32(2**23)
            - np.float32(1))


def step(columns, divisor=1):
    return np.float32(2 / math.sqrt(columns) / divisor)


def float_tensor(name, shape):
    u = uniform(name, math.prod(shape))
    if name.endswith("LayerNorm.weight"):
        u = np.float32(1) + np.float32(0.25) * u
    elif name.endswith(".bias"):
        u = np.float32(0.25) * u
    elif ".layer." in name:
        u = u * step(shape[1])
    return u.astype(np.float64).reshape(shape)


def int8_tensor(name, shape):
    rows, columns = shape
    q = (hashes(name, rows * columns) >> np.uint64(56)).astype(np.uint8).view(np.int8)
    q = np.maximum(q, -127).astype(np.float64).reshape(shape)
    if name.endswith("query.weight"):
        q = q - np.floor(np.float32(16) * uniform(name + ".zero_point", rows))[:, None]
    base = step(columns if ".layer." in name else 4, 128)
    scale = base * (np.float32(1) + np.float32(0.25) * uniform(name + ".scale", rows))
    return q * scale.astype(np.float64)[:, None]


def weights(config, int8):
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden),
        "embeddings.position_embeddings.weight": (config["max_positions"], hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    for i in range(config["num_layers"]):
        prefix = f"encoder.layer.{i}."
        for part, out, columns in [
            ("attention.self.query", hidden, hidden), ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden), ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", wide, hidden), ("output.dense", hidden, wide),
        ]:
            shapes[prefix + part + ".weight"] = (out, columns)
            shapes[prefix + part + ".bias"] = (out,)
        for part in ["attention.output.LayerNorm", "output.LayerNorm"]:
            shapes[prefix + part + ".weight"] = (hidden,)
            shapes[prefix + part + ".bias"] = (hidden,)

    def make(name, shape):
        quantized = int8 and (".layer." in name or "word_" in name) and len(shape) == 2
        return torch.from_numpy(int8_tensor(name, shape) if quantized else float_tensor(name, shape))

    return {name: make(name, shape) for name, shape in shapes.items()}


ACTIVATIONS = {
    "gelu": torch.nn.functional.gelu,
    "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": torch.relu,
}


def encode(config, w, ids, types, mask):
    """Hidden states of a padded batch [texts, tokens]."""
    hidden, heads = config["hidden_size"], config["num_heads"]

    def linear(name, x):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    def norm(name, x):
        return torch.nn.functional.layer_norm(x, (hidden,), w[name + ".weight"], w[name + ".bias"], 1e-12)

    def split(x):
        return x.reshape(*x.shape[:2], heads, hidden // heads).transpose(1, 2)

    h = (w["embeddings.word_embeddings.weight"][ids]
         + w["embeddings.position_embeddings.weight"][: ids.shape[1]]
         + w["embeddings.token_type_embeddings.weight"][types])
    h = norm("embeddings.LayerNorm", h)
    blocked = torch.where(mask[:, None, None, :], 0.0, -math.inf).double()
    for i in range(config["num_layers"]):
        prefix = f"encoder.layer.{i}."
        q, k, v = (split(linear(prefix + "attention.self." + p, h)) for p in ["query", "key", "value"])
        scores = q @ k.transpose(2, 3) / math.sqrt(hidden // heads) + blocked
        context = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(h.shape)
        h = norm(prefix + "attention.output.LayerNorm",
                 h + linear(prefix + "attention.output.dense", context))
        wide = ACTIVATIONS[config["hidden_act"]](linear(prefix + "intermediate.dense", h))
        h = norm(prefix + "output.LayerNorm", h + linear(prefix + "output.dense", wide))
    return h


def pool(mode, h, mask):
    """As sentence-transformers pools; `mask` is 0 for padding and for a prompt left out."""
    m = mask.double()[:, :, None]
    if mode == "mean":
        return (h * m).sum(1) / m.sum(1).clamp(min=1e-9)
    if mode == "mean_sqrt_len":
        return (h * m).sum(1) / m.sum(1).clamp(min=1e-9).sqrt()
    if mode == "max":
        return torch.where(m > 0, h, torch.tensor(-1e9).double()).max(1).values
    if mode == "cls":
        return h[:, 0]
    last = (mask.long() * torch.arange(1, mask.shape[1] + 1)).max(1).values - 1
    rows = h[torch.arange(len(h)), last.clamp(min=0)]
    return torch.where((last >= 0)[:, None], rows, torch.zeros_like(rows))


def batch(name, case):
    config, lengths = case["config"], case["lengths"]
    ids, types = [], []
    for i, n in enumerate(lengths):
        h = hashes(f"{name}.ids.{i}", n)
        ids.append([int(x) for x in h % np.uint64(config["vocab_size"])])
        # The second text of a pair starts somewhere in every other sequence.
        types.append([int(i % 2 == 1 and j >= n // 2) for j in range(n)])
    return ids, types


def run(name, case):
    torch.set_default_dtype(torch.float64)
    config = case["config"]
    ids, types = batch(name, case)
    width = max(case["lengths"])
    pad = lambda rows: torch.tensor([row + [0] * (width - len(row)) for row in rows])
    mask = torch.arange(width)[None] < torch.tensor(case["lengths"])[:, None]
    h = encode(config, weights(config, case.get("int8", False)), pad(ids), pad(types), mask)

    def rows(x):
        if case.get("normalize", True):
            x = x / x.norm(dim=1, keepdim=True).clamp(min=1e-12)
        return [[float(f"{v:.9g}") for v in row] for row in x.tolist()]

    pooled = {}
    for mode in case["poolings"]:
        if mode == "none":
            pooled[mode] = rows(h[mask])
            continue
        pooled[mode] = rows(pool(mode, h, mask))
    prompt = {}
    if "n_prompt" in case:
        left = mask & (torch.arange(width)[None] >= case["n_prompt"])
        prompt = {mode: rows(pool(mode, h, left)) for mode in ["mean", "lasttoken"]}
    return dict(config=config, int8=case.get("int8", False), normalize=case.get("normalize", True),
                ids=ids, type_ids=types, pooled=pooled, n_prompt=case.get("n_prompt", 0),
                pooled_without_prompt=prompt)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, case in CASES.items():
        text = json.dumps(run(name, case), separators=(",", ":")) + "\n"
        (OUT / f"{name}.json").write_text(text)
        print(name, len(text), "bytes")


if __name__ == "__main__":
    main()
