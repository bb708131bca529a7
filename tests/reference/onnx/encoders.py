"""Writes tests/fixtures/onnx/encoders/: encoders of tests/fixtures/encoder_architectures as graphs.

    /usr/bin/python3 tests/reference/onnx/encoders.py [--whole FOLDER]
        (Debian: python3-torch, python3-onnx, python3-numpy)

The graphs are written by PyTorch's own exporter from the modules of encoder_modules.py. Weights are
not in the files: they lie in an external file `weights`, which the tests make from the names of the
tensors, as those of encoder_architectures. `NAME.json` lists them in order, each with whether it is
transposed there; `inputs` and `outputs` are what onnxruntime is run with. --whole also writes files
with all weights and what PyTorch computes, for onnxruntime.
"""
import argparse
import io
import json
import pathlib
import sys
import warnings

import numpy as np
import onnx
import torch
from onnx import numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))
import encoder_modules as modules  # noqa: E402
from imitated_encoders import imitations  # noqa: E402
from encoder_models import values  # noqa: E402

FIXTURES = HERE.parent.parent / "fixtures"
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"

def labels(kind, n):
    return {"architectures": [kind], "id2label": {str(i): f"LABEL_{i}" for i in range(n)}}


# What config.json states besides, for heads.
CONFIGS = {
    "bert_classifier": labels("BertForSequenceClassification", 3),
    "bert_tokens": labels("BertForTokenClassification", 3),
    "roberta_classifier": labels("RobertaForSequenceClassification", 2),
    "distilbert_classifier": labels("DistilBertForSequenceClassification", 3),
}

# name: the case, the module, the opset, the inputs, the names of the outputs
CASES = {
    "bert_opset11": ("bert", lambda c: modules.Bert(c), 11, [IDS, MASK, TYPES], ["last_hidden_state"]),
    "bert_opset14_pooler": ("bert", lambda c: modules.Bert(c, output="pooler"), 14,
                            [IDS, MASK, TYPES], ["last_hidden_state", "pooler_output"]),
    "bert_opset17_sdpa": ("bert", lambda c: modules.Bert(c, form="sdpa"), 17, [IDS, MASK, TYPES],
                          ["last_hidden_state"]),
    "bert_no_types": ("bert", lambda c: modules.Bert(c, form="sdpa"), 13, [IDS, MASK],
                      ["last_hidden_state"]),
    "bert_sentence": ("bert", lambda c: modules.Bert(c, output="mean"), 14, [IDS, MASK, TYPES],
                      ["token_embeddings", "sentence_embedding"]),
    "bert_classifier": ("bert", lambda c: modules.Bert(c, output="bert_head", labels=3), 14,
                        [IDS, MASK, TYPES], ["logits"]),
    "bert_tokens": ("bert", lambda c: modules.Bert(c, output="tokens", labels=3), 14,
                    [IDS, MASK, TYPES], ["logits"]),
    "roberta_opset14": ("roberta", lambda c: modules.Bert(c, positions="roberta"), 14, [IDS, MASK],
                        ["last_hidden_state"]),
    "roberta_classifier": ("roberta", lambda c: modules.Bert(
        c, positions="roberta", output="roberta_head", labels=2), 17, [IDS, MASK], ["logits"]),
    "distilbert_opset13": ("distilbert", modules.DistilBert, 13, [IDS, MASK],
                           ["last_hidden_state"]),
    "distilbert_classifier": ("distilbert", lambda c: modules.DistilBert(c, "head", 3), 17,
                              [IDS, MASK], ["logits"]),
    "mpnet_opset12": ("mpnet", modules.Mpnet, 12, [IDS, MASK], ["last_hidden_state"]),
    "modernbert_opset14": ("modernbert", modules.ModernBert, 14, [IDS, MASK],
                           ["last_hidden_state"]),
    "modernbert_opset17": ("modernbert", modules.ModernBert, 17, [IDS, MASK],
                           ["last_hidden_state"]),
}


# The files that keep the names which the exporter gives.
NAMED = ("bert_opset11",)


def made(build, config):
    module = build(config).eval()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            parameter.copy_(torch.from_numpy(values(name, tuple(parameter.shape)).astype(np.float32)))
    return module


def exported(module, opset, inputs, outputs):
    examples = {IDS: torch.randint(5, 60, (2, 7)), MASK: torch.ones(2, 7, dtype=torch.long),
                TYPES: torch.zeros(2, 7, dtype=torch.long)}
    axes = {name: {0: "batch_size", 1: "sequence_length"} for name in inputs}
    for name in outputs:
        axes[name] = {0: "batch_size"}
        if name in ("last_hidden_state", "token_embeddings"):
            axes[name][1] = "sequence_length"
    data = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module, tuple(examples[name] for name in inputs), data,
                          input_names=inputs, output_names=outputs, dynamic_axes=axes,
                          opset_version=opset, do_constant_folding=True)
    return onnx.load_from_string(data.getvalue())


