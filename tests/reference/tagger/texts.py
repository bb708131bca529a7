"""The texts that the tagger is trained on: lines of the grammar, and notes without names."""

import json
import random
import re
from pathlib import Path

from grammar import Grammar

CORPUS = Path(__file__).resolve().parents[3] / "web/demo/corpus"
KINDS = ["PER", "LOC", "ORG", "DATE", "EMAIL", "PHONE"]
LABELS = ["O", *(f"{part}-{kind}" for kind in KINDS for part in "BI")]
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]|\b\d{4}\b")


def quiet_sentences():
    """The sentences of the built-in notes, without the notes that have names or years."""
    notes = json.loads((CORPUS / "everyday.json").read_text(encoding="utf-8"))["passages"]
    quiet = [note["text"] for note in notes if not NAME.search(note["text"])]
    return [sentence for text in quiet for sentence in re.split(r"(?<=[.!?]) ", text)]


class Texts:
    def __init__(self, seed, held_out=False):
        self.random = random.Random(seed)
        self.grammar = Grammar(CORPUS / "entities.txt", self.random, held_out)
        self.quiet = quiet_sentences()

    def draw(self):
        """(a text of one to four lines, its entities)"""
        pick = self.random
        between = pick.choice([" ", " ", " ", "\n"])
        text, spans = "", []
        for _ in range(pick.choice([1, 1, 2, 2, 3, 4])):
            line, own = self._line()
            if text:
                text += between
            spans += [(begin + len(text), end + len(text), label) for begin, end, label in own]
            text += line
        return self._changed(text), spans

    def _line(self):
        chance = self.random.random()
        if chance < 0.62:
            return self.grammar.draw("sent")
        if chance < 0.82:
            return self.grammar.draw("none")
        return self._unknown_words(self.random.choice(self.quiet)), []

    def _unknown_words(self, sentence):
        """Some words become ones that nobody knows, so that a word is no name because it is unknown."""
        words = [
            self.grammar.made_up() if word.islower() and self.random.random() < 0.12 else word
            for word in sentence.split(" ")
        ]
        return " ".join(words)

    def _changed(self, text):
        chance = self.random.random()
        if chance < 0.05:
            small = text.lower()
            return small if len(small) == len(text) else text
        if chance < 0.08:
            large = text.upper()
            return large if len(large) == len(text) else text
        return text


def rows_of(text, spans, pieces):
    """(ids, numbers of labels) of the text's pieces"""
    ids, labels = [], []
    for id, begin, end in pieces.encode(text):
        inside = next((span for span in spans if span[0] <= begin and end <= span[1]), None)
        label = "O" if inside is None else ("B-" if begin == inside[0] else "I-") + inside[2]
        ids.append(id)
        labels.append(LABELS.index(label))
    return ids, labels
