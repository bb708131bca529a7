"""Writes decoder graphs in the form of onnxruntime-genai's model builder, with made-up weights.

This imitates what the builder's public source writes (src/python/py/models/builders of
microsoft/onnxruntime-genai): names, operators, attributes and the order of inputs. It holds no code of it.
Files of the builder itself differ in sizes only, as far as that source tells.

    Builder(config, how).save(folder)      (Debian: python3-onnx, python3-numpy)

`config` is config.json. `how` may have
    dtype       "f32" or "f16": of weights, activations and caches
    packed      one matrix for queries, keys and values
    rotary      "fused": in GroupQueryAttention; "apart": nodes of their own, with position_ids
    qk_norm     "fused": GroupQueryAttention normalizes queries and keys
    nbits       {bits, block, zero_points, head_bits, flat_scales}: matrices as MatMulNBits
    shared      "float" or "quantized": the embedding is the output matrix
    external    the weights are in model.onnx_data
    quick_gelu  the activation silu as one operator
"""
import json
import math
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper

MS = "com.microsoft"
TYPES = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.float16): TensorProto.FLOAT16,
         np.dtype(np.int64): TensorProto.INT64, np.dtype(np.int32): TensorProto.INT32,
         np.dtype(np.uint8): TensorProto.UINT8}


