#!/usr/bin/env python3
"""What a sampler draws from 1000 made-up logits, in float64 and straight from the definitions, for
sampler_test.cpp."""
import math

from xoshiro import xoshiro

LOGITS = [((i * 7919 % 1000) - 500) / 64 for i in range(1000)]


def picks(seed, temperature, top_k, top_p, count):
    numbers = xoshiro(seed)
    for _ in range(count):
        kept = [(math.exp((x - max(LOGITS)) / temperature), i) for i, x in enumerate(LOGITS)]
        ordered = sorted(kept, key=lambda pair: (-pair[0], pair[1]))
        if top_k:
            kept = ordered[:top_k]
        if top_p < 1:
            enough, total, kept = top_p * sum(w for w, _ in kept), 0.0, []
            while total < enough:
                kept.append(ordered[len(kept)])
                total += kept[-1][0]
        left = (next(numbers) >> 11) * 2.0**-53 * sum(w for w, _ in kept)
        for weight, i in kept:
            left -= weight
            if left < 0:
                yield i
                break


for case in [(7, 0.9, 0, 0.95), (7, 0.9, 0, 1), (7, 0.9, 40, 1), (8, 0.9, 40, 1)]:
    print(case, list(picks(*case, 8)))
