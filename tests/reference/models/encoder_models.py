"""The forward passes of encoder_architectures.py: hidden states of one text, [tokens, width], in
float64. Each architecture is written out from its authors' code: the model's own repository or
Hugging Face's transformers. `c` is a config.json. Weights get their shapes where they are used.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F

from bert_reference import uniform

TABLES = ("embeddings", "embed_tokens", "shared", "relative_attention_bias")


class Weights:
    """Makes each tensor at its first use; `shapes` lists all of them."""

    def __init__(self, dtype=torch.float64):
        self.made = {}
        self.shapes = {}
        self.dtype = dtype

    def get(self, name, *shape):
        if name not in self.made:
            self.shapes[name] = list(shape)
            self.made[name] = torch.from_numpy(values(name, shape)).to(self.dtype)
        assert self.made[name].shape == shape, (name, shape)
        return self.made[name]

    def table(self, name, rows, width):
        return self.get(name + ".weight", rows, width)

    def linear(self, name, x, n_out, bias=True):
        out = x @ self.get(name + ".weight", n_out, x.shape[-1]).T
        return out + self.get(name + ".bias", n_out) if bias else out

    def norm(self, name, x, eps, bias=True):
        n = x.shape[-1]
        weight = self.get(name + ".weight", n)
        return F.layer_norm(x, (n,), weight, self.get(name + ".bias", n) if bias else None, eps)


def values(name, shape):
    """bert_reference.py's u for name and place, by the kind of the tensor:

    vectors     1 + 0.25 u if the name ends in `.weight`, else 0.25 u
    adapters    0.5 u (three dimensions)
    tables      u, where the name without `.weight` and `.parametrizations.weight.original` ends in
                one of TABLES
    matrices    u * f32(2 / sqrt(columns))
    """
    u = uniform(name, math.prod(shape))
    stem = name.removesuffix(".weight").removesuffix(".parametrizations.weight.original")
    if len(shape) == 1:
        u = np.float32(0.25) * u
        u = np.float32(1) + u if name.endswith(".weight") else u
    elif len(shape) == 3:
        u = np.float32(0.5) * u
    elif not stem.endswith(TABLES):
        u = u * np.float32(2 / math.sqrt(shape[1]))
    return u.astype(np.float64).reshape(shape)


ACTIVATIONS = {
    "gelu": F.gelu, "relu": F.relu, "silu": F.silu, "swish": F.silu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
}


def split(x, heads):
    return x.view(x.shape[0], heads, -1).transpose(0, 1)


def attention(q, k, v, heads, scale=None, bias=0.0):
    """q, k and v [tokens, heads * d]; `bias` is added to the scaled scores [heads, tokens, tokens]."""
    q, k, v = split(q, heads), split(k, heads), split(v, heads)
    scores = q @ k.transpose(1, 2) * (q.shape[-1] ** -0.5 if scale is None else scale) + bias
    return (torch.softmax(scores, dim=-1) @ v).transpose(0, 1).reshape(q.shape[1], -1)


def distances(n):
    """Key position - query position."""
    at = torch.arange(n)
    return at[None, :] - at[:, None]


# --- BERT and what keeps its layers -----------------------------------------------------------

def bert_positions(c, ids):
    return torch.arange(len(ids))


def roberta_positions(c, ids):
    """Padding has the position of its own id; the others count from there."""
    real = (torch.tensor(ids) != c["pad_token_id"]).long()
    return torch.cumsum(real, 0) * real + c["pad_token_id"]


def embed(c, w, ids, types, width, p="", positions=bert_positions):
    h = w.table(p + "embeddings.word_embeddings", c["vocab_size"], width)[ids]
    if c.get("type_vocab_size", 0) > 0:
        h = h + w.table(p + "embeddings.token_type_embeddings", c["type_vocab_size"], width)[types]
    if positions:
        table = w.table(p + "embeddings.position_embeddings", c["max_position_embeddings"], width)
        h = h + table[positions(c, ids)]
    return w.norm(p + "embeddings.LayerNorm", h, c["layer_norm_eps"])


def post_norm_layer(c, w, h, names, bias=0.0):
    """`names` are those of query, key, value, output, norm, wide, narrow and norm."""
    q, k, v, out, norm, wide, narrow, norm2 = names
    width, eps = h.shape[-1], c["layer_norm_eps"]
    a = attention(*(w.linear(name, h, width) for name in (q, k, v)), c["num_attention_heads"],
                  bias=bias)
    h = w.norm(norm, h + w.linear(out, a, width), eps)
    m = ACTIVATIONS[c["hidden_act"]](w.linear(wide, h, c["intermediate_size"]))
    return w.norm(norm2, h + w.linear(narrow, m, width), eps)


def bert_names(p):
    a = p + "attention."
    return (a + "self.query", a + "self.key", a + "self.value", a + "output.dense",
            a + "output.LayerNorm", p + "intermediate.dense", p + "output.dense",
            p + "output.LayerNorm")


def bert_layers(c, w, h, p):
    for i in range(c["num_hidden_layers"]):
        h = post_norm_layer(c, w, h, bert_names(f"{p}encoder.layer.{i}."))
    return h


def bert(c, w, ids, types):
    return bert_layers(c, w, embed(c, w, ids, types, c["hidden_size"]), "")


def roberta(c, w, ids, types, p=""):
    h = embed(c, w, ids, types, c["hidden_size"], p, roberta_positions)
    return bert_layers(c, w, h, p)


def electra(c, w, ids, types):
    h = embed(c, w, ids, types, c["embedding_size"])
    if c["embedding_size"] != c["hidden_size"]:
        h = w.linear("embeddings_project", h, c["hidden_size"])
    return bert_layers(c, w, h, "")


def distilbert(c, w, ids, types):
    facts = dict(c, layer_norm_eps=1e-12, num_attention_heads=c["n_heads"],
                 hidden_act=c["activation"], intermediate_size=c["hidden_dim"])
    h = embed(facts, w, ids, types, c["dim"])
    for i in range(c["n_layers"]):
        p = f"transformer.layer.{i}."
        names = ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
                 "sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm")
        h = post_norm_layer(facts, w, h, [p + name for name in names])
    return h


def albert(c, w, ids, types):
    h = embed(c, w, ids, types, c["embedding_size"])
    h = w.linear("encoder.embedding_hidden_mapping_in", h, c["hidden_size"])
    for i in range(c["num_hidden_layers"]):
        group = i * c["num_hidden_groups"] // c["num_hidden_layers"]
        for inner in range(c["inner_group_num"]):
            p = f"encoder.albert_layer_groups.{group}.albert_layers.{inner}."
            names = ("attention.query", "attention.key", "attention.value", "attention.dense",
                     "attention.LayerNorm", "ffn", "ffn_output", "full_layer_layer_norm")
            h = post_norm_layer(c, w, h, [p + name for name in names])
    return h


# --- relative biases ----------------------------------------------------------------------------

def t5_buckets(distance, n_buckets, max_distance):
    """Buckets of both directions, in float32 as in the models' code."""
    half = n_buckets // 2
    exact = half // 2
    far = distance.abs()
    large = torch.log(far.clamp(min=1).float() / exact) / math.log(max_distance / exact)
    large = (exact + (large * (half - exact)).long()).clamp(max=half - 1)
    return (distance > 0) * half + torch.where(far < exact, far, large)


