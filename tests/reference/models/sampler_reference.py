#!/usr/bin/env python3
"""What a sampler draws from 1000 made-up logits, in float64 and straight from the definitions, for
sampler_test.cpp. The drawn ids are the tokens so far."""
import math

from xoshiro import xoshiro

LOGITS = [((i * 7919 % 1000) - 500) / 64 for i in range(1000)]

DEFAULTS = {
    "bias": {}, "repetition": 1, "frequency": 0, "presence": 0, "last_n": 10**6,
    "dry": 0, "dry_base": 1.75, "dry_allowed": 2, "dry_breakers": [],
    "top_n_sigma": 0, "top_k": 0, "typical_p": 1, "top_p": 1, "min_p": 0, "min_keep": 0,
    "xtc": 0, "xtc_threshold": 0.1, "temperature": 0.8, "range": 0, "exponent": 1,
    "mirostat": 0, "tau": 5, "eta": 0.1,
}  # fmt: skip


def softmax(kept, temperature=1):
    """[(probability, logit, id)] in the order of `kept`, which has (logit, id)."""
    top = max(logit for logit, _ in kept)
    weights = [math.exp((logit - top) / temperature) for logit, _ in kept]
    return [(w / sum(weights), *pair) for w, pair in zip(weights, kept)]


def penalize(logits, so_far, o):
    window = so_far[-o["last_n"] :]
    for i in set(window):
        logits[i] = logits[i] / o["repetition"] if logits[i] > 0 else logits[i] * o["repetition"]
        logits[i] -= window.count(i) * o["frequency"] + o["presence"]


def dry(logits, so_far, o):
    longest = {}
    for end in range(1, len(so_far)):
        n = 0
        while n < end and so_far[end - 1 - n] == so_far[-1 - n] not in o["dry_breakers"]:
            n += 1
        if n >= o["dry_allowed"]:
            longest[so_far[end]] = max(longest.get(so_far[end], 0), n)
    for i, n in longest.items():
        if i not in o["dry_breakers"]:
            logits[i] -= o["dry"] * o["dry_base"] ** (n - o["dry_allowed"])


def fewest(weighed, key, enough, min_keep):
    """The first ones by `key`, in the order of `weighed`."""
    ids, total = [], 0.0
    for p, _, i in sorted(weighed, key=key):
        if enough(total) and len(ids) >= max(min_keep, 1):
            break
        ids.append(i)
        total += p
    return [(logit, i) for _, logit, i in weighed if i in ids]


def truncate(kept, o, draw):
    by_likelihood = lambda pair: (-pair[-2], pair[-1])
    if o["top_n_sigma"]:
        logits = [logit for logit, _ in kept]
        mean = sum(logits) / len(logits)
        sigma = math.sqrt(sum((x - mean) ** 2 for x in logits) / len(logits))
        kept = [pair for pair in kept if pair[0] >= max(logits) - o["top_n_sigma"] * sigma]
    if o["top_k"]:
        kept = sorted(kept, key=by_likelihood)[: o["top_k"]]
    if o["typical_p"] < 1:
        weighed = softmax(kept)
        entropy = -sum(p * math.log(p) for p, _, _ in weighed)
        key = lambda x: (abs(-math.log(x[0]) - entropy), *by_likelihood(x))
        enough = lambda total: total > o["typical_p"]
        kept = fewest(weighed, key, enough, o["min_keep"])
    if o["top_p"] < 1:
        enough = lambda total: total >= o["top_p"]
        kept = fewest(softmax(kept), by_likelihood, enough, o["min_keep"])
    if o["min_p"]:
        weighed = softmax(kept)
        lowest = o["min_p"] * max(p for p, _, _ in weighed)
        likely = [(logit, i) for p, logit, i in weighed if p >= lowest]
        least = sorted(kept, key=by_likelihood)[: o["min_keep"]]
        kept = least if len(least) > len(likely) else likely
    if o["xtc"] and len(kept) > 1 and draw() < o["xtc"]:
        choices = [x for x in softmax(kept) if x[0] >= o["xtc_threshold"]]
        choices = sorted(choices, key=by_likelihood)[:-1]
        if len(kept) - len(choices) >= o["min_keep"]:
            kept = [pair for pair in kept if pair[1] not in [i for _, _, i in choices]]
    return kept


