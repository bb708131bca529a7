"""Writes tests/fixtures/token_classification/pipeline.json: made-up tokens with numbers for labels, and
the entities that Transformers' pipeline for token classification makes of them.

    python3 tests/reference/models/token_classification.py

The rules are written out from the documentation and the behaviour of TokenClassificationPipeline
(transformers, pipelines/token_classification.py):

    scores       softmax over the labels, in float32
    tokens       special ones are left out
    none         each token with its most probable label
    simple       as none, then neighbours are grouped
    first, average, max
                 each word gets the label of its first token, of the mean of its tokens' scores, or of
                 its most certain token; then neighbours are grouped. A word is a token and the ones
                 after it that are subwords.
    grouping     a label is (B, x) for B-x, (I, x) for I-x, and (I, label) for all others. A group goes
                 on if the next x is equal and it is not (B, x). A group is named by what follows the
                 first hyphen of its first label, and its score is the mean.
    ignoring     tokens or groups whose label is ignored are left out, in each window by itself
    windows      with several windows of a text all entities are sorted by their begins. While one
                 begins in the one before, the longer stays; of equally long ones the one with the
                 higher score.

Offsets of tokens are code points in the reference, as in Python, and UTF-16 units in what a worker
gives. The file has both: `tokens` are [start, end, flags] in UTF-16 units, and each expected entity is
[label, start, end, score, start in code points, end in code points]. `logits` are in sixteenths.
"""
import json
import math
import pathlib
import struct

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "token_classification"

SPECIAL, SUBWORD = 1, 4
AGGREGATIONS = ["none", "simple", "first", "average", "max"]

CASES = {
    "names": (["O", "B-PER", "I-PER", "B-LOC", "I-LOC"], ["O"], 14, 4),
    "no prefixes": (["O", "PER", "LOC"], ["O"], 40, 0),
    "odd labels": (["X-Y", "O", "B-", "PER", "I-Y", "B-A-B"], ["O"], 12, 3),
    "nothing ignored": (["O", "B-PER", "I-PER"], [], 10, 5),
    "others ignored": (["NOUN", "VERB", "B-VERB", "I-NOUN"], ["VERB", "I-NOUN"], 16, 1),
}

TEXTS = [
    "Ada Lovelace met Charles Babbage in London.",
    "Zoë e\u0301tait à Nîmes 🙂 avec 👩‍👩‍👧 et 🇫🇷!",
    "山田太郎さんは東京に住んでいます。",
    "Анна и محمد سافروا إلى नई दिल्ली — ok",
    "  two  spaces\tand\nlines  ",
    "",
]


def lcg(seed):
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        yield state >> 33


def tokens_of(text, numbers):
    """Tokens of one to four code points. White space is left out, or begins a token, as in tokenizers
    of either kind. An emoji may be two tokens with the same place, as with bytes."""
    found, at = [], 0
    with_space = next(numbers) % 2
    while at < len(text):
        begin = at
        if text[at].isspace():
            at += 1
            if not with_space or at == len(text) or text[at].isspace():
                continue
        first = at
        length = 1 + next(numbers) % 4
        while at < len(text) and at - first < length and not text[at].isspace():
            at += 1
        starts_word = first == 0 or text[first - 1].isspace() or next(numbers) % 7 == 0
        found.append((begin, at, 0 if starts_word else SUBWORD))
        if ord(text[first]) > 0xFFFF and next(numbers) % 2:
            found.append((begin, at, SUBWORD))
    return found


def windows_of(tokens, size, overlap):
    """Windows with a special token at each end."""
    room = size - 2
    begin, windows = 0, []
    while True:
        own = tokens[begin:begin + room]
        windows.append([(0, 0, SPECIAL)] + own + [(0, 0, SPECIAL)])
        if begin + room >= len(tokens):
            return windows
        begin += room - overlap


def logits_for(windows, n_labels, numbers):
    """In sixteenths from -4 to 4, with ties and some that are far larger."""
    return [[[next(numbers) % 129 - 64 + (next(numbers) % 5 == 0) * 48 for _ in range(n_labels)]
             for _ in window] for window in windows]


