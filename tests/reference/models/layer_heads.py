"""Writes tests/fixtures/decoder/minicpm_layers.json: the scores that a MiniCPM with made-up weights gives to a text
after several of its layers, computed in float64 with PyTorch as the authors of bge-reranker-v2-minicpm-layerwise do:
the norm after the last layer, and then a matrix of one row for each number of layers.

    python3 tests/reference/models/layer_heads.py      (Debian: python3-torch, python3-numpy)

Weights and files are those of decoder_reference.py. `logits` has a row for each number of layers from `first_layer` on,
with the score at every position.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import (LLAMA_NORMS, add_llama, attention, gated, linear, qkv, rms_norm, rope,
                                   sizes, tensor)
from decoder_reference import config, digits, run, write

FIRST = 2
CONFIG = config("minicpm", n_layers=5, n_kv_heads=3, embed_scale=12.0, residual_scale=1.4 / 5 ** 0.5,
                logit_scale=0.25, tie_word_embeddings=False,
                reranker={"first_layer": FIRST, "prompt": ["{query}", "{document}"],
                          "activation": "identity"})


def layerwise(c, w):
    add_llama({**c, "tie_word_embeddings": True}, w, norms=LLAMA_NORMS)
    _, width, _, _, _, d = sizes(c)
    for i in range(c["n_layers"] - FIRST + 1):
        w.linear(f"lm_head.{i}.linear_head", 1, width)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c["embed_scale"]
        scores = []
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + "input_layernorm.weight"), 1e-6))
            a = linear(w, p + "self_attn.o_proj", attention(rope(c, q), rope(c, k), v, d ** -0.5))
            x = x + a * c["residual_scale"]
            n = rms_norm(x, tensor(w, p + "post_attention_layernorm.weight"), 1e-6)
            x = x + gated(w, p, n, F.silu) * c["residual_scale"]
            if i + 1 >= FIRST:
                last = rms_norm(x, tensor(w, "model.norm.weight"), 1e-6)
                scores.append(linear(w, f"lm_head.{i + 1 - FIRST}.linear_head", last)[:, 0].tolist())
        return scores

    return forward


def main():
    torch.set_default_dtype(torch.float64)
    w, ids, scores = run("minicpm_layers", CONFIG, 20, layerwise)
    write("minicpm_layers", dict(config=CONFIG, tensors=w.tensors, ids=ids, logits=digits(scores)))


if __name__ == "__main__":
    main()