def bucket_bias(w, name, n, heads, n_buckets, max_distance):
    table = w.table(name, n_buckets, heads)
    return table[t5_buckets(distances(n), n_buckets, max_distance)].permute(2, 0, 1)


def mpnet(c, w, ids, types):
    h = embed(c, w, ids, types, c["hidden_size"], positions=roberta_positions)
    bias = bucket_bias(w, "encoder.relative_attention_bias", len(ids), c["num_attention_heads"],
                       c["relative_attention_num_buckets"], 128)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        names = ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
                 "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")
        h = post_norm_layer(c, w, h, [p + name for name in names], bias)
    return h


def rms_norm(w, name, x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w.get(name + ".weight", x.shape[-1])


def t5(c, w, ids, types):
    heads, inner = c["num_heads"], c["num_heads"] * c["d_kv"]
    eps, gated = c["layer_norm_epsilon"], c["feed_forward_proj"].startswith("gated-")
    names = {"relu": "relu", "gated-gelu": "gelu_new", "gated-silu": "silu"}
    act = ACTIVATIONS[names[c["feed_forward_proj"]]]
    h = w.table("shared", c["vocab_size"], c["d_model"])[ids]
    for i in range(c["num_layers"]):
        p = f"encoder.block.{i}.layer."
        n = rms_norm(w, p + "0.layer_norm", h, eps)
        q, k, v = (w.linear(p + "0.SelfAttention." + name, n, inner, False) for name in "qkv")
        bias = bucket_bias(w, "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
                           len(ids), heads, c["relative_attention_num_buckets"],
                           c["relative_attention_max_distance"])
        a = attention(q, k, v, heads, 1.0, bias)
        h = h + w.linear(p + "0.SelfAttention.o", a, c["d_model"], False)
        n = rms_norm(w, p + "1.layer_norm", h, eps)
        m = act(w.linear(p + "1.DenseReluDense." + ("wi_0" if gated else "wi"), n, c["d_ff"], False))
        if gated:
            m = m * w.linear(p + "1.DenseReluDense.wi_1", n, c["d_ff"], False)
        h = h + w.linear(p + "1.DenseReluDense.wo", m, c["d_model"], False)
    return rms_norm(w, "encoder.final_layer_norm", h, eps)


def alibi_slopes(n):
    whole = 2 ** math.floor(math.log2(n))
    first = [2.0 ** (-8 * (i + 1) / whole) for i in range(whole)]
    return first + [2.0 ** (-4 * (2 * i + 1) / whole) for i in range(n - whole)]


def jina_v2(c, w, ids, types, slopes=None):
    """Both of the authors' repositories: the second one has norms of queries and keys."""
    heads, width, eps = c["num_attention_heads"], c["hidden_size"], c["layer_norm_eps"]
    slopes = torch.tensor(alibi_slopes(heads) if slopes is None else slopes)
    bias = -slopes[:, None, None] * distances(len(ids)).abs()
    code = "qk-post-norm" in c["auto_map"]["AutoModel"]
    act = {"geglu": F.gelu, "reglu": F.relu}[c["feed_forward_type"]]
    h = embed(c, w, ids, types, width, positions=None)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        q, k, v = (w.linear(p + f"attention.self.{n}", h, width) for n in ("query", "key", "value"))
        if code:
            q = w.norm(p + "attention.self.layer_norm_q", q, eps)
            k = w.norm(p + "attention.self.layer_norm_k", k, eps)
        a = w.linear(p + "attention.output.dense", attention(q, k, v, heads, bias=bias), width)
        a = w.norm(p + "attention.output.LayerNorm", a + h, eps)
        if code:
            h = w.norm(p + "layer_norm_1", h + a, eps)
            wide = w.linear(p + "mlp.up_gated_layer", h, 2 * c["intermediate_size"], False)
            up, gate = wide.chunk(2, -1)
            m = w.linear(p + "mlp.down_layer", up * act(gate), width)
            h = w.norm(p + "layer_norm_2", h + m, eps)
        else:
            wide = w.linear(p + "mlp.gated_layers", a, 2 * c["intermediate_size"], False)
            gate, up = wide.chunk(2, -1)
            m = w.linear(p + "mlp.wo", act(gate) * up, width)
            h = w.norm(p + "mlp.layernorm", a + m, eps)
    return h


# --- rotary positions ---------------------------------------------------------------------------

def rotate(x, heads, base, interleaved=False, ntk=1.0):
    x = split(x, heads)
    d = x.shape[-1]
    frequencies = (base * ntk) ** (-torch.arange(0, d, 2, dtype=torch.float64) / d) / ntk ** (2 / d)
    angles = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), frequencies).to(x.dtype)
    if interleaved:
        a, b = x[..., ::2], x[..., 1::2]
        turned = (a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin())
        x = torch.stack(turned, -1).flatten(-2)
    else:
        a, b = x.chunk(2, -1)
        x = torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)
    return x.transpose(0, 1).reshape(x.shape[1], -1)


