"""Precision and recall of whole entities: the label, the begin and the end must all be right."""

import re
from collections import Counter

import torch

from texts import KINDS, LABELS
from training import padded

MARKED = re.compile(r"\[([^\]]+)\]\(([A-Z]+)\)")


def entities_of(words):
    """[(begin, end, kind), …] of words (begin, end, label), joined as `aggregation: 'average'` does"""
    groups = []
    for begin, end, label in words:
        if label == "O":
            groups.append(None)
            continue
        start, kind = label.split("-")
        if groups and groups[-1] and start == "I" and groups[-1][2] == kind:
            groups[-1] = (groups[-1][0], end, kind)
        else:
            groups.append((begin, end, kind))
    return [group for group in groups if group]


@torch.no_grad()
def tag(model, pieces, text, longest):
    encoded = pieces.encode(text)[: longest - 2]
    ids, mask, _ = padded([([id for id, _, _ in encoded], [0] * len(encoded))], pieces, longest)
    rows = model(ids, mask)[0].softmax(1)[1:]
    words = []
    for (id, begin, end), row in zip(encoded, rows):
        if pieces.tokens[id].startswith("##"):
            words[-1][1:] = end, [*words[-1][2], row]
        else:
            words.append([begin, end, [row]])
    best = lambda own: LABELS[torch.stack(own).mean(0).argmax().item()]
    return entities_of([(begin, end, best(own)) for begin, end, own in words])


def scores(model, pieces, texts, longest):
    """{kind: (precision, recall, F1, count)}, and of all"""
    right, said, there = Counter(), Counter(), Counter()
    for text, spans in texts:
        wanted, found = set(spans), set(tag(model, pieces, text, longest))
        for counts, entities in ((right, wanted & found), (said, found), (there, wanted)):
            counts.update(kind for _, _, kind in entities)
            counts.update("all" for _ in entities)
    row = lambda kind: measured(right[kind], said[kind], there[kind])
    return {kind: row(kind) for kind in ["all", *KINDS]}


def measured(right, said, there):
    precision, recall = right / max(said, 1), right / max(there, 1)
    f1 = 2 * right / max(said + there, 1)
    return round(precision, 3), round(recall, 3), round(f1, 3), there


def marked_texts(path):
    """The lines of a file, with entities as in `[Ada](PER)`, in the form of `Texts.draw`."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text, spans, at = "", [], 0
        for found in MARKED.finditer(line):
            text += line[at : found.start()]
            spans.append((len(text), len(text) + len(found[1]), found[2]))
            text += found[1]
            at = found.end()
        rows.append((text + line[at:], spans))
    return rows
