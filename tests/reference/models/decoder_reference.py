"""Writes tests/fixtures/decoder/*.json: logits of decoder language models with made-up weights,
computed in float64, each architecture written out as its authors' code in Hugging Face's
transformers has it.

    python3 tests/reference/models/decoder_reference.py      (Debian: python3-numpy)

The weights are no files: tests/core/infer/decoder/synthetic_decoder.h does the same in C++. Number i of a
tensor is f32(offset + f32(scale * u)), u being the hash of the tensor's name and of i that
bert_reference.py defines; the fixture states names, shapes as stored, scale and offset. In cases with
a `dtype` the matrices are then quantized as core/formats/amb/README.md#quantizing says, here with code
of its own.
"""
import json
import math
import pathlib

import numpy as np

from bert_reference import hashes, uniform

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "decoder"
F16_MASK, INT4_MASK, INT5_MASK, INT8_MASK = 1, 4, 5, 3


# --- quantization ---------------------------------------------------------------------------------

def quantize_block(x, bits):
    """The block as its codes times its scale say; scales are binary16."""
    if bits == 16:
        return x.astype(np.float16).astype(np.float64)
    if bits == 8:
        scale = np.float32(np.abs(x).max()) / np.float32(127)
        low, high = -127, 127
    else:
        extreme = x[np.abs(x).argmax()]
        scale = np.float32(extreme) / np.float32(-2 ** (bits - 1))
        low, high = -2 ** (bits - 1), 2 ** (bits - 1) - 1
    scale = np.float64(np.float16(scale))
    if scale == 0:
        return np.zeros(len(x))
    return np.clip(np.rint(x.astype(np.float64) / scale), low, high) * scale


def quantize(w, dtype, block):
    """A stored matrix [rows, columns] of float32, as float64 after the way through `dtype`; `block`
    numbers of a row share a scale, 0: what is odd for each type."""
    if dtype == "f16":
        return w.astype(np.float16).astype(np.float64)
    if dtype == "bf16":
        bits = w.view(np.uint32).astype(np.uint64)
        kept = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16) << np.uint64(16)
        return kept.astype(np.uint32).view(np.float32).astype(np.float64)
    bits = {"int8": 8, "int4": 4, "int5": 5, "int4_block": 4, "int5_block": 5}.get(dtype)
    block = block or {"int8": w.shape[1], "int5": 16}.get(dtype, 8)
    out = np.zeros(w.shape)
    number = 0
    for r in range(w.shape[0]):
        for c in range(0, w.shape[1], block):
            # ADAPTIVE: the precisions in turn
            width = bits or [16, 8, 4, 5][number % 4]
            out[r, c:c + block] = quantize_block(w[r, c:c + block], width)
            number += 1
    return out


# --- weights --------------------------------------------------------------------------------------

class Weights:
    def __init__(self, dtype=None, block=0):
        self.tensors, self.values, self.dtype, self.block = [], {}, dtype, block

    def add(self, name, shape, scale, offset=0.0):
        scale, offset = np.float32(scale), np.float32(offset)
        u = uniform(name, math.prod(shape))
        w = (offset + scale * u).reshape(shape)
        self.tensors.append([name, list(shape), float(scale), float(offset)])
        if self.dtype and len(shape) == 2:
            self.values[name] = quantize(w, self.dtype, self.block)
        else:
            self.values[name] = w.astype(np.float64)

    def linear(self, name, out, columns, bias=False, conv1d=False):
        shape = (columns, out) if conv1d else (out, columns)
        self.add(name + ".weight", shape, 2 / math.sqrt(columns))
        if bias:
            self.add(name + ".bias", (out,), 0.25)

    def norm(self, name, n, bias=False, offset=1.0):
        self.add(name + ".weight", (n,), 0.25, offset)
        if bias:
            self.add(name + ".bias", (n,), 0.25)

    def __getitem__(self, name):
        return self.values[name]

    def __contains__(self, name):
        return name in self.values

    def apply(self, name, x, conv1d=False):
        w = self[name + ".weight"]
        y = x @ (w if conv1d else w.T)
        return y + self[name + ".bias"] if name + ".bias" in self else y


# --- the pieces -----------------------------------------------------------------------------------

def rms_norm(x, weight, eps):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + eps) * weight + bias