def tensors_of(graph):
    """All tensors of the graph: initializers, and those of Constant nodes."""
    yield from graph.initializer
    for node in graph.node:
        if node.op_type == "Constant":
            yield from (a.t for a in node.attribute if a.HasField("t"))


def strip(model, shapes):
    """Moves the weights to an external file. The result lists them in its order."""
    made_of = {name: values(name, tuple(shape)).astype(np.float32) for name, shape in shapes.items()}
    layout, offset = [], 0
    for tensor in tensors_of(model.graph):
        array = numpy_helper.to_array(tensor)
        if array.dtype != np.float32 or array.size < 8:
            continue
        if (joined := parts_of(array, made_of)) is not None:
            layout.extend(joined)
            place(tensor, offset, array.nbytes)
            offset += array.nbytes
            continue
        for name, wanted in made_of.items():
            same = wanted.shape == array.shape and np.array_equal(wanted, array)
            turned = wanted.ndim == 2 and np.array_equal(wanted.T, array)
            if same or turned:
                break
        else:
            continue
        layout.append({"name": name, "transposed": bool(turned and not same)})
        place(tensor, offset, array.nbytes)
        offset += array.nbytes
    return layout


def place(tensor, offset, n_bytes):
    tensor.ClearField("raw_data")
    tensor.ClearField("float_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", "weights"), ("offset", offset), ("length", n_bytes)):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)


def parts_of(array, made_of):
    """The three tensors that a fused matrix or vector is made of, else None. Those of a matrix lie
    beside each other in each row: `beside`."""
    n = array.shape[-1] // 3
    if array.shape[-1] % 3:
        return None
    found = []
    for part in range(3):
        own = array[..., part * n:(part + 1) * n]
        names = [name for name, wanted in made_of.items()
                 if wanted.shape == own.T.shape and np.array_equal(wanted.T, own)]
        if not names:
            return None
        found.append(names[0])
    beside = array.ndim == 2
    return [{"name": name, "transposed": beside, "beside": 3 if beside else 1} for name in found]


def shorten(model):
    """Numbers in the place of names, so that the files are small."""
    graph = model.graph
    kept = {value.name for value in [*graph.input, *graph.output]} | {""}
    short = {}
    for tensor in graph.initializer:
        tensor.name = short.setdefault(tensor.name, f"w{len(short)}")
    del graph.value_info[:]
    for number, node in enumerate(graph.node):
        node.name = f"n{number}"
        for names in (node.input, node.output):
            for i, name in enumerate(names):
                if name not in kept:
                    names[i] = short.setdefault(name, f"v{len(short)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--whole", type=pathlib.Path)
    whole = parser.parse_args().whole
    folder = FIXTURES / "onnx" / "encoders"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (case, build, opset, inputs, outputs) in CASES.items():
        stated = json.loads((FIXTURES / "encoder_architectures" / f"{case}.json").read_text())
        module = made(build, stated["config"])
        model = exported(module, opset, inputs, outputs)
        onnx.checker.check_model(model)
        if whole:
            write_whole(whole, name, module, model, inputs, outputs)
        shapes = {key: list(value.shape) for key, value in module.named_parameters()}
        write(folder, name, case, model, shapes, inputs, outputs, stated)
    write_imitations(folder, whole)


def write(folder, name, case, model, shapes, inputs, outputs, stated):
    layout = strip(model, shapes)
    if name not in NAMED:
        shorten(model)
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    facts = {"case": case, "inputs": inputs, "outputs": outputs, "weights": layout,
             "config": CONFIGS.get(name, {}),
             "more": {key: shape for key, shape in shapes.items() if key not in stated["tensors"]}}
    (folder / f"{name}.json").write_text(json.dumps(facts) + "\n")
    print(name, len(model.graph.node), "nodes,", (folder / f"{name}.onnx").stat().st_size, "bytes")


def write_imitations(folder, whole):
    stated = json.loads((FIXTURES / "encoder_architectures" / "bert.json").read_text())
    module = made(modules.Bert, stated["config"])
    inputs, outputs = [IDS, MASK, TYPES], ["last_hidden_state"]
    for name, model, shapes in imitations(stated["config"]):
        if whole:
            write_whole(whole, name, module, model, inputs, outputs)
        write(folder, name, "bert", model, shapes, inputs, outputs, stated)


def write_whole(folder, name, module, model, inputs, outputs):
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / f"{name}.onnx"))
    given = {IDS: torch.tensor([[2, 7, 9, 11, 3], [2, 30, 3, 1, 1]]),
             MASK: torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]),
             TYPES: torch.zeros(2, 5, dtype=torch.long)}
    with torch.no_grad():
        results = module(*(given[key] for key in inputs))
    results = results if isinstance(results, tuple) else (results,)
    facts = {"inputs": {key: given[key].tolist() for key in inputs},
             "outputs": {key: value.flatten().tolist() for key, value in zip(outputs, results)}}
    (folder / f"{name}.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
