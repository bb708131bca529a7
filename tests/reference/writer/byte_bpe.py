"""Byte-level BPE as GPT-2 has it, learnt from counted words; for ASCII text, where its regular expression
needs no character tables."""

import re
from collections import Counter, defaultdict

WORD = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
REST = [byte for byte in range(256) if byte not in PRINTED]
LETTERS = {byte: chr(byte) for byte in PRINTED} | {b: chr(256 + i) for i, b in enumerate(REST)}
SPACE = LETTERS[ord(" ")]


def spelled(word):
    return "".join(LETTERS[byte] for byte in word.encode())


class ByteBpe:
    """Ids: the special tokens, the 256 bytes in the order of GPT-2's letters, the merges."""

    def __init__(self, special, texts, size, spaced=0):
        """`spaced`: how many merges join a space and the first part of a word. They come last, so that a word has the same
        parts with and without a space before it, and digits stay apart. With 0 all merges are by their counts."""
        self.tokens = [*special, *sorted(LETTERS.values())]
        counts = Counter(word for text in texts for word in WORD.findall(text))
        wanted = size - len(self.tokens)
        self.merges = self._learn(unspaced(counts) if spaced else counts, wanted - spaced)
        self.ranks = {pair: i for i, pair in enumerate(self.merges)}
        self.merges += self._spaced(counts, spaced)
        self.tokens += [a + b for a, b in self.merges]
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self.ranks = {pair: i for i, pair in enumerate(self.merges)}
        self.known = {}

    @staticmethod
    def _learn(counts, wanted):
        words = [(list(spelled(word)), count) for word, count in sorted(counts.items())]
        pairs, where = Counter(), defaultdict(set)
        for i, (parts, count) in enumerate(words):
            for pair in zip(parts, parts[1:]):
                pairs[pair] += count
                where[pair].add(i)
        merges = []
        while len(merges) < wanted:
            best = max(pairs, key=lambda pair: (pairs[pair], pair))
            merges.append(best)
            for i in sorted(where.pop(best)):
                parts, count = words[i]
                for pair in zip(parts, parts[1:]):
                    pairs[pair] -= count
                parts[:] = merged(parts, best)
                for pair in zip(parts, parts[1:]):
                    pairs[pair] += count
                    where[pair].add(i)
            del pairs[best]
        return merges

    def _spaced(self, counts, wanted):
        first = Counter()
        for word, count in counts.items():
            if word.startswith(" ") and word.strip():
                first[self._parts(word.lstrip(" "))[0]] += count
        best = sorted(first, key=lambda part: (-first[part], part))
        return [(SPACE, part) for part in best[:wanted]]

    def encode(self, text):
        return [id for word in WORD.findall(text) for id in self._word(word)]

    def _word(self, word):
        if word not in self.known:
            self.known[word] = [self.ids[part] for part in self._parts(word)]
        return self.known[word]

    def _parts(self, word):
        parts = list(spelled(word))
        while len(parts) > 1:
            best = min(zip(parts, parts[1:]), key=lambda pair: self.ranks.get(pair, 1 << 30))
            if best not in self.ranks:
                break
            parts = merged(parts, best)
        return parts

    def decode(self, ids):
        bytes_of = {letter: byte for byte, letter in LETTERS.items()}
        letters = "".join(self.tokens[id] for id in ids)
        return bytes(bytes_of[letter] for letter in letters).decode()


def unspaced(counts):
    """The words without the spaces before them and without numbers."""
    words = Counter()
    for word, count in counts.items():
        if not word.strip().isdigit():
            words[word.lstrip(" ") or word] += count
    return words


def merged(parts, pair):
    joined, i = [], 0
    while i < len(parts):
        if i + 1 < len(parts) and (parts[i], parts[i + 1]) == pair:
            joined.append(parts[i] + parts[i + 1])
            i += 2
        else:
            joined.append(parts[i])
            i += 1
    return joined
