"""Rewrites a float32 ONNX graph as onnxruntime's tools do, in the forms of quantizers.py.

    python3 tests/reference/onnx/quantize_model.py FORM IN.onnx OUT.onnx     (Debian: python3-onnx)

FORM is one of FORMS. These are imitations of quantize_dynamic, of the weight-only quantizers and of
convert_float_to_float16: every MatMul and Gemm with a constant matrix, and every Gather of a constant
table, is replaced; all else stays.
"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import quantizers as q

# What convert_float_to_float16 makes of numbers that float16 does not have.
MOST_HALF = np.float32(65504)
SMALLEST_HALF = np.float32(5.96e-8)


def dynamic(**options):
    return dict(matmul=lambda *a: q.dynamic_matmul(*a, **options),
                gather=lambda *a: q.dynamic_gather(*a, kind=options.get("kind", "uint8")))


FORMS = {
    "uint8": dynamic(),
    "int8_channel": dynamic(kind="int8", per_channel=True),
    "uint8_channel_reduced": dynamic(per_channel=True, reduce_range=True),
    "fused_uint8": dict(matmul=q.fused_matmul),
    "qdq_int8": dict(matmul=lambda *a: q.dequantized_matmul(*a, axis=1)),
    "q4": dict(matmul=q.nbits_matmul),
    "q4_zeros": dict(matmul=lambda *a: q.nbits_matmul(*a, symmetric=False)),
    "q8": dict(matmul=lambda *a: q.nbits_matmul(*a, bits=8)),
    "bnb4": dict(matmul=q.bnb4_matmul),
    "fp4": dict(matmul=lambda *a: q.bnb4_matmul(*a, kind=0)),
    "q4f16": dict(matmul=lambda *a: q.nbits_matmul(*a, scale_type=np.float16), half=True),
    "float16": dict(half=True),
}


def constants_of(graph):
    return {tensor.name: tensor for tensor in graph.initializer}


def quantize(model, form):
    """The graph with products and tables replaced; what is unused is left out."""
    graph = model.graph
    stored = constants_of(graph)
    made = q.Graph()
    for node in graph.node:
        made.nodes.extend(nodes_for(node, stored, made, form))
    del graph.node[:]
    graph.node.extend(made.nodes)
    graph.initializer.extend(made.initializers)
    used = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def nodes_for(node, stored, made, form):
    """The node, or nothing where others were added to `made`."""
    name = node.name or node.output[0]
    if node.op_type == "Gather" and node.input[0] in stored and form.get("gather"):
        table = numpy_helper.to_array(stored[node.input[0]])
        if table.ndim != 2 or table.dtype != np.float32:
            return [node]
        form["gather"](made, node.input[1], table, node.output[0], node.input[0], name)
        return []
    if node.op_type not in ("MatMul", "Gemm") or node.input[1] not in stored:
        return [node]
    if not form.get("matmul"):
        return [node]
    weight = numpy_helper.to_array(stored[node.input[1]])
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if attributes.get("transB"):
        weight = weight.T
    y = node.output[0] if node.op_type == "MatMul" else node.output[0] + "_MatMul"
    before = set(t.name for t in made.initializers)
    assert node.input[1] + "_quantized" not in before
    form["matmul"](made, node.input[0], weight, y, node.input[1], name + "_MatMul" * (y != node.output[0]))
    if node.op_type == "Gemm":
        made.node("Add", [y, node.input[2]], [node.output[0]], name + "_Add")
    return []


def to_half(model):
    """convert_float_to_float16 with keep_io_types: float32 outside, float16 inside."""
    graph = model.graph
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            half(tensor)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.FLOAT16
            if attribute.HasField("t") and attribute.t.data_type == TensorProto.FLOAT:
                half(attribute.t)
    for output in graph.output:
        if output.type.tensor_type.elem_type != TensorProto.FLOAT:
            continue
        inner = "graph_output_cast_" + output.name
        for node in graph.node:
            node.input[:] = [inner if name == output.name else name for name in node.input]
            node.output[:] = [inner if name == output.name else name for name in node.output]
        graph.node.append(helper.make_node("Cast", [inner], [output.name], inner + "_node", to=1))
    del graph.value_info[:]


def half(tensor):
    values = numpy_helper.to_array(tensor)
    small = (values != 0) & (np.abs(values) < SMALLEST_HALF)
    kept = np.where(small, np.copysign(SMALLEST_HALF, values), np.clip(values, -MOST_HALF, MOST_HALF))
    tensor.CopyFrom(numpy_helper.from_array(kept.astype(np.float16), tensor.name))


def rewrite(model, name):
    form = FORMS[name]
    quantize(model, form)
    if form.get("half"):
        to_half(model)
    if name not in ("float16", "qdq_int8"):
        model.opset_import.append(helper.make_opsetid(q.MICROSOFT, 1))
    return model


if __name__ == "__main__":
    form_name, source, target = sys.argv[1:]
    onnx.save(rewrite(onnx.load(source), form_name), target)
