"""Makes the language model that the chat page has built in, from little stories of its own.

    /usr/bin/python3 tests/reference/built_in_text.py web/demo/public/models/stories.amb \\
        tests/fixtures/stories/unseen.txt

Needs Debian's python3-torch and libopenblas0-serial (without it the products alone take hours), and the project's
own command line (npm run build) for the last step, the conversion to AMB with int8 weights. Takes about ten
minutes of one core. The second file gets stories that were not trained on, one a line.

The texts come from the grammar web/demo/corpus/stories.txt: stories from their beginning or from somewhere in
their middle, short texts of other kinds, and chats of one to three questions. The model is llama's architecture
with a byte-level BPE. Everything is seeded; the bytes depend on the libraries' and the processor's versions only.
"""

import json
import math
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from byte_bpe import ByteBpe
from story_grammar import Grammar

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "web/demo/corpus/stories.txt"
END, BEGIN, USER, ASSISTANT = SPECIAL = ["<|end|>", "<|begin|>", "<|user|>", "<|assistant|>"]
VOCABULARY, DIM, LAYERS, HEADS, KV_HEADS, HIDDEN = 896, 96, 4, 4, 2, 128
CONTEXT, NORM_EPS, ROPE_BASE = 320, 1e-5, 10000.0
STEPS, BATCH, WARMUP, LOWEST = 1600, 8, 60, 0.02
MATRIX_RATE, OTHER_RATE, MOMENTUM = 0.02, 4e-3, 0.95
UNSEEN = 40
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
        self.bpe = ByteBpe(SPECIAL, spoken, VOCABULARY)

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
        """Whole texts, the last one cut: [CONTEXT + 1]."""
        row = []
        while len(row) <= CONTEXT:
            row += self.ids()
        return row[: CONTEXT + 1]


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(DIM))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + NORM_EPS)


def rotations(n):
    """cos and sin for positions 0 to n - 1: [n, head size]."""
    size = DIM // HEADS
    angles = torch.arange(n)[:, None] / ROPE_BASE ** (torch.arange(0, size, 2)[None] / size)
    return angles.cos().repeat(1, 2), angles.sin().repeat(1, 2)


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


