"""Writes tests/fixtures/decoder/*.json of further architectures: logits of models with made-up weights,
computed in float64 with PyTorch, each architecture written out as its authors' code in Hugging
Face's transformers has it.

    python3 tests/reference/models/decoder_architectures.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py, which computes the older architectures
with NumPy.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F

from decoder_reference import LLAMA3, config, digits, rope_frequencies, run, sizes, write


def tensor(w, name):
    return torch.from_numpy(w[name])


def linear(w, name, x):
    bias = tensor(w, name + ".bias") if name + ".bias" in w else None
    return F.linear(x, tensor(w, name + ".weight"), bias)


def rms_norm(x, weight, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def layer_norm(w, name, x, eps=1e-5):
    return F.layer_norm(x, (x.shape[-1],), tensor(w, name + ".weight"), tensor(w, name + ".bias"), eps)


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def rope(c, x, base=None, interleaved=False):
    """x [heads, tokens, head_dim]; `base` replaces the base and the scaling of the config."""
    n = int(x.shape[-1] * c.get("partial_rotary_factor", 1.0))
    how = c if base is None else {"rope_freq_base": base, "max_seq_len": c["max_seq_len"]}
    inv, magnitude = rope_frequencies(how, n, x.shape[1])
    angles = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), torch.from_numpy(inv))
    both = angles.repeat_interleave(2, -1) if interleaved else torch.cat((angles, angles), -1)
    turned, rest = x[..., :n], x[..., n:]
    other = rotate_every_two(turned) if interleaved else rotate_half(turned)
    turned = turned * both.cos() * magnitude + other * both.sin() * magnitude
    return torch.cat((turned, rest), dim=-1)


def attention(q, k, v, scale, window=None, cap=0.0):
    """q [heads, tokens, d]; k and v [kv heads, tokens, d]. A query sees the last `window` positions."""
    groups = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(groups, 0), v.repeat_interleave(groups, 0)
    scores = q @ k.transpose(1, 2) * scale
    if cap:
        scores = torch.tanh(scores / cap) * cap
    i = torch.arange(q.shape[1])[:, None]
    j = torch.arange(q.shape[1])[None]
    hidden = j > i
    if window:
        hidden = hidden | (j <= i - window)
    scores = scores.masked_fill(hidden, float("-inf"))
    mixed = torch.softmax(scores, dim=-1) @ v
    return mixed.transpose(0, 1).reshape(q.shape[1], -1)


def heads_of(x, n):
    return x.view(x.shape[0], n, -1).transpose(0, 1)


def unscaled(c):
    return {**c, "rope_scaling": None}


ACTIVATIONS = {"silu": F.silu, "gelu": F.gelu,
               "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}


# --- the llama family -----------------------------------------------------------------------------

def add_llama(c, w, qkv_bias=False, qk_norm=None, norms=(), norm_offset=1.0, norm_bias=False,
              mlp="gated", mlp_bias=False, out_bias=False, final_bias=False,
              qk_names=("q_norm", "k_norm")):
    vocab, width, wide, heads, kv, d = sizes(c)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        for name in norms:
            w.norm(p + name, width, norm_bias, norm_offset)
        for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
            w.linear(p + f"self_attn.{part}_proj", out, width, qkv_bias)
        if qk_norm:
            q_width, k_width = (d, d) if qk_norm == "head" else (heads * d, kv * d)
            w.norm(p + "self_attn." + qk_names[0], q_width, offset=norm_offset)
            w.norm(p + "self_attn." + qk_names[1], k_width, offset=norm_offset)
        w.linear(p + "self_attn.o_proj", width, heads * d, out_bias)
        names = {"gated": ["gate_proj", "up_proj", "down_proj"], "plain": ["c_fc", "c_proj"],
                 "ungated": ["up_proj", "down_proj"]}[mlp]
        for name in names:
            shape = (width, wide) if name in ("down_proj", "c_proj") else (wide, width)
            w.linear(p + "mlp." + name, *shape, mlp_bias)
    w.norm("model.norm", width, final_bias, norm_offset)
    if not c.get("tie_word_embeddings"):
        w.linear("lm_head", vocab, width)


def qkv(c, w, p, x):
    _, _, _, heads, kv, _ = sizes(c)
    return (heads_of(linear(w, p + "self_attn.q_proj", x), heads),
            heads_of(linear(w, p + "self_attn.k_proj", x), kv),
            heads_of(linear(w, p + "self_attn.v_proj", x), kv))


def gated(w, p, x, act):
    m = act(linear(w, p + "mlp.gate_proj", x)) * linear(w, p + "mlp.up_proj", x)
    return linear(w, p + "mlp.down_proj", m)


def logits_of(c, w, x):
    name = "model.embed_tokens" if c.get("tie_word_embeddings") else "lm_head"
    return (x @ tensor(w, name + ".weight").T).numpy()


LLAMA_NORMS = ("input_layernorm", "post_attention_layernorm")


def qwen2(c, w):
    add_llama(c, w, qkv_bias=True, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            local = c.get("layer_types", [""] * c["n_layers"])[i] == "sliding_attention"
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            a = attention(rope(c, q), rope(c, k), v, d ** -0.5,
                          c["sliding_window"] if local else None)
            x = x + linear(w, p + "self_attn.o_proj", a)
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu)
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), 1e-6))

    return forward


def qwen3_states(c, w):
    """The hidden states after the last norm."""
    add_llama(c, w, qk_norm="head", norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            q = rms_norm(q, tensor(w, p + "self_attn.q_norm.weight"), 1e-6)
            k = rms_norm(k, tensor(w, p + "self_attn.k_norm.weight"), 1e-6)
            a = attention(rope(c, q), rope(c, k), v, d ** -0.5)
            x = x + linear(w, p + "self_attn.o_proj", a)
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu)
        return rms_norm(x, tensor(w, "model.norm.weight"), 1e-6)

    return forward


def qwen3(c, w):
    states = qwen3_states(c, w)
    return lambda ids: logits_of(c, w, states(ids))


def smollm3(c, w):
    add_llama(c, w, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            if (i + 1) % 4 != 0:
                q, k = rope(c, q), rope(c, k)
            x = x + linear(w, p + "self_attn.o_proj", attention(q, k, v, d ** -0.5))
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu)
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), 1e-6))

    return forward


def granite(c, w):
    add_llama(c, w, norms=LLAMA_NORMS)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c["embed_scale"]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            if c.get("is_rope", True):
                q, k = rope(c, q), rope(c, k)
            a = attention(q, k, v, c["attn_scale"])
            x = x + linear(w, p + "self_attn.o_proj", a) * c["residual_scale"]
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu) * c["residual_scale"]
        x = rms_norm(x, tensor(w, "model.norm.weight"), 1e-6)
        return logits_of(c, w, x) * c["logit_scale"]

    return forward


def minicpm(c, w):
    add_llama(c, w, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c["embed_scale"]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            a = linear(w, p + "self_attn.o_proj", attention(rope(c, q), rope(c, k), v, d ** -0.5))
            x = x + a * c["residual_scale"]
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu) * c["residual_scale"]
        x = rms_norm(x, tensor(w, "model.norm.weight"), 1e-6)
        return logits_of(c, w, x * c["logit_scale"])

    return forward


def llama_like(c, w, mlp, turn=rope, norms=LLAMA_NORMS, qk_norm=None, norm_last=False,
               eps=1e-5, temperature=None, **biases):
    """Llama's layers with what varies: the feed-forward layer, the rotation, norms of queries and
    keys before or after it, and a factor of each query."""
    names = ("query_layernorm", "key_layernorm") if norm_last else ("q_norm", "k_norm")
    add_llama(c, w, norms=norms, qk_norm=qk_norm, qk_names=names,
              mlp="gated" if mlp is gated_silu else "ungated", **biases)
    d = sizes(c)[5]

    def normed(x, name):
        return rms_norm(x, tensor(w, name + ".weight"), eps) if qk_norm else x

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + norms[0] + ".weight"), eps))
            if norm_last:
                q, k = turn(c, q), turn(c, k)
            q = normed(q, p + "self_attn." + names[0])
            k = normed(k, p + "self_attn." + names[1])
            if not norm_last:
                q, k = turn(c, q), turn(c, k)
            if temperature is not None:
                q = q * temperature(torch.arange(len(ids)))[:, None]
            x = x + linear(w, p + "self_attn.o_proj", attention(q, k, v, d ** -0.5))
            x = x + mlp(c, w, i, rms_norm(x, tensor(w, p + norms[1] + ".weight"), eps))
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), eps))

    return forward


def gated_silu(c, w, i, x):
    return gated(w, f"model.layers.{i}.", x, F.silu)


def relu_squared(c, w, i, x):
    p = f"model.layers.{i}.mlp."
    return linear(w, p + "down_proj", F.relu(linear(w, p + "up_proj", x)).square())


def xielu(c, w, i, x):
    p = f"model.layers.{i}.mlp."
    of = {name: torch.tensor(c["xielu"][name][i]) for name in ("alpha_p", "alpha_n", "beta", "eps")}
    positive, negative = F.softplus(of["alpha_p"]), of["beta"] + F.softplus(of["alpha_n"])
    x = linear(w, p + "up_proj", x)
    x = torch.where(x > 0, positive * x * x + of["beta"] * x,
                    (torch.expm1(torch.min(x, of["eps"])) - x) * negative + of["beta"] * x)
    return linear(w, p + "down_proj", x)


def interleaved(c, x):
    return rope(c, x, interleaved=True)


def llama4_temperature(c):
    length = c["attn_temperature_length"]
    return lambda at: 1 + c["attn_temperature_scale"] * torch.log(1 + torch.floor(at / length))


def exaone4(c, w):
    add_llama(c, w, qk_norm="head", norms=("post_attention_layernorm", "post_feedforward_layernorm"))
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            window = c.get("sliding_window")
            local = window is not None and c["layer_types"][i] == "sliding_attention"
            q, k, v = qkv(c, w, p, x)
            q = rms_norm(q, tensor(w, p + "self_attn.q_norm.weight"), 1e-5)
            k = rms_norm(k, tensor(w, p + "self_attn.k_norm.weight"), 1e-5)
            if local or window is None:
                q, k = rope(c, q), rope(c, k)
            a = attention(q, k, v, d ** -0.5, window if local else None)
            a = linear(w, p + "self_attn.o_proj", a)
            x = x + rms_norm(a, tensor(w, p + "post_attention_layernorm.weight"), 1e-5)
            m = gated(w, p, x, F.silu)
            x = x + rms_norm(m, tensor(w, p + "post_feedforward_layernorm.weight"), 1e-5)
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), 1e-5))

    return forward


def olmo2(c, w):
    add_llama(c, w, qk_norm="all", norms=("post_attention_layernorm", "post_feedforward_layernorm"))
    _, _, _, heads, kv, d = sizes(c)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q = rms_norm(linear(w, p + "self_attn.q_proj", x),
                         tensor(w, p + "self_attn.q_norm.weight"), 1e-5)
            k = rms_norm(linear(w, p + "self_attn.k_proj", x),
                         tensor(w, p + "self_attn.k_norm.weight"), 1e-5)
            v = heads_of(linear(w, p + "self_attn.v_proj", x), kv)
            # Olmo 3: all but every fourth layer have a window and an unscaled rotation.
            local = c["architecture"] == "olmo3" and (i + 1) % 4 != 0
            how = unscaled(c) if local else c
            a = attention(rope(how, heads_of(q, heads)), rope(how, heads_of(k, kv)), v, d ** -0.5,
                          c["sliding_window"] if local else None)
            a = linear(w, p + "self_attn.o_proj", a)
            x = x + rms_norm(a, tensor(w, p + "post_attention_layernorm.weight"), 1e-5)
            m = gated(w, p, x, F.silu)
            x = x + rms_norm(m, tensor(w, p + "post_feedforward_layernorm.weight"), 1e-5)
        return logits_of(c, w, rms_norm(x, tensor(w, "model.norm.weight"), 1e-5))

    return forward


def gemma(c, w, version):
    """Gemma 2 and 3: norms on both sides of each layer, stored minus 1; windows in some layers."""
    c.setdefault("tie_word_embeddings", True)
    add_llama(c, w, qk_norm="head" if version == 3 else None, norm_offset=0.0,
              norms=("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                     "post_feedforward_layernorm"))
    width = c["n_embd"]
    every = 2 if version == 2 else 6

    def norm(x, name):
        return rms_norm(x, 1.0 + tensor(w, name + ".weight"), 1e-6)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * math.sqrt(width)
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            local = (i + 1) % every != 0
            q, k, v = qkv(c, w, p, norm(x, p + "input_layernorm"))
            if version == 3:
                q, k = norm(q, p + "self_attn.q_norm"), norm(k, p + "self_attn.k_norm")
            base = 10000.0 if version == 3 and local else None
            a = attention(rope(c, q, base), rope(c, k, base), v, c["attn_scale"],
                          c["sliding_window"] if local else None, c.get("attn_softcap", 0.0))
            a = linear(w, p + "self_attn.o_proj", a)
            x = x + norm(a, p + "post_attention_layernorm")
            m = gated(w, p, norm(x, p + "pre_feedforward_layernorm"), ACTIVATIONS["gelu_tanh"])
            x = x + norm(m, p + "post_feedforward_layernorm")
        out = logits_of(c, w, norm(x, "model.norm"))
        cap = c.get("final_softcap", 0.0)
        return np.tanh(out / cap) * cap if cap else out

    return forward


# --- with layer norms -----------------------------------------------------------------------------

def stablelm(c, w):
    parallel = c.get("parallel_residual", False)
    add_llama(c, w, qkv_bias=c.get("attn_bias", False), norm_bias=True, final_bias=True,
              norms=LLAMA_NORMS[:1] if parallel else LLAMA_NORMS)
    d = sizes(c)[5]
    c2 = {"partial_rotary_factor": 0.25, **c}

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            n = layer_norm(w, p + "input_layernorm", x)
            q, k, v = qkv(c, w, p, n)
            a = linear(w, p + "self_attn.o_proj", attention(rope(c2, q), rope(c2, k), v, d ** -0.5))
            if parallel:
                x = x + a + gated(w, p, n, F.silu)
            else:
                x = x + a
                x = x + gated(w, p, layer_norm(w, p + "post_attention_layernorm", x), F.silu)
        return logits_of(c, w, layer_norm(w, "model.norm", x))

    return forward


def starcoder2(c, w):
    add_llama(c, w, qkv_bias=True, out_bias=True, norm_bias=True, final_bias=True, mlp="plain",
              mlp_bias=True, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, layer_norm(w, p + "input_layernorm", x))
            a = attention(rope(c, q), rope(c, k), v, d ** -0.5, c.get("sliding_window"))
            x = x + linear(w, p + "self_attn.o_proj", a)
            n = layer_norm(w, p + "post_attention_layernorm", x)
            m = F.gelu(linear(w, p + "mlp.c_fc", n), approximate="tanh")
            x = x + linear(w, p + "mlp.c_proj", m)
        return logits_of(c, w, layer_norm(w, "model.norm", x))

    return forward


def gpt_neox(c, w):
    vocab, width, wide, heads, _, d = sizes(c)
    parallel = c.get("parallel_residual", True)
    w.add("gpt_neox.embed_in.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"gpt_neox.layers.{i}."
        w.norm(p + "input_layernorm", width, bias=True)
        w.norm(p + "post_attention_layernorm", width, bias=True)
        w.linear(p + "attention.query_key_value", 3 * heads * d, width, True)
        w.linear(p + "attention.dense", width, heads * d, True)
        w.linear(p + "mlp.dense_h_to_4h", wide, width, True)
        w.linear(p + "mlp.dense_4h_to_h", width, wide, True)
    w.norm("gpt_neox.final_layer_norm", width, bias=True)
    w.linear("embed_out", vocab, width)
    c2 = {"partial_rotary_factor": 0.25, **c}

    def forward(ids):
        x = tensor(w, "gpt_neox.embed_in.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"gpt_neox.layers.{i}."
            fused = linear(w, p + "attention.query_key_value",
                           layer_norm(w, p + "input_layernorm", x))
            q, k, v = fused.view(len(ids), heads, 3 * d).transpose(0, 1).chunk(3, dim=-1)
            a = linear(w, p + "attention.dense",
                       attention(rope(c2, q), rope(c2, k), v, d ** -0.5))
            n = layer_norm(w, p + "post_attention_layernorm", x if parallel else x + a)
            m = linear(w, p + "mlp.dense_4h_to_h", F.gelu(linear(w, p + "mlp.dense_h_to_4h", n)))
            x = x + a + m
        return (layer_norm(w, "gpt_neox.final_layer_norm", x)
                @ tensor(w, "embed_out.weight").T).numpy()

    return forward


def gptj(c, w):
    vocab, width, wide, heads, _, d = sizes(c)
    w.add("transformer.wte.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"transformer.h.{i}."
        w.norm(p + "ln_1", width, bias=True)
        for name in ("q_proj", "k_proj", "v_proj"):
            w.linear(p + "attn." + name, heads * d, width)
        w.linear(p + "attn.out_proj", width, heads * d)
        w.linear(p + "mlp.fc_in", wide, width, True)
        w.linear(p + "mlp.fc_out", width, wide, True)
    w.norm("transformer.ln_f", width, bias=True)
    w.linear("lm_head", vocab, width, True)

    def forward(ids):
        x = tensor(w, "transformer.wte.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"transformer.h.{i}."
            n = layer_norm(w, p + "ln_1", x)
            q, k, v = (heads_of(linear(w, p + f"attn.{part}_proj", n), heads) for part in "qkv")
            q, k = rope(c, q, interleaved=True), rope(c, k, interleaved=True)
            a = linear(w, p + "attn.out_proj", attention(q, k, v, d ** -0.5))
            m = F.gelu(linear(w, p + "mlp.fc_in", n), approximate="tanh")
            x = x + a + linear(w, p + "mlp.fc_out", m)
        return linear(w, "lm_head", layer_norm(w, "transformer.ln_f", x)).numpy()

    return forward


def phi4_mini(c, w):
    """Phi-3's code with a part of each head rotated."""
    vocab, width, wide, heads, kv, d = sizes(c)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width)
        w.linear(p + "self_attn.qkv_proj", (heads + 2 * kv) * d, width)
        w.linear(p + "self_attn.o_proj", width, heads * d)
        w.norm(p + "post_attention_layernorm", width)
        w.linear(p + "mlp.gate_up_proj", 2 * wide, width)
        w.linear(p + "mlp.down_proj", width, wide)
    w.norm("model.norm", width)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            fused = linear(w, p + "self_attn.qkv_proj",
                           rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-5))
            q, k, v = fused.split([heads * d, kv * d, kv * d], dim=-1)
            a = attention(rope(c, heads_of(q, heads)), rope(c, heads_of(k, kv)), heads_of(v, kv),
                          d ** -0.5)
            x = x + linear(w, p + "self_attn.o_proj", a)
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-5)
            gate, up = linear(w, p + "mlp.gate_up_proj", n).chunk(2, dim=-1)
            x = x + linear(w, p + "mlp.down_proj", up * F.silu(gate))
        x = rms_norm(x, tensor(w, "model.norm.weight"), 1e-5)
        return (x @ tensor(w, "model.embed_tokens.weight").T).numpy()

    return forward


