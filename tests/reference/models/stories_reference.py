"""Writes tests/fixtures/decoder/stories_f16.json: how the model stories260K goes on when its matrices
are rounded to binary16, computed in float64; the tokens after each prompt, most likely first.

    python3 tests/reference/models/stories_reference.py "$AMBRY_DATA"/stories260k
"""
import json
import pathlib
import sys

import numpy as np

from decoder_reference import OUT, llama_like

CONFIG = {"architecture": "llama", "n_vocab": 512, "n_embd": 64, "n_layers": 5, "n_heads": 8,
          "n_kv_heads": 4, "n_ff": 172, "max_seq_len": 512, "norm_eps": 1e-5,
          "rope_style": "interleaved", "tie_word_embeddings": True}


class Checkpoint(dict):
    """The checkpoint's tensors under Hugging Face's names, matrices rounded if asked; what llama_like() asks for."""

    def __init__(self, path, rounded=True):
        super().__init__()
        numbers = np.fromfile(path, dtype=np.float32, offset=28)
        at = 0

        def take(shape):
            nonlocal at
            part = numbers[at:at + int(np.prod(shape))].reshape(shape)
            at += part.size
            halves = rounded and len(shape) == 3
            return (part.astype(np.float16) if halves else part).astype(np.float64)

        self["model.embed_tokens.weight"] = take((1, 512, 64))[0]
        groups = [("input_layernorm", (5, 64)), ("self_attn.q_proj", (5, 64, 64)),
                  ("self_attn.k_proj", (5, 32, 64)), ("self_attn.v_proj", (5, 32, 64)),
                  ("self_attn.o_proj", (5, 64, 64)), ("post_attention_layernorm", (5, 64)),
                  ("mlp.gate_proj", (5, 172, 64)), ("mlp.down_proj", (5, 64, 172)),
                  ("mlp.up_proj", (5, 172, 64))]
        for name, shape in groups:
            for i, w in enumerate(take(shape)):
                self[f"model.layers.{i}.{name}.weight"] = w
        self["model.norm.weight"] = take((64,))

    def add(self, *_, **__):
        pass

    linear = norm = add

    def apply(self, name, x):
        return x @ self[name + ".weight"].T


def main():
    folder = pathlib.Path(sys.argv[1])
    answers = json.loads((folder / "known_answers.json").read_text())["answers"]
    forward = llama_like(CONFIG, Checkpoint(folder / "stories260K.bin"))
    cases, least = [], np.inf
    for answer in answers:
        ids = list(answer["prompt_tokens"])
        generated = []
        while len(generated) < 200 and (not generated or generated[-1] != 1):
            logits = forward(np.array(ids + generated))[-1]
            best = np.sort(logits)[-2:]
            least = min(least, best[1] - best[0])
            generated.append(int(logits.argmax()))
        cases.append({"prompt_tokens": ids, "generated_tokens": generated})
    (OUT / "stories_f16.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")
    print("the closest second was", least, "behind")


if __name__ == "__main__":
    main()
