"""Prints the perplexity that the model stories260K has of its own first story after a prompt, in
float64: of all tokens at once, and in windows of 64 tokens that move on by 32, where a window after the
first begins with the token that begins the text.

    python3 tests/reference/models/perplexity_reference.py "$AMBRY_DATA"/stories260k
"""
import json
import pathlib
import sys

import numpy as np

from decoder_reference import llama_like
from stories_reference import CONFIG, Checkpoint


def surprises(logits, ids):
    """-log p of each token after the first."""
    shifted = logits[:-1] - logits[:-1].max(axis=1, keepdims=True)
    totals = np.log(np.exp(shifted).sum(axis=1))
    return totals - shifted[np.arange(len(ids) - 1), ids[1:]]


def main():
    folder = pathlib.Path(sys.argv[1])
    answer = json.loads((folder / "known_answers.json").read_text())["answers"][1]
    ids = answer["prompt_tokens"] + answer["generated_tokens"]
    forward = llama_like(CONFIG, Checkpoint(folder / "stories260K.bin", rounded=False))
    whole = surprises(forward(ids), ids)
    print("tokens", len(whole), "cross entropy", repr(whole.mean()))
    size, stride = 64, 32
    end = size
    parts = [surprises(forward(ids[:end]), ids[:end])]
    while end < len(ids):
        judged, end = end, min(len(ids), end + stride)
        window = ids[:1] + ids[end - size + 1:end]
        parts.append(surprises(forward(window), window)[judged - end:])
    windowed = np.concatenate(parts)
    print("windows", len(parts), "tokens", len(windowed), "cross entropy", repr(windowed.mean()))


if __name__ == "__main__":
    main()
