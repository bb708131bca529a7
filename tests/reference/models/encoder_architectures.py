"""Writes tests/fixtures/encoder_architectures/*.json: hidden states of encoders with made-up weights,
computed in float64 with PyTorch by the definitions in encoder_models.py.

    python3 tests/reference/models/encoder_architectures.py      (Debian: python3-torch, python3-numpy)

A file has `config` (a config.json), `tensors` (shapes by name), and `texts`. A text has `ids`,
`type_ids` if one is not 0, `task` if an adapter is used, the states of the tokens `rows`, and `mean`,
the mean of all tokens' states. No file has weights: encoder_models.values() makes each number of a
tensor from the tensor's name and the number's place, and so do the tests.

No other implementation of these models runs without downloads, so the definitions are checked by
what must hold between them (check_definitions), before anything is written. float32 states, printed
beside each case, show how well a case is conditioned.
"""
import json
import pathlib

import torch

import encoder_models as models
import recent_encoders
from bert_reference import hashes

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "encoder_architectures"

LENGTHS = [1, 2, 7, 40]
PADDING = 1  # the padding of the RoBERTa family, which one text has inside

BERT = dict(model_type="bert", vocab_size=61, hidden_size=36, num_hidden_layers=2,
            num_attention_heads=3, intermediate_size=53, max_position_embeddings=48,
            type_vocab_size=2, layer_norm_eps=1e-12, hidden_act="gelu", pad_token_id=0)
ROBERTA = dict(BERT, model_type="roberta", type_vocab_size=1, layer_norm_eps=1e-5,
               pad_token_id=PADDING)
JINA = dict(BERT, position_embedding_type="alibi", feed_forward_type="geglu", intermediate_size=44,
            auto_map={"AutoModel": "jinaai/jina-bert-implementation--modeling_bert.JinaBertModel"})
DEBERTA = dict(BERT, model_type="deberta-v2", type_vocab_size=0, layer_norm_eps=1e-7,
               relative_attention=True, position_biased_input=False, share_att_key=True,
               max_relative_positions=32, position_buckets=8, norm_rel_ebd="layer_norm",
               pos_att_type=["p2c", "c2p"])
GTE = dict(BERT, model_type="new", type_vocab_size=2, rope_theta=5000.0, rope_scaling=None,
           position_embedding_type="rope", layer_norm_type="layer_norm", pack_qkv=True,
           logn_attention_scale=False, intermediate_size=44)
T5 = dict(model_type="t5", vocab_size=61, d_model=36, num_layers=2, num_heads=3, d_kv=8, d_ff=53,
          relative_attention_num_buckets=32, relative_attention_max_distance=128,
          layer_norm_epsilon=1e-6, feed_forward_proj="relu", pad_token_id=0)
MODERNBERT = dict(model_type="modernbert", vocab_size=61, hidden_size=36, num_hidden_layers=3,
                  num_attention_heads=3, intermediate_size=44, max_position_embeddings=64,
                  norm_eps=1e-5, norm_bias=False, attention_bias=False, mlp_bias=False,
                  hidden_activation="gelu", local_attention=8, global_attn_every_n_layers=2,
                  global_rope_theta=160000.0, local_rope_theta=10000.0, pad_token_id=0)
CLIP = dict(model_type="clip_text_model", architectures=["CLIPTextModel"], vocab_size=61,
            hidden_size=36, num_hidden_layers=2, num_attention_heads=3, intermediate_size=53,
            max_position_embeddings=48, layer_norm_eps=1e-5, hidden_act="quick_gelu", eos_token_id=2)
SIGLIP = dict(CLIP, model_type="siglip_text_model", layer_norm_eps=1e-6, projection_size=20,
              hidden_act="gelu_pytorch_tanh", pad_token_id=1)
JINA_V3 = dict(ROBERTA, model_type="xlm-roberta", position_embedding_type="rotary",
               rotary_emb_base=20000.0, lora_adaptations=["retrieval.query", "text-matching"],
               lora_rank=4, lora_alpha=1, load_trained_adapters=True,
               auto_map={"AutoModel": "jinaai/xlm-roberta-flash-implementation--modeling_lora.XLMRobertaLoRA"})

