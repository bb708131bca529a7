"""BERT's lower-casing WordPiece tokenizer, fast enough in Python for tens of millions of pieces."""

import unicodedata

SPECIAL = PAD, UNK, CLS, SEP, MASK = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LONGEST_WORD = 100
IDEOGRAPHS = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0xF900, 0xFAFF)]


def is_punctuation(code):
    ascii_signs = [(33, 47), (58, 64), (91, 96), (123, 126)]
    in_ascii = any(first <= code <= last for first, last in ascii_signs)
    return in_ascii or unicodedata.category(chr(code))[0] == "P"


class Characters(dict):
    """A table for str.translate: what each character of a lower-cased, decomposed text becomes."""

    def __missing__(self, code):
        category = unicodedata.category(chr(code))
        if code in (9, 10, 13) or category == "Zs":
            mapped = " "
        elif code in (0, 0xFFFD) or category[0] == "C" or category == "Mn":
            mapped = ""
        elif is_punctuation(code) or any(first <= code <= last for first, last in IDEOGRAPHS):
            mapped = f" {chr(code)} "
        else:
            mapped = chr(code)
        self[code] = mapped
        return mapped


class WordPieces:
    def __init__(self, path):
        self.tokens = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        self.ids = {token: id for id, token in enumerate(self.tokens)}
        self.pad, self.unk, self.cls, self.sep = (self.ids[token] for token in SPECIAL[:4])
        self._characters, self._known = Characters(), {}
        self._longest = max(map(len, self.tokens))

    def __len__(self):
        return len(self.tokens)

    def encode(self, text, most=None):
        """Ids without [CLS] and [SEP], the first `most` of them."""
        text = text.lower()
        if not text.isascii():
            text = unicodedata.normalize("NFD", text)
        ids = []
        for word in text.translate(self._characters).split():
            ids += self._word(word)
            if most and len(ids) >= most:
                return ids[:most]
        return ids

    def _word(self, word):
        if word not in self._known:
            self._known[word] = self._cut(word) or [self.unk]
        return self._known[word]

    def _cut(self, word):
        """The longest piece that fits, again and again; nothing when none does."""
        if len(word) > LONGEST_WORD:
            return []
        ids, start = [], 0
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                id = self.ids.get(("##" if start else "") + word[start:end])
                if id is not None:
                    break
            else:
                return []
            ids.append(id)
            start = end
        return ids
