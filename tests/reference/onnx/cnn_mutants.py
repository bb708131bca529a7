"""Files that differ from an ONNX graph in one place: another attribute, another operator, swapped or dropped inputs, further nodes, changed
tensors and types. Each is a file of its own, and what it computes is for onnxruntime to say."""
import base64
import copy

import numpy
from onnx import TensorProto, helper, numpy_helper

OTHER_OPERATORS = {
    "Relu": ["LeakyRelu", "Sigmoid", "Tanh", "Elu", "Abs", "Identity", "Softplus", "HardSwish"],
    "MaxPool": ["AveragePool", "LpPool"],
    "AveragePool": ["MaxPool"],
    "GlobalAveragePool": ["GlobalMaxPool"],
    "Add": ["Sub", "Mul", "Max"],
    "BatchNormalization": ["InstanceNormalization"],
    "Flatten": ["Identity"],
    "Gemm": ["MatMul"],
    "MatMul": ["Gemm"],
    "Conv": ["ConvTranspose"],
    "Softmax": ["LogSoftmax", "Hardmax", "Sigmoid", "Relu"],
    "Concat": ["Sum", "Max"],
}
ATTRIBUTES = {
    "Conv": {"auto_pad": ["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"], "group": [2, 3, 0], "dilations": [[2, 2], [1, 2]],
             "strides": [[2, 2], [1, 2], [0, 0]], "pads": [[0, 0, 0, 0], [2, 2, 2, 2], [1, 1, 0, 0], [0, 1, 1, 0], [1, 1]],
             "kernel_shape": [[1, 1], [5, 5], [3]]},
    "MaxPool": {"auto_pad": ["SAME_UPPER", "VALID"], "ceil_mode": [1], "dilations": [[2, 2]], "strides": [[1, 1], [3, 3], [1, 2]],
                "pads": [[1, 1, 1, 1], [0, 0, 1, 1]], "kernel_shape": [[3, 3], [1, 1], [2, 3]], "storage_order": [1]},
    "AveragePool": {"auto_pad": ["SAME_UPPER", "VALID"], "ceil_mode": [1], "count_include_pad": [0, 1], "strides": [[1, 1], [3, 3]],
                    "pads": [[1, 1, 1, 1], [0, 1, 0, 1]], "kernel_shape": [[1, 1], [4, 4]]},
    "BatchNormalization": {"epsilon": [1e-3, 1.1e-5, 0.0], "momentum": [0.5], "training_mode": [1]},
    "Gemm": {"alpha": [0.5], "beta": [0.5, 0.0], "transA": [1], "transB": [0, 2]},
    "Flatten": {"axis": [0, 2, -3, -1]},
    "Softmax": {"axis": [0, -1, 2]},
    "Concat": {"axis": [0, -3, 2]},
    "Gather": {"axis": [1, -1]},
    "Relu": {"alpha": [0.5]},
    "Add": {"axis": [0]},
}
PERIOD = 4  # of `few`: which share is kept


def mutants(model, few=False):
    """Pairs of a name and the bytes. `few` leaves out most."""
    made = {}

    def keep(name, change):
        other = copy.deepcopy(model)
        if change(other) is not False:
            made.setdefault(name, other.SerializeToString())

    seen = {}
    for number, node in enumerate(model.graph.node):
        kind = seen.setdefault(node.op_type, 0)
        seen[node.op_type] += 1
        label = f"{number} {node.op_type}"
        change_operator(keep, number, node, label)
        if kind < 2:
            change_attributes(keep, number, node, label)
        change_inputs(keep, model, number, node, label)
        add_nodes(keep, model, number, label, all_kinds=kind == 0)
    change_tensors(keep, model)
    change_borders(keep, model)
    original = model.SerializeToString()
    return [(name, content) for i, (name, content) in enumerate(made.items())
            if content != original and not (few and i % PERIOD)]


