"""Byte-level BPE as GPT-2 has it, learnt from counted words; for ASCII text, where its regular expression
needs no character tables."""

import re
from collections import Counter, defaultdict

WORD = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
REST = [byte for byte in range(256) if byte not in PRINTED]
LETTERS = {byte: chr(byte) for byte in PRINTED} | {b: chr(256 + i) for i, b in enumerate(REST)}


def spelled(word):
    return "".join(LETTERS[byte] for byte in word.encode())


class ByteBpe:
    """Ids: the special tokens, the 256 bytes in the order of GPT-2's letters, the merges."""

    def __init__(self, special, texts, size):
        self.tokens = [*special, *sorted(LETTERS.values())]
        counts = Counter(word for text in texts for word in WORD.findall(text))
        self.merges = self._learn(counts, size - len(self.tokens))
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

    def encode(self, text):
        return [id for word in WORD.findall(text) for id in self._word(word)]

    def _word(self, word):
        if word not in self.known:
            parts = list(spelled(word))
            while len(parts) > 1:
                best = min(zip(parts, parts[1:]), key=lambda pair: self.ranks.get(pair, 1 << 30))
                if best not in self.ranks:
                    break
                parts = merged(parts, best)
            self.known[word] = [self.ids[part] for part in parts]
        return self.known[word]

    def decode(self, ids):
        bytes_of = {letter: byte for byte, letter in LETTERS.items()}
        letters = "".join(self.tokens[id] for id in ids)
        return bytes(bytes_of[letter] for letter in letters).decode()


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