CASES = {
    "bert": (models.bert, BERT),
    "distilbert": (models.distilbert, dict(
        model_type="distilbert", vocab_size=61, dim=36, n_layers=2, n_heads=3, hidden_dim=53,
        max_position_embeddings=48, activation="gelu", sinusoidal_pos_embds=False, pad_token_id=0)),
    "roberta": (models.roberta, ROBERTA),
    "xlm_roberta": (lambda *a: models.roberta(*a, p="roberta."), dict(
        ROBERTA, model_type="xlm-roberta", hidden_act="gelu_new")),
    "electra": (models.electra, dict(BERT, model_type="electra", embedding_size=20)),
    "electra_same_width": (models.electra, dict(
        BERT, model_type="electra", embedding_size=36, num_hidden_layers=1)),
    "albert": (models.albert, dict(
        BERT, model_type="albert", embedding_size=20, num_hidden_layers=4, num_hidden_groups=2,
        inner_group_num=1, hidden_act="gelu_new")),
    "mpnet": (models.mpnet, dict(ROBERTA, model_type="mpnet", type_vocab_size=0,
                                 relative_attention_num_buckets=32, max_position_embeddings=180)),
    "nomic_bert": (models.nomic_bert, dict(
        model_type="nomic_bert", vocab_size=64, n_embd=36, n_layer=2, n_head=3, n_inner=256,
        n_positions=64, type_vocab_size=2, activation_function="swiglu", layer_norm_epsilon=1e-12,
        rotary_emb_base=1000, rotary_emb_fraction=1.0, rotary_emb_interleaved=False,
        rotary_emb_scale_base=None, rotary_scaling_factor=None, qkv_proj_bias=False,
        mlp_fc1_bias=False, mlp_fc2_bias=False, prenorm=False, causal=False,
        pad_vocab_size_multiple=64, max_trained_positions=64)),
    "modernbert": (models.modernbert, MODERNBERT),
    "modernbert_biased": (models.modernbert, dict(
        MODERNBERT, norm_bias=True, attention_bias=True, mlp_bias=True, local_attention=5,
        hidden_activation="silu", num_hidden_layers=2)),
    "gte": (models.gte_new, GTE),
    "gte_ntk": (models.gte_new, dict(
        GTE, rope_scaling={"type": "ntk", "factor": 8.0}, type_vocab_size=0)),
    "jina_v2": (models.jina_v2, JINA),
    "jina_v2_code": (models.jina_v2, dict(
        JINA, feed_forward_type="reglu",
        auto_map={"AutoModel": "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertModel"})),
    "jina_v3": (models.jina_v3, JINA_V3),
    "deberta_v3": (models.deberta_v2, DEBERTA),
    "deberta_v2_own_keys": (models.deberta_v2, dict(
        DEBERTA, share_att_key=False, type_vocab_size=2, position_buckets=-1,
        max_relative_positions=12, norm_rel_ebd="none")),
    "deberta_v2_c2p": (models.deberta_v2, dict(DEBERTA, pos_att_type="c2p", max_relative_positions=-1, num_hidden_layers=1)),
    "clip_text": (models.clip_text, CLIP),
    "clip_text_gelu": (models.clip_text, dict(CLIP, hidden_act="gelu", num_hidden_layers=1)),
    "siglip_text": (models.siglip_text, SIGLIP),
    "t5": (models.t5, T5),
    "t5_gated": (models.t5, dict(T5, d_kv=5, feed_forward_proj="gated-gelu", relative_attention_num_buckets=12,
                                 relative_attention_max_distance=20)),
}


CASES.update(recent_encoders.CASES)


def hidden_states(model, config, text, dtype=torch.float64):
    torch.set_default_dtype(dtype)
    weights = models.Weights(dtype)
    extra = [text["task"]] if text.get("task") else []
    states = model(config, weights, text["ids"], text.get("type_ids") or [0] * len(text["ids"]), *extra)
    return weights, states


