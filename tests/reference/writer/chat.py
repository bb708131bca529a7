"""Makes the built-in chat model, which follows a system turn, reads passages and calls tools.

    /usr/bin/python3 tests/reference/writer/chat.py web/demo/public/models/chat.amb tests/fixtures/chat/held-out.jsonl

Needs what stories.py needs. Takes about twelve minutes of processor time, on two threads. The second file gets prompts that were not trained on, with
the answers that are right. Everything is seeded; the bytes depend on the libraries' and the processor's versions only.

The dialogues are drawn from the grammar web/demo/corpus/chat.txt. Most of their words are made up, so that the model learns to copy
from its prompt in place of learning words. Most steps see short dialogues, and a few see whole contexts.
"""

import json
import random
import sys
from pathlib import Path

import torch

from byte_bpe import ByteBpe
from chat_format import BEGIN, CHAT_TEMPLATE, END, SPECIAL, ids_of, parts_of
from decoder import Decoder, Shape
from dialogues import Dialogues
from export import ROOT, export
from grammar import Grammar
from held_out import held_out, scores
from training import Halves, Plan, train

CORPUS = ROOT / "web/demo/corpus/chat.txt"
SHAPE = Shape(vocabulary=1024, width=128, layers=4, heads=4, kv_heads=2, hidden=128, context=1536)
SPACED = 320
PLAN = Plan(steps=2420, fall=700)
# From this step on: the length of rows, how many of them are in a step, and the share of such steps.
SHORT, MIDDLE, LONG, WHOLE = (112, 18), (224, 8), (448, 4), (1100, 2)
LESSONS = [(0, {SHORT: 1}), (700, {MIDDLE: 1}), (1300, {MIDDLE: 0.6, LONG: 0.25, WHOLE: 0.15})]
# How many prompts there are for a skill.
HELD_OUT = 30
# How much a token counts that the model does not write.
GIVEN_SHARE = 0.1
# How often a word is one that nobody knows, by table.
MADE_UP = {"name": 0.5, "place": 0.5, "word": 0.5, "thing": 0.4, "made": 0.8, "key": 0.3} | {
    table: 0.15 for table in ("colour", "job", "food", "animal", "house", "tongue", "sky", "act")
}


class Rows:
    """Dialogues as ids, each from its beginning."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.dialogues = Dialogues(Grammar(CORPUS, random.Random(seed + 1), MADE_UP))

    def tokens(self):
        texts = []
        for _ in range(3000):
            parts = parts_of(self.dialogues.draw(500))
            texts += [part for part, _ in parts if part not in SPECIAL]
        return ByteBpe(SPECIAL, texts, SHAPE.vocabulary, SPACED)

    def draw(self, bpe, step):
        """Two halves of the batch of a step, each ids and how much they count: [rows, length + 1] twice."""
        sizes = [sizes for begin, sizes in LESSONS if step >= begin][-1]
        length, count = self.random.choices(list(sizes), list(sizes.values()))[0]
        ids, shares = [], []
        for _ in range(count):
            row, own = ids_of(self.dialogues.draw(3 * length), bpe)
            padded = length + 1 - len(row)
            ids.append((row + [0] * padded)[: length + 1])
            share = [1.0 if is_own else GIVEN_SHARE for is_own in own]
            shares.append((share + [0.0] * padded)[: length + 1])
        whole = torch.tensor(ids), torch.tensor(shares)
        return list(zip(*(part.chunk(2) for part in whole)))


def spaced_alike(net, bpe):
    """Begins with a part of a word after a space like the part without it, so that one is copied as the other."""
    with torch.no_grad():
        table = net.embed_tokens.weight
        shift = 0.05 * torch.randn(SHAPE.width)
        for a, b in bpe.merges[-SPACED:]:
            table[bpe.ids[a + b]] = table[bpe.ids[b]] + shift


def trained(rows, bpe):
    torch.manual_seed(1)
    net = Decoder(SHAPE)
    spaced_alike(net, bpe)
    halves = Halves(net)
    return train(net, PLAN, lambda step: halves.learn(rows.draw(bpe, step)))


def main(target, fixture):
    torch.set_num_threads(1)
    rows = Rows(1)
    bpe = rows.tokens()
    net = trained(rows, bpe)
    tests = held_out(Grammar(CORPUS, random.Random(3), MADE_UP), bpe, net, HELD_OUT)
    Path(fixture).write_text("".join(f"{json.dumps(row)}\n" for row in tests), encoding="utf-8")
    for skill, (right, all) in scores(tests).items():
        print(f"{skill}: {right} of {all} held-out prompts")
    marks = {"specials": SPECIAL, "begin": BEGIN, "end": END}
    export(net, bpe, target, **marks, chat_template=CHAT_TEMPLATE)


if __name__ == "__main__":
    main(*sys.argv[1:])