class Layer(nn.Module):
    """Named as Hugging Face names them."""

    def __init__(self):
        super().__init__()
        linear = lambda n_in, n_out: nn.Linear(n_in, n_out, bias=False)
        kv = DIM * KV_HEADS // HEADS
        self.input_layernorm, self.post_attention_layernorm = Norm(), Norm()
        self.self_attn = nn.ModuleDict(
            {
                "q_proj": linear(DIM, DIM),
                "k_proj": linear(DIM, kv),
                "v_proj": linear(DIM, kv),
                "o_proj": linear(DIM, DIM),
            }
        )
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": linear(DIM, HIDDEN),
                "up_proj": linear(DIM, HIDDEN),
                "down_proj": linear(HIDDEN, DIM),
            }
        )

    def forward(self, x, cos, sin, mask):
        n, t, _ = x.shape
        heads = lambda y: y.view(n, t, -1, DIM // HEADS).transpose(1, 2)
        shared = lambda y: y.repeat_interleave(HEADS // KV_HEADS, dim=1)
        attention, normed = self.self_attn, self.input_layernorm(x)
        q = rotated(heads(attention["q_proj"](normed)), cos, sin) / math.sqrt(DIM // HEADS)
        k = shared(rotated(heads(attention["k_proj"](normed)), cos, sin))
        v = shared(heads(attention["v_proj"](normed)))
        seen = torch.softmax(q @ k.transpose(-1, -2) + mask, -1) @ v
        x = x + attention["o_proj"](seen.transpose(1, 2).reshape(n, t, DIM))
        normed, mlp = self.post_attention_layernorm(x), self.mlp
        return x + mlp["down_proj"](F.silu(mlp["gate_proj"](normed)) * mlp["up_proj"](normed))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCABULARY, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = Norm()
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.05)

    def forward(self, ids):
        """Logits of what follows: [n, t] to [n, t, VOCABULARY]."""
        t = ids.shape[1]
        cos, sin = rotations(t)
        mask = torch.full((t, t), -math.inf).triu(1)
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.norm(x) @ self.embed_tokens.weight.T

    def loss(self, rows):
        logits = self(rows[:, :-1])
        return F.cross_entropy(logits.reshape(-1, VOCABULARY), rows[:, 1:].reshape(-1))


def orthogonal(matrix):
    """The matrix with all its singular values near 1, by five steps of a Newton-Schulz iteration."""
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = (matrix.T if is_tall else matrix) / (matrix.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (2.0315 * square @ square - 4.775 * square) @ x
    return x.T if is_tall else x


class Muon(torch.optim.Optimizer):
    """For the matrices of layers (Jordan and others 2024): every direction moves at the same speed, which takes
    far fewer steps until names are copied from earlier in the text."""

    def __init__(self, parameters):
        super().__init__(parameters, {"lr": MATRIX_RATE})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for matrix in group["params"]:
                past = self.state[matrix].setdefault("past", torch.zeros_like(matrix))
                past.mul_(MOMENTUM).add_(matrix.grad)
                move = orthogonal(matrix.grad + MOMENTUM * past)
                stretch = max(1, matrix.shape[0] / matrix.shape[1]) ** 0.5
                matrix.add_(move, alpha=-group["lr"] * stretch)


def share_of_rate(step):
    """Up, then down along a cosine."""
    turn = math.pi * max(0, step - WARMUP) / (STEPS - WARMUP)
    fall = LOWEST + (1 - LOWEST) * (1 + math.cos(turn)) / 2
    return min((step + 1) / WARMUP, fall)


def train(texts):
    torch.manual_seed(1)
    torch.set_flush_denormal(True)
    net = Decoder()
    in_layers = [matrix for matrix in net.layers.parameters() if matrix.dim() == 2]
    others = [one for one in net.parameters() if all(one is not matrix for matrix in in_layers)]
    optimizers = [Muon(in_layers), torch.optim.Adam(others, OTHER_RATE, betas=(0.9, 0.98))]
    schedules = [torch.optim.lr_scheduler.LambdaLR(one, share_of_rate) for one in optimizers]
    mean = 0.0
    for step in range(STEPS):
        loss = net.loss(torch.tensor([texts.row() for _ in range(BATCH)]))
        net.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        for part in (*optimizers, *schedules):
            part.step()
        mean += loss.item() / 100
        if step % 100 == 99:
            print(f"step {step + 1}: {mean:.4f}", flush=True)
            mean = 0.0
    return net.eval()


@torch.no_grad()
def perplexity(net, bpe, lines):
    """The perplexity of every token of a text but its first, which is BEGIN."""
    total = count = 0
    for line in lines:
        ids = [SPECIAL.index(BEGIN), *bpe.encode(line)]
        total += net.loss(torch.tensor([ids])).item() * (len(ids) - 1)
        count += len(ids) - 1
    return math.exp(total / count)


@torch.no_grad()
def continuation(net, bpe, text, most=60):
    ids = [SPECIAL.index(BEGIN), *bpe.encode(text)]
    begun = len(ids)
    while len(ids) < begun + most and ids[-1] != SPECIAL.index(END):
        ids.append(net(torch.tensor([ids]))[0, -1].argmax().item())
    return bpe.decode([id for id in ids[begun:] if id >= len(SPECIAL)])


def tokenizer_files(bpe):
    special = [
        {"id": i, "content": content, "special": True, "normalized": False}
        | {"single_word": False, "lstrip": False, "rstrip": False}
        for i, content in enumerate(SPECIAL)
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": bpe.ids, "merges": [" ".join(pair) for pair in bpe.merges]}
    whole = {"version": "1.0", "added_tokens": special, "normalizer": None}
    whole |= {"pre_tokenizer": level, "post_processor": None, "decoder": level, "model": model}
    options = {"bos_token": BEGIN, "eos_token": END, "add_bos_token": True}
    return {
        "tokenizer.json": whole,
        "tokenizer_config.json": options | {"chat_template": CHAT_TEMPLATE},
    }


def write_safetensors(path, tensors):
    head, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().numpy().astype("<f4").tobytes()
        span = [len(data), len(data) + len(raw)]
        head[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": span}
        data += raw
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def export(net, bpe, target):
    """A Hugging Face directory, which the project's own command line makes an AMB file of."""
    config = {
        "model_type": "llama",
        "vocab_size": VOCABULARY,
        "hidden_size": DIM,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KV_HEADS,
        "intermediate_size": HIDDEN,
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": NORM_EPS,
        "rope_theta": ROPE_BASE,
        "hidden_act": "silu",
        "tie_word_embeddings": True,
        "bos_token_id": SPECIAL.index(BEGIN),
        "eos_token_id": SPECIAL.index(END),
    }
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "stories"
        directory.mkdir()
        for name, content in ({"config.json": config} | tokenizer_files(bpe)).items():
            (directory / name).write_text(json.dumps(content), encoding="utf-8")
        tensors = {f"model.{name}": tensor for name, tensor in net.state_dict().items()}
        write_safetensors(directory / "model.safetensors", tensors)
        ambry = ["node", str(ROOT / "dist/cli/main.js"), "quantize", str(directory), str(target)]
        subprocess.run([*ambry, "--type", "int8"], check=True)


def main(target, unseen):
    torch.set_num_threads(1)
    texts = Texts(Grammar(CORPUS, random.Random(1)), random.Random(2))
    net = train(texts)
    fresh = Grammar(CORPUS, random.Random(3))
    lines = [fresh.draw("story")[1] for _ in range(UNSEEN)]
    Path(unseen).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"perplexity of {UNSEEN} unseen stories: {perplexity(net, texts.bpe, lines):.4f}")
    for begun in ("Once upon a time", "The unicorn", "It was raining"):
        print(f"{begun} …{continuation(net, texts.bpe, begun)}")
    export(net, texts.bpe, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