def texts_of(name, config, lengths):
    texts = []
    for i, n in enumerate(lengths):
        ids = [int(x) % config["vocab_size"] for x in hashes(f"{name}.ids.{i}", n)]
        text = {"ids": [id + (id == PADDING) for id in ids]}
        if config.get("type_vocab_size", 0) > 1 and n > 1:
            text["type_ids"] = [int(j >= n // 2) for j in range(n)]
        texts.append(text)
    if config["model_type"] in ("roberta", "xlm-roberta") and "lora_rank" not in config:
        texts[2]["ids"][4] = PADDING
    if "lora_adaptations" in config:
        texts.append(dict(texts[2], task=config["lora_adaptations"][1]))
    return texts


def digits(row):
    return [float(f"{x:.6f}") for x in row.tolist()]


def run(name, model, config):
    shapes, worst, texts = {}, 0.0, []
    # MPNet's and T5's last bucket begins at 128 positions.
    lengths = LENGTHS + ([150] if config["model_type"] in ("mpnet", "t5") else [])
    for text in texts_of(name, config, lengths):
        weights, states = hidden_states(model, config, text)
        _, narrow = hidden_states(model, config, text, torch.float32)
        worst = max(worst, float((states - narrow).abs().max()))
        shapes.update(weights.shapes)
        n = len(states)
        rows = list(range(n)) if n <= 2 else [0, n // 2, n - 1]
        texts.append(dict(text, rows=rows, states=[digits(states[i]) for i in rows],
                          mean=digits(states.mean(0))))
    return dict(config=config, tensors=shapes, texts=texts), worst


def check_definitions():
    """What must hold between the definitions."""
    torch.set_default_dtype(torch.float64)
    recent_encoders.check_definitions()
    ids, types = [5, 9, 30, 2, 17, 44, 8, 12, 21], [0, 0, 0, 0, 1, 1, 1, 1, 1]

    def same(a, b):
        assert torch.allclose(a, b, rtol=0, atol=1e-12), float((a - b).abs().max())

    w = models.Weights()
    # RoBERTa is BERT with its positions moved.
    moved = models.Weights()
    want = models.bert(BERT, w, ids, types)
    models.roberta(dict(BERT, pad_token_id=PADDING), moved, ids, types)
    moved.made = dict(w.made)
    table = w.made["embeddings.position_embeddings.weight"]
    moved.made["embeddings.position_embeddings.weight"] = table.roll(PADDING + 1, 0)
    same(models.roberta(dict(BERT, pad_token_id=PADDING), moved, ids, types), want)
    # ELECTRA without a projection is BERT.
    same(models.electra(dict(BERT, embedding_size=36), models.Weights(), ids, types), want)
    # ALiBi without slopes does not know the order of tokens.
    one, two = (models.jina_v2(JINA, models.Weights(), x, [0] * 9, [0.0] * 3) for x in (ids, ids[::-1]))
    same(one, two.flip(0))
    # A window over the whole text is no window.
    wide = dict(MODERNBERT, local_attention=100, local_rope_theta=160000.0)
    same(models.modernbert(wide, models.Weights(), ids, types),
         models.modernbert(dict(wide, global_attn_every_n_layers=1), models.Weights(), ids, types))
    # Scores of rotated vectors depend on the distance only.
    for interleaved in (False, True):
        x = torch.ones(9, 1) * torch.linspace(-1, 1, 24)
        turned = models.rotate(x, 2, 100.0, interleaved)
        for head in (slice(0, 12), slice(12, 24)):
            scores = turned[:, head] @ turned[:, head].T
            same(scores[:-1, :-1], scores[1:, 1:])
    # NTK scaling by 1 is none.
    same(models.gte_new(GTE, models.Weights(), ids, types),
         models.gte_new(dict(GTE, rope_scaling={"factor": 1.0}), models.Weights(), ids, types))
    # DeBERTa with zeros for relative embeddings only has another scale than BERT's attention.
    w = models.Weights()
    plain = dict(DEBERTA, norm_rel_ebd="none", share_att_key=False, pos_att_type=[])
    want = models.deberta_v2(plain, w, ids, types)
    zeros = models.Weights()
    zeros.made = {n: x for n, x in w.made.items() if "rel_embeddings" not in n}
    same(models.bert_layers(DEBERTA, renamed(zeros), models.embed(
        DEBERTA, zeros, ids, types, 36, positions=None), ""), want)
    # The states of a beginning do not depend on what follows it, and the last token sees everything.
    whole = models.clip_text(CLIP, models.Weights(), ids, types)
    same(models.clip_text(CLIP, models.Weights(), ids[:4], types[:4]), whole[:4])
    one = dict(CLIP, num_hidden_layers=1)
    same(models.clip_text(one, models.Weights(), ids, types)[-1],
         models.text_tower(one, models.Weights(), ids, 0.0)[-1])
    # Buckets of T5: equal for both directions, one for each of the first, growing.
    buckets = models.t5_buckets(torch.arange(-300, 301), 32, 128)
    assert buckets[:301].flip(0)[1:].tolist() == (buckets[301:] - 16).tolist()
    assert buckets[301:308].tolist() == list(range(17, 24)) and buckets.max() == 31
    assert (buckets[301:].diff() >= 0).all()
    # A task of jina v3 whose adapter is zero is no task.
    w = models.Weights()
    models.jina_v3(JINA_V3, w, ids, [0] * 9)
    for name, x in w.made.items():
        if name.endswith("lora_B"):
            x.zero_()
    same(models.jina_v3(JINA_V3, w, ids, [0] * 9, "text-matching"),
         models.jina_v3(JINA_V3, w, ids, [0] * 9))


def renamed(w):
    """The weights of DeBERTa under BERT's names."""
    bert = models.Weights()
    bert.made = {name.replace("_proj.", "."): x for name, x in w.made.items()}
    return bert


def main():
    check_definitions()
    OUT.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, (model, config) in CASES.items():
        fixture, worst = run(name, model, config)
        text = json.dumps(fixture, separators=(",", ":")) + "\n"
        (OUT / f"{name}.json").write_text(text)
        total += len(text)
        print(f"{name}: {len(text)} bytes; float32 differs by {worst:.1e}")
    print(total, "bytes")


if __name__ == "__main__":
    main()