def nomic_bert(c, w, ids, types):
    width, heads, eps = c["n_embd"], c["n_head"], c["layer_norm_epsilon"]
    h = w.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    h = h + w.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[types]
    h = w.norm("emb_ln", h, eps)
    for i in range(c["n_layer"]):
        p = f"encoder.layers.{i}."
        q, k, v = w.linear(p + "attn.Wqkv", h, 3 * width, c["qkv_proj_bias"]).chunk(3, -1)
        q, k = (rotate(x, heads, c["rotary_emb_base"], c["rotary_emb_interleaved"]) for x in (q, k))
        a = w.linear(p + "attn.out_proj", attention(q, k, v, heads), width, c["qkv_proj_bias"])
        h = w.norm(p + "norm1", h + a, eps)
        m = w.linear(p + "mlp.fc11", h, c["n_inner"], c["mlp_fc1_bias"])
        m = m * F.silu(w.linear(p + "mlp.fc12", h, c["n_inner"], c["mlp_fc1_bias"]))
        h = w.norm(p + "norm2", h + w.linear(p + "mlp.fc2", m, width, c["mlp_fc2_bias"]), eps)
    return h


def gte_new(c, w, ids, types):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    ntk = (c.get("rope_scaling") or {"factor": 1.0})["factor"]
    h = embed(c, w, ids, types, width, positions=None)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        q, k, v = w.linear(p + "attention.qkv_proj", h, 3 * width).chunk(3, -1)
        q, k = (rotate(x, heads, c["rope_theta"], ntk=ntk) for x in (q, k))
        a = w.linear(p + "attention.o_proj", attention(q, k, v, heads), width)
        h = w.norm(p + "attn_ln", h + a, eps)
        up, gate = w.linear(p + "mlp.up_gate_proj", h, 2 * c["intermediate_size"], False).chunk(2, -1)
        m = w.linear(p + "mlp.down_proj", up * ACTIVATIONS[c["hidden_act"]](gate), width)
        h = w.norm(p + "mlp_ln", h + m, eps)
    return h


