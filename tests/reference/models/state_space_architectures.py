"""Writes tests/fixtures/decoder/*.json of architectures with state spaces (Mamba-2), as
decoder_architectures.py does for others: logits in float64 with PyTorch.

    python3 tests/reference/models/state_space_architectures.py      (Debian: python3-torch, python3-numpy)

A state space is computed without a state: as attention whose scores decay with the distance (Dao
and Gu, "Transformers are SSMs", 2024, equation 5). Otherwise the code follows transformers'
granitemoehybrid, falcon_h1 and nemotron_h.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import (attention, gated, heads_of, linear, logits_of, qkv, rms_norm,
                                   rope, tensor)
from decoder_reference import config, digits, run, sizes, write

EPS = 1e-5


def inner(c):
    return c["ssm_heads"] * c["ssm_head_dim"]


def add_mixer(c, w, p, norm, bias=False):
    width, groups = c["n_embd"], c["ssm_groups"]
    channels = inner(c) + 2 * groups * c["ssm_state_dim"]
    w.linear(p + "in_proj", inner(c) + channels + c["ssm_heads"], width, bias)
    w.add(p + "conv1d.weight", (channels, c["conv_taps"]), 1)
    w.add(p + "conv1d.bias", (channels,), 0.25)
    for name in ("A_log", "D", "dt_bias"):
        w.add(p + name, (c["ssm_heads"],), 1, 0.25)
    if norm:
        w.norm(p + "norm", inner(c))
    w.linear(p + "out_proj", width, inner(c), bias)


def grouped_norm(x, weight, groups):
    split = x.view(x.shape[0], groups, -1)
    return rms_norm(split, weight.view(groups, -1), EPS).reshape(x.shape)


def mixer(c, w, p, x):
    heads, groups, states = c["ssm_heads"], c["ssm_groups"], c["ssm_state_dim"]
    parts = [inner(c), inner(c), groups * states, groups * states, heads]
    projected = linear(w, p + "in_proj", x)
    scales = c.get("ssm_scales", [1.0] * 5)
    projected = torch.cat([part * s for part, s in zip(projected.split(parts, -1), scales)], -1)
    gate, rest, dt = projected.split([inner(c), sum(parts[1:4]), heads], -1)
    taps = c["conv_taps"]
    padded = F.pad(rest.T, (taps - 1, 0))
    convolved = F.conv1d(padded[None], tensor(w, p + "conv1d.weight")[:, None],
                         tensor(w, p + "conv1d.bias"), groups=rest.shape[1])[0].T
    v, b, k = F.silu(convolved).split([inner(c), groups * states, groups * states], -1)
    v = heads_of(v, heads)
    b, k = (heads_of(y, groups).repeat_interleave(heads // groups, 0) for y in (b, k))
    dt = F.softplus(dt + tensor(w, p + "dt_bias"))
    dt = dt.clamp(c.get("ssm_step_min", 0.0), c.get("ssm_step_max", float("inf"))).T
    decay = (dt * -torch.exp(tensor(w, p + "A_log"))[:, None]).cumsum(-1)
    seen = torch.ones(x.shape[0], x.shape[0], dtype=torch.bool).tril()
    weights = torch.where(seen, decay[:, :, None] - decay[:, None, :], -float("inf")).exp()
    y = (k @ b.transpose(1, 2) * weights) @ (v * dt[..., None])
    y = y + v * tensor(w, p + "D")[:, None, None]
    y = y.transpose(0, 1).reshape(x.shape[0], -1)
    if p + "norm.weight" not in w:
        y = y * F.silu(gate)
    elif c.get("ssm_norm_first"):
        y = grouped_norm(y, tensor(w, p + "norm.weight"), groups) * F.silu(gate)
    else:
        y = grouped_norm(y * F.silu(gate), tensor(w, p + "norm.weight"), groups)
    return linear(w, p + "out_proj", y)


def add_attention(c, w, p):
    _, width, _, heads, kv, d = sizes(c)
    for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
        w.linear(p + f"{part}_proj", out, width)
    w.linear(p + "o_proj", width, heads * d)


def granite_hybrid(c, w, add_mlp=None, mlp=None):
    """`add_mlp` and `mlp` take the place of the feed-forward layer."""
    vocab, width, wide, *_ = sizes(c)
    mlp = mlp or (lambda p, x: gated(w, p, x, F.silu))
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i, kind in enumerate(c["layer_types"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width)
        if kind == "mamba":
            add_mixer(c, w, p + "mamba.", True)
        else:
            add_attention(c, w, p + "self_attn.")
        w.norm(p + "post_attention_layernorm", width)
        if add_mlp:
            add_mlp(p)
            continue
        w.linear(p + "mlp.gate_proj", wide, width)
        w.linear(p + "mlp.up_proj", wide, width)
        w.linear(p + "mlp.down_proj", width, wide)
    w.norm("model.norm", width)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c["embed_scale"]
        for i, kind in enumerate(c["layer_types"]):
            p = f"model.layers.{i}."
            n = rms_norm(x, tensor(w, p + "input_layernorm.weight"), EPS)
            if kind == "mamba":
                mixed = mixer(c, w, p + "mamba.", n)
            else:
                q, k, v = qkv(c, w, p, n)
                if c.get("is_rope", True):
                    q, k = rope(c, q), rope(c, k)
                mixed = linear(w, p + "self_attn.o_proj", attention(q, k, v, c["attn_scale"]))
            x = x + mixed * c["residual_scale"]
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), EPS)
            x = x + mlp(p, n) * c["residual_scale"]
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), EPS)) * c["logit_scale"]

    return forward


def falcon_h1(c, w, norm=False, bias=False):
    vocab, width, wide, *_ = sizes(c)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width)
        add_mixer(c, w, p + "mamba.", norm, bias)
        add_attention(c, w, p + "self_attn.")
        w.norm(p + "pre_ff_layernorm", width)
        w.linear(p + "feed_forward.gate_proj", wide, width)
        w.linear(p + "feed_forward.up_proj", wide, width)
        w.linear(p + "feed_forward.down_proj", width, wide)
    w.norm("model.final_layernorm", width)
    w.linear("lm_head", vocab, width)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c.get("embed_scale", 1.0)
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            n = rms_norm(x, tensor(w, p + "input_layernorm.weight"), EPS)
            mixed = mixer(c, w, p + "mamba.", n) * c.get("ssm_out_scale", 1.0)
            q, k, v = qkv(c, w, p, n)
            scale = c.get("attn_scale", q.shape[-1] ** -0.5)
            a = linear(w, p + "self_attn.o_proj", attention(rope(c, q), rope(c, k), v, scale))
            x = x + mixed + a * c.get("attn_out_scale", 1.0)
            p += "feed_forward."
            n = rms_norm(x, tensor(w, f"model.layers.{i}.pre_ff_layernorm.weight"), EPS)
            gate = F.silu(linear(w, p + "gate_proj", n) * c.get("mlp_gate_scale", 1.0))
            m = linear(w, p + "down_proj", gate * linear(w, p + "up_proj", n))
            x = x + m * c.get("mlp_out_scale", 1.0)
        x = rms_norm(x, tensor(w, "model.final_layernorm.weight"), EPS)
        return logits_of(c, w, x) * c.get("logit_scale", 1.0)

    return forward


def nemotron_h(c, w):
    vocab, width, wide, heads, kv, _ = sizes(c)
    w.add("backbone.embeddings.weight", (vocab, width), 1)
    for i, kind in enumerate(c["layer_types"]):
        p = f"backbone.layers.{i}."
        w.norm(p + "norm", width)
        if kind == "mamba":
            add_mixer(c, w, p + "mixer.", True)
        elif kind == "mlp":
            w.linear(p + "mixer.up_proj", wide, width)
            w.linear(p + "mixer.down_proj", width, wide)
        else:
            add_attention(c, w, p + "mixer.")
    w.norm("backbone.norm_f", width)
    w.linear("lm_head", vocab, width)

    def forward(ids):
        x = tensor(w, "backbone.embeddings.weight")[ids]
        for i, kind in enumerate(c["layer_types"]):
            p = f"backbone.layers.{i}.mixer."
            n = rms_norm(x, tensor(w, f"backbone.layers.{i}.norm.weight"), EPS)
            if kind == "mamba":
                x = x + mixer(c, w, p, n)
            elif kind == "mlp":
                x = x + linear(w, p + "down_proj", F.relu(linear(w, p + "up_proj", n)) ** 2)
            else:
                q, k, v = (heads_of(linear(w, p + f"{part}_proj", n), count)
                           for part, count in [("q", heads), ("k", kv), ("v", kv)])
                a = attention(q, k, v, q.shape[-1] ** -0.5)
                x = x + linear(w, p + "o_proj", a)
        return logits_of(c, w, rms_norm(x, tensor(w, "backbone.norm_f.weight"), EPS))

    return forward


GRANITE = dict(n_layers=4, layer_types=["mamba", "full_attention", "mamba", "mamba"], n_kv_heads=2,
               ssm_heads=8, ssm_head_dim=9, ssm_state_dim=7, ssm_groups=1, conv_taps=4,
               embed_scale=3.0, attn_scale=0.25, residual_scale=0.5, logit_scale=0.125,
               norm_eps=EPS, tie_word_embeddings=True, max_seq_len=256)
FALCON = dict(n_kv_heads=3, head_dim=10, ssm_heads=6, ssm_head_dim=7, ssm_state_dim=5, ssm_groups=2,
              conv_taps=4, max_seq_len=256)
# What attention_in_multiplier 0.5, attention_out_multiplier 2.5 and key_multiplier 2 come to, and
# ssm_in_multiplier 0.5 with the others.
SCALES = dict(attn_scale=0.5 ** 2 * 2 / 10 ** 0.5, attn_out_scale=1.25, mlp_gate_scale=0.625,
              mlp_out_scale=1.5, ssm_scales=[0.5, 1.25, 0.75, 1.5, 0.875], ssm_out_scale=0.75,
              embed_scale=2.5, logit_scale=0.25)

CASES = {
    "granite_hybrid": (config("granitemoehybrid", is_rope=False, **GRANITE), 90, granite_hybrid),
    "granite_hybrid_rope": (
        config("granitemoehybrid", **{**GRANITE, "conv_taps": 3, "ssm_step_min": 0.125,
                                      "ssm_step_max": 0.75}), 21, granite_hybrid),
    "falcon_h1": (config("falcon_h1", n_layers=2, **FALCON), 90, falcon_h1),
    "falcon_h1_scaled": (
        config("falcon_h1", **FALCON, **SCALES), 23, lambda c, w: falcon_h1(c, w, True)),
    "falcon_h1_biased": (
        config("falcon_h1", **FALCON, ssm_norm_first=True), 23,
        lambda c, w: falcon_h1(c, w, True, True)),
    "nemotron_h": (
        config("nemotron_h", n_layers=6, n_kv_heads=2, head_dim=10, ssm_heads=4, ssm_head_dim=11,
               ssm_state_dim=9, ssm_groups=2, conv_taps=4, max_seq_len=256,
               layer_types=["mamba", "mlp", "full_attention", "mlp", "mamba", "mlp"]), 90,
        nemotron_h),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
