"""Writes tests/fixtures/late_interaction/*.json: vectors of the tokens of queries and documents, and
scores by MaxSim, of ColBERT models with made-up weights, in float64 with PyTorch.

    python3 tests/reference/models/late_interaction.py      (Debian: python3-torch, python3-numpy)

How texts become tokens and tokens become vectors is written out from ColBERT's own code
(stanford-futuredata/ColBERT, query_tokenization.py, doc_tokenization.py and colbert.py) and PyLate's
(lightonai/pylate, models/colbert.py):

    query      [CLS] marker tokens [SEP], filled with [MASK] up to its length. The masks see the
               other tokens; they are seen only where the model says so. All vectors count.
    document   [CLS] marker tokens [SEP], cut to its length. Vectors of punctuation are left out.
    vectors    the last hidden states times `linear.weight`, scaled to length 1
    score      for each vector of the query the largest product with one of the document, summed

A file has `config` (a config.json), `vocabulary`, `tensors` (shapes by name), the settings `late`, and
`texts` with their vectors. The hidden states are those of encoder_models.py, whose attention gets the
mask here; the weights follow its rule.
"""
import json
import math
import pathlib
import re
import string

import torch

import encoder_models as models
from encoder_architectures import BERT, MODERNBERT

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "late_interaction"

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"]
VOCABULARY = SPECIAL + [".", ",", "!"] + [f"w{i}" for i in range(51)]

TEXTS = [
    ("query", "w3 w17, w40"),
    ("query", ""),
    ("query", "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12"),
    ("document", "w17 w3. w40 w22 w5!"),
    ("document", "w50, unheard w8"),
    ("document", "w9 w8 w7 w6 w5 w4, w3 w2 w1 w0 . . . w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21"),
]

CASES = {
    # As colbertv2.0: expansion tokens are not seen.
    "colbert": (models.bert, BERT, dict(query_length=12, document_length=20, attend=False)),
    "attending": (models.bert, dict(BERT, num_hidden_layers=1),
                  dict(query_length=9, document_length=48, attend=True)),
    # As a model of PyLate over ModernBERT, whose local layers see 14 tokens to either side.
    "modernbert": (models.modernbert, dict(MODERNBERT, local_attention=28),
                   dict(query_length=14, document_length=24, attend=False)),
    "without_expansion": (models.modernbert, dict(MODERNBERT, num_hidden_layers=2),
                          dict(query_length=14, document_length=24, attend=False, expand=False)),
}
DIM = 7


def id_of(word):
    return VOCABULARY.index(word) if word in VOCABULARY else 1


def ids_of(text, length):
    ids = [id_of(word) for word in re.findall(r"\w+|[^\w\s]", text)]
    return [2] + ids[:length - 3] + [3]


def tokens(kind, text, late):
    """Ids, and how many of them are seen."""
    length = late["query_length" if kind == "query" else "document_length"]
    ids = ids_of(text, length)
    ids.insert(1, 5 if kind == "query" else 6)
    seen = len(ids)
    if kind == "query" and late.get("expand", True):
        ids += [4] * (length - len(ids))
        seen = len(ids) if late["attend"] else seen
    return ids, seen


def hidden_states(model, config, weights, ids, seen):
    plain = models.attention
    mask = torch.zeros(len(ids), len(ids))
    mask[:, seen:] = -math.inf

    def masked(q, k, v, heads, scale=None, bias=0.0):
        return plain(q, k, v, heads, scale, bias + mask)

    models.attention = masked
    try:
        return model(config, weights, ids, [0] * len(ids))
    finally:
        models.attention = plain


def vectors(model, config, weights, kind, text, late):
    ids, seen = tokens(kind, text, late)
    hidden = hidden_states(model, config, weights, ids, seen)
    rows = torch.nn.functional.normalize(weights.linear("linear", hidden, DIM, bias=False), dim=-1)
    # Both libraries take the ids of the characters, which are [UNK]'s where the vocabulary lacks one.
    skipped = [id_of(c) for c in string.punctuation] if kind == "document" else []
    return rows[[i for i, id in enumerate(ids) if id not in skipped]]


def run(name, model, config, late):
    config = dict(config)
    weights = models.Weights()
    made = [vectors(model, config, weights, kind, text, late) for kind, text in TEXTS]
    # A mask that hides nothing changes nothing, and one that hides a token is as if it were not there.
    ids, _ = tokens("document", TEXTS[4][1], late)
    whole = model(config, weights, ids, [0] * len(ids))
    assert torch.allclose(hidden_states(model, config, weights, ids, len(ids)), whole, atol=1e-12)
    longer = hidden_states(model, config, weights, ids + [4, 4], len(ids))
    assert torch.allclose(longer[:len(ids)], whole, atol=1e-12)
    scores = [[float(f"{(q @ d.T).max(1).values.sum():.6f}")
               for (kind, _), d in zip(TEXTS, made) if kind == "document"]
              for (kind, _), q in zip(TEXTS, made) if kind == "query"]
    texts = [{"as": kind, "text": text, "vectors": [[float(f"{x:.6f}") for x in row] for row in rows.tolist()]}
             for (kind, text), rows in zip(TEXTS, made)]
    late = dict(late, dim=DIM)
    return dict(config=config, vocabulary=VOCABULARY, tensors=weights.shapes, late=late, texts=texts, scores=scores)


def main():
    torch.set_default_dtype(torch.float64)
    OUT.mkdir(parents=True, exist_ok=True)
    for name, (model, config, late) in CASES.items():
        text = json.dumps(run(name, model, config, late), separators=(",", ":")) + "\n"
        (OUT / f"{name}.json").write_text(text)
        print(name, len(text), "bytes")


if __name__ == "__main__":
    main()