def temperature(kept, o):
    if not o["range"]:
        return o["temperature"]
    entropy = -sum(p * math.log(p) for p, _, _ in softmax(kept))
    share = (entropy / math.log(len(kept))) ** o["exponent"]
    low, high = max(0, o["temperature"] - o["range"]), o["temperature"] + o["range"]
    return low + (high - low) * share


def mirostat(kept, o, limit):
    heat = temperature(kept, o)
    weighed = softmax(kept, heat)
    if o["mirostat"] == 2:
        likely = [(logit, i) for p, logit, i in weighed if -math.log2(p) <= limit]
        return likely or [max(weighed)[1:]]
    ranked = sorted(weighed, key=lambda x: (-x[1], x[2]))
    t = [math.log((i + 2) / (i + 1)) for i in range(99)]
    b = [math.log(ranked[i][0] / ranked[i + 1][0]) for i in range(99)]
    s = sum(x * y for x, y in zip(t, b)) / sum(x * x for x in t)
    k = ((s - 1) * 2**limit / (1 - len(LOGITS) ** (1 - s))) ** (1 / s)
    if k >= len(kept):
        return kept
    return [(logit, i) for _, logit, i in ranked[: max(int(k), 1)]]


def picks(seed, count, **given):
    o = DEFAULTS | given
    numbers = xoshiro(seed)
    draw = lambda: (next(numbers) >> 11) * 2.0**-53
    so_far, limit = [], 2 * o["tau"]
    for _ in range(count):
        logits = [x + o["bias"].get(i, 0) for i, x in enumerate(LOGITS)]
        penalize(logits, so_far, o)
        if o["dry"]:
            dry(logits, so_far, o)
        kept = [(x, i) for i, x in enumerate(logits) if x > -math.inf]
        heat = temperature(kept, o)
        if o["mirostat"]:
            kept = mirostat(kept, o, limit)
        else:
            kept = truncate(kept, o, draw)
            heat = temperature(kept, o)
        left = draw()
        for p, _, i in softmax(kept, heat):
            left -= p
            if left < 0:
                break
        so_far.append(i)
        limit -= o["eta"] * (-math.log2(p) - o["tau"])
    return so_far


for case in [
    dict(seed=7, temperature=0.9, top_p=0.95),
    dict(seed=7, temperature=0.9),
    dict(seed=7, temperature=0.9, top_k=40),
    dict(seed=8, temperature=0.9, top_k=40),
    dict(seed=7, temperature=1.1, typical_p=0.7),
    dict(seed=7, temperature=2, min_p=0.3, top_n_sigma=2.5, min_keep=90),
    dict(seed=7, temperature=1, xtc=0.5, xtc_threshold=0.005),
    dict(seed=7, temperature=0.02, repetition=1.1, frequency=0.05, presence=0.1, last_n=3),
    dict(seed=7, temperature=0.01, dry=0.5, dry_base=1.5, dry_allowed=1),
    dict(seed=7, temperature=0.01, dry=0.5, dry_base=1.5, dry_allowed=1, dry_breakers=[321]),
    dict(seed=7, temperature=1, range=0.8, exponent=2, top_p=0.9),
    dict(seed=7, temperature=1, mirostat=1, tau=4, eta=0.3),
    dict(seed=7, temperature=1, mirostat=2, tau=4, eta=0.3),
    dict(seed=7, temperature=0.7, bias={321: -math.inf, 5: 12}),
]:
    print(case, picks(count=10, **case))
