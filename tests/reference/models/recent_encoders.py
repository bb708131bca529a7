"""Forward passes of encoder_architectures.py, as in encoder_models.py, and their cases: EuroBERT,
NeoBERT, RoFormer, nomic's encoders with experts and MobileBERT."""
import torch

import encoder_models as models
from encoder_models import ACTIVATIONS, attention, rms_norm, rotate, split

EUROBERT = dict(model_type="eurobert", vocab_size=61, hidden_size=36, num_hidden_layers=2,
                num_attention_heads=6, num_key_value_heads=2, head_dim=6, intermediate_size=44,
                max_position_embeddings=64, rms_norm_eps=1e-5, hidden_act="silu",
                attention_bias=False, mlp_bias=False, rope_theta=250000.0, rope_scaling=None,
                pad_token_id=60)


NEOBERT = dict(model_type="neobert", vocab_size=61, hidden_size=36, num_hidden_layers=2,
               num_attention_heads=3, intermediate_size=70, max_length=64, norm_eps=1e-5,
               pad_token_id=0)

ROFORMER = dict(model_type="roformer", vocab_size=61, hidden_size=36, embedding_size=36,
                num_hidden_layers=2, num_attention_heads=3, intermediate_size=53,
                max_position_embeddings=48, type_vocab_size=2, layer_norm_eps=1e-12,
                hidden_act="gelu", rotary_value=False, pad_token_id=0)

NOMIC_MOE = dict(model_type="nomic_bert", vocab_size=61, n_embd=36, n_layer=2, n_head=3, n_inner=20,
                 n_positions=64, type_vocab_size=1, activation_function="gelu",
                 layer_norm_epsilon=1e-5, rotary_emb_base=10000, rotary_emb_fraction=1.0,
                 rotary_emb_interleaved=False, qkv_proj_bias=True, mlp_fc1_bias=True,
                 mlp_fc2_bias=True, num_experts=5, moe_top_k=2, moe_every_n_layers=2,
                 moe_normalize_expert_weights=False, pad_token_id=1)

MOBILEBERT = dict(model_type="mobilebert", vocab_size=61, hidden_size=36, embedding_size=20,
                  intra_bottleneck_size=24, num_hidden_layers=1, num_attention_heads=3,
                  intermediate_size=20, num_feedforward_networks=3, max_position_embeddings=48,
                  type_vocab_size=2, layer_norm_eps=1e-12, hidden_act="relu", trigram_input=True,
                  use_bottleneck=True, use_bottleneck_attention=False,
                  key_query_shared_bottleneck=True, normalization_type="no_norm",
                  classifier_activation=False, pad_token_id=0)


def gated(c, w, p, x):
    """SwiGLU of Llama's names."""
    width, bias = c["intermediate_size"], c["mlp_bias"]
    gate = ACTIVATIONS[c["hidden_act"]](w.linear(p + "mlp.gate_proj", x, width, bias))
    up = w.linear(p + "mlp.up_proj", x, width, bias)
    return w.linear(p + "mlp.down_proj", gate * up, x.shape[-1], bias)


