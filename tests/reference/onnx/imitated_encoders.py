"""Graphs of BERT that imitate other exporters, written with onnx.helper from what their public
sources say. They were not made by these programs.

    fused       as onnxruntime's optimizer of transformers leaves them: EmbedLayerNormalization,
                Attention with the lengths of texts, SkipLayerNormalization, BiasGelu
    heads       likewise, with MultiHeadAttention, FastGelu's place taken by Gelu, and a mask of keys
    newer       as PyTorch's exporter of 2.5 and later writes them: names val_12, opset 18,
                initializers under the names of the parameters, scaled_dot_product_attention as its
                library spells it
"""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

from encoder_models import values

MS = "com.microsoft"


class Graph:
    def __init__(self):
        self.nodes, self.initializers, self.known = [], [], {}

    def add(self, op, *inputs, outputs=None, domain="", **attributes):
        outputs = outputs or [f"val_{len(self.nodes)}"]
        self.nodes.append(helper.make_node(op, list(inputs), outputs, domain=domain,
                                           name=f"node_{op}_{len(self.nodes)}", **attributes))
        return outputs[0]

    def weight(self, name, array):
        if name not in self.known:
            self.known[name] = True
            self.initializers.append(
                numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def ints(self, *numbers):
        name = "ints_" + "_".join(str(n) for n in numbers)
        if name not in self.known:
            self.known[name] = True
            self.initializers.append(numpy_helper.from_array(np.array(numbers, np.int64), name))
        return name

    def scalar(self, value, dtype=np.float32):
        name = f"scalar_{value}_{np.dtype(dtype).name}"
        if name not in self.known:
            self.known[name] = True
            self.initializers.append(numpy_helper.from_array(np.array(value, dtype), name))
        return name

    def model(self, inputs, outputs, width, opset):
        axes = ["batch", "sequence"]
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "main_graph", [value(name, TensorProto.INT64, axes) for name in inputs],
            [value(name, TensorProto.FLOAT, [*axes, width]) for name in outputs], self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset),
                                                       helper.make_opsetid(MS, 1)], ir_version=8)


