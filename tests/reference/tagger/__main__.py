"""Makes the token classifier that comes with the site, from texts that it draws itself.

    /usr/bin/python3 tests/reference/tagger web/demo/public/models/entities-96x1.weights

Needs Debian's python3-torch and libopenblas0-pthread, and the project's own command line (npm run build) for the file. Takes about
ten minutes of one core. Everything is seeded; the bytes depend on the libraries' versions only. It prints the scores of the card.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch

from scores import marked_texts, scores
from texts import LABELS, Texts
from training import Recipe, train, vocabulary

from export import ambry, write_safetensors

ROOT = Path(__file__).resolve().parents[3]
MARKED = ROOT / "tests/fixtures/entities"
DRAWN = 2000


def write_directory(directory, model, pieces, recipe):
    config = {
        "architectures": ["BertForTokenClassification"],
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
        "id2label": dict(enumerate(LABELS)),
    }
    tokenizer = {"do_lower_case": False, "tokenizer_class": "BertTokenizer"}
    tokenizer |= {"model_max_length": recipe.positions}
    for name, content in {"config.json": config, "tokenizer_config.json": tokenizer}.items():
        (directory / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    (directory / "vocab.txt").write_text("\n".join(pieces.tokens) + "\n", encoding="utf-8")
    state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    write_safetensors(directory / "model.safetensors", state)


def report(model, pieces, recipe):
    drawn = Texts(recipe.seed + 2, held_out=True)
    sets = {
        "drawn, names kept out": [drawn.draw() for _ in range(DRAWN)],
        "development": marked_texts(MARKED / "development.txt"),
        "test": marked_texts(MARKED / "test.txt"),
    }
    for name, texts in sets.items():
        print(f"{name}: {len(texts)} texts, as precision, recall, F1, number of entities")
        for kind, row in scores(model, pieces, texts, recipe.positions).items():
            print(f"  {kind}: {row}")


def main(target):
    torch.set_num_threads(1)
    recipe = Recipe()
    pieces = vocabulary(recipe)
    model = train(recipe, pieces)
    report(model, pieces, recipe)
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "entities"
        directory.mkdir()
        write_directory(directory, model, pieces, recipe)
        ambry("quantize", directory, target, "--type", "int8")


if __name__ == "__main__":
    main(*sys.argv[1:])