def modernbert(c, w, ids, types):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["norm_eps"]
    bias = c["attention_bias"]
    act = ACTIVATIONS[c["hidden_activation"]]
    far = distances(len(ids)).abs() > c["local_attention"] // 2
    h = w.table("embeddings.tok_embeddings", c["vocab_size"], width)[ids]
    h = w.norm("embeddings.norm", h, eps, c["norm_bias"])
    for i in range(c["num_hidden_layers"]):
        p = f"layers.{i}."
        local = i % c["global_attn_every_n_layers"] != 0
        n = h if i == 0 else w.norm(p + "attn_norm", h, eps, c["norm_bias"])
        q, k, v = w.linear(p + "attn.Wqkv", n, 3 * width, bias).chunk(3, -1)
        base = c["local_rope_theta" if local else "global_rope_theta"]
        q, k = rotate(q, heads, base), rotate(k, heads, base)
        mask = torch.zeros(far.shape).masked_fill(far, -math.inf) if local else 0.0
        h = h + w.linear(p + "attn.Wo", attention(q, k, v, heads, bias=mask), width, bias)
        n = w.norm(p + "mlp_norm", h, eps, c["norm_bias"])
        x, gate = w.linear(p + "mlp.Wi", n, 2 * c["intermediate_size"], c["mlp_bias"]).chunk(2, -1)
        h = h + w.linear(p + "mlp.Wo", act(x) * gate, width, c["mlp_bias"])
    return w.norm("final_norm", h, eps, c["norm_bias"])


def jina_v3(c, w, ids, types, task=None):
    """XLM-RoBERTa with rotary positions. A task adds its product of two narrow matrices to every
    table and matrix."""
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    tasks, rank = c["lora_adaptations"], c["lora_rank"]
    scale = c["lora_alpha"] / rank

    def weight(name, rows, columns, table=False):
        p = f"roberta.{name}.parametrizations.weight."
        base = w.get(p + "original", rows, columns)
        a_shape, b_shape = ((rows, rank), (rank, columns)) if table else ((rank, columns), (rows, rank))
        a, b = w.get(p + "0.lora_A", len(tasks), *a_shape), w.get(p + "0.lora_B", len(tasks), *b_shape)
        if task is None:
            return base
        t = tasks.index(task)
        return base + (a[t] @ b[t] if table else b[t] @ a[t]) * scale

    def linear(name, x, n_out):
        return x @ weight(name, n_out, x.shape[-1]).T + w.get(f"roberta.{name}.bias", n_out)

    h = weight("embeddings.word_embeddings", c["vocab_size"], width, True)[ids]
    h = h + weight("embeddings.token_type_embeddings", c["type_vocab_size"], width, True)[types]
    h = w.norm("roberta.emb_ln", h, eps)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layers.{i}."
        q, k, v = linear(p + "mixer.Wqkv", h, 3 * width).chunk(3, -1)
        q, k = rotate(q, heads, c["rotary_emb_base"]), rotate(k, heads, c["rotary_emb_base"])
        a = linear(p + "mixer.out_proj", attention(q, k, v, heads), width)
        h = w.norm(f"roberta.{p}norm1", h + a, eps)
        m = linear(p + "mlp.fc2", F.gelu(linear(p + "mlp.fc1", h, c["intermediate_size"])), width)
        h = w.norm(f"roberta.{p}norm2", h + m, eps)
    return h


# --- DeBERTa ------------------------------------------------------------------------------------

