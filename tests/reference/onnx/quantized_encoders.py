"""Writes tests/fixtures/onnx/quantized_encoders: small encoders, exported by PyTorch and rewritten in
the forms of quantize_model.py, with the states that onnxruntime-web makes of two texts.

    /usr/bin/python3 tests/reference/onnx/quantized_encoders.py DIR
        (Debian: python3-torch, python3-onnx, python3-numpy)

DIR has onnxruntime-web (see run-onnxruntime.mjs). cases.json has the texts, and of each encoder its
config.json and the states of all tokens.
"""
import json
import subprocess
import sys

import encoders
import encoder_modules as modules
import quantize_model

OUT = encoders.FIXTURES / "onnx" / "quantized_encoders"
WIDTH = 24
BERT = dict(model_type="bert", architectures=["BertModel"], vocab_size=61, hidden_size=WIDTH,
            num_hidden_layers=1, num_attention_heads=2, intermediate_size=40,
            max_position_embeddings=16, type_vocab_size=2, layer_norm_eps=1e-12, hidden_act="gelu",
            pad_token_id=0)
DISTIL = dict(model_type="distilbert", architectures=["DistilBertModel"], vocab_size=61, dim=WIDTH,
              n_layers=1, n_heads=2, hidden_dim=40, max_position_embeddings=16, activation="gelu",
              pad_token_id=0)
IDS = [[2, 7, 9, 11, 3], [2, 30, 3, 0, 0]]
MASK = [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]

# name: config.json, the module, the inputs, the form
CASES = {f"bert_{form}": (BERT, modules.Bert, ["input_ids", "attention_mask", "token_type_ids"], form)
         for form in ("uint8", "int8_channel", "qdq_int8", "q4", "bnb4", "q4f16", "float16")}
CASES["distilbert_uint8"] = (DISTIL, modules.DistilBert, ["input_ids", "attention_mask"], "uint8")


def main(directory):
    OUT.mkdir(parents=True, exist_ok=True)
    facts = {}
    for name, (config, build, inputs, form) in CASES.items():
        module = encoders.made(build, config)
        model = encoders.exported(module, 14, inputs, ["last_hidden_state"])
        quantize_model.rewrite(model, form)
        encoders.shorten(model)
        (OUT / f"{name}.onnx").write_bytes(model.SerializeToString())
        given = {"input_ids": IDS, "attention_mask": MASK, "token_type_ids": [[0] * 5, [0] * 5]}
        stated = {key: dict(type="int64", dims=[2, 5], data=sum(given[key], [])) for key in inputs}
        (OUT / f"{name}.inputs.json").write_text(json.dumps(stated))
        facts[name] = dict(config=config)
    script = str(encoders.HERE / "run-onnxruntime.mjs")
    subprocess.run(["node", script, directory, *(str(OUT / f"{name}.onnx") for name in CASES)],
                   check=True)
    for name, fact in facts.items():
        path = OUT / f"{name}.outputs.json"
        fact["states"] = rounded(json.loads(path.read_text())["last_hidden_state"]["data"])
        path.unlink()
        (OUT / f"{name}.inputs.json").unlink()
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items())
    (OUT / "cases.json").write_text(
        f'{{"ids": {json.dumps(IDS)}, "mask": {json.dumps(MASK)}, "cases": {{\n{lines}\n}}}}\n')


def rounded(numbers):
    return [float(f"{number:.6g}") for number in numbers]


main(sys.argv[1])
