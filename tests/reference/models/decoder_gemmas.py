"""Writes tests/fixtures/decoder/gemma3n.json and gemma4*.json: logits of models with made-up weights, computed in
float64 with PyTorch, written out as the authors' code in Hugging Face's transformers has it (modeling_gemma3n.py,
modeling_gemma4.py).

    python3 tests/reference/models/decoder_gemmas.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py.
"""
import math

import torch

from decoder_architectures import ACTIVATIONS, attention, gated, heads_of, linear, rms_norm, rotate_half, tensor
from decoder_reference import config, digits, run, sizes, write

EPS = 1e-6
gelu = ACTIVATIONS["gelu_tanh"]


def norm(w, name, x):
    return rms_norm(x, tensor(w, name + ".weight"), EPS)


def turn(x, base, share=1.0):
    """x [heads, tokens, d]: the first `share` of the pairs i and i + d/2 rotate, the others stand still."""
    d = x.shape[-1]
    inv = base ** (-torch.arange(0, d, 2) / d)
    inv[int(share * d // 2):] = 0
    angles = torch.outer(torch.arange(float(x.shape[1])), inv)
    angles = torch.cat((angles, angles), -1)
    return x * angles.cos() + rotate_half(x) * angles.sin()


class Layers:
    """What the layers of a config are: their windows, their sizes, and whose keys they use."""

    def __init__(self, c):
        self.c = c
        self.n = c["n_layers"]
        self.first_shared = self.n - c.get("n_shared_kv_layers", 0)

    def is_local(self, i):
        return self.c["layer_types"][i] == "sliding_attention"

    def shares(self, i):
        return i >= self.first_shared

    def source(self, i):
        if not self.shares(i):
            return i
        return max(j for j in range(self.first_shared) if self.is_local(j) == self.is_local(i))

    def head_dim(self, i):
        return self.c["head_dim"] if self.is_local(i) else self.c.get("global_head_dim", self.c["head_dim"])

    def kv_heads(self, i):
        usual = self.c["n_kv_heads"]
        return usual if self.is_local(i) else self.c.get("global_kv_heads", usual)

    def n_ff(self, i):
        return self.c.get("shared_ff", self.c["n_ff"]) if self.shares(i) else self.c["n_ff"]


def add_tables(c, w):
    vocab, width = c["n_vocab"], c["n_embd"]
    own = c.get("n_embd_per_layer", 0)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    if own:
        w.add("model.embed_tokens_per_layer.weight", (c["n_vocab_per_layer"], own * c["n_layers"]), 1)
        w.linear("model.per_layer_model_projection", own * c["n_layers"], width)
        w.norm("model.per_layer_projection_norm", own)


def add_layer(c, w, layers, i):
    width, heads, d = c["n_embd"], c["n_heads"], layers.head_dim(i)
    p = f"model.layers.{i}."
    for name in ("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                 "post_feedforward_layernorm"):
        w.norm(p + name, width)
    w.linear(p + "self_attn.q_proj", heads * d, width)
    # Nothing scales the scores, so these weights are small.
    w.norm(p + "self_attn.q_norm", d, offset=0.4)
    # Files of Gemma 3n have keys and values that no layer uses.
    if not layers.shares(i) or c["architecture"] == "gemma3n":
        w.linear(p + "self_attn.k_proj", layers.kv_heads(i) * d, width)
        if not (c.get("key_is_value") and not layers.is_local(i)):
            w.linear(p + "self_attn.v_proj", layers.kv_heads(i) * d, width)
        w.norm(p + "self_attn.k_norm", d)
    w.linear(p + "self_attn.o_proj", width, heads * d)
    for name, shape in (("gate_proj", (layers.n_ff(i), width)), ("up_proj", (layers.n_ff(i), width)),
                        ("down_proj", (width, layers.n_ff(i)))):
        w.linear(p + "mlp." + name, *shape)
    if c.get("n_embd_per_layer"):
        w.linear(p + "per_layer_input_gate", c["n_embd_per_layer"], width)
        w.linear(p + "per_layer_projection", width, c["n_embd_per_layer"])
        w.norm(p + "post_per_layer_input_norm", width)


def layer_inputs(c, w, ids, x):
    """get_per_layer_inputs and project_per_layer_inputs: [tokens, layers, width]"""
    own = c["n_embd_per_layer"]
    known = torch.where(torch.as_tensor(ids) < c["n_vocab_per_layer"], torch.as_tensor(ids), 0)
    table = tensor(w, "model.embed_tokens_per_layer.weight")[known] * math.sqrt(own)
    made = linear(w, "model.per_layer_model_projection", x) * c["n_embd"] ** -0.5
    made = norm(w, "model.per_layer_projection_norm", made.view(len(ids), c["n_layers"], own))
    return (made + table.view(len(ids), c["n_layers"], own)) * 2 ** -0.5


def take_input(w, p, x, own):
    y = gelu(linear(w, p + "per_layer_input_gate", x)) * own
    return norm(w, p + "post_per_layer_input_norm", linear(w, p + "per_layer_projection", y))


def attend(c, w, layers, i, x, kept):
    """`kept` has the keys and values of earlier layers."""
    p = f"model.layers.{i}.self_attn."
    local = layers.is_local(i)
    base = 10000.0 if local else c["rope_freq_base"]
    share = 1.0 if local else c.get("global_rotary_factor", 1.0)
    q = turn(norm(w, p + "q_norm", heads_of(linear(w, p + "q_proj", x), c["n_heads"])), base, share)
    if not layers.shares(i):
        k = heads_of(linear(w, p + "k_proj", x), layers.kv_heads(i))
        v = k if c.get("key_is_value") and not local else heads_of(linear(w, p + "v_proj", x), layers.kv_heads(i))
        kept[i] = turn(norm(w, p + "k_norm", k), base, share), rms_norm(v, 1.0, EPS)
    k, v = kept[layers.source(i)]
    return linear(w, p + "o_proj", attention(q, k, v, 1.0, c["sliding_window"] if local else None))


def capped_logits(c, w, x):
    out = norm(w, "model.norm", x) @ tensor(w, "model.embed_tokens.weight").T
    return (torch.tanh(out / c["final_softcap"]) * c["final_softcap"]).numpy()


def gemma4(c, w, add_mlp=None, mlp=None):
    """`add_mlp` adds to the feed-forward layer, whose place `mlp` takes before its last norm."""
    layers = Layers(c)
    mlp = mlp or (lambda p, x: gated(w, p, norm(w, p + "pre_feedforward_layernorm", x), gelu))
    add_tables(c, w)
    for i in range(c["n_layers"]):
        add_layer(c, w, layers, i)
        if add_mlp:
            add_mlp(f"model.layers.{i}.")
        w.add(f"model.layers.{i}.layer_scalar", (1,), 0.25, 1.0)
    w.norm("model.norm", c["n_embd"])

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * math.sqrt(c["n_embd"])
        own = layer_inputs(c, w, ids, x) if c.get("n_embd_per_layer") else None
        kept = {}
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            a = attend(c, w, layers, i, norm(w, p + "input_layernorm", x), kept)
            x = x + norm(w, p + "post_attention_layernorm", a)
            x = x + norm(w, p + "post_feedforward_layernorm", mlp(p, x))
            if own is not None:
                x = x + take_input(w, p, x, own[:, i])
            x = x * tensor(w, p + "layer_scalar")
        return capped_logits(c, w, x)

    return forward


# --- Gemma 3n ---------------------------------------------------------------------------------------

def add_streams(c, w):
    width, n = c["n_embd"], c["n_streams"]
    for kind in ("altup_projections", "altup_unembed_projections"):
        for s in range(n - 1):
            w.linear(f"model.{kind}.{s}", width, width)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.add(p + "altup.correct_output_scale", (width,), 0.25, 1.0)
        # Small, as learned ones are: the streams would grow from layer to layer.
        w.add(p + "altup.correction_coefs.weight", (n, n), 0.25)
        w.add(p + "altup.prediction_coefs.weight", (n * n, n), 0.25)
        # Strong, because what it reads is divided by the width.
        w.add(p + "altup.modality_router.weight", (n, width), 12.0)
        w.norm(p + "altup.router_norm", width)
        w.linear(p + "laurel.linear_left", c["laurel_rank"], width)
        w.linear(p + "laurel.linear_right", width, c["laurel_rank"])
        w.norm(p + "laurel.post_laurel_norm", width)


def as_long(x, like):
    length = x.pow(2).mean(-1, keepdim=True).clamp_min(1e-5).sqrt()
    return x * like.pow(2).mean(-1, keepdim=True).sqrt() / length


def route(w, p, x):
    kinds = linear(w, p + "altup.modality_router", norm(w, p + "altup.router_norm", x) / x.shape[-1])
    return torch.tanh(kinds)


def predict(c, w, p, streams):
    n = c["n_streams"]
    coefs = linear(w, p + "altup.prediction_coefs", route(w, p, streams[0])).view(-1, n, n)
    return streams + torch.einsum("stw,tbs->btw", streams, coefs)


def correct(w, p, predicted, found):
    coefs = linear(w, p + "altup.correction_coefs", route(w, p, found)) + 1.0
    return predicted + (found - predicted[0])[None] * coefs.T[:, :, None]


def sparse_gated(w, p, x, deviations):
    gate = linear(w, p + "mlp.gate_proj", x)
    if deviations is not None:
        cut = gate.mean(-1, keepdim=True) + gate.std(-1, keepdim=True, unbiased=False) * deviations
        gate = torch.relu(gate - cut)
    return linear(w, p + "mlp.down_proj", gelu(gate) * linear(w, p + "mlp.up_proj", x))


def gemma3n(c, w):
    layers = Layers(c)
    add_tables(c, w)
    for i in range(c["n_layers"]):
        add_layer(c, w, layers, i)
    add_streams(c, w)
    w.norm("model.norm", c["n_embd"])
    further = range(c["n_streams"] - 1)

    def layer(i, streams, own, kept):
        p = f"model.layers.{i}."
        predicted = predict(c, w, p, streams)
        x = predicted[0]
        n = norm(w, p + "input_layernorm", x)
        laurel = linear(w, p + "laurel.linear_right", linear(w, p + "laurel.linear_left", n))
        laurel = n + norm(w, p + "laurel.post_laurel_norm", laurel)
        x = x + norm(w, p + "post_attention_layernorm", attend(c, w, layers, i, n, kept))
        x = (x + laurel) / math.sqrt(2)
        m = sparse_gated(w, p, norm(w, p + "pre_feedforward_layernorm", x), c["activation_sparsity"][i])
        x = x + norm(w, p + "post_feedforward_layernorm", m)
        streams = correct(w, p, predicted, x)
        first = streams[0] * tensor(w, p + "altup.correct_output_scale")
        streams[1:] += take_input(w, p, first, own[:, i])
        return streams

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * math.sqrt(c["n_embd"])
        own = layer_inputs(c, w, ids, x)
        streams = torch.stack([x] + [as_long(linear(w, f"model.altup_projections.{s}", x), x) for s in further])
        kept = {}
        for i in range(c["n_layers"]):
            streams = layer(i, streams, own, kept)
        x = torch.stack([streams[0]] + [
            as_long(linear(w, f"model.altup_unembed_projections.{s}", streams[s + 1]), streams[0]) for s in further])
        return capped_logits(c, w, x.mean(0))

    return forward


def kinds(text):
    """s: a window, f: the whole context"""
    return [{"s": "sliding_attention", "f": "full_attention"}[letter] for letter in text]


SPARSE = 1.6448533535003662  # standard deviations below which 95 % of a normal distribution lie

CASES = {
    "gemma3n": (
        config("gemma3n", n_layers=8, n_kv_heads=2, head_dim=10, rope_freq_base=1e6, sliding_window=6,
               layer_types=kinds("ssfssfsf"), n_shared_kv_layers=3, n_embd_per_layer=7, n_vocab_per_layer=31,
               n_streams=4, laurel_rank=5, activation_sparsity=[SPARSE] * 3 + [None] * 5, final_softcap=5.0,
               max_seq_len=128, tie_word_embeddings=True), 90, gemma3n),
    "gemma4": (
        config("gemma4", n_layers=7, n_kv_heads=2, head_dim=10, global_head_dim=16, global_rotary_factor=0.25,
               rope_freq_base=1e6, sliding_window=6, layer_types=kinds("ssfsfsf"), n_shared_kv_layers=2,
               shared_ff=106, n_embd_per_layer=9, n_vocab_per_layer=37, final_softcap=5.0, max_seq_len=128,
               tie_word_embeddings=True), 90, gemma4),
    "gemma4_dense": (
        config("gemma4", n_layers=4, n_kv_heads=3, head_dim=10, global_head_dim=14, global_kv_heads=2,
               global_rotary_factor=0.5, key_is_value=True, rope_freq_base=1e6, sliding_window=5,
               layer_types=kinds("sfsf"), final_softcap=4.0, max_seq_len=128, tie_word_embeddings=True), 90, gemma4),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
