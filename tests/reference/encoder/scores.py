"""What a training is judged by while it runs: the dev half of the STS Benchmark, and retrieval of tldr pages."""

import csv
import json

import numpy as np


def ranks(values):
    """From 1; ties share their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def spearman(a, b):
    return np.corrcoef(ranks(a), ranks(b))[0, 1]


def sentence_similarity(embed, path):
    rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
    left, right = (embed([row[side] for row in rows]) for side in (0, 1))
    return spearman((left * right).sum(1), np.array([float(row[2]) for row in rows]))


def retrieval(embed, folder):
    """Recall and mean reciprocal rank; a document is beaten only by a strictly better one."""
    read = lambda name: [json.loads(line) for line in (folder / name).open(encoding="utf-8")]
    documents, queries = read("docs.jsonl"), read("queries.jsonl")
    place = {document["id"]: i for i, document in enumerate(documents)}
    wanted = np.array([place[query["relevant"]] for query in queries])
    texts = embed([document["text"] for document in documents])
    scores = embed([query["query"] for query in queries]) @ texts.T
    better = (scores > scores[np.arange(len(queries)), wanted][:, None]).sum(1)
    reciprocal = np.where(better < 10, 1 / (better + 1), 0)
    return {"R@1": (better == 0).mean(), "R@10": (better < 10).mean(), "MRR@10": reciprocal.mean()}


def dev_scores(embed, data):
    similarity = sentence_similarity(embed, data / "eval/stsbenchmark/stsb-en-dev.csv")
    found = retrieval(embed, data / "eval/tldr-retrieval")
    return {name: round(float(score), 4) for name, score in ({"STS-B": similarity} | found).items()}
