"""Chooses which of bert-base-uncased's 30,522 word pieces are kept, and encodes all text with those."""

import numpy as np

from texts import plain_lines
from word_pieces import SPECIAL

FIRST_COUNTED = 1996  # from this id on bert-base-uncased's vocabulary is in order of frequency
LEAST_FOREIGN, LEAST_CHARACTER = 200, 50


def encode_lines(data, pieces):
    """All pieces one after another, and the number of the line that each is from."""
    ids, lengths = [], []
    for line in plain_lines(data):
        encoded = pieces.encode(line)
        if len(encoded) >= 3:
            ids.append(np.array(encoded, np.uint16))
            lengths.append(len(encoded))
    return np.concatenate(ids), np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)


def count_pieces(data, pieces):
    ids, _ = encode_lines(data, pieces)
    return np.bincount(ids, minlength=len(pieces))


def choose(tokens, counts, size):
    """Special pieces first, then in their old order: every ASCII character, so that whatever is left out can still
    be spelled, and the best by the mean of two log ranks, BERT's own and by our counts."""
    cores = [token.removeprefix("##") for token in tokens]
    ours = np.empty(len(tokens))
    ours[np.argsort(-counts, kind="stable")] = np.arange(1, len(tokens) + 1)
    theirs = np.maximum(np.arange(len(tokens)) - (FIRST_COUNTED - 1.0), 1)

    def is_needed(id):
        common = cores[id].isascii() or counts[id] >= LEAST_CHARACTER
        return tokens[id] in SPECIAL or (len(cores[id]) == 1 and common)

    def is_candidate(id):
        foreign = not cores[id].isascii() and counts[id] < LEAST_FOREIGN
        return len(cores[id]) > 1 and not tokens[id].startswith("[unused") and not foreign

    kept = {id for id in range(len(tokens)) if is_needed(id)}
    best = np.argsort(np.log(theirs) + np.log(ours), kind="stable").tolist()
    candidates = (id for id in best if is_candidate(id) and id not in kept)
    kept.update(next(candidates) for _ in range(size - len(kept)))
    special = [tokens.index(token) for token in SPECIAL]
    return [tokens[id] for id in special + sorted(kept.difference(special))]
