"""Makes the language model that the chat page has built in, from little stories of its own.

    /usr/bin/python3 tests/reference/writer/stories.py web/demo/public/models/stories.amb \\
        tests/fixtures/stories/unseen.txt

Needs Debian's python3-torch and libopenblas0-serial (without it the products alone take hours), and the project's
own command line (npm run build) for the last step, the conversion to AMB with int8 weights. Takes about ten
minutes of one core. The second file gets stories that were not trained on, one a line.

The texts come from the grammar web/demo/corpus/stories.txt: stories from their beginning or from somewhere in
their middle, short texts of other kinds, and chats of one to three questions. The model is llama's architecture
with a byte-level BPE. Everything is seeded; the bytes depend on the libraries' and the processor's versions only.
"""

import math
import random
import re
import sys
from pathlib import Path

import torch

from byte_bpe import ByteBpe
from decoder import Decoder, Shape
from export import ROOT, export
from grammar import Grammar
from training import Plan, learnt, train

CORPUS = ROOT / "web/demo/corpus/stories.txt"
END, BEGIN, USER, ASSISTANT = SPECIAL = ["<|end|>", "<|begin|>", "<|user|>", "<|assistant|>"]
SHAPE = Shape(vocabulary=896, width=96, layers=4, heads=4, kv_heads=2, hidden=128, context=320)
PLAN, BATCH = Plan(steps=1600), 8
UNSEEN = 40
# How often a word is one that nobody knows, so that such words are copied from what was said before.
MADE_UP = {"name": 0.2, "animal": 0.05}
CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] not in ['user', 'assistant'] %}"
    "{{ raise_exception('This model knows user and assistant only') }}{% endif %}"
    "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


class Texts:
    """Token ids of one text after another, without an end."""

    def __init__(self, grammar, random):
        self.grammar, self.random = grammar, random
        samples = [self.draw() for _ in range(12_000)]
        spoken = [part for sample in samples for part in sample if part not in SPECIAL]
        self.bpe = ByteBpe(SPECIAL, spoken, SHAPE.vocabulary)

    def draw(self):
        """Special tokens, and the texts between them."""
        kind = self.random.random()
        if kind < 0.3:
            turns = [self.grammar.draw("chat") for _ in range(self.random.choice([1, 1, 2, 3]))]
            parts = [(USER, question, END, ASSISTANT, answer, END) for question, answer in turns]
            return [BEGIN, *(part for turn in parts for part in turn)]
        rule = "story" if kind < 0.9 else self.random.choice(["fact", "recipe", "forecast", "written"])
        _, text = self.grammar.draw(rule)
        return [BEGIN, self._from_middle(text) if self.random.random() < 0.25 else text, END]

    def _from_middle(self, text):
        """People begin in the middle, too: at a sentence, or at any word."""
        starts = [found.end() for found in re.finditer(r'[.!?]"? ', text)] or [0]
        if self.random.random() < 0.3:
            starts = [found.start() + 1 for found in re.finditer(r" \w", text)]
        return text[self.random.choice(starts[: len(starts) // 2 + 1]) :]

    def ids(self):
        return [
            id
            for part in self.draw()
            for id in ([SPECIAL.index(part)] if part in SPECIAL else self.bpe.encode(part))
        ]

    def row(self):
        """Whole texts, the last one cut: [context + 1]."""
        row = []
        while len(row) <= SHAPE.context:
            row += self.ids()
        return row[: SHAPE.context + 1]


@torch.no_grad()
def perplexity(net, bpe, lines):
    """The perplexity of every token of a text but its first, which is BEGIN."""
    total = count = 0
    for line in lines:
        ids = [SPECIAL.index(BEGIN), *bpe.encode(line)]
        total += net.loss(torch.tensor([ids])).item() * (len(ids) - 1)
        count += len(ids) - 1
    return math.exp(total / count)


def continuation(net, bpe, text):
    ids = net.greedy([SPECIAL.index(BEGIN), *bpe.encode(text)], [SPECIAL.index(END)], 60)
    return bpe.decode([id for id in ids if id >= len(SPECIAL)])


def main(target, unseen):
    torch.set_num_threads(1)
    texts = Texts(Grammar(CORPUS, random.Random(1), MADE_UP), random.Random(2))
    torch.manual_seed(1)
    net = Decoder(SHAPE)
    rows = lambda step: torch.tensor([texts.row() for _ in range(BATCH)])
    train(net, PLAN, lambda step: learnt(net, rows(step)))
    fresh = Grammar(CORPUS, random.Random(3), MADE_UP)
    lines = [fresh.draw("story")[1] for _ in range(UNSEEN)]
    Path(unseen).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"perplexity of {UNSEEN} unseen stories: {perplexity(net, texts.bpe, lines):.4f}")
    for begun in ("Once upon a time", "The unicorn", "It was raining"):
        print(f"{begun} …{continuation(net, texts.bpe, begun)}")
    marks = {"specials": SPECIAL, "begin": BEGIN, "end": END}
    export(net, texts.bpe, target, **marks, chat_template=CHAT_TEMPLATE)


if __name__ == "__main__":
    main(*sys.argv[1:])
