"""Writes tests/fixtures/decoder/qwen3_5*.json: logits of Qwen3.5 models with made-up weights,
computed in float64 with PyTorch, written out as the authors' code in Hugging Face's transformers
(models/qwen3_5, models/qwen3_next) has it.

    python3 tests/reference/models/gated_delta.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py. A layer is either an attention whose
output is gated, or a gated delta net: a convolution of every channel by itself, and one state
[key, value] for each head that a token fades, corrects and reads.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import (attention, gated, heads_of, linear, logits_of, rms_norm, rope,
                                   tensor)
from decoder_reference import config, digits, run, sizes, write

EPS = 1e-6


def zero_centred_norm(w, name, x):
    return rms_norm(x, 1.0 + tensor(w, name + ".weight"), EPS)


def linear_sizes(c):
    """Key heads, value heads, the width of a key and of a value."""
    return (c["linear_num_key_heads"], c["linear_num_value_heads"], c["linear_key_head_dim"],
            c["linear_value_head_dim"])


def add_weights(c, w, add_mlp):
    vocab, width, wide, heads, kv, d = sizes(c)
    n_keys, n_values, key, value = linear_sizes(c)
    channels = 2 * n_keys * key + n_values * value
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width, offset=0.0)
        if c["layer_types"][i] == "linear_attention":
            p += "linear_attn."
            w.linear(p + "in_proj_qkv", channels, width)
            w.linear(p + "in_proj_z", n_values * value, width)
            w.linear(p + "in_proj_b", n_values, width)
            w.linear(p + "in_proj_a", n_values, width)
            w.add(p + "conv1d.weight", (channels, c["linear_conv_kernel_dim"]), 1.0)
            w.add(p + "dt_bias", (n_values,), 1.0)
            w.add(p + "A_log", (n_values,), 1.0)
            w.norm(p + "norm", value)
            w.linear(p + "out_proj", width, n_values * value)
        else:
            p += "self_attn."
            w.linear(p + "q_proj", 2 * heads * d, width)
            w.linear(p + "k_proj", kv * d, width)
            w.linear(p + "v_proj", kv * d, width)
            w.norm(p + "q_norm", d, offset=0.0)
            w.norm(p + "k_norm", d, offset=0.0)
            w.linear(p + "o_proj", width, heads * d)
        p = f"model.layers.{i}."
        w.norm(p + "post_attention_layernorm", width, offset=0.0)
        if add_mlp:
            add_mlp(p)
            continue
        w.linear(p + "mlp.gate_proj", wide, width)
        w.linear(p + "mlp.up_proj", wide, width)
        w.linear(p + "mlp.down_proj", width, wide)
    w.norm("model.norm", width, offset=0.0)
    if not c.get("tie_word_embeddings"):
        w.linear("lm_head", vocab, width)


def gated_attention(c, w, p, x):
    heads, kv, d = sizes(c)[3:]
    q, gate = linear(w, p + "q_proj", x).view(len(x), heads, 2 * d).chunk(2, dim=-1)
    q = zero_centred_norm(w, p + "q_norm", q.transpose(0, 1))
    k = zero_centred_norm(w, p + "k_norm", heads_of(linear(w, p + "k_proj", x), kv))
    v = heads_of(linear(w, p + "v_proj", x), kv)
    a = attention(rope(c, q), rope(c, k), v, d ** -0.5)
    return linear(w, p + "o_proj", a * torch.sigmoid(gate.reshape(len(x), -1)))


def convolve(w, name, x):
    """x [tokens, channels]; every channel by itself, over its last tokens."""
    weight = tensor(w, name + ".weight")[:, None]
    padded = F.pad(x.T[None], (weight.shape[-1] - 1, 0))
    return F.silu(F.conv1d(padded, weight, groups=weight.shape[0]))[0].T


def unit(x):
    return x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + EPS)


def gated_delta_net(c, w, p, x):
    n_keys, n_values, key, value = linear_sizes(c)
    mixed = convolve(w, p + "conv1d", linear(w, p + "in_proj_qkv", x))
    q, k, v = mixed.split([n_keys * key, n_keys * key, n_values * value], dim=-1)
    q, k = (unit(part.view(len(x), n_keys, key)).repeat_interleave(n_values // n_keys, dim=1)
            for part in (q, k))
    q = q / key ** 0.5
    v = v.view(len(x), n_values, value)
    beta = torch.sigmoid(linear(w, p + "in_proj_b", x))
    decay = (-tensor(w, p + "A_log").exp()
             * F.softplus(linear(w, p + "in_proj_a", x) + tensor(w, p + "dt_bias"))).exp()
    state = torch.zeros(n_values, key, value)
    out = torch.zeros(len(x), n_values, value)
    for t in range(len(x)):
        state = state * decay[t][:, None, None]
        correction = (v[t] - (state * k[t][:, :, None]).sum(1)) * beta[t][:, None]
        state = state + k[t][:, :, None] * correction[:, None, :]
        out[t] = (state * q[t][:, :, None]).sum(1)
    z = linear(w, p + "in_proj_z", x).view(len(x), n_values, value)
    out = rms_norm(out, tensor(w, p + "norm.weight"), EPS) * F.silu(z)
    return linear(w, p + "out_proj", out.reshape(len(x), -1))


def qwen3_5(c, w, add_mlp=None, mlp=None):
    """`add_mlp` and `mlp` take the place of the feed-forward layer."""
    add_weights(c, w, add_mlp)
    mlp = mlp or (lambda p, x: gated(w, p, x, F.silu))

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            n = zero_centred_norm(w, p + "input_layernorm", x)
            if c["layer_types"][i] == "linear_attention":
                x = x + gated_delta_net(c, w, p + "linear_attn.", n)
            else:
                x = x + gated_attention(c, w, p + "self_attn.", n)
            x = x + mlp(p, zero_centred_norm(w, p + "post_attention_layernorm", x))
        return logits_of(c, w, zero_centred_norm(w, "model.norm", x))

    return forward


LINEAR, FULL = "linear_attention", "full_attention"
CASES = {
    "qwen3_5": (
        config("qwen3_5", n_layers=4, n_kv_heads=2, head_dim=16, rope_freq_base=1e7,
               partial_rotary_factor=0.25, max_seq_len=128,
               layer_types=[LINEAR, LINEAR, LINEAR, FULL], linear_num_key_heads=3,
               linear_num_value_heads=6, linear_key_head_dim=7, linear_value_head_dim=7,
               linear_conv_kernel_dim=4), 90, qwen3_5),
    # As many heads of keys as of values, of other widths, a short convolution, attention first.
    "qwen3_5_wide": (
        config("qwen3_5", n_layers=3, n_kv_heads=3, head_dim=12, partial_rotary_factor=0.5,
               max_seq_len=128, tie_word_embeddings=True,
               layer_types=[FULL, LINEAR, FULL], linear_num_key_heads=2,
               linear_num_value_heads=2, linear_key_head_dim=9, linear_value_head_dim=21,
               linear_conv_kernel_dim=3), 80, qwen3_5),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
