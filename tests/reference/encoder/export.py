"""Writes the encoder as a Hugging Face directory, and that as EMBD through the project's own command line."""

import json
import struct
import subprocess
from pathlib import Path

import numpy as np

from word_pieces import UNK

ROOT = Path(__file__).resolve().parents[3]


def write_safetensors(path, tensors):
    head, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        raw = np.asarray(tensor).astype("<f4").tobytes()
        span = [len(data), len(data) + len(raw)]
        head[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": span}
        data += raw
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_directory(directory, model, pieces, recipe):
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": len(pieces),
        "hidden_size": recipe.width,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.width // recipe.head,
        "intermediate_size": recipe.inner,
        "max_position_embeddings": recipe.positions,
        "type_vocab_size": 2,
        "layer_norm_eps": recipe.norm_eps,
        "hidden_act": "gelu",
        "pad_token_id": pieces.pad,
        "position_embedding_type": "absolute",
    }
    steps = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
        for i, (name, path) in enumerate(steps.items())
    ]
    pooling = {"word_embedding_dimension": recipe.width, "pooling_mode_mean_tokens": True}
    (directory / "1_Pooling").mkdir(parents=True, exist_ok=True)
    files = {"config.json": config, "modules.json": modules, "1_Pooling/config.json": pooling}
    for name, content in files.items():
        (directory / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    (directory / "vocab.txt").write_text("\n".join(pieces.tokens) + "\n", encoding="utf-8")
    state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    write_safetensors(directory / "model.safetensors", state)


def write_static_directory(directory, vectors, pieces):
    """A StaticEmbedding of sentence-transformers: [UNK] has its vector, and texts are read whole."""
    steps = {"StaticEmbedding": "", "Normalize": "1_Normalize"}
    modules = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
        for i, (name, path) in enumerate(steps.items())
    ]
    tokenizer = {
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "model": {"type": "WordPiece", "unk_token": UNK, "vocab": pieces.ids},
    }
    directory.mkdir(exist_ok=True)
    for name, content in {"modules.json": modules, "tokenizer.json": tokenizer}.items():
        (directory / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    write_safetensors(directory / "model.safetensors", {"embedding.weight": vectors})


def ambry(command, *arguments):
    node = ["node", str(ROOT / "dist/cli/main.js"), command]
    subprocess.run([*node, *map(str, arguments)], check=True)