def change_operator(keep, number, node, label):
    for other in OTHER_OPERATORS.get(node.op_type, []):
        def change(model, other=other):
            model.graph.node[number].op_type = other
            if other in ("Identity", "Sigmoid", "Relu", "Sub", "Mul", "Max", "MatMul", "Sum"):
                del model.graph.node[number].attribute[:]
        keep(f"{label} becomes {other}", change)

    def elsewhere(model):
        model.graph.node[number].domain = "com.microsoft"
    keep(f"{label} of another domain", elsewhere)


def change_attributes(keep, number, node, label):
    for name, values in ATTRIBUTES.get(node.op_type, {}).items():
        for value in values:
            def change(model, name=name, value=value):
                target = model.graph.node[number]
                rest = [a for a in target.attribute if a.name != name]
                del target.attribute[:]
                target.attribute.extend(rest + [helper.make_attribute(name, value)])
            keep(f"{label} {name} {value}", change)
    for attribute in node.attribute:
        def drop(model, name=attribute.name):
            target = model.graph.node[number]
            rest = [a for a in target.attribute if a.name != name]
            del target.attribute[:]
            target.attribute.extend(rest)
        keep(f"{label} without {attribute.name}", drop)


def change_inputs(keep, model, number, node, label):
    if len(node.input) > 1:
        def swap(other):
            inputs = list(other.graph.node[number].input)
            inputs[0], inputs[1] = inputs[1], inputs[0]
            other.graph.node[number].input[:] = inputs
        keep(f"{label} with swapped inputs", swap)

        def drop(other):
            other.graph.node[number].input[:] = list(other.graph.node[number].input)[:-1]
        keep(f"{label} without its last input", drop)

        def last(other):
            inputs = list(other.graph.node[number].input)
            inputs[-1] = inputs[0]
            other.graph.node[number].input[:] = inputs
        keep(f"{label} with its first input twice", last)
    if len(node.input) > 3:
        def turn(other):
            inputs = list(other.graph.node[number].input)
            other.graph.node[number].input[:] = inputs[:1] + inputs[2:] + inputs[1:2]
        keep(f"{label} with turned parameters", turn)
    if number >= 2 and node.input and node.op_type not in ("Conv", "Gemm", "MatMul"):
        def earlier(other):
            other.graph.node[number].input[0] = other.graph.node[number - 2].output[0]
        keep(f"{label} reads the node two before", earlier)

    def bypass(other):
        target = other.graph.node[number]
        if not target.input or target.output[0] == other.graph.output[0].name:
            return False
        source, result = target.input[0], target.output[0]
        del other.graph.node[number]
        for later in other.graph.node:
            later.input[:] = [source if name == result else name for name in later.input]
        return True
    keep(f"{label} left out", bypass)


def add_nodes(keep, model, number, label, all_kinds):
    kinds = {"Relu": [], "Identity": [], "Neg": [], "Mul": ["half"], "Add": ["half"], "Sigmoid": [], "Clip": [], "Dropout": [], "Cast": []}
    if not all_kinds:
        kinds = {"Relu": [], "Mul": ["half"]}
    for op, constants in kinds.items():
        def insert(other, op=op, constants=constants):
            target = other.graph.node[number]
            result = target.output[0]
            target.output[0] = "before"
            attributes = {"to": TensorProto.FLOAT} if op == "Cast" else {}
            node = helper.make_node(op, ["before"] + constants, [result], name="inserted", **attributes)
            other.graph.node.insert(number + 1, node)
            if constants:
                value = numpy_helper.from_array(numpy.array(0.5, numpy.float32))
                other.graph.node.insert(number + 1, helper.make_node("Constant", [], ["half"], value=value))
        keep(f"{op} behind {label}", insert)

    def dead(other):
        node = helper.make_node("Relu", [other.graph.node[number].output[0]], ["nobody"], name="dead")
        other.graph.node.insert(number + 1, node)
    keep(f"dead Relu behind {label}", dead)


