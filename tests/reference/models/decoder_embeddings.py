"""Writes tests/fixtures/embeddings/*.json: embeddings of texts by decoder language models with made-up
weights, computed in float64 with PyTorch as sentence-transformers and Hugging Face's transformers do.

    python3 tests/reference/models/decoder_embeddings.py      (Debian: python3-torch, python3-numpy)

Weights and files are those of decoder_reference.py. Each case has texts of several lengths as token
ids, and for each of them the pooled vector after the dense layers, scaled to length 1.
"""
import json
import math
import pathlib

import torch
import torch.nn.functional as F

from decoder_architectures import (ACTIVATIONS, LLAMA_NORMS, add_llama, attention, gated, heads_of,
                                   linear, qkv, qwen3_states, rms_norm, rope, sizes, tensor)
from decoder_reference import Weights, config, digits

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "embeddings"


def attend_both_ways(q, k, v, scale, window=None):
    """Every token sees every other one, or those that are at most window // 2 positions away: transformers
    makes window // 2 + 1 of the window of such a config, and a token sees what is nearer than that."""
    groups = q.shape[0] // k.shape[0]
    k, v = k.repeat_interleave(groups, 0), v.repeat_interleave(groups, 0)
    scores = q @ k.transpose(1, 2) * scale
    if window:
        i = torch.arange(q.shape[1])
        far = (i[:, None] - i[None]).abs() >= window // 2 + 1
        scores = scores.masked_fill(far, float("-inf"))
    return (torch.softmax(scores, dim=-1) @ v).transpose(0, 1).reshape(q.shape[1], -1)


def mistral(c, w):
    add_llama(c, w, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-5))
            x = x + linear(w, p + "self_attn.o_proj",
                           attention(rope(c, q), rope(c, k), v, d ** -0.5, c["sliding_window"]))
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-5)
            x = x + gated(w, p, n, F.silu)
        return rms_norm(x, tensor(w, "model.norm.weight"), 1e-5)

    return forward


def qwen2(c, w):
    """The tokens see those after them (is_causal false, as in gte-Qwen2)."""
    add_llama(c, w, qkv_bias=True, norms=LLAMA_NORMS)
    d = sizes(c)[5]

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            x = x + linear(w, p + "self_attn.o_proj",
                           attend_both_ways(rope(c, q), rope(c, k), v, d ** -0.5))
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu)
        return rms_norm(x, tensor(w, "model.norm.weight"), 1e-6)

    return forward


