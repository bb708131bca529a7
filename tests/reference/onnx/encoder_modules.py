"""Encoders as modules of PyTorch, with the parameters and the operations of Hugging Face's
transformers, so that their export has the nodes that exports of transformers have. `c` is a
config.json. A module takes input_ids, attention_mask and, where the model has them, token_type_ids.
"""
import math

import torch
from torch import nn

ACTIVATIONS = {"gelu": nn.functional.gelu, "relu": nn.functional.relu,
               "gelu_new": lambda x: 0.5 * x * (1.0 + torch.tanh(
                   math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))}


class Act(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, x):
        return ACTIVATIONS[self.name](x)


class Attention(nn.Module):
    """`names` are those of query, key and value. `form` is how the mask comes into the scores:
    `add`, `fill` (DistilBERT), or `sdpa`: as the exporter writes scaled_dot_product_attention."""

    def __init__(self, width, heads, names, form="add"):
        super().__init__()
        self.heads, self.names, self.form = heads, names, form
        for name in names:
            setattr(self, name, nn.Linear(width, width))

    def split(self, x):
        x = x.view(x.size()[:-1] + (self.heads, x.size(-1) // self.heads))
        return x.permute(0, 2, 1, 3)

    def forward(self, h, mask, bias=None):
        query, key, value = (self.split(getattr(self, name)(h)) for name in self.names)
        d = query.size(-1)
        if self.form == "fill":
            query = query / math.sqrt(d)
            scores = torch.matmul(query, key.transpose(2, 3))
            hidden = (mask == 0).view((mask.size(0), 1, 1, h.size(1))).expand_as(scores)
            scores = scores.masked_fill(hidden, torch.tensor(torch.finfo(scores.dtype).min))
        elif self.form == "sdpa":
            size = float(d)
            root = math.sqrt(1.0 / math.sqrt(size))
            scores = torch.matmul(query * root, key.transpose(-1, -2) * root) + mask
        else:
            scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(d)
            if bias is not None:
                scores = scores + bias
            scores = scores + mask
        weights = nn.functional.softmax(scores, dim=-1)
        context = torch.matmul(weights, value).permute(0, 2, 1, 3).contiguous()
        return context.view(context.size()[:-2] + (h.size(-1),))


def tree(root, path, module):
    """Puts a module at a dotted path."""
    *parents, last = path.split(".")
    for name in parents:
        if not hasattr(root, name):
            root.add_module(name, nn.Module())
        root = getattr(root, name)
    root.add_module(last, module)


def bert_layer(c, form):
    width = c["hidden_size"]
    layer = nn.Module()
    tree(layer, "attention.self", Attention(width, c["num_attention_heads"],
                                            ("query", "key", "value"), form))
    tree(layer, "attention.output.dense", nn.Linear(width, width))
    tree(layer, "attention.output.LayerNorm", nn.LayerNorm(width, c["layer_norm_eps"]))
    tree(layer, "intermediate.dense", nn.Linear(width, c["intermediate_size"]))
    tree(layer, "intermediate.act", Act(c["hidden_act"]))
    tree(layer, "output.dense", nn.Linear(c["intermediate_size"], width))
    tree(layer, "output.LayerNorm", nn.LayerNorm(width, c["layer_norm_eps"]))
    return layer


class Embeddings(nn.Module):
    def __init__(self, c, width, positions):
        super().__init__()
        self.positions, self.pad = positions, c.get("pad_token_id", 0)
        self.word_embeddings = nn.Embedding(c["vocab_size"], width)
        self.position_embeddings = nn.Embedding(c["max_position_embeddings"], width)
        self.types = c.get("type_vocab_size", 0)
        if self.types:
            self.token_type_embeddings = nn.Embedding(self.types, width)
        self.LayerNorm = nn.LayerNorm(width, c.get("layer_norm_eps", 1e-12))
        self.register_buffer("position_ids", torch.arange(c["max_position_embeddings"])[None])
        self.register_buffer("token_type_ids", torch.zeros_like(self.position_ids))

    def forward(self, ids, types):
        if self.positions == "roberta":
            real = ids.ne(self.pad).int()
            at = ((torch.cumsum(real, dim=1).type_as(real) + 0) * real).long() + self.pad
        else:
            at = self.position_ids[:, 0:ids.size(1)]
        h = self.word_embeddings(ids)
        if self.types:
            if types is None:
                types = self.token_type_ids[:, :ids.size(1)].expand(ids.size(0), ids.size(1))
            h = h + self.token_type_embeddings(types)
        return self.LayerNorm(h + self.position_embeddings(at))


def extended_mask(mask, form, dtype):
    if form == "sdpa":
        seen = mask[:, None, None, :].expand(mask.size(0), 1, mask.size(1), mask.size(1)).to(dtype)
        other = 1.0 - seen
        return other.masked_fill(other.to(torch.bool), torch.finfo(dtype).min)
    return (1.0 - mask[:, None, None, :].to(dtype=dtype)) * torch.finfo(dtype).min


class Bert(nn.Module):
    """BERT, RoBERTa and XLM-RoBERTa; with `outputs` `pooler`, also the pooler's."""

    def __init__(self, c, form="add", positions="bert", output="states", labels=0):
        super().__init__()
        self.form, self.output = form, output
        self.embeddings = Embeddings(c, c["hidden_size"], positions)
        self.encoder = nn.Module()
        self.encoder.layer = nn.ModuleList(
            [bert_layer(c, form) for _ in range(c["num_hidden_layers"])])
        width = c["hidden_size"]
        if output in ("pooler", "bert_head"):
            tree(self, "pooler.dense", nn.Linear(width, width))
        if output == "bert_head":
            self.classifier = nn.Linear(width, labels)
        if output == "tokens":
            self.classifier = nn.Linear(width, labels)
        if output == "roberta_head":
            self.classifier = nn.Module()
            self.classifier.dense = nn.Linear(width, width)
            self.classifier.out_proj = nn.Linear(width, labels)

    def forward(self, input_ids, attention_mask, token_type_ids=None):
        h = self.embeddings(input_ids, token_type_ids)
        mask = extended_mask(attention_mask, self.form, h.dtype)
        for layer in self.encoder.layer:
            a = layer.attention.self(h, mask)
            h = layer.attention.output.LayerNorm(layer.attention.output.dense(a) + h)
            m = layer.intermediate.act(layer.intermediate.dense(h))
            h = layer.output.LayerNorm(layer.output.dense(m) + h)
        return self.outputs(h, attention_mask)

    def outputs(self, h, attention_mask):
        if self.output == "states":
            return h
        if self.output == "mean":
            seen = attention_mask.unsqueeze(-1).expand(h.size()).to(h.dtype)
            mean = torch.sum(h * seen, 1) / torch.clamp(seen.sum(1), min=1e-9)
            return h, nn.functional.normalize(mean, p=2, dim=1)
        if self.output == "tokens":
            return self.classifier(h)
        first = h[:, 0]
        if self.output == "roberta_head":
            return self.classifier.out_proj(torch.tanh(self.classifier.dense(h[:, 0, :])))
        pooled = torch.tanh(self.pooler.dense(first))
        return (h, pooled) if self.output == "pooler" else self.classifier(pooled)


class DistilBert(nn.Module):
    def __init__(self, c, output="states", labels=0):
        super().__init__()
        width = c["dim"]
        self.output = output
        self.embeddings = Embeddings(c, width, "bert")
        self.transformer = nn.Module()
        self.transformer.layer = nn.ModuleList()
        for _ in range(c["n_layers"]):
            layer = nn.Module()
            layer.attention = Attention(width, c["n_heads"], ("q_lin", "k_lin", "v_lin"), "fill")
            layer.attention.out_lin = nn.Linear(width, width)
            layer.sa_layer_norm = nn.LayerNorm(width, 1e-12)
            layer.ffn = nn.Module()
            layer.ffn.lin1 = nn.Linear(width, c["hidden_dim"])
            layer.ffn.lin2 = nn.Linear(c["hidden_dim"], width)
            layer.output_layer_norm = nn.LayerNorm(width, 1e-12)
            self.transformer.layer.append(layer)
        self.activation = ACTIVATIONS[c["activation"]]
        if output == "head":
            self.pre_classifier = nn.Linear(width, width)
            self.classifier = nn.Linear(width, labels)

    def forward(self, input_ids, attention_mask):
        h = self.embeddings(input_ids, None)
        for layer in self.transformer.layer:
            a = layer.attention.out_lin(layer.attention(h, attention_mask))
            a = layer.sa_layer_norm(a + h)
            m = layer.ffn.lin2(self.activation(layer.ffn.lin1(a)))
            h = layer.output_layer_norm(m + a)
        if self.output == "states":
            return h
        return self.classifier(nn.functional.relu(self.pre_classifier(h[:, 0])))


class Mpnet(nn.Module):
    def __init__(self, c):
        super().__init__()
        width = c["hidden_size"]
        self.buckets = c["relative_attention_num_buckets"]
        self.embeddings = Embeddings(dict(c, pad_token_id=1), width, "roberta")
        self.encoder = nn.Module()
        self.encoder.layer = nn.ModuleList()
        for _ in range(c["num_hidden_layers"]):
            layer = bert_layer(c, "add")
            attention = nn.Module()
            attention.attn = Attention(width, c["num_attention_heads"], ("q", "k", "v"))
            attention.attn.o = nn.Linear(width, width)
            attention.LayerNorm = nn.LayerNorm(width, c["layer_norm_eps"])
            layer.attention = attention
            self.encoder.layer.append(layer)
        self.encoder.relative_attention_bias = nn.Embedding(self.buckets, c["num_attention_heads"])

    def position_bias(self, h):
        n = h.size(1)
        context = torch.arange(n, dtype=torch.long)[:, None]
        memory = torch.arange(n, dtype=torch.long)[None, :]
        distance = -(memory - context)
        half = self.buckets // 2
        bucket = (distance < 0).to(torch.long) * half
        distance = torch.abs(distance)
        exact = half // 2
        is_small = distance < exact
        large = exact + (torch.log(distance.float() / exact) / math.log(128 / exact)
                         * (half - exact)).to(torch.long)
        large = torch.min(large, torch.full_like(large, half - 1))
        bucket += torch.where(is_small, distance, large)
        bias = self.encoder.relative_attention_bias(bucket).permute([2, 0, 1]).unsqueeze(0)
        return bias.expand((h.size(0), -1, n, n)).contiguous()

    def forward(self, input_ids, attention_mask):
        h = self.embeddings(input_ids, None)
        mask = extended_mask(attention_mask, "add", h.dtype)
        bias = self.position_bias(h)
        for layer in self.encoder.layer:
            a = layer.attention.attn(h, mask, bias)
            h = layer.attention.LayerNorm(layer.attention.attn.o(a) + h)
            m = layer.intermediate.act(layer.intermediate.dense(h))
            h = layer.output.LayerNorm(layer.output.dense(m) + h)
        return h


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), dim=-1)


