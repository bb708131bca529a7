"""Rewrites what PyTorch 1.13 exports into the form of PyTorch's newer exporter (torch.export and onnxscript): names as `node_conv2d_3` and
`val_7`, weights by the names of the parameters, every attribute of a window stated, ReduceMean with axes as an input in place of
GlobalAveragePool, and constants as initializers. An imitation."""
import numpy
from onnx import helper, numpy_helper

WINDOW = {"auto_pad": "NOTSET", "dilations": [1, 1], "strides": [1, 1], "pads": [0, 0, 0, 0]}
STATED = {
    "Conv": {**WINDOW, "group": 1},
    "MaxPool": {**WINDOW, "ceil_mode": 0, "storage_order": 0},
    "AveragePool": {"auto_pad": "NOTSET", "strides": [1, 1], "pads": [0, 0, 0, 0], "ceil_mode": 0, "count_include_pad": 1},
    "BatchNormalization": {"training_mode": 0},
    "Gemm": {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 1},
}
ATEN = {"Conv": "conv2d", "BatchNormalization": "_native_batch_norm_legit_no_training__0", "Gemm": "linear", "Relu": "relu",
        "Add": "add", "MaxPool": "max_pool2d", "ReduceMean": "mean", "Reshape": "view", "AveragePool": "avg_pool2d"}


def newer_form(model, as_flatten):
    """`as_flatten`: Flatten stays. Otherwise it is a Reshape to constant numbers."""
    graph = model.graph
    names = {}
    extra = {}
    nodes = []
    for number, node in enumerate(graph.node):
        inputs = [names.get(name, name) for name in node.input]
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        op = node.op_type
        attributes = {**STATED.get(op, {}), **attributes}
        if op == "GlobalAveragePool":
            op = "ReduceMean"
            extra["val_axes"] = numpy.array([-1, -2], numpy.int64)
            inputs.append("val_axes")
            attributes = {"keepdims": 1, "noop_with_empty_axes": 0}
        if op == "Flatten" and not as_flatten:
            op = "Reshape"
            weight = next(i for i in graph.initializer if i.name == "fc.weight")
            extra["val_shape"] = numpy.array([1, weight.dims[1]], numpy.int64)
            inputs.append("val_shape")
            attributes = {"allowzero": 1}
        label = f"{ATEN.get(op, op.lower())}_{number}"
        names[node.output[0]] = "output" if node.output[0] == "output" else label
        nodes.append(helper.make_node(op, inputs, [names[node.output[0]]], name=f"node_{label}", **attributes))
    initializers = list(graph.initializer) + [numpy_helper.from_array(value, name) for name, value in extra.items()]
    made = helper.make_graph(nodes, "main_graph", list(graph.input), list(graph.output), initializers)
    return helper.make_model(made, producer_name="pytorch", producer_version="2.7.0", ir_version=8,
                             opset_imports=[helper.make_opsetid("", 18)])