def softmax(row):
    most = max(row)
    powers = [float32(math.exp((x - most) / 16)) for x in row]
    total = float32(sum(powers))
    return [float32(power / total) for power in powers]


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def mean(numbers):
    return float32(sum(numbers) / len(numbers))


def best(scores, labels):
    index = scores.index(max(scores))
    return labels[index], scores[index]


def word_label(word, aggregation, labels):
    if aggregation == "first":
        return best(word[0]["scores"], labels)
    if aggregation == "max":
        return best(max(word, key=lambda token: max(token["scores"]))["scores"], labels)
    rows = zip(*[token["scores"] for token in word])
    return best([mean(row) for row in rows], labels)


def words_of(tokens, aggregation, labels):
    words = []
    for token in tokens:
        if words and token["subword"]:
            words[-1].append(token)
        else:
            words.append([token])
    found = []
    for word in words:
        label, score = word_label(word, aggregation, labels)
        found.append(dict(label=label, score=score, start=word[0]["start"], end=word[-1]["end"]))
    return found


def tag_of(label):
    if label[:2] in ("B-", "I-"):
        return label[0], label[2:]
    return "I", label


def grouped(entities):
    groups = []
    for entity in entities:
        begins, tag = tag_of(entity["label"])
        if groups and begins != "B" and tag == tag_of(groups[-1][-1]["label"])[1]:
            groups[-1].append(entity)
        else:
            groups.append([entity])
    return [dict(label=group[0]["label"].split("-", 1)[-1],
                 score=mean([entity["score"] for entity in group]),
                 start=group[0]["start"], end=group[-1]["end"]) for group in groups]


def entities_of(window, logits, aggregation, labels):
    tokens = [dict(start=start, end=end, subword=flags & SUBWORD, scores=softmax(row))
              for (start, end, flags), row in zip(window, logits) if not flags & SPECIAL]
    if aggregation in ("none", "simple"):
        each = []
        for token in tokens:
            label, score = best(token["scores"], labels)
            each.append(dict(label=label, score=score, start=token["start"], end=token["end"]))
        return each if aggregation == "none" else grouped(each)
    return grouped(words_of(tokens, aggregation, labels))


def without_overlaps(entities):
    if not entities:
        return []
    entities = sorted(entities, key=lambda entity: entity["start"])
    kept, previous = [], entities[0]
    for entity in entities:
        if previous["start"] <= entity["start"] < previous["end"]:
            length = entity["end"] - entity["start"]
            before = previous["end"] - previous["start"]
            if length > before or (length == before and entity["score"] > previous["score"]):
                previous = entity
        else:
            kept.append(previous)
            previous = entity
    return kept + [previous]


def expected(windows, logits, aggregation, labels, ignored):
    found = []
    for window, rows in zip(windows, logits):
        own = entities_of(window, rows, aggregation, labels)
        found += [entity for entity in own if entity["label"] not in ignored]
    return without_overlaps(found) if len(windows) > 1 else found


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    numbers = lcg(50)
    cases = []
    for name, (labels, ignored, size, overlap) in CASES.items():
        texts = []
        for text in TEXTS:
            units = lambda offset: len(text[:offset].encode("utf-16-le")) // 2
            windows = windows_of(tokens_of(text, numbers), size, overlap)
            logits = logits_for(windows, len(labels), numbers)
            entities = {aggregation: [
                [e["label"], units(e["start"]), units(e["end"]), round(e["score"], 7),
                 e["start"], e["end"]]
                for e in expected(windows, logits, aggregation, labels, ignored)]
                for aggregation in AGGREGATIONS}
            as_units = [[[units(start), units(end), flags] for start, end, flags in window]
                        for window in windows]
            texts.append(dict(text=text, windows=as_units, logits=logits, entities=entities))
        cases.append(dict(name=name, labels=labels, ignore=ignored, texts=texts))
    lines = ",\n".join(json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in cases)
    (OUT / "pipeline.json").write_text(f"[{lines}]\n")


if __name__ == "__main__":
    main()
