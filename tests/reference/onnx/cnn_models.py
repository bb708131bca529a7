"""Writes tests/fixtures/onnx/cnn: small networks for pictures as ONNX files, their state dicts, and what onnxruntime computes.

    npm install --prefix DIR onnxruntime-web@1.30.0
    /usr/bin/python3 tests/reference/onnx/cnn_models.py DIR

Needs python3-torch 1.13 and python3-onnx. `*-kept` and `*-folded` are written by PyTorch's exporter: with the batch norms and the names of
the module's parameters, and with folded batch norms. `*-half` has its weights as float16. `*-newer` imitate the form of PyTorch's newer exporter, which 1.13 has not: other
names of nodes and values, ReduceMean in place of GlobalAveragePool, all attributes stated.

expected.json has the outputs for the input of `picture()`, and mutants.json has files that differ from one of these in one place: the patches,
and the output, or null where onnxruntime refuses the file.
"""
import json
import os
import sys
import warnings

import onnx
import torch
from cnn_mutants import mutants, patches_of
from cnn_networks import networks
from cnn_newer import newer_form
from onnxruntime_runs import run_files

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fixtures/onnx/cnn")
LARGEST_ROW = 600  # bytes of a mutant in the fixture
TRAINING = torch.onnx.TrainingMode


def picture(shape):
    """Numbers that the test makes, too."""
    count = shape[0] * shape[1] * shape[2]
    return [((i * 37) % 101 - 50) / 64 for i in range(count)]


def export(name, module, shape, kept):
    path = f"{OUT}/{name}-{'kept' if kept else 'folded'}.onnx"
    any_batch = {"input": {0: "batch"}, "output": {0: "batch"}} if name == "digits" else None
    torch.onnx.export(
        module, torch.zeros([1] + shape), path, opset_version=13, input_names=["input"], output_names=["output"],
        training=TRAINING.PRESERVE if kept else TRAINING.EVAL, do_constant_folding=not kept, dynamic_axes=any_batch)
    return path


def with_half_weights(model):
    """The matrices and kernels are stored as float16, behind a Cast to float32."""
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or len(tensor.dims) < 2:
            continue
        name = tensor.name
        values = onnx.numpy_helper.to_array(tensor).astype("float16")
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, f"{name}_half"))
        cast = onnx.helper.make_node("Cast", [f"{name}_half"], [name], name=f"{name}_cast", to=onnx.TensorProto.FLOAT)
        model.graph.node.insert(0, cast)
    return model


def main(tools):
    os.makedirs(OUT, exist_ok=True)
    shapes = {}
    for name, (module, shape) in networks().items():
        for path in [export(name, module, shape, True), export(name, module, shape, False)]:
            shapes[path] = shape
        if name in ("residual", "plain"):
            newer = f"{OUT}/{name}-newer.onnx"
            onnx.save(newer_form(onnx.load(f"{OUT}/{name}-kept.onnx"), name == "plain"), newer)
            shapes[newer] = shape
        if name == "digits":
            half = f"{OUT}/{name}-half.onnx"
            onnx.save(with_half_weights(onnx.load(f"{OUT}/{name}-folded.onnx")), half)
            shapes[half] = shape
        if name != "digits":
            state = {key: value for key, value in module.state_dict().items() if not key.endswith("num_batches_tracked")}
            torch.save(state, f"{OUT}/{name}.pt")
    pictures = {path: {"input": ([1] + shape, picture(shape))} for path, shape in shapes.items()}
    results = run_files(tools, {path: open(path, "rb").read() for path in shapes}, pictures)
    expected = {os.path.basename(path)[:-5]: results[path] for path in shapes}
    write_json("expected.json", expected)
    write_mutants(tools)


def write_mutants(tools):
    rows = []
    for base, shape in (("plain-kept", [3, 16, 16]), ("fastai-kept", [3, 41, 41]), ("digits-folded", [1, 28, 28])):
        path = f"{OUT}/{base}.onnx"
        original = onnx.load(path).SerializeToString()
        with open(path, "wb") as file:  # fields in the order in which the mutants have them
            file.write(original)
        made = dict(mutants(onnx.load_from_string(original), few=base != "plain-kept"))
        inputs = {name: {"input": ([1] + shape, picture(shape))} for name in made}
        results = run_files(tools, made, inputs, digits=6)
        for name, content in made.items():
            row = {"base": base, "name": name, "patches": patches_of(original, content), "output": results[name]}
            is_finite = row["output"] is None or None not in row["output"]
            if is_finite and len(json.dumps(row)) < LARGEST_ROW:
                rows.append(row)
    write_json("mutants.json", rows)
    print(len(rows), "mutants;", sum(row["output"] is None for row in rows), "refused by onnxruntime")


def write_json(name, value):
    with open(f"{OUT}/{name}", "w") as file:
        if isinstance(value, list):
            file.write("[\n" + ",\n".join(json.dumps(row) for row in value) + "\n]\n")
        else:
            file.write("{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in value.items()) + "\n}\n")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1])