def change_tensors(keep, model):
    for number, tensor in enumerate(model.graph.initializer):
        def half(other):
            values = numpy_helper.to_array(other.graph.initializer[number])
            other.graph.initializer[number].CopyFrom(numpy_helper.from_array(values * numpy.float32(0.5), tensor.name))
        if tensor.data_type == TensorProto.FLOAT and number % 3 == 0 and len(tensor.dims) == 1:
            keep(f"half of {tensor.name}", half)

        def turned(other):
            other.graph.initializer[number].dims[:] = list(reversed(tensor.dims))
        if len(tensor.dims) > 1:
            keep(f"turned extents of {tensor.name}", turned)

        def narrow(other):
            values = numpy_helper.to_array(other.graph.initializer[number])
            other.graph.initializer[number].CopyFrom(numpy_helper.from_array(values.astype(numpy.float16), tensor.name))
        if number < 4 and tensor.data_type == TensorProto.FLOAT:
            keep(f"float16 of {tensor.name}", narrow)

        def flat(other):
            other.graph.initializer[number].dims[:] = [int(numpy.prod(tensor.dims))]
        if len(tensor.dims) > 1:
            keep(f"one axis of {tensor.name}", flat)

        def renamed(other):
            other.graph.initializer[number].name = "nobody"
        if number < 6:
            keep(f"{tensor.name} under another name", renamed)
    shared = {}
    for number, tensor in enumerate(model.graph.initializer):
        first = shared.setdefault(tuple(tensor.dims), number)
        if first == number:
            continue

        def exchange(other, first=first, number=number):
            a, b = other.graph.initializer[first].name, other.graph.initializer[number].name
            other.graph.initializer[first].name, other.graph.initializer[number].name = b, a
        if number % 4 == 1:
            keep(f"exchanged {tensor.name}", exchange)


def change_borders(keep, model):
    for version in (1, 6, 7, 9, 11, 12, 17, 18, 21, 99):
        def opset(other, version=version):
            other.opset_import[0].version = version
        keep(f"opset {version}", opset)
    for number, node in enumerate(model.graph.node[:-1]):
        def output(other, number=number):
            other.graph.output[0].name = other.graph.node[number].output[0]
            other.graph.output[0].type.tensor_type.ClearField("shape")
        if number % 3 == 0:
            keep(f"the output is that of {number} {node.op_type}", output)

    def second(other):
        other.graph.output.add().CopyFrom(other.graph.output[0])
        other.graph.output[1].name = other.graph.node[0].output[0]
        other.graph.output[1].type.tensor_type.ClearField("shape")
    keep("a second output", second)

    def twice(other):
        other.graph.node.insert(1, copy.deepcopy(other.graph.node[0]))
    keep("the first node twice", twice)

    def reversed_nodes(other):
        nodes = list(other.graph.node)[::-1]
        del other.graph.node[:]
        other.graph.node.extend(nodes)
    keep("reversed nodes", reversed_nodes)

    def kind(other):
        other.graph.input[0].type.tensor_type.elem_type = TensorProto.FLOAT16
    keep("an input of float16", kind)


LENGTH_BYTES = 3  # how many a message of these sizes states its length with


def patches_of(original, content):
    """Where the content differs: each is [at, cut, put], after `at` bytes of the original, `cut` bytes are replaced by `put` (base64). The
    first is the length of the graph."""
    begin = same_from(original, content, 0)
    first = begin + (LENGTH_BYTES if begin + LENGTH_BYTES <= min(len(original), len(content)) else 0)
    at = same_from(original, content, first)
    end = 0
    while end < min(len(original), len(content)) - at and original[-1 - end] == content[-1 - end]:
        end += 1
    pieces = [(begin, first - begin, content[begin:first]), (at, len(original) - end - at, content[at:len(content) - end])]
    return [[place, cut, base64.b64encode(put).decode()] for place, cut, put in pieces]


def same_from(original, content, at):
    while at < min(len(original), len(content)) and original[at] == content[at]:
        at += 1
    return at