def blocks_of(weight, bits, block, zero_points):
    """A matrix [N, K] as codes [N, K / block, block * bits / 8], scales and zero points, and what they stand for."""
    n, k = weight.shape
    count = -(-k // block)
    padded = np.zeros((n, count * block), np.float32)
    padded[:, :k] = weight
    parts = padded.reshape(n, count, block)
    top = (1 << bits) - 1
    if zero_points:
        low, high = np.minimum(parts.min(-1), 0), np.maximum(parts.max(-1), 0)
        scales = ((high - low) / top).astype(np.float32)
        zeros = np.rint(-low / scales).clip(0, top)
    else:
        extreme = np.take_along_axis(parts, np.abs(parts).argmax(-1)[..., None], -1)[..., 0]
        scales = (extreme / -(1 << (bits - 1))).astype(np.float32)
        zeros = np.full(scales.shape, 1 << (bits - 1))
    scales = scales.astype(np.float16).astype(np.float32)
    codes = np.rint(parts / scales[..., None] + zeros[..., None]).clip(0, top).astype(np.uint8)
    if bits == 4:
        packed = codes[..., 0::2] | codes[..., 1::2] << 4
        if zeros.shape[1] % 2:
            zeros = np.concatenate([zeros, np.zeros((n, 1))], 1)
        zeros = zeros.astype(np.uint8)
        zeros = zeros[:, 0::2] | zeros[:, 1::2] << 4
    else:
        packed, zeros = codes, zeros.astype(np.uint8)
    return packed, scales, zeros if zero_points else None


class Builder:
    def __init__(self, config, how, seed=1):
        self.config, self.how = config, how
        self.random = np.random.default_rng(seed)
        self.type = np.float16 if how.get("dtype") == "f16" else np.float32
        self.onnx_type = TYPES[np.dtype(self.type)]
        self.nodes, self.initializers, self.constants, self.caches = [], [], set(), set()
        self.heads = config["num_attention_heads"]
        self.kv = config.get("num_key_value_heads", self.heads)
        self.width = config["hidden_size"]
        self.dim = config.get("head_dim", self.width // self.heads)
        self.kind = config["model_type"]
        self.gemma = self.kind.startswith("gemma")
        self.norm_twice = self.kind in ("gemma2", "gemma3_text")
        # Norms of these are computed in f32.
        self.casts = self.norm_twice and self.type == np.float16
        self.build()

    # --- pieces ---

    def initializer(self, name, values, to=None):
        values = np.ascontiguousarray(values, to or self.type if values.dtype.kind == "f" else None)
        tensor = onnx.TensorProto(name=name, data_type=TYPES[values.dtype], dims=values.shape, raw_data=values.tobytes())
        self.initializers.append(tensor)
        return name

    def constant(self, value, to=np.int64):
        label = {np.int64: "INT64", np.int32: "INT32", np.float32: "FLOAT", np.float16: "FLOAT16"}[to]
        name = f"/model/constants/{label}/{value}"
        if name not in self.constants:
            self.constants.add(name)
            array = np.array(value, to)
            tensor = onnx.TensorProto(name=name, data_type=TYPES[array.dtype], dims=array.shape, raw_data=array.tobytes())
            self.nodes.append(helper.make_node("Constant", [], [name], name.replace("constants", "constant_nodes"),
                                               value=tensor))
        return name

    def node(self, op, inputs, name, outputs=None, domain=None, **attributes):
        outputs = outputs or [f"{name}/output_0"]
        self.nodes.append(helper.make_node(op, inputs, outputs, name, domain=domain, **attributes))
        return outputs[0]

    def random_matrix(self, rows, columns):
        return (self.random.standard_normal((rows, columns)) / math.sqrt(columns)).astype(np.float32)

    def random_norm(self, n):
        return (1 + 0.2 * self.random.standard_normal(n)).astype(np.float32)

    def bits_of(self, name):
        nbits = self.how.get("nbits")
        if not nbits:
            return 0
        return nbits.get("head_bits", nbits["bits"]) if name == "/lm_head/MatMul" else nbits["bits"]

    def matmul(self, name, weight, root, output=None):
        """weight [out, in]"""
        stem, bits = name[1:].replace("/", ".") + ".weight", self.bits_of(name)
        if not bits:
            self.initializer(stem, weight.T)
            return self.node("MatMul", [root, stem], name, output and [output])
        nbits = self.how["nbits"]
        codes, scales, zeros = blocks_of(weight, bits, nbits["block"], nbits.get("zero_points", False))
        inputs = [root, self.initializer(f"{stem}_Q{bits}", codes)]
        if nbits.get("flat_scales", True):
            scales = scales.reshape(-1)
            zeros = zeros if zeros is None else zeros.reshape(-1)
        inputs.append(self.initializer(f"{stem}_scales", scales))
        if zeros is not None:
            inputs.append(self.initializer(f"{stem}_zero_points", zeros))
        return self.node("MatMulNBits", inputs, f"{name}_Q{bits}", output and [output], MS, K=weight.shape[1],
                         N=weight.shape[0], bits=bits, block_size=nbits["block"], accuracy_level=0)

    def bias(self, n, name, root):
        values = (0.1 * self.random.standard_normal(n)).astype(np.float32)
        return self.node("Add", [root, self.initializer(name[1:].replace("/", ".") + ".bias", values)], name)

    def scaled(self, root, factor, name, output=None):
        return self.node("Mul", [root, self.constant(factor, self.type)], name, output and [output])

    # --- a layer ---

    def norm(self, name, root, skip=None, last=False, casts=(False, True)):
        """The normalized values. Sets self.root to the sum, where `skip` is added."""
        eps = self.config["rms_norm_eps"]
        weight = self.initializer(name[1:].replace("/", ".") + ".weight", self.random_norm(self.width),
                                  np.float32 if self.casts else None)
        if self.casts and casts[0]:
            root = self.node("Cast", [root], f"{name}/root_input/Cast", to=TensorProto.FLOAT)
        out = f"{name}/output_0"
        inner = f"{name}/output_0/Cast/output_0" if self.casts and casts[1] else out
        if skip is None:
            self.node("SimplifiedLayerNormalization", [root, weight], f"{name}/LayerNorm", [inner], axis=-1,
                      epsilon=eps, stash_type=1)
        else:
            outputs = [inner] if last else [inner, "", "", f"{name}/output_3"]
            self.node("SkipSimplifiedLayerNormalization", [root, skip, weight], f"{name}/SkipLayerNorm", outputs, MS,
                      epsilon=eps)
            self.root = f"{name}/output_3"
        if inner != out:
            self.node("Cast", [inner], f"{name}/output_0/Cast", [out], to=self.onnx_type)
        return out

    def window(self, i):
        c = self.config
        window = c.get("sliding_window") or -1
        if self.kind == "gemma2":
            return window if i % 2 == 1 else -1
        if self.kind == "gemma3_text":
            local = c["layer_types"][i] == "sliding_attention" if "layer_types" in c else bool((i + 1) % 6)
            return window if local else -1
        return window

    def attention(self, i, root):
        c, how, p = self.config, self.how, f"/model/layers.{i}/attn"
        q_size, kv_size = self.heads * self.dim, self.kv * self.dim
        biased = c.get("attention_bias", self.kind == "qwen2")
        parts = [self.random_matrix(n, self.width) for n in (q_size, kv_size, kv_size)]
        normed = self.kind in ("qwen3", "gemma3_text")
        if how.get("packed"):
            q = self.matmul(f"{p}/qkv_proj/MatMul", np.concatenate(parts), root)
            if biased:
                q = self.bias(q_size + 2 * kv_size, f"{p}/qkv_proj/Add", q)
            k = v = ""
            if normed or how.get("rotary") == "apart":
                q, k, v = (f"{p}/qkv_proj/Split/output_{n}" for n in range(3))
                before = self.nodes[-1].output[0]
                self.node("Split", [before, self.constant([q_size, kv_size, kv_size])], f"{p}/qkv_proj/Split",
                          [q, k, v], axis=-1)
        else:
            q, k, v = (self.matmul(f"{p}/{n}_proj/MatMul", w, root) for n, w in zip("qkv", parts))
            if biased:
                q, k, v = (self.bias(len(w), f"{p}/{n}_proj/Add", x) for n, w, x in zip("qkv", parts, (q, k, v)))
        norms = ["", ""]
        if normed:
            q, k, norms = self.qk_norm(i, q, k)
        rotates = not c.get("no_rope_layers") or bool(c["no_rope_layers"][i])
        fused = how.get("rotary", "fused") == "fused"
        caches = self.rotary_caches(i) if rotates else ["", ""]
        if rotates and not fused:
            q, k = (self.node("RotaryEmbedding", [x, "position_ids", *caches], f"{p}/{n}_rotary/RotaryEmbedding",
                              None, MS, interleaved=0, num_heads=0 if self.rotated == self.dim else heads,
                              rotary_embedding_dim=0 if self.rotated == self.dim else self.rotated)
                    for n, x, heads in (("q", q, self.heads), ("k", k, self.kv)))
        inputs = [q, k, v, f"past_key_values.{i}.key", f"past_key_values.{i}.value",
                  "/model/attn_mask_reformat/attn_mask_subgraph/Sub/Cast/output_0",
                  "/model/attn_mask_reformat/attn_mask_subgraph/Gather/Cast/output_0",
                  *(caches if fused else ["", ""]), "", "", ""]
        if norms[0]:
            inputs += ["", "", *norms]
        scale = c.get("attention_multiplier", c.get("query_pre_attn_scalar", self.dim) ** -0.5
                      if self.norm_twice else 1 / math.sqrt(self.dim))
        extra = {"qk_norm_epsilon": c["rms_norm_eps"]} if norms[0] else {}
        out = self.node("GroupQueryAttention", inputs, f"{p}/GroupQueryAttention",
                        [f"{p}/GroupQueryAttention/output_0", f"present.{i}.key", f"present.{i}.value"], MS,
                        num_heads=self.heads, kv_num_heads=self.kv, scale=scale, local_window_size=self.window(i),
                        softcap=c.get("attn_logit_softcapping") or 0.0, do_rotary=int(fused and rotates),
                        rotary_interleaved=0, **extra)
        out = self.matmul(f"{p}/o_proj/MatMul", self.random_matrix(self.width, q_size), out)
        if c.get("attention_bias"):
            out = self.bias(self.width, f"{p}/o_proj/Add", out)
        return out

    def qk_norm(self, i, q, k):
        made, weights = [], []
        for n, x, heads in (("q", q, self.heads), ("k", k, self.kv)):
            p = f"/model/layers.{i}/attn/{n}_norm"
            weight = self.initializer(f"{p[1:].replace('/', '.')}.layernorm.weight", self.random_norm(self.dim),
                                      np.float32 if self.casts else None)
            weights.append(weight)
            if self.how.get("qk_norm") == "fused":
                made.append(x)
                continue
            x = self.node("Reshape", [x, self.constant([0, -1, self.dim])], f"{p}/Reshape_1")
            name = f"{p}/SimplifiedLayerNormalization"
            if self.casts:
                x = self.node("Cast", [x], f"{name}/root_input/Cast", to=TensorProto.FLOAT)
            x = self.node("SimplifiedLayerNormalization", [x, weight], name, axis=-1,
                          epsilon=self.config["rms_norm_eps"], stash_type=1)
            if self.casts:
                x = self.node("Cast", [x], f"{name}/output_0/Cast", to=self.onnx_type)
            made.append(self.node("Reshape", [x, self.constant([0, -1, heads * self.dim])], f"{p}/Reshape_2"))
        return made[0], made[1], weights if self.how.get("qk_norm") == "fused" else ["", ""]

    def rotary_caches(self, i):
        c = self.config
        self.rotated = int(self.dim * c.get("partial_rotary_factor", 1.0))
        names, theta = ["cos_cache", "sin_cache"], c.get("rope_theta", 10000.0)
        if self.kind == "gemma3_text":
            local = self.window(i) != -1
            names = [f"{name}_{'local' if local else 'global'}" for name in names]
            theta = c["rope_local_base_freq"] if local else theta
        if names[0] in self.caches:
            return names
        self.caches.add(names[0])
        scaling, most = c.get("rope_scaling") or {}, c["max_position_embeddings"]
        kind = scaling.get("rope_type", scaling.get("type"))
        if kind == "longrope":
            self.long_caches(names, scaling, most)
            return names
        cos, sin = self.rotations(theta, most, lambda inverse: self.rescaled(inverse, kind, scaling))
        self.initializer(names[0], cos)
        self.initializer(names[1], sin)
        return names

    def rotations(self, theta, length, change):
        """Cosines and sines, computed in f32 as the builder does."""
        powers = np.arange(0, self.rotated, 2, dtype=np.float32) / np.float32(self.rotated)
        inverse = change((1 / np.float32(theta) ** powers).astype(np.float32)).astype(np.float32)
        angles = np.outer(np.arange(length, dtype=np.float32), inverse)
        return np.cos(angles), np.sin(angles)

    def rescaled(self, inverse, kind, scaling):
        out = inverse.copy()
        if kind != "llama3":
            return out
        original = scaling["original_max_position_embeddings"]
        for n, f in enumerate(inverse):
            wave = 2 * math.pi / f
            low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
            if wave > original / low:
                out[n] = f / scaling["factor"]
            elif wave >= original / high:
                smooth = (original / wave - low) / (high - low)
                out[n] = (1 - smooth) * f / scaling["factor"] + smooth * f
        return out

    def long_caches(self, names, scaling, most):
        """An If chooses between the tables for long and for short texts."""
        original = self.config["original_max_position_embeddings"]
        magnitude = np.float32(math.sqrt(1 + math.log(most / original) / math.log(original)))
        branches = {}
        for size, branch, length in (("large", "then_branch", most), ("small", "else_branch", original)):
            factors = np.array(scaling["long_factor" if size == "large" else "short_factor"], np.float32)
            nodes, outputs = [], []
            tables = self.rotations(self.config["rope_theta"], length, lambda inverse: inverse / factors)
            for name, table in zip(("cos_cache", "sin_cache"), tables):
                table = (table * magnitude).astype(self.type)
                tensor = onnx.TensorProto(data_type=self.onnx_type, dims=table.shape, raw_data=table.tobytes())
                nodes.append(helper.make_node("Constant", [], [f"{name}_{size}"], f"/{size}/{name}/Constant",
                                              value=tensor))
                outputs.append(helper.make_tensor_value_info(f"{name}_{size}", self.onnx_type, table.shape))
            branches[branch] = helper.make_graph(nodes, f"{size}_rope_caches_graph", [], outputs)
        p = "/model/rope_caches_subgraph"
        length = "/model/attn_mask_reformat/attn_mask_subgraph/Gather/output_0"
        is_long = self.node("Greater", [length, self.constant(original)], f"{p}/Greater")
        self.node("If", [is_long], f"{p}/If", names, **branches)

    def activation(self, p, x):
        act = self.config.get("hidden_activation") or self.config.get("hidden_act", "silu")
        if act == "silu":
            if self.how.get("quick_gelu"):
                return self.node("QuickGelu", [x], f"{p}/act_fn/QuickGelu", None, MS, alpha=1.0)
            gate = self.node("Sigmoid", [x], f"{p}/act_fn/Sigmoid")
            return self.node("Mul", [x, gate], f"{p}/act_fn/Mul")
        if act == "gelu_pytorch_tanh":
            return self.node("Gelu", [x], f"{p}/act_fn/FastGelu", approximate="tanh")
        raise ValueError(act)

    def mlp(self, i, root):
        p, wide = f"/model/layers.{i}/mlp", self.config["intermediate_size"]
        gate = self.matmul(f"{p}/gate_proj/MatMul", self.random_matrix(wide, self.width), root)
        up = self.matmul(f"{p}/up_proj/MatMul", self.random_matrix(wide, self.width), root)
        x = self.node("Mul", [self.activation(p, gate), up], f"{p}/Mul")
        return self.matmul(f"{p}/down_proj/MatMul", self.random_matrix(self.width, wide), x)

    def residual(self, i, n, x):
        factor = self.config.get("residual_multiplier")
        return x if factor is None else self.scaled(x, factor, f"/model/layers.{i}/residual_mul/Mul_{n}")

    def layer(self, i):
        p = f"/model/layers.{i}"
        first = i == 0
        x = self.norm(f"{p}/input_layernorm", self.root, None if first else self.skip, casts=(first, True))
        if first and self.casts:
            self.root = f"{p}/input_layernorm/root_input/Cast/output_0"
        out = self.residual(i, 1, self.attention(i, x))
        if self.norm_twice:
            root = self.root
            out = self.norm(f"{p}/post_attention_layernorm", out, casts=(True, False))
            self.root = root
            x = self.norm(f"{p}/pre_feedforward_layernorm", self.root, out, casts=(False, True))
        else:
            x = self.norm(f"{p}/post_attention_layernorm", self.root, out)
        out = self.residual(i, 2, self.mlp(i, x))
        if self.norm_twice:
            root = self.root
            out = self.norm(f"{p}/post_feedforward_layernorm", out, casts=(True, False))
            self.root = root
        self.skip = out

    # --- the whole graph ---

    def mask(self):
        p = "/model/attn_mask_reformat/attn_mask_subgraph"
        total = self.node("ReduceSum", ["attention_mask", self.constant([1])], f"{p}/ReduceSum", keepdims=0)
        last = self.node("Sub", [total, self.constant([1])], f"{p}/Sub")
        self.node("Cast", [last], f"{p}/Sub/Cast", to=TensorProto.INT32)
        shape = self.node("Shape", ["attention_mask"], f"{p}/Shape")
        length = self.node("Gather", [shape, self.constant(1)], f"{p}/Gather", axis=0)
        self.node("Cast", [length], f"{p}/Gather/Cast", to=TensorProto.INT32)

    def embed(self):
        c, vocab = self.config, self.config["vocab_size"]
        table, shared = self.random_matrix(vocab, self.width), self.how.get("shared")
        self.table = table
        if shared == "quantized":
            nbits, bits = self.how["nbits"], self.bits_of("/lm_head/MatMul")
            stem = "lm_head.MatMul.weight"
            flat = self.node("Reshape", [f"{stem}_Q{bits}", self.constant([vocab, self.width * bits // 8])],
                             "/model/embed_tokens/Reshape")
            inputs = [flat, "input_ids", f"{stem}_scales"]
            if nbits.get("zero_points"):
                inputs.append(f"{stem}_zero_points")
            x = self.node("GatherBlockQuantized", inputs, "/model/embed_tokens/GatherBlockQuantized", None, MS,
                          bits=bits, block_size=nbits["block"], gather_axis=0, quantize_axis=1)
        elif shared == "float":
            t = self.node("Transpose", ["lm_head.MatMul.weight"], "/model/embed_tokens/Transpose", perm=[1, 0])
            x = self.node("Gather", [t, "input_ids"], "/model/embed_tokens/Gather")
        else:
            self.initializer("model.embed_tokens.weight", table)
            x = self.node("Gather", ["model.embed_tokens.weight", "input_ids"], "/model/embed_tokens/Gather")
        factor = c.get("embedding_multiplier", float(np.round(math.sqrt(self.width), 2)) if self.gemma else 1)
        self.root = x if factor == 1 else self.scaled(x, factor, "/model/embed_tokens/Mul")

    def head(self, x):
        c = self.config
        weight = self.table if c.get("tie_word_embeddings") else self.random_matrix(c["vocab_size"], self.width)
        scale, cap = c.get("logits_scaling"), c.get("final_logit_softcapping")
        x = self.matmul("/lm_head/MatMul", weight, x, None if scale or cap else "logits")
        if scale:
            x = self.scaled(x, 1 / scale, "/lm_head/Mul", None if cap else "logits")
        if cap:
            x = self.node("Div", [x, self.constant(cap, self.type)], "/lm_head/softcap/Div")
            x = self.node("Tanh", [x], "/lm_head/softcap/Tanh")
            self.scaled(x, cap, "/lm_head/softcap/Mul", "logits")

    def build(self):
        self.mask()
        self.embed()
        for i in range(self.config["num_hidden_layers"]):
            self.layer(i)
        last = f"/model/layers.{self.config['num_hidden_layers']}/final_norm_layernorm"
        self.head(self.norm(last, self.root, self.skip, last=True))

    def model(self):
        info, c = helper.make_tensor_value_info, self.config
        inputs = [info("input_ids", TensorProto.INT64, ["batch_size", "sequence_length"]),
                  info("attention_mask", TensorProto.INT64, ["batch_size", "total_sequence_length"])]
        if self.how.get("rotary") == "apart":
            inputs.append(info("position_ids", TensorProto.INT64, ["batch_size", "sequence_length"]))
        outputs = [info("logits", self.onnx_type, ["batch_size", "sequence_length", c["vocab_size"]])]
        for i in range(c["num_hidden_layers"]):
            for n in ("key", "value"):
                inputs.append(info(f"past_key_values.{i}.{n}", self.onnx_type,
                                   ["batch_size", self.kv, "past_sequence_length", self.dim]))
                outputs.append(info(f"present.{i}.{n}", self.onnx_type,
                                    ["batch_size", self.kv, "total_sequence_length", self.dim]))
        graph = helper.make_graph(self.sorted(), "main_graph", inputs, outputs, self.initializers)
        return helper.make_model(graph, producer_name="onnxruntime-genai", ir_version=10, opset_imports=[
            helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)])

    def sorted(self):
        """The nodes, each after those that make its inputs."""
        made, rest, done = [], list(self.nodes), set()
        produced = {name for node in rest for name in node.output if name}
        while rest:
            ready = [node for node in rest if all(n in done or n not in produced for n in node.input)]
            rest = [node for node in rest if node not in ready]
            made += ready
            done |= {name for node in ready for name in node.output}
        return made

    def save(self, folder):
        folder = pathlib.Path(folder)
        (folder / "onnx").mkdir(parents=True, exist_ok=True)
        model, path = self.model(), folder / "onnx" / "model.onnx"
        if self.how.get("external"):
            data = bytearray()
            for tensor in model.graph.initializer:
                if len(tensor.raw_data) < 64:
                    continue
                data += b"\0" * (-len(data) % 64)
                for key, value in (("location", "model.onnx_data"), ("offset", len(data)),
                                   ("length", len(tensor.raw_data))):
                    tensor.external_data.add(key=key, value=str(value))
                data += tensor.raw_data
                tensor.ClearField("raw_data")
                tensor.data_location = TensorProto.EXTERNAL
            (folder / "onnx" / "model.onnx_data").write_bytes(bytes(data))
        path.write_bytes(model.SerializeToString())
        (folder / "config.json").write_text(json.dumps(self.config, indent=1) + "\n")