# --- the cases ------------------------------------------------------------------------------------

LONG = {"rope_type": "longrope", "original_max_position_embeddings": 16,
        "short_factor": [1.0, 1.125, 1.25, 1.5, 2.0, 2.5],
        "long_factor": [1.0, 1.75, 3.5, 5.25, 8.0, 9.5]}
YARN8 = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 16,
         "attention_factor": 1.2079441541679836, "beta_fast": 32.0, "beta_slow": 1.0}
YARN16 = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 16,
          "beta_fast": 4.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0}
YARN20 = {"rope_type": "yarn", "factor": 20.0, "original_max_position_embeddings": 16,
          "beta_fast": 2.0, "beta_slow": 1.0, "mscale": 1.0}
# As the models learn them, before their softplus.
XIELU = {"alpha_p": [0.25, -0.5, 1.5], "alpha_n": [-1.0, 0.125, 0.75], "beta": [0.5, 0.5, 0.5],
         "eps": [-1e-6, -1e-6, -1e-6]}
LINEAR = {"rope_type": "linear", "factor": 8.0}

CASES = {
    "qwen2": (config("qwen2", n_kv_heads=2, rope_freq_base=1e6), 19, qwen2),
    "qwen2_windows": (
        config("qwen2", n_kv_heads=3, sliding_window=5, max_seq_len=128,
               layer_types=["full_attention", "sliding_attention", "sliding_attention"]), 90, qwen2),
    "qwen3": (config("qwen3", n_kv_heads=2, head_dim=10, rope_freq_base=1e6), 21, qwen3),
    "gemma2": (
        config("gemma2", n_layers=4, n_kv_heads=2, head_dim=14, sliding_window=6, attn_scale=14 ** -0.5,
               attn_softcap=3.0, final_softcap=5.0, max_seq_len=128), 100,
        lambda c, w: gemma(c, w, 2)),
    "gemma3": (
        config("gemma3", n_layers=7, n_kv_heads=1, head_dim=14, sliding_window=5,
               attn_scale=14 ** -0.5, rope_freq_base=1e6, rope_scaling=LINEAR, max_seq_len=128), 90,
        lambda c, w: gemma(c, w, 3)),
    "smollm3": (config("smollm3", n_layers=5, n_kv_heads=2, tie_word_embeddings=True), 22, smollm3),
    "olmo2": (config("olmo2", n_kv_heads=3, head_dim=10), 18, olmo2),
    "granite": (
        config("granite", n_kv_heads=2, embed_scale=3.0, attn_scale=0.25, residual_scale=0.5,
               logit_scale=0.125), 18, granite),
    "stablelm": (config("stablelm", n_heads=3, head_dim=8, attn_bias=True), 17, stablelm),
    "stablelm_parallel": (
        config("stablelm", n_heads=3, parallel_residual=True, partial_rotary_factor=0.5), 17,
        stablelm),
    "gpt_neox": (config("gpt_neox", head_dim=8), 18, gpt_neox),
    "gpt_neox_sequential": (
        config("gpt_neox", n_heads=3, parallel_residual=False, partial_rotary_factor=1.0), 18,
        gpt_neox),
    "gptj": (config("gptj", n_heads=3, partial_rotary_factor=8 / 12), 18, gptj),
    "starcoder2": (config("starcoder2", n_kv_heads=2, sliding_window=7), 90, starcoder2),
    "minicpm": (
        config("minicpm", n_kv_heads=2, head_dim=12, embed_scale=12.0, residual_scale=1.4 / 3 ** 0.5,
               logit_scale=9 / 36, rope_scaling=LONG, tie_word_embeddings=True), 18, minicpm),
    "granite_nope": (
        config("granite", n_kv_heads=3, embed_scale=12.0, attn_scale=0.25, residual_scale=0.22,
               logit_scale=0.125, is_rope=False, tie_word_embeddings=True), 18, granite),
    "arcee": (
        config("arcee", n_kv_heads=2, head_dim=10, rope_scaling=YARN20), 21,
        lambda c, w: llama_like(c, w, relu_squared)),
    "helium": (
        config("helium", n_kv_heads=3, rope_freq_base=100000.0), 17,
        lambda c, w: llama_like(c, w, gated_silu, interleaved, eps=1e-8)),
    "ernie4_5": (
        config("ernie4_5", n_kv_heads=2, head_dim=10, rope_freq_base=500000.0,
               tie_word_embeddings=True), 19,
        lambda c, w: llama_like(c, w, gated_silu, interleaved)),
    "ernie4_5_biased": (
        config("ernie4_5", n_kv_heads=3, attn_bias=True, mlp_bias=True, tie_word_embeddings=True), 17,
        lambda c, w: llama_like(c, w, gated_silu, interleaved, qkv_bias=True, mlp_bias=True,
                                out_bias=True)),
    "hunyuan": (
        config("hunyuan_v1_dense", n_kv_heads=3, head_dim=10,
               rope_freq_base=10000.0 * 1000.0 ** (10 / 8), tie_word_embeddings=True), 23,
        lambda c, w: llama_like(c, w, gated_silu, qk_norm="head", norm_last=True)),
    "exaone4": (config("exaone4", n_kv_heads=2, head_dim=12, rope_freq_base=1e6), 20, exaone4),
    "exaone4_windows": (
        config("exaone4", n_layers=5, n_kv_heads=3, head_dim=12, rope_freq_base=1e6, sliding_window=6,
               rope_scaling=LLAMA3, max_seq_len=128,
               layer_types=["sliding_attention", "sliding_attention", "sliding_attention",
                            "full_attention", "sliding_attention"]), 90, exaone4),
    "olmo3": (
        config("olmo3", n_layers=5, n_kv_heads=2, rope_freq_base=500000.0, sliding_window=7,
               rope_scaling=YARN8, max_seq_len=128), 90, olmo2),
    "ministral3": (
        config("ministral3", n_kv_heads=2, head_dim=14, rope_freq_base=1e6, rope_scaling=YARN16,
               max_seq_len=256, attn_temperature_scale=0.1, attn_temperature_length=16), 90,
        lambda c, w: llama_like(c, w, gated_silu, temperature=llama4_temperature(c))),
    "apertus": (
        config("apertus", n_kv_heads=2, head_dim=10, rope_freq_base=12000000.0, rope_scaling=LLAMA3,
               xielu=XIELU), 22,
        lambda c, w: llama_like(c, w, xielu, norms=("attention_layernorm", "feedforward_layernorm"),
                                qk_norm="head")),
    "phi4_mini": (
        config("phi3", n_kv_heads=3, head_dim=16, partial_rotary_factor=0.75, rope_scaling=LONG,
               tie_word_embeddings=True), 20, phi4_mini),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