def erf(x):
    return np.vectorize(math.erf)(x)


ACTIVATIONS = {
    "silu": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
    "gelu_tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "relu": lambda x: np.maximum(x, 0),
}


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def soft_cap(x, cap):
    return cap * np.tanh(x / cap) if cap else x


def rope_frequencies(config, n, length):
    """modeling_rope_utils.py; what it calls inv_freq and attention_factor."""
    base, trained = config.get("rope_freq_base", 10000.0), config["max_seq_len"]
    i = np.arange(0, n, 2, dtype=np.float64)
    scaling = config.get("rope_scaling") or {}
    if not isinstance(scaling, dict):
        scaling = {"rope_type": "linear", "factor": scaling}
    kind = scaling.get("rope_type", "default")
    original = scaling.get("original_max_position_embeddings", trained)
    factor = scaling.get("factor", 1.0)
    if kind == "dynamic":
        base = base * (factor * max(length, trained) / trained - (factor - 1)) ** (n / (n - 2))
    inv = 1.0 / base ** (i / n)
    if kind == "linear":
        return inv / factor, 1.0
    if kind == "yarn":
        def dim_of(rotations):
            return n * math.log(original / (rotations * 2 * math.pi)) / (2 * math.log(base))
        low = max(math.floor(dim_of(scaling.get("beta_fast", 32))), 0)
        high = min(math.ceil(dim_of(scaling.get("beta_slow", 1))), n - 1)
        ramp = np.clip((np.arange(n // 2) - low) / ((high - low) or 0.001), 0, 1)
        keep = 1 - ramp
        def magnitude(multiplier):
            return 1.0 if factor <= 1 else 0.1 * multiplier * math.log(factor) + 1
        usual = magnitude(1)
        if scaling.get("mscale") and scaling.get("mscale_all_dim"):
            usual = magnitude(scaling["mscale"]) / magnitude(scaling["mscale_all_dim"])
        return inv / factor * (1 - keep) + inv * keep, scaling.get("attention_factor", usual)
    if kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        wavelength = 2 * math.pi / inv
        out = np.where(wavelength > original / low, inv / factor, inv)
        smooth = (original / wavelength - low) / (high - low)
        between = (wavelength <= original / low) & (wavelength >= original / high)
        return np.where(between, (1 - smooth) * inv / factor + smooth * inv, out), 1.0
    if kind == "longrope":
        factors = scaling["long_factor"] if length > original else scaling["short_factor"]
        factor = trained / original
        usual = 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original))
        return inv / np.float32(factors).astype(np.float64), scaling.get("attention_factor", usual)
    return inv, 1.0


def rotate(config, x):
    """x [heads, tokens, head_dim]; only the first n_rotated numbers of a head turn."""
    n = int(x.shape[2] * config.get("partial_rotary_factor", 1.0))
    inv, magnitude = rope_frequencies(config, n, x.shape[1])
    angles = np.arange(x.shape[1])[:, None] * inv[None]
    cos, sin = np.cos(angles) * magnitude, np.sin(angles) * magnitude
    out = x.copy()
    if config.get("rope_style") == "interleaved":
        a, b = x[..., 0:n:2], x[..., 1:n:2]
        out[..., 0:n:2], out[..., 1:n:2] = a * cos - b * sin, b * cos + a * sin
    else:
        a, b = x[..., :n // 2], x[..., n // 2:n]
        out[..., :n // 2], out[..., n // 2:n] = a * cos - b * sin, b * cos + a * sin
    return out


def slopes_mpt(heads):
    """build_mpt_alibi_tensor with alibi_bias_max 8"""
    whole = 2 ** math.ceil(math.log2(heads))
    slopes = 1.0 / 2.0 ** (np.arange(1, whole + 1) * 8.0 / whole)
    return slopes if whole == heads else np.concatenate([slopes[1::2], slopes[::2]])[:heads]


def slopes_falcon(heads):
    """build_alibi_tensor, without its rounding to bfloat16"""
    whole = 2 ** math.floor(math.log2(heads))
    base = 2.0 ** -(2.0 ** -(math.log2(whole) - 3))
    slopes = [base ** k for k in range(1, whole + 1)]
    extra = 2.0 ** -(2.0 ** -(math.log2(2 * whole) - 3))
    return np.array(slopes + [extra ** k for k in range(1, 1 + 2 * (heads - whole), 2)])


def attend(config, q, k, v, bias=None):
    """q [heads, tokens, d], k and v [kv heads, tokens, d]; `bias` is added to the scaled scores."""
    heads, n, d = q.shape
    k, v = (np.repeat(x, heads // len(x), axis=0) for x in (k, v))
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(d)
    scores = soft_cap(scores, config.get("attn_softcap", 0))
    if bias is not None:
        scores = scores + bias
    i, j = np.arange(n)[:, None], np.arange(n)[None]
    hidden = (j > i) | (j <= i - (config.get("sliding_window") or n))
    return softmax(np.where(hidden, -np.inf, scores)) @ v


def split(x, heads):
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def join(x):
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


# --- the architectures ----------------------------------------------------------------------------
# Each adds its weights and returns the function from ids to logits.

def sizes(config):
    heads = config["n_heads"]
    return (config["n_vocab"], config["n_embd"], config["n_ff"], heads,
            config.get("n_kv_heads", heads), config.get("head_dim", config["n_embd"] // heads))


def llama_like(config, w):
    vocab, width, wide, heads, kv, d = sizes(config)
    gemma = config["architecture"] == "gemma"
    phi3 = config["architecture"] == "phi3"
    bias, mlp_bias = config.get("attn_bias", False), config.get("mlp_bias", False)
    at_one = 0.0 if gemma else 1.0
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(config["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width, offset=at_one)
        if phi3:
            w.linear(p + "self_attn.qkv_proj", (heads + 2 * kv) * d, width, bias)
        else:
            for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
                w.linear(p + f"self_attn.{part}_proj", out, width, bias)
        w.linear(p + "self_attn.o_proj", width, heads * d, bias)
        w.norm(p + "post_attention_layernorm", width, offset=at_one)
        if phi3:
            w.linear(p + "mlp.gate_up_proj", 2 * wide, width, mlp_bias)
        else:
            w.linear(p + "mlp.gate_proj", wide, width, mlp_bias)
            w.linear(p + "mlp.up_proj", wide, width, mlp_bias)
        w.linear(p + "mlp.down_proj", width, wide, mlp_bias)
    w.norm("model.norm", width, offset=at_one)
    tied = gemma or config.get("tie_word_embeddings", False)
    if not tied:
        w.linear("lm_head", vocab, width)
    eps = config.get("norm_eps", 1e-6 if gemma else 1e-5)
    act = ACTIVATIONS[config.get("activation_fn", "gelu_tanh" if gemma else "silu")]

    def norm(x, name):
        return rms_norm(x, w[name + ".weight"] + (1.0 - at_one), eps)

    def forward(ids):
        x = w["model.embed_tokens.weight"][ids] * (math.sqrt(width) if gemma else 1)
        for i in range(config["n_layers"]):
            p = f"model.layers.{i}."
            n = norm(x, p + "input_layernorm")
            if phi3:
                qkv = w.apply(p + "self_attn.qkv_proj", n)
                q, k, v = np.split(qkv, [heads * d, (heads + kv) * d], axis=1)
            else:
                q, k, v = (w.apply(p + f"self_attn.{part}_proj", n) for part in "qkv")
            q, k, v = split(q, heads), split(k, kv), split(v, kv)
            a = attend(config, rotate(config, q), rotate(config, k), v)
            x = x + w.apply(p + "self_attn.o_proj", join(a))
            n = norm(x, p + "post_attention_layernorm")
            if phi3:
                gate, up = np.split(w.apply(p + "mlp.gate_up_proj", n), 2, axis=1)
            else:
                gate, up = w.apply(p + "mlp.gate_proj", n), w.apply(p + "mlp.up_proj", n)
            x = x + w.apply(p + "mlp.down_proj", act(gate) * up)
        x = norm(x, "model.norm")
        head = w["model.embed_tokens.weight"] if tied else w["lm_head.weight"]
        return soft_cap(x @ head.T, config.get("final_softcap", 0))

    return forward


def phi2(config, w):
    vocab, width, wide, heads, kv, d = sizes(config)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(config["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width, bias=True)
        for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
            w.linear(p + f"self_attn.{part}_proj", out, width, bias=True)
        w.linear(p + "self_attn.dense", width, heads * d, bias=True)
        w.linear(p + "mlp.fc1", wide, width, bias=True)
        w.linear(p + "mlp.fc2", width, wide, bias=True)
    w.norm("model.final_layernorm", width, bias=True)
    w.linear("lm_head", vocab, width, bias=True)

    def norm(x, name):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], 1e-5)

    def forward(ids):
        x = w["model.embed_tokens.weight"][ids]
        for i in range(config["n_layers"]):
            p = f"model.layers.{i}."
            n = norm(x, p + "input_layernorm")
            q = split(w.apply(p + "self_attn.q_proj", n), heads)
            k = split(w.apply(p + "self_attn.k_proj", n), kv)
            v = split(w.apply(p + "self_attn.v_proj", n), kv)
            rotary = {"partial_rotary_factor": 0.4, **config}
            a = w.apply(p + "self_attn.dense",
                        join(attend(config, rotate(rotary, q), rotate(rotary, k), v)))
            m = w.apply(p + "mlp.fc2", ACTIVATIONS["gelu_tanh"](w.apply(p + "mlp.fc1", n)))
            x = x + a + m
        return w.apply("lm_head", norm(x, "model.final_layernorm"))

    return forward


def gpt2(config, w):
    vocab, width, wide, heads, _, d = sizes(config)
    w.add("wte.weight", (vocab, width), 1)
    w.add("wpe.weight", (config["max_seq_len"], width), 0.25)
    for i in range(config["n_layers"]):
        p = f"h.{i}."
        w.norm(p + "ln_1", width, bias=True)
        w.linear(p + "attn.c_attn", 3 * width, width, bias=True, conv1d=True)
        w.linear(p + "attn.c_proj", width, width, bias=True, conv1d=True)
        w.norm(p + "ln_2", width, bias=True)
        w.linear(p + "mlp.c_fc", wide, width, bias=True, conv1d=True)
        w.linear(p + "mlp.c_proj", width, wide, bias=True, conv1d=True)
    w.norm("ln_f", width, bias=True)

    def norm(x, name):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], 1e-5)

    def forward(ids):
        x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
        for i in range(config["n_layers"]):
            p = f"h.{i}."
            qkv = w.apply(p + "attn.c_attn", norm(x, p + "ln_1"), conv1d=True)
            q, k, v = (split(part, heads) for part in np.split(qkv, 3, axis=1))
            x = x + w.apply(p + "attn.c_proj", join(attend(config, q, k, v)), conv1d=True)
            m = ACTIVATIONS["gelu_tanh"](w.apply(p + "mlp.c_fc", norm(x, p + "ln_2"), conv1d=True))
            x = x + w.apply(p + "mlp.c_proj", m, conv1d=True)
        return norm(x, "ln_f") @ w["wte.weight"].T

    return forward


def falcon(config, w, new_decoder=False, multi_query=False, parallel=True):
    vocab, width, wide, heads, kv, d = sizes(config)
    bias = config.get("attn_bias", False)
    alibi = config.get("alibi", False)
    w.add("transformer.word_embeddings.weight", (vocab, width), 1)
    for i in range(config["n_layers"]):
        p = f"transformer.h.{i}."
        if new_decoder:
            w.norm(p + "ln_attn", width, bias=True)
            w.norm(p + "ln_mlp", width, bias=True)
        else:
            w.norm(p + "input_layernorm", width, bias=True)
            if not parallel:
                w.norm(p + "post_attention_layernorm", width, bias=True)
        w.linear(p + "self_attention.query_key_value", (heads + 2 * kv) * d, width, bias)
        w.linear(p + "self_attention.dense", width, heads * d, bias)
        w.linear(p + "mlp.dense_h_to_4h", wide, width, bias)
        w.linear(p + "mlp.dense_4h_to_h", width, wide, bias)
    w.norm("transformer.ln_f", width, bias=True)
    w.linear("lm_head", vocab, width)

    def norm(x, name):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], 1e-5)

    def split_heads(fused):
        """FalconAttention._split_heads: q, k, v as [heads, tokens, d]"""
        n = len(fused)
        if new_decoder:
            x = fused.reshape(n, kv, heads // kv + 2, d)
            parts = x[:, :, :-2].reshape(n, heads, d), x[:, :, -2], x[:, :, -1]
        elif multi_query:
            x = fused.reshape(n, heads + 2, d)
            parts = x[:, :-2], x[:, -2:-1], x[:, -1:]
        else:
            x = fused.reshape(n, heads, 3, d)
            parts = x[:, :, 0], x[:, :, 1], x[:, :, 2]
        return (part.transpose(1, 0, 2) for part in parts)

    def forward(ids):
        x = w["transformer.word_embeddings.weight"][ids]
        distance = np.arange(len(ids))[None] - np.arange(len(ids))[:, None]
        for i in range(config["n_layers"]):
            p = f"transformer.h.{i}."
            n = norm(x, p + ("ln_attn" if new_decoder else "input_layernorm"))
            q, k, v = split_heads(w.apply(p + "self_attention.query_key_value", n))
            if alibi:
                slopes = slopes_falcon(heads)[:, None, None]
                a = attend(config, q, k, v, slopes * distance / math.sqrt(d))
            else:
                a = attend(config, rotate(config, q), rotate(config, k), v)
            a = w.apply(p + "self_attention.dense", join(a))
            if not parallel:
                x = x + a
                n = norm(x, p + "post_attention_layernorm")
            elif new_decoder:
                n = norm(x, p + "ln_mlp")
            m = ACTIVATIONS["gelu"](w.apply(p + "mlp.dense_h_to_4h", n))
            m = w.apply(p + "mlp.dense_4h_to_h", m)
            x = x + a + m if parallel else x + m
        return w.apply("lm_head", norm(x, "transformer.ln_f"))

    return forward


def mpt(config, w, norm_bias=False):
    vocab, width, wide, heads, kv, d = sizes(config)
    learned = config.get("alibi") is False
    w.add("transformer.wte.weight", (vocab, width), 1)
    if learned:
        w.add("transformer.wpe.weight", (config["max_seq_len"], width), 0.25)
    for i in range(config["n_layers"]):
        p = f"transformer.blocks.{i}."
        w.norm(p + "norm_1", width, bias=norm_bias)
        w.linear(p + "attn.Wqkv", (heads + 2 * kv) * d, width)
        w.linear(p + "attn.out_proj", width, heads * d)
        w.norm(p + "norm_2", width, bias=norm_bias)
        w.linear(p + "ffn.up_proj", wide, width)
        w.linear(p + "ffn.down_proj", width, wide)
    w.norm("transformer.norm_f", width, bias=norm_bias)

    def norm(x, name):
        bias = w[name + ".bias"] if name + ".bias" in w else 0.0
        return layer_norm(x, w[name + ".weight"], bias, 1e-5)

    def forward(ids):
        n_ids = len(ids)
        x = w["transformer.wte.weight"][ids]
        if learned:
            x = x + w["transformer.wpe.weight"][:n_ids]
        # The bias is of the key's place alone; softmax does not see the rest.
        bias = None if learned else slopes_mpt(heads)[:, None, None] * np.arange(1 - n_ids, 1)
        for i in range(config["n_layers"]):
            p = f"transformer.blocks.{i}."
            qkv = w.apply(p + "attn.Wqkv", norm(x, p + "norm_1"))
            q, k, v = np.split(qkv, [heads * d, (heads + kv) * d], axis=1)
            a = attend(config, split(q, heads), split(k, kv), split(v, kv), bias)
            x = x + w.apply(p + "attn.out_proj", join(a))
            m = ACTIVATIONS["gelu"](w.apply(p + "ffn.up_proj", norm(x, p + "norm_2")))
            x = x + w.apply(p + "ffn.down_proj", m)
        return norm(x, "transformer.norm_f") @ w["transformer.wte.weight"].T

    return forward


# --- the cases ------------------------------------------------------------------------------------

def config(architecture, **keys):
    return {"architecture": architecture, "n_vocab": 37, "n_embd": 36, "n_layers": 3, "n_heads": 6,
            "n_ff": 53, "max_seq_len": 64, **keys}


LLAMA3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 32}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 40, "beta_fast": 4,
        "beta_slow": 1}
LONG = {"rope_type": "longrope", "original_max_position_embeddings": 16,
        "short_factor": [1.0, 1.125, 1.25, 1.5, 2.0],
        "long_factor": [1.0, 1.75, 3.5, 5.25, 8.0]}

# name: (config, tokens, how the architecture is made)
CASES = {
    "llama": (config("llama", n_kv_heads=2, head_dim=10), 19, llama_like),
    "llama_interleaved_biased": (
        config("llama", n_kv_heads=3, rope_style="interleaved", attn_bias=True, mlp_bias=True,
               tie_word_embeddings=True, rope_freq_base=500.0, norm_eps=1e-3), 17, llama_like),
    "llama_linear": (config("llama", rope_scaling=2.5, n_heads=3), 13, llama_like),
    "llama_dynamic": (
        config("llama", head_dim=8, max_seq_len=10,
               rope_scaling={"rope_type": "dynamic", "factor": 3.0}), 21, llama_like),
    "llama_yarn": (config("llama", head_dim=16, rope_scaling=YARN), 23, llama_like),
    "llama_llama3": (config("llama", head_dim=16, rope_scaling=LLAMA3), 23, llama_like),
    "mistral_window": (config("mistral", n_kv_heads=2, sliding_window=5), 29, llama_like),
    "mistral_ring": (config("mistral", n_kv_heads=3, sliding_window=7), 150, llama_like),
    "gemma": (config("gemma", n_kv_heads=1, head_dim=14, attn_softcap=3.0, final_softcap=5.0), 11,
              llama_like),
    "phi2": (config("phi", head_dim=15), 14, phi2),
    "phi3_short": (config("phi3", n_kv_heads=3, head_dim=10, rope_scaling=LONG), 15, llama_like),
    "phi3_long": (config("phi3", n_kv_heads=3, head_dim=10, rope_scaling=LONG), 20, llama_like),
    "gpt2": (config("gpt2"), 18, gpt2),
    "falcon_40b": (config("falcon", n_kv_heads=2), 12,
                   lambda c, w: falcon(c, w, new_decoder=True)),
    "falcon_7b": (config("falcon", n_kv_heads=1), 12,
                  lambda c, w: falcon(c, w, multi_query=True)),
    "falcon_rw": (config("falcon", alibi=True, is_rope=False, attn_bias=True), 12,
                  lambda c, w: falcon(c, w, parallel=False)),
    "mpt": (config("mpt", n_heads=9), 16, mpt),
    "mpt_learned_gqa": (config("mpt", alibi=False, n_kv_heads=2), 16,
                        lambda c, w: mpt(c, w, norm_bias=True)),
}
# Cases in the types of AMB: name: (case, numbers that share a scale)
WIDE_CASES = {
    "wide": (config("llama", n_embd=96, n_ff=160, n_heads=3, n_kv_heads=1), 9, llama_like),
    "gpt2_wide": (config("gpt2", n_embd=96, n_ff=160, n_heads=3, n_layers=2), 9, gpt2)}
QUANTIZED_CASES = {"llama_quantized": ("llama", 0), "gpt2_quantized": ("gpt2", 0),
                   "wide_quantized": ("wide", 32), "gpt2_wide_quantized": ("gpt2_wide", 32)}
QUANTIZED = ["f16", "bf16", "int8", "int4", "int5", "int4_block", "int5_block", "adaptive"]


def digits(rows):
    return [[float(f"{x:.7g}") for x in row] for row in rows]


def run(name, config, n_ids, make, dtype=None, block=0):
    w = Weights(dtype, block)
    forward = make(config, w)
    ids = [int(h) for h in hashes(name + ".ids", n_ids) % np.uint64(config["n_vocab"])]
    return w, ids, forward(np.array(ids))


def write(name, data):
    text = json.dumps(data, separators=(",", ":")) + "\n"
    (OUT / f"{name}.json").write_text(text)
    print(name, len(text), "bytes")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        # Only the logits of the last positions where there are many.
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))
    for name, (base, block) in QUANTIZED_CASES.items():
        c, n_ids, make = {**CASES, **WIDE_CASES}[base]
        last = {}
        for dtype in QUANTIZED:
            w, ids, logits = run(base, c, n_ids, make, dtype, block)
            last[dtype] = digits(logits[-2:])
        write(name, dict(config=c, tensors=w.tensors, ids=ids, block=block, last_logits=last))


if __name__ == "__main__":
    main()
