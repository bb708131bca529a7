"""Writes a trained decoder with its tokens as a Hugging Face directory, which the project's own command line makes an AMB file of."""

import json
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def tokenizer_files(bpe, specials, begin, end, chat_template):
    special = [
        {"id": i, "content": content, "special": True, "normalized": False}
        | {"single_word": False, "lstrip": False, "rstrip": False}
        for i, content in enumerate(specials)
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": bpe.ids, "merges": [" ".join(pair) for pair in bpe.merges]}
    whole = {"version": "1.0", "added_tokens": special, "normalizer": None}
    whole |= {"pre_tokenizer": level, "post_processor": None, "decoder": level, "model": model}
    options = {"bos_token": begin, "eos_token": end, "add_bos_token": True}
    return {
        "tokenizer.json": whole,
        "tokenizer_config.json": options | {"chat_template": chat_template},
    }


def config(shape, begin_id, end_id):
    return {
        "model_type": "llama",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "intermediate_size": shape.hidden,
        "max_position_embeddings": shape.context,
        "rms_norm_eps": shape.norm_eps,
        "rope_theta": shape.rope_base,
        "hidden_act": "silu",
        "tie_word_embeddings": True,
        "bos_token_id": begin_id,
        "eos_token_id": end_id,
    }


def write_safetensors(path, tensors):
    head, data = {}, b""
    for name, tensor in tensors.items():
        raw = tensor.detach().numpy().astype("<f4").tobytes()
        span = [len(data), len(data) + len(raw)]
        head[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": span}
        data += raw
    text = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def export(net, bpe, target, *, specials, begin, end, chat_template):
    """The weights become int8 with one scale per 32 values."""
    files = tokenizer_files(bpe, specials, begin, end, chat_template)
    files["config.json"] = config(net.shape, specials.index(begin), specials.index(end))
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / Path(target).stem
        directory.mkdir()
        for name, content in files.items():
            (directory / name).write_text(json.dumps(content), encoding="utf-8")
        tensors = {f"model.{name}": tensor for name, tensor in net.state_dict().items()}
        write_safetensors(directory / "model.safetensors", tensors)
        ambry = ["node", str(ROOT / "dist/cli/main.js"), "quantize", str(directory), str(target)]
        subprocess.run([*ambry, "--type", "int8"], check=True)
