"""Writes tests/fixtures/decoder/*.json of mixtures of experts beside a part that all tokens take: logits of models
with made-up weights, computed in float64 with PyTorch as their authors' code in Hugging Face's transformers has it
(models/qwen2_moe, qwen3_5_moe, granitemoehybrid, gemma4).

    python3 tests/reference/models/shared_experts.py      (Debian: python3-torch, python3-numpy)

Weights, cases and files are those of decoder_reference.py.
"""
import torch
import torch.nn.functional as F

from decoder_architectures import attention, gated, linear, logits_of, qkv, rms_norm, rope, tensor
from decoder_experts import experts, softmax_then_top, sparse, top_then_softmax
from decoder_gemmas import gelu, gemma4, kinds, norm
from decoder_reference import config, digits, run, sizes, write
from gated_delta import FULL, LINEAR, qwen3_5
from state_space_architectures import GRANITE, granite_hybrid


def add_gated(w, p, wide, width):
    for name in ("gate_proj", "up_proj"):
        w.linear(p + name, wide, width)
    w.linear(p + "down_proj", width, wide)


def add_experts(c, w, p):
    w.linear(p + "mlp.gate", c["n_experts"], c["n_embd"])
    for e in range(c["n_experts"]):
        add_gated(w, p + f"mlp.experts.{e}.", c["n_ff_expert"], c["n_embd"])


def add_shared_expert(c, w, p):
    """Qwen: the part that all tokens take, and its gate."""
    add_experts(c, w, p)
    add_gated(w, p + "mlp.shared_expert.", c["n_ff"], c["n_embd"])
    w.norm(p + "mlp.shared_expert_gate", c["n_embd"], offset=0.0)


def shared_expert(c, w, p, x, normalize):
    q = p + "mlp.shared_expert."
    wide = F.silu(linear(w, q + "gate_proj", x)) * linear(w, q + "up_proj", x)
    share = torch.sigmoid(x @ tensor(w, p + "mlp.shared_expert_gate.weight"))[:, None]
    return experts(c, w, p, x, softmax_then_top, normalize) + share * linear(w, q + "down_proj", wide)


def qwen2_moe(c, w):
    vocab, width, _, heads, kv, d = sizes(c)
    w.add("model.embed_tokens.weight", (vocab, width), 1)
    for i in range(c["n_layers"]):
        p = f"model.layers.{i}."
        w.norm(p + "input_layernorm", width)
        for part, out in [("q", heads * d), ("k", kv * d), ("v", kv * d)]:
            w.linear(p + f"self_attn.{part}_proj", out, width, True)
        w.linear(p + "self_attn.o_proj", width, heads * d)
        w.norm(p + "post_attention_layernorm", width)
        add_shared_expert(c, w, p)
    w.norm("model.norm", width)
    w.linear("lm_head", vocab, width)

    def forward(ids):
        x = tensor(w, "model.embed_tokens.weight")[ids]
        for i in range(c["n_layers"]):
            p = f"model.layers.{i}."
            q, k, v = qkv(c, w, p, norm(w, p + "input_layernorm", x))
            a = attention(rope(c, q), rope(c, k), v, d ** -0.5)
            x = x + linear(w, p + "self_attn.o_proj", a)
            x = x + shared_expert(c, w, p, norm(w, p + "post_attention_layernorm", x), False)
        return logits_of(c, w, norm(w, "model.norm", x))

    return forward


def qwen3_5_moe(c, w):
    return qwen3_5(c, w, lambda p: add_shared_expert(c, w, p), lambda p, x: shared_expert(c, w, p, x, True))


def granite_hybrid_moe(c, w):
    def add_mlp(p):
        add_experts(c, w, p)
        add_gated(w, p + "mlp.", c["n_ff"], c["n_embd"])

    def mlp(p, x):
        return experts(c, w, p, x, top_then_softmax, True) + gated(w, p, x, F.silu)

    return granite_hybrid(c, w, add_mlp, mlp)


def gemma4_moe(c, w):
    """Router and experts read what the ordinary part reads, each with a norm of its own."""
    width, n = c["n_embd"], c["n_experts"]

    def add_mlp(p):
        add_experts(c, w, p)
        w.add(p + "router.scale", (width,), 2.0, 6.0)
        w.add(p + "router.per_expert_scale", (n,), 0.5, 1.0)
        for name in ("post_feedforward_layernorm_1", "pre_feedforward_layernorm_2", "post_feedforward_layernorm_2"):
            w.norm(p + name, width)

    def mixture(p, x):
        read = rms_norm(x, 1.0, 1e-6) * tensor(w, p + "router.scale") * width ** -0.5
        weights, chosen = softmax_then_top(linear(w, p + "mlp.gate", read), c["n_experts_used"], True)
        weights = weights * tensor(w, p + "router.per_expert_scale")[chosen]
        y = norm(w, p + "pre_feedforward_layernorm_2", x)
        out = torch.zeros_like(x)
        for t in range(len(x)):
            for weight, e in zip(weights[t], chosen[t]):
                q = p + f"mlp.experts.{int(e)}."
                wide = gelu(linear(w, q + "gate_proj", y[t])) * linear(w, q + "up_proj", y[t])
                out[t] += weight * linear(w, q + "down_proj", wide)
        return norm(w, p + "post_feedforward_layernorm_2", out)

    def mlp(p, x):
        dense = gated(w, p, norm(w, p + "pre_feedforward_layernorm", x), gelu)
        return norm(w, p + "post_feedforward_layernorm_1", dense) + mixture(p, x)

    return gemma4(c, w, add_mlp, mlp)


CASES = {
    "qwen2_moe": (
        sparse("qwen2_moe", n_kv_heads=2, n_experts=7, n_experts_used=3, n_ff_expert=13, rope_freq_base=1e6,
               norm_eps=1e-6), 23, qwen2_moe),
    "qwen3_5_moe": (
        config("qwen3_5_moe", n_layers=3, n_kv_heads=2, head_dim=16, rope_freq_base=1e7, n_ff=21,
               partial_rotary_factor=0.25, max_seq_len=128, layer_types=[LINEAR, FULL, LINEAR],
               linear_num_key_heads=3, linear_num_value_heads=6, linear_key_head_dim=7, linear_value_head_dim=7,
               linear_conv_kernel_dim=4, n_experts=5, n_experts_used=2, n_ff_expert=13), 90, qwen3_5_moe),
    "granite_hybrid_moe": (
        config("granitemoehybrid", is_rope=False, **GRANITE, n_ff=21, n_experts=6, n_experts_used=3,
               n_ff_expert=13), 90, granite_hybrid_moe),
    "gemma4_moe": (
        config("gemma4", n_layers=4, n_kv_heads=3, head_dim=10, global_head_dim=14, global_kv_heads=2,
               global_rotary_factor=0.5, key_is_value=True, rope_freq_base=1e6, sliding_window=5, n_ff=21,
               layer_types=kinds("sfsf"), final_softcap=4.0, max_seq_len=128, tie_word_embeddings=True,
               n_experts=6, n_experts_used=3, n_ff_expert=13), 90, gemma4_moe),
}


def main():
    torch.set_default_dtype(torch.float64)
    for name, (c, n_ids, make) in CASES.items():
        w, ids, logits = run(name, c, n_ids, make)
        write(name, dict(config=c, tensors=w.tensors, ids=ids, logits=digits(logits[-30:])))


if __name__ == "__main__":
    main()
