"""Writes tests/fixtures/decoder/lfm2*.json: logits of models whose layers keep a state in place of keys
and values, with made-up weights, computed in float64 with PyTorch.

    python3 tests/reference/models/hybrid_decoders.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import attention, heads_of, linear, logits_of, rms_norm, rope, tensor
from decoder_reference import config, digits, run, sizes, write


def add_gated(c, w, p):
    w.linear(p + "feed_forward.w1", c["n_ff"], c["n_embd"])
    w.linear(p + "feed_forward.w3", c["n_ff"], c["n_embd"])
    w.linear(p + "feed_forward.w2", c["n_embd"], c["n_ff"])


def gated_layer(w, p, x):
    m = F.silu(linear(w, p + "feed_forward.w1", x)) * linear(w, p + "feed_forward.w3", x)
    return linear(w, p + "feed_forward.w2", m)


def add_lfm2(c, w, add_mlp):
    vocab, width, _, heads, kv, d = sizes(c)
    taps = c["conv_taps"]
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i, kind in enumerate(c["layer_types"]):
        p = f"model.layers.{i}."
        w.norm(p + "operator_norm", width)
        if kind == "conv":
            bias = c.get("conv_bias", False)
            w.linear(p + "conv.in_proj", 3 * width, width, bias)
            w.linear(p + "conv.conv", width, taps, bias)
            w.linear(p + "conv.out_proj", width, width, bias)
        else:
            for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
                w.linear(p + f"self_attn.{part}_proj", out, width)
            w.norm(p + "self_attn.q_layernorm", d)
            w.norm(p + "self_attn.k_layernorm", d)
            w.linear(p + "self_attn.out_proj", width, heads * d)
        w.norm(p + "ffn_norm", width)
        add_mlp(i, p)
    w.norm("model.embedding_norm", width)


def short_convolution(w, p, x, taps):
    """x [tokens, width]: each channel is convolved by itself over the tokens so far."""
    b, c, v = linear(w, p + "in_proj", x).chunk(3, dim=-1)
    rows = (b * v).T[None]
    bias = tensor(w, p + "conv.bias") if p + "conv.bias" in w else None
    mixed = F.conv1d(F.pad(rows, (taps - 1, 0)), tensor(w, p + "conv.weight")[:, None], bias,
                     groups=rows.shape[1])
    return linear(w, p + "out_proj", c * mixed[0].T)


def lfm2(c, w, add_mlp=None, mlp=None):
    """`add_mlp` and `mlp` take the place of the feed-forward layer."""
    add_lfm2(c, w, add_mlp or (lambda i, p: add_gated(c, w, p)))
    _, _, _, heads, kv, d = sizes(c)

    def attend(p, n):
        q, k, v = (heads_of(linear(w, p + f"{part}_proj", n), count)
                   for part, count in [("q", heads), ("k", kv), ("v", kv)])
        q = rope(c, rms_norm(q, tensor(w, p + "q_layernorm.weight"), 1e-5))
        k = rope(c, rms_norm(k, tensor(w, p + "k_layernorm.weight"), 1e-5))
        return linear(w, p + "out_proj", attention(q, k, v, d ** -0.5))

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i, kind in enumerate(c["layer_types"]):
            p = f"model.layers.{i}."
            n = rms_norm(x, tensor(w, p + "operator_norm.weight"), 1e-5)
            if kind == "conv":
                x = x + short_convolution(w, p + "conv.", n, c["conv_taps"])
            else:
                x = x + attend(p + "self_attn.", n)
            n = rms_norm(x, tensor(w, p + "ffn_norm.weight"), 1e-5)
            x = x + (mlp(i, p, n) if mlp else gated_layer(w, p, n))
        return logits_of(c, w, rms_norm(x, tensor(w, "model.embedding_norm.weight"), 1e-5))

    return forward


CONV, FULL = "conv", "full_attention"

CASES = {
    "lfm2": (
        config("lfm2", n_layers=5, n_kv_heads=2, rope_freq_base=1e6, conv_taps=3, max_seq_len=256,
               layer_types=[CONV, CONV, FULL, CONV, FULL], tie_word_embeddings=True), 90, lfm2),
    "lfm2_biased": (
        config("lfm2", n_layers=3, n_kv_heads=3, rope_freq_base=1e6, conv_taps=4, max_seq_len=256,
               conv_bias=True, layer_types=[FULL, CONV, CONV], tie_word_embeddings=True), 70, lfm2),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
