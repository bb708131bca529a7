"""Writes tests/fixtures/question_answering/answers.json: tokens and numbers as a model that answers questions may give them,
and the answers in them.

    python3 tests/reference/models/question_answering.py      (needs nothing but Python)

The rules are those of transformers' QuestionAnsweringPipeline, written out with every pair of a start and an end: numbers of tokens that cannot
answer become -10000, softmax over each window, "no answer" is the least product of the first token's two probabilities. Answers are widened to whole words, and equal ones keep the best of their scores. Texts
have several scripts, emoji and combining marks; tokens are cut by made-up rules. Offsets in the file are UTF-16 units.
"""
import json
import math
import pathlib
import random
import unicodedata

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "question_answering"

SPECIAL, SECOND, SUBWORD = 1, 2, 4

TEXTS = [
    "Most cats sleep in the warm kitchen, where nobody looks for them.",
    "The harbour of Göteborg was built in 1621; its piers are 4,5 km long. Zoe\u0301 lives there!",
    "猫は台所で眠る。Cats眠る in 台所 and ช้างนอนในสวน too.",
    "A 👩‍🚀 flew 🇫🇷 with 👍🏽👍 on board, cost: $5 or €7.",
    "don't e-mail (C++) users:   re-read snake_case\tand \"quotes\"",
    "x",
]


def units(text, place):
    return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


def is_spaceless(char):
    name = unicodedata.name(char, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"))


def is_word(char):
    return unicodedata.category(char)[0] in "LNM" and not is_spaceless(char)


def belongs_before(char):
    return unicodedata.category(char)[0] == "M" or char == "\u200d" or 0x1F3FB <= ord(char) <= 0x1F3FF


def runs(text):
    """The number of the word of each character; white space has none."""
    numbers, number = [], 0
    for i, char in enumerate(text):
        left = text[i - 1] if i else " "
        joins = (belongs_before(char) or left == "\u200d") and not left.isspace()
        if not joins and not (is_word(left) and is_word(char)):
            number += 1
        numbers.append(None if char.isspace() else number)
    return numbers


def cut(rng, word, begin):
    """Pieces of one to three characters."""
    pieces = []
    at = 0
    while at < len(word):
        size = rng.randint(1, 3)
        pieces.append((begin + at, begin + min(len(word), at + size)))
        at += size
    return pieces


def wordpiece(rng, text):
    """Words end at white space, at punctuation and around characters of Chinese, as in BERT."""
    def alone(char):
        ascii_sign = ord(char) < 128 and not char.isalnum() and not char.isspace()
        return ascii_sign or unicodedata.category(char)[0] == "P" or "CJK" in unicodedata.name(char, "")
    tokens, at = [], 0
    while at < len(text):
        end = at + 1
        if text[at].isspace():
            at = end
            continue
        while not alone(text[at]) and end < len(text) and not text[end].isspace() and not alone(text[end]):
            end += 1
        pieces = cut(rng, text[at:end], at)
        tokens += [(b, e, SECOND | (SUBWORD if i else 0)) for i, (b, e) in enumerate(pieces)]
        at = end
    return tokens


def with_spaces(rng, text):
    """Tokens of any characters; white space is part of the token after it, or a token of its own."""
    tokens = []
    for begin, end in cut(rng, text, 0):
        touches = begin > 0 and " " not in text[begin - 1:begin + 1]
        tokens.append((begin, end, SECOND | (SUBWORD if touches else 0)))
    return tokens


def windows_of(tokens, size, overlap):
    at = 0
    while True:
        yield tokens[at:at + size]
        if at + size >= len(tokens):
            return
        at += size - overlap


def softmax(x):
    powers = [math.exp(v - max(x)) for v in x]
    return [power / math.fsum(powers) for power in powers]


def span_of(text, word_of, pieces, first, last, is_wordpiece):
    begin, end = pieces[first][0], pieces[last][1]
    if is_wordpiece:
        while first > 0 and pieces[first][2] & SUBWORD:
            first -= 1
        while last + 1 < len(pieces) and pieces[last + 1][2] & SUBWORD:
            last += 1
        begin, end = pieces[first][0], pieces[last][1]
    while begin < end and word_of[begin] is None:
        begin += 1
    while begin < end and word_of[end - 1] is None:
        end -= 1
    if begin == end:
        return None
    while begin > 0 and word_of[begin - 1] == word_of[begin]:
        begin -= 1
    while end < len(text) and word_of[end] == word_of[end - 1]:
        end += 1
    return begin, end


def answers(text, windows, is_wordpiece, k, longest, no_answer):
    word_of = runs(text)
    found, none = {}, 1.0
    for pieces, before, logits in windows:
        may = [False] * before + [True] * len(pieces) + [False]
        keep = [True] + may[1:]
        start, end = (softmax([v if kept else -10000.0 for v, kept in zip(column, keep)]) for column in zip(*logits))
        none = min(none, start[0] * end[0])
        own = {}
        pairs = [(s, e) for s in range(len(may)) for e in range(s, len(may)) if may[s] and may[e] and e - s < longest]
        for s, e in pairs:
            span = span_of(text, word_of, pieces, s - before, e - before, is_wordpiece)
            if span:
                own[span] = max(own.get(span, 0), start[s] * end[e])
        for span, score in sorted(own.items(), key=lambda item: -item[1])[:k]:
            found[span] = max(found.get(span, 0), score)
    rows = [(text[b:e], b, e, score) for (b, e), score in found.items()]
    rows.sort(key=lambda row: (-row[3], row[1], row[2]))
    if no_answer:
        rows.append(("", 0, 0, none))
        rows.sort(key=lambda row: -row[3])
    return rows[:k]


def case(rng, text, kind, size, overlap):
    tokens = (wordpiece if kind == "wordpiece" else with_spaces)(rng, text)
    question = [(i, i + 1, 0) for i in range(4)]
    before = len(question) + 2
    windows, written = [], []
    for pieces in windows_of(tokens, size, overlap):
        row = [(0, 0, SPECIAL), *question, (0, 0, SPECIAL), *pieces, (0, 0, SPECIAL)]
        logits = [[round(rng.gauss(0, 3) * 2**16) / 2**16 for _ in range(2)] for _ in row]
        windows.append((pieces, before, logits))
        flat = []
        for i, (b, e, flags) in enumerate(row):
            b, e = (units(text, b), units(text, e)) if flags & SECOND else (b, e)
            flat += [i, b, e, flags]
        written.append(dict(tokens=flat, logits=[value for pair in logits for value in pair]))
    asked = []
    for k, longest, no_answer in [(1, 15, False), (4, 3, True), (400, 15, True), (3, 1, False)]:
        rows = answers(text, windows, kind == "wordpiece", k, longest, no_answer)
        asked.append(dict(k=k, maxAnswerTokens=longest, noAnswer=no_answer, answers=[
            dict(text=t, start=units(text, b), end=units(text, e), score=float(f"{s:.12g}"), codePoints=[b, e])
            for t, b, e, s in rows][:12], count=len(rows)))
    return dict(context=text, tokenizer=kind, windows=written, asked=asked)


def main():
    rng = random.Random(50)
    cases = [case(rng, text, kind, size, overlap)
             for text in TEXTS for kind in ("wordpiece", "unigram") for size, overlap in ((100, 0), (9, 4))]
    OUT.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in cases]
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    (OUT / "answers.json").write_text(text)
    print("answers", len(text), "bytes")


if __name__ == "__main__":
    main()
