"""Writes tests/fixtures/onnx/decoders/: small decoders as onnxruntime-genai's builder writes them.

    python3 tests/reference/onnx/genai_decoders.py [FOLDER]
    node tests/reference/onnx/greedy.mjs ORT FOLDER    adds what onnxruntime says of each
"""
import pathlib
import sys

import onnx

from genai_builder import Builder
from quantize_model import rewrite

OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "onnx" / "decoders"


def config(kind, **more):
    return {"model_type": kind, "vocab_size": 37, "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 2,
            "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "max_position_embeddings": 24,
            "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False, **more}


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 12}
LONG = {"type": "longrope", "short_factor": [1.0, 1.1, 1.2, 1.3, 1.5, 2.0, 2.0, 2.5],
        "long_factor": [1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 9.0, 9.5]}

CASES = {
    "llama": (config("llama", rope_scaling=LLAMA3), {"packed": True}),
    "llama_q4": (config("llama", num_hidden_layers=1, hidden_size=32, intermediate_size=64),
                 {"packed": True, "nbits": {"bits": 4, "block": 32}}),
    "mistral": (config("mistral", sliding_window=4, num_attention_heads=4, num_key_value_heads=2),
                {"packed": True, "rotary": "apart", "external": True}),
    "qwen2_q4": (config("qwen2", hidden_size=48, rms_norm_eps=1e-6, num_hidden_layers=1),
                 {"nbits": {"bits": 4, "block": 16, "zero_points": True, "head_bits": 8, "flat_scales": False}}),
    "qwen3": (config("qwen3", num_hidden_layers=1, rms_norm_eps=1e-6), {"packed": True}),
    # The processor of onnxruntime-web does not run it; the weights are those of qwen3.
    "qwen3_fused": (config("qwen3", num_hidden_layers=1, rms_norm_eps=1e-6), {"packed": True, "qk_norm": "fused"}),
    "qwen3_f16": (config("qwen3", num_hidden_layers=1, rms_norm_eps=1e-6, tie_word_embeddings=True),
                  {"dtype": "f16", "shared": "float"}),
    "phi3_q4": (config("phi3", num_hidden_layers=1, sliding_window=20, hidden_size=32, intermediate_size=32),
                {"packed": True, "quick_gelu": True, "nbits": {"bits": 4, "block": 32, "zero_points": True}}),
    "smollm3_q4": (config("smollm3", hidden_size=32, tie_word_embeddings=True, rms_norm_eps=1e-6,
                          no_rope_layers=[1, 0], layer_types=["full_attention", "full_attention"]),
                   {"nbits": {"bits": 4, "block": 16, "flat_scales": False}, "shared": "quantized"}),
    "granite": (config("granite", embedding_multiplier=12.0, attention_multiplier=0.0625, residual_multiplier=0.22,
                       logits_scaling=8.0), {"packed": True}),
    "gemma2": (config("gemma2", hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=20, sliding_window=5,
                      attn_logit_softcapping=5.0, final_logit_softcapping=3.0, rms_norm_eps=1e-6,
                      tie_word_embeddings=True), {"packed": True}),
    "gemma2_f16": (config("gemma2", hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=20, sliding_window=5,
                          attn_logit_softcapping=5.0, final_logit_softcapping=3.0, rms_norm_eps=1e-6,
                          tie_word_embeddings=True), {"packed": True, "dtype": "f16", "shared": "float"}),
    "gemma3": (config("gemma3_text", hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=16,
                      sliding_window=5, rope_theta=1e6, rope_local_base_freq=10000.0,
                      layer_types=["sliding_attention", "full_attention"], rms_norm_eps=1e-6, tie_word_embeddings=True), {"rotary": "apart"}),
    "phi3_long": (config("phi3", num_hidden_layers=1, partial_rotary_factor=0.5, max_position_embeddings=32, head_dim=32,
                         rope_scaling=LONG, original_max_position_embeddings=16), {"packed": True}),
}
SEEDS = {"qwen3_fused": "qwen3"}
# What quantizers make of these, by their forms (quantize_model.py).
QUANTIZED = [("qwen3", "uint8"), ("granite", "float16"), ("llama", "bnb4")]

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    for name, (stated, how) in CASES.items():
        Builder(stated, how, seed=list(CASES).index(SEEDS.get(name, name)) + 1).save(folder / name)
    for name, form in QUANTIZED:
        made = folder / f"{name}_{form}"
        (made / "onnx").mkdir(parents=True, exist_ok=True)
        model = rewrite(onnx.load(folder / name / "onnx" / "model.onnx"), form)
        (made / "onnx" / "model.onnx").write_bytes(model.SerializeToString())
        (made / "config.json").write_text((folder / name / "config.json").read_text())