def eurobert(c, w, ids, types):
    width, heads, shared, dim = (c["hidden_size"], c["num_attention_heads"],
                                 c["num_key_value_heads"], c["head_dim"])
    bias, eps = c["attention_bias"], c["rms_norm_eps"]
    h = w.table("embed_tokens", c["vocab_size"], width)[ids]
    for i in range(c["num_hidden_layers"]):
        p = f"layers.{i}."
        n = rms_norm(w, p + "input_layernorm", h, eps)
        q = w.linear(p + "self_attn.q_proj", n, heads * dim, bias)
        k = w.linear(p + "self_attn.k_proj", n, shared * dim, bias)
        v = w.linear(p + "self_attn.v_proj", n, shared * dim, bias)
        q, k = rotate(q, heads, c["rope_theta"]), rotate(k, shared, c["rope_theta"])
        k, v = (split(x, shared).repeat_interleave(heads // shared, 0).transpose(0, 1).flatten(1)
                for x in (k, v))
        h = h + w.linear(p + "self_attn.o_proj", attention(q, k, v, heads), width, bias)
        h = h + gated(c, w, p, rms_norm(w, p + "post_attention_layernorm", h, eps))
    return rms_norm(w, "norm", h, eps)


def neobert(c, w, ids, types):
    """As its authors' code has it, but for the complex numbers."""
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["norm_eps"]
    wide = int(2 * c["intermediate_size"] / 3)
    wide = 8 * ((wide + 7) // 8)
    h = w.table("encoder", c["vocab_size"], width)[ids]
    for i in range(c["num_hidden_layers"]):
        p = f"transformer_encoder.{i}."
        fused = w.linear(p + "qkv", rms_norm(w, p + "attention_norm", h, eps), 3 * width, False)
        # The query, the key and the value of one head after another.
        q, k, v = (x.flatten(1) for x in fused.view(len(ids), heads, -1).chunk(3, -1))
        q, k = (rotate(x, heads, 10000.0, interleaved=True) for x in (q, k))
        h = h + w.linear(p + "wo", attention(q, k, v, heads), width, False)
        gate, up = w.linear(p + "ffn.w12", rms_norm(w, p + "ffn_norm", h, eps), 2 * wide,
                            False).chunk(2, -1)
        h = h + w.linear(p + "ffn.w3", ACTIVATIONS["silu"](gate) * up, width, False)
    return rms_norm(w, "layer_norm", h, eps)


def roformer(c, w, ids, types):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    h = models.embed(c, w, ids, types, c["embedding_size"], positions=None)
    if c["embedding_size"] != width:
        h = w.linear("embeddings_project", h, width)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        q, k, v = (w.linear(p + "attention.self." + n, h, width) for n in ("query", "key", "value"))
        q, k = (rotate(x, heads, 10000.0, interleaved=True) for x in (q, k))
        a = w.linear(p + "attention.output.dense", attention(q, k, v, heads), width)
        h = w.norm(p + "attention.output.LayerNorm", h + a, eps)
        m = ACTIVATIONS[c["hidden_act"]](w.linear(p + "intermediate.dense", h,
                                                  c["intermediate_size"]))
        h = w.norm(p + "output.LayerNorm", h + w.linear(p + "output.dense", m, width), eps)
    return h


def experts(c, w, p, x, apart):
    """`apart`: each expert has tensors of its own. Otherwise they are as in the authors' file."""
    n, width, wide = c["num_experts"], c["n_embd"], c["n_inner"]
    odds = torch.softmax(w.linear(p + "router.layer", x, n, False), -1)
    best, chosen = odds.topk(c["moe_top_k"], -1)
    if apart:
        first = [w.get(p + f"experts.{i}.fc1.weight", wide, width) for i in range(n)]
        second = [w.get(p + f"experts.{i}.fc2.weight", width, wide).T for i in range(n)]
    else:
        first = w.get(p + "experts.mlp.w1", n * wide, width).view(n, wide, width)
        second = w.get(p + "experts.mlp.w2", n * wide, width).view(n, wide, width)
    act = ACTIVATIONS[c["activation_function"]]
    out = torch.zeros_like(x)
    for token in range(len(x)):
        for weight, i in zip(best[token], chosen[token].tolist()):
            out[token] += weight * (act(x[token] @ first[i].T) @ second[i])
    return out + w.get(p + "experts.bias", width)


def nomic_moe(c, w, ids, types, apart=False):
    width, heads, eps = c["n_embd"], c["n_head"], c["layer_norm_epsilon"]
    bias, mlp_bias = c["qkv_proj_bias"], c["mlp_fc1_bias"]
    h = w.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    if c["type_vocab_size"] > 0:
        h = h + w.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[types]
    h = w.norm("emb_ln", h, eps)
    for i in range(c["n_layer"]):
        p = f"encoder.layers.{i}."
        q, k, v = w.linear(p + "attn.Wqkv", h, 3 * width, bias).chunk(3, -1)
        q, k = (rotate(x, heads, c["rotary_emb_base"]) for x in (q, k))
        h = w.norm(p + "norm1", h + w.linear(p + "attn.out_proj", attention(q, k, v, heads), width,
                                             bias), eps)
        if i % c["moe_every_n_layers"] == 1:
            m = experts(c, w, p + "mlp.", h, apart)
        else:
            m = ACTIVATIONS[c["activation_function"]](w.linear(p + "mlp.fc1", h, c["n_inner"],
                                                               mlp_bias))
            m = w.linear(p + "mlp.fc2", m, width, mlp_bias)
        h = w.norm(p + "norm2", h + m, eps)
    return h


def no_norm(w, name, x):
    return x * w.get(name + ".weight", x.shape[-1]) + w.get(name + ".bias", x.shape[-1])


def mobilebert(c, w, ids, types):
    width, narrow, heads = c["hidden_size"], c["intra_bottleneck_size"], c["num_attention_heads"]
    act = ACTIVATIONS[c["hidden_act"]]

    def both(name, x, n_out, residual=0.0):
        return no_norm(w, name + ".LayerNorm", w.linear(name + ".dense", x, n_out) + residual)

    def feed(p, x):
        m = act(w.linear(p + "intermediate.dense", x, c["intermediate_size"]))
        return both(p + "output", m, narrow, x)

    words = w.table("embeddings.word_embeddings", c["vocab_size"], c["embedding_size"])[ids]
    ends = torch.zeros_like(words[:1])
    trigrams = torch.cat([torch.cat([words[1:], ends]), words, torch.cat([ends, words[:-1]])], -1)
    h = w.linear("embeddings.embedding_transformation", trigrams, width)
    h = h + w.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[
        torch.arange(len(ids))]
    h = h + w.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[types]
    h = no_norm(w, "embeddings.LayerNorm", h)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        shared = both(p + "bottleneck.attention", h, narrow)
        q, k = (w.linear(p + "attention.self." + n, shared, narrow) for n in ("query", "key"))
        v = w.linear(p + "attention.self.value", h, narrow)
        a = attention(q, k, v, heads)
        x = both(p + "attention.output", a, narrow, both(p + "bottleneck.input", h, narrow))
        for j in range(c["num_feedforward_networks"] - 1):
            x = feed(f"{p}ffn.{j}.", x)
        h = both(p + "output.bottleneck", feed(p, x), width, h)
    return h


CASES = {
    "eurobert": (eurobert, EUROBERT),
    "eurobert_biased": (eurobert, dict(
        EUROBERT, num_key_value_heads=6, num_hidden_layers=1, attention_bias=True, mlp_bias=True)),
    "neobert": (neobert, NEOBERT),
    "roformer": (roformer, ROFORMER),
    "roformer_narrow": (roformer, dict(
        ROFORMER, embedding_size=20, num_hidden_layers=1, hidden_act="gelu_new")),
    "nomic_moe": (nomic_moe, NOMIC_MOE),
    "nomic_moe_apart": (lambda *a: nomic_moe(*a, apart=True), dict(
        NOMIC_MOE, n_layer=4, num_experts=3, moe_top_k=3, qkv_proj_bias=False, mlp_fc1_bias=False,
        mlp_fc2_bias=False, type_vocab_size=0)),
    "mobilebert": (mobilebert, MOBILEBERT),
    # States grow from layer to layer, because nothing normalizes them.
    "mobilebert_two_layers": (mobilebert, dict(
        MOBILEBERT, num_feedforward_networks=2, num_hidden_layers=2, hidden_act="gelu",
        embedding_size=13, intra_bottleneck_size=21)),
    "mobilebert_one_feed": (mobilebert, dict(
        MOBILEBERT, num_feedforward_networks=1, embedding_size=40, intra_bottleneck_size=60)),
}


def same(a, b):
    assert torch.allclose(a, b, rtol=0, atol=1e-12), float((a - b).abs().max())


def check_definitions():
    ids = [5, 9, 30, 2, 17, 44, 8, 12, 21]
    # The two ways to store experts are one.
    w = models.Weights()
    want = nomic_moe(NOMIC_MOE, w, ids, [0] * 9)
    apart = models.Weights()
    apart.made = dict(w.made)
    for name, x in w.made.items():
        stem, _, ending = name.rpartition("mlp.w")
        for i, part in enumerate(x.view(5, 20, 36) if ending in ("1", "2") else []):
            apart.made[f"{stem}{i}.fc{ending}.weight"] = part.T if ending == "2" else part
    same(nomic_moe(NOMIC_MOE, apart, ids, [0] * 9, True), want)
    # Heads that share keys and values are heads with equal ones.
    w = models.Weights()
    want = eurobert(EUROBERT, w, ids, None)
    own = models.Weights()
    own.made = dict(w.made)
    for name, x in w.made.items():
        if "k_proj" in name or "v_proj" in name:
            own.made[name] = x.view(2, 6, -1).repeat_interleave(3, 0).reshape(36, -1)
    same(eurobert(dict(EUROBERT, num_key_value_heads=6), own, ids, None), want)
