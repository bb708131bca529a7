"""A WordPiece tokenizer that keeps capital letters and accents, and its vocabulary, learned by merging frequent pairs."""

import math
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "encoder"))
from word_pieces import SPECIAL, is_punctuation

LONGEST_WORD = 100
# A rarer word says nothing about pieces: most are made up.
OFTEN = 4


def words_of(text):
    """(begin, end) of each word. A sign is a word of its own, as in BERT."""
    spans, begin = [], None
    for at, char in enumerate(text + " "):
        is_sign = is_punctuation(ord(char))
        if begin is not None and (is_sign or char.isspace()):
            spans.append((begin, at))
            begin = None
        if is_sign:
            spans.append((at, at + 1))
        elif begin is None and not char.isspace():
            begin = at
    return spans


def learn(texts, size):
    """The pieces of a vocabulary. A word counts by the logarithm of its frequency, so that names which come often do not fill it."""
    counts = Counter(text[begin:end] for text in texts for begin, end in words_of(text))
    words = {
        tuple(char if i == 0 else f"##{char}" for i, char in enumerate(word)): math.log1p(count)
        for word, count in sorted(counts.items())
        if count >= OFTEN and not word.isdigit()
    }
    signs = [chr(code) for code in range(33, 127)]
    letters = {letter for word in counts for letter in word if letter.isalpha()}
    pieces = {*SPECIAL, *signs, "–", "’", "“", "”"}
    pieces |= {f"{start}{n:02}" for n in range(100) for start in ("", "##")}
    letters |= {sign for sign in signs if sign.isalnum()}
    pieces |= {f"{start}{letter}" for letter in letters for start in ("", "##")}
    order = [*SPECIAL, *sorted(pieces - set(SPECIAL))]
    made = merged(words, size - len(order))
    # A piece that merging makes again keeps its later place.
    return [f"[unused{id}]" if piece in made else piece for id, piece in enumerate(order)] + made


def merged(words, count):
    pairs, places = Counter(), defaultdict(set)
    for word, weight in words.items():
        for pair in zip(word, word[1:]):
            pairs[pair] += weight
            places[pair].add(word)
    current = {word: word for word in words}
    made = []
    for _ in range(count):
        left, right = max(pairs, key=lambda pair: (pairs[pair], pair))
        whole = left + right.removeprefix("##")
        made.append(whole)
        for word in sorted(places.pop((left, right))):
            before = current[word]
            after = joined(before, left, right, whole)
            current[word] = after
            for pair in zip(before, before[1:]):
                pairs[pair] -= words[word]
            for pair in zip(after, after[1:]):
                pairs[pair] += words[word]
                places[pair].add(word)
        pairs.pop((left, right), None)
    return list(dict.fromkeys(made))


def joined(word, left, right, whole):
    parts, at = [], 0
    while at < len(word):
        if word[at : at + 2] == (left, right):
            parts.append(whole)
            at += 2
        else:
            parts.append(word[at])
            at += 1
    return tuple(parts)


class CasedPieces:
    def __init__(self, tokens):
        self.tokens = tokens
        self.ids = {token: id for id, token in enumerate(tokens)}
        self.pad, self.unk, self.cls, self.sep = (self.ids[token] for token in SPECIAL[:4])
        self._longest = max(map(len, tokens))
        self._known = {}

    def __len__(self):
        return len(self.tokens)

    def encode(self, text):
        """[(id, begin, end), …] without [CLS] and [SEP]"""
        found = []
        for begin, end in words_of(unicodedata.normalize("NFC", text)):
            word = text[begin:end]
            if word not in self._known:
                self._known[word] = self._cut(word)
            found += [(id, begin + a, begin + b) for id, a, b in self._known[word]]
        return found

    def _cut(self, word):
        pieces, start = [], 0
        while start < len(word) and len(word) <= LONGEST_WORD:
            for end in range(min(len(word), start + self._longest), start, -1):
                id = self.ids.get(("##" if start else "") + word[start:end])
                if id is not None:
                    break
            else:
                return [(self.unk, 0, len(word))]
            pieces.append((id, start, end))
            start = end
        return pieces or [(self.unk, 0, len(word))]