class Norm(nn.LayerNorm):
    """Without a bias."""

    def __init__(self, width, eps):
        super().__init__(width, eps)
        del self.bias
        self.register_buffer("bias", torch.zeros(width), persistent=False)


class ModernBert(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        width, eps = c["hidden_size"], c["norm_eps"]
        norm = Norm
        self.embeddings = nn.Module()
        self.embeddings.tok_embeddings = nn.Embedding(c["vocab_size"], width)
        self.embeddings.norm = norm(width, eps)
        self.layers = nn.ModuleList()
        for i in range(c["num_hidden_layers"]):
            layer = nn.Module()
            if i > 0:
                layer.attn_norm = norm(width, eps)
            layer.attn = nn.Module()
            layer.attn.Wqkv = nn.Linear(width, 3 * width, bias=False)
            layer.attn.Wo = nn.Linear(width, width, bias=False)
            layer.mlp_norm = norm(width, eps)
            layer.mlp = nn.Module()
            layer.mlp.Wi = nn.Linear(width, 2 * c["intermediate_size"], bias=False)
            layer.mlp.Wo = nn.Linear(c["intermediate_size"], width, bias=False)
            self.layers.append(layer)
        self.final_norm = norm(width, eps)

    def rope(self, h, theta):
        d = self.c["hidden_size"] // self.c["num_attention_heads"]
        inverse = 1.0 / (theta ** (torch.arange(0, d, 2, dtype=torch.int64).float() / d))
        at = torch.arange(h.shape[1]).unsqueeze(0)
        inverse = inverse[None, :, None].float().expand(at.shape[0], -1, 1)
        angles = (inverse @ at[:, None, :].float()).transpose(1, 2)
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos().unsqueeze(1), angles.sin().unsqueeze(1)

    def forward(self, input_ids, attention_mask):
        c = self.c
        heads, width = c["num_attention_heads"], c["hidden_size"]
        h = self.embeddings.norm(self.embeddings.tok_embeddings(input_ids))
        everywhere = extended_mask(attention_mask, "sdpa", h.dtype)
        rows = torch.arange(everywhere.shape[2]).unsqueeze(0)
        near = (torch.abs(rows - rows.T) <= c["local_attention"] // 2).unsqueeze(0).unsqueeze(0)
        window = everywhere.masked_fill(~near, torch.finfo(h.dtype).min)
        for i, layer in enumerate(self.layers):
            local = i % c["global_attn_every_n_layers"] != 0
            cos, sin = self.rope(h, c["local_rope_theta"] if local else c["global_rope_theta"])
            n = layer.attn_norm(h) if i > 0 else h
            qkv = layer.attn.Wqkv(n)
            qkv = qkv.view(h.shape[0], -1, 3, heads, width // heads)
            query, key, value = qkv.transpose(3, 1).unbind(dim=2)
            query = (query * cos) + (rotate_half(query) * sin)
            key = (key * cos) + (rotate_half(key) * sin)
            scores = torch.matmul(query, key.transpose(2, 3)) * (width // heads) ** -0.5
            scores = scores + (window if local else everywhere)
            weights = nn.functional.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
            a = torch.matmul(weights, value).transpose(1, 2).contiguous()
            h = h + layer.attn.Wo(a.view(h.shape[0], -1, width))
            up, gate = layer.mlp.Wi(layer.mlp_norm(h)).chunk(2, dim=-1)
            h = h + layer.mlp.Wo(nn.functional.gelu(up) * gate)
        return self.final_norm(h)
