"""Writes tests/fixtures/onnx/quantized: graphs of one layer each, in every form that quantizers.py
imitates, with what onnxruntime-web makes of them.

    python3 tests/reference/onnx/quantized_weights.py DIR     (Debian: python3-onnx, python3-numpy)

DIR has onnxruntime-web (run-onnxruntime.mjs beside this file says how it gets there). cases.json
has for each graph: the layer's matrix as its shape and the CRC-32 of its float32 bytes, made here
with numpy; and the output of onnxruntime for the input of all.
"""
import json
import pathlib
import subprocess
import sys
import zlib

import numpy as np
from onnx import TensorProto, helper

import quantizers as q

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent.parent / "fixtures" / "onnx" / "quantized"
N_IN, N_OUT, N_TOKENS = 48, 21, 2


def products(bias):
    return {
        "dynamic_uint8": (q.dynamic_matmul, {}),
        "dynamic_int8_channel": (q.dynamic_matmul, dict(kind="int8", per_channel=True)),
        "dynamic_uint8_channel": (q.dynamic_matmul, dict(per_channel=True, reduce_range=True)),
        "fused_uint8_bias": (q.fused_matmul, dict(bias=bias)),
        "fused_int8": (q.fused_matmul, dict(kind="int8", per_channel=False)),
        "joined_int8": (q.joined_matmul, {}),
        "qdq_int8": (q.dequantized_matmul, {}),
        "qdq_uint8_channel": (q.dequantized_matmul, dict(kind="uint8", axis=1)),
        "qdq_int8_turned": (q.dequantized_matmul, dict(axis=0, turned=True)),
        "qdq_int8_columns": (q.dequantized_matmul, dict(axis=0)),
        "qdq_int4_blocks": (q.blocked_dequantized_matmul, {}),
        "qdq_uint4_blocks": (q.blocked_dequantized_matmul, dict(kind=q.UINT4)),
        "nbits4": (q.nbits_matmul, {}),
        "nbits4_zeros": (q.nbits_matmul, dict(block=16, symmetric=False)),
        "nbits4_bias": (q.nbits_matmul, dict(bias=bias, accuracy_level=4)),
        "nbits8": (q.nbits_matmul, dict(bits=8)),
        "nbits8_zeros": (q.nbits_matmul, dict(bits=8, block=64, symmetric=False)),
        "bnb4_nf4": (q.bnb4_matmul, {}),
        "bnb4_fp4": (q.bnb4_matmul, dict(kind=0, block=64)),
    }


EMBEDDINGS = {
    "gather_uint8": (q.dynamic_gather, {}),
    "gather_int8": (q.dynamic_gather, dict(kind="int8")),
    "gather_blocks4": (q.block_gather, {}),
    "gather_blocks4_tied": (q.block_gather, dict(symmetric=True, tied=True)),
    "gather_blocks4_symmetric": (q.block_gather, dict(symmetric=True)),
    "gather_blocks8": (q.block_gather, dict(bits=8, symmetric=False)),
    "gather_blocks8_symmetric": (q.block_gather, dict(bits=8, symmetric=True)),
}


def save(name, graph, inputs, output):
    model = helper.make_model(
        helper.make_graph(graph.nodes, name, inputs, [output], graph.initializers),
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(q.MICROSOFT, 1)],
        producer_name="ambry tests")
    model.ir_version = 10
    (OUT / f"{name}.onnx").write_bytes(model.SerializeToString())


def case_of(name, exact, given):
    exact = np.ascontiguousarray(exact, np.float32)
    (OUT / f"{name}.inputs.json").write_text(json.dumps(given))
    return dict(name=name, shape=list(exact.shape), crc32=zlib.crc32(exact.tobytes()))


def main(directory):
    OUT.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(51)
    bias = random.normal(size=N_OUT).astype(np.float32)
    cases = []
    shape = ["texts", "tokens", N_OUT]
    x = np.round(random.normal(size=(1, N_TOKENS, N_IN)) * 64) / 64
    given = {"x": dict(type="float32", dims=list(x.shape), data=x.reshape(-1).tolist())}
    inputs = dict(x=given["x"]["data"])
    for name, (write, options) in products(bias).items():
        graph = q.Graph()
        weight = (random.normal(size=(N_IN, N_OUT)) * 0.2 + 0.05).astype(np.float32)
        exact = write(graph, "x", weight, "y", "onnx::MatMul_7", "/layer/MatMul", **options)
        save(name, graph,
             [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["texts", "tokens", N_IN])],
             helper.make_tensor_value_info("y", TensorProto.FLOAT, shape))
        cases.append(dict(case_of(name, exact.T, given), bias="bias" in options))
    inputs["ids"] = [0, 16, 5]
    given = {"x": dict(type="int64", dims=[1, 3], data=inputs["ids"])}
    for name, (write, options) in EMBEDDINGS.items():
        graph = q.Graph()
        table = (random.normal(size=(17, 32)) * 0.3).astype(np.float32)
        exact = write(graph, "x", table, "y", "word_embeddings.weight", "/Gather", **options)
        save(name, graph, [helper.make_tensor_value_info("x", TensorProto.INT64, ["texts", "tokens"])],
             helper.make_tensor_value_info("y", TensorProto.FLOAT, ["texts", "tokens", 32]))
        cases.append(dict(case_of(name, exact, given), embedding=True))
    paths = [str(OUT / f"{case['name']}.onnx") for case in cases]
    subprocess.run(["node", str(HERE / "run-onnxruntime.mjs"), directory, *paths], check=True)
    for case in cases:
        path = OUT / f"{case['name']}.outputs.json"
        case["output"] = [float(f"{v:.6g}") for v in json.loads(path.read_text())["y"]["data"]]
        path.unlink()
        (OUT / f"{case['name']}.inputs.json").unlink()
    lines = ",\n".join(json.dumps(case) for case in cases)
    (OUT / "cases.json").write_text(f'{{"inputs": {json.dumps(inputs)},\n"cases": [\n{lines}\n]}}\n')


main(sys.argv[1])
