"""Runs ONNX files with onnxruntime-web, by run-onnxruntime.mjs."""
import json
import os
import subprocess
import tempfile

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run-onnxruntime.mjs")


def run_files(tools, files, inputs, digits=9):
    """The first output of each file, or None where onnxruntime refuses it. `files` are bytes by name, `inputs` {name: {input: (dims, floats)}}.
    `tools` is the folder in which onnxruntime-web is installed."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for number, (name, content) in enumerate(files.items()):
            paths[name] = f"{folder}/{number}.onnx"
            with open(paths[name], "wb") as file:
                file.write(content)
            given = {key: {"type": "float32", "dims": dims, "data": data} for key, (dims, data) in inputs[name].items()}
            with open(f"{folder}/{number}.inputs.json", "w") as file:
                json.dump(given, file)
        subprocess.run(["node", RUNNER, tools, "--may-fail", *paths.values()], check=True)
        return {name: first_output(path[:-5] + ".outputs.json", digits) for name, path in paths.items()}


def first_output(path, digits):
    with open(path) as file:
        outputs = json.load(file)
    if "error" in outputs:
        return None
    values = list(outputs.values())[0]["data"]
    return [float(f"{value:.{digits}g}") if isinstance(value, float) else value for value in values]