def deberta_buckets(distance, n_buckets, max_distance):
    """Buckets of query position - key position, in float32 as in the authors' code."""
    mid = n_buckets // 2
    far = torch.where((distance < mid) & (distance > -mid), mid - 1, distance.abs())
    log = torch.log(far.float() / mid) / torch.log(torch.tensor((max_distance - 1) / mid).float())
    log = torch.ceil(log * (mid - 1)) + mid
    return torch.where(far <= mid, distance.float(), log * torch.sign(distance)).long()


def deberta_v2(c, w, ids, types):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    kinds = c["pos_att_type"]  # a list, or the same with bars between
    kinds = kinds.split("|") if isinstance(kinds, str) else kinds
    longest = c["max_relative_positions"]
    longest = longest if longest > 0 else c["max_position_embeddings"]
    buckets = c.get("position_buckets", -1)
    distance = -distances(len(ids))
    place = deberta_buckets(distance, buckets, longest) if buckets > 0 else distance
    span = buckets if buckets > 0 else longest
    h = embed(c, w, ids, types, width, positions=None)
    relative = w.table("encoder.rel_embeddings", 2 * span, width)
    if "layer_norm" in c.get("norm_rel_ebd", "none"):
        relative = w.norm("encoder.LayerNorm", relative, eps)
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        s = p + "attention.self."
        q, k, v = (w.linear(s + name, h, width) for name in ("query_proj", "key_proj", "value_proj"))
        shared = c["share_att_key"]
        scale = (width // heads * (1 + len(kinds))) ** -0.5
        bias = torch.zeros(heads, len(ids), len(ids))
        if "c2p" in kinds:
            keys = w.linear(s + ("key_proj" if shared else "pos_key_proj"), relative, width)
            scores = split(q, heads) @ split(keys, heads).transpose(1, 2) * scale
            at = (place + span).clamp(0, 2 * span - 1)
            bias = bias + scores.gather(2, at.expand(heads, -1, -1))
        if "p2c" in kinds:
            queries = w.linear(s + ("query_proj" if shared else "pos_query_proj"), relative, width)
            scores = split(k, heads) @ split(queries, heads).transpose(1, 2) * scale
            at = (-place + span).clamp(0, 2 * span - 1)
            bias = bias + scores.gather(2, at.expand(heads, -1, -1)).transpose(1, 2)
        a = w.linear(p + "attention.output.dense", attention(q, k, v, heads, scale, bias), width)
        h = w.norm(p + "attention.output.LayerNorm", h + a, eps)
        m = ACTIVATIONS[c["hidden_act"]](w.linear(p + "intermediate.dense", h, c["intermediate_size"]))
        h = w.norm(p + "output.LayerNorm", h + w.linear(p + "output.dense", m, width), eps)
    return h


# --- the halves of CLIP and SigLIP that embed texts -------------------------------------------

def text_tower(c, w, ids, mask):
    """Norms before the layers and after the last one. `mask` is added to the scores."""
    width, eps, p = c["hidden_size"], c["layer_norm_eps"], "text_model."
    h = w.table(p + "embeddings.token_embedding", c["vocab_size"], width)[ids]
    places = w.table(p + "embeddings.position_embedding", c["max_position_embeddings"], width)
    h = h + places[:len(ids)]
    for i in range(c["num_hidden_layers"]):
        layer = f"{p}encoder.layers.{i}."
        n = w.norm(layer + "layer_norm1", h, eps)
        q, k, v = (w.linear(f"{layer}self_attn.{part}_proj", n, width) for part in "qkv")
        a = attention(q, k, v, c["num_attention_heads"], bias=mask)
        h = h + w.linear(layer + "self_attn.out_proj", a, width)
        n = w.norm(layer + "layer_norm2", h, eps)
        m = ACTIVATIONS[c["hidden_act"]](w.linear(layer + "mlp.fc1", n, c["intermediate_size"]))
        h = h + w.linear(layer + "mlp.fc2", m, width)
    return w.norm(p + "final_layer_norm", h, eps)


def clip_text(c, w, ids, types):
    """A token sees none of those after it."""
    later = distances(len(ids)) > 0
    mask = torch.zeros(len(ids), len(ids)).masked_fill(later, float("-inf"))
    return text_tower(c, w, ids, mask)


def siglip_text(c, w, ids, types):
    states = text_tower(c, w, ids, 0.0)
    w.linear("dense.0", states[-1], c.get("projection_size", c["hidden_size"]))  # has no part in the states
    return states