class Bert:
    def __init__(self, c):
        self.c, self.g, self.shapes = c, Graph(), {}
        self.width, self.heads = c["hidden_size"], c["num_attention_heads"]

    def array(self, name, *shape):
        self.shapes[name] = list(shape)
        return values(name, shape).astype(np.float32)

    def w(self, name, *shape):
        return self.g.weight(name, self.array(name, *shape))

    def turned(self, name, rows, cols):
        """A matrix as MatMul takes it."""
        return self.g.weight(name, self.array(name, rows, cols).T)

    def tables(self):
        c, p = self.c, "embeddings."
        return (self.w(p + "word_embeddings.weight", c["vocab_size"], self.width),
                self.w(p + "position_embeddings.weight", c["max_position_embeddings"], self.width),
                self.w(p + "token_type_embeddings.weight", c["type_vocab_size"], self.width))

    def norm_weights(self, name):
        return self.w(name + ".weight", self.width), self.w(name + ".bias", self.width)

    def linear(self, x, name, n_out, n_in):
        product = self.g.add("MatMul", x, self.turned(name + ".weight", n_out, n_in))
        return self.g.add("Add", product, self.w(name + ".bias", n_out))

    # --- onnxruntime ---

    def embed_norm(self, mask):
        cast = {name: self.g.add("Cast", name, to=TensorProto.INT32)
                for name in ("input_ids", "token_type_ids", "attention_mask")}
        weight, bias = self.norm_weights("embeddings.LayerNorm")
        words, positions, types = self.tables()
        inputs = [cast["input_ids"], cast["token_type_ids"], words, positions, types, weight, bias]
        outputs = ["embedded", "mask_index"]
        if mask:
            inputs.append(cast["attention_mask"])
        self.g.add("EmbedLayerNormalization", *inputs, outputs=outputs, domain=MS,
                   epsilon=self.c["layer_norm_eps"])
        return "embedded", "mask_index" if mask else cast["attention_mask"]

    def skip_norm(self, x, skip, name, bias=""):
        weight, beta = self.norm_weights(name)
        inputs = [x, skip, weight, beta] + ([bias] if bias else [])
        return self.g.add("SkipLayerNormalization", *inputs, domain=MS,
                          epsilon=self.c["layer_norm_eps"])

    def fused(self, one_matrix):
        c, g = self.c, self.g
        h, mask = self.embed_norm(one_matrix)
        for i in range(c["num_hidden_layers"]):
            p = f"encoder.layer.{i}."
            names = [p + f"attention.self.{part}" for part in ("query", "key", "value")]
            square = (self.width, self.width)
            bias = np.concatenate([self.array(name + ".bias", self.width) for name in names])
            bias = g.weight(p + "qkv_bias", bias)
            if one_matrix:
                matrix = np.concatenate([self.array(name + ".weight", *square).T for name in names], 1)
                a = g.add("Attention", h, g.weight(p + "qkv_weight", matrix), bias, mask,
                          domain=MS, num_heads=self.heads)
            else:
                parts = [g.add("MatMul", h, self.turned(name + ".weight", *square)) for name in names]
                a = g.add("MultiHeadAttention", *parts, bias, mask, domain=MS, num_heads=self.heads)
            out = g.add("MatMul", a, self.turned(p + "attention.output.dense.weight", *square))
            h = self.skip_norm(out, h, p + "attention.output.LayerNorm",
                               self.w(p + "attention.output.dense.bias", self.width))
            wide = c["intermediate_size"]
            m = g.add("MatMul", h, self.turned(p + "intermediate.dense.weight", wide, self.width))
            up_bias = self.w(p + "intermediate.dense.bias", wide)
            if one_matrix:
                m = g.add("BiasGelu", m, up_bias, domain=MS)
            else:
                m = g.add("Gelu", g.add("Add", up_bias, m), domain=MS)
            m = g.add("MatMul", m, self.turned(p + "output.dense.weight", self.width, wide))
            h = self.skip_norm(m, h, p + "output.LayerNorm",
                               self.w(p + "output.dense.bias", self.width))
        g.add("Identity", h, outputs=["last_hidden_state"])
        return g.model(["input_ids", "attention_mask", "token_type_ids"], ["last_hidden_state"],
                       self.width, 14)

    # --- PyTorch's newer exporter ---

    def norm(self, x, name):
        weight, bias = self.norm_weights(name)
        return self.g.add("LayerNormalization", x, weight, bias, axis=-1,
                          epsilon=self.c["layer_norm_eps"], stash_type=1)

    def split(self, x, batch):
        g = self.g
        shape = g.add("Concat", batch, g.ints(-1), g.ints(self.heads),
                      g.ints(self.width // self.heads), axis=0)
        return g.add("Transpose", g.add("Reshape", x, shape, allowzero=1), perm=[0, 2, 1, 3])

    def newer_mask(self, batch, tokens):
        g = self.g
        axes = g.add("Unsqueeze", g.add("Unsqueeze", "attention_mask", g.ints(1)), g.ints(2))
        size = g.add("Concat", batch, g.ints(1), tokens, tokens, axis=0)
        seen = g.add("Cast", g.add("Expand", axes, size), to=TensorProto.FLOAT)
        other = g.add("Sub", g.scalar(1.0), seen)
        low = g.scalar(float(np.finfo(np.float32).min))
        return g.add("Where", g.add("Cast", other, to=TensorProto.BOOL), low, other)

    def newer_attention(self, q, k, v, mask):
        """torchlib's scaled_dot_product_attention with a float mask."""
        g, d = self.g, self.width // self.heads
        shape = g.add("Shape", k)
        last = g.add("Slice", shape, g.ints(-1), g.ints(9223372036854775807))
        second = g.add("Slice", shape, g.ints(-2), g.ints(-1))
        start = g.add("Slice", shape, g.ints(0), g.ints(-2))
        merged = g.add("Reshape", k, g.add("Concat", g.ints(-1), second, last, axis=0), allowzero=0)
        merged = g.add("Transpose", merged, perm=[0, 2, 1])
        k = g.add("Reshape", merged, g.add("Concat", start, last, second, axis=0), allowzero=0)
        root = g.scalar(float(np.sqrt(np.float32(1 / np.sqrt(d)))))
        scores = g.add("MatMul", g.add("Mul", q, root), g.add("Mul", k, root))
        weights = g.add("Softmax", g.add("Add", scores, mask), axis=-1)
        return g.add("MatMul", weights, v)

    def newer(self):
        c, g = self.c, self.g
        batch = g.add("Shape", "input_ids", start=0, end=1)
        tokens = g.add("Shape", "input_ids", start=1, end=2)
        words, positions, types = self.tables()
        buffer = numpy_helper.from_array(
            np.arange(c["max_position_embeddings"], dtype=np.int64)[None], "embeddings.position_ids")
        g.initializers.append(buffer)
        at = g.add("Slice", "embeddings.position_ids", g.ints(0), tokens, g.ints(1), g.ints(1))
        h = g.add("Add", g.add("Gather", words, "input_ids", axis=0),
                  g.add("Gather", types, "token_type_ids", axis=0))
        h = self.norm(g.add("Add", h, g.add("Gather", positions, at, axis=0)), "embeddings.LayerNorm")
        mask = self.newer_mask(batch, tokens)
        for i in range(c["num_hidden_layers"]):
            p = f"encoder.layer.{i}."
            q, k, v = (self.split(self.linear(h, p + f"attention.self.{part}", self.width, self.width),
                                  batch) for part in ("query", "key", "value"))
            a = g.add("Transpose", self.newer_attention(q, k, v, mask), perm=[0, 2, 1, 3])
            shape = g.add("Concat", batch, tokens, g.ints(self.width), axis=0)
            a = g.add("Reshape", a, shape, allowzero=1)
            a = self.linear(a, p + "attention.output.dense", self.width, self.width)
            h = self.norm(g.add("Add", a, h), p + "attention.output.LayerNorm")
            m = self.linear(h, p + "intermediate.dense", c["intermediate_size"], self.width)
            erf = g.add("Erf", g.add("Div", m, g.scalar(float(np.sqrt(np.float32(2))))))
            m = g.add("Mul", g.scalar(0.5), g.add("Mul", m, g.add("Add", erf, g.scalar(1.0))))
            m = self.linear(m, p + "output.dense", self.width, c["intermediate_size"])
            h = self.norm(g.add("Add", m, h), p + "output.LayerNorm")
        g.add("Identity", h, outputs=["last_hidden_state"])
        return g.model(["input_ids", "attention_mask", "token_type_ids"], ["last_hidden_state"],
                       self.width, 18)


def imitations(c):
    """Each graph with the shapes of its weights."""
    for name, write in (("bert_fused", lambda b: b.fused(True)),
                        ("bert_fused_heads", lambda b: b.fused(False)),
                        ("bert_newer", lambda b: b.newer())):
        bert = Bert(c)
        yield name, write(bert), bert.shapes
