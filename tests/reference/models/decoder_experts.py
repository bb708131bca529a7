"""Writes tests/fixtures/decoder/*.json of mixtures of experts: logits of models with made-up weights,
computed in float64 with PyTorch as their authors' code in Hugging Face's transformers has it.

    python3 tests/reference/models/decoder_experts.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import (LLAMA_NORMS, attention, linear, logits_of, qkv, rms_norm, rope,
                                   tensor)
from decoder_reference import config, digits, run, sizes, write

from hybrid_decoders import CONV, FULL, add_gated, gated_layer, lfm2


def add_model(c, w, qk_norm):
    vocab, width, wide, heads, kv, d = sizes(c)
    wide = c.get("n_ff_expert", wide)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width)
        for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
            w.linear(p + f"self_attn.{part}_proj", out, width)
        if qk_norm:
            q_width, k_width = (d, d) if qk_norm == "head" else (heads * d, kv * d)
            w.norm(p + "self_attn.q_norm", q_width)
            w.norm(p + "self_attn.k_norm", k_width)
        w.linear(p + "self_attn.o_proj", width, heads * d)
        w.norm(p + "post_attention_layernorm", width)
        w.linear(p + "mlp.gate", c["n_experts"], width)
        for e in range(c["n_experts"]):
            for name in ("gate_proj", "up_proj"):
                w.linear(p + f"mlp.experts.{e}.{name}", wide, width)
            w.linear(p + f"mlp.experts.{e}.down_proj", width, wide)
    w.norm("model.norm", width)
    if not c.get("tie_word_embeddings"):
        w.linear("lm_head", vocab, width)


def softmax_then_top(logits, k, normalize):
    """Mixtral, OLMoE and Qwen3-MoE: the largest of all probabilities, which may be normalized."""
    weights, chosen = torch.topk(torch.softmax(logits, dim=-1), k, dim=-1)
    if normalize:
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights, chosen


def top_then_softmax(logits, k, normalize):
    """Granite: the probabilities among the largest logits."""
    best, chosen = torch.topk(logits, k, dim=-1)
    return torch.softmax(best, dim=-1), chosen


def experts(c, w, p, x, route, normalize):
    weights, chosen = route(linear(w, p + "mlp.gate", x), c["n_experts_used"], normalize)
    out = torch.zeros_like(x)
    for t in range(x.shape[0]):
        for weight, e in zip(weights[t], chosen[t]):
            q = p + f"mlp.experts.{int(e)}."
            wide = F.silu(linear(w, q + "gate_proj", x[t])) * linear(w, q + "up_proj", x[t])
            out[t] += weight * linear(w, q + "down_proj", wide)
    return out


def moe(c, w, route=softmax_then_top, normalize=False, qk_norm=None, eps=1e-5):
    add_model(c, w, qk_norm)
    heads, kv, d = sizes(c)[3:]
    scale, residual = c.get("attn_scale", d ** -0.5), c.get("residual_scale", 1.0)

    def normed(p, part, x, n):
        if not qk_norm:
            return x
        weight = tensor(w, p + f"self_attn.{part}_norm.weight")
        if qk_norm == "head":
            return rms_norm(x, weight, eps)
        flat = rms_norm(x.transpose(0, 1).reshape(x.shape[1], -1), weight, eps)
        return flat.view(x.shape[1], n, -1).transpose(0, 1)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids] * c.get("embed_scale", 1.0)
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, rms_norm(x, tensor(w, p + LLAMA_NORMS[0] + ".weight"), eps))
            q, k = rope(c, normed(p, "q", q, heads)), rope(c, normed(p, "k", k, kv))
            x = x + linear(w, p + "self_attn.o_proj", attention(q, k, v, scale)) * residual
            n = rms_norm(x, tensor(w, p + LLAMA_NORMS[1] + ".weight"), eps)
            x = x + experts(c, w, p, n, route, normalize) * residual
        x = rms_norm(x, tensor(w, "model.norm.weight"), eps)
        return logits_of(c, w, x) * c.get("logit_scale", 1.0)

    return forward


def sigmoid_with_bias(logits, bias, k):
    """LFM2: the bias counts for the choice, and the weights are normalized."""
    scores = torch.sigmoid(logits)
    chosen = torch.topk(scores + bias, k, dim=-1)[1]
    weights = torch.gather(scores, 1, chosen)
    return weights / (weights.sum(dim=-1, keepdim=True) + 1e-6), chosen


def lfm2_moe(c, w):
    def add_mlp(i, p):
        if i < c["n_dense_layers"]:
            return add_gated(c, w, p)
        w.linear(p + "mlp.gate", c["n_experts"], c["n_embd"])
        w.add(p + "mlp.expert_bias", (c["n_experts"],), 0.5)
        for e in range(c["n_experts"]):
            for name in ("gate_proj", "up_proj"):
                w.linear(p + f"mlp.experts.{e}.{name}", c["n_ff_expert"], c["n_embd"])
            w.linear(p + f"mlp.experts.{e}.down_proj", c["n_embd"], c["n_ff_expert"])

    def mlp(i, p, x):
        if i < c["n_dense_layers"]:
            return gated_layer(w, p, x)
        bias = tensor(w, p + "mlp.expert_bias")
        return experts(c, w, p, x, lambda logits, k, _: sigmoid_with_bias(logits, bias, k), True)

    return lfm2(c, w, add_mlp, mlp)


def sparse(architecture, **keys):
    return config(architecture, n_layers=2, n_ff=21, **keys)


CASES = {
    "mixtral": (sparse("mixtral", n_kv_heads=2, n_experts=4, n_experts_used=2), 23,
                lambda c, w: moe(c, w, normalize=True)),
    "granitemoe": (
        sparse("granitemoe", n_kv_heads=3, n_experts=7, n_experts_used=3, embed_scale=3.0,
               attn_scale=0.25, residual_scale=0.5, logit_scale=0.125, tie_word_embeddings=True), 22,
        lambda c, w: moe(c, w, route=top_then_softmax, eps=1e-6)),
    "olmoe": (sparse("olmoe", n_kv_heads=6, n_experts=6, n_experts_used=4), 21,
              lambda c, w: moe(c, w, qk_norm="all")),
    "olmoe_grouped": (sparse("olmoe", n_kv_heads=3, n_experts=6, n_experts_used=4), 21,
                      lambda c, w: moe(c, w, qk_norm="all")),
    "qwen3_moe": (
        sparse("qwen3_moe", n_kv_heads=2, head_dim=10, n_experts=9, n_experts_used=2, n_ff_expert=13,
               norm_topk_prob=True, rope_freq_base=1e6, max_seq_len=128), 90,
        lambda c, w: moe(c, w, normalize=True, qk_norm="head", eps=1e-6)),
    "lfm2_moe": (
        config("lfm2_moe", n_layers=4, n_kv_heads=2, rope_freq_base=1e6, conv_taps=3,
               max_seq_len=128, layer_types=[CONV, CONV, FULL, CONV], n_dense_layers=1,
               n_experts=5, n_experts_used=2, n_ff_expert=13, n_ff=40,
               tie_word_embeddings=True), 90, lfm2_moe),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