def gemma2(c, w):
    """Causal, with soft caps of scores and a window in every other layer, as in bge-multilingual-gemma2."""
    add_llama(c, w, norm_offset=0.0,
              norms=("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                     "post_feedforward_layernorm"))

    def norm(x, name):
        return rms_norm(x, 1.0 + tensor(w, name + ".weight"), 1e-6)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * math.sqrt(c["n_embd"])
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, norm(x, p + "input_layernorm"))
            a = attention(rope(c, q), rope(c, k), v, c["attn_scale"],
                          c["sliding_window"] if i % 2 == 0 else None, c["attn_softcap"])
            x = x + norm(linear(w, p + "self_attn.o_proj", a), p + "post_attention_layernorm")
            m = gated(w, p, norm(x, p + "pre_feedforward_layernorm"), ACTIVATIONS["gelu_tanh"])
            x = x + norm(m, p + "post_feedforward_layernorm")
        return norm(x, "model.norm")

    return forward


def gemma3(c, w):
    add_llama(c, w, qk_norm="head", norm_offset=0.0,
              norms=("input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm",
                     "post_feedforward_layernorm"))

    def norm(x, name):
        return rms_norm(x, 1.0 + tensor(w, name + ".weight"), 1e-6)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * math.sqrt(c["n_embd"])
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            local = (i + 1) % 6 != 0
            q, k, v = qkv(c, w, p, norm(x, p + "input_layernorm"))
            q, k = norm(q, p + "self_attn.q_norm"), norm(k, p + "self_attn.k_norm")
            base = 10000.0 if local else None
            a = attend_both_ways(rope(c, q, base), rope(c, k, base), v, c["attn_scale"],
                                 c["sliding_window"] if local else None)
            a = linear(w, p + "self_attn.o_proj", a)
            x = x + norm(a, p + "post_attention_layernorm")
            m = gated(w, p, norm(x, p + "pre_feedforward_layernorm"), ACTIVATIONS["gelu_tanh"])
            x = x + norm(m, p + "post_feedforward_layernorm")
        return norm(x, "model.norm")

    return forward


DENSE_ACTIVATIONS = {"identity": lambda x: x, "tanh": torch.tanh, "gelu": F.gelu}


def embed(c, w, hidden):
    """What sentence-transformers' Pooling, Dense and Normalize make of the hidden states."""
    how = c["embedding"]
    x = hidden[-1] if how["pooling"] == "lasttoken" else hidden.mean(0)
    for i, layer in enumerate(how.get("dense", [])):
        x = DENSE_ACTIVATIONS[layer["activation"]](linear(w, f"dense.{i}", x))
    return F.normalize(x, dim=-1).tolist()


def dense(in_features, out_features, activation="identity", bias=False):
    return {"in_features": in_features, "out_features": out_features, "bias": bias,
            "activation": activation}


def embedding(pooling, dense_layers=()):
    stated = {"pooling": pooling, "normalize": True}
    return {**stated, "dense": list(dense_layers)} if dense_layers else stated


# Lengths below, at and beyond the windows and the blocks of 64 tokens.
CASES = {
    "qwen3_last": (
        config("qwen3", n_kv_heads=2, head_dim=10, rope_freq_base=1e6, max_seq_len=160,
               tie_word_embeddings=True, embedding=embedding("lasttoken")), (1, 2, 21, 64, 131), qwen3_states),
    "mistral_last": (
        config("mistral", n_kv_heads=3, sliding_window=7, max_seq_len=160,
               embedding=embedding("lasttoken")), (1, 7, 8, 65, 140), mistral),
    "qwen2_both_ways": (
        config("qwen2", n_kv_heads=2, rope_freq_base=1e6, max_seq_len=160,
               bidirectional_attention=True, embedding=embedding("lasttoken")),
        (1, 2, 21, 64, 65, 131), qwen2),
    "gemma2_last": (
        config("gemma2", n_layers=3, n_kv_heads=2, head_dim=14, sliding_window=9,
               attn_scale=18 ** -0.5, attn_softcap=3.0, max_seq_len=160, tie_word_embeddings=True,
               embedding=embedding("lasttoken")),
        (1, 8, 9, 10, 64, 143), gemma2),
    "gemma3_mean": (
        config("gemma3", n_layers=7, n_kv_heads=1, head_dim=14, sliding_window=9,
               attn_scale=14 ** -0.5, rope_freq_base=1e6, max_seq_len=160, tie_word_embeddings=True,
               bidirectional_attention=True,
               embedding=embedding("mean", [dense(36, 53), dense(53, 29)])),
        (1, 4, 5, 6, 64, 65, 143), gemma3),
    "gemma3_even": (
        config("gemma3", n_layers=3, n_kv_heads=2, head_dim=14, sliding_window=140,
               attn_scale=14 ** -0.5, rope_freq_base=1e6, max_seq_len=320, tie_word_embeddings=True,
               bidirectional_attention=True,
               embedding=embedding("mean", [dense(36, 31, "tanh", True), dense(31, 36, "gelu")])),
        (70, 71, 72, 200), gemma3),
}


def main():
    torch.set_default_dtype(torch.float64)
    OUT.mkdir(exist_ok=True)
    for name, (c, lengths, make) in CASES.items():
        w = Weights()
        forward = make(c, w)
        for i, layer in enumerate(c["embedding"].get("dense", [])):
            w.linear(f"dense.{i}", layer["out_features"], layer["in_features"], layer["bias"])
        texts = [[(7 * i * i + 3 * i + 5 * n) % c["n_vocab"] for i in range(n)] for n in lengths]
        vectors = [embed(c, w, forward(ids)) for ids in texts]
        data = dict(config=c, tensors=w.tensors, texts=texts, vectors=digits(vectors))
        (OUT / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
