"""Writes tests/fixtures/classification_heads/*.json: logits of the classification heads of encoders with
made-up weights, computed by PyTorch in float64. Each head is written out as `*ForSequenceClassification` in
Hugging Face's transformers has it, without dropout.

    python3 tests/reference/models/classification_heads.py      (Debian: python3-torch)

`heads.json` has each kind of head over made-up hidden states, for texts of several lengths. `bert.json` has whole
rerankers and classifiers: an encoder of bert_reference.py, and a head over its hidden states. Weights are made as
bert_reference.py says. Those of matrices of a head are u * f32(2 / sqrt(columns)).
"""
import json
import math
import pathlib

import numpy as np
import torch

from bert_reference import batch, encode, uniform, weights

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "classification_heads"

ACTIVATIONS = {"tanh": torch.tanh, "relu": torch.relu, "gelu": torch.nn.functional.gelu}

# The heads by architecture: the layer before the classifier, its activation and bias, the norm between them and its
# bias, the classifier and its bias.
HEADS = {
    "bert": dict(dense="pooler.dense", act="tanh", classifier="classifier"),
    "distilbert": dict(dense="pre_classifier", act="relu", classifier="classifier"),
    "roberta": dict(dense="classifier.dense", act="tanh", classifier="classifier.out_proj"),
    "electra": dict(dense="classifier.dense", act="gelu", classifier="classifier.out_proj"),
    "albert": dict(dense="pooler", act="tanh", classifier="classifier"),
    "deberta": dict(dense="pooler.dense", act="gelu", classifier="classifier"),
    "modernbert": dict(dense="head.dense", act="gelu", classifier="classifier", norm="head.norm",
                       dense_bias=False, norm_bias=False),
    "modernbert_mean": dict(dense="head.dense", act="gelu", classifier="classifier", norm="head.norm",
                            dense_bias=True, norm_bias=True, mean=True),
    "eurobert": dict(dense="dense", act="gelu", classifier="classifier", late=True),
    "eurobert_mean": dict(dense="dense", act="gelu", classifier="classifier", mean=True),
    "without_dense": dict(act="tanh", classifier="classifier"),
}


def values(name, shape):
    u = uniform(name, math.prod(shape))
    if len(shape) == 2:
        u = u * np.float32(2 / math.sqrt(shape[1]))
    elif name.endswith("norm.weight"):
        u = np.float32(1) + np.float32(0.25) * u
    else:
        u = np.float32(0.25) * u
    return torch.from_numpy(u.astype(np.float64).reshape(shape))


def classify(hidden, head, n_labels, eps):
    """`hidden` holds the rows of one text."""
    width = hidden.shape[1]

    def linear(name, x, out, bias):
        y = x @ values(name + ".weight", (out, x.shape[-1])).T
        return y + values(name + ".bias", (out,)) if bias else y

    if head.get("late"):  # every token is classified, and the mean of the logits counts
        x = ACTIVATIONS[head["act"]](linear(head["dense"], hidden, width, True))
        return linear(head["classifier"], x, n_labels, True).mean(0)
    x = hidden.mean(0) if head.get("mean") else hidden[0]
    if "dense" in head:
        x = ACTIVATIONS[head["act"]](linear(head["dense"], x, width, head.get("dense_bias", True)))
    if "norm" in head:
        weight = values(head["norm"] + ".weight", (width,))
        bias = values(head["norm"] + ".bias", (width,)) if head.get("norm_bias", True) else None
        x = torch.nn.functional.layer_norm(x, (width,), weight, bias, eps)
    return linear(head["classifier"], x, n_labels, True)


def rounded(rows):
    return [[float(f"{v:.12g}") for v in row.tolist()] for row in rows]


def heads():
    width, eps = 23, 1e-5
    cases = {}
    for name, head in HEADS.items():
        n_labels = 1 if name == "bert" else 3
        rows = []
        for length in (1, 4, 9):
            u = uniform(f"hidden.{length}", length * width).astype(np.float64)
            rows.append(classify(torch.from_numpy(u.reshape(length, width)), head, n_labels, eps))
        cases[name] = dict(head, labels=n_labels, logits=rounded(rows))
    return dict(width=width, eps=eps, lengths=[1, 4, 9], heads=cases)


def bert():
    config = dict(vocab_size=211, hidden_size=44, num_layers=2, num_heads=4, intermediate_size=67,
                  max_positions=48, hidden_act="gelu")
    lengths = [12, 48, 3, 7]
    cases = {}
    for name, n_labels, int8 in [("reranker", 1, False), ("three_labels", 3, False), ("int8", 2, True)]:
        ids, types = batch(f"head.{name}", dict(config=config, lengths=lengths))
        w = weights(config, int8)
        rows = []
        for text_ids, text_types in zip(ids, types):
            mask = torch.ones(1, len(text_ids), dtype=torch.bool)
            hidden = encode(config, w, torch.tensor([text_ids]), torch.tensor([text_types]), mask)
            rows.append(classify(hidden[0], HEADS["bert"], n_labels, 1e-12))
        cases[name] = dict(labels=n_labels, int8=int8, ids=ids, type_ids=types, logits=rounded(rows))
    return dict(config=config, cases=cases)


def main():
    torch.set_default_dtype(torch.float64)
    OUT.mkdir(parents=True, exist_ok=True)
    for name, content in [("heads", heads()), ("bert", bert())]:
        text = json.dumps(content, separators=(",", ":")) + "\n"
        (OUT / f"{name}.json").write_text(text)
        print(name, len(text), "bytes")


if __name__ == "__main__":
    main()
